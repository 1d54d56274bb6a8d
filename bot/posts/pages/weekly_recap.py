"""Last week in words, as a part of the daily post: everybody reads it, and it is kind to all."""

from collections.abc import Iterator, Mapping
from typing import Final

from bot.leaderboards.game.scores import DuelFigures, Figures, MastermindFigures, StreakFigures
from bot.posts.game.recap import Best, CloseDuel, HardPuzzle, Recap
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.language import ngettext, number
from bot.text.markup import small
from bot.text.names import player_name

# Two of them and what they did stay on a line of a phone.
_NAME: Final = 14


def recap_lines(recap: Recap) -> Iterator[str]:
    """What else there is to tell of a week, below who has most points."""
    yield from map(_winner, recap.winners)
    if recap.streak is not None:
        yield _streak(recap.streak)
    if recap.duel is not None:
        yield _duel(recap.duel)
    if recap.puzzle is not None:
        yield _puzzle(recap.puzzle)


def _winner(best: Best) -> str:
    match best.rows[0].figures:
        case MastermindFigures(mean=mean):
            line, result = _("🧠 Mastermind: {players} · {result} on average"), number(mean, 1)
        case DuelFigures(rating=rating):
            line, result = _("⚔️ Duels: {players} · {result}"), number(rating)
        case figures:
            raise TypeError(f"{type(figures).__name__} are told elsewhere")
    return line.format(players=_together(best), result=result)


def _streak(best: Best) -> str:
    figures = _streak_figures(best.rows[0].figures)
    line = _("🔥 Streak: {players} · {days}")
    return line.format(players=_together(best), days=counts.days(figures.length))


def _duel(duel: CloseDuel) -> str:
    if duel.is_draw:
        result = _("both in {guesses}").format(guesses=counts.guesses(duel.guesses))
    elif duel.apart:
        result = _("{guesses} apart").format(guesses=counts.guesses(duel.apart))
    else:
        result = _("by the last guess of round {round}").format(round=number(duel.guesses))
    line = _("🤝 Closest duel: {players}").format(players=_both(duel.names))
    return f"{line}\n{small(result)}"


def _puzzle(puzzle: HardPuzzle) -> str:
    line = _("🧩 Hardest: #{number}, par {par} (my average)")
    if puzzle.solved:
        solved = ngettext(
            "{solved} of {finished} solved it", "{solved} of {finished} solved it", puzzle.solved
        ).format(solved=number(puzzle.solved), finished=number(puzzle.finished))
    else:
        solved = _("too hard for all of us")
    line = line.format(number=puzzle.number, par=number(puzzle.par, 1))
    return f"{line}\n{small(solved)}"


def _together(best: Best) -> str:
    """Who shares a first place."""
    shown = [player_name(row.name, row.player_id, _NAME) for row in best.rows]
    others = best.total - len(shown)
    if others > 0:
        words = ngettext("{players} and {others} more", "{players} and {others} more", others)
        return words.format(players=", ".join(shown), others=number(others))
    return _and(shown)


def _both(names: Mapping[int, str]) -> str:
    return _and([player_name(name, player_id, _NAME) for player_id, name in names.items()])


def _and(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    first, second = names
    return _("{first} and {second}").format(first=first, second=second)


def _streak_figures(figures: Figures) -> StreakFigures:
    if not isinstance(figures, StreakFigures):
        raise TypeError("the streak board has streaks")
    return figures

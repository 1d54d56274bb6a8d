"""A finished FoCdle for everybody's eyes: marks without symbols, in Discord and elsewhere."""

from typing import Final

from bot.focdle.model.play import Play
from bot.focdle.pages.board import name
from bot.focdle.pages.endings import odds
from bot.games.pages.hints import taken
from bot.text import counts
from bot.text.language import N_, number, say
from bot.text.language import gettext as _
from bot.text.markup import mention, small
from bot.text.tiles import Palette, Tiles, plain_row, row
from engine import Mark, Outcome

#: Said above the text that is to be copied.
COPY_THIS: Final = N_("To paste anywhere:")

_SHORTEST_STREAK: Final = 2


def shared(
    play: Play, guild_id: int | None = None, tiles: Tiles | None = None, *, drawn: bool = False
) -> list[str]:
    """What is said of a finished play, and its marks, which need a phone's whole width.

    Args:
        play: the play.
        guild_id: the server whose members read it, if it is one.
        tiles: the emojis to draw with; squares, which everybody can tell apart, without them.
        drawn: whether a picture shows the marks instead.
    """
    lines = [_headline(play)]
    if len(play.game.turns) == 1 and play.game.outcome is Outcome.SOLVED:
        lines.append(odds(play))
    if figures := _figures(play):
        lines.append(small(" · ".join(figures)))
    below: list[str] = []
    if not drawn:
        below += [
            row(turn.feedback) if tiles is None else tiles.marks(turn.feedback)
            for turn in play.game.turns
        ]
    if guild_id in play.closed_in:
        below.append(small(_("The day was already over in this server: not on its boards.")))
    return list(filter(None, ["\n".join(lines), "\n".join(below)]))


def card_description(play: Play) -> str:
    """The picture's marks for who cannot see it."""
    return "\n".join(
        _("Guess {turn}: {correct} in place, {present} elsewhere").format(
            turn=turn,
            correct=guess.feedback.count(Mark.CORRECT),
            present=guess.feedback.count(Mark.PRESENT),
        )
        for turn, guess in enumerate(play.game.turns, 1)
    )


def copied(play: Play) -> str:
    """A finished play as text that every app can show, with a line above it."""
    rows = [plain_row(turn.feedback, Palette(play.palette)) for turn in play.game.turns]
    parts = [f"{name(play)} {_score(play)}", counts.hints(len(play.hints)) if play.hints else ""]
    text = "\n".join([" · ".join(filter(None, (*parts, *_figures(play)))), *rows])
    return f"{say(COPY_THIS)}\n```\n{text}\n```"


def _headline(play: Play) -> str:
    played = f"**{name(play)}**" if play.puzzle is not None else _("a **FoCdle practice**")
    line = _("{player} solved {name} in {score}")
    if play.game.outcome is not Outcome.SOLVED:
        line = _("{player} missed {name}: {score}")
    line = line.format(player=mention(play.player_id), name=played, score=_score(play))
    return f"{line} {taken(play.hints)}" if play.hints else line


def _score(play: Play) -> str:
    rules, is_solved = play.rules, play.game.outcome is Outcome.SOLVED
    made = len(play.game.turns)
    return counts.score(made, rules.max_guesses, is_solved=is_solved, is_hard=rules.hard)


def _figures(play: Play) -> list[str]:
    """How hard it was, and the streak it belongs to, where there is something to tell."""
    parts = [counts.symbols(play.rules.length)] if play.puzzle is None else []
    if play.par is not None:
        below, words = play.ending.below_par, _("par {par} (the bot's average)")
        if below is not None:
            words = _("{mean} guesses better than the bot's average")
        par = number(play.par, 1)
        parts.append(words.format(par=par, mean=number(below or 0, 1)))
    if play.is_today and play.points and play.streak is not None:
        length = play.streak.length
        if length >= _SHORTEST_STREAK:
            parts.append(_("{n}-day streak").format(n=number(length)))
    return parts

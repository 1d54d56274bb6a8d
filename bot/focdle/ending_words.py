"""A FoCdle's name, its end, what it does to a streak, and results for others to see."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from enum import Enum, auto
from typing import Final

from bot.clock import FIRST_DAY, day_of
from bot.effects import DateEffect
from bot.focdle.game import ArchiveEntry
from bot.focdle.model import Aim, Feat, FinishedPlay, News, Play, StreakFate, StreakGoal
from bot.games import words as games_words
from bot.games.model import Unfinished
from bot.games.words import BAD, GOOD, taken, to_copy
from bot.streaks.model import Streak, StreakChange
from bot.text import counts
from bot.text.language import (
    N_,
    _,
    medium_date,
    month_and_year,
    ngettext,
    number,
    say,
    short_date,
    weekday,
)
from bot.text.markup import (
    clip,
    code,
    heading,
    mention,
    player_name,
    relative_time,
    small,
    visible,
)
from bot.text.tiles import Palette, Tiles, plain_row, row
from engine import Mark, Outcome, is_same_symbols
from engine.focdle import DEFAULT_GUESSES
from engine.levels import Level

#: On the end of a daily that a server's boards do not count.
CLOSED_HERE: Final = N_("You played it too late to count on this server's boards.")


def guidance(play: Play, example: str) -> str:
    """Advice on each of the first four guesses of a warm-up; then empty."""
    turns = play.game.turns
    if not turns:
        return _("Press *Guess* and type any true equation, say {example}.").format(
            example=code(example)
        )
    sentences = {
        Mark.CORRECT: _("Green is in place: put it there again."),
        Mark.PRESENT: _("Yellow belongs elsewhere: move it."),
        Mark.ABSENT: _("Grey is out: avoid it."),
    }
    seen = [mark for mark in sentences if mark in turns[-1].feedback]
    if len(turns) > len(sentences):
        return ""
    return sentences[seen[(len(turns) - 1) % len(seen)]]


def grace_line(play: Play) -> str:
    """A line about yesterday's daily while it still counts; else empty."""
    if play.grace_ends_at is None:
        return ""
    words = _("Yesterday's puzzle. It stops counting {when}.")
    return small(words.format(when=relative_time(play.grace_ends_at)))


def summary(streak: Streak) -> str:
    """The line about a streak and its freezes; empty for a streak of no dates."""
    if not streak.length:
        return ""
    parts = [_("🔥 Streak: **{days}**").format(days=counts.days(streak.length))]
    if streak.assisted:
        parts.append(counts.without_hints(streak.length - streak.assisted))
    if streak.freezes:
        parts.append(f"❄️ {counts.freezes(streak.freezes)}")
    return " · ".join(parts)


def news_line(news: News) -> str:
    days = counts.of_days(news.length)
    sentences = {
        StreakFate.ENDED: _("Your streak of {days} ended on {day}."),
        StreakFate.SAVED: ngettext(
            "A freeze kept your streak alive.",
            "{freezes} freezes kept your streak alive.",
            news.freezes,
        ),
        StreakFate.SAFE: _("A freeze keeps your streak of {days}."),
        StreakFate.AT_RISK: _(
            "Your streak of {days} ends today, unless you solve a puzzle of another length."
        ),
    }
    return sentences[news.fate].format(
        days=days, day=short_date(news.day), freezes=number(news.freezes)
    )


def goal_line(goal: StreakGoal) -> str:
    words = {
        Aim.FREEZE: ngettext(
            "1 more day without hints earns a freeze",
            "{days} more days without hints earn a freeze",
            goal.days,
        ),
        Aim.MILESTONE: ngettext(
            "1 more day to a streak of {length}",
            "{days} more days to a streak of {length}",
            goal.days,
        ),
    }
    return words[goal.aim].format(days=number(goal.days), length=number(goal.length))


def change_line(change: StreakChange) -> str:
    return _(_REASONS[change.reason]).format(
        day=short_date(change.day),
        before=change.before,
        after=change.after,
    )


_REASONS: Final = {
    DateEffect.SOLVED: N_("{day}: solved, {before} → {after}"),
    DateEffect.SOLVED_EARNED: N_("{day}: solved, {before} → {after}, and a freeze earned"),
    DateEffect.FROZEN_UNPLAYED: N_("{day}: not played, but a freeze kept the streak at {after}"),
    DateEffect.FROZEN_UNFINISHED: N_(
        "{day}: not finished, but a freeze kept the streak at {after}"
    ),
    DateEffect.FROZEN_LOST: N_("{day}: not solved, but a freeze kept the streak at {after}"),
    DateEffect.ENDED_UNPLAYED: N_("{day}: not played, so the streak of {before} ended"),
    DateEffect.ENDED_UNFINISHED: N_("{day}: not finished, so the streak of {before} ended"),
    DateEffect.ENDED_LOST: N_("{day}: not solved, so the streak of {before} ended"),
    DateEffect.SOLVED_ASSISTED: N_("{day}: solved with hints, {before} → {after}"),
    DateEffect.EXCUSED_OUTAGE: N_("{day}: skipped, as the bot was down"),
    DateEffect.EXCUSED_ZONE: N_("{day}: skipped, as the time zone changed"),
}


_MOST_MISSING: Final = 2
"""The most symbols out of place for a guess to be called close."""
_NAMES_THE_STREAK: Final = frozenset({StreakFate.SAFE, StreakFate.AT_RISK})
"""News whose sentence names the streak's length; no other line repeats it."""


def ended(play: Play, *, drawn: bool = False) -> str:
    """The text below a finished play; `drawn` says that a picture already shows the streak."""
    lines = _solved(play) if play.game.outcome is Outcome.SOLVED else _lost(play)
    below = filter(None, _footnotes(play, drawn=drawn))
    return "\n".join(filter(None, (*lines, *map(small, below))))


def _solved(play: Play) -> Iterator[str]:
    first, *others = play.ending.feats or (None,)
    made, most = len(play.game.turns), play.rules.max_guesses
    praise = games_words.praise(made + len(play.hints), is_last=made == most)
    yield heading(praise if first is None else _headline(first, play))
    result = ngettext("Solved on the first guess", "Solved in {turns} of {guesses}", made)
    parts = [result.format(turns=made, guesses=most)]
    if play.points:
        parts.append(counts.points(play.points))
    if play.level is not None and not play.is_practice:  # whose board says so above
        parts.append(level_name(play.level))
    yield " · ".join(parts)
    if others:
        yield _sentence(others[0], play)


def odds(play: Play) -> str:
    words = _("What are the odds?")
    if play.puzzle is None:  # a person has set it, or it was drawn from few
        return words
    return f"{words} {_('1 in {secrets}.').format(secrets=number(play.rules.size))}"


def _headline(feat: Feat, play: Play) -> str:
    headlines = {
        Feat.AT_ONCE: odds(play),
        Feat.FIRST: _("Your first daily win!") if play.on_date else _("Your first win!"),
        Feat.MILESTONE: {
            7: _("Seven days in a row!"),
            30: _("A month on fire!"),
            100: _("A hundred days in a row!"),
        }.get(play.ending.days, ""),
        Feat.FIRST_HARD: _("Your first in hard mode!"),
    }
    return headlines[feat]


def _sentence(feat: Feat, play: Play) -> str:
    sentences = {
        Feat.FIRST: _("And your first daily win.") if play.on_date else _("And your first win."),
        Feat.MILESTONE: _("And {days} in a row.").format(days=counts.days(play.ending.days)),
        Feat.FIRST_HARD: _("And your first in hard mode."),
    }
    return sentences.get(feat, "")


def _lost(play: Play) -> Iterator[str]:
    if play.game.is_given_up:
        yield heading(_("Time's up") if play.is_set else _("No harm done"))
        yield _equation(play)
        return
    turns, length = play.game.turns, play.rules.length
    most = max(turn.feedback.count(Mark.CORRECT) for turn in turns)
    had = _("You had {places} of {length} in place.").format(places=most, length=length)
    is_alike = any(is_same_symbols(turn.feedback) for turn in turns)
    is_close = is_alike or most >= length - _MOST_MISSING
    yield heading(_("So close!") if is_close else _("Not this time"))
    if is_alike:
        had = _("Right symbols, wrong order.")
    elif not most:
        had = _("This one hid well.")
    yield f"{had} {_equation(play)}"


def _equation(play: Play) -> str:
    secret = code(play.game.secret)
    if play.level is None or play.is_practice:
        return _("{secret} was the equation.").format(secret=secret)
    words = _("{secret} was the equation, {level}.")
    return words.format(secret=secret, level=level_name(play.level))


_LEVELS: Final = {
    #: How hard an equation is, beside other facts about its puzzle.
    Level.EASY: N_("an easy one"),
    Level.MEDIUM: N_("a medium one"),
    Level.HARD: N_("a hard one"),
    Level.VERY_HARD: N_("a very hard one"),
}


def level_name(level: Level) -> str:
    return _(_LEVELS[level])


def _footnotes(play: Play, *, drawn: bool) -> Iterator[str]:
    """Lines in small print about a daily that is over: streak, leaderboards, next puzzle."""
    if play.puzzle is None:
        return
    if not play.counts:
        yield _("You began it soon after deleting your data, so it doesn't count.")
    elif not play.on_date:
        yield _("You played late, so it doesn't count.")
    news, goal = play.ending.news, play.ending.goal
    names_it = news is not None and news.fate in _NAMES_THE_STREAK
    if play.on_date and play.ending.streak and not (drawn or names_it):
        yield summary(play.ending.streak)
    if news is not None:
        yield news_line(news)
    elif goal is not None and Feat.FIRST not in play.ending.feats:
        yield goal_line(goal)
    if play.ending.closed_in:
        yield _closed(play)
    yield _("Next puzzle {when}").format(when=relative_time(play.next_puzzle_at))


def _closed(play: Play) -> str:
    is_here = play.guild_id in play.ending.closed_in
    line = (
        say(CLOSED_HERE)
        if is_here
        else _("You played it too late to count on another server's boards.")
    )
    return f"{line} {_('Your points and streak still count.')}" if play.points else line


class Offer(Enum):
    """An action that *More* offers below a finished play."""

    PRACTICE = auto()
    OTHER_LENGTH = auto()
    LEADERS = auto()
    """The day's leaderboard."""
    REMINDER = auto()
    VERIFY = auto()
    """The sealed text, by which anybody can check the seal."""


class Next(Enum):
    """The game that a finished board offers next."""

    TODAY = auto()
    TRY = auto()
    """After a loss: a practice of the length that the player has solved most often."""
    ANOTHER = auto()


def following(play: Play) -> Next | None:
    """The game that a finished board offers without *More*; None if it offers none."""
    if play.ending.is_today_left:
        return Next.TODAY
    if play.game.outcome is Outcome.LOST:
        return Next.TRY
    return Next.ANOTHER if play.is_practice or play.is_set else None


def offers(play: Play) -> list[Offer]:
    """The actions that *More* offers, in order; four at most."""
    is_practice_there = following(play) in {Next.ANOTHER, Next.TRY}
    is_todays = play.on_date and play.is_today and play.guild_id is not None
    open_to = {
        Offer.PRACTICE: not is_practice_there,
        Offer.OTHER_LENGTH: play.is_practice,
        Offer.LEADERS: is_todays,
        Offer.REMINDER: play.puzzle is not None and play.ending.is_remindable,
        Offer.VERIFY: play.commitment is not None,
    }
    return [offer for offer, is_open in open_to.items() if is_open]


# Entries in lists.


def focdle_name(number: int | None, setter: str | None) -> str:
    """Name a FoCdle in a list; `number` is None for a practice and for a set equation."""
    if setter is not None:
        return _set_by(setter, is_markup=True)
    if number is None:
        return _("FoCdle practice")
    return _("FoCdle #{number}, {day}").format(number=number, day=medium_date(day_of(number)))


def listed(game: Unfinished, _player_id: int) -> str:
    """Write an unfinished FoCdle's entry in a list."""
    details = f"{counts.symbols(game.length)} · {game.turns}/{DEFAULT_GUESSES}"
    return f"**{focdle_name(game.number, game.setter)}**\n{small(details)}"


def finished_line(game: FinishedPlay, _player_id: int) -> str:
    """Write a finished FoCdle's entry in a list, without its secret."""
    details = [counts.symbols(game.rules.length)]
    if game.number is not None and not game.on_date:
        details.append(_("archive"))
    if game.rules.hard:
        details.append(_("hard mode"))
    if game.hints:
        details.append(counts.hints(game.hints))
    sign, name = GOOD if game.is_solved else BAD, focdle_name(game.number, game.setter)
    return games_words.finished_line(sign, name, _play_result(game), game.finished_at, details)


def _play_result(game: FinishedPlay) -> str:
    if game.is_solved:
        return games_words.solved(game.guesses, game.rules.max_guesses)
    return _("given up") if game.guesses < game.rules.max_guesses else _("not solved")


def month_data(day: date, today: date, entries: Sequence[ArchiveEntry]) -> dict[str, object]:
    """A month's dailies as data for the page's calendar; `day` is one of the month."""
    first = day.replace(day=1)
    ends = {"earlier": first - timedelta(days=1), "later": first + timedelta(days=31)}
    there = {
        side: {"month": f"{end:%Y-%m}", "label": month_and_year(end)}
        for side, end in ends.items()
        if end >= FIRST_DAY and end.replace(day=1) <= today
    }
    return {
        "title": month_and_year(first),
        "weekdays": [weekday(n, short=True) for n in range(1, 8)],
        "states": {
            state: words.split(" ", 1)[-1]  # without its sign: the page has its own
            for state, words in _states().items()
            if state != "new" and any(each.state == state for each in entries)
        },
        "days": [
            {
                "puzzle": str(each.puzzle),
                "day": each.day.day,
                "weekday": each.day.isoweekday(),
                "state": each.state,
                "label": archive_choice(each),
            }
            for each in entries
        ],
        **there,
    }


def _states() -> dict[str, str]:
    return {
        "solved": _("✅ solved"),
        "lost": _("❌ not solved"),
        "open": _("… under way"),
        "new": _("new"),
    }


def archive_choice(entry: ArchiveEntry) -> str:
    """Describe a puzzle of the archive for Discord's autocompletion, which takes 100 characters."""
    line = _("#{number} · {day} · {symbols} · {state}").format(
        number=entry.puzzle.number,
        day=medium_date(entry.day),
        symbols=counts.symbols(entry.puzzle.length),
        state=_states()[entry.state],
    )
    return line if entry.level is None else f"{line} · {level_name(entry.level)}"


def puzzle_name(puzzle: int) -> str:
    return _("FoCdle #{number}").format(number=puzzle)


def _set_by(setter: str, *, is_markup: bool) -> str:
    shown = clip(visible(setter))
    if not shown:
        return _("A member's FoCdle")
    return _("{player}'s FoCdle").format(player=player_name(shown, 0) if is_markup else shown)


def name(play: Play, *, is_markup: bool = False) -> str:
    if play.is_set:
        return _set_by(play.setter or "", is_markup=is_markup)
    if play.title:
        return say(play.title)
    if play.puzzle is None:
        return _("FoCdle practice")
    return puzzle_name(play.puzzle.number)


_SHORTEST_STREAK: Final = 2


def shared(
    play: Play, guild_id: int | None = None, tiles: Tiles | None = None, *, drawn: bool = False
) -> list[str]:
    """The public result of a finished play in blocks: headline and figures, then marks.

    `drawn` says that a picture shows the marks; they are left out then.
    """
    lines = [_shared_headline(play)]
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
    if guild_id in play.ending.closed_in:
        below.append(small(say(CLOSED_HERE)))
    return list(filter(None, ["\n".join(lines), "\n".join(below)]))


def card_description(play: Play) -> str:
    return "\n".join(
        _("Guess {turn}: {correct} in place, {present} elsewhere").format(
            turn=turn,
            correct=guess.feedback.count(Mark.CORRECT),
            present=guess.feedback.count(Mark.PRESENT),
        )
        for turn, guess in enumerate(play.game.turns, 1)
    )


def copied(play: Play) -> str:
    return to_copy(plain(play))


def plain(play: Play) -> str:
    """A finished play as plain text, for a player to paste anywhere: result, figures and marks."""
    rows = [plain_row(turn.feedback, Palette(play.choices.palette)) for turn in play.game.turns]
    parts = [f"{name(play)} {_score(play)}", counts.hints(len(play.hints)) if play.hints else ""]
    return "\n".join([" · ".join(filter(None, (*parts, *_figures(play)))), *rows])


def _shared_headline(play: Play) -> str:
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
    parts = [counts.symbols(play.rules.length)] if play.puzzle is None else []
    if play.is_today and play.points and play.ending.streak is not None:
        length = play.ending.streak.length
        if length >= _SHORTEST_STREAK:
            parts.append(_("{n}-day streak").format(n=number(length)))
    return parts

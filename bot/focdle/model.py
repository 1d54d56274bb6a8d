"""Nouns of FoCdle: plays, their endings, news of streaks; reasons of refusal."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from enum import Enum
from itertools import takewhile
from typing import Any, Final, Self

from bot.clock import GRACE, PuzzleName, date_in, start_of
from bot.games.model import (
    MOST_HINTS,
    Commitment,
    Hint,
    commitment,
    history_of,
    points_for,
)
from bot.people.model import Choices
from bot.refused import Refused, TextRefusedError
from bot.streaks.model import (
    DAYS_FOR_A_FREEZE,
    ENDED,
    FROZEN,
    MOST_FREEZES,
    SOLVES,
    UNASSISTED,
    Streak,
    StreakChange,
)
from bot.text.language import N_
from engine import (
    Code,
    ContradictionError,
    FalseEquationError,
    Focdle,
    Game,
    Marks,
    Outcome,
    Shown,
    Turn,
    next_hint,
    replay,
)
from engine.focdle import SHORTEST
from engine.levels import Difficulty, Level

MILESTONES: Final = frozenset({7, 30, 100})
"""The lengths at which a streak is celebrated."""
SHORTEST_MOURNED: Final = 2
"""The shortest streak whose end is announced."""
NEAR: Final = 7
"""The most days to a goal for the player to be told of it."""

# A true equation of each length, as an example; up to 13, a fair first guess.
EXAMPLES: Final = {
    7: "5+1-2=4",
    8: "8-12+7=3",
    9: "24-9+3=18",
    10: "41-3+27=65",
    11: "48-36+17=29",
    12: "12+34+56=102",
    13: "98+66*37=2540",
    14: "32*69*26=57408",
    15: "97*84*62=505176",
}


class Feat(Enum):
    """What is remarkable about a solved play, the most remarkable first."""

    AT_ONCE = "at_once"
    """Solved on the first guess, without hints."""
    FIRST = "first"
    MILESTONE = "milestone"
    FIRST_HARD = "first_hard"


class Aim(Enum):
    MILESTONE = "milestone"
    FREEZE = "freeze"


@dataclass(frozen=True, slots=True)
class StreakGoal:
    """What a streak reaches if the next `days` dates are solved without hints.

    `length` is the streak's length then.
    """

    aim: Aim
    days: int
    length: int


class StreakFate(Enum):
    """A kind of news about a streak."""

    ENDED = "ended"
    SAVED = "saved"
    SAFE = "safe"
    """Today is lost at this length and not solved at any other; a freeze is held."""
    AT_RISK = "at_risk"
    """Today is lost at this length and not solved at any other; no freeze is held."""


@dataclass(frozen=True, slots=True)
class News:
    """News of a player's streak, shown under a play.

    Attributes:
        length: the streak's length; for an ended streak, its length before the end.
        day: the date of the play; for an ended or saved streak, the date on which that happened.
        freezes: how many freezes saved the streak; 0 for all other news.
    """

    fate: StreakFate
    length: int
    day: date
    freezes: int = 0


@dataclass(frozen=True, slots=True)
class PlayEnding:
    """Facts about a finished play, as told at its end.

    Attributes:
        feats: most remarkable first; empty for a lost game.
        days: the streak's length on the play's date; 0 if the date did not lengthen it.
        goal: the nearest goal after a solve on date; None if none is near, or if the streak has
            changed since.
        try_length: the length to try next; None for a solved play.
        is_today_left: whether the play is not of today, and today's daily is not finished yet.
        closed_in: the player's servers that do not count the play, because its date had ended
            there.
        is_remindable: whether the date is today, and the player has a streak but no reminders.
        shares_to: the channel in which the bot shares the play by itself, as the player chose; set
            only by the guess that ends the play.
    """

    feats: tuple[Feat, ...] = ()
    days: int = 0
    news: News | None = None
    goal: StreakGoal | None = None
    try_length: int | None = None
    streak: Streak | None = None
    is_today_left: bool = False
    closed_in: tuple[int, ...] = ()
    is_remindable: bool = False
    shares_to: int | None = None


NOTHING_TO_TELL: Final = PlayEnding()


def change_of(streak: Streak, day: date) -> StreakChange | None:
    return next((change for change in reversed(streak.changes) if change.day == day), None)


def news_of(streak: Streak, day: date, *, is_solved: bool, is_today: bool) -> News | None:
    """The news of a streak for a date on which a puzzle was played; None without any."""
    change = change_of(streak, day)
    if change is None:
        if is_solved or not is_today or not streak.length:
            return None
        # Lost at one length: another can still be solved.
        return News(StreakFate.SAFE if streak.freezes else StreakFate.AT_RISK, streak.length, day)
    if change.reason in ENDED | FROZEN:
        return _missed_news([change])
    earlier = [c for c in streak.changes if c.day < day]
    return _missed_news(list(takewhile(lambda c: c.reason not in SOLVES, reversed(earlier))))


def goal_of(streak: Streak, day: date) -> StreakGoal | None:
    """The nearest goal of a streak; None if none is near, or its last change was not on `day`."""
    if not streak.length or streak.changes[-1].day != day:
        return None
    goals = [
        StreakGoal(Aim.MILESTONE, days, streak.length + days)
        for days in range(1, NEAR + 1)
        if streak.length + days in MILESTONES
    ]
    if streak.freezes < MOST_FREEZES:
        run = takewhile(lambda change: change.reason not in ENDED, reversed(streak.changes))
        unassisted = sum(change.reason in UNASSISTED for change in run)
        days = DAYS_FOR_A_FREEZE - unassisted % DAYS_FOR_A_FREEZE
        goals.insert(0, StreakGoal(Aim.FREEZE, days, streak.length + days))
    return min(goals, key=lambda goal: goal.days, default=None)


def _missed_news(changes: Sequence[StreakChange]) -> News | None:
    """The news of changes on missed dates, latest first; None if nothing is worth telling."""
    ends = [c for c in changes if c.reason in ENDED]
    if ends:
        end = ends[0]
        return (
            News(StreakFate.ENDED, end.before, end.day) if end.before >= SHORTEST_MOURNED else None
        )
    spent = [c for c in changes if c.reason in FROZEN]
    return News(StreakFate.SAVED, spent[0].after, spent[0].day, len(spent)) if spent else None


def level_of(length: int, hundredths: int | None) -> Level | None:
    return None if hundredths is None else Difficulty(length, hundredths).level


@dataclass(frozen=True, slots=True)
class Play:
    """One player's play of one puzzle: the stored fields and the replayed game.

    Attributes:
        guild_id: the server it was opened in; None for direct messages, or where the bot is no
            member.
        zone: the IANA zone in which it was opened.
        on_date: whether it was opened on its date, and finished by half an hour after that.
        counts: false if it was begun within seven days after its player had deleted their data.
        seen_at: the instant for which this view holds.
        is_learning: whether the board explains itself, as its player has finished few plays.
        is_new: whether its player has finished no play.
        closes_at: when the equation closes, if a player has set it; None for other puzzles.
        setter: the name of that player in the equation's server; None if it is not to be told.
        title: the name of a game of another kind, such as a race, that this is a board of.
        difficulty: that of the puzzle, in hundredths of a guess; None if not known.
    """

    id: int
    player_id: int
    puzzle: PuzzleName | None
    rules: Focdle
    game: Game[Marks]
    salt: str | None = field(repr=False)  # never logged
    guild_id: int | None
    zone: str
    opened_at: datetime
    finished_at: datetime | None
    on_date: bool
    seen_at: datetime
    counts: bool = True
    is_learning: bool = False
    is_new: bool = False
    dismissed_at: datetime | None = None
    hints: tuple[Hint, ...] = ()
    choices: Choices = field(default_factory=Choices)
    ending: PlayEnding = NOTHING_TO_TELL
    puzzle_id: int = 0
    closes_at: datetime | None = None
    setter: str | None = None
    title: str = ""
    difficulty: int | None = field(default=None, repr=False)

    @classmethod
    def stored(
        cls,
        *,
        number: int | None,
        length: int,
        rules: str,
        secret: str,
        guesses: Sequence[str],
        hard: bool,
        choices: Choices,
        **rest: Any,
    ) -> Self:
        """Replay a stored play, whose rules and codes are in notation.

        Until the first guess, hard mode follows `choices`, not `hard`. A play that has ended
        without an outcome was given up. `rest` are other fields.
        """
        played_by = replace(Focdle.decode(rules), hard=hard if guesses else choices.hard_mode)
        game = replay(played_by, secret, guesses)
        if rest["finished_at"] is not None and game.outcome is None:
            game = game.give_up()
        return cls(
            puzzle=None if number is None else PuzzleName(number, length),
            rules=played_by,
            game=game,
            choices=choices,
            **rest,
        )

    @property
    def level(self) -> Level | None:
        """The level, if the player may know it: in a practice, or at the end; else None."""
        is_told = self.is_practice or self.game.outcome is not None
        return level_of(self.rules.length, self.difficulty) if is_told else None

    def next_level(self, length: int) -> Level | None:
        """The level of the next practice, which has this length; None for any level.

        It is this practice's level if the lengths are the same.
        """
        return self.level if self.is_practice and length == self.rules.length else None

    @property
    def is_set(self) -> bool:
        """True if a player has set the equation for others."""
        return self.closes_at is not None

    @property
    def is_practice(self) -> bool:
        return self.puzzle is None and not self.is_set and not self.title

    @property
    def is_warm_up(self) -> bool:
        """True for a practice of the shortest length by a player who has finished no play."""
        return self.is_new and self.is_practice and self.rules.length == SHORTEST

    def at(self, now: datetime) -> Self:
        """The play as it stands at an instant; a play of a closed set equation is over."""
        game = self.game
        if self.closes_at is not None and self.closes_at <= now and game.outcome is None:
            return replace(self, seen_at=now, game=game.give_up(), finished_at=self.closes_at)
        return replace(self, seen_at=now)

    @property
    def is_today(self) -> bool:
        """True if the play's date is today, at `seen_at` in its zone; never for a practice."""
        return self.puzzle is not None and self.puzzle.day == date_in(self.zone, self.seen_at)

    @property
    def next_puzzle_at(self) -> datetime:
        """The start of tomorrow in the zone in which the play was opened."""
        return start_of(date_in(self.zone, self.seen_at) + timedelta(days=1), self.zone)

    def is_on_date(self, now: datetime) -> bool:
        """True if the play was opened on its date, and `now` is within half an hour after that.

        A play that does not count is never on its date.
        """
        if self.puzzle is None or not self.counts:
            return False
        midnight = start_of(self.puzzle.day + timedelta(days=1), self.zone)
        was_opened_in_time = start_of(self.puzzle.day, self.zone) <= self.opened_at < midnight
        return was_opened_in_time and now < midnight + GRACE

    @property
    def grace_ends_at(self) -> datetime | None:
        """Until when yesterday's unfinished daily still counts; None for any other play."""
        is_grace = not self.is_today and self.is_on_date(self.seen_at)
        if self.puzzle is None or self.game.outcome is not None or not is_grace:
            return None
        return start_of(self.puzzle.day + timedelta(days=1), self.zone) + GRACE

    @property
    def due_at(self) -> datetime | None:
        """When the play closes, or its day or the grace after that ends; None once that is past."""
        if self.is_set:
            return None if self.game.outcome else self.closes_at
        return self.next_puzzle_at if self.is_today else self.grace_ends_at

    @property
    def version(self) -> int:
        """A number that grows with each guess and hint, and at the end."""
        return len(self.game.turns) + len(self.hints) + (self.game.outcome is not None)

    @property
    def commitment(self) -> Commitment | None:
        game = f"practice {self.id}" if self.puzzle is None else f"focdle {self.puzzle}"
        if self.is_set:
            game = f"equation {self.puzzle_id}"
        is_over = self.game.outcome is not None
        return commitment(game, self.game.secret, self.salt, is_open=is_over)

    @property
    def points(self) -> int:
        """Seven minus guesses and hints, down to none; 0 unless solved on date."""
        solved = self.on_date and self.game.outcome is Outcome.SOLVED
        return self._points(len(self.game.turns), solved=solved)

    @property
    def history(self) -> tuple[Turn[Marks] | Shown, ...]:
        """What the player has been shown: turns, and symbols of hints, in order."""
        return history_of(self.game.turns, self.hints)

    @property
    def next_hint(self) -> Shown | None:
        """The symbol that the next hint would show; None if no hint may be taken now."""
        is_own = not self.is_set and not self.title
        is_on = is_own and self.game.outcome is None and self.game.turns
        if not is_on or self.rules.hard or len(self.hints) >= MOST_HINTS:
            return None
        return next_hint(self.rules, self.game.secret, self.history)

    @property
    def is_hint_priced(self) -> bool:
        return (
            self.is_on_date(self.seen_at)
            and self._points(len(self.game.turns) + 1, solved=True) > 0
        )

    def _points(self, guesses: int, *, solved: bool) -> int:
        return points_for(solved=solved, guesses=guesses, hints=len(self.hints))


class UnreadablePuzzleError(Refused):
    text: str
    sentence = N_("{text} isn't a puzzle. Type a number (`12`, `#12/9`) or a date (`2026-01-12`).")


class NoSuchPuzzleError(Refused):
    first_day: date
    today: int
    sentence = N_("Puzzles begin with number 1 on {first_day}. Today's is {today}.")


class WhichPuzzleError(Refused):
    """The text can mean either a date, or a number and a length."""

    of_date: PuzzleName
    of_number: PuzzleName

    #: Above a date's puzzle and a number's, where a text could mean both.
    sentence = N_("Which one?")


class FuturePuzzleError(Refused):
    number: int
    day: date
    opens_at: datetime
    today: int
    sentence = N_("Puzzle {number} opens {opens_at}, on {day}. Today's is {today}.")


class NoSuchPlayError(Refused):
    sentence = N_("That game is gone. Open today's puzzle instead.")


class NotYourPlayError(Refused):
    sentence = N_("That board is somebody else's. Open your own!")


class GuessRefusedError(TextRefusedError):
    play: Play

    @property
    def probe(self) -> Code | None:
        """The guess, if it was refused only as a warning that its player asked for; else None."""
        cause = self.cause
        is_asked = isinstance(cause, FalseEquationError | ContradictionError)
        return cause.guess if is_asked and not self.play.rules.hard else None


@dataclass(frozen=True, slots=True)
class FinishedPlay:
    """A finished FoCdle.

    Attributes:
        number: the daily's number; None for a practice and for a set equation.
        on_date: whether it was a daily finished on its date.
        setter: who set its equation, empty if that is not to be told; None of any other play.
    """

    id: int
    finished_at: datetime
    number: int | None
    rules: Focdle
    is_solved: bool
    on_date: bool
    guesses: int
    hints: int
    setter: str | None = None

    @property
    def kind(self) -> str:
        return "focdle"

    @classmethod
    def stored(cls, *, rules: str, hard: bool, **rest: Any) -> Self:
        return cls(rules=replace(Focdle.decode(rules), hard=hard), **rest)

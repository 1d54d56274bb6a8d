"""The nouns of FoCdle: plays, how they end, what is refused."""

from collections.abc import Mapping, Sequence
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
    least_points,
    points_for,
)
from bot.people.model import Choices
from bot.refused import Refused, TextRefusedError
from bot.stored import Reason
from bot.streaks.game import DAYS_FOR_A_FREEZE, MOST_FREEZES
from bot.streaks.model import ENDED, FROZEN, GROWN, SOLVES, UNASSISTED, Change, Streak
from bot.text.language import N_
from engine import Focdle, Game, Marks, Outcome, Shown, Turn, next_hint, replay

WORTH_A_RECORD: Final = 3
"""How long a streak must have been for a longer one to be a record."""
WORTH_MOURNING: Final = 2
"""How long a streak must have been for its end to be told."""
NEAR: Final = 7
"""How many days away a goal is at most."""
_FIRST_MILESTONES: Final = (7, 30)
_HUNDRED: Final = 100


class Feat(Enum):
    """Something remarkable about a puzzle that was solved."""

    LUCK = "luck"
    """Solved with the first guess, without hints."""
    FIRST = "first"
    """The player's first."""
    MILESTONE = "milestone"
    """The streak came to 7, 30 or hundreds of days."""
    FIRST_HARD = "first_hard"
    """The player's first in hard mode."""
    RECORD = "record"
    """The streak became longer than any before it."""
    BEST = "best"
    """Fewer guesses than any daily of the length had taken the player."""
    FAR_BELOW_PAR = "far_below_par"
    """By a guess or more."""
    FIRST_HERE = "first_here"
    """Nobody in the server had solved it before."""
    FREEZE = "freeze"
    """It earned a freeze."""
    BELOW_PAR = "below_par"
    LAST_GUESS = "last_guess"


class Aim(Enum):
    """What a streak may come to next."""

    RECORD = "record"
    MILESTONE = "milestone"
    FREEZE = "freeze"


@dataclass(frozen=True, slots=True)
class Goal:
    """What the streak comes to, if the next dates are solved as well.

    Attributes:
        aim: what it is.
        days: how many more dates that takes.
        length: of the streak then.
    """

    aim: Aim
    days: int
    length: int


class Fate(Enum):
    """What became of a streak up to a date, and what its player must know now."""

    ENDED = "ended"
    SAVED = "saved"
    """Freezes were spent."""
    RESTORED = "restored"
    """A manager of a server undid its end."""
    KEPT = "kept"
    """Solved with hints: not lengthened."""
    BEGUN = "begun"
    """Solved with hints: one of one date."""
    SAFE = "safe"
    """The date is not solved, and a freeze is held."""
    AT_RISK = "at_risk"
    """The date is not solved, and no freeze is held."""
    NONE = "none"
    """The date is not solved, and no streak is held."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """A date whose weekday stands out in a server.

    Attributes:
        day: the date.
        share: which part of those who finished a puzzle on that weekday have solved it.
        is_hardest: whether no other weekday's part is as small; else none is as large.
    """

    day: date
    share: float
    is_hardest: bool


@dataclass(frozen=True, slots=True)
class News:
    """What a player must know of their streak, under a play.

    Attributes:
        fate: what became of it.
        length: of the streak; of one that has ended, before that.
        day: when it ended; else the date of the play.
        freezes: how many were spent.
    """

    fate: Fate
    length: int
    day: date
    freezes: int = 0


@dataclass(frozen=True, slots=True)
class Beaten:
    """Who is ranked behind a player on the leaderboard of a date.

    Attributes:
        names: by id, what the nearest of them are called there; to be escaped.
        total: how many they are.
    """

    names: Mapping[int, str]
    total: int


@dataclass(frozen=True, slots=True)
class Ending:
    """What came of a play that is over, and what there is to tell about it.

    Attributes:
        feats: the most remarkable first; none of a game that was lost.
        days: how long the streak was on its date; 0 where that did not lengthen it.
        below_par: by how many guesses it was below par; None if it was not, or had hints.
        beaten: whom it beat today where it was opened; None if nobody.
        news: what the player must know of the streak, if anything.
        goal: what is near; None if nothing is, or the streak has gone on since.
        outlook: what the server's results say of tomorrow; None if it does not stand out.
        try_length: of a game that was lost, the length at which to try one more; else None.
        par: how many guesses the solver takes on average, of a daily for which that is known.
        streak: the player's streak after a daily.
        is_today_left: whether the day's puzzle, being another one, is still to be finished where
            this was opened.
        closed_in: servers of the player's whose boards do not count it though it was finished
            on its date: the date had ended there before.
        is_remindable: whether its date is today, and its player has a streak and no reminders.
        shares_to: the channel where it goes into the running message by itself, as its player has
            chosen; told only by the guess that ends it.
    """

    feats: tuple[Feat, ...] = ()
    days: int = 0
    below_par: float | None = None
    beaten: Beaten | None = None
    news: News | None = None
    goal: Goal | None = None
    outlook: Outlook | None = None
    try_length: int | None = None
    par: float | None = None
    streak: Streak | None = None
    is_today_left: bool = False
    closed_in: tuple[int, ...] = ()
    is_remindable: bool = False
    shares_to: int | None = None


NOTHING_TO_TELL: Final = Ending()


def change_of(streak: Streak, day: date) -> Change | None:
    """What a date did to a streak."""
    return next((change for change in reversed(streak.changes) if change.day == day), None)


def streak_feats(streak: Streak, day: date) -> set[Feat]:
    """What a streak makes of a date that was solved."""
    change = change_of(streak, day)
    if change is None or change.reason not in GROWN:
        return set()
    longest = _longest_before(streak.changes, day)
    feats = {
        Feat.MILESTONE: is_milestone(change.after),
        Feat.RECORD: longest >= WORTH_A_RECORD and change.after == longest + 1,
        Feat.FREEZE: change.reason is Reason.SOLVED_EARNED,
    }
    return {feat for feat, is_so in feats.items() if is_so}


def is_milestone(length: int) -> bool:
    """Whether a streak of this length is one to celebrate: 7, 30, and hundreds."""
    return length in _FIRST_MILESTONES or (length > 0 and length % _HUNDRED == 0)


def news_of(streak: Streak, day: date, *, is_solved: bool, is_today: bool) -> News | None:
    """What became of a streak up to a date on which a puzzle was played.

    Args:
        streak: the streak.
        day: the date.
        is_solved: whether the puzzle was solved.
        is_today: whether the date is today.
    """
    change = change_of(streak, day)
    if change is None:
        return _of_a_date_to_come(streak, day) if is_today and not is_solved else None
    if change.reason in ENDED | FROZEN:
        return _loss_of([change])
    earlier = [c for c in streak.changes if c.day < day]
    gap = takewhile(lambda c: c.reason not in SOLVES | {Reason.KEPT_ASSISTED}, reversed(earlier))
    if lost := _loss_of(list(gap)):
        return lost
    fates = {Reason.KEPT_ASSISTED: Fate.KEPT, Reason.BEGUN_ASSISTED: Fate.BEGUN}
    fate = fates.get(change.reason)
    return None if fate is None else News(fate, change.after, day)


def goal_of(streak: Streak, day: date) -> Goal | None:
    """What is nearest for a streak that a date was the last to change; None if nothing is near."""
    if not streak.length or streak.changes[-1].day != day:
        return None
    run = _run(streak.changes)
    goals: list[Goal] = []
    longest = _longest_before(streak.changes, run[0].day)
    if longest >= max(WORTH_A_RECORD, streak.length):
        goals.append(_goal(Aim.RECORD, streak, longest + 1 - streak.length))
    if streak.freezes < MOST_FREEZES:
        unassisted = sum(change.reason in UNASSISTED for change in run)
        goals.append(_goal(Aim.FREEZE, streak, DAYS_FOR_A_FREEZE - unassisted % DAYS_FOR_A_FREEZE))
    ahead = range(1, NEAR + 1)
    if to_come := [n for n in ahead if is_milestone(streak.length + n)]:
        goals.append(_goal(Aim.MILESTONE, streak, to_come[0]))
    near = [goal for goal in goals if goal.days <= NEAR]
    return min(near, key=lambda goal: goal.days, default=None)


def _goal(aim: Aim, streak: Streak, days: int) -> Goal:
    return Goal(aim, days, streak.length + days)


def _of_a_date_to_come(streak: Streak, day: date) -> News:
    """What awaits a streak whose last chance of a date was lost, while the date is not over."""
    if not streak.length:
        return News(Fate.NONE, 0, day)
    return News(Fate.SAFE if streak.freezes else Fate.AT_RISK, streak.length, day)


def _loss_of(changes: Sequence[Change]) -> News | None:
    """What dates that were missed, the last first, have come to, if that is worth telling."""
    ends = [c for c in changes if c.reason in ENDED]
    if ends:
        (end,) = ends[:1]
        return News(Fate.ENDED, end.before, end.day) if end.before >= WORTH_MOURNING else None
    if restored := [c for c in changes if c.reason is Reason.RESTORED]:
        return News(Fate.RESTORED, restored[0].after, restored[0].day)
    spent = [c for c in changes if c.reason in FROZEN]
    return News(Fate.SAVED, spent[0].after, spent[0].day, len(spent)) if spent else None


def _run(changes: Sequence[Change]) -> list[Change]:
    """The changes of the streak that is held, the first first."""
    return list(takewhile(lambda change: change.reason not in ENDED, reversed(changes)))[::-1]


def _longest_before(changes: Sequence[Change], day: date) -> int:
    """The length of the longest streak that had ended before a date."""
    return max((c.before for c in changes if c.day < day and c.reason in ENDED), default=0)


@dataclass(frozen=True, slots=True)
class Play:
    """One player's play of one puzzle as it stands: what is stored of it, and the game.

    Attributes:
        id: what buttons call it by.
        player_id: whose it is.
        puzzle: which daily it is; None for a practice.
        rules: its rules; hard mode is one of them.
        game: the guesses so far, and the secret.
        salt: of the commitment to the secret; None where there is none.
        guild_id: the Discord server it was opened in; None where the bot is no member of one.
        zone: the IANA zone there, then.
        opened_at: when its player opened it.
        finished_at: when it ended; None while it goes on.
        on_date: whether it was finished while its date was today.
        seen_at: as of when it stands so.
        is_learning: whether its player has finished so few that the board explains itself.
        is_new: whether its player has finished none.
        dismissed_at: when its player took it off their list of what is unfinished, if they did.
        hints: what its player was told, in order.
        choices: of its player: the tiles, and before which guesses to be asked.
        ending: what came of it, once it is over.
    """

    id: int
    player_id: int
    puzzle: PuzzleName | None
    rules: Focdle
    game: Game[Marks]
    salt: str | None = field(repr=False)  # no log may have it
    guild_id: int | None
    zone: str
    opened_at: datetime
    finished_at: datetime | None
    on_date: bool
    seen_at: datetime
    is_learning: bool = False
    is_new: bool = False
    dismissed_at: datetime | None = None
    hints: tuple[Hint, ...] = ()
    choices: Choices = field(default_factory=Choices)
    ending: Ending = NOTHING_TO_TELL

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
        """The play of a row, whose rules and codes are in notation; the rest is as it is here.

        Until its first guess, hard mode is as its player chooses.
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
    def is_today(self) -> bool:
        """Whether its date is today, where it was opened."""
        return self.puzzle is not None and self.puzzle.day == date_in(self.zone, self.seen_at)

    @property
    def next_puzzle_at(self) -> datetime:
        """When the next date begins there."""
        return start_of(date_in(self.zone, self.seen_at) + timedelta(days=1), self.zone)

    def is_on_date(self, now: datetime) -> bool:
        """Whether it ends while its date is today where it was opened, or soon enough after."""
        if self.puzzle is None:
            return False
        midnight = start_of(self.puzzle.day + timedelta(days=1), self.zone)
        was_opened_in_time = start_of(self.puzzle.day, self.zone) <= self.opened_at < midnight
        return was_opened_in_time and now < midnight + GRACE

    @property
    def commitment(self) -> Commitment | None:
        """What its board shows for the secret; the same for everybody who plays the puzzle."""
        game = f"practice {self.id}" if self.puzzle is None else f"focdle {self.puzzle}"
        is_over = self.game.outcome is not None
        return commitment(game, self.game.secret, self.salt, is_open=is_over)

    @property
    def points(self) -> int:
        """Seven less guesses and hints, if it was solved on its date; else none."""
        solved = self.on_date and self.game.outcome is Outcome.SOLVED
        return self._points(len(self.game.turns), solved=solved)

    @property
    def history(self) -> tuple[Turn[Marks] | Shown, ...]:
        """All that its player knows: the turns, and what hints have shown."""
        return history_of(self.game.turns, self.hints)

    @property
    def next_hint(self) -> Shown | None:
        """What a hint would show now; None where there is none to be had."""
        is_on = self.game.outcome is None and self.game.turns
        if not is_on or self.rules.hard or len(self.hints) >= MOST_HINTS:
            return None
        return next_hint(self.rules, self.game.secret, self.history)

    @property
    def is_hint_priced(self) -> bool:
        """Whether a hint would cost a point, were the next guess right."""
        return (
            self.is_on_date(self.seen_at)
            and self._points(len(self.game.turns) + 1, solved=True) > 0
        )

    def _points(self, guesses: int, *, solved: bool) -> int:
        least = least_points(self.hints)
        return points_for(solved=solved, guesses=guesses, hints=len(self.hints), least=least)


class UnreadablePuzzleError(Refused):
    """A text that names no puzzle: neither a number nor a date."""

    text: str

    sentence = N_("{text} names no puzzle. Type a number (`12`, `#12/9`) or a date (`2026-01-12`).")


class NoSuchPuzzleError(Refused):
    """A number or date before the first puzzle."""

    first_day: date
    today: int
    """The number of today's."""

    sentence = N_("Puzzles begin with number 1 on {first_day}. Today's is {today}.")


class WhichPuzzleError(Refused):
    """A text that can be a date as well as a number and a length."""

    of_date: PuzzleName
    of_number: PuzzleName

    #: Above a date's puzzle and a number's, where a text could mean both.
    sentence = N_("Which one?")


class FuturePuzzleError(Refused):
    """A puzzle whose date has not come where the player is."""

    number: int
    day: date
    opens_at: datetime
    today: int
    """The number of today's."""

    sentence = N_("Puzzle {number} opens {opens_at}, on {day}. Today's is {today}.")


class NoSuchPlayError(Refused):
    sentence = N_("That game is gone. Type `/focdle` for today's.")


class NotYourPlayError(Refused):
    sentence = N_("That board is somebody else's. Yours: `/focdle`.")


class GuessRefusedError(TextRefusedError):
    """A guess that was not played."""

    play: Play
    """As it stands."""


class SpentDailyError(Refused):
    """A daily that its player had opened before all their data were deleted."""

    number: int
    again_at: datetime
    """When its date has ended everywhere, and it can be opened again."""

    sentence = N_(
        "You opened puzzle {number} before you deleted your data. It opens again {again_at}; the "
        "next day's is open to you."
    )

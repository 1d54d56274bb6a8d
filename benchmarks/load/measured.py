"""What is measured: a crowd that comes in some way, what becomes of its acts, what they take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from benchmarks.load.players import Act

MOST_SHARE: Final = 0.7
"""Of a core, what the stand-in may take; else it is measured itself, and the round is void."""


@dataclass(frozen=True, slots=True, order=True)
class Load:
    """What a crowd does: each player one act.

    Attributes:
        players: how many there are.
        is_mixed: whether they do all kinds of things, or all guess.
        seconds: within how many they come, at random; 0 for all at once.
        charts: how many of them ask for charts instead, at once, and how many for the coach.
    """

    players: int
    is_mixed: bool
    seconds: float
    charts: int = 0

    def __str__(self) -> str:
        """In words."""
        when = f"{self.players / self.seconds:.0f} a second" if self.seconds else "at once"
        what = "mixed" if self.is_mixed else "guesses"
        if self.charts:
            who = f"{self.charts:,} charts, {self.charts:,} coaches"
            guessing = self.players - 2 * self.charts
            return f"{who} at once, {guessing:,} guesses within {self.seconds:.0f} s"
        return f"{self.players:,} players, {what}, {when}"


@dataclass(slots=True)
class Waits:
    """What became of acts.

    Attributes:
        seconds: how long each that was answered waited for the first answer.
        missed: how many were not answered while Discord waited.
        busy: how many were told that the bot is busy.
        wrong: how many were answered with something else than they asked for.
    """

    seconds: list[float] = field(default_factory=list[float])
    missed: int = 0
    busy: int = 0
    wrong: int = 0

    def __len__(self) -> int:
        """How many there were."""
        return len(self.seconds) + self.missed

    @property
    def done(self) -> int:
        """How many were answered as they should be."""
        return len(self.seconds) - self.busy - self.wrong

    def within(self, part: float) -> float:
        """Within how many seconds this part of those answered was; 0 if none was."""
        waited = sorted(self.seconds)
        return waited[min(int(part * len(waited)), len(waited) - 1)] if waited else 0.0

    def __add__(self, other: "Waits") -> "Waits":
        """Both together."""
        return Waits(
            self.seconds + other.seconds,
            self.missed + other.missed,
            self.busy + other.busy,
            self.wrong + other.wrong,
        )


@dataclass(frozen=True, slots=True)
class Took:
    """What a load took.

    Attributes:
        waits: what became of the acts, by their kinds.
        used: seconds of processor time, of all threads of the bot's process.
        seconds: from the first act to the last answer.
        pause: the event loop's longest, in seconds.
        share: of a core, what the stand-in took with its players.
    """

    waits: Mapping[Act, Waits]
    used: float
    seconds: float
    pause: float
    share: float

    @property
    def all(self) -> Waits:
        """What became of all acts."""
        return sum(self.waits.values(), Waits())

    @property
    def processor(self) -> float:
        """Seconds of processor time for each act that was done; 0 if none was."""
        done = self.all.done
        return self.used / done if done else 0.0

    @property
    def pace(self) -> float:
        """How many acts were done in a second."""
        return self.all.done / self.seconds if self.seconds else 0.0

    @property
    def counts(self) -> bool:
        """Whether it was the bot that was measured."""
        return self.share <= MOST_SHARE


@dataclass(frozen=True, slots=True)
class Played:
    """What one start of a bot has shown.

    Attributes:
        ready: after how many seconds it was there.
        megabytes: its memory before anybody came.
        others: how many cores other programs took meanwhile; None where nobody can tell.
        took: what each load took, in order.
    """

    ready: float
    megabytes: float
    others: float | None
    took: Sequence[Took]

"""What players are ranked by: the figures of each game, and the order they make. Pure.

Figures are stored as text, `12/3/11`, and ranked by one whole number, the sort key, lowest
first. Its upper bits, the level, are what a board shows first: points, a mean in hundredths, a
rating. What is shown alike is never told apart by what nobody sees.
"""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from typing import Final, Self

from bot.services.play import points_for
from bot.services.standings.boards import BoardGame
from bot.storage.standings import LEVEL_BITS

FEWEST_MASTERMINDS: Final = 5
FEWEST_DUELS: Final = 5
FEWEST_OPPONENTS: Final = 3
UNSOLVED_GUESSES: Final = 13
"""What a game of Mastermind counts as that was not solved: one more than there are guesses."""

# Below a level of FoCdle: dates not solved, dates solved with hints, guesses.
_SOLVED_BITS: Final = 14
_ASSISTED_BITS: Final = 14
_MOST_GAMES: Final = 2**30


@dataclass(frozen=True, slots=True)
class _Text:
    """Figures that can be written down."""

    def encode(self) -> str:
        """The figures as text."""
        return "/".join(map(str, astuple(self)))

    @classmethod
    def decode(cls, text: str) -> Self:
        """The figures that a text stands for."""
        return cls(*map(int, text.split("/")))


@dataclass(frozen=True, slots=True)
class FocdleFigures(_Text):
    """On-date plays of a period.

    Attributes:
        points: 7 less the guesses of each solved one.
        solved: how many were solved.
        guesses: of all of them, also of those that were lost.
        plays: how many there were.
        assisted: how many were solved with hints.
    """

    points: int = 0
    solved: int = 0
    guesses: int = 0
    plays: int = 0
    assisted: int = 0

    @classmethod
    def of_play(cls, *, solved: bool, guesses: int, hints: int = 0) -> Self:
        """The figures of one on-date play."""
        points = points_for(solved=solved, guesses=guesses, hints=hints)
        return cls(points, int(solved), guesses, 1, int(solved and hints > 0))

    def plus(self, other: "FocdleFigures") -> "FocdleFigures":
        """Both together."""
        return FocdleFigures(
            self.points + other.points,
            self.solved + other.solved,
            self.guesses + other.guesses,
            self.plays + other.plays,
            self.assisted + other.assisted,
        )

    def minus(self, other: "FocdleFigures") -> "FocdleFigures":
        """What is left without the other."""
        return FocdleFigures(
            self.points - other.points,
            self.solved - other.solved,
            self.guesses - other.guesses,
            self.plays - other.plays,
            self.assisted - other.assisted,
        )

    @property
    def sort_key(self) -> int | None:
        """Most points first, most solved, fewest of them assisted, fewest guesses.

        None without plays.
        """
        if not self.plays:
            return None
        below = 2**_SOLVED_BITS - 1 - self.solved
        below = below << _ASSISTED_BITS | self.assisted
        below = below << (LEVEL_BITS - _SOLVED_BITS - _ASSISTED_BITS) | self.guesses
        return (-self.points << LEVEL_BITS) + below


@dataclass(frozen=True, slots=True)
class StreakFigures(_Text):
    """A streak.

    Attributes:
        length: of the current one.
        best: the longest there has been.
    """

    length: int = 0
    best: int = 0

    @property
    def sort_key(self) -> int | None:
        """The longest first; None if it has ended."""
        return -self.length << LEVEL_BITS if self.length else None


@dataclass(frozen=True, slots=True)
class MastermindFigures(_Text):
    """Finished games at the standard setting in a period, with at least one guess.

    Attributes:
        games: how many.
        solved: how many of them were solved.
        guesses: of all of them. A hint counts as a guess. A game that was lost, given up or
            left counts as 13, or whoever gives bad games up would lead.
    """

    games: int = 0
    solved: int = 0
    guesses: int = 0

    @classmethod
    def of_game(cls, *, solved: bool, guesses: int, hints: int = 0) -> Self:
        """The figures of one game."""
        taken = guesses + hints if solved else UNSOLVED_GUESSES
        return cls(1, int(solved), min(taken, UNSOLVED_GUESSES))

    def plus(self, other: "MastermindFigures") -> "MastermindFigures":
        """Both together."""
        return MastermindFigures(
            self.games + other.games, self.solved + other.solved, self.guesses + other.guesses
        )

    @property
    def mean(self) -> float:
        """Guesses per game, to hundredths; 0 without games."""
        return self._hundredths / 100

    @property
    def _hundredths(self) -> int:
        return (200 * self.guesses + self.games) // (2 * self.games) if self.games else 0

    @property
    def sort_key(self) -> int | None:
        """The lowest mean first, then most games; None after too few games."""
        if self.games < FEWEST_MASTERMINDS:
            return None
        return (self._hundredths << LEVEL_BITS) + _MOST_GAMES - self.games


@dataclass(frozen=True, slots=True)
class DuelFigures(_Text):
    """A rating at the end of a period.

    Attributes:
        rating: the conservative one, rounded.
        games: rated ones up to then.
        opponents: how many different ones.
    """

    rating: int = 0
    games: int = 0
    opponents: int = 0

    @property
    def sort_key(self) -> int | None:
        """The highest rating first; None after too few games or against too few opponents."""
        if self.games < FEWEST_DUELS or self.opponents < FEWEST_OPPONENTS:
            return None
        return -self.rating << LEVEL_BITS


Figures = FocdleFigures | StreakFigures | MastermindFigures | DuelFigures

_KINDS: Final[dict[str, type[Figures]]] = {
    BoardGame.FOCDLE[0]: FocdleFigures,
    BoardGame.STREAK[0]: StreakFigures,
    BoardGame.MASTERMIND[0]: MastermindFigures,
    BoardGame.DUELS[0]: DuelFigures,
}


def figures_of(slot: str, text: str) -> Figures:
    """The figures of a stored row."""
    return _KINDS[slot[0]].decode(text)


def conservative(mu: float, sigma: float) -> float:
    """What a player with this rating is almost certainly worth."""
    return mu - 3 * sigma


def best_of(plays: Iterable[FocdleFigures]) -> FocdleFigures:
    """Of a player's plays of one date, the one that a global board counts."""
    return min(plays, key=lambda play: play.sort_key or 0, default=FocdleFigures())

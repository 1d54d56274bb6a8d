"""How hard a FoCdle is for a person: a number of guesses, and one of four levels."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """A level of difficulty: about a quarter of all secrets of each length have it."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very hard"


@dataclass(frozen=True, slots=True, order=True)
class Difficulty:
    """The difficulty of a secret.

    Attributes:
        length: the length of the secret.
        hundredths: the average number of guesses, times 100. The player who is assumed guesses
            at random, after the first guess, among the codes that can still be right.
    """

    length: int
    hundredths: int

    @property
    def level(self) -> Level:
        bounds = _QUARTILES[self.length]
        return list(Level)[sum(self.hundredths > bound for bound in bounds)]

    def __str__(self) -> str:
        return f"{self.hundredths / 100:.2f} guesses, {self.level}"


# In hundredths of a guess: those of 400 drawn secrets a length, as
# `benchmarks.solvers.difficulty --quartiles --secrets 400` prints them.
_QUARTILES: Final[dict[int, tuple[int, int, int]]] = {
    7: (328, 352, 383),
    8: (382, 416, 448),
    9: (371, 396, 441),
    10: (371, 394, 420),
    11: (368, 380, 397),
    12: (345, 369, 390),
    13: (328, 339, 353),
    14: (304, 312, 320),
    15: (298, 307, 315),
}

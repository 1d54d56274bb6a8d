"""How hard a FoCdle is for a person, as a number and as one of four levels."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Level(StrEnum):
    """A quarter of all secrets of a length, by their difficulty."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"
    VERY_HARD = "very hard"


@dataclass(frozen=True, slots=True, order=True)
class Difficulty:
    """The difficulty of a secret.

    Attributes:
        length: that of the secret.
        hundredths: the expected guesses of a player who guesses whatever is possible, times 100.
    """

    length: int
    hundredths: int

    @property
    def level(self) -> Level:
        bounds = _QUARTILES[self.length]
        return list(Level)[sum(self.hundredths > bound for bound in bounds)]

    def __str__(self) -> str:
        return f"{self.hundredths / 100:.2f} guesses, {self.level}"


# In hundredths of a guess. `benchmarks.solvers.difficulty --quartiles` prints them: of 400 drawn
# secrets at lengths 7 and 14, of 200 at the others.
_QUARTILES: Final[dict[int, tuple[int, int, int]]] = {
    7: (328, 352, 383),
    8: (383, 413, 445),
    9: (371, 399, 440),
    10: (371, 394, 423),
    11: (369, 380, 398),
    12: (343, 369, 390),
    13: (330, 339, 352),
    14: (304, 312, 320),
    15: (297, 306, 315),
}

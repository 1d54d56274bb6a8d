"""What two players have with each other on the dates that both have played."""

from dataclasses import dataclass
from typing import Final

FEWEST_SHARED: Final = 10
"""Dailies that two must share before they are compared."""


@dataclass(frozen=True, slots=True)
class SharedDailies:
    """How dailies went that two players have both finished on their date.

    Attributes:
        dailies: how many there are.
        fewer: in how many the first of the two took fewer guesses.
        more: in how many more.
    """

    dailies: int
    fewer: int
    more: int

    @property
    def percent_fewer(self) -> int:
        """In how many of a hundred the first took fewer, rounded down."""
        return 100 * self.fewer // self.dailies

    @property
    def percent_more(self) -> int:
        """In how many of a hundred the first took more, rounded down."""
        return 100 * self.more // self.dailies

"""A finding: what the doctor has found out, and what it means."""

from enum import StrEnum
from functools import partial
from typing import Final, NamedTuple

from bot.errors import BotError


class Weight(StrEnum):
    """What a finding means for who hosts the bot."""

    FINE = "fine"
    """Nothing is to be done."""
    LEFT_OUT = "left out"
    """Nobody could look, or was to."""
    WARNING = "warning"
    """The bot runs, but not as well as it could."""
    ERROR = "error"
    """The bot, or a part of it, cannot work."""


class Finding(NamedTuple):
    """What was found, and how to mend it; empty where nothing is to be mended."""

    weight: Weight
    text: str
    mend: str = ""


class FoundError(BotError):
    """Ends a check with a last finding."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.text)
        self.finding = finding


fine: Final = partial(Finding, Weight.FINE)
left_out: Final = partial(Finding, Weight.LEFT_OUT)
warning: Final = partial(Finding, Weight.WARNING)
error: Final = partial(Finding, Weight.ERROR)


def counted(number: int, one: str, many: str = "") -> str:
    """A number with its noun."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def size(count: int) -> str:
    """A number of bytes, short enough to be compared."""
    for unit, bytes_in_it in (("GB", 10**9), ("MB", 10**6)):
        if count >= bytes_in_it:
            return f"{count / bytes_in_it:,.1f} {unit}"
    return f"{count / 1000:,.0f} kB"

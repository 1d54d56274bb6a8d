"""What players can get wrong with FoCdle beyond its rules."""

from datetime import date, datetime

from bot.dailies import PuzzleName
from bot.focdle.model.play import Play
from bot.refused import Refused, TextRefusedError


class UnreadablePuzzleError(Refused):
    """A text that names no puzzle: neither a number nor a date."""

    text: str


class NoSuchPuzzleError(Refused):
    """A number or date before the first puzzle."""

    first_day: date
    today: int
    """The number of today's."""


class WhichPuzzleError(Refused):
    """A text that can be a date as well as a number and a length."""

    of_date: PuzzleName
    of_number: PuzzleName


class FuturePuzzleError(Refused):
    """A puzzle whose date has not come where the player is."""

    number: int
    day: date
    opens_at: datetime
    today: int
    """The number of today's."""


class NoSuchPlayError(Refused):
    """A play that is not, or no longer, stored."""


class NotYourPlayError(Refused):
    """Somebody else's play, which nobody else sees."""


class GuessRefusedError(TextRefusedError):
    """A guess that was not played."""

    play: Play
    """As it stands."""


class SpentDailyError(Refused):
    """A daily that its player had opened before all their data were deleted."""

    number: int
    again_at: datetime
    """When its date has ended everywhere, and it can be opened again."""

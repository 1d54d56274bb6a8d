"""What players can get wrong with FoCdle beyond its rules."""

from datetime import date, datetime
from enum import Enum

from bot.model.dailies import PuzzleName
from bot.services.base.errors import Refused, TextRefusedError
from bot.services.focdle.model import Play


class Obstacle(Enum):
    """Why a streak cannot be restored."""

    NO_REASON = "no_reason"
    OWN = "own"
    """Nobody restores their own."""
    NOTHING_ENDED = "nothing_ended"
    TOO_LONG_AGO = "too_long_ago"
    TOO_MANY = "too_many"
    """More dates were missed than a restoration covers."""
    ELSEWHERE = "elsewhere"
    """The streak's last date was solved in another server, whose managers may restore it."""
    RESTORED_LATELY = "restored_lately"


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


class NotRestorableError(Refused):
    """A streak that cannot be restored."""

    obstacle: Obstacle
    player_id: int
    day: date | None = None
    """The date it is about, if it is about one."""
    again_at: datetime | None = None
    """When it may be tried again, if it may."""


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

"""What players can get wrong with FoCdle beyond its rules: facts without sentences."""

from datetime import date, datetime
from enum import Enum

from bot.model.dailies import PuzzleName
from bot.services.base.errors import ServiceError
from bot.services.focdle.model import Play
from engine import EngineError


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


class UnreadablePuzzleError(ServiceError):
    """A text that names no puzzle: neither a number nor a date."""

    def __init__(self, text: str) -> None:
        super().__init__("unreadable puzzle")
        self.text = text


class NoSuchPuzzleError(ServiceError):
    """A number or date before the first puzzle."""

    def __init__(self, first_day: date, today_number: int) -> None:
        super().__init__("no such puzzle")
        self.first_day = first_day
        self.today_number = today_number


class FuturePuzzleError(ServiceError):
    """A puzzle whose date has not come where the player is; `opens_at` is when it will."""

    def __init__(self, number: int, day: date, opens_at: datetime, today_number: int) -> None:
        super().__init__("future puzzle")
        self.number = number
        self.day = day
        self.opens_at = opens_at
        self.today_number = today_number


class NotRestorableError(ServiceError):
    """A streak that cannot be restored.

    Attributes:
        obstacle: which rule is not met.
        player_id: whose streak it is.
        day: the date it is about, if it is about one.
        again_at: when it may be tried again, if it may.
    """

    def __init__(
        self,
        obstacle: Obstacle,
        player_id: int,
        *,
        day: date | None = None,
        again_at: datetime | None = None,
    ) -> None:
        super().__init__(f"not restorable: {obstacle.value}")
        self.obstacle = obstacle
        self.player_id = player_id
        self.day = day
        self.again_at = again_at


class NoSuchPlayError(ServiceError):
    """A play that is not, or no longer, stored."""


class NotYourPlayError(ServiceError):
    """Somebody else's play; `owner_id` is whose."""

    def __init__(self, owner_id: int) -> None:
        super().__init__("somebody else's play")
        self.owner_id = owner_id


class NotFinishedError(ServiceError):
    """A result that cannot be shared yet."""


class AlreadySharedError(ServiceError):
    """A result that was posted to this channel before."""


class BeingSharedError(ServiceError):
    """A result that is being posted to this channel, as far as anybody knows.

    Attributes:
        until: when it may be posted again if it is not there.
    """

    def __init__(self, until: datetime) -> None:
        super().__init__("being shared")
        self.until = until


class GuessRefusedError(ServiceError):
    """A guess that was not played; it cost nothing.

    Attributes:
        play: the play as it stands.
        text: the guess as it was typed.
        cause: why the engine refuses it.
    """

    def __init__(self, play: Play, text: str, cause: EngineError) -> None:
        super().__init__("guess refused")
        self.play = play
        self.text = text
        self.cause = cause


class SpentDailyError(ServiceError):
    """A daily that its player had opened before all their data were deleted.

    Attributes:
        puzzle: the daily.
        again_at: when its date has ended everywhere, and it can be opened again.
    """

    def __init__(self, puzzle: PuzzleName, again_at: datetime) -> None:
        super().__init__("opened before a deletion")
        self.puzzle = puzzle
        self.again_at = again_at

"""What players can get wrong beyond the rules of a game: facts without sentences."""

from datetime import date, datetime

from bot.services.play import Play
from engine import EngineError


class ServiceError(Exception):
    """Base of everything the services raise on purpose."""


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


class NoSuchDailyLengthError(ServiceError):
    """A length that dailies do not have."""

    def __init__(self, length: int, shortest: int, longest: int) -> None:
        super().__init__("no such daily length")
        self.length = length
        self.shortest = shortest
        self.longest = longest


class UnknownZoneError(ServiceError):
    """A text that names no zone.

    Attributes:
        text: what was typed.
        proposals: up to 25 zones that may have been meant, the likeliest first.
    """

    def __init__(self, text: str, proposals: list[str]) -> None:
        super().__init__("unknown zone")
        self.text = text
        self.proposals = proposals


class ZoneTooSoonError(ServiceError):
    """An own zone changed twice within a week; `again_at` is when it may be."""

    def __init__(self, again_at: datetime) -> None:
        super().__init__("zone changed too soon")
        self.again_at = again_at


class HardModeMidGameError(ServiceError):
    """Hard mode switched while today's puzzle is under way; `number` is the puzzle's."""

    def __init__(self, number: int) -> None:
        super().__init__("hard mode in mid-game")
        self.number = number


class NotAllowedError(ServiceError):
    """Settings of a server changed by a member who may not manage it."""


class ChannelUnusableError(ServiceError):
    """A channel in which the bot may not do what it must.

    Attributes:
        channel_id: the channel.
        missing: Discord's names of the permissions it lacks there.
    """

    def __init__(self, channel_id: int, missing: list[str]) -> None:
        super().__init__("channel unusable")
        self.channel_id = channel_id
        self.missing = missing


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

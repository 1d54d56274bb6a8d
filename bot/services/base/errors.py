"""What players can get wrong beyond the rules of a game: facts without sentences."""

from datetime import datetime
from enum import Enum


class Speech(Enum):
    """Kinds of public messages that the bot sends on a member's behalf."""

    RESULT = "result"
    CHALLENGE = "challenge"
    REMATCH = "rematch"
    BOARD = "board"
    """The board of a game that goes on, once more."""
    STATISTICS = "statistics"
    LEADERBOARD = "leaderboard"


class ServiceError(Exception):
    """Base of everything the services raise on purpose."""


class NothingChosenError(ServiceError):
    """A list was sent with nothing chosen in it."""


class TooFastError(ServiceError):
    """A player asks for more at once than one may."""


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


class MayNotSpeakError(ServiceError):
    """A public message on behalf of a member who may not write in that channel.

    Attributes:
        speech: what it is.
        channel_id: where.
        elsewhere: channels of that server in which the member may write, if any were found.
    """

    def __init__(self, speech: Speech, channel_id: int, elsewhere: tuple[int, ...] = ()) -> None:
        super().__init__("may not speak")
        self.speech = speech
        self.channel_id = channel_id
        self.elsewhere = elsewhere


class NoServerError(ServiceError):
    """A challenge where there is no channel of a server that the bot is in."""


class NotWantedError(ServiceError):
    """An invitation to somebody, `player_id`, who wants none: from anybody, or from who asks."""

    def __init__(self, player_id: int) -> None:
        super().__init__("not wanted")
        self.player_id = player_id


class AskedTooSoonError(ServiceError):
    """An invitation to somebody whom this player has invited too often of late.

    Attributes:
        player_id: who that is.
        again_at: when they may be asked again.
        has_declined: whether they have declined one, or else accepted none of several.
    """

    def __init__(self, player_id: int, again_at: datetime, *, has_declined: bool) -> None:
        super().__init__("asked too soon")
        self.player_id = player_id
        self.again_at = again_at
        self.has_declined = has_declined


class NotAMemberError(ServiceError):
    """A challenge to somebody who is not on the server; `player_id` is who that is."""

    def __init__(self, player_id: int) -> None:
        super().__init__("not a member")
        self.player_id = player_id


class CannotSeeChannelError(ServiceError):
    """A challenge to somebody who would not see it.

    Attributes:
        player_id: who that is.
        channel_id: the channel.
    """

    def __init__(self, player_id: int, channel_id: int) -> None:
        super().__init__("cannot see the channel")
        self.player_id = player_id
        self.channel_id = channel_id


class StillSealedError(ServiceError):
    """The secret is to be verified before the game is over."""


class NeverSealedError(ServiceError):
    """There is no commitment: the game is from before there were any, or its code was nobody's."""

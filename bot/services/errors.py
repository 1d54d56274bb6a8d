"""What players can get wrong beyond the rules of a game: facts without sentences."""

from datetime import date, datetime
from enum import Enum

from bot.services.play import Play
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


class Speech(Enum):
    """What a member has the bot say to everybody."""

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
    """More than one player may ask for at once."""


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


class ServerZoneTooSoonError(ServiceError):
    """A server's zone changed twice within a week; `again_at` is when it may be."""

    def __init__(self, again_at: datetime) -> None:
        super().__init__("a server's zone changed too soon")
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
        missing: Discord's names of the permissions it lacks there; none if the server has no
            such channel.
    """

    def __init__(self, channel_id: int, missing: list[str]) -> None:
        super().__init__("channel unusable")
        self.channel_id = channel_id
        self.missing = missing


class MayNotSpeakError(ServiceError):
    """Something that the bot is to say for a member where that member may not write.

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


class ServerUnseenError(ServiceError):
    """A server about which nobody can tell yet whether the bot is a member: it has just started."""


class NotWantedError(ServiceError):
    """An invitation to somebody, `player_id`, who wants none: from anybody, or from who asks."""

    def __init__(self, player_id: int) -> None:
        super().__init__("not wanted")
        self.player_id = player_id


class AskedTooSoonError(ServiceError):
    """An invitation to somebody who has had enough of them from this player for now.

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


class RoleUnusableError(ServiceError):
    """A role that the bot may not mention; `is_everyone` for that of all members."""

    def __init__(self, role_id: int, *, is_everyone: bool = False) -> None:
        super().__init__("role unusable")
        self.role_id = role_id
        self.is_everyone = is_everyone


class RoleForbiddenError(ServiceError):
    """A role that the member who chooses it may not mention; `role_id` is the role."""

    def __init__(self, role_id: int) -> None:
        super().__init__("role forbidden")
        self.role_id = role_id


class ThreadsUnusableError(ServiceError):
    """A channel in which the bot cannot keep private threads.

    Attributes:
        channel_id: the channel; None where none is set.
        missing: Discord's names of the permissions it lacks there; none where the channel
            is of a kind without private threads.
    """

    def __init__(self, channel_id: int | None, missing: list[str]) -> None:
        super().__init__("threads unusable")
        self.channel_id = channel_id
        self.missing = missing


class ThreadNotForYouError(ServiceError):
    """The finishers' thread of a puzzle that a player has not finished."""

    def __init__(self, number: int) -> None:
        super().__init__("puzzle not finished")
        self.number = number


class ThreadClosedError(ServiceError):
    """The finishers' thread of a puzzle that is no longer open, or never was."""

    def __init__(self, number: int) -> None:
        super().__init__("thread closed")
        self.number = number


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


class StillSealedError(ServiceError):
    """The secret is to be verified before the game is over."""


class NeverSealedError(ServiceError):
    """There is no commitment: the game is from before there were any, or its code was nobody's."""


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

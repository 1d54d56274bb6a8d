"""What managers can get wrong around a server's posts and settings: facts without sentences."""

from datetime import datetime

from bot.services.base.errors import ServiceError


class ServerZoneTooSoonError(ServiceError):
    """A server's zone changed twice within a week; `again_at` is when it may be."""

    def __init__(self, again_at: datetime) -> None:
        super().__init__("a server's zone changed too soon")
        self.again_at = again_at


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


class ServerUnseenError(ServiceError):
    """A server about which nobody can tell yet whether the bot is a member: it has just started."""


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

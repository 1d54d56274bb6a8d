"""What managers can get wrong around a server's posts and settings."""

from datetime import datetime

from bot.refused import Refused


class ServerZoneTooSoonError(Refused):
    """A server's zone changed twice within a week."""

    again_at: datetime


class ChannelUnusableError(Refused):
    """A channel in which the bot may not do what it must."""

    channel_id: int
    missing: list[str]
    """Discord's names of the permissions it lacks; none if the server has no such channel."""


class ServerUnseenError(Refused):
    """A server about which nobody can tell yet whether the bot is a member: it has just started."""


class ServerElsewhereError(Refused):
    """Another process hears from the server: what is asked for can be done there alone."""


class RoleUnusableError(Refused):
    """A role that the bot may not mention."""

    role_id: int
    is_everyone: bool = False
    """Whether it is that of all members."""


class RoleForbiddenError(Refused):
    """A role that the member who chooses it may not mention."""

    role_id: int


class ThreadsUnusableError(Refused):
    """A channel in which the bot cannot keep private threads."""

    channel_id: int | None
    """None where none is set."""
    missing: list[str]
    """Discord's names of the permissions it lacks; none where such channels have no threads."""


class ThreadNotForYouError(Refused):
    """The finishers' thread of a puzzle that a player has not finished."""

    number: int


class ThreadClosedError(Refused):
    """The finishers' thread of a puzzle that is no longer open, or never was."""

    number: int


class RunningUnpostableError(Refused):
    """A running message that Discord did not let the bot post."""


class RunningDeletedError(Refused):
    """A running message that others have deleted."""


class RunningClosedError(Refused):
    """A running message whose date has ended, or that the server has switched off."""

    number: int

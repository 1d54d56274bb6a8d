"""What players can get wrong about their data."""

from datetime import datetime

from bot.refused import Refused


class NotConfirmedError(Refused):
    """A deletion that was not confirmed; nothing was deleted."""

    text: str
    """What was typed instead."""


class ServerNotNamedError(Refused):
    """A deletion of a server's data without its name; nothing was deleted."""

    text: str
    """What was typed instead."""
    name: str


class NotAdministratorError(Refused):
    """A member who may change a server's settings, but not delete its data."""


class ExportTooLargeError(Refused):
    """An export that no message can carry."""

    most: int
    """How many bytes one can."""


class ExportUnderWayError(Refused):
    """An export while another one is made."""


class ExportTooSoonError(Refused):
    """An export soon after another one."""

    again_at: datetime


class DeletedMeanwhileError(Refused):
    """An export whose player's data were deleted while it was made."""

"""What players can get wrong about their data: facts without sentences."""

from datetime import datetime

from bot.services.base.errors import ServiceError


class NotConfirmedError(ServiceError):
    """A deletion that was not confirmed; nothing was deleted.

    Attributes:
        text: what was typed instead.
    """

    def __init__(self, text: str) -> None:
        super().__init__("not confirmed")
        self.text = text


class ExportTooLargeError(ServiceError):
    """An export that no message can carry.

    Attributes:
        most: how many bytes there may be.
    """

    def __init__(self, most: int) -> None:
        super().__init__("export too large")
        self.most = most


class ExportTooSoonError(ServiceError):
    """An export soon after another one.

    Attributes:
        again_at: when there may be the next; None while one is under way.
    """

    def __init__(self, again_at: datetime | None) -> None:
        super().__init__("export too soon")
        self.again_at = again_at


class DeletedMeanwhileError(ServiceError):
    """An export whose player's data were deleted while it was made."""

"""Gauges: an interface for measurements, whose sources need not know where they go.

Labels are kinds, classes or path templates, of which there are few. They never contain the id of a
player, server, game or anything else.
"""

from contextvars import ContextVar
from typing import Final


class Gauges:
    """A receiver of measurements; this one ignores them."""

    def acknowledged(self, kind: str, seconds: float) -> None:
        """Note the first answer to an interaction, and how long it took.

        `kind` is a command, button, list, form, or typing in a command.
        """

    def left_unanswered(self, kind: str) -> None:
        """Note an interaction that got no answer within Discord's time limit."""

    def refused(self, reason: type[Exception]) -> None:
        """Note a refusal that a player was told."""

    def broke_down(self) -> None:
        """Note a failure that a player was told."""

    def carried_out(self, kind: str, waited: float, took: float | None) -> None:
        """Note the end of a transaction, with the seconds it waited and those it took.

        `kind` is a read or a write. `took` is None for a transaction that never began.
        """

    def failed(self, kind: str, reason: type[Exception]) -> None:
        """Note a transaction that failed because of the database."""

    def requested(self, route: str, status: str, seconds: float) -> None:
        """Note a request to Discord; `route` has no ids, `status` is `failed` if no answer came."""

    def served(self, status: int) -> None:
        """Note an answer of the page's server, of any kind."""

    def listens(self, change: int) -> None:
        """Note one WebSocket of the page's more (1) or less (-1)."""

    def signed_in(self) -> None:
        """Note a new session of the page's."""


UNREAD: Final = Gauges()
"""The default gauges, which ignore all measurements."""

_here: ContextVar[Gauges] = ContextVar("gauges", default=UNREAD)


def tell(gauges: Gauges) -> None:
    """Let code of this task, and of tasks that it starts later, report to these gauges."""
    _here.set(gauges)


def gauges_here() -> Gauges:
    return _here.get()

"""Gauges: whatever measures while the bot works tells them, and need not know who reads them.

What they are told names kinds of things, a class or a template of paths, of which there are few.
It never names a player, a server, a game or anything else that has an id.
"""

from contextvars import ContextVar
from typing import Final


class Gauges:
    """Take what was measured, and do nothing with it: nobody has asked for figures."""

    def acknowledged(self, kind: str, seconds: float) -> None:
        """An interaction has had its first answer.

        Args:
            kind: what was used: a command, a button, a list, a form, or typing.
            seconds: since the interaction was here.
        """

    def left_unanswered(self, kind: str) -> None:
        """An interaction has had no answer in the time that Discord gives."""

    def refused(self, reason: type[Exception]) -> None:
        """A player was told why something is not done."""

    def broke_down(self) -> None:
        """A player was told that something is wrong with the bot."""

    def carried_out(self, kind: str, waited: float, took: float | None) -> None:
        """A transaction has ended.

        Args:
            kind: whether it was to write or to read.
            waited: seconds until it had begun, or nobody waited any more.
            took: seconds from there to its end; None if it has never begun.
        """

    def failed(self, kind: str, reason: type[Exception]) -> None:
        """A transaction came to nothing, because of the database."""

    def requested(self, route: str, status: str, seconds: float) -> None:
        """Discord has answered a request, or the line has failed.

        Args:
            route: the method, and the path without its ids.
            status: of HTTP; `failed` for no answer.
            seconds: how long it took.
        """


UNREAD: Final = Gauges()
"""Where nobody reads them."""

_here: ContextVar[Gauges] = ContextVar("gauges", default=UNREAD)


def tell(gauges: Gauges) -> None:
    """Let this task, and what it begins from now on, tell these gauges."""
    _here.set(gauges)


def gauges_here() -> Gauges:
    """The gauges that this task tells."""
    return _here.get()

"""The log of repeated failures: the first in full, later ones in short and ever more rarely."""

import logging
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Final, TypeVar

from bot.errors import ClosingError, StorageBusyError, StorageError, UnusableDatabaseError

T = TypeVar("T")

_MOST: Final = 1000
"""The most actions whose failures are counted at a time."""


class Failures:
    """A log of failures of work that is repeated, for example by a timer.

    A traceback is logged once, then a line each time the number of failures has doubled. Another
    type of error is logged in full again, and so is the first failure after a success. If the
    database is busy or cannot be used, even the first log is only a line: a traceback would not
    help the host.
    """

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._known: dict[tuple[str, Hashable], tuple[type[Exception], int]] = {}

    def tell(self, what: str, error: Exception, *, of: Hashable = None) -> None:
        """Count a failure; log the first one, and later ones ever more rarely.

        Args:
            what: the action, in a few words.
            of: the object of the action, counted on its own; not logged, as it may be a person.
        """
        kind, times = self._known.pop((what, of), (type(error), 0))
        times = times + 1 if kind is type(error) else 1
        self._known[what, of] = type(error), times
        if len(self._known) > _MOST:
            del self._known[next(iter(self._known))]
        if isinstance(error, StorageBusyError) and times == 1:
            self._log.warning("%s: not this time, the database was busy", what)
        elif isinstance(error, UnusableDatabaseError) and times == 1:
            self._log.error("%s: failed this time, %s", what, error)
        elif times == 1:
            self._log.error("%s: failed this time", what, exc_info=error)
        elif times.bit_count() == 1:
            self._log.error("%s: failed %d times so far, %r", what, times, error)

    @contextmanager
    def telling(
        self, what: str, *, of: Hashable = None, but: tuple[type[Exception], ...] = (ClosingError,)
    ) -> Generator[None]:
        """Note whether a block succeeds; if it fails, log the error and go on after the block.

        Args:
            what: the action, in a few words.
            of: its object, as in `tell`.
            but: errors to raise again, since their cause concerns more than this action.
        """
        try:
            yield
        except but:
            raise
        except Exception as error:  # noqa: BLE001 - it is told, and what follows goes on
            self.tell(what, error, of=of)
        else:
            self.worked(what, of=of)

    async def each(
        self, what: str, ids: AsyncIterable[int], work: Callable[[int], Awaitable[T | None]]
    ) -> AsyncGenerator[T]:
        """Call `work` with one id after the other, and yield its results except None.

        A failure is logged, and the next id follows; only a `StorageError` is raised.
        """
        async for number in ids:
            found: T | None = None
            with self.telling(f"{what} {number}", but=(StorageError,)):
                found = await work(number)
            if found is not None:
                yield found

    def worked(self, what: str, *, of: Hashable = None) -> None:
        self._known.pop((what, of), None)

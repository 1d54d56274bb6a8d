"""Logs repeated failures: the first in full, later ones in a line, less and less often."""

import logging
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Final, TypeVar

from bot.errors import ClosingError, StorageBusyError, StorageError, UnusableDatabaseError

T = TypeVar("T")

_MOST: Final = 1000
"""How many different failures are remembered."""


class Failures:
    """Logs what a timer tries again and again.

    A traceback is logged once. Then come lines with the number of failures so far, when that has
    doubled; another kind of error, or one after a success, is logged in full again. A full disk
    is told of in a line from the start, and so is a busy database, as a warning: what led to it
    says nothing to its host.

    Args:
        log: where to.
    """

    def __init__(self, log: logging.Logger) -> None:
        self._log = log
        self._known: dict[tuple[str, Hashable], tuple[type[Exception], int]] = {}

    def tell(self, what: str, error: Exception, *, of: Hashable = None) -> None:
        """Log that something has failed.

        Args:
            what: what has failed, in a few words.
            error: why.
            of: which of many alike; not logged, since it may be a person.
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
        """Do what will be done again anyway: `tell` if it fails, note if it has worked.

        Args:
            what: what it is, in a few words.
            of: which of many alike.
            but: what is not told but raised, since it is about more than this one.
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
        """Do something for one after the other; what fails for one holds up no other.

        Args:
            what: what it is, before the id of whatever it fails for.
            ids: what it is done for.
            work: does it; None is left out of the results.

        Raises:
            StorageError: the database cannot be used now.
        """
        async for number in ids:
            found: T | None = None
            with self.telling(f"{what} {number}", but=(StorageError,)):
                found = await work(number)
            if found is not None:
                yield found

    def worked(self, what: str, *, of: Hashable = None) -> None:
        """Note that the same has not failed now."""
        self._known.pop((what, of), None)

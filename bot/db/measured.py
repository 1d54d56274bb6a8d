"""A database of which hosts want figures: how long transactions wait, and how long they take."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Generator
from contextlib import asynccontextmanager, contextmanager
from time import perf_counter
from typing import Final, TypeVar

from bot.db.backend import Backend
from bot.db.keys import Key
from bot.db.transaction import Body, Transaction
from bot.errors import StorageError
from bot.gauges import Gauges

T = TypeVar("T")

_WRITE: Final = "write"
_READ: Final = "read"


class _Times:
    """When a transaction was asked for, and when it had begun."""

    def __init__(self) -> None:
        self.asked_at = perf_counter()
        self.begun_at: float | None = None

    def begin(self) -> None:
        """Know that it has begun."""
        self.begun_at = perf_counter()

    def noted(self, body: Body[T]) -> Body[T]:
        """A body that says when it begins; it may run in another thread."""

        async def begun(tx: Transaction) -> T:
            self.begin()
            return await body(tx)

        return begun


class MeasuredBackend:
    """Does as another backend does, and tells gauges how long that takes.

    Args:
        backend: does it.
        gauges: are told.
    """

    def __init__(self, backend: Backend, gauges: Gauges) -> None:
        self._backend = backend
        self._gauges = gauges

    async def test(self) -> str:
        """Whether it can be used, untimed."""
        return await self._backend.test()

    @asynccontextmanager
    async def writing(self, keys: Collection[Key], until: float) -> AsyncGenerator[Transaction]:
        """A transaction that may write, timed."""
        with self._timed(_WRITE) as times:
            async with self._backend.writing(keys, until) as tx:
                times.begin()
                yield tx

    @asynccontextmanager
    async def reading(self, until: float) -> AsyncGenerator[Transaction]:
        """A transaction that reads, timed."""
        with self._timed(_READ) as times:
            async with self._backend.reading(until) as tx:
                times.begin()
                yield tx

    async def write(self, body: Body[T], keys: Collection[Key], until: float) -> T:
        """What comes of a body that may write, timed."""
        with self._timed(_WRITE) as times:
            return await self._backend.write(times.noted(body), keys, until)

    async def read(self, body: Body[T], until: float) -> T:
        """What comes of a body that reads, timed."""
        with self._timed(_READ) as times:
            return await self._backend.read(times.noted(body), until)

    async def hear(self, hear: Callable[[str | None], None]) -> None:
        """Hear what transactions tell."""
        await self._backend.hear(hear)

    async def empty_log(self, until: float) -> bool:
        """Write out the log of the last changes."""
        return await self._backend.empty_log(until)

    async def close(
        self, last: Callable[[Transaction], Awaitable[None]] | None, patience: float
    ) -> None:
        """Let what has begun end, and disconnect."""
        await self._backend.close(last, patience)

    @contextmanager
    def _timed(self, kind: str) -> Generator[_Times]:
        times = _Times()
        try:
            yield times
        except StorageError as error:
            self._gauges.failed(kind, type(error))
            raise
        finally:
            now, begun_at = perf_counter(), times.begun_at
            waited = (now if begun_at is None else begun_at) - times.asked_at
            self._gauges.carried_out(kind, waited, None if begun_at is None else now - begun_at)

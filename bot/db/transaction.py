"""What stores work in."""

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Sequence
from typing import Any, Protocol, TypeVar, TypeVarTuple, overload

from sqlalchemy import Connection, CursorResult, Executable, ScalarResult
from sqlalchemy.sql.selectable import TypedReturnsRows

from bot.db import prepared
from bot.db.keys import Key
from bot.db.prepared import Parameters, Rows

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class MustWriteError(Exception):
    """What only reads would have to write."""


class Doing(Protocol):
    """Does something with a connection, where that may be used."""

    def __call__(self, work: Callable[[Connection], T], /) -> Awaitable[T]:
        """What comes of it."""
        ...


class Transaction:
    """An open transaction: one that may write, or one that only reads.

    Args:
        do: does things with the connection on which it is open.
        info: what is known as long as the database is open.
        is_read_only: whether it refuses to write.
        keys: what it is about; none for everything.
        take: takes more keys: those for which it may wait, and those for which it may not; None
            where one transaction at a time writes.
        tell: lets other processes know something once it is committed; None where there are none.

    Attributes:
        keys: what it is about by now; None for everything, or if it only reads.
        has_written: whether it has changed anything.
    """

    def __init__(
        self,
        do: Doing,
        info: dict[object, Any],
        *,
        is_read_only: bool = False,
        keys: Iterable[Key] = (),
        take: Callable[[Sequence[Key], Sequence[Key]], Awaitable[None]] | None = None,
        tell: Callable[[str], Awaitable[None]] | None = None,
    ) -> None:
        self._do = do
        self.info = info
        self.keys = set(keys) or None
        self.has_written = False
        self._is_read_only = is_read_only
        self._take = take
        self._tell = tell
        self._is_open = True

    async def about(self, *keys: Key) -> None:
        """Be about more things, which were found out midway.

        Nobody waits for what comes before anything they have, or two might wait for each other.

        Raises:
            StorageBusyError: others are about them, for too long.
        """
        if self.keys is None:
            return
        more, last = sorted(set(keys) - self.keys), max(self.keys)
        if more and self._take is not None:
            await self._take([k for k in more if k > last], [k for k in more if k < last])
        self.keys.update(more)

    async def tell(self, text: str) -> None:
        """Let all processes that listen know something, with the commit; see `Database.hear`."""
        if self._tell is not None:
            await self._tell(text)

    def end(self) -> None:
        """Let it be used no more: the connection is another transaction's from now on."""
        self._is_open = False

    @overload
    async def execute(
        self, statement: TypedReturnsRows[*Ts], parameters: Parameters = None
    ) -> "CursorResult[*Ts] | Rows[*Ts]": ...
    @overload
    async def execute(
        self, statement: Executable, parameters: Parameters = None
    ) -> "CursorResult[*tuple[Any, ...]] | Rows[*tuple[Any, ...]]": ...
    async def execute(self, statement: Executable, parameters: Parameters = None) -> Any:
        """Execute a statement, or the same one with several parameters; all of its result.

        Raises:
            MustWriteError: it writes, and the transaction only reads.
        """
        if statement.is_dml:
            if self._is_read_only:
                raise MustWriteError
            self.has_written = True
        return await self.run_sync(
            lambda connection: prepared.execute(connection, statement, parameters)
        )

    @overload
    async def scalar(
        self, statement: TypedReturnsRows[T], parameters: Parameters = None
    ) -> T | None: ...
    @overload
    async def scalar(self, statement: Executable, parameters: Parameters = None) -> Any: ...
    async def scalar(self, statement: Executable, parameters: Parameters = None) -> Any:
        """The first column of the first row; None without one."""
        return (await self.execute(statement, parameters)).scalar()

    @overload
    async def scalars(
        self, statement: TypedReturnsRows[T], parameters: Parameters = None
    ) -> ScalarResult[T]: ...
    @overload
    async def scalars(
        self, statement: Executable, parameters: Parameters = None
    ) -> ScalarResult[Any]: ...
    async def scalars(
        self, statement: Executable, parameters: Parameters = None
    ) -> ScalarResult[Any]:
        """The first column of each row."""
        return (await self.execute(statement, parameters)).scalars()

    async def run_sync(self, work: Callable[[Connection], T]) -> T:
        """Do something with the connection itself, where it is used."""
        if not self._is_open:
            raise RuntimeError("the transaction is over")
        return await self._do(work)


Body = Callable[[Transaction], Coroutine[Any, Any, T]]
"""What is done in a transaction. It awaits nothing but its statements."""

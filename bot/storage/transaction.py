"""What stores work in."""

from collections.abc import Callable
from typing import Any, TypeVar, TypeVarTuple, overload

from sqlalchemy import Connection, CursorResult, Executable, ScalarResult
from sqlalchemy.sql.selectable import TypedReturnsRows

from bot.storage import prepared
from bot.storage.prepared import Parameters, Rows
from bot.storage.sqlite_thread import SqliteThread

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class MustWriteError(Exception):
    """What only reads would have to write."""


class Transaction:
    """An open transaction: one that holds the write lock, or one that reads.

    Args:
        connection: gives the connection on which it is open, in the thread.
        thread: where that is used.
        info: what is known as long as the database is open.
        is_read_only: whether it refuses to write.
    """

    def __init__(
        self,
        connection: Callable[[], Connection],
        thread: SqliteThread,
        info: dict[object, Any],
        *,
        is_read_only: bool = False,
    ) -> None:
        self._connection = connection
        self._thread = thread
        self.info = info
        self._is_read_only = is_read_only
        self._is_open = True

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
        if self._is_read_only and statement.is_dml:
            raise MustWriteError
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
        return await self._thread.do(lambda: work(self._connection()))

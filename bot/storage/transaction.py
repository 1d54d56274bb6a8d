"""What stores work in."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar, TypeVarTuple, overload

from sqlalchemy import Connection, CursorResult, Executable, ScalarResult
from sqlalchemy.sql.selectable import TypedReturnsRows

from bot.storage.sqlite_thread import SqliteThread

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class Transaction:
    """An open transaction that holds the write lock.

    Args:
        connection: where it is open.
        thread: where the connection is used.
    """

    def __init__(self, connection: Connection, thread: SqliteThread) -> None:
        self._connection = connection
        self._thread = thread

    @property
    def info(self) -> dict[Any, Any]:
        """What is known as long as the database is open."""
        return self._connection.info

    @overload
    async def execute(
        self, statement: TypedReturnsRows[*Ts], parameters: Parameters = None
    ) -> "CursorResult[*Ts]": ...
    @overload
    async def execute(
        self, statement: Executable, parameters: Parameters = None
    ) -> "CursorResult[*tuple[Any, ...]]": ...
    async def execute(self, statement: Executable, parameters: Parameters = None) -> Any:
        """Execute a statement, or the same one with several parameters; all of its result."""
        return await self.run_sync(lambda connection: connection.execute(statement, parameters))

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
        return await self._thread.do(partial(work, self._connection))

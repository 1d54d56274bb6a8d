"""The transaction in which stores read and write."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, TypeVarTuple, overload

from sqlalchemy import Connection, CursorResult, Executable, ScalarResult, func, select
from sqlalchemy.sql.selectable import TypedReturnsRows

from bot.db.keys import Key

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

CHANNEL = "focdle"
"""The channel of PostgreSQL's `NOTIFY`."""

Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class MustWriteError(Exception):
    """A read-only transaction was asked to write."""


class Transaction:
    """An open transaction.

    Args:
        take: takes more locks: it waits for those in its first argument, and tries those in its
            second without waiting; None for SQLite.
    """

    def __init__(
        self,
        connection: Connection,
        keys: Iterable[Key] = (),
        *,
        is_read_only: bool = False,
        take: Callable[[Sequence[Key], Sequence[Key]], None] | None = None,
    ) -> None:
        self.connection = connection
        self.keys = set(keys) or None
        self.has_written = False
        self._is_read_only = is_read_only
        self._take = take

    def about(self, *keys: Key) -> None:
        """Lock more keys, which the body of the transaction has just found out.

        It never waits for a key that sorts before one already held, as that might cause a deadlock.
        """
        if self.keys is None:
            return
        more, last = sorted(set(keys) - self.keys), max(self.keys)
        if more and self._take is not None:
            self._take([k for k in more if k > last], [k for k in more if k < last])
        self.keys.update(more)

    def tell(self, text: str) -> None:
        """Send a text with the commit to all processes that listen by `Database.hear`."""
        if self.connection.dialect.name == "postgresql":
            self.connection.execute(select(func.pg_notify(CHANNEL, text)))

    @overload
    def execute(
        self, statement: TypedReturnsRows[*Ts], parameters: Parameters = None
    ) -> CursorResult[*Ts]: ...
    @overload
    def execute(
        self, statement: Executable, parameters: Parameters = None
    ) -> CursorResult[*tuple[Any, ...]]: ...
    def execute(self, statement: Executable, parameters: Parameters = None) -> Any:
        """Execute a statement, once or for several sets of parameters."""
        if statement.is_dml:
            if self._is_read_only:
                raise MustWriteError
            self.has_written = True
        return self.connection.execute(statement, parameters)

    @overload
    def scalar(self, statement: TypedReturnsRows[T], parameters: Parameters = None) -> T | None: ...
    @overload
    def scalar(self, statement: Executable, parameters: Parameters = None) -> Any: ...
    def scalar(self, statement: Executable, parameters: Parameters = None) -> Any:
        """Return the first column of the first row; None without one."""
        return self.execute(statement, parameters).scalar()

    @overload
    def scalars(
        self, statement: TypedReturnsRows[T], parameters: Parameters = None
    ) -> ScalarResult[T]: ...
    @overload
    def scalars(
        self, statement: Executable, parameters: Parameters = None
    ) -> ScalarResult[Any]: ...
    def scalars(self, statement: Executable, parameters: Parameters = None) -> ScalarResult[Any]:
        return self.execute(statement, parameters).scalars()


Body = Callable[[Transaction], T]
"""The body of a transaction. It runs in a thread of the database's, and must touch nothing else."""

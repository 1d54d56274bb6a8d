"""The transaction in which stores read and write."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, TypeVarTuple, overload

from sqlalchemy import Connection, CursorResult, Executable, ScalarResult, func, select
from sqlalchemy.sql.selectable import TypedReturnsRows

from bot.db.keys import Key

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

CHANNEL = "focdle"
"""PostgreSQL's channel for what `Transaction.tell` sends by `NOTIFY`."""

Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class MustWriteError(Exception):
    """A read-only transaction was asked to insert, update or delete rows."""


class Transaction:
    """An open transaction.

    Args:
        take: locks more keys. It waits for the keys in its first argument. It raises
            `StorageBusyError` unless all keys in its second are free at once. None for SQLite.
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
        self.news = set[str]()
        self._is_read_only = is_read_only
        self._take = take

    def about(self, *keys: Key) -> None:
        """Lock more keys, which the body of the transaction has just found out.

        A key that sorts before the last one held must be free at once, else `StorageBusyError`:
        waiting for it might cause a deadlock. A transaction without keys has locked everything.
        """
        if self.keys is None:
            return
        more, last = sorted(set(keys) - self.keys), max(self.keys)
        if more and self._take is not None:
            self._take([k for k in more if k > last], [k for k in more if k < last])
        self.keys.update(more)

    def changed(self, *what: object) -> None:
        """Have whoever watches the database told of changes, by their names, after the commit.

        None, as of a channel whose server's data are deleted, is nobody's news.
        """
        self.news.update(str(each) for each in what if each is not None)

    def tell(self, text: str) -> None:
        """Send a text with the commit to all processes that listen; SQLite sends none."""
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
        """Execute a statement, once or for several sets of parameters.

        Raises `MustWriteError` if it changes rows in a read-only transaction.
        """
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
        """Execute a statement; return the first column of its first row, None if it has no row."""
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
"""The body of a transaction, run in a thread of the database's; it changes nothing but rows."""

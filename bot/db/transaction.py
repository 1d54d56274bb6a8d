"""What stores work in."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, TypeVarTuple, overload

from sqlalchemy import Connection, CursorResult, Executable, ScalarResult, func, select
from sqlalchemy.sql.selectable import TypedReturnsRows

from bot.db.keys import Key

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

CHANNEL = "focdle"
"""On which PostgreSQL's processes are told something."""

Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None


class MustWriteError(Exception):
    """What only reads would have to write."""


class Transaction:
    """An open transaction: one that may write, or one that only reads.

    Args:
        connection: where it is open.
        keys: what it is about; none for everything.
        is_read_only: whether it refuses to write.
        take: takes more keys: those for which it may wait, and those for which it may not; None
            where one transaction at a time writes.

    Attributes:
        keys: what it is about by now; None for everything, or if it only reads.
        has_written: whether it has changed anything.
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
        """Be about more things, which were found out midway.

        Nobody waits for what comes before anything they have, or two might wait for each other.

        Raises:
            StorageBusyError: others are about them, for too long.
        """
        if self.keys is None:
            return
        more, last = sorted(set(keys) - self.keys), max(self.keys)
        if more and self._take is not None:
            self._take([k for k in more if k > last], [k for k in more if k < last])
        self.keys.update(more)

    def tell(self, text: str) -> None:
        """Let all processes that listen know something, with the commit; see `Database.hear`."""
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
        """Execute a statement, or the same one with several parameters.

        Raises:
            MustWriteError: it writes, and the transaction only reads.
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
        """The first column of the first row; None without one."""
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
        """The first column of each row."""
        return self.execute(statement, parameters).scalars()


Body = Callable[[Transaction], T]
"""What is done in a transaction, in a thread of the database's: it touches nothing else."""

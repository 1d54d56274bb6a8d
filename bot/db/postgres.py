"""PostgreSQL: a server that many processes share, reached by a pool of connections.

Each writing transaction takes an advisory lock for each of its keys, in order, and shares one for
everything; a transaction without keys has only that one. The locks end with the transaction, even
when its process is killed. `FOR UPDATE` would not do: it cannot lock a row that does not exist yet.
"""

import logging
import selectors
import socket
import time
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from threading import Event, Lock, Thread
from typing import Any, ClassVar, Final

import psycopg
from sqlalchemy import URL, Connection, Engine, create_engine, text
from sqlalchemy.exc import DBAPIError

from bot.db.keys import EVERYTHING, Key
from bot.db.postgres_url import CONNECT_SECONDS, with_defaults
from bot.db.transaction import CHANNEL, Transaction
from bot.errors import (
    LostDatabaseError,
    StorageBusyError,
    UnfitDatabaseError,
    UnusableDatabaseError,
)

log = logging.getLogger(__name__)

_LISTEN_AGAIN_SECONDS: Final = 1.0
_TRANSACTION: Final = text("SELECT pg_current_xact_id_if_assigned()::text")
# A server's lifetime: the first changes at each start; the other also after a crash, which resets
# its statistics.
_LIFE: Final = text(
    "SELECT concat(pg_postmaster_start_time(), (SELECT stats_reset FROM pg_stat_bgwriter))"
)
_OUTCOME: Final = text("SELECT pg_xact_status(CAST(CAST(:number AS text) AS xid8))")
_IN_LIFE: Final = "life"
_OLDEST: Final = 13
_ENCODING: Final = "UTF8"
_PID: Final = text("SELECT pg_backend_pid()")
# How often the outcome of a commit is asked for when its answer was lost.
_ASK_AGAIN_SECONDS: Final = 0.1
_NO_POOLER: Final = (
    "DATABASE_URL leads to a pooler in transaction mode, where a connection loses what it has "
    "prepared and hears nothing of other processes. Name the server itself there, or a pool in "
    "session mode."
)

# https://www.postgresql.org/docs/current/errcodes-appendix.html
_BUSY: Final = (
    "40001",  # serialization_failure
    "40P01",  # deadlock_detected
    "53300",  # too_many_connections
    "55P03",  # lock_not_available
)
# A pooler has given the session to another client: its prepared statements are gone.
_POOLED: Final = (
    "26000",  # invalid_sql_statement_name
    "42P05",  # duplicate_prepared_statement
)
_LOST: Final = (
    "08",  # connection_exception
    "57P",  # the server is told to stop, has crashed, or is about to start
)
_UNUSABLE: Final = (
    "25006",  # read_only_sql_transaction: a standby
    "28",  # invalid_authorization_specification
    "3D",  # invalid_catalog_name: there is no such database
    "42501",  # insufficient_privilege
    "53",  # insufficient_resources: the disk is full
    "58",  # system_error
    "XX",  # internal_error: what is stored is damaged
)
# Errors of login come without a code.
_REFUSED: Final = ("authentication failed", "does not exist", "permission denied", "pg_hba.conf")
_TOO_MANY: Final = "too many"


class Postgres:
    """PostgreSQL as a `Backend`: transactions with different keys run side by side."""

    writers: ClassVar[int] = 6
    readers: ClassVar[int] = 4
    has_locks: ClassVar[bool] = True

    def __init__(self, url: URL) -> None:
        self._engine = create_engine(
            with_defaults(url).set(drivername="postgresql+psycopg"),
            hide_parameters=True,
            pool_size=self.writers + self.readers,
            max_overflow=0,
        )
        self._reads = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._writes = self._engine.execution_options(isolation_level="READ COMMITTED")
        self._listener: Listener | None = None
        self._listening = Lock()

    def test(self) -> str:
        """Return the server's version, if the bot can work with it; else `UnfitDatabaseError`."""
        with _translated_errors(), self._engine.connect() as one, self._engine.connect() as other:
            version: str = one.scalar(text("SHOW server_version"))
            number = int(one.scalar(text("SHOW server_version_num")))
            encoding: str = one.scalar(text("SHOW server_encoding"))
            one.rollback()
            is_pooled = _is_pooled(one, other)
        if number // 10_000 < _OLDEST:
            raise UnfitDatabaseError(
                f"PostgreSQL {version} is too old. The bot needs version {_OLDEST} or newer."
            )
        if encoding != _ENCODING:
            raise UnfitDatabaseError(
                f"The database's encoding is {encoding}, which lacks signs that players type. Make "
                f"one in {_ENCODING}, and name it in DATABASE_URL: createdb "
                f"--encoding={_ENCODING} --template=template0 NAME"
            )
        if is_pooled:
            raise UnfitDatabaseError(_NO_POOLER)
        return version

    @contextmanager
    def writing(self, keys: Collection[Key], until: float) -> Generator[Transaction]:
        """Run a block as a transaction that holds the locks of its keys."""
        with _translated_errors(), ExitStack() as stack:
            connection = stack.enter_context(self._writes.connect())
            try:
                _begin(connection, keys, until)
            except DBAPIError as error:
                if not error.connection_invalidated:
                    raise
                # The server has closed the idle connection.
                connection = stack.enter_context(self._writes.connect())
                _begin(connection, keys, until)
            tx = Transaction(connection, keys, take=partial(_take, connection, until))
            yield tx
            self._commit(tx, until)

    @contextmanager
    def reading(self, until: float) -> Generator[Transaction]:
        with _translated_errors(), self._reads.connect() as connection:
            yield Transaction(connection, is_read_only=True)

    def hear(self, hear: Callable[[str | None], None]) -> None:
        """Subscribe a function to all texts; one thread listens for all subscribers."""
        with self._listening:
            if self._listener is None:
                self._listener = Listener(self._engine)
        self._listener.add(hear, CONNECT_SECONDS)

    def checkpoint(self) -> bool:
        """Do nothing: the server manages its own log."""
        return True

    def close(self) -> None:
        if self._listener is not None:
            self._listener.close()
        self._engine.dispose()

    def _commit(self, tx: Transaction, until: float) -> None:
        """Commit; if the server's answer is lost, ask whether the commit took place.

        Raises the driver's error if it did not, or if that cannot be found out by `until`.
        """
        number: str | None = tx.connection.scalar(_TRANSACTION) if tx.has_written else None
        life: str = tx.connection.info[_IN_LIFE]
        try:
            tx.connection.commit()
        except DBAPIError as error:
            if number is None or not _is_lost(error):
                raise
            if not self._is_committed(number, life, until):
                raise

    def _is_committed(self, number: str, life: str, until: float) -> bool:
        """Ask on another connection whether a transaction was committed; false if nobody can tell.

        After a crash the server reuses transaction numbers that never reached the disk. So the
        answer counts only within one lifetime of the server.
        """
        while True:
            with suppress(DBAPIError), self._engine.connect() as connection:
                outcome = connection.scalar(_OUTCOME, {"number": number})
                if outcome != "in progress":
                    return bool(outcome == "committed" and connection.scalar(_LIFE) == life)
            if time.monotonic() > until:
                return False
            time.sleep(_ASK_AGAIN_SECONDS)  # blocks a thread of the pool


class Listener:
    """A thread that listens on a connection of its own, and reconnects if that is lost.

    It calls every subscriber with each text, and with None when texts may have been missed.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._hearers: list[Callable[[str | None], None]] = []
        self._telling = Lock()
        self._has_begun = Event()
        self._ends, self._end = socket.socketpair()
        self._is_closed = Event()
        self._thread = Thread(target=self._listen, name="database listener", daemon=True)
        self._thread.start()

    def add(self, hear: Callable[[str | None], None], seconds: float) -> None:
        """Add a subscriber, and wait for at most `seconds` until the thread listens."""
        with self._telling:
            self._hearers.append(hear)
            if self._has_begun.is_set():
                hear(None)
        self._has_begun.wait(seconds)

    def close(self) -> None:
        if not self._is_closed.is_set():
            self._is_closed.set()
            self._end.close()
            self._thread.join()
            self._ends.close()

    def _listen(self) -> None:
        while not self._is_closed.is_set():
            try:
                self._listen_until_lost()
            except (DBAPIError, psycopg.Error, OSError) as error:
                if self._has_begun.is_set():  # else the error was logged already
                    log.info("what other processes tell is not heard: %s", type(error).__name__)
            self._has_begun.clear()
            self._is_closed.wait(_LISTEN_AGAIN_SECONDS)

    def _listen_until_lost(self) -> None:
        pooled = self._engine.raw_connection()
        driver: Any = pooled.driver_connection
        pooled.detach()  # the pool must not reuse it
        with driver, selectors.DefaultSelector() as selector:
            driver.autocommit = True
            driver.execute(f"LISTEN {CHANNEL}")
            with self._telling:  # texts before this moment may have been missed
                self._has_begun.set()
                self._tell(None)
            selector.register(driver.fileno(), selectors.EVENT_READ)
            selector.register(self._ends, selectors.EVENT_READ)
            while not self._is_closed.is_set():
                # Those that came together with another answer, too.
                for told in driver.notifies(timeout=0):
                    with self._telling:
                        self._tell(told.payload)
                selector.select()

    def _tell(self, told: str | None) -> None:
        """Call all subscribers; the caller holds `_telling`."""
        for hear in self._hearers:
            hear(told)


def _is_pooled(one: Connection, other: Connection) -> bool:
    """Return true if two connections meet in one session, as with a pooler in transaction mode."""
    process = one.scalar(_PID)
    one.rollback()
    if other.scalar(_PID) == process:
        return True
    found = one.scalar(_PID)
    one.rollback()
    other.rollback()
    return bool(found != process)


def _begin(connection: Connection, keys: Collection[Key], until: float) -> None:
    first = _lock("pg_advisory_xact_lock_shared" if keys else "pg_advisory_xact_lock", EVERYTHING)
    connection.execute(_locks(keys, until, first))
    if _IN_LIFE not in connection.info:  # cached as long as the connection
        connection.info[_IN_LIFE] = connection.scalar(_LIFE)


def _take(
    connection: Connection, until: float, waits_for: Sequence[Key], tries: Sequence[Key]
) -> None:
    for key in tries:
        if not connection.scalar(text(f"SELECT pg_try_advisory_xact_lock({key.number})")):
            raise StorageBusyError
    if waits_for:
        connection.execute(_locks(waits_for, until))


def _lock(function: str, key: Key) -> str:
    return f"{function}({key.number})"


def _locks(keys: Collection[Key], until: float, *before: str) -> Any:
    """Build a statement that evaluates the SQL expressions `before`, then locks keys in order.

    Each wait for a lock ends at `until`: the server works out anew how much of that time is left.
    """
    left = max(1, round((until - time.monotonic()) * 1000))
    gone = "1000 * extract(epoch FROM clock_timestamp() - statement_timestamp())"
    limit = f"set_config('lock_timeout', greatest(1, {left} - {gone})::int::text, true)"
    locks = [*before, *(_lock("pg_advisory_xact_lock", key) for key in keys)]
    return text(f"SELECT {', '.join(part for lock in locks for part in (limit, lock))}")


@contextmanager
def _translated_errors() -> Generator[None]:
    """Translate errors of PostgreSQL, the network and the driver into ours, where we have one."""
    try:
        yield
    except DBAPIError as error:
        _hide_values(error)
        words, code = str(error.orig) or "no answer in time", _code_of(error)
        if _is_lost(error):
            if _TOO_MANY in words:
                raise StorageBusyError from error
            if any(refused in words for refused in _REFUSED):
                raise UnusableDatabaseError(words) from error
            raise LostDatabaseError(words) from error
        if code in _BUSY:
            raise StorageBusyError from error
        if code in _POOLED:
            raise UnfitDatabaseError(_NO_POOLER) from error
        if code.startswith(_UNUSABLE):
            raise UnusableDatabaseError(words) from error
        raise


def _hide_values(error: DBAPIError) -> None:
    """Remove the detail of an error, in which the server quotes whole rows with their secrets."""
    diagnosis: Any = getattr(error.orig, "diag", None)
    if error.orig is not None and diagnosis is not None and diagnosis.message_primary:
        words, error.orig.args = str(error.orig), (diagnosis.message_primary,)
        error.args = (str(error.args[0]).replace(words, diagnosis.message_primary),)


def _is_lost(error: DBAPIError) -> bool:
    code = _code_of(error)
    has_hung_up = isinstance(error.orig, psycopg.OperationalError) and not code
    return error.connection_invalidated or has_hung_up or code.startswith(_LOST)


def _code_of(error: DBAPIError) -> str:
    return getattr(error.orig, "sqlstate", None) or ""

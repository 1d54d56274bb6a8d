"""The ways to the database, whatever kind it is: to write, to read; and its migrations."""

import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final, Protocol, Self, TypeVar

from sqlalchemy import Connection, inspect, make_url, text
from sqlalchemy.exc import DBAPIError

from bot.db.backend import Backend
from bot.db.keys import Key
from bot.db.measured import MeasuredBackend
from bot.db.sqlite import SqliteBackend, file_of
from bot.db.transaction import Body, MustWriteError, Transaction
from bot.errors import (
    NewerDatabaseError,
    NoDriverError,
    OlderDatabaseError,
    StorageBusyError,
    UnfinishedDatabaseError,
    UnusableDatabaseError,
)
from bot.gauges import Gauges
from bot.patience import MOST_SECONDS, patience

log = logging.getLogger(__name__)
T = TypeVar("T")

_VERSIONS: Final = Path(__file__).parent / "migrations" / "versions"
# So long a reader waits for others in any case: none takes long, and who has waited in vain to
# write something down first may still be shown what they asked for.
_FOR_READERS_SECONDS: Final = 0.25
# Revisions that came before the first migration there is, and who had them last.
_GONE: Final = frozenset(f"{number:04}" for number in range(1, 25))
_HAD_THEM_LAST: Final = "0.1.0"
# This version works all ratings out anew, and notes from this revision on that it is at it.
_RATED_BY: Final = "0.2.0"
_RATES_FROM: Final = "0037"
_IS_RATING: Final = (
    "SELECT EXISTS (SELECT 1 FROM facts"
    " WHERE name = 'ratings are worked out anew' AND value = 'folding')"
)
_HAS_RATINGS: Final = (
    "SELECT EXISTS (SELECT 1 FROM ratings) OR EXISTS (SELECT 1 FROM kept_ratings)"
    " OR EXISTS (SELECT 1 FROM rating_changes)"
)


class Copies(Protocol):
    """Copies that are made before migrations."""

    def make(self, file: Path | None, revision: str) -> None:
        """Copy a database, which has had this migration last; None where it is no file."""
        ...

    def to_go_back_to(self) -> Path | None:
        """A copy that this version can use, if there is any."""
        ...


class Database:
    """Owns the connections. Nothing else opens, commits or rolls back.

    What writes goes through `transaction`, and is alone with what it is about, so that what it
    reads is still true when it writes. What only reads goes through `reading`, and waits for
    nobody who writes.
    """

    def __init__(self, backend: Backend, patience: float) -> None:
        self._backend: Backend = backend
        self._patience = patience

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        patience: float = MOST_SECONDS,
        must_exist: bool = False,
        copies: Copies | None = None,
        waits: bool = False,
    ) -> Self:
        """Connect, and bring the schema up to date.

        Args:
            url: a file of SQLite, or a database of PostgreSQL's, as an SQLAlchemy URL.
            patience: seconds to wait at most, for others within the process and without.
            must_exist: refuse to make the file.
            copies: makes one before a migration; None where nobody wants any.
            waits: while another process holds it, as one that brings it up to date does.

        Raises:
            DamagedDatabaseError: its file is damaged, or none of SQLite's.
            NewerDatabaseError: a later version of this program has written it.
            NoDatabaseError: it is not there and must be.
            NoDriverError: what speaks with such a database is not installed.
            OlderDatabaseError: only an earlier version can bring it up to date.
            StorageBusyError: another process holds it.
            UnfitDatabaseError: the bot cannot work with it.
            UnusableDatabaseError: it cannot be opened or written to, or is no database.
        """
        database = cls(_backend(url, must_exist=must_exist), patience)
        try:
            await database.test()
            await database._bring_up_to_date(url, copies, waits=waits)
        except NewerDatabaseError as error:
            await database.close()
            raise NewerDatabaseError(None if copies is None else copies.to_go_back_to()) from error
        except DBAPIError as error:
            await database.close()
            raise UnusableDatabaseError(str(error.orig)) from error
        except BaseException:
            await database.close()
            raise
        return database

    async def _bring_up_to_date(self, url: str, copies: Copies | None, *, waits: bool) -> None:
        is_told = False
        while True:
            try:
                async with self.transaction() as tx:
                    return await tx.run_sync(lambda connection: _migrate(connection, url, copies))
            except StorageBusyError:
                if not waits:
                    raise
                if not is_told:
                    log.info("waiting for the process that brings the database up to date")
                is_told = True

    @classmethod
    def as_it_is(cls, url: str, *, patience: float = MOST_SECONDS) -> Self:
        """A database that is there, to be looked at as it is: it is not brought up to date.

        It connects when it is first used. A file can only be read, and nothing beside it changes.

        Args:
            url: as for `open`.
            patience: as for `open`.

        Raises:
            NoDatabaseError: it is not there.
            NoDriverError: what speaks with such a database is not installed.
        """
        return cls(_backend(url, must_exist=True, as_it_is=True), patience)

    async def test(self) -> str:
        """Make sure that the bot can work with it; the version of its server, if it has one.

        Raises:
            UnfitDatabaseError: it cannot.
            UnusableDatabaseError: nor can anybody.
        """
        return await self._backend.test()

    def transaction(self, *keys: Key) -> AbstractAsyncContextManager[Transaction]:
        """A transaction that commits at the end, and rolls back on errors.

        Args:
            keys: what it is about: it is alone with that. None for everything.

        Raises:
            StorageBusyError: others were there for too long.
            ClosingError: the database is being closed.
            UnusableDatabaseError: it cannot be read or written any more.
        """
        return self._backend.writing(keys, self._until())

    def reading(self) -> AbstractAsyncContextManager[Transaction]:
        """A transaction that sees all that was committed when it began, and writes nothing.

        Raises:
            MustWriteError: it would have written.
            StorageBusyError: too many read already, for too long.
            ClosingError, UnusableDatabaseError: as `transaction`.
        """
        return self._backend.reading(self._until_for_readers())

    async def write(self, body: Body[T], *keys: Key) -> T:
        """What comes of a body in a transaction of its own, which commits as `transaction` does.

        It is the quicker way, and the one for what many do at once: on SQLite the body runs in
        the thread of the database from end to end.

        Args:
            body: what is done; it awaits nothing but its statements.
            keys: what it is about. None for everything.

        Raises:
            As `transaction`, and what the body raises.
        """
        return await self._backend.write(body, keys, self._until())

    async def read(self, body: Body[T]) -> T:
        """What comes of a body that only reads, in a transaction of its own; like `write`.

        Raises:
            As `reading`, and what the body raises.
        """
        return await self._backend.read(body, self._until_for_readers())

    async def look(self, body: Body[T], *keys: Key) -> T:
        """Read; what finds that it must write begins anew, with a transaction that may.

        Args:
            body: reads, and seldom writes; may be called twice.
            keys: what it is about if it writes.

        Raises:
            StorageBusyError, ClosingError, UnusableDatabaseError: as `transaction`.
        """
        with suppress(MustWriteError):
            return await self.read(body)
        return await self.write(body, *keys)

    def measure(self, gauges: Gauges) -> None:
        """From now on, tell gauges how long transactions wait and take; before, that is free."""
        self._backend = MeasuredBackend(self._backend, gauges)

    async def hear(self, hear: Callable[[str | None], None]) -> None:
        """From now on, hear what transactions `tell`, also those of other processes.

        Several may; each hears everything. Where processes cannot tell each other anything,
        nothing is heard.

        Args:
            hear: is called with what was told; with None where something may have been missed,
                as when the connection is lost.
        """
        await self._backend.hear(hear)

    async def empty_log(self) -> bool:
        """Write the log of the last changes into the database itself, and empty it.

        Else it has for a while what was deleted from there.

        Returns:
            Whether it is empty now, as far as that can be done from here.

        Raises:
            As `transaction`.
        """
        return await self._backend.empty_log(self._until())

    async def close(self, last: Callable[[Transaction], Awaitable[None]] | None = None) -> None:
        """Let open transactions finish, refuse new ones, disconnect. May be called twice.

        Args:
            last: what is to be done before that, the first time, in a transaction of its own;
                what it raises is raised when the database is closed.
        """
        await self._backend.close(last, self._patience)

    def _until(self) -> float:
        return time.monotonic() + patience(self._patience)

    def _until_for_readers(self) -> float:
        return max(self._until(), time.monotonic() + _FOR_READERS_SECONDS)


def file_at(url: str) -> Path | None:
    """The file of a database; None where it is none, or the URL does not say so in many words."""
    return file_of(make_url(url))


def are_same(url: str, other: str) -> bool:
    """Whether two URLs name one database, as far as they tell."""
    first, second = make_url(url), make_url(other)
    kinds = {first.get_backend_name(), second.get_backend_name()}
    return len(kinds) == 1 and first.set(drivername="x") == second.set(drivername="x")


def _backend(url: str, *, must_exist: bool, as_it_is: bool = False) -> Backend:
    made = make_url(url)
    if made.get_backend_name() == "sqlite":
        return SqliteBackend(made, must_exist=must_exist, as_it_is=as_it_is)
    # Only who has such a database has what it needs; others start no later for it.
    try:
        postgres = import_module("bot.db.postgres")
    except ModuleNotFoundError as error:
        raise NoDriverError from error
    opened: Backend = postgres.PostgresBackend(made)
    return opened


@cache
def known_revisions() -> tuple[str, ...]:
    """All migrations there are, in order: their files' names begin with four digits each."""
    return tuple(sorted(path.name[:4] for path in _VERSIONS.glob("[0-9]*.py")))


def revision_of(connection: Connection) -> str | None:
    """The last migration that the database has had; None if it is new.

    Raises:
        OlderDatabaseError: only an earlier version of this program can bring it up to date.
    """
    is_old = inspect(connection).has_table("alembic_version")
    query = text("SELECT version_num FROM alembic_version")
    revision: str | None = connection.scalar(query) if is_old else None
    if revision in _GONE:
        raise OlderDatabaseError(_HAD_THEM_LAST)
    if revision in known_revisions()[:-1]:
        is_unfinished = _HAS_RATINGS if revision < _RATES_FROM else _IS_RATING
        if connection.scalar(text(is_unfinished)):
            raise UnfinishedDatabaseError(_RATED_BY)
    return revision


def _migrate(connection: Connection, url: str, copies: Copies | None) -> None:
    revision = revision_of(connection)
    if revision != known_revisions()[-1]:
        if copies is not None and revision in known_revisions():
            copies.make(file_at(url), revision)
        # At nearly every start there is nothing to do, and its tools need not be loaded.
        import_module("bot.db.migrating").upgrade(connection)
    # What may only be read, another user's file say, fails here and not at the first guess.
    connection.execute(text("UPDATE alembic_version SET version_num = version_num"))

"""PostgreSQL, which many processes share: who waits for whom, and what is said when it fails.

Each `Database` here is what one process has.
"""

import asyncio
import threading
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Generator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

import pytest
from sqlalchemy import func, insert, make_url, select, text
from sqlalchemy.exc import IntegrityError

from bot.clock import wait_only
from bot.db import facts, keys
from bot.db.database import Database, Transaction
from bot.db.keys import Key
from bot.db.tables.bookkeeping import facts as rows
from bot.errors import (
    LostDatabaseError,
    StorageBusyError,
    UnfitDatabaseError,
    UnusableDatabaseError,
)
from tests.support.open_transactions import OpenTransaction, opened
from tests.support.postgres import PostgresServer
from tests.support.unhurried import AMPLE_SECONDS
from tests.support.waiting import until_so

_GONE = (asyncio.IncompleteReadError, ConnectionError)


@asynccontextmanager
async def pooled(server: Path, folder: Path) -> AsyncGenerator[None]:
    """A pooler before the server whose socket is in one folder; its own is in the other."""
    reader, writer = await asyncio.open_unix_connection(str(server / ".s.PGSQL.5432"))
    pooler = _Pooler(reader, writer)
    serving = await asyncio.start_unix_server(pooler.serve, str(folder / ".s.PGSQL.5432"))
    yield
    await pooler.all_gone()
    serving.close()
    writer.close()
    await writer.wait_closed()


class _Pooler:
    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._turn = asyncio.Lock()
        self._welcome = b""
        self._serving: list[asyncio.Task[None] | None] = []

    async def all_gone(self) -> None:
        """Wait until everybody has hung up."""
        await asyncio.gather(*filter(None, self._serving))

    async def serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        """Let somebody in as whoever was the first, and then have the server between two turns."""
        self._serving.append(asyncio.current_task())
        with suppress(*_GONE):
            first = await reader.readexactly(4)
            first += await reader.readexactly(int.from_bytes(first) - 4)
            async with self._turn:
                if not self._welcome:
                    self._writer.write(first)
                    self._welcome = await self._answer()
            writer.write(self._welcome)
            while True:
                message = await _message(reader)
                if message[:1] == b"X":  # which ends the connection
                    break
                async with self._turn:
                    await self._transaction(message, reader, writer)
        writer.close()
        with suppress(*_GONE):
            await writer.wait_closed()

    async def _transaction(
        self, message: bytes, reader: StreamReader, writer: StreamWriter
    ) -> None:
        self._writer.write(message)
        back = asyncio.create_task(self._carry_back(writer))
        while True:
            there = asyncio.create_task(_message(reader))
            await asyncio.wait({back, there}, return_when=asyncio.FIRST_COMPLETED)
            if not there.done():
                there.cancel()
                await asyncio.wait({there})
                return
            if back.done():
                back = asyncio.create_task(self._carry_back(writer))
            self._writer.write(there.result())

    async def _carry_back(self, writer: StreamWriter) -> None:
        """Hand out answers until the server is idle, and that outside of a transaction."""
        message = b""
        while message[:1] + message[-1:] != b"ZI":
            message = await _message(self._reader)
            writer.write(message)

    async def _answer(self) -> bytes:
        """All until the server is ready for the next query."""
        found = b""
        while True:
            message = await _message(self._reader)
            found += message
            if message[:1] == b"Z":
                return found


async def _message(reader: StreamReader) -> bytes:
    head = await reader.readexactly(5)
    return head + await reader.readexactly(int.from_bytes(head[1:]) - 4)


ANN, BEN, DUEL, SERVER = keys.player(1), keys.player(2), keys.game("duel", 1), keys.server(1)


@pytest.fixture
async def here(postgres_url: str) -> AsyncGenerator[Database]:
    """One whose server default is another one than what the bot asks for."""
    options = "-c default_transaction_isolation=serializable"
    url = make_url(postgres_url).update_query_dict({"application_name": "here", "options": options})
    database = await Database.open(url.render_as_string(hide_password=False))
    yield database
    await database.close()


@pytest.fixture
async def there(postgres_url: str) -> AsyncGenerator[Database]:
    """The same database, from another process."""
    database = await Database.open(postgres_url)
    yield database
    await database.close()


def putting(name: str, value: str) -> Callable[[Transaction], None]:
    return lambda tx: facts.put(tx, name, value)


def getting(name: str) -> Callable[[Transaction], str | None]:
    return lambda tx: facts.get(tx, name)


async def put(database: Database, name: str, value: str, *about: Key) -> None:
    await database.write(putting(name, value), *about)


async def value(database: Database, name: str) -> str | None:
    return await database.read(getting(name))


async def take(database: Database, about: Key, midway: Key) -> None:
    await database.write(lambda tx: tx.about(midway), about)


async def in_vain(waiting: Coroutine[None, None, None]) -> None:
    """Something that is not done, since others are about the same; it waits for a moment."""

    async def wait() -> None:
        wait_only(lambda: 0.1)
        with pytest.raises(StorageBusyError):
            await waiting

    await asyncio.create_task(wait())


@pytest.mark.parametrize(
    ("held", "wanted"),
    [
        ([ANN], [ANN]),
        ([ANN, BEN], [BEN]),
        ([DUEL, ANN], [ANN, SERVER]),
        ([], []),
        ([], [ANN]),
        ([ANN], []),
    ],
)
async def test_two_transactions_with_the_same_key_never_overlap_even_across_processes(
    here: Database, there: Database, held: list[Key], wanted: list[Key]
) -> None:
    async with opened(here.write, *held) as tx:
        await tx.do(putting("name", "first"))
        for database in (here, there):  # in other rows, for which nobody would wait
            await in_vain(put(database, "other", "second", *wanted))
    await put(there, "other", "third", *wanted)
    assert [await value(here, name) for name in ("name", "other")] == ["first", "third"]


async def test_transactions_with_different_keys_run_side_by_side(
    here: Database, there: Database
) -> None:
    async with opened(here.write, ANN), opened(here.write, DUEL):
        await put(there, "ben", "there", BEN)
        await put(here, "server", "here", SERVER)
    assert (await value(here, "ben"), await value(there, "server")) == ("there", "here")


async def test_many_transactions_with_one_key_run_one_after_the_other(
    postgres_url: str, here: Database
) -> None:
    patient = [await Database.open(postgres_url) for _ in range(3)]

    def count(tx: Transaction) -> None:
        facts.put(tx, "count", str(int(facts.get(tx, "count") or 0) + 1))

    await asyncio.gather(*(patient[n % 3].write(count, ANN) for n in range(60)))
    assert await value(here, "count") == "60"
    for database in patient:
        await database.close()


async def test_the_time_that_a_transaction_waited_for_one_key_is_missing_for_the_next(
    here: Database, there: Database
) -> None:
    waits = text("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")

    async def is_waiting() -> bool:
        return await there.read(lambda tx: tx.scalar(waits) == 1)

    limit = text("SELECT setting FROM pg_settings WHERE name = 'lock_timeout'")  # in ms
    async with opened(there.write, DUEL):
        left = asyncio.create_task(here.write(lambda tx: int(tx.scalar(limit)), DUEL, ANN))
        await until_so(is_waiting)
        began = monotonic()
        for _ in range(100):
            assert await is_waiting()
        waited = monotonic() - began
    assert await left <= (AMPLE_SECONDS - waited) * 1000 + 1


async def test_a_transaction_fails_at_once_for_a_taken_key_that_sorts_before_its_own(
    here: Database, there: Database
) -> None:
    async with opened(here.write, ANN) as first:

        def body(second: Transaction) -> None:
            second.about(SERVER)
            with pytest.raises(StorageBusyError):
                second.about(ANN)  # it comes before the server

        await there.write(body, DUEL)
        await first.do(lambda tx: tx.about(SERVER))
        await in_vain(take(there, BEN, SERVER))


async def test_a_key_taken_during_a_transaction_is_held_to_its_end(
    here: Database, there: Database
) -> None:
    async with opened(here.write, DUEL) as tx:
        await tx.do(lambda tx: tx.about(ANN, BEN))
        await tx.do(lambda tx: tx.about(ANN))
        await in_vain(put(there, "name", "x", BEN))
    await put(there, "name", "x", BEN)


async def test_one_of_two_transactions_in_a_deadlock_over_rows_fails_as_busy(
    here: Database, there: Database
) -> None:
    for name in "ab":
        await put(here, name, "0")
    met = threading.Barrier(2)

    def both(names: str) -> Callable[[Transaction], None]:
        def body(tx: Transaction) -> None:
            facts.put(tx, names[0], "1")
            met.wait(AMPLE_SECONDS)
            facts.put(tx, names[1], "1")

        return body

    results = await asyncio.gather(
        here.write(both("ab"), ANN), there.write(both("ba"), BEN), return_exceptions=True
    )
    assert sorted(map(type, results), key=str) == sorted([StorageBusyError, type(None)], key=str)


async def test_a_read_waits_for_no_other_process_and_sees_one_snapshot(
    here: Database, there: Database
) -> None:
    await put(here, "name", "old")
    async with opened(there.write) as writing:
        await writing.do(putting("name", "new"))
        assert await value(here, "name") == "old"
    async with opened(here.read) as reading:
        assert await reading.do(getting("name")) == "new"
        await put(there, "name", "newer")
        assert await reading.do(getting("name")) == "new"
    assert await value(here, "name") == "newer"


async def test_a_write_sees_commits_made_while_it_waited(here: Database, there: Database) -> None:
    async with opened(here.write, ANN) as writing:
        assert await writing.do(getting("name")) is None
        await put(there, "name", "new", BEN)
        assert await writing.do(getting("name")) == "new"


async def test_inserting_a_row_that_another_process_inserted_raises_an_integrity_error(
    here: Database, there: Database
) -> None:
    await put(here, "name", "x")
    with pytest.raises(IntegrityError):
        await there.write(lambda tx: tx.execute(insert(rows).values(name="name", value="y")), ANN)
    assert await value(there, "name") == "x"


async def has_hung_up_on_here(there: Database) -> None:
    """Let the server hang up on the process `here`, and wait until it has."""
    name = "application_name = 'here'"
    end = text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {name}")
    assert all(await there.write(lambda tx: tx.scalars(end).all(), BEN))
    left = text(f"SELECT count(*) FROM pg_stat_activity WHERE {name}")

    async def is_gone() -> bool:
        return await there.write(lambda tx: tx.scalar(left) == 0, BEN)

    await until_so(is_gone)


@pytest.mark.parametrize("is_writing", [True, False])
async def test_a_lost_connection_is_reported_and_the_next_one_works(
    here: Database, there: Database, is_writing: bool
) -> None:
    with pytest.raises(LostDatabaseError):
        async with opened(here.write, ANN) as tx:
            if is_writing:
                await tx.do(putting("name", "never"))
            await has_hung_up_on_here(there)
            await tx.do(putting("name", "never"))
    await put(here, "name", "now", ANN)
    assert await value(there, "name") == "now"


async def test_a_connection_lost_during_a_transaction_is_reported(
    here: Database, there: Database
) -> None:
    with pytest.raises(LostDatabaseError):
        async with opened(here.write, ANN) as tx:
            await tx.do(putting("name", "never"))
            await has_hung_up_on_here(there)
    assert await value(here, "name") is None


async def test_a_transaction_after_the_server_hung_up_succeeds(
    here: Database, there: Database
) -> None:
    levels = list[str]()

    def note(tx: Transaction) -> None:
        levels.append(tx.connection.scalar(text("SHOW transaction_isolation")) or "")

    for asked in (here.write, here.read, here.write):
        await asked(note)
        await has_hung_up_on_here(there)
        await asked(note)
    assert levels == ["read committed"] * 2 + ["repeatable read"] * 2 + ["read committed"] * 2


class Wire:
    """A way to the server that may lose a commit, or the server's answer to it, and then breaks."""

    def __init__(self, server: str) -> None:
        self._server = server
        self.loses: str | None = None
        self.meanwhile: Callable[[], Awaitable[None]] | None = None
        self.connections: list[asyncio.Task[None]] = []

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.append(asyncio.create_task(self._carry(reader, writer)))

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await asyncio.open_unix_connection(self._server)
        is_broken = asyncio.Event()

        async def carry_back() -> None:
            while (data := await there.read(65536)) and self.loses != "its answer":
                writer.write(data)
            is_broken.set()

        async def carry_there() -> None:
            while data := await reader.read(65536):
                if b"COMMIT" in data and self.loses == "a commit":
                    break
                if b"COMMIT" in data and self.loses == "the answer":
                    self.loses = "its answer"
                back.write(data)
            is_broken.set()

        both = [asyncio.create_task(carry_back()), asyncio.create_task(carry_there())]
        await is_broken.wait()
        for task in both:
            task.cancel()
        await asyncio.gather(*both, return_exceptions=True)
        meanwhile, self.meanwhile, self.loses = self.meanwhile, None, None
        if meanwhile is not None:
            await meanwhile()
        for end in (back, writer):
            end.close()
            with suppress(ConnectionError):
                await end.wait_closed()


@asynccontextmanager
async def wire(url: str) -> AsyncGenerator[tuple[Wire, Database]]:
    made = make_url(url)
    carrying = Wire(f"{made.query['host']}/.s.PGSQL.5432")
    with TemporaryDirectory(prefix="wire") as folder:
        path = Path(folder) / ".s.PGSQL.5432"
        async with await asyncio.start_unix_server(carrying.accept, path):
            through = made.set(query={"host": folder})
            database = await Database.open(through.render_as_string(hide_password=False))
            yield carrying, database
            await database.close()
            await asyncio.gather(*carrying.connections)


async def test_a_commit_with_a_lost_reply_is_looked_up_and_not_repeated(
    postgres_url: str, here: Database
) -> None:
    done = list[str]()

    def losing(what: str, value: str) -> Callable[[Transaction], None]:
        def body(tx: Transaction) -> None:
            done.append(value)
            facts.put(tx, "name", value)
            carrying.loses = what

        return body

    async with wire(postgres_url) as (carrying, database):
        await database.write(losing("the answer", "kept"), ANN)
        assert carrying.loses is None
        assert await value(here, "name") == "kept"
        with pytest.raises(LostDatabaseError):
            await database.write(losing("a commit", "lost"), ANN)
        assert await value(here, "name") == "kept"
        assert done == ["kept", "lost"]
        await put(database, "name", "afterwards", ANN)
    assert await value(here, "name") == "afterwards"


@pytest.fixture
def own_server() -> Generator[PostgresServer]:
    """A server that may crash; what is committed outlives that."""
    server = PostgresServer(keeps=True)
    yield server
    server.stop()


async def when_started(url: str) -> str:
    database = Database.unmigrated(url)
    try:
        return await database.read(
            lambda tx: str(tx.connection.scalar(select(func.pg_postmaster_start_time())))
        )
    finally:
        await database.close()


@pytest.mark.long(only=True)
async def test_a_commit_lost_in_a_crash_is_not_mistaken_for_a_later_one_with_the_same_number(
    own_server: PostgresServer,
) -> None:
    """After a crash the server gives numbers again that nothing on the disk has."""
    url = own_server.url

    async def crash() -> None:
        since = await when_started(url)
        own_server.crash()

        async def is_there_again() -> bool:
            with suppress(UnusableDatabaseError):
                return await when_started(url) != since
            return False

        await until_so(is_there_again)
        database = await Database.open(url)
        for number in range(50):
            await put(database, f"other {number}", "committed")
        await database.close()

    def body(tx: Transaction) -> None:
        facts.put(tx, "name", "lost")
        carrying.loses, carrying.meanwhile = "a commit", crash

    async with wire(url) as (carrying, database):
        with pytest.raises(LostDatabaseError):
            await database.write(body, ANN)
        assert await value(database, "name") is None
        assert await value(database, "other 49") == "committed"


async def test_several_processes_may_open_a_new_database_at_once(
    postgres_url: str,
) -> None:
    first = await Database.open(postgres_url)

    def body(tx: Transaction) -> None:
        for statement in ("DROP SCHEMA public CASCADE", "CREATE SCHEMA public"):
            tx.execute(text(statement))

    await first.write(body)
    opened = await asyncio.gather(*(Database.open(postgres_url) for _ in range(3)))
    await put(first, "name", "x")
    assert [await value(database, "name") for database in opened] == ["x"] * 3
    for database in (first, *opened):
        await database.close()


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"database": "nowhere"}, UnusableDatabaseError),
        ({"username": "nobody_known"}, UnusableDatabaseError),
        ({"query": {"host": "/nowhere"}}, LostDatabaseError),
    ],
)
async def test_a_database_that_cannot_be_opened_is_reported_without_a_traceback(
    postgres_url: str, change: dict[str, object], error: type[UnusableDatabaseError]
) -> None:
    url = make_url(postgres_url).set(**change)  # pyright: ignore[reportArgumentType]
    with pytest.raises(error) as refused:
        await Database.open(url.render_as_string(hide_password=False))
    assert type(refused.value) is error


async def test_a_postgresql_url_with_parameters_opens(postgres_url: str) -> None:
    more = "sslmode=require&channel_binding=prefer&connect_timeout=10&application_name=bot"
    database = await Database.open(f"{postgres_url}&{more}&options=-c%20geqo%3Doff")

    def body(tx: Transaction) -> None:
        assert tx.scalar(text("SHOW application_name")) == "bot"
        assert tx.scalar(text("SHOW geqo")) == "off"

    await database.read(body)
    await database.close()


async def test_a_database_without_unicode_is_refused(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    postgres_server.query("CREATE DATABASE narrow ENCODING 'LATIN1' TEMPLATE template0")
    try:
        url = make_url(postgres_url).set(database="narrow")
        with pytest.raises(UnfitDatabaseError, match="encoding is LATIN1"):
            await Database.open(url.render_as_string())
    finally:
        postgres_server.query("DROP DATABASE narrow WITH (FORCE)")


async def test_a_pooler_in_transaction_mode_is_refused(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    with TemporaryDirectory(prefix="pooler-", dir="/tmp") as folder:
        async with pooled(postgres_server.folder, Path(folder)):
            url = make_url(postgres_url).set(query={"host": folder})
            with pytest.raises(UnfitDatabaseError, match="a pooler in transaction mode"):
                await Database.open(url.render_as_string())


async def test_transactions_beyond_the_number_of_connections_wait_their_turn(
    here: Database,
) -> None:
    begun = list[OpenTransaction]()
    async with AsyncExitStack() as stack:
        for number in range(6):
            begun.append(await stack.enter_async_context(opened(here.write, keys.player(number))))
        others = [
            asyncio.create_task(put(here, str(number), "x", keys.player(number)))
            for number in range(6, 40)
        ]
        await in_vain(put(here, "name", "never", SERVER))
        broken_off = others.pop()
        broken_off.cancel()
        assert not any(task.done() for task in others)
    await asyncio.gather(*others)
    assert [await value(here, str(number)) for number in (6, 38, 39)] == ["x", "x", None]


def telling(name: str) -> Callable[[Transaction], None]:
    """Write something, and name it."""

    def body(tx: Transaction) -> None:
        facts.put(tx, name, "told")
        tx.changed(name)

    return body


async def until_told(heard: asyncio.Queue[str | None], name: str | None) -> list[str | None]:
    """What was heard until then, with it."""
    told = [await heard.get()]
    while told[-1] != name:
        told.append(await heard.get())
    return told


async def test_a_commit_is_told_once_it_took_place_to_every_watcher_of_every_process(
    here: Database, there: Database
) -> None:
    heard = [asyncio.Queue[str | None]() for _ in range(3)]
    for one in heard[:2]:
        await here.watch(one.put_nowait)
    await there.watch(heard[2].put_nowait)

    def tell_and_fail(tx: Transaction) -> None:
        telling("never")(tx)
        raise LookupError

    with pytest.raises(LookupError):
        await here.write(tell_and_fail, ANN)
    async with opened(here.write, ANN) as tx:
        await tx.do(telling("later"))
        await there.write(telling("sooner"), BEN)
        told = [*await asyncio.gather(*(until_told(one, "sooner") for one in heard))]
    told += await asyncio.gather(*(until_told(one, "later") for one in heard))
    assert {name for names in told for name in names if name} == {"sooner", BEN.name, "later"}


async def test_a_listener_with_a_lost_connection_reconnects_and_learns_that_it_missed_something(
    here: Database, there: Database
) -> None:
    heard = asyncio.Queue[str | None]()
    await here.watch(heard.put_nowait)
    assert await heard.get() is None
    await has_hung_up_on_here(there)
    assert await heard.get() is None
    await there.write(telling("something"))
    assert await heard.get() == "something"


@pytest.mark.parametrize("is_lost", [True, False])
async def test_closing_the_database_does_not_wait_for_listeners(
    postgres_url: str, there: Database, is_lost: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.db.postgres._LISTEN_AGAIN_SECONDS", 10 * AMPLE_SECONDS)
    here = await Database.open(f"{postgres_url}&application_name=here")
    await here.watch(lambda _told: None)
    if is_lost:
        await has_hung_up_on_here(there)
    await here.close()
    await here.close()
    assert "database listener" not in {thread.name for thread in threading.enumerate()}

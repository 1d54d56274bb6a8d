"""PostgreSQL, which many processes share: who waits for whom, and what is said when it fails.

Each `Database` here is what one process has.
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from sqlalchemy import func, insert, make_url, select, text, update
from sqlalchemy.exc import IntegrityError

from bot.db import facts, keys
from bot.db.database import Database, Transaction
from bot.db.keys import Key
from bot.db.tables import facts as rows
from bot.errors import (
    ClosingError,
    LostDatabaseError,
    StorageBusyError,
    UnfitDatabaseError,
    UnusableDatabaseError,
)
from bot.patience import wait_only
from tests.support.pooler import pooled
from tests.support.postgres import PostgresServer
from tests.support.waiting import until_so

ANN, BEN, DUEL, SERVER = keys.player(1), keys.player(2), keys.duel(1), keys.server(1)


@pytest.fixture
async def here(postgres_url: str) -> AsyncGenerator[Database]:
    database = await Database.open(postgres_url)
    yield database
    await database.close()


@pytest.fixture
async def there(postgres_url: str) -> AsyncGenerator[Database]:
    """The same database, from another process."""
    database = await Database.open(postgres_url)
    yield database
    await database.close()


async def put(database: Database, name: str, value: str, *about: Key) -> None:
    await database.write(lambda tx: facts.put(tx, name, value), *about)


async def look(database: Database, name: str) -> str | None:
    return await database.read(lambda tx: facts.get(tx, name))


async def take(database: Database, about: Key, midway: Key) -> None:
    await database.write(lambda tx: tx.about(midway), about)


async def in_vain(waiting: Coroutine[None, None, None]) -> None:
    """Something that is not done, since others are about the same; it waits for a moment."""

    async def wait() -> None:
        wait_only(lambda: 0.1)
        with pytest.raises(StorageBusyError):
            await waiting

    await asyncio.create_task(wait())


async def value(database: Database, name: str) -> str | None:
    return await database.read(lambda tx: facts.get(tx, name))


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
async def test_nobody_else_is_about_the_same_in_this_process_or_another(
    here: Database, there: Database, held: list[Key], wanted: list[Key]
) -> None:
    async with here.transaction(*held) as tx:
        await facts.put(tx, "name", "first")
        for database in (here, there):
            await in_vain(put(database, "name", "second", *wanted))
    await put(there, "name", "second", *wanted)
    assert await value(here, "name") == "second"


async def test_what_is_about_different_things_goes_on_side_by_side(
    here: Database, there: Database
) -> None:
    async with here.transaction(ANN), here.transaction(DUEL):
        await put(there, "ben", "there", BEN)
        await put(here, "server", "here", SERVER)
    assert (await value(here, "ben"), await value(there, "server")) == ("there", "here")


async def test_many_who_want_the_same_come_one_after_the_other(
    postgres_url: str, here: Database
) -> None:
    patient = [await Database.open(postgres_url) for _ in range(3)]

    async def count(database: Database) -> None:
        async with database.transaction(ANN) as tx:
            found = int(await facts.get(tx, "count") or 0)
            await asyncio.sleep(0)
            await facts.put(tx, "count", str(found + 1))

    await asyncio.gather(*(count(patient[n % 3]) for n in range(60)))
    assert await value(here, "count") == "60"
    for database in patient:
        await database.close()


async def test_nobody_waits_for_what_comes_before_what_they_have(
    here: Database, there: Database
) -> None:
    async with here.transaction(ANN) as first:

        def body(second: Transaction) -> None:
            second.about(SERVER)
            with pytest.raises(StorageBusyError):
                second.about(ANN)  # it comes before the server

        await there.write(body, DUEL)
        await first.about(SERVER)
        await in_vain(take(there, BEN, SERVER))


async def test_what_was_taken_midway_is_kept_to_the_end(here: Database, there: Database) -> None:
    async with here.transaction(DUEL) as tx:
        await tx.about(ANN, BEN)
        await tx.about(ANN)
        await in_vain(put(there, "name", "x", BEN))
    await put(there, "name", "x", BEN)


async def test_rows_in_which_two_wait_for_each_other_are_a_busy_moment(
    postgres_url: str, here: Database
) -> None:
    one, other = await Database.open(postgres_url), await Database.open(postgres_url)
    for name in "ab":
        await put(here, name, "0")
    met = asyncio.Barrier(2)

    async def both(database: Database, about: Key, names: str) -> None:
        async with database.transaction(about) as tx:
            await facts.put(tx, names[0], "1")
            await met.wait()
            await facts.put(tx, names[1], "1")

    results = await asyncio.gather(
        both(one, ANN, "ab"), both(other, BEN, "ba"), return_exceptions=True
    )
    assert sorted(map(type, results), key=str) == sorted([StorageBusyError, type(None)], key=str)
    for database in (one, other):
        await database.close()


async def test_who_reads_waits_for_nobody_and_sees_one_moment(
    here: Database, there: Database
) -> None:
    await put(here, "name", "old")
    async with there.transaction() as tx:
        await facts.put(tx, "name", "new")

        def body(looking: Transaction) -> None:
            assert facts.get(looking, "name") == "old"

        await here.read(body)
    async with here.reading() as looking:
        assert await facts.get(looking, "name") == "new"
        await put(there, "name", "newer")
        assert await facts.get(looking, "name") == "new"
    assert await value(here, "name") == "newer"


async def test_a_claim_that_somebody_else_has_made_is_told_as_such(
    here: Database, there: Database
) -> None:
    await put(here, "name", "x")
    with pytest.raises(IntegrityError):
        await there.write(lambda tx: tx.execute(insert(rows).values(name="name", value="y")), ANN)
    assert await value(there, "name") == "x"


async def test_who_is_cancelled_leaves_nothing_and_nobody_waiting(
    here: Database, there: Database
) -> None:
    begun = asyncio.Event()

    async def hang() -> None:
        def body(tx: Transaction) -> None:
            facts.put(tx, "name", "never")
            begun.set()
            tx.execute(select(func.pg_sleep(60)))

        await here.write(body, ANN)

    task = asyncio.create_task(hang())
    await begun.wait()
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await put(there, "other", "x", ANN)
    assert await value(here, "name") is None


async def backend_of(tx: Transaction) -> int:
    return (await tx.execute(select(func.pg_backend_pid()))).scalar_one()


async def end(database: Database, backend: int) -> None:
    """Have the server hang up on somebody, and wait until it has."""
    await database.write(lambda tx: tx.execute(select(func.pg_terminate_backend(backend))), BEN)

    async def has_hung_up() -> bool:
        def body(tx: Transaction) -> bool:
            there = "SELECT count(*) FROM pg_stat_activity WHERE pid = :pid"
            return (tx.execute(text(there), {"pid": backend})).scalar_one() == 0

        return await database.write(body, BEN)

    await until_so(has_hung_up)


async def test_a_connection_that_is_lost_is_said_and_the_next_one_serves(
    here: Database, there: Database
) -> None:
    with pytest.raises(LostDatabaseError):
        async with here.transaction(ANN) as tx:
            await facts.put(tx, "name", "never")
            await end(there, await backend_of(tx))
            await facts.put(tx, "name", "never")
    await put(here, "name", "now", ANN)
    assert await value(there, "name") == "now"


async def test_who_comes_after_the_server_has_hung_up_notices_nothing(
    here: Database, there: Database
) -> None:
    pooled = await here.write(lambda tx: backend_of(tx))
    await end(there, pooled)
    await put(here, "name", "afterwards")
    assert await value(here, "name") == "afterwards"


class Wire:
    """A way to the server that may lose a commit, or the server's answer to it, and then breaks."""

    def __init__(self, server: str) -> None:
        self._server = server
        self.loses: str | None = None
        self.meanwhile: Callable[[], Awaitable[None]] | None = None

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
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
        async with await asyncio.start_unix_server(carrying.carry, path):
            through = made.set(query={"host": folder})
            database = await Database.open(through.render_as_string(hide_password=False))
            yield carrying, database
            await database.close()


async def test_a_commit_whose_answer_is_lost_is_looked_up_and_not_repeated(
    postgres_url: str, here: Database
) -> None:
    async with wire(postgres_url) as (carrying, database):

        def body(tx: Transaction) -> None:
            facts.put(tx, "name", "kept")
            carrying.loses = "the answer"

        await database.write(body, ANN)
        assert carrying.loses is None
        assert await value(here, "name") == "kept"
        with pytest.raises(LostDatabaseError):

            def body(tx: Transaction) -> None:
                facts.put(tx, "name", "lost")
                carrying.loses = "a commit"

            await database.write(body, ANN)
        assert await value(here, "name") == "kept"
        await put(database, "name", "afterwards", ANN)
    assert await value(here, "name") == "afterwards"


@pytest.mark.long(only=True)
async def test_a_commit_that_a_crash_has_lost_is_not_taken_for_one_with_its_number() -> None:
    """After a crash the server gives numbers again that nothing on the disk has."""
    server = PostgresServer(keeps=True)

    async def crash() -> None:
        server.crash()
        # It is gone at once, and there again when somebody can connect.
        await asyncio.sleep(0.5)
        database = await Database.open(server.url, patience=30.0)
        for number in range(50):
            await put(database, f"other {number}", "committed")
        await database.close()

    try:
        async with wire(server.url) as (carrying, database):
            with pytest.raises(LostDatabaseError):

                def body(tx: Transaction) -> None:
                    facts.put(tx, "name", "lost")
                    carrying.loses, carrying.meanwhile = "a commit", crash

                await database.write(body, ANN)
            assert await value(database, "name") is None
            assert await value(database, "other 49") == "committed"
    finally:
        server.stop()


async def test_several_who_open_a_new_database_at_once_migrate_it_once(postgres_url: str) -> None:
    first = await Database.open(postgres_url)

    def body(tx: Transaction) -> None:
        for statement in ("DROP SCHEMA public CASCADE", "CREATE SCHEMA public"):
            tx.execute(text(statement))

    await first.write(body)
    opened = await asyncio.gather(*(Database.open(postgres_url, patience=30.0) for _ in range(3)))
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
async def test_what_cannot_be_opened_is_told_without_a_traceback(
    postgres_url: str, change: dict[str, object], error: type[UnusableDatabaseError]
) -> None:
    url = make_url(postgres_url).set(**change)  # pyright: ignore[reportArgumentType]
    with pytest.raises(error) as refused:
        await Database.open(url.render_as_string(hide_password=False))
    assert type(refused.value) is error


async def test_an_address_with_parameters_opens(postgres_url: str) -> None:
    more = "sslmode=require&channel_binding=require&connect_timeout=10&application_name=bot"
    database = await Database.open(f"{postgres_url}&{more}&options=-c%20geqo%3Doff")

    def body(tx: Transaction) -> None:
        assert tx.scalar(text("SHOW application_name")) == "bot"
        assert tx.scalar(text("SHOW geqo")) == "off"

    await database.read(body)
    await database.close()


async def test_a_database_that_lacks_signs_is_refused(
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


async def test_closing_waits_for_what_is_open_and_does_the_last_thing(
    postgres_url: str, here: Database
) -> None:
    database = await Database.open(postgres_url)

    async def last(tx: Transaction) -> None:
        await facts.put(tx, "last", "done")

    async with database.transaction(ANN) as tx:
        closing = asyncio.create_task(database.close(last))
        await asyncio.sleep(0.05)
        with pytest.raises(ClosingError):
            await put(database, "name", "x", BEN)
        await facts.put(tx, "name", "kept")
        assert not closing.done()
    await closing
    await database.close(last)
    assert [await value(here, name) for name in ("name", "last")] == ["kept", "done"]


async def test_more_than_there_are_connections_for_wait_their_turn(here: Database) -> None:
    async def write(number: int) -> bool:
        with suppress(StorageBusyError):
            async with here.transaction(keys.player(number)) as tx:
                await tx.execute(update(rows).values(value="x"))
                await asyncio.sleep(0.01)
            return True
        return False

    assert all(await asyncio.gather(*(write(number) for number in range(40))))


async def test_whoever_breaks_off_leaves_nothing_begun_to_the_next(here: Database) -> None:
    for steps in range(60):
        for begun in (look(here, "it"), put(here, "it", "broken off", ANN)):
            task = asyncio.create_task(begun)
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait({task})
            await put(here, "it", f"after {steps}", ANN)
            assert await look(here, "it") == f"after {steps}"

"""Fixtures: a clock, a real database, and a table to play at."""

import asyncio
import gc
import logging
import os
from collections.abc import AsyncGenerator, Generator
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, is_hypothesis_test, settings
from hypothesis.strategies import none

from bot.db.database import Database
from bot.services import Services, open_services
from engine import CodeGame, Relabelling
from tests.support import breakdowns
from tests.support.clock import FakeClock
from tests.support.compiled import share_compiled_statements
from tests.support.connections import all_closed, count_connections
from tests.support.databases import (
    Databases,
    NewDatabase,
    PostgresDatabase,
    SqliteFiles,
    using,
)
from tests.support.effort import choose_long_form
from tests.support.key_watch import watched
from tests.support.postgres import PostgresMissingError, PostgresServer
from tests.support.simcord_gaps import settle_promptly
from tests.support.table import KEY, Table, open_table
from tests.support.town import Town, open_town
from tests.support.unhurried import take_time
from tests.support.worked_out import work_out_once

count_connections()
breakdowns.listen()
share_compiled_statements()
settle_promptly()
take_time()
work_out_once()
# However long an example takes: others use the machine, too. The long form tries others each time.
settings.register_profile("long", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("short", settings.get_profile("long"), derandomize=True)
settings.load_profile("short")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="run the long form, of what has one (see CONTRIBUTING)"
    )
    parser.addoption(
        "--postgres", action="store_true", help="run on PostgreSQL what needs a database"
    )
    parser.addoption(
        "--golden-write", action="store_true", help="write golden files anew, as things are now"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("long"):
        choose_long_form()  # before the first test is imported
        settings.load_profile("long")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    is_long, is_on_postgres = config.getoption("long"), config.getoption("postgres")
    wanted = [has_long_form if is_long else has_short_form]
    if is_on_postgres:
        wanted.append(is_for_postgres)
    elif not is_long:
        wanted.append(needs_no_server)
    kept = {item for item in items if all(is_wanted(item) for is_wanted in wanted)}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = [item for item in items if item in kept]


def is_for_postgres(item: pytest.Item) -> bool:
    """Whether a test needs a database, of whatever kind, or PostgreSQL's own server."""
    needed: list[str] = getattr(item, "fixturenames", [])
    is_either = "databases" in needed and item.get_closest_marker("sqlite") is None
    return is_either or not needs_no_server(item)


def needs_no_server(item: pytest.Item) -> bool:
    """Whether a test is about anything but PostgreSQL itself."""
    return "postgres_server" not in getattr(item, "fixturenames", [])


def has_short_form(item: pytest.Item) -> bool:
    mark = item.get_closest_marker("long")
    return mark is None or not mark.kwargs.get("only")


def has_long_form(item: pytest.Item) -> bool:
    test: object = getattr(item, "obj", None)
    return item.get_closest_marker("long") is not None or is_hypothesis_test(test)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what imports have made: it stays anyway; and much of its work.

    A test makes more than it keeps, and little of that in cycles. The program has none looked for
    while it is loaded, and tests of its process have loaded it.
    """
    _begin_to_draw()
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


@given(none())
def _begin_to_draw(_: None) -> None:
    """Let Hypothesis make its generator, which it would not find in what is frozen."""


def _unchanged(rules: CodeGame, _: Random) -> Relabelling:
    return Relabelling.none(rules)


@pytest.fixture(autouse=True)
def plain_labels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot's guesses in Mastermind be the engine's, but for tests marked `relabelled`."""
    if request.node.get_closest_marker("relabelled") is None:
        monkeypatch.setattr(Relabelling, "draw", _unchanged)


@pytest.fixture(autouse=True)
def connections_closed() -> Generator[None]:
    """Whoever opens a connection to a file closes it, the bot and its tests."""
    with all_closed():
        yield


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture(scope="session")
def empty_database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated database without rows, to be copied: migrating costs more than a test."""
    path = tmp_path_factory.mktemp("template") / "empty.db"

    async def migrate() -> None:
        database = await Database.open(f"sqlite:///{path}")
        await database.close()

    asyncio.run(migrate())
    return path


@pytest.fixture(scope="session")
def postgres_server() -> Generator[PostgresServer]:
    """A server of this process's own, from the first test that needs it on."""
    try:
        server = PostgresServer()
    except PostgresMissingError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture
def databases(request: pytest.FixtureRequest) -> Generator[Databases]:
    """Where this test's databases are, as `--postgres` says."""
    is_for_sqlite = request.node.get_closest_marker("sqlite") is not None
    is_wanted = request.config.getoption("postgres") and not is_for_sqlite
    kind = getattr(request, "param", "postgres" if is_wanted else "")
    chosen: Databases
    if kind == "postgres":
        chosen = PostgresDatabase(request.getfixturevalue("postgres_server"))
    else:
        chosen = SqliteFiles(request.getfixturevalue("empty_database"))
    with using(chosen):
        yield chosen
    if kind == "postgres":
        gc.collect(1)  # a connection that a test has left open is told of with this test


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> str:
    """An empty, migrated database of PostgreSQL's, whatever the others are."""
    postgres_server.empty()
    return postgres_server.url


@pytest.fixture
def new_database(databases: Databases) -> NewDatabase:
    return databases.new


@pytest.fixture
def database_url(tmp_path: Path, new_database: NewDatabase) -> str:
    return new_database(tmp_path)


@pytest.fixture
async def services(database_url: str, clock: FakeClock) -> AsyncGenerator[Services]:
    async with open_services(database_url, clock, puzzle_key=KEY) as opened:
        yield opened


@pytest.fixture
async def town(tmp_path: Path, database_url: str, clock: FakeClock) -> AsyncGenerator[Town]:
    async with open_town(tmp_path, database_url, clock) as opened:
        yield opened


@pytest.fixture
async def table(database_url: str, clock: FakeClock) -> AsyncGenerator[Table]:
    async with open_table(database_url, clock) as opened:
        yield opened


@pytest.fixture
def breaking() -> Generator[None]:
    """Something breaks in this story, and is to."""
    with breakdowns.breaking():
        yield


@pytest.fixture
def keys_watched(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Generator[None]:
    """What use cases write is theirs to write: they hold its key."""
    request.getfixturevalue("databases")  # which are migrated unwatched
    with watched(monkeypatch) as watch:
        yield
    assert not watch.wrong


@pytest.fixture(autouse=True)
def logging_as_before() -> Generator[None]:
    """What a program of ours changes when a test runs it is undone."""
    loggers = [logging.getLogger(name) for name in (None, "discord", "alembic")]
    handlers, levels = loggers[0].handlers[:], [each.level for each in loggers]
    yield
    loggers[0].handlers[:] = handlers
    for logger, level in zip(loggers, levels, strict=True):
        logger.setLevel(level)

"""Fixtures: a clock, a real database, and a table to play at."""

import asyncio
import gc
import os
import shutil
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings

from bot.services.services import Services, open_services
from bot.storage.database import Database
from tests.support.clock import FakeClock
from tests.support.compiled import share_compiled_statements
from tests.support.copying import copy_quickly
from tests.support.effort import choose_long_form
from tests.support.in_loop import stay_in_loop
from tests.support.prompt import settle_promptly
from tests.support.recorder import Recorder
from tests.support.selecting import ask_seldom
from tests.support.table import KEY, Table, open_table

share_compiled_statements()
stay_in_loop()
copy_quickly()
settle_promptly()
ask_seldom()
# However long an example takes: others use the machine, too.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--long", action="store_true", help="run the long form, of what has one (see CONTRIBUTING)"
    )
    parser.addoption("--record", type=Path, help="a folder for what the stories send")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("long"):
        choose_long_form()  # before the first test is imported
    folder: Path | None = config.getoption("record")
    if folder is not None:
        recorder = Recorder(folder)
        recorder.listen()
        config.pluginmanager.register(recorder)


def pytest_xdist_auto_num_workers() -> int:
    """Run on a worker more than there are processors: tests of processes mostly wait."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("long"):
        kept = [item for item in items if has_long_form(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def has_long_form(item: pytest.Item) -> bool:
    test: object = getattr(item, "obj", None)
    return item.get_closest_marker("long") is not None or is_hypothesis_test(test)


def pytest_collection_finish() -> None:
    """Spare the garbage collector what imports have made: it stays anyway; and much of its work.

    A test makes more than it keeps, and little of that in cycles.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


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


@pytest.fixture
def database_url(tmp_path: Path, empty_database: Path) -> str:
    path = tmp_path / "test.db"
    shutil.copy(empty_database, path)
    return f"sqlite:///{path}"


@pytest.fixture
async def services(database_url: str, clock: FakeClock) -> AsyncGenerator[Services]:
    async with open_services(database_url, clock, puzzle_key=KEY, par_runs=0) as opened:
        yield opened


@pytest.fixture
async def table(tmp_path: Path, empty_database: Path, clock: FakeClock) -> AsyncGenerator[Table]:
    async with open_table(tmp_path, empty_database, clock) as opened:
        yield opened

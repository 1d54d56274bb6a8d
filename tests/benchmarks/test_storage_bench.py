"""The measurements of a large database, in small; and what they promise about every query."""

import asyncio
import re
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import pytest

from benchmarks import throughput
from benchmarks.storage import Measured, Scene, main, table
from benchmarks.world import World, fill
from bot.db.database import Database
from bot.home.model import FinishedDuel, FinishedMastermind, FinishedPlay
from bot.services import open_services
from tests.support.clock import FakeClock
from tests.support.effort import either
from tests.support.sql import overheard

PLAYS: Final = either(1_500, 2_500)
# A queue is read from its beginning, a few rows at a time.
EVERYBODYS: Final = {"a length", "a zone"}
"""What concerns everybody who has played somewhere, or a puzzle, and is rarely done."""
HARMLESS: Final = {"standing_rebuilds", "pulses"}

Statement = tuple[str, tuple[Any, ...]]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, World]:
    """A filled database, its boards worked out, and never analysed."""
    path = tmp_path_factory.mktemp("bench") / "world.db"
    url = f"sqlite:///{path}"

    async def make() -> World:
        database = await Database.open(url)
        made = await fill(database, PLAYS)
        await database.close()
        async with open_services(
            url, FakeClock(made.now), puzzle_key="the key of the bench"
        ) as services:
            while await services.upkeep.settle():
                pass
        return made

    return path, asyncio.run(make())


@contextmanager
def statements() -> Generator[list[Statement]]:
    """What is asked of databases meanwhile."""
    found: list[Statement] = []

    with overheard(lambda text, values: found.append((text, values))):
        yield found


def plan(database: sqlite3.Connection, statement: Statement) -> list[str]:
    return [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {statement[0]}", statement[1])]


@pytest.mark.long
async def test_no_query_scans_a_whole_table_and_a_guess_needs_few_queries(
    world: tuple[Path, World],
) -> None:
    path, made = world
    url = f"sqlite:///{path}"
    asked: dict[str, list[Statement]] = {}
    trips: dict[str, int] = {}
    async with open_services(
        url, FakeClock(made.now), puzzle_key="the key of the bench"
    ) as services:
        for task in Scene(services, made).tasks():
            with statements() as of_preparing:
                act = await task.prepare()
            with statements() as found:
                await act()
            asked[task.name] = [*of_preparing, *found]
            trips[task.name] = sum(1 for _ in groupby(text for text, _ in found))
        with statements() as asked["all finished games"]:
            pages = (await services.finished.page(made.players[0])).pages
            listed = [
                type(game)
                for number in range(pages)
                for game in (await services.finished.page(made.players[0], number)).games
            ]
        # So the statements about each kind were among them.
        assert set(listed) == {FinishedPlay, FinishedMastermind, FinishedDuel}
        with statements() as asked["a length"]:
            await services.settings.change(made.guild_id, length=13)
        with statements() as asked["a zone"]:
            await services.settings.change(made.guild_id, zone="Asia/Tokyo")
        with statements() as asked["the upkeep"]:
            await services.upkeep.settle()
        with statements() as asked["who is gone"]:
            await services.standings.members.gone(made.guild_id, made.members[1])
    # Each is a trip to another thread, or over a network.
    assert trips["a guess"] <= 4  # a first one, which notes that it is
    assert trips["a guess that ends a game"] <= 32
    with closing(sqlite3.connect(path)) as database:
        assert not database.execute(
            "SELECT * FROM sqlite_master WHERE name LIKE 'sqlite_stat%'"
        ).fetchall()
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
        steps = {
            (name, step, statement[0])
            for name, of_task in asked.items()
            for statement in set(of_task)
            if re.match("SELECT|INSERT|UPDATE|DELETE", statement[0])
            for step in plan(database, statement)
        }
        scans = {
            step
            for step in steps
            if (match := re.match(r"SCAN (\w+)", step[1])) and match[1] in tables - HARMLESS
        }
        assert scans == set()
        # Nor are plays read puzzle by puzzle: by id, by player, or of one puzzle in one server.
        puzzlewise = {
            step
            for step in steps
            if re.match(r"SEARCH plays\b", step[1])
            and not re.search(r"player_id=\?|rowid=\?|guild_id=\?", step[1])
            and step[0] not in EVERYBODYS
        }
        assert puzzlewise == set()
        assert plan(database, ("SELECT * FROM plays", ())) == ["SCAN plays"]  # so it would show


def test_the_table_says_whether_each_bound_is_kept() -> None:
    def row(name: str, bound: float | None, *medians: float) -> list[Measured]:
        return [
            Measured(name, median - 1, median, median + 1, 2 * median, bound) for median in medians
        ]

    kept = [row("a page", 50.0, 2.0, 3.0, 4.5), row("a join", None, 1.0, 1.0, 99.0)]
    text, is_kept = table([10, 100, 1000], kept)
    assert is_kept
    assert "| a page" in text
    assert "4.50 (3.50-5.50) 9.0" in text
    assert not table([10, 100], [row("a page", 50.0, 2.0, 3.1)])[1]
    assert not table([10], [row("a page", 50.0, 50.0)])[1]
    text, is_kept = table([10], [row("a page", 50.0, 2.0, 99.0)])
    assert is_kept
    assert "on PostgreSQL" in text
    assert "99.00 (98.00-100.00)" in text


@pytest.mark.long(only=True)
def test_the_benchmark_measures_worlds_of_each_size(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    # Of the smallest world, one player alone has played more.
    sizes = ["300", "9000"]
    main([*sizes, "--repeats", "5", "--cpu", "--folder", str(tmp_path)])
    shown = capsys.readouterr()
    assert f"{int(sizes[-1]):,} plays" in shown.out
    assert "a guess that ends a game" in shown.out
    assert "plays," in shown.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long(only=True)
def test_the_largest_world_is_moved_to_postgresql_and_measured_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, postgres_url: str
) -> None:
    main(["9000", "--repeats", "3", "--folder", str(tmp_path), "--postgres", postgres_url])
    shown = capsys.readouterr()
    assert "| on PostgreSQL" in shown.out
    assert "no large table was read as a whole" in shown.out
    assert shown.err.count("rows moved in") == 1


@pytest.mark.long(only=True)
def test_the_throughput_of_one_process_on_sqlite_and_several_on_postgresql_is_measured(
    capsys: pytest.CaptureFixture[str], postgres_url: str
) -> None:
    options = ["--rounds", "1", "--seconds", "1", "--postgres", postgres_url]
    throughput.main(options)
    lines = capsys.readouterr().out.splitlines()[2:]
    told = [[cell.strip() for cell in line.strip("| ").split("|")] for line in lines]
    assert [row[:2] for row in told] == [
        ["SQLite", "1"],
        *(["PostgreSQL", str(processes)] for processes in (1, 2, 4)),
    ]
    assert all(int(row[2].split()[0]) > 0 for row in told)


@pytest.mark.long(only=True)
def test_every_run_generates_a_world_with_the_same_rows(tmp_path: Path) -> None:
    async def digest(name: str) -> list[str]:
        url = f"sqlite:///{tmp_path / name}"
        database = await Database.open(url)
        await fill(database, 1_500)
        await database.close()
        with closing(sqlite3.connect(tmp_path / name)) as found:
            return [line for line in found.iterdump() if line.startswith("INSERT")]

    assert asyncio.run(digest("one.db")) == asyncio.run(digest("two.db"))

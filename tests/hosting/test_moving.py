"""A database moves to another one whole, reads the same there, and may move back."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import delete, func, insert, make_url, select, text

from bot.__main__ import main
from bot.db import moving
from bot.db.database import Database, Transaction
from bot.db.tables import metadata
from bot.db.tables.bookkeeping import facts, outages
from bot.db.tables.games import duels
from bot.hosting.move import (
    Content,
    DifferentContentError,
    NotEmptyError,
    SameDatabaseError,
    StillRunningError,
    move,
)
from bot.services import open_services
from tests.support.clock import FakeClock
from tests.support.filled import fill
from tests.support.table import KEY

pytestmark = pytest.mark.sqlite  # from there, to PostgreSQL and back


@pytest.fixture
async def filled(database_url: str) -> str:
    """A database with something in every column, whose last duel is gone again."""
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        fill(tx)
        last = tx.scalars(select(duels.c.id).order_by(duels.c.id.desc())).first()
        assert last is not None
        row = tx.execute(select(duels).where(duels.c.id == last)).mappings().one()
        tx.execute(insert(duels), [{**row, "id": last + 1000}])
        tx.execute(delete(duels).where(duels.c.id == last + 1000))

    await database.write(body)
    await database.close()
    return database_url


@pytest.fixture
def elsewhere(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'elsewhere.db'}"


def untold(_content: Content) -> None: ...


async def next_duel(url: str) -> int:
    """The id that the next duel gets."""
    database = await Database.open(url)

    def body(tx: Transaction) -> int:
        row = dict(tx.execute(select(duels).limit(1)).mappings().one())
        del row["id"]
        added = tx.execute(insert(duels).values(row).returning(duels.c.id))
        number: int = added.scalar_one()
        tx.execute(delete(duels).where(duels.c.id == number))
        return number

    number = await database.write(body)
    await database.close()
    return number


async def check_moved_there_and_back(source: str, other: str, back: str, clock: FakeClock) -> None:
    told: list[Content] = []
    there = await move(source, other, clock, told.append)
    assert there == told
    assert {content.table for content in there} == set(metadata.tables)
    assert all(content.rows for content in there)
    assert await move(other, back, clock, untold) == there
    # The id of a duel that is gone is given to no other one: an old button may name it.
    first = await next_duel(source)
    assert first > 1000
    assert [await next_duel(url) for url in (other, back)] == [first, first]


async def test_a_whole_database_moves_to_another_file_and_back(
    filled: str, elsewhere: str, tmp_path: Path, clock: FakeClock
) -> None:
    await check_moved_there_and_back(filled, elsewhere, f"sqlite:///{tmp_path / 'b.db'}", clock)


async def test_a_database_changed_during_its_move_is_noticed_and_the_move_undone(
    filled: str, elsewhere: str, tmp_path: Path, clock: FakeClock
) -> None:
    await (await Database.open(elsewhere)).close()
    with closing(sqlite3.connect(tmp_path / "elsewhere.db")) as other, other:
        change = "UPDATE facts SET value = 'x' WHERE name = NEW.name"
        other.execute(f"CREATE TRIGGER spoils AFTER INSERT ON facts BEGIN {change}; END")
    with pytest.raises(DifferentContentError, match="facts"):
        await move(filled, elsewhere, clock, untold)
    database = await Database.open(elsewhere)

    def body(tx: Transaction) -> None:
        assert moving.first_with_rows(tx) is None
        tx.execute(text("DROP TRIGGER spoils"))

    await database.write(body)
    await database.close()
    assert await move(filled, elsewhere, clock, untold)


async def test_an_interrupted_move_may_start_over(
    filled: str, elsewhere: str, clock: FakeClock
) -> None:
    class StoppedError(Exception):
        """Raised where the program is ended."""

    def stop(content: Content) -> None:
        if content.table == "plays":
            raise StoppedError

    with pytest.raises(StoppedError):
        await move(filled, elsewhere, clock, stop)
    assert await move(filled, elsewhere, clock, untold)


async def test_a_move_into_a_database_with_content_is_refused(
    filled: str, elsewhere: str, clock: FakeClock
) -> None:
    database = await Database.open(elsewhere)
    await database.write(lambda tx: tx.execute(insert(facts).values(name="name", value="x")))
    await database.close()
    with pytest.raises(NotEmptyError) as refused:
        await move(filled, elsewhere, clock, untold)
    assert refused.value.table == "facts"


@pytest.mark.parametrize("is_killed", [True, False])
async def test_a_database_in_use_by_a_bot_is_not_moved(
    database_url: str, elsewhere: str, clock: FakeClock, *, is_killed: bool
) -> None:
    async with open_services(database_url, clock, puzzle_key=KEY) as services:
        await services.heartbeat.beat()
        with pytest.raises(StillRunningError):
            await move(database_url, elsewhere, clock, untold)
        if is_killed:
            clock.advance(minutes=2)
            assert await move(database_url, elsewhere, clock, untold)
    if not is_killed:
        assert await move(database_url, elsewhere, clock, untold)


@pytest.mark.parametrize(
    "other", ["{url}", "sqlite:///{path}?timeout=9", "sqlite:///{folder}/../{folder_name}/{name}"]
)
async def test_a_move_of_a_database_to_itself_is_refused(
    database_url: str, clock: FakeClock, other: str
) -> None:
    path = Path(database_url.removeprefix("sqlite:///"))
    parts = {"folder": path.parent, "folder_name": path.parent.name, "name": path.name}
    target = other.format(url=database_url, path=path, **parts)
    with pytest.raises(SameDatabaseError):
        await move(database_url, target, clock, untold)


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Sequence[str], str]:
    """The program's status, what it said line by line, and why it did not do it."""
    status = main(["move", *arguments])
    said = capsys.readouterr()
    return status, said.out.splitlines(), said.err


def test_a_host_moves_a_database_in_the_terminal(
    capsys: pytest.CaptureFixture[str], filled: str, elsewhere: str, tmp_path: Path
) -> None:
    status, lines, why = run(capsys, filled, elsewhere)
    assert (status, why) == (0, "")
    assert len(lines) == len(metadata.tables) + 2
    assert lines[0].split()[:2] == ["always_shares", "2"]
    assert "Both read the same." in lines[-2]
    assert "DATABASE_URL" in lines[-1]
    assert run(capsys, filled, elsewhere)[:2] == (2, [])
    assert "There is no database at" in run(capsys, f"sqlite:///{tmp_path / 'no.db'}", elsewhere)[2]
    assert "DATABASE_URL must name" in run(capsys, filled, "mysql://x/y")[2]
    status, _, why = run(capsys, filled, f"postgresql://me:pw-123@/x?host={tmp_path}")
    assert status == 3
    assert "cannot be reached" in why
    assert "pw-123" not in why


async def test_a_whole_database_moves_to_postgresql_and_back(
    filled: str, postgres_url: str, elsewhere: str, clock: FakeClock
) -> None:
    await check_moved_there_and_back(filled, postgres_url, elsewhere, clock)


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/New_York"])
async def test_every_row_moves_from_a_server_whose_time_zone_is_not_utc(
    postgres_url: str,
    elsewhere: str,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
    zone: str,
) -> None:
    monkeypatch.setattr(moving, "_PAGE", 2)
    address = make_url(postgres_url).update_query_dict({"options": f"-c timezone={zone}"})
    url = address.render_as_string(hide_password=False)
    now, minute = clock.now(), timedelta(minutes=1)
    rows = [{"began_at": now + n * minute, "ended_at": now + n * minute} for n in range(5)]
    database = await Database.open(url)
    await database.write(lambda tx: tx.execute(insert(outages), rows))
    await database.close()
    await move(url, elsewhere, clock, untold)
    database = await Database.open(elsewhere)
    assert await database.read(lambda tx: tx.scalar(select(func.count()).select_from(outages))) == 5
    await database.close()

"""What version 0.1.0 left is brought up to date; what is older is refused, and stays as it is.

So is what has ratings that version 0.2.0 has not worked out anew to the end.
"""

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from bot.db.database import Database
from bot.db.migrating import MIGRATIONS
from bot.errors import OlderDatabaseError, UnfinishedDatabaseError
from tests.support.clock import FakeClock
from tests.support.schemas import objects
from tests.support.town import open_town

# A database that 0.1.0 had migrated step by step, with rows in every table, by `iterdump`.
OF_0_1_0: Final = Path(__file__).with_name("database_of_0_1_0.sql")
RATED: Final = ("kept_ratings", "rating_changes", "ratings")
# What later migrations have put into another form.
CHANGED: Final = {"alembic_version", "facts", "preferences", "shares", "silences"}
# What later versions give to whoever has chosen nothing, where that is not nothing.
GIVEN: Final = {"guilds": (1, 1, 0)}
PAIRS: Final = ((1, 2), (3, 1), (2, 3), (1, 3), (2, 1))
PARENTS: Final = ("puzzles", "plays", "masterminds", "duels")

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def rated_file(tmp_path: Path) -> Path:
    """The database of 0.1.0, as that version closed it."""
    path = tmp_path / "old.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(OF_0_1_0.read_text(encoding="utf-8"))
    return path


@pytest.fixture
def file(rated_file: Path) -> Path:
    """The same where nobody has had a rated duel."""
    forget_ratings(rated_file, RATED)
    return rated_file


@pytest.fixture
def old(rated_file: Path) -> Iterator[sqlite3.Connection]:
    """What looks into it, beside the program."""
    with closing(sqlite3.connect(rated_file)) as connection:
        yield connection


def forget_ratings(file: Path, tables: Collection[str]) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for table in tables:
            connection.execute(f"DELETE FROM {table}")


def migrate_to(revision: str, file: Path) -> None:
    """Do what an earlier version has done at its start."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


async def open_and_close(file: Path) -> None:
    opened = await Database.open(f"sqlite:///{file}")
    await opened.close()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def content(connection: sqlite3.Connection) -> Rows:
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for (name,) in names}


async def test_a_database_of_0_1_0_opens_with_all_its_rows(
    file: Path, old: sqlite3.Connection
) -> None:
    before = content(old)
    assert {table for table, rows in before.items() if not rows} == {*RATED}
    shares = (
        "SELECT play_id, channel_id, shared_at, claimed_at, plays.player_id "
        "FROM shares JOIN plays ON plays.id = play_id"
    )
    there = old.execute(shares).fetchall()
    await open_and_close(file)
    after = content(old)
    for table in before.keys() - CHANGED:
        for row, kept in zip(after[table], before[table], strict=True):
            # What later versions have added stands behind, and nobody has chosen anything there.
            added = row[len(kept) :]
            assert row[: len(kept)] == kept
            assert added == GIVEN.get(table) or not any(added)
    assert old.execute(shares.replace("plays.player_id", "shares.player_id")).fetchall() == there
    assert after["facts"] == before["facts"]
    assert old.execute("PRAGMA foreign_key_check").fetchall() == []
    assert old.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


async def test_what_was_asked_before_is_asked_at_least(file: Path, old: sqlite3.Connection) -> None:
    old.execute("DELETE FROM preferences")
    old.commit()
    migrate(file, "0045")
    old.executemany(
        "INSERT INTO preferences (player_id, hard_mode, palette, skip_question, is_careful)"
        " VALUES (?, 1, 'shapes', ?, ?)",
        [(1, 0, 0), (2, 0, 1), (3, 1, 0), (4, 1, 1)],
    )
    old.commit()
    await open_and_close(file)
    kept = "SELECT player_id, asks, hard_mode, palette FROM preferences"
    assert old.execute(kept).fetchall() == [
        (1, "false", 1, "shapes"),
        (2, "impossible", 1, "shapes"),
        (3, "nothing", 1, "shapes"),
        (4, "impossible", 1, "shapes"),
    ]


async def test_a_new_database_is_the_same_object_by_object(
    empty_database: Path, file: Path, old: sqlite3.Connection
) -> None:
    await open_and_close(file)
    with closing(sqlite3.connect(empty_database)) as new:
        assert objects(new) == objects(old)


@pytest.mark.parametrize("table", PARENTS)
async def test_an_id_is_never_used_again(table: str, file: Path, old: sqlite3.Connection) -> None:
    await open_and_close(file)
    ((last,),) = old.execute(f"SELECT max(id) FROM {table}").fetchall()
    columns = [row[1] for row in old.execute(f"PRAGMA table_info({table})") if row[1] != "id"]
    listed = ", ".join(f'"{column}"' for column in columns)
    old.execute(f"CREATE TEMPORARY TABLE kept AS SELECT {listed} FROM {table} WHERE id = {last}")
    old.execute(f"DELETE FROM {table}")
    added = old.execute(f"INSERT INTO {table} ({listed}) SELECT {listed} FROM kept")
    assert added.lastrowid == last + 1


@pytest.mark.parametrize("revision", ["0001", "0024"])
async def test_what_is_older_is_refused_and_left_as_it_is(revision: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [revision])
    before = files(file.parent)
    assert list(before) == [file.name]
    with pytest.raises(OlderDatabaseError, match=r"0\.1\.0"):
        await open_and_close(file)
    assert files(file.parent) == before


@pytest.mark.parametrize("left", RATED)
async def test_of_0_1_0_with_any_ratings_is_refused_and_left_as_it_is(
    left: str, rated_file: Path
) -> None:
    forget_ratings(rated_file, {*RATED} - {left})
    before = files(rated_file.parent)
    with pytest.raises(UnfinishedDatabaseError, match=r"0\.2\.0"):
        await open_and_close(rated_file)
    assert files(rated_file.parent) == before


async def test_ratings_that_are_being_worked_out_are_refused_until_they_are(
    rated_file: Path, old: sqlite3.Connection
) -> None:
    migrate_to("0045", rated_file)
    old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = content(old)
    assert ("ratings are worked out anew", "folding") in before["facts"]
    with pytest.raises(UnfinishedDatabaseError):
        await open_and_close(rated_file)
    assert content(old) == before
    with old:  # boards that still show other ratings have their turn here, too
        old.execute("UPDATE facts SET value = 'showing' WHERE value = 'folding'")
        old.execute("UPDATE rating_changes SET mean_before = 1, mean_after = 2")
    rated = {table: content(old)[table] for table in RATED}
    await open_and_close(rated_file)
    after = content(old)
    for table, rows in rated.items():
        assert [row[: len(rows[0])] for row in after[table]] == rows
    assert "reratings" not in after
    assert after["facts"] == [fact for fact in before["facts"] if fact[1] != "folding"]


async def test_what_has_no_rating_left_to_work_out_is_brought_up_to_date(rated_file: Path) -> None:
    migrate_to("0045", rated_file)
    with closing(sqlite3.connect(rated_file)) as connection, connection:
        connection.execute("DELETE FROM facts WHERE value = 'folding'")
    await open_and_close(rated_file)


@pytest.mark.parametrize(
    ("silences", "pulses"),
    [
        ([], [(0, 1, None)]),
        ([(0, 1, "10:00")], [(0, 1, "10:00")]),
        (
            [(0, 1, "10:00"), (1, 3, "09:00")],
            [(0, 3, "10:00"), (1, 3, "09:00"), (2, 3, "10:00")],
        ),
        ([(1, 2, "09:00")], [(0, 2, None), (1, 2, "09:00")]),
    ],
)
async def test_a_heartbeat_goes_on(
    silences: list[tuple[int, int, str]],
    pulses: list[tuple[int, int, str | None]],
    file: Path,
    old: sqlite3.Connection,
) -> None:
    with old:
        old.execute("DELETE FROM silences")
        beat = ("last_beat", "2026-02-02T10:01:00+00:00")
        old.executemany("INSERT INTO facts VALUES (?, ?)", [beat, ("last_process", "abc")])
        rows = [(*shard, f"2026-02-02 {since}:00.000000") for *shard, since in silences]
        old.executemany("INSERT INTO silences VALUES (?, ?, ?)", rows)
    await open_and_close(file)
    query = "SELECT shard, shard_count, substr(silent_since, 12, 5) FROM pulses ORDER BY shard"
    assert old.execute(query).fetchall() == pulses
    beats = old.execute("SELECT DISTINCT beat_at, process FROM pulses").fetchall()
    assert beats == [("2026-02-02 10:01:00.000000", "abc")]
    assert old.execute("SELECT * FROM facts WHERE name LIKE 'last%'").fetchall() == []


def migrate(file: Path, revision: str) -> None:
    """Do the migrations up to one."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with create_engine(f"sqlite:///{file}").begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


async def test_the_duel_of_a_series_that_goes_on_is_known(
    file: Path, old: sqlite3.Connection
) -> None:
    migrate(file, "0045")
    (over,), (later,), (alone,) = old.execute("SELECT id FROM duels ORDER BY id").fetchall()
    open_ = "state = 'setting', finished_at = NULL, ending = NULL, winner = NULL, message_id = NULL"
    with old:
        old.execute(f"UPDATE duels SET {open_} WHERE id <> {over}")
        old.execute(f"UPDATE duels SET best_of = 3 WHERE id <> {alone}")
        old.execute(f"UPDATE duels SET series_id = {over} WHERE id = {later}")
    await open_and_close(file)
    found = old.execute("SELECT id, of_series, stale_at IS NULL FROM duels ORDER BY id").fetchall()
    assert found == [(over, 0, 0), (later, 1, 1), (alone, 0, 1)]


async def test_the_rows_of_a_board_that_is_gone_go(file: Path, old: sqlite3.Connection) -> None:
    with old:
        for slot in ("pa", "pw320", "fw320"):
            old.execute("INSERT INTO standings VALUES (1, 2, ?, 3, '4')", [slot])
            old.execute("INSERT INTO standing_levels VALUES (2, ?, 3, 4)", [slot])
    await open_and_close(file)
    for table in ("standings", "standing_levels"):
        query = f"SELECT slot FROM {table} WHERE guild_id = 2"
        assert old.execute(query).fetchall() == [("fw320",)]


async def test_ratings_without_short_duels_are_folded_once(
    tmp_path: Path, clock: FakeClock
) -> None:
    played, earlier = tmp_path / "test.db", tmp_path / "earlier.db"
    async with open_town(tmp_path, f"sqlite:///{played}", clock) as town:
        for number in range(20):
            await town.duel(*PAIRS[number % len(PAIRS)], (0, 2, 3, 4)[number % 4])
            clock.advance(hours=31)
    migrate(earlier, "0049")
    with closing(sqlite3.connect(earlier)) as connection, connection:
        connection.execute("ATTACH ? AS later", [str(played)])
        for table in ("duels", "duel_seats", "duel_moves", "ratings", "rating_changes"):
            names = ", ".join(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))
            connection.execute(f"INSERT INTO {table} ({names}) SELECT {names} FROM later.{table}")
    await open_and_close(earlier)
    with closing(sqlite3.connect(earlier)) as folded, closing(sqlite3.connect(played)) as kept:
        for query in (
            "SELECT duel_id, player_id, floor FROM rating_changes ORDER BY 1, 2",
            "SELECT player_id, round(played_mu, 6), round(played_sigma, 6) FROM ratings ORDER BY 1",
        ):
            assert folded.execute(query).fetchall() == kept.execute(query).fetchall()
        queued = folded.execute("SELECT player_id, duels_only FROM standing_rebuilds ORDER BY 1")
        assert queued.fetchall() == [(player, 1) for player in (1, 2, 3)]


async def test_results_go_onto_a_card_unless_a_manager_did_not_want_it(
    file: Path, old: sqlite3.Connection
) -> None:
    migrate(file, "0049")
    listed = "number, length, closes_at, look_at, version, shown, is_wanted"
    day = "'2026-02-01 00:00:00.000000'"
    with old:
        old.execute("DELETE FROM guilds")
        old.execute("INSERT INTO guilds (guild_id, running_results) VALUES (1, 0), (2, 1)")
        old.execute("INSERT INTO guilds (guild_id, running_results) VALUES (3, 0), (4, 0)")
        old.execute(f"INSERT INTO always_shares VALUES (9, 3, 7, {day})")
        for number, guild, message in ((1, 4, 5), (2, 2, "NULL")):  # the other was deleted
            old.execute(
                f"INSERT INTO running_messages (id, guild_id, channel_id, message_id, {listed})"
                f" VALUES ({number}, {guild}, 7, {message}, {number}, 10, {day}, {day}, 1, 1, 0)"
            )
            old.execute(f"INSERT INTO running_rows VALUES ({number}, 9, {guild}, {day})")
    await open_and_close(file)
    wanted = "SELECT guild_id, todays_card FROM guilds ORDER BY guild_id"
    assert old.execute(wanted).fetchall() == [(1, 1), (2, 1), (3, 0), (4, 0)]
    assert old.execute("SELECT id FROM running_messages").fetchall() == [(1,)]
    assert old.execute("SELECT running_id FROM running_rows").fetchall() == [(1,)]

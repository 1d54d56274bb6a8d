"""What version 0.2.0 left is brought up to date; what is older is refused, and stays as it is.

So is what has ratings that version 0.2.0 has not worked out anew to the end.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from bot.db.database import Database
from bot.db.migrations import MIGRATIONS
from bot.errors import OlderDatabaseError, UnfinishedDatabaseError
from tests.support.clock import FakeClock
from tests.support.postgres import PostgresServer
from tests.support.schemas import objects, of_postgres
from tests.support.town import open_town

# A database that 0.2.0 had migrated, with rows in every table, by `iterdump`; and its tables alone.
OF_0_2_0: Final = Path(__file__).with_name("database_of_0_2_0.sql")
IN_POSTGRES: Final = Path(__file__).with_name("postgres_of_0_2_0.sql")
# What later migrations have put into another form, or taken away.
CHANGED: Final = {
    *("alembic_version", "duels", "guilds", "preferences", "running_messages"),
    "standing_rebuilds",
}
GONE: Final = {"jobs", "reratings", "standing_levels"}
# What has more since then that follows from the rest.
FOLDED: Final = {"kept_ratings", "ratings"}
PAIRS: Final = ((1, 2), (3, 1), (2, 3), (1, 3), (2, 1))
PARENTS: Final = ("puzzles", "plays", "masterminds", "duels")

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The database of 0.2.0, as that version closed it."""
    return lay_down(tmp_path / "old.db")


@pytest.fixture
def old(file: Path) -> Iterator[sqlite3.Connection]:
    """What looks into it, beside the program."""
    with closing(sqlite3.connect(file)) as connection:
        yield connection


def lay_down(file: Path) -> Path:
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript(OF_0_2_0.read_text(encoding="utf-8"))
    return file


async def open_and_close(file: Path) -> None:
    opened = await Database.open(f"sqlite:///{file}")
    await opened.close()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def content(connection: sqlite3.Connection) -> Rows:
    names = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    return {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for (name,) in names}


async def test_a_database_of_0_2_0_opens_with_all_its_rows(
    file: Path, old: sqlite3.Connection
) -> None:
    before = content(old)
    assert {table for table, rows in before.items() if not rows} == {"reratings"}
    await open_and_close(file)
    after = content(old)
    assert before.keys() - after.keys() == GONE
    for table in before.keys() - CHANGED - GONE:
        for row, kept in zip(after[table], before[table], strict=True):
            # What later versions have added stands behind, and nobody has anything there.
            added = row[len(kept) :]
            assert row[: len(kept)] == kept
            assert table in FOLDED or not any(added)
    assert old.execute("PRAGMA foreign_key_check").fetchall() == []
    assert old.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


async def test_a_migrated_player_is_warned_of_guesses_at_least_as_often_as_before(
    file: Path, old: sqlite3.Connection
) -> None:
    old.execute("DELETE FROM preferences")
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


async def test_a_new_sqlite_file_has_the_same_schema_as_a_migrated_one(
    empty_database: Path, file: Path, old: sqlite3.Connection
) -> None:
    await open_and_close(file)
    with closing(sqlite3.connect(empty_database)) as new:
        assert unordered(objects(new)) == unordered(objects(old))


def unordered(found: dict[str, tuple[list[str], list[str]]]) -> dict[str, list[str]]:
    """The objects of a file; what was added to a table later stands at its end there."""
    return {name: sorted(line for part in parts for line in part) for name, parts in found.items()}


async def test_a_new_postgresql_database_has_the_same_schema_as_a_migrated_one(
    postgres_url: str, postgres_server: PostgresServer
) -> None:
    def tables() -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        name = ""
        for line in of_postgres(lambda statement: postgres_server.query(statement)[1]).split("\n"):
            name = name if line.startswith(" ") else line
            found.setdefault(name, []).append(line)
        return {name: sorted(lines) for name, lines in found.items()}

    made = tables()
    postgres_server.query("DROP SCHEMA public CASCADE")
    postgres_server.query("CREATE SCHEMA public")
    postgres_server.query(IN_POSTGRES.read_text(encoding="utf-8"))
    opened = await Database.open(postgres_url)
    await opened.close()
    assert tables() == made


@pytest.mark.parametrize("table", PARENTS)
async def test_no_table_gives_the_id_of_a_deleted_row_to_a_new_one(
    table: str, file: Path, old: sqlite3.Connection
) -> None:
    await open_and_close(file)
    ((last,),) = old.execute(f"SELECT max(id) FROM {table}").fetchall()
    columns = [row[1] for row in old.execute(f"PRAGMA table_info({table})") if row[1] != "id"]
    listed = ", ".join(f'"{column}"' for column in columns)
    old.execute(f"CREATE TEMPORARY TABLE kept AS SELECT {listed} FROM {table} WHERE id = {last}")
    old.execute(f"DELETE FROM {table}")
    added = old.execute(f"INSERT INTO {table} ({listed}) SELECT {listed} FROM kept")
    assert added.lastrowid == last + 1


@pytest.mark.parametrize("revision", ["0001", "0025", "0044"])
async def test_a_database_older_than_0_2_0_is_refused_unchanged(revision: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", [revision])
    before = files(file.parent)
    assert list(before) == [file.name]
    with pytest.raises(OlderDatabaseError, match=r"0\.2\.0"):
        await open_and_close(file)
    assert files(file.parent) == before


async def test_a_database_whose_ratings_0_2_0_has_yet_to_recompute_is_refused_unchanged(
    file: Path, old: sqlite3.Connection
) -> None:
    with old:
        old.execute("INSERT INTO facts VALUES ('ratings are worked out anew', 'folding')")
    old.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    before = content(old)
    with pytest.raises(UnfinishedDatabaseError, match=r"0\.2\.0"):
        await open_and_close(file)
    assert content(old) == before
    with old:  # boards that still show other ratings have their turn here, too
        old.execute("UPDATE facts SET value = 'showing' WHERE value = 'folding'")
    rated = {table: rows for table, rows in before.items() if "rating" in table}
    await open_and_close(file)
    after = content(old)
    for table in rated.keys() - GONE:
        assert [row[: len(rated[table][0])] for row in after[table]] == rated[table]
    assert after["facts"] == [fact for fact in before["facts"] if fact[1] != "folding"]


def migrate(file: Path, revision: str) -> None:
    """Do the migrations up to one."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with create_engine(f"sqlite:///{file}").begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


async def test_migrating_marks_the_current_duel_of_a_running_series(
    file: Path, old: sqlite3.Connection
) -> None:
    (over,), (later,), (alone,) = old.execute("SELECT id FROM duels ORDER BY id").fetchall()
    open_ = "state = 'setting', finished_at = NULL, ending = NULL, winner = NULL, message_id = NULL"
    with old:
        old.execute(f"UPDATE duels SET {open_} WHERE id <> {over}")
        old.execute(f"UPDATE duels SET best_of = 3 WHERE id <> {alone}")
        old.execute(f"UPDATE duels SET series_id = {over} WHERE id = {later}")
    await open_and_close(file)
    found = old.execute("SELECT id, of_series, stale_at IS NULL FROM duels ORDER BY id").fetchall()
    assert found == [(over, 0, 0), (later, 1, 1), (alone, 0, 1)]


async def test_migrating_drops_the_rows_of_a_removed_leaderboard(
    file: Path, old: sqlite3.Connection
) -> None:
    with old:
        for slot in ("pa", "pw320", "fw320"):
            old.execute("INSERT INTO standings VALUES (1, 2, ?, 3, '4')", [slot])
    await open_and_close(file)
    query = "SELECT slot FROM standings WHERE guild_id = 2"
    assert old.execute(query).fetchall() == [("fw320",)]


async def test_migrating_computes_ratings_without_short_duels_as_this_version_does(
    tmp_path: Path, clock: FakeClock
) -> None:
    played, earlier = tmp_path / "test.db", tmp_path / "earlier.db"
    async with open_town(tmp_path, f"sqlite:///{played}", clock) as town:
        for number in range(20):
            await town.duel(*PAIRS[number % len(PAIRS)], (0, 2, 3, 4)[number % 4])
            clock.advance(hours=31)
    migrate(lay_down(earlier), "0049")
    with closing(sqlite3.connect(earlier)) as connection, connection:
        for table in content(connection).keys() - {"alembic_version"}:
            connection.execute(f"DELETE FROM {table}")
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
        assert queued.fetchall() == [(player, 0) for player in (1, 2, 3)]  # for closed months


async def test_migrating_turns_todays_card_on_unless_a_manager_declined_it(
    file: Path, old: sqlite3.Connection
) -> None:
    migrate(file, "0049")
    listed = "number, length, closes_at, look_at, version, shown, is_wanted"
    day = "'2026-02-01 00:00:00.000000'"
    with old:
        for table in ("guilds", "running_rows", "running_messages", "always_shares"):
            old.execute(f"DELETE FROM {table}")
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

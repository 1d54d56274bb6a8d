"""Databases of earlier versions are brought up to date with all that is in them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine

from bot.storage import database
from bot.storage.database import Database

# Rows in every table that 0004 builds anew, and in those that refer to it, with gaps in the ids.
ROWS = """
    INSERT INTO puzzles VALUES (1, 9, 10, 'r', 's'), (7, NULL, 12, 'r', 't');
    INSERT INTO plays VALUES (3, 7, 11, NULL, 'UTC', 0, '2026', NULL, NULL, 0),
        (5, 1, 11, 44, 'UTC', 1, '2026', '2027', 'solved', 1);
    INSERT INTO guesses VALUES (3, 0, 'a', '2026'), (5, 0, 'b', '2026'), (5, 1, 'c', '2026');
    INSERT INTO shares VALUES (5, 55, '2026');
    INSERT INTO masterminds VALUES (2, 'play', 'r', 's', 11, 11, NULL, NULL, NULL, 'RG', '2026',
        '2026', '2026', NULL, NULL, NULL), (9, 'challenge', 'r', 's', 11, 22, 44, 55, 66, '',
        '2026', '2026', '2026', '2026', '2027', 'solved');
    INSERT INTO mastermind_turns VALUES (2, 0, 'a', NULL, NULL, '2026'), (9, 0, 'b', 1, 2, '2026');
    INSERT INTO duels (id, rules, mode, pace, rated, challenger_id, state, rematch_of, opened_at,
        moved_at, deadline_at) VALUES
        (4, 'r', 'equal', 'live', 1, 11, 'playing', NULL, '2026', '2026', '2026'),
        (6, 'r', 'equal', 'live', 1, 11, 'playing', 4, '2026', '2026', '2026');
    INSERT INTO duel_seats VALUES (4, 0, 11, 's', NULL), (6, 1, 22, NULL, NULL);
    INSERT INTO duel_moves VALUES (4, 0, 0, 0, 'a', '2026');
    INSERT INTO rating_changes VALUES (4, 11, 22, 1, 2, 3, 4, 1, 1, '2026');
"""
PARENTS = ("puzzles", "plays", "masterminds", "duels")
TABLES = (
    *PARENTS,
    *("guesses", "shares", "mastermind_turns", "duel_seats", "duel_moves", "rating_changes"),
)


def bring_to(path: Path, version: str) -> None:
    """Bring a database to a version."""
    config = Config()
    migrations = Path(database.__file__).parent / "migrations"
    config.set_main_option("script_location", str(migrations))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, version)
    engine.dispose()


@pytest.fixture
def old(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """A database as version 0003 made it, with rows."""
    path = tmp_path / "old.db"
    bring_to(path, "0003")
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        connection.executescript(f"PRAGMA foreign_keys = ON; {ROWS}")
        yield connection


def content(connection: sqlite3.Connection) -> dict[str, list[dict[str, Any]]]:
    """All rows of the tables concerned."""
    return {
        name: [dict(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY 1, 2")]  # noqa: S608
        for name in TABLES
    }


def names(connection: sqlite3.Connection) -> set[str]:
    """The constraints and indices there are, besides primary keys, which need no name."""
    words = " ".join(
        row[0] or "" for row in connection.execute("SELECT sql FROM sqlite_schema").fetchall()
    )
    return {word for word in words.split() if word.startswith(("ck_", "fk_", "uq_", "ix_"))}


async def migrate(tmp_path: Path) -> None:
    opened = await Database.open(f"sqlite+aiosqlite:///{tmp_path / 'old.db'}")
    await opened.close()


async def test_nothing_is_lost(old: sqlite3.Connection, tmp_path: Path) -> None:
    before, named = content(old), names(old)
    assert all(before.values())
    await migrate(tmp_path)
    after = content(old)
    for name in TABLES:
        kept = [
            {key: row[key] for key in earlier}
            for earlier, row in zip(before[name], after[name], strict=True)
        ]
        assert kept == before[name], name
    assert named <= names(old)
    assert old.execute("PRAGMA foreign_key_check").fetchall() == []
    assert old.execute("PRAGMA integrity_check").fetchone()[0] == "ok"


async def test_foreign_keys_still_hold(old: sqlite3.Connection, tmp_path: Path) -> None:
    await migrate(tmp_path)
    old.execute("PRAGMA foreign_keys = ON")
    old.execute("DELETE FROM masterminds WHERE id = 9")
    old.execute("DELETE FROM duels WHERE id = 4")
    old.execute("DELETE FROM plays")
    old.execute("DELETE FROM puzzles")
    left = {name: len(rows) for name, rows in content(old).items() if rows}
    assert left == {"masterminds": 1, "mastermind_turns": 1, "duels": 1, "duel_seats": 1}
    assert old.execute("SELECT rematch_of FROM duels").fetchone()[0] is None
    with pytest.raises(sqlite3.IntegrityError):
        old.execute("INSERT INTO mastermind_turns VALUES (9, 0, 'b', 1, 2, '2026')")


@pytest.mark.parametrize("table", PARENTS)
async def test_an_id_is_never_used_again(
    table: str, old: sqlite3.Connection, tmp_path: Path
) -> None:
    await migrate(tmp_path)
    old.execute("PRAGMA foreign_keys = OFF")
    ((last,),) = old.execute(f"SELECT max(id) FROM {table}").fetchall()  # noqa: S608
    columns = [row[1] for row in old.execute(f"PRAGMA table_info({table})") if row[1] != "id"]
    listed = ", ".join(f'"{column}"' for column in columns)
    old.execute(f"CREATE TEMPORARY TABLE kept AS SELECT {listed} FROM {table} WHERE id = {last}")  # noqa: S608
    old.execute(f"DELETE FROM {table}")  # noqa: S608
    added = old.execute(f"INSERT INTO {table} ({listed}) SELECT {listed} FROM kept")  # noqa: S608
    assert added.lastrowid == last + 1


def test_boards_against_par_begin_with_what_was_played_before(
    old: sqlite3.Connection, tmp_path: Path
) -> None:
    path = tmp_path / "old.db"
    bring_to(path, "0010")
    old.executescript("""
        INSERT INTO plays VALUES (21, 1, 33, 44, 'UTC', 0, '2026', '2027', 'lost', 1),
            (22, 1, 44, 44, 'UTC', 0, '2026', '2027', 'lost', 0),
            (23, 1, 55, 44, 'UTC', 0, '2026', '2027', 'solved', 1);
        DELETE FROM standing_rebuilds;
        INSERT INTO standing_rebuilds VALUES (33), (66);
    """)
    old.commit()
    bring_to(path, "0011")
    found = old.execute("SELECT player_id FROM standing_rebuilds ORDER BY player_id").fetchall()
    assert [row[0] for row in found] == [11, 33, 55, 66]


def fair_since(connection: sqlite3.Connection) -> list[str]:
    query = "SELECT value FROM facts WHERE name = 'fair_since'"
    return [row[0] for row in connection.execute(query)]


def test_new_rules_begin_with_a_date_that_has_begun_nowhere(
    old: sqlite3.Connection, tmp_path: Path
) -> None:
    furthest_east = "SELECT date('now', '+14 hours', '+1 day')"
    ((before,),) = old.execute(furthest_east).fetchall()
    bring_to(tmp_path / "old.db", "0012")
    ((after,),) = old.execute(furthest_east).fetchall()
    assert fair_since(old) in ([before], [after])


def test_new_rules_hold_for_all_dates_where_there_is_no_past(tmp_path: Path) -> None:
    bring_to(tmp_path / "new.db", "0012")
    with closing(sqlite3.connect(tmp_path / "new.db")) as connection:
        assert fair_since(connection) == []


def test_finishers_who_wait_at_the_upgrade_are_looked_at(
    old: sqlite3.Connection, tmp_path: Path
) -> None:
    path = tmp_path / "old.db"
    bring_to(path, "0012")
    early, late = "2026-11-20 10:00:00.000000", "2026-11-20 11:00:00.000000"
    old.executescript(f"""
        INSERT INTO guilds (guild_id, channel_id) VALUES (1, 71), (2, 72), (3, NULL), (4, 74);
        INSERT INTO finishers_threads VALUES
            (2, '2026-11-20', 75, '{early}', 9, '{late}', NULL),
            (4, '2026-11-20', 74, '{early}', 8, '{late}', NULL),
            (4, '2026-11-19', 74, '{early}', 7, '{late}', '{late}');
        INSERT INTO finishers VALUES
            (1, '2026-11-20', 11, '{late}', NULL), (1, '2026-11-20', 22, '{early}', NULL),
            (2, '2026-11-20', 11, '{late}', NULL), (2, '2026-11-20', 22, '{early}', '{late}'),
            (3, '2026-11-20', 11, '{early}', NULL), (4, '2026-11-20', 11, '{early}', '{late}');
    """)  # noqa: S608 - texts of ours
    old.commit()
    bring_to(path, "0013")
    found = old.execute(
        "SELECT guild_id, day, channel_id, claimed_at, thread_id, look_at, closes_at"
        " FROM finishers_threads ORDER BY guild_id, day"
    )
    assert [tuple(row) for row in found] == [
        (1, "2026-11-20", 71, None, None, early, "2026-11-23 10:00:00.000000"),
        (2, "2026-11-20", 75, early, 9, late, late),
        (4, "2026-11-19", 74, early, 7, None, late),
        (4, "2026-11-20", 74, early, 8, None, late),
    ]


def test_brief_outages_are_told_from_others(old: sqlite3.Connection, tmp_path: Path) -> None:
    bring_to(tmp_path / "old.db", "0012")
    old.executescript("""
        INSERT INTO outages VALUES
            ('2026-03-01 23:59:30.000000', '2026-03-02 00:00:29.000000'),
            ('2026-03-02 10:00:00.500000', '2026-03-02 10:01:01.000000'),
            ('2026-03-03 10:00:00.000000', '2026-03-05 10:00:01.000000');
    """)
    old.commit()
    bring_to(tmp_path / "old.db", "0016")
    found = old.execute("SELECT is_brief FROM outages ORDER BY began_at").fetchall()
    assert [row[0] for row in found] == [1, 0, 0]


def test_outages_of_before_there_were_shards_are_everybodys(
    old: sqlite3.Connection, tmp_path: Path
) -> None:
    bring_to(tmp_path / "old.db", "0022")
    outage = ("2026-03-01 23:59:30.000000", "2026-03-02 01:00:29.000000")
    old.executescript(f"""
        INSERT INTO outages (began_at, ended_at, is_brief)
            VALUES ('{outage[0]}', '{outage[1]}', 0);
        INSERT INTO facts VALUES ('silent_since', '2026-03-03T10:00:00.250000+00:00');
    """)  # noqa: S608 - texts of ours
    old.commit()
    bring_to(tmp_path / "old.db", "0023")
    everybody = (0, 1)
    query = "SELECT began_at, ended_at, is_brief, shard, shard_count FROM outages"
    assert [tuple(row) for row in old.execute(query)] == [(*outage, 0, *everybody)]
    query = "SELECT since, shard, shard_count FROM silences"
    silence = ("2026-03-03 10:00:00.250000", *everybody)
    assert [tuple(row) for row in old.execute(query)] == [silence]
    assert old.execute("SELECT * FROM facts WHERE name = 'silent_since'").fetchall() == []


def test_games_that_nobody_has_at_the_upgrade_are_looked_at(
    old: sqlite3.Connection, tmp_path: Path
) -> None:
    path = tmp_path / "old.db"
    bring_to(path, "0017")
    old.executescript("""
        UPDATE masterminds SET owner_id = -1, codebreaker_id = -2 WHERE id = 9;
        UPDATE masterminds SET owner_id = -3, codebreaker_id = -3 WHERE id = 2;
        DELETE FROM duel_seats;
        INSERT INTO duel_seats (duel_id, seat, player_id) VALUES
            (4, 0, -4), (4, 1, -5), (6, 0, -5), (6, 1, 22);
    """)
    old.commit()
    bring_to(path, "0018")
    assert {row[0] for row in old.execute("SELECT stand_in FROM erasures")} == {-2, -3, -4}


def test_opponents_count_from_the_upgrade_if_they_are_established(
    old: sqlite3.Connection, tmp_path: Path
) -> None:
    path = tmp_path / "old.db"
    bring_to(path, "0023")
    ((now,),) = old.execute("SELECT CAST(strftime('%s', 'now') AS INTEGER)").fetchall()
    young = (now - 20 * 86_400 - 1_420_070_400) * 1000 << 22
    # Ann (11) has met Ben (22) three times and Cat (33), Dan and a young account once; a stand-in
    # twice. Cat and the young account have met enough others, Dan has met two and a stand-in.
    duels = [
        *((11, 22), (11, 22), (11, 22), (11, 33), (11, 44), (11, young), (11, -5), (11, -6)),
        *((33, 22), (33, 22), (33, 22)),
        *((44, 22), (44, 22), (44, -7), (44, -8)),
        *((young, 22), (young, 33), (young, 22), (young, 33)),
    ]
    old.execute("DELETE FROM rating_changes")
    for number, (one, other) in enumerate(duels, 100):
        old.execute(
            "INSERT INTO duels (id, rules, mode, pace, rated, challenger_id, state, opened_at,"
            " moved_at, deadline_at) VALUES (?, 'r', 'equal', 'live', 1, 1, 'playing', 1, 1, 1)",
            [number],
        )
        for player, opponent in ((one, other), (other, one)):
            if player > 0:  # a deletion takes its player's own
                old.execute(
                    "INSERT INTO rating_changes VALUES (?, ?, ?, 1, 2, 3, 4, 1, 1, '2026')",
                    [number, player, opponent],
                )
    old.execute("DELETE FROM ratings")
    old.execute(
        "INSERT INTO ratings SELECT player_id, 1, 2, 3, '2026' FROM rating_changes GROUP BY 1"
    )
    old.execute("DELETE FROM standing_rebuilds")
    old.commit()
    bring_to(path, "0024")
    found = old.execute("SELECT player_id, established, of_age_at IS NULL FROM ratings ORDER BY 1")
    assert [tuple(row) for row in found] == [
        (11, 1, 1),
        (22, 1, 1),
        (33, 1, 1),
        (44, 0, 1),
        (young, 0, 0),
    ]
    ((of_age_at,),) = old.execute(
        "SELECT strftime('%s', of_age_at) FROM ratings WHERE of_age_at IS NOT NULL"
    ).fetchall()
    assert int(of_age_at) == now + 10 * 86_400
    found = old.execute(
        "SELECT DISTINCT player_id, opponent_id FROM rating_changes WHERE established"
    )
    assert {tuple(row) for row in found} == {
        (one, other) for pair in duels for one, other in (pair, pair[::-1]) if one > 0
    } & {(one, other) for one in (11, 22, 33, 44, young) for other in (11, 22, 33)}
    # Whoever has met nobody else is on boards as before.
    waiting = old.execute("SELECT player_id FROM standing_rebuilds ORDER BY 1").fetchall()
    assert [row[0] for row in waiting] == [11, 22, 33, 44]

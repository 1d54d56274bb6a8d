"""Ranks and pages, against a list of all rows; and who is on them without a click."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.db.database import Database, Transaction
from bot.leaderboards import store
from bot.leaderboards.boards import TIE_BITS, Board, BoardGame
from bot.leaderboards.store import StandingRow
from bot.services import open_services
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.support.table import KEY

pytestmark = pytest.mark.sqlite


async def test_every_rank_and_every_page_of_a_long_leaderboard_can_be_read(
    database_url: str,
) -> None:
    rng = random.Random(3)
    database = await Database.open(database_url)
    rows: dict[int, StandingRow] = {}

    def body(tx: Transaction) -> None:
        for _ in range(400):
            player = rng.randrange(1, 120)
            # Negative keys, many ties, some rows that are not shown, and another board beside it.
            key = (rng.randrange(-30, 9) << TIE_BITS) + rng.randrange(3)
            missing = rng.randrange(1, 12) if rng.random() < 0.1 else 0
            old = [rows[player]] if player in rows else []
            new = StandingRow(1, "fa", missing, key, f"{rng.randrange(9)}")
            if old and rng.random() < 0.2:
                store.replace(tx, player, old, [])
                del rows[player]
            else:
                store.replace(tx, player, old, [new])
                rows[player] = new
        store.replace(tx, 1000, [], [StandingRow(1, "fd1", 0, 0, "0")])
        store.replace(tx, 1000, [], [StandingRow(2, "fa", 0, 0, "0")])
        order = sorted((row.sort_key, player) for player, row in rows.items() if not row.missing)
        assert store.count(tx, 1, "fa") == len(order)
        waiting = [(row.missing, player) for player, row in rows.items() if row.missing]
        nearest = store.nearest_to_rank(tx, 1, "fa", 100)
        assert [(missing, player) for player, missing in nearest.items()] == sorted(waiting)
        for offset in range(len(order) + 2):
            found = store.ranked(tx, 1, "fa", offset=offset, limit=7)
            assert [(row.sort_key, row.player_id) for row in found] == order[offset : offset + 7]
            for row in found:
                better = sum(key < row.sort_key for key, _ in order)
                assert row.rank == better + 1
                assert store.count_before(tx, 1, "fa", row.sort_key) == better
                tied = sum(
                    (row.sort_key, 0) <= one < (row.sort_key, row.player_id) for one in order
                )
                assert store.count_tied_before(tx, 1, "fa", row.sort_key, row.player_id) == tied

    await database.write(body)
    await database.close()


async def test_a_member_without_a_stored_name_is_on_leaderboards_after_a_rebuild(
    database_url: str, tmp_path: Path, clock: FakeClock
) -> None:
    """An update that counts earlier plays rebuilds rows of members without a name, too."""
    with closing(sqlite3.connect(tmp_path / "test.db")) as database, database:
        database.executescript("""
            INSERT INTO puzzles (id, number, length, rules, secret, salt)
                VALUES (1, 324, 10, 'focdle:10/6', '66%65%72=1', '0');
            INSERT INTO plays
                (id, puzzle_id, player_id, guild_id, zone, hard, opened_at, finished_at, outcome,
                 on_date) VALUES
                (1, 1, 11, 100, 'UTC', 0, '2026-11-20 10:00', '2026-11-20 10:05', 'solved', 1),
                (2, 1, 22, NULL, 'UTC', 0, '2026-11-20 10:00', '2026-11-20 10:05', 'solved', 1),
                (3, 1, 33, 100, 'UTC', 0, '2026-11-20 10:00', NULL, NULL, 0);
            INSERT INTO guesses VALUES (1, 0, '66%65%72=1', '2026-11-20 10:05'),
                (2, 0, '66%65%72=1', '2026-11-20 10:05');
            INSERT INTO members (guild_id, player_id, name, seen_at)
                VALUES (100, 11, '', '2026-11-20 10:00'), (100, 33, '', '2026-11-20 10:00');
            INSERT INTO standing_rebuilds (player_id) VALUES (11), (22), (33);
            INSERT INTO streaks (player_id, length, best, freezes, settles_at) VALUES
                (11, 1, 1, 0, '2026-01-01'), (22, 1, 1, 0, '2026-01-01'),
                (44, 9, 9, 1, '2026-01-01'), (55, 0, 3, 0, NULL);
        """)
    async with open_services(database_url, clock, puzzle_key=KEY) as services:
        while await services.upkeep.settle():
            pass
        page = await services.standings.boards.page(Board(BoardGame.FOCDLE, guild_id=100), 22)
        assert [(row.rank, row.player_id, row.name) for row in page.rows] == [(1, 11, "")]
        members = services.standings.members
        assert await members.claim_look_ups(100, [11]) == [11]  # nobody knows their name yet
        await members.seen(22, "Ben", guild_id=100, guild_name="Ben")
        page = await services.standings.boards.page(Board(BoardGame.STREAK, guild_id=100), 22)
        assert [(row.rank, row.player_id) for row in page.rows] == [(1, 11), (1, 22)]
    assert sql(tmp_path, "SELECT player_id, length FROM streaks WHERE length > 0") == [
        (11, 1),
        (22, 1),
    ]

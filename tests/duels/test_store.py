"""Duels and ratings as they are stored."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from bot.db.database import Database, Transaction
from bot.duels import store
from bot.duels.model import Duel, Move, NewDuel
from bot.outages import ALL
from engine import BullsAndCows, Mode
from tests.support.sql import statements

pytestmark = pytest.mark.sqlite

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
MOVES = (Move(0, "a", NOON), Move(1, "b", LATER), Move(0, "b", LATER))
NEW = NewDuel(BullsAndCows(), Mode.EQUAL_TURNS, True, None, 11, 44, 2**63 - 1)


def add(
    tx: Transaction,
    new: NewDuel = NEW,
    players: tuple[int | None, int | None] = (22, 11),
) -> int:
    return store.add(tx, new, players, opened_at=NOON)


def read(tx: Transaction, duel_id: int) -> Duel:
    row = store.get(tx, duel_id)
    assert row is not None
    return row


def over(ending: str, winner: int | None) -> dict[str, Any]:
    return {"state": "over", "ending": ending, "winner": winner, "finished_at": LATER}


def change(tx: Transaction, duel_id: int, **values: Any) -> None:
    row = read(tx, duel_id)
    store.save(tx, row, replace(row, **values))


def plan(tx: Transaction, query: str) -> str:
    return str(tx.execute(text(f"EXPLAIN QUERY PLAN {query}")).all())


async def test_only_changed_rows_and_columns_of_a_duel_are_written(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        row = read(tx, add(tx))
        with statements() as made:
            made.append([])
            store.save(tx, row, row)
            store.save(tx, row, replace(row, moved_at=LATER, version=7))
        assert made == [["UPDATE duels SET moved_at=?, version=? WHERE duels.id = ?"]]

    await database.write(body)
    await database.close()


async def test_the_database_refuses_a_second_move_with_the_same_number(database_url: str) -> None:
    database = await Database.open(database_url)
    row = await database.write(lambda tx: read(tx, add(tx)))
    await database.write(lambda tx: store.save(tx, row, replace(row, moves=MOVES[:1])))
    with pytest.raises(IntegrityError):
        await database.write(lambda tx: store.save(tx, row, replace(row, moves=MOVES[1:2])))
    await database.close()


@pytest.mark.parametrize(
    "change",
    ["ending = 'solved'", "state = 'over'", "winner = 1", "finished_at = opened_at"],
)
async def test_the_database_refuses_a_duel_with_only_some_columns_of_an_ending(
    database_url: str, change: str
) -> None:
    database = await Database.open(database_url)
    await database.write(add)
    with pytest.raises(IntegrityError):
        await database.write(lambda tx: tx.execute(text(f"UPDATE duels SET {change}")))
    await database.close()


async def test_no_player_has_both_seats_of_a_duel(database_url: str) -> None:
    database = await Database.open(database_url)
    with pytest.raises(IntegrityError):
        await database.write(lambda tx: add(tx, players=(11, 11)))
    await database.close()


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("duels WHERE finished_at IS NULL AND deadline_at <= 1", "ix_duels_finished_at"),
        ("duels WHERE rematch_of = 1", "ix_duels_rematch_of"),
        ("duel_seats WHERE player_id = 1", "sqlite_autoindex_duel_seats"),
        ("rating_changes WHERE player_id = 1 AND opponent_id = 2", "ix_rating_changes_player_id"),
    ],
)
async def test_queries_about_duels_use_an_index(database_url: str, query: str, index: str) -> None:
    database = await Database.open(database_url)
    found = await database.write(lambda tx: plan(tx, f"SELECT * FROM {query}"))
    await database.close()
    assert index in found


async def test_overdue_duels_are_found_by_an_index(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        for find, index in (
            (store.passed, "finished_at_deadline_at"),
            (store.outdated, "stale_at"),
            (store.to_nudge, "nudge_at"),
        ):
            with statements() as made:
                made.append([])
                find(tx, NOON, 7, ALL)
            asked = made[-1][-1].replace("?", "0")
            assert f"ix_duels_{index}" in plan(tx, asked)

    await database.write(body)
    await database.close()

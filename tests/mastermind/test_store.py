"""Games of Mastermind as they are stored."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from bot import outages
from bot.db.database import Database, Transaction
from bot.mastermind import store
from bot.mastermind.model import Kind, NewMastermind
from engine import Mastermind
from tests.support.sql import statements

pytestmark = pytest.mark.sqlite

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
NEW = NewMastermind(Kind.PLAY, Mastermind(), 11, 11, "RGBY", 44, 55)


def add(tx: Transaction, new: NewMastermind = NEW, *, deadline_at: datetime = LATER) -> int:
    return store.add(tx, new, opened_at=NOON, deadline_at=deadline_at)


def add_with_a_turn(tx: Transaction) -> int:
    game_id = add(tx)
    store.add_turns(tx, game_id, first=0, codes=["a"], guessed_at=NOON)
    return game_id


def plan(tx: Transaction, query: str) -> str:
    return str(tx.execute(text(f"EXPLAIN QUERY PLAN {query}")).all())


async def test_a_turn_is_stored_once(database_url: str) -> None:
    database = await Database.open(database_url)
    game_id = await database.write(add_with_a_turn)
    guess = partial(store.add_turns, first=0, codes=["b"], guessed_at=NOON)
    for game in (game_id, 99):
        with pytest.raises(IntegrityError):
            await database.write(partial(guess, game_id=game))
    await database.close()


async def test_the_database_refuses_whites_without_blacks_and_an_ending_without_its_time(
    database_url: str,
) -> None:
    database = await Database.open(database_url)
    game_id = await database.write(add_with_a_turn)
    with pytest.raises(IntegrityError):
        await database.write(lambda tx: store.answer(tx, game_id, turn=0, blacks=None, whites=1))
    with pytest.raises(IntegrityError):
        await database.write(
            lambda tx: tx.execute(text("UPDATE masterminds SET ending = 'solved'"))
        )
    await database.close()


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("owner_id = 1 AND finished_at IS NULL", "ix_masterminds_owner_id_finished_at"),
        ("codebreaker_id = 1 AND finished_at IS NULL", "ix_masterminds_codebreaker_id_finished_at"),
        ("finished_at IS NULL AND deadline_at <= 1", "ix_masterminds_finished_at_deadline_at"),
    ],
)
async def test_queries_about_masterminds_use_an_index(
    database_url: str, query: str, index: str
) -> None:
    database = await Database.open(database_url)
    found = await database.write(lambda tx: plan(tx, f"SELECT * FROM masterminds WHERE {query}"))
    await database.close()
    assert index in found


async def test_overdue_masterminds_are_found_by_an_index(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        for find, index in (
            (store.unshown, "unshown"),
            (store.passed, "finished_at_deadline_at"),
        ):
            with statements() as made:
                made.append([])
                find(tx, NOON, 7, outages.ALL)
            asked = made[-1][-1].replace("?", "0")
            assert f"INDEX ix_masterminds_{index}" in plan(tx, asked)

    await database.write(body)
    await database.close()

"""Tables that hold a noun under each key."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

import pytest
from sqlalchemy import func, literal, select
from sqlalchemy.exc import IntegrityError

from bot.db.database import Database, Transaction
from bot.db.keyed import Keyed, Schedule, columns_of
from bot.db.tables.games import plays, puzzles
from bot.db.tables.people import guilds
from bot.db.tables.posts import post_plans, posts
from bot.posts.model import PostChoices, PostClaim, PostPlan
from tests.support.sql import statements

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
TODAY = date(2026, 11, 20)
CLAIM = PostClaim(NOON, NOON, channel_id=2**63 - 1)
SENT = PostClaim(NOON, NOON + timedelta(minutes=2), 2, "sent", 5, channel_id=55)

claims = Keyed[PostClaim, int, date, str](PostClaim, posts)
plans = Keyed[PostPlan, int](PostPlan, post_plans)
choices = Keyed[PostChoices, int](PostChoices, guilds)
agenda = Schedule(post_plans.c.post_at)


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    database = await Database.open(database_url)
    yield database
    await database.close()


async def test_a_noun_is_read_back_under_its_whole_key(database: Database) -> None:

    def body(tx: Transaction) -> None:
        assert claims.put(tx, CLAIM, 1, TODAY, "daily")
        assert claims.put(tx, SENT, 1, TODAY, "other")
        assert claims.get(tx, 1, TODAY, "daily") == CLAIM
        assert claims.get(tx, 1, TODAY, "other") == SENT
        assert claims.get(tx, 2, TODAY, "daily") is None
        assert claims.get(tx, 1, TODAY + timedelta(days=1), "daily") is None

    await database.write(body)


async def test_an_existing_row_is_replaced_in_one_statement(database: Database) -> None:
    await database.write(lambda tx: claims.put(tx, CLAIM, 1, TODAY, "daily"))
    await database.write(lambda tx: claims.put(tx, CLAIM, 2, TODAY, "daily"))
    with statements() as made:
        assert not await database.write(lambda tx: claims.put(tx, SENT, 1, TODAY, "daily"))
    assert [len(statements) for statements in made] == [1]
    assert await database.write(lambda tx: claims.get(tx, 1, TODAY, "daily")) == SENT
    assert await database.write(lambda tx: claims.get(tx, 2, TODAY, "daily")) == CLAIM


async def test_writing_a_noun_leaves_the_other_columns_of_its_row_unchanged(
    database: Database,
) -> None:

    def body(tx: Transaction) -> None:
        tx.execute(guilds.insert().values(guild_id=1, takes_equations=False, post_hour=20))
        assert not choices.put(tx, PostChoices(post_hour=21), 1)
        kept = select(guilds.c.takes_equations, guilds.c.post_hour)
        assert tx.execute(kept).all() == [(False, 21)]

    await database.write(body)


async def test_adding_a_row_that_exists_is_refused(database: Database) -> None:

    def body(tx: Transaction) -> None:
        claims.add(tx, SENT, 1, TODAY, "daily")
        assert claims.get(tx, 1, TODAY, "daily") == SENT
        claims.add(tx, CLAIM, 1, TODAY, "daily")

    with pytest.raises(IntegrityError):
        await database.write(body)


async def test_dropping_a_key_deletes_only_its_row_and_says_whether_there_was_one(
    database: Database,
) -> None:

    def body(tx: Transaction) -> None:
        for day in (TODAY, TODAY + timedelta(days=1)):
            claims.put(tx, CLAIM, 1, day, "daily")
        assert claims.drop(tx, 1, TODAY, "daily")
        assert not claims.drop(tx, 1, TODAY, "daily")
        assert claims.get(tx, 1, TODAY, "daily") is None
        assert claims.get(tx, 1, TODAY + timedelta(days=1), "daily") == CLAIM

    await database.write(body)


async def test_due_rows_come_in_the_order_of_their_times_and_a_row_put_off_at_its_new_time(
    database: Database,
) -> None:
    minute = timedelta(minutes=1)
    dues = {1: NOON, 2: NOON - minute, 3: NOON, 4: NOON + minute, 5: None}

    def body(tx: Transaction) -> None:
        for guild_id, due in dues.items():
            plans.put(tx, PostPlan(due, NOON), guild_id)
        assert agenda.find_due(tx, NOON, most=9) == [2, 1, 3]
        assert agenda.find_due(tx, NOON, most=2) == [2, 1]
        for guild_id in (2, 5):
            agenda.put_off(tx, guild_id, NOON + 2 * minute)
        assert agenda.find_due(tx, NOON + 2 * minute, most=9) == [1, 3, 4, 2]
        assert plans.get(tx, 2) == PostPlan(NOON + 2 * minute, NOON)
        assert plans.get(tx, 5) == PostPlan(None, NOON)

    await database.write(body)


@dataclass
class Opened:
    id: int
    number: int
    zone: str
    guesses: int


def test_each_field_of_a_noun_takes_its_column_from_the_first_table_that_has_one() -> None:
    found = columns_of(Opened, plays, puzzles, guesses=func.coalesce(literal(3), 0))
    assert found[:3] == [plays.c.id, puzzles.c.number, plays.c.zone]
    assert found[3].key == "guesses"


def test_a_field_without_a_column_is_an_error() -> None:
    with pytest.raises(TypeError, match=r"Opened\.guesses"):
        columns_of(Opened, plays, puzzles)

"""Duels and ratings as they are stored."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from bot.db.database import Database, Transaction
from bot.db.keyed import IdPage
from bot.duels import store
from bot.duels.model import Duel, Move, NewDuel, Pace, Seat, State
from bot.ratings import store as ratings_store
from bot.ratings.model import HeadToHead, Rating, RatingChange
from engine import BullsAndCows, Mode
from tests.support.sql import statements

pytestmark = pytest.mark.sqlite

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
ALL = IdPage()
SEATS = (Seat(22, None, LATER), Seat(11, "s", None, "salt"))
MOVES = (Move(0, "a", NOON), Move(1, "b", LATER), Move(0, "b", LATER))
NEW = NewDuel(BullsAndCows(), Mode.EQUAL_TURNS, Pace.LIVE, True, None, 11, 44, 2**63 - 1)


def add(
    tx: Transaction,
    new: NewDuel = NEW,
    players: tuple[int | None, int | None] = (22, 11),
    deadline_at: datetime = LATER,
) -> int:
    return store.add(tx, new, players, state=State.INVITED, opened_at=NOON, deadline_at=deadline_at)


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


async def test_a_duel_comes_back_as_it_was_stored(database_url: str) -> None:
    database = await Database.open(database_url)

    def fill(tx: Transaction) -> tuple[int, int]:
        other = add(tx, players=(11, None))
        change(tx, other, moves=(Move(0, "z", NOON),))
        duel_id = add(tx)
        change(tx, duel_id, state="setting", accepted_at=NOON)
        change(tx, duel_id, state="playing", playing_at=LATER, seats=SEATS)
        change(tx, duel_id, moves=MOVES[:1])
        change(tx, duel_id, moves=MOVES, draw_offered_by=1, moved_at=LATER)
        board = {"channel_id": 2**63 - 1, "message_id": 2**63 - 1, "thread_id": 77}
        change(tx, duel_id, **board, nudge_message_id=88)
        return duel_id, other

    duel_id, other_id = await database.write(fill)
    await database.close()
    database = await Database.open(database_url)
    other = await database.write(lambda tx: read(tx, other_id))
    assert other.moves == (Move(0, "z", NOON),)
    assert other.seats == (Seat(11), Seat(None))
    assert await database.write(lambda tx: store.get(tx, 99)) is None
    row = await database.write(lambda tx: read(tx, duel_id))
    assert (row.rules, row.mode) == (BullsAndCows(), Mode.EQUAL_TURNS)
    assert (row.pace, row.rated) == (Pace.LIVE, True)
    assert (row.challenger_id, row.guild_id, row.channel_id) == (11, 44, 2**63 - 1)
    assert (row.message_id, row.thread_id, row.nudge_message_id) == (2**63 - 1, 77, 88)
    assert (row.state, row.draw_offered_by, row.strength) == ("playing", 1, None)
    assert (row.opened_at, row.accepted_at, row.playing_at) == (NOON, NOON, LATER)
    assert (row.moved_at, row.deadline_at, row.finished_at) == (LATER, LATER, None)
    assert row.seats == SEATS
    assert row.moves == MOVES
    await database.write(lambda tx: change(tx, duel_id, **over("solved", 1), draw_offered_by=None))
    row = await database.write(lambda tx: read(tx, duel_id))
    assert (row.state, row.ending, row.winner, row.draw_offered_by) == ("over", "solved", 1, None)
    await database.close()


async def test_only_what_is_different_is_written(database_url: str) -> None:
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


async def test_a_board_is_shown_only_in_its_last_version(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        duel_id = add(tx)
        change(tx, duel_id, version=2, stale_at=NOON)
        assert not store.set_shown(tx, duel_id, 1)
        assert read(tx, duel_id).stale_at == NOON
        assert store.set_shown(tx, duel_id, 2)
        assert read(tx, duel_id).stale_at is None
        assert not store.set_shown(tx, 99, 2)

    await database.write(body)
    await database.close()


async def test_a_move_is_written_once(database_url: str) -> None:
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
async def test_the_end_comes_all_at_once(database_url: str, change: str) -> None:
    database = await Database.open(database_url)
    await database.write(add)
    with pytest.raises(IntegrityError):
        await database.write(lambda tx: tx.execute(text(f"UPDATE duels SET {change}")))
    await database.close()


async def test_nobody_has_both_seats(database_url: str) -> None:
    database = await Database.open(database_url)
    with pytest.raises(IntegrityError):
        await database.write(lambda tx: add(tx, players=(11, 11)))
    await database.close()


async def test_unfinished_duels_are_found_by_player_deadline_and_origin(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        first = add(tx, deadline_at=NOON)
        second = add(tx, players=(33, 11))
        again = replace(NEW, mode=Mode.RACE, challenger_id=22, guild_id=None, rematch_of=first)
        third = add(tx, again, players=(22, 33))
        ended = add(tx, again, players=(33, 22), deadline_at=NOON)
        change(tx, ended, **over("declined", None))
        change(tx, first, moved_at=LATER, deadline_at=NOON)

        assert [row.id for row in store.unfinished(tx, 11)] == [first, second]
        assert [row.id for row in store.unfinished(tx, 33)] == [third, second]
        assert store.passed(tx, NOON, ALL) == [first]
        assert store.passed(tx, LATER, ALL) == [first, second, third]
        assert store.passed(tx, LATER, IdPage(most=2)) == [first, second]
        assert store.passed(tx, LATER, IdPage(after=first, most=1)) == [second]
        assert store.passed(tx, LATER, IdPage(after=third)) == []
        assert [row.id for row in store.rematches(tx, first)] == [third]
        change(tx, first, deadline_at=LATER)
        assert store.passed(tx, NOON, ALL) == []

    await database.write(body)
    await database.close()


async def test_the_record_counts_winners_not_seats(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        for players, winner, ending in (
            ((11, 22), 0, "solved"),
            ((22, 11), 1, "solved"),
            ((22, 11), 0, "resigned"),
            ((11, 22), None, "draw_agreed"),
            ((11, 22), None, "declined"),
            ((11, 33), 0, "solved"),
        ):
            duel_id = add(tx, players=players)
            change(tx, duel_id, **over(ending, winner))
        endings = ("solved", "resigned", "draw_agreed")
        assert ratings_store.record(tx, 11, 22, endings) == HeadToHead(2, 1, 1)
        assert ratings_store.record(tx, 22, 11, endings) == HeadToHead(1, 1, 2)
        assert ratings_store.record(tx, 22, 33, endings) == HeadToHead(0, 0, 0)

    await database.write(body)
    await database.close()


async def test_a_duel_changes_a_rating_once(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> RatingChange:
        duel_id = add(tx)
        one, two, three = Rating(1.0, 2.0), Rating(3.0, 4.0, 1), Rating(5.0, 6.0, 2)
        first = RatingChange(duel_id, 11, 22, one, two, 1, NOON, established=False, floor=3)
        ratings_store.change(tx, first)
        assert ratings_store.get(tx, 11) == two
        assert ratings_store.get(tx, 22) is None
        other = RatingChange(add(tx), 11, 22, two, three, 2, LATER, established=True)
        ratings_store.change(tx, other)
        assert ratings_store.get(tx, 11) == three
        assert ratings_store.of_duel(tx, duel_id) == [first]
        assert ratings_store.history(tx, 11) == [first, other]
        assert ratings_store.count_between(tx, 11, 22, NOON - timedelta(seconds=1)) == (2, 1)
        assert ratings_store.count_between(tx, 11, 22, NOON) == (1, 0)
        assert ratings_store.count_between(tx, 11, 33, NOON - timedelta(days=1)) == (0, 0)
        return first

    first = await database.write(body)
    with pytest.raises(IntegrityError):
        await database.write(lambda tx: ratings_store.change(tx, first))
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
async def test_what_is_asked_for_has_an_index(database_url: str, query: str, index: str) -> None:
    database = await Database.open(database_url)
    found = await database.write(lambda tx: plan(tx, f"SELECT * FROM {query}"))
    await database.close()
    assert index in found


async def test_what_is_due_is_found_without_looking_at_all_duels(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        for find, index in (
            (store.passed, "finished_at_deadline_at"),
            (store.stale, "stale_at"),
            (store.to_nudge, "nudge_at"),
        ):
            with statements() as made:
                made.append([])
                find(tx, NOON, IdPage(after=7))
            asked = made[-1][-1].replace("?", "0")
            assert f"ix_duels_{index}" in plan(tx, asked)

    await database.write(body)
    await database.close()

"""Games of Mastermind as they are stored."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from bot.db.database import Database, Transaction
from bot.db.keyed import IdPage
from bot.mastermind import store
from bot.mastermind.model import Guess, Kind, NewMastermind
from bot.mastermind.store import ResultRow
from engine import Code, Mastermind
from tests.support.sql import statements

pytestmark = pytest.mark.sqlite

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
ALL = IdPage()
RULES = Mastermind().encode()
NEW = NewMastermind(Kind.PLAY, Mastermind(), 11, 11, Code("RGBY"), 44, 55)


def add(tx: Transaction, new: NewMastermind = NEW, *, deadline_at: datetime = LATER) -> int:
    return store.add(tx, new, opened_at=NOON, deadline_at=deadline_at)


def add_with_a_turn(tx: Transaction) -> int:
    game_id = add(tx)
    store.add_turns(tx, game_id, first=0, codes=["a"], guessed_at=NOON)
    return game_id


def plan(tx: Transaction, query: str) -> str:
    return str(tx.execute(text(f"EXPLAIN QUERY PLAN {query}")).all())


async def test_a_game_comes_back_as_it_was_stored(database_url: str) -> None:
    database = await Database.open(database_url)

    def fill(tx: Transaction) -> tuple[int, int]:
        other_id = add(tx)
        store.add_turns(tx, other_id, first=0, codes=["d", "e"], guessed_at=NOON)
        game_id = add(tx)
        store.add_turns(tx, game_id, first=0, codes=["a", "b"], guessed_at=NOON)
        store.add_turns(tx, game_id, first=2, codes=["c"], guessed_at=NOON)
        store.answer(tx, game_id, turn=1, blacks=1, whites=None)
        store.move(tx, game_id, pending="RG", moved_at=LATER, deadline_at=LATER)
        store.accept(tx, game_id, accepted_at=LATER)
        store.set_message(tx, game_id, 2**63 - 1, shown=1)
        return game_id, other_id

    game_id, other_id = await database.write(fill)
    await database.close()
    database = await Database.open(database_url)
    row = await database.write(lambda tx: store.get(tx, game_id))
    other = await database.write(lambda tx: store.get(tx, other_id))
    assert await database.write(lambda tx: store.get(tx, 99)) is None
    await database.close()
    assert row is not None
    assert (row.kind, row.rules, row.hidden_code) == (Kind.PLAY, Mastermind(), "RGBY")
    assert (row.owner_id, row.codebreaker_id) == (11, 11)
    assert (row.guild_id, row.channel_id, row.message_id) == (44, 55, 2**63 - 1)
    assert (row.opened_at, row.moved_at, row.deadline_at) == (NOON, LATER, LATER)
    assert (row.accepted_at, row.finished_at, row.ending) == (LATER, None, None)
    assert row.pending == "RG"
    assert (row.revision, row.shown) == (1, 1)
    assert row.guesses == (Guess(Code("a")), Guess(Code("b"), 1, None), Guess(Code("c")))
    assert other is not None
    assert other.guesses == (Guess(Code("d")), Guess(Code("e")))
    assert (other.pending, other.message_id, other.accepted_at) == ("", None, None)


async def test_only_the_turns_after_one_are_dropped(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        games = [add(tx), add(tx)]
        for game_id in games:
            store.add_turns(tx, game_id, first=0, codes="abc", guessed_at=NOON)
        store.drop_turns(tx, games[0], after=0)
        rows = [store.get(tx, game_id) for game_id in games]
        assert [len(row.guesses) for row in rows if row] == [1, 3]

    await database.write(body)
    await database.close()


async def test_a_turn_is_written_once(database_url: str) -> None:
    database = await Database.open(database_url)
    game_id = await database.write(add_with_a_turn)
    guess = partial(store.add_turns, first=0, codes=["b"], guessed_at=NOON)
    for game in (game_id, 99):
        with pytest.raises(IntegrityError):
            await database.write(partial(guess, game_id=game))
    await database.close()


async def test_whites_come_after_blacks_and_an_ending_with_its_instant(database_url: str) -> None:
    database = await Database.open(database_url)
    game_id = await database.write(add_with_a_turn)
    with pytest.raises(IntegrityError):
        await database.write(lambda tx: store.answer(tx, game_id, turn=0, blacks=None, whites=1))
    with pytest.raises(IntegrityError):
        await database.write(
            lambda tx: tx.execute(text("UPDATE masterminds SET ending = 'solved'"))
        )
    await database.close()


async def test_what_is_open_has_neither_ended_nor_passed(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        mine = add(tx, deadline_at=LATER + timedelta(microseconds=1))
        other = NewMastermind(Kind.CHALLENGE, Mastermind(), 33, 11, Code("RGBY"))
        to_break = add(tx, other, deadline_at=NOON + timedelta(days=1))
        gone = add(tx, deadline_at=LATER)
        ended = add(tx)
        store.finish(tx, ended, ending="solved", finished_at=NOON)
        add(tx, NewMastermind(Kind.WATCH, Mastermind(), 33, None, Code("RGBY")))
        assert [row.id for row in store.open_of(tx, 11, LATER)] == [to_break, mine]
        assert [row.id for row in store.open_of(tx, 11, NOON)] == [gone, to_break, mine]
        passed = store.passed(tx, LATER, ALL)
        assert gone in passed
        assert {mine, to_break, ended}.isdisjoint(passed)
        assert store.passed(tx, NOON, ALL) == []

    await database.write(body)
    await database.close()


async def test_results_count_finished_games_by_how_they_went(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        for ending, turns in (
            ("solved", 2),
            ("solved", 2),
            ("solved", 3),
            ("lost", 2),
            ("lost", 0),
            (None, 2),
        ):
            game_id = add(tx)
            codes = [str(turn) for turn in range(turns)]
            if codes:
                store.add_turns(tx, game_id, first=0, codes=codes, guessed_at=NOON)
            if ending:
                store.finish(tx, game_id, ending=ending, finished_at=NOON)
        assert store.results(tx, 11) == [
            ResultRow(RULES, "lost", 2, 1),
            ResultRow(RULES, "solved", 2, 2),
            ResultRow(RULES, "solved", 3, 1),
        ]
        assert store.results(tx, 12) == []

    await database.write(body)
    await database.close()


@pytest.mark.parametrize(
    ("query", "index"),
    [
        ("owner_id = 1 AND finished_at IS NULL", "ix_masterminds_owner_id_finished_at"),
        ("codebreaker_id = 1 AND finished_at IS NULL", "ix_masterminds_codebreaker_id_finished_at"),
        ("finished_at IS NULL AND deadline_at <= 1", "ix_masterminds_finished_at_deadline_at"),
    ],
)
async def test_what_is_asked_for_has_an_index(database_url: str, query: str, index: str) -> None:
    database = await Database.open(database_url)
    found = await database.write(lambda tx: plan(tx, f"SELECT * FROM masterminds WHERE {query}"))
    await database.close()
    assert index in found


async def test_changes_are_counted_and_a_board_behind_them_is_found(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        behind, level, private = [add(tx), add(tx), add(tx)]
        for game_id in (behind, level):
            store.set_message(tx, game_id, 100 + game_id, shown=1)
        for game_id in (behind, level, private):
            store.move(tx, game_id, pending="", moved_at=NOON, deadline_at=LATER)
        store.finish(tx, behind, ending="lapsed", finished_at=LATER)
        assert store.unshown(tx, NOON - timedelta(microseconds=1), ALL) == []
        assert store.unshown(tx, NOON, ALL) == [behind]
        store.forget_message(tx, behind, 100 + level)
        assert store.unshown(tx, NOON, ALL) == [behind]
        store.forget_message(tx, behind, 100 + behind)
        assert store.unshown(tx, NOON, ALL) == []

    await database.write(body)
    await database.close()


async def test_what_is_due_is_found_without_looking_at_all_games(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        for find, index in (
            (store.unshown, "unshown"),
            (store.passed, "finished_at_deadline_at"),
        ):
            with statements() as made:
                made.append([])
                find(tx, NOON, IdPage(after=7))
            asked = made[-1][-1].replace("?", "0")
            assert f"INDEX ix_masterminds_{index}" in plan(tx, asked)

    await database.write(body)
    await database.close()


async def test_a_game_that_has_ended_can_go_on(database_url: str) -> None:
    database = await Database.open(database_url)

    def body(tx: Transaction) -> None:
        games = [add(tx), add(tx)]
        for game_id in games:
            store.finish(tx, game_id, ending="solved", finished_at=LATER)
        store.reopen(tx, games[0])
        rows = [store.get(tx, game_id) for game_id in games]
        assert [(row.ending, row.finished_at) for row in rows if row] == [
            (None, None),
            ("solved", LATER),
        ]

    await database.write(body)
    await database.close()

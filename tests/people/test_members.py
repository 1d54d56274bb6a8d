"""Who is on a server's boards: who has done something there, and has not left."""

import asyncio
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from bot.errors import StorageBusyError
from bot.leaderboards import results
from bot.leaderboards.boards import PATTERN, Board, BoardGame, Period
from bot.mastermind.model import Ending, Kind
from bot.people import store as storage
from bot.people.members import Members
from bot.settings.game import join_boards, leave_boards
from bot.streaks import store as streak_storage
from tests.support.duels import ANN, BEN, CAT
from tests.support.sql import sql, statements
from tests.support.town import Town

pytestmark = pytest.mark.usefixtures("keys_watched")

HERE, THERE = 100, 200
TODAY = Board(BoardGame.FOCDLE, Period.DAY, guild_id=HERE)


async def names(town: Town, board: Board = TODAY) -> list[tuple[int, str]]:
    return [(row.player_id, row.name) for row in await town.rows(board)]


async def test_a_member_who_left_returns_to_the_leaderboard_with_a_click_on_the_same_date(
    town: Town,
) -> None:
    for player in (ANN, BEN):
        await town.join(player, HERE, THERE)
        await town.play(player, HERE, 2 if player == ANN else 4)
    before = await town.rows(TODAY)
    await town.services.standings.members.gone(HERE, ANN)
    (row,) = await town.rows(TODAY)
    assert (row.rank, row.player_id) == (1, BEN)
    assert len(await town.rows(Board(BoardGame.FOCDLE, guild_id=THERE))) == 2
    await town.join(ANN, HERE)
    assert await town.rows(TODAY) == before


async def test_a_member_who_left_is_stored_anew_by_each_process(town: Town) -> None:
    elsewhere = Members(town.database, town.clock, join_boards, leave_boards)
    await town.services.watch(elsewhere.heard)
    for _ in range(2):
        await elsewhere.seen(ANN, "Ann", guild_id=HERE, guild_name="Ann")
        assert await elsewhere.knows(ANN, HERE)
        await town.services.standings.members.gone(HERE, ANN)


async def test_a_servers_boards_show_a_members_name_there(town: Town) -> None:
    seen = town.services.standings.members.seen
    await town.join(ANN, HERE)
    await town.play(ANN, HERE)
    await seen(ANN, "Ann", guild_id=HERE, guild_name="Queen Ann")
    assert await names(town) == [(ANN, "Queen Ann")]
    await seen(ANN, "Anna" * 99)
    assert await names(town) == [(ANN, "Queen Ann")]
    stats = await town.services.statistics.of(ANN, viewer_id=ANN, guild_id=HERE)
    assert stats.name == "Queen Ann"


async def test_a_member_is_stored_once_a_day_and_with_each_new_name(town: Town) -> None:
    with statements() as begun:
        for _ in range(5):
            await town.join(ANN, HERE)
        assert len(begun) == 1
        await town.join(ANN, THERE)
        await town.services.standings.members.seen(ANN, "A", guild_id=HERE, guild_name="B")
        town.clock.advance(days=1)
        await town.join(ANN, HERE)
        await town.join(ANN, HERE)
        assert len(begun) == 4
    assert sql(town.folder, "SELECT seen_at FROM members WHERE guild_id = 100") == [
        ("2026-11-21 12:00:00.000000",)
    ]


async def test_several_simultaneous_clicks_store_a_member_once(town: Town) -> None:
    with statements() as begun:
        await asyncio.gather(*(town.join(ANN, HERE) for _ in range(5)))
    assert len(begun) == 1
    await town.play(ANN, HERE)
    assert await names(town) == [(ANN, "P11 of 100")]


async def test_a_member_who_could_not_be_stored_is_stored_at_the_next_click(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(storage, "see_player", busy)
        with pytest.raises(StorageBusyError):
            await town.join(ANN, HERE)
    await town.join(ANN, HERE)
    await town.play(ANN, HERE)
    assert await names(town) == [(ANN, "P11 of 100")]


def busy(*_: object) -> None:
    raise StorageBusyError


async def test_a_member_not_seen_for_a_day_is_looked_up_once_a_day(town: Town) -> None:
    ask, members = town.services.standings.members.claim_look_ups, (ANN, BEN, CAT)
    board = Board(BoardGame.FOCDLE, guild_id=HERE)
    for player in members:
        await town.join(player, HERE)
        await town.play(player, HERE)
    town.clock.advance(hours=12)
    await town.join(CAT, HERE)
    town.clock.advance(hours=11, minutes=59)
    assert await ask(HERE, members) == []
    town.clock.advance(minutes=1)
    assert await ask(HERE, [BEN]) == [BEN]  # only those who are shown
    assert await ask(HERE, members) == [ANN]
    assert await ask(HERE, members) == []
    await town.services.standings.members.still_here(HERE, ANN, "Ann again")
    await town.services.standings.members.gone(HERE, BEN)
    assert await names(town, board) == [(ANN, "Ann again"), (CAT, "P33 of 100")]
    town.clock.advance(hours=23, minutes=59)
    assert await ask(HERE, members) == [CAT]
    town.clock.advance(minutes=1)
    assert await ask(HERE, members) == [ANN]
    assert await ask(THERE, members) == []


async def test_two_simultaneous_requests_look_up_no_member_twice(town: Town) -> None:
    await town.join(ANN, HERE)
    town.clock.advance(days=1)
    ask = town.services.standings.members.claim_look_ups
    asked = await asyncio.gather(*(ask(HERE, [ANN]) for _ in range(3)))
    assert sorted(asked) == [[], [], [ANN]]


def slowly(seconds: float) -> Callable[[], float]:
    """A stopwatch by which so much time passes between two looks at it."""
    looks = count()
    return lambda: next(looks) * seconds


async def test_streaks_that_end_at_one_midnight_are_processed_a_few_at_a_time(town: Town) -> None:
    board = Board(BoardGame.STREAK, guild_id=HERE)
    for player in range(1, 9):
        await town.join(player, HERE)
        await town.play(player, HERE)
    town.at("2026-11-22T00:29")
    assert not await town.services.upkeep.settle()
    town.at("2026-11-22T00:30")
    upkeep = town.upkeep(slowly(0.04))  # so a tenth of a second is over after the third player
    left: list[int] = []
    while await upkeep.settle():
        left.append((await town.page(board)).total)
    assert left == [5, 2, 0]


async def test_rows_of_leaderboards_are_recomputed_a_few_at_a_time(town: Town) -> None:
    for player in range(1, 6):
        await town.join(player, HERE)
        await town.play(player, HERE)
    sql(town.folder, "INSERT INTO standing_rebuilds SELECT player_id FROM members")
    upkeep, left = town.upkeep(slowly(0.04)), list[list[tuple[int]]]()
    while await upkeep.settle():
        left.append(sql(town.folder, "SELECT player_id FROM standing_rebuilds ORDER BY 1"))
    assert left == [[(4,), (5,)], []]


async def test_a_player_whose_streak_cannot_be_computed_delays_no_other_player(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board(BoardGame.STREAK, guild_id=HERE)
    for player in (1, 2, 3):
        await town.join(player, HERE)
        await town.play(player, HERE)
    town.at("2026-11-22T00:30")
    with monkeypatch.context() as patch:
        patch.setattr(streak_storage, "get_dailies", unreadable(streak_storage.get_dailies, 2))
        await town.settle()
        assert [player for player, _name in await names(town, board)] == [2]
    town.clock.advance(minutes=59)
    assert not await town.services.upkeep.settle()  # not over and over
    town.clock.advance(minutes=1)
    await town.settle()
    assert await names(town, board) == []


async def test_leaderboard_rows_that_cannot_be_recomputed_delay_no_other_rows(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    for player in range(1, 7):
        await town.join(player, HERE)
        await town.play(player, HERE)
    sql(town.folder, "DELETE FROM standings")
    sql(town.folder, "INSERT INTO standing_rebuilds SELECT player_id FROM members")
    upkeep = town.upkeep(slowly(0.04))
    with monkeypatch.context() as patch:
        patch.setattr(results, "dailies", unreadable(results.dailies, 2))
        while await upkeep.settle():
            pass
    assert sql(town.folder, "SELECT player_id FROM standing_rebuilds") == [(2,)]
    assert len(await town.rows(TODAY)) == 5
    while await upkeep.settle():
        pass
    assert len(await town.rows(TODAY)) == 6


def unreadable(read: Callable[..., Any], whose: int) -> Callable[..., Any]:
    """Reads what it read, except one player's."""

    def read_all_but_one(tx: object, player_id: int) -> object:
        if player_id == whose:
            raise ValueError("no such zone")
        return read(tx, player_id)

    return read_all_but_one


@pytest.mark.parametrize("guild", [HERE, None], ids=["server's", "own"])
async def test_the_end_of_a_streak_is_computed_again_after_a_change_of_zone(
    town: Town, guild: int | None
) -> None:
    board = Board(BoardGame.STREAK, guild_id=HERE)
    await town.join(ANN, HERE)
    # Eleven hours behind, also in her own conversations, so that nothing comes before.
    town.at("2026-11-10T12:00", "UTC")
    await town.services.settings.change(HERE, zone="Pacific/Niue")
    await town.services.preferences.set_zone(ANN, "Pacific/Niue")
    town.at("2026-11-20T12:00", "Pacific/Niue")
    await town.play(ANN, guild)
    town.at("2026-11-20T20:00", "Pacific/Niue")  # then fourteen ahead
    if guild is None:
        await town.services.preferences.set_zone(ANN, "Pacific/Kiritimati")
    else:
        await town.services.settings.change(HERE, zone="Pacific/Kiritimati")
    # At the next midnight there it is the 22nd here: the 21st is skipped, so it is excused,
    # and the 22nd ends a day earlier than it would have.
    town.at("2026-11-23T00:29", "Pacific/Kiritimati")
    await town.settle()
    assert (await town.page(board)).total == 1
    town.at("2026-11-23T00:31", "Pacific/Kiritimati")
    await town.settle()
    assert (await town.page(board)).total == 0


def test_constants_written_into_the_sql_of_leaderboards_equal_those_of_the_games() -> None:
    assert (results.PLAY, results.SOLVED) == (Kind.PLAY, Ending.SOLVED)
    assert results.STANDARD_MASTERMIND == "mastermind:4x6r/12"


def test_every_leaderboard_encodes_to_a_short_text_of_its_own() -> None:
    found: set[str] = set()
    for game in BoardGame:
        for period in Period:
            for previous in (False, True):
                board = Board.of(game, period, previous=previous, guild_id=2**62)
                text = board.encode()
                found.add(text)
                assert Board.decode(text) == board
                assert len(text) <= 45
    assert len(found) == 3 * 7 + 1
    for wrong in (
        "",
        "focdle.week.2.1",
        "streak.week.0.1",
        "focdle.all.1.1",
        "focdle.week.0.-1",
    ):
        with pytest.raises(ValueError):  # noqa: PT011 - which one, the string says
            Board.decode(wrong)
    assert "(?P" not in PATTERN

"""Members who are taken off a server's leaderboards: what counts, where, and from when to when."""

import asyncio
from datetime import date

import pytest
from sqlalchemy import select

from bot.clock import PuzzleName, number_of
from bot.db.database import Transaction
from bot.db.tables.people import exclusions, standings
from bot.leaderboards.game import Absence
from bot.leaderboards.rebuild import rebuild
from bot.leaderboards.scores import Board, BoardGame, FocdleFigures, Period
from bot.moderation.model import (
    BackAlreadyError,
    Cause,
    Exclusion,
    OffAlreadyError,
    OwnExclusionError,
    TakenOffError,
)
from bot.moderation.store import is_off
from bot.posts.news import PostNews
from bot.privacy.model import CONFIRMATION
from bot.services import open_services
from tests.support.duels import ANN, BEN, CAT, DAN
from tests.support.table import KEY
from tests.support.town import Town

HERE, THERE = 100, 200
HOST, OTHER_HOST = 901, 902
DAY, WEEK, MONTH, ALL = Period
STREAK = Board(BoardGame.STREAK, guild_id=HERE)


def focdle(period: Period, guild: int | None = HERE, *, previous: bool = False) -> Board:
    return Board(BoardGame.FOCDLE, period, previous, guild)


async def points(town: Town, board: Board) -> dict[int, int]:
    found: dict[int, int] = {}
    for row in await town.rows(board):
        assert isinstance(row.figures, FocdleFigures)
        found[row.player_id] = row.figures.points
    return found


async def players(town: Town, board: Board) -> list[int]:
    return [row.player_id for row in await town.rows(board)]


async def take_off(town: Town, player: int, cause: Cause = Cause.ANSWERS, by: int = HOST) -> None:
    await town.services.moderation.take_off(by, HERE, player, cause)


async def listed(town: Town) -> list[Exclusion]:
    return [*(await town.services.moderation.page(HERE)).rows]


async def undo(town: Town, by: int = HOST) -> None:
    (only,) = await listed(town)
    await town.services.moderation.undo(by, HERE, only.id)


async def play_all(town: Town, day: str, *, hour: int = 12, **guesses: int) -> None:
    """Let it be noon of a date, and members play it there."""
    town.at(f"{day}T{hour:02}:00")
    await town.settle()
    for name, made in guesses.items():
        await town.play({"ann": ANN, "ben": BEN, "cat": CAT}[name], HERE, made)


pytestmark = pytest.mark.usefixtures("keys_watched")


@pytest.fixture
async def town(town: Town) -> Town:
    for player in (ANN, BEN, CAT):
        await town.join(player, HERE, THERE)
        await town.services.preferences.set_on_global_boards(player, on=True)
    return town


async def test_a_member_taken_off_leaves_the_servers_current_leaderboards_on_the_next_date(
    town: Town,
) -> None:
    await play_all(town, "2026-11-17", ann=2, ben=4)
    await take_off(town, ANN)
    assert await points(town, focdle(DAY)) == {ANN: 5, BEN: 3}  # the date goes on as it began
    await play_all(town, "2026-11-18", ann=1, ben=3)
    for period in Period:
        assert ANN not in await players(town, focdle(period)), period
        page = await town.page(focdle(period), ANN)
        assert (page.own, page.absence, page.cause) == (None, Absence.TAKEN_OFF, Cause.ANSWERS)
        assert ANN in await players(town, focdle(period, THERE))
        assert ANN in await players(town, focdle(period, None))
    assert ANN not in await players(town, STREAK)
    assert ANN in await players(town, Board(BoardGame.STREAK, guild_id=THERE))


async def test_leaderboards_of_periods_that_ended_before_an_exclusion_stay_as_they_were(
    town: Town,
) -> None:
    await play_all(town, "2026-11-17", ann=2, ben=4)
    await take_off(town, ANN)
    await play_all(town, "2026-11-18", ben=4)
    assert await points(town, focdle(DAY, previous=True)) == {ANN: 5, BEN: 3}
    await play_all(town, "2026-11-24", ben=4)
    assert await points(town, focdle(WEEK, previous=True)) == {BEN: 6}  # she was off in that week


async def test_games_played_while_a_member_was_taken_off_never_count_in_that_server(
    town: Town,
) -> None:
    await play_all(town, "2026-11-17", ann=2, ben=4)
    await take_off(town, ANN)
    await play_all(town, "2026-11-18", ann=1, ben=4)
    await undo(town)
    await play_all(town, "2026-11-18", hour=22)
    assert ANN not in await players(town, focdle(WEEK))
    await play_all(town, "2026-11-19", ann=4, ben=4)
    assert await points(town, focdle(WEEK)) == {ANN: 8, BEN: 9}
    assert await points(town, focdle(DAY, previous=True)) == {BEN: 3}
    assert await points(town, focdle(ALL, THERE)) == {ANN: 14, BEN: 9}
    assert ANN in await players(town, STREAK)
    assert (await town.page(focdle(DAY), ANN)).absence is None


async def test_leaderboards_rebuilt_after_an_exclusion_equal_those_added_up_game_by_game(
    town: Town,
) -> None:
    await play_all(town, "2026-11-17", ann=2)
    await take_off(town, ANN)
    await play_all(town, "2026-11-18", ann=1)
    await town.mastermind(ANN, 5)
    await undo(town)
    await play_all(town, "2026-11-19", ann=3)
    await town.mastermind(ANN, 6)

    def rows(tx: Transaction) -> list[tuple[object, ...]]:
        return sorted(map(tuple, tx.execute(select(standings))), key=repr)

    before = await town.database.read(rows)
    await town.database.write(lambda tx: rebuild(tx, ANN, town.clock.now()))
    assert await town.database.read(rows) == before


async def test_an_exclusion_begins_with_the_next_date_in_the_servers_zone(town: Town) -> None:
    await town.services.settings.change(HERE, zone="Asia/Tokyo")
    town.at("2026-11-18T23:30", "Asia/Tokyo")
    await town.play(ANN, HERE)
    await take_off(town, ANN)
    town.at("2026-11-18T23:59", "Asia/Tokyo")
    await town.settle()
    assert ANN in await players(town, focdle(DAY))
    town.at("2026-11-19T00:00", "Asia/Tokyo")
    await town.settle()
    assert ANN not in await players(town, focdle(ALL))
    assert (await listed(town))[0].from_day == date(2026, 11, 19)


async def test_a_daily_opened_before_an_exclusion_begins_counts_though_finished_after_midnight(
    town: Town,
) -> None:
    town.at("2026-11-17T23:50")
    await take_off(town, ANN)
    play = await town.open(ANN, HERE)
    town.at("2026-11-18T00:10")
    await town.settle()
    await town.finish(play, 3)
    assert await points(town, focdle(DAY, previous=True)) == {ANN: 4}


async def test_a_member_taken_off_is_rated_as_usual_and_shown_again_after_the_undo(
    town: Town,
) -> None:
    duels = Board(BoardGame.DUELS, guild_id=HERE)
    everywhere = Board(BoardGame.DUELS)
    for player in (ANN, BEN, CAT, DAN):
        await town.join(player, HERE)
        await town.services.preferences.set_on_global_boards(player, on=True)
    await town.circle(ANN, BEN, CAT, DAN)
    await take_off(town, ANN)
    town.clock.advance(days=1)
    await town.settle()
    await town.duel(ANN, BEN)
    assert ANN not in await players(town, duels)
    await undo(town)
    town.clock.advance(days=1)
    await town.settle()
    there = {row.player_id: row.figures for row in await town.rows(everywhere)}
    here = {row.player_id: row.figures for row in await town.rows(duels)}
    assert here == there
    assert ANN in here


async def test_a_member_taken_off_is_on_no_card_and_in_no_finishers_thread(town: Town) -> None:
    await town.services.settings.change(HERE, channel_id=7)
    await town.services.posts.choices.set_finishers_threads(HERE, on=True)
    await play_all(town, "2026-11-17", ann=2)
    entries = town.services.entries
    await take_off(town, ANN, Cause.NAME)
    assert await entries.enter(ANN, PuzzleName(number_of(date(2026, 11, 17)), 10), HERE, 7)
    await play_all(town, "2026-11-18", ann=2, ben=2)
    today = PuzzleName(number_of(date(2026, 11, 18)), 10)
    with pytest.raises(TakenOffError) as refused:
        await entries.enter(ANN, today, HERE, 7)
    assert "name or picture" in refused.value.told()
    assert await entries.enter(BEN, today, HERE, 7)
    work = await town.services.posts.threads.claim(HERE, date(2026, 11, 18))
    assert work is not None
    assert work.player_ids == (BEN,)


async def news_of(town: Town, day: str) -> PostNews:
    town.at(f"{day}T09:00")
    await town.settle()
    due = await town.services.posts.book.preview(HERE)
    return await town.services.posts.news.gather(due)


async def test_posts_and_recaps_name_no_member_from_the_date_on_which_they_are_taken_off(
    town: Town,
) -> None:
    await town.services.settings.change(HERE, channel_id=7)
    for day in range(16, 23):
        await play_all(town, f"2026-11-{day}", ann=1, ben=2, cat=3)
    for _ in range(5):
        await town.mastermind(ANN, 4)
    told = await news_of(town, "2026-11-23")
    assert sum(ANN in named for named in told.names) == 5
    town.at("2026-11-22T20:00")
    await take_off(town, ANN)
    told = await news_of(town, "2026-11-23")
    assert not any(ANN in named for named in told.names)
    assert [row.player_id for row in told.yesterday.rows] == [BEN, CAT]
    assert told.yesterday.total == 2
    assert [row.player_id for row in told.best] == [BEN]
    assert [event.player_id for event in told.streaks.grown] == [BEN, CAT]


async def test_posts_leave_a_member_taken_off_out_of_the_number_of_players(town: Town) -> None:
    await town.services.settings.change(HERE, channel_id=7)
    town.at("2026-11-22T12:00")
    for player in range(1, 13):
        await town.join(player, HERE)
        await town.play(player, HERE, 2 if player < 12 else 6)
    await take_off(town, 12)
    told = await news_of(town, "2026-11-23")
    assert told.week is not None
    assert (told.week.total, told.yesterday.total) == (11, 11)


async def test_a_member_taken_off_who_leaves_and_returns_stays_off(town: Town) -> None:
    await play_all(town, "2026-11-17", ann=2)
    await take_off(town, ANN)
    await play_all(town, "2026-11-18")
    await town.services.standings.members.gone(HERE, ANN)  # who has left can be let back as well
    assert [row.player_id for row in await listed(town)] == [ANN]
    await town.join(ANN, HERE)
    assert ANN not in await players(town, focdle(ALL))
    await undo(town)
    await play_all(town, "2026-11-19")
    assert await points(town, focdle(ALL)) == {ANN: 5}


async def test_an_exclusion_outlives_a_deletion_without_naming_anybody(town: Town) -> None:
    await play_all(town, "2026-11-17", ann=2)
    await take_off(town, ANN)
    await play_all(town, "2026-11-18")
    await town.services.privacy.players.delete(ANN, CONFIRMATION)

    named = select(exclusions.c.player_id, exclusions.c.by_id)
    assert await town.database.read(lambda tx: tx.execute(named).all()) == [(None, HOST)]
    (left,) = await listed(town)
    assert left.player_id is None
    await town.join(BEN, HERE)
    await town.join(ANN, HERE, THERE)
    await town.play(ANN, HERE, 1)
    assert ANN not in await players(town, focdle(ALL))
    assert ANN in await players(town, focdle(ALL, THERE))
    assert [row.player_id for row in await listed(town)] == [ANN]
    await undo(town)
    await play_all(town, "2026-11-19", ann=2)
    assert await points(town, focdle(ALL)) == {ANN: 5}


async def test_an_exclusion_of_a_deleted_player_can_be_undone(town: Town) -> None:
    await take_off(town, ANN)
    await play_all(town, "2026-11-21")
    await town.services.privacy.players.delete(ANN, CONFIRMATION)
    await undo(town)
    assert await town.database.read(lambda tx: tx.execute(select(exclusions)).all()) == []
    await play_all(town, "2026-11-22")
    await town.join(ANN, HERE)
    await play_all(town, "2026-11-22", ann=1)
    assert await points(town, focdle(DAY)) == {ANN: 6}


async def test_a_member_who_deleted_their_data_while_off_cannot_be_taken_off_again(
    town: Town,
) -> None:
    await take_off(town, ANN)
    await play_all(town, "2026-11-21")
    await town.services.privacy.players.delete(ANN, CONFIRMATION)
    with pytest.raises(OffAlreadyError):
        await take_off(town, ANN, Cause.NAME)
    await town.join(ANN, HERE)
    (only,) = await listed(town)
    assert only.cause is Cause.ANSWERS


async def test_a_manager_taken_off_cannot_let_themselves_back_after_deleting_their_data(
    town: Town,
) -> None:
    await take_off(town, ANN)
    await play_all(town, "2026-11-21")
    await town.services.privacy.players.delete(ANN, CONFIRMATION)
    with pytest.raises(OwnExclusionError):
        await undo(town, by=ANN)
    assert len(await listed(town)) == 1


async def test_a_host_who_deletes_everything_about_a_player_deletes_their_exclusions(
    town: Town,
) -> None:
    await take_off(town, ANN)
    await town.services.privacy.players.delete(ANN, CONFIRMATION)
    await town.services.privacy.players.delete(ANN, CONFIRMATION, keeps=False)
    assert await listed(town) == []


async def test_a_deletion_of_the_managers_data_leaves_the_exclusion(town: Town) -> None:
    await take_off(town, ANN, by=BEN)
    await town.services.privacy.players.delete(BEN, CONFIRMATION)
    (left,) = await listed(town)
    assert left.player_id == ANN
    assert left.by_id < 0


async def test_a_server_that_deletes_its_data_loses_its_exclusions(town: Town) -> None:
    await play_all(town, "2026-11-17", ann=2)
    await take_off(town, ANN)
    await play_all(town, "2026-11-18")
    await town.services.privacy.deletion.delete(HERE, "Here", "here")
    assert await listed(town) == []


async def test_a_member_taken_off_while_hidden_is_off_once_they_show_themselves(town: Town) -> None:
    await play_all(town, "2026-11-17", ann=2)
    await town.services.preferences.set_hidden(ANN, on=True)
    await take_off(town, ANN)
    await play_all(town, "2026-11-18", ann=2)
    assert (await town.page(focdle(ALL), ANN)).absence is Absence.HIDDEN
    await town.services.preferences.set_hidden(ANN, on=False)
    assert ANN not in await players(town, focdle(ALL))
    assert ANN in await players(town, focdle(ALL, THERE))


async def test_two_managers_at_once_take_a_member_off_once(town: Town) -> None:
    attempts = [take_off(town, ANN, by=by) for by in (HOST, OTHER_HOST)]
    failed = [r for r in await asyncio.gather(*attempts, return_exceptions=True) if r is not None]
    assert [type(error) for error in failed] == [OffAlreadyError]
    (only,) = await listed(town)
    assert (only.player_id, only.cause) == (ANN, Cause.ANSWERS)
    undoing = [town.services.moderation.undo(by, HERE, only.id) for by in (HOST, OTHER_HOST)]
    failed = [r for r in await asyncio.gather(*undoing, return_exceptions=True) if r is not None]
    assert [type(error) for error in failed] == [BackAlreadyError]


async def test_managers_can_neither_take_themselves_off_nor_let_themselves_back(town: Town) -> None:
    with pytest.raises(OwnExclusionError):
        await take_off(town, HOST)
    await take_off(town, OTHER_HOST)
    with pytest.raises(OwnExclusionError):
        await undo(town, by=OTHER_HOST)
    with pytest.raises(BackAlreadyError):
        (only,) = await listed(town)
        await town.services.moderation.undo(HOST, THERE, only.id)  # another server's


async def test_an_exclusion_undone_on_the_same_date_has_no_effect(town: Town) -> None:
    await take_off(town, ANN)
    await undo(town)
    assert await listed(town) == []
    town.clock.advance(days=1)
    await town.settle()
    await town.play(ANN, HERE, 1)
    assert await points(town, focdle(DAY)) == {ANN: 6}


async def test_a_member_let_back_and_taken_off_again_on_one_date_stays_off_the_leaderboards(
    town: Town,
) -> None:
    await play_all(town, "2026-11-17", ann=2)
    await take_off(town, ANN)
    await play_all(town, "2026-11-18")
    await undo(town)
    await take_off(town, ANN, Cause.WISH)
    await play_all(town, "2026-11-19", ann=2)
    assert await points(town, focdle(ALL)) == {}
    (only,) = await listed(town)
    assert (only.cause, only.from_day) == (Cause.WISH, date(2026, 11, 18))


async def test_a_member_taken_off_is_told_so_by_exactly_one_process(
    town: Town, database_url: str
) -> None:
    await take_off(town, ANN)
    async with open_services(database_url, town.clock, puzzle_key=KEY, par_runs=0) as second:
        for services in (town.services, second):
            await services.moderation.refresh()
        assert await second.moderation.tell(ANN, THERE) is None
        assert await second.moderation.tell(BEN, HERE) is None
        telling = [s.moderation.tell(ANN, HERE) for s in (town.services, second, second)]
        told = [found for found in await asyncio.gather(*telling) if found is not None]
        assert [found.player_id for found in told] == [ANN]
        await second.moderation.refresh()
        assert await second.moderation.tell(ANN, HERE) is None
        await second.moderation.tell_later(told[0])
        await second.moderation.refresh()
        assert await second.moderation.tell(ANN, HERE) == told[0]


async def test_the_sql_condition_for_members_taken_off_agrees_with_the_stored_rows(
    town: Town,
) -> None:
    async def off() -> bool:
        return bool(await town.database.read(lambda tx: tx.scalar(select(is_off(HERE, ANN)))))

    await take_off(town, ANN)
    assert not await off()
    town.clock.advance(days=1)
    await town.settle()
    assert await off()
    await undo(town)
    assert await off()
    town.clock.advance(days=1)
    await town.settle()
    assert not await off()

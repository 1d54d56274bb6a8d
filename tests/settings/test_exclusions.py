"""Members whom managers take off a server's boards: at once, yes or no, and undone."""

import asyncio
from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import select

from bot.clock import PuzzleName, number_of
from bot.db.database import Transaction
from bot.db.tables.people import exclusions, standings
from bot.leaderboards.boards import Board, BoardGame, FocdleFigures, Period
from bot.leaderboards.game import Absence
from bot.leaderboards.rebuild import rebuild
from bot.moderation.model import (
    BackAlreadyError,
    Exclusion,
    OffAlreadyError,
    OwnExclusionError,
    TakenOffError,
)
from bot.posts.news import PostNews
from bot.privacy.erasing import EXCLUDED_FOR
from bot.privacy.model import CONFIRMATION, Keeps
from bot.services import open_services
from tests.support.duels import ANN, BEN, CAT, DAN
from tests.support.table import KEY
from tests.support.town import Town

HERE, THERE = 100, 200
HOST, OTHER_HOST = 901, 902
DAY, WEEK, MONTH, ALL = Period
STREAK = Board(BoardGame.STREAK, guild_id=HERE)


def focdle(period: Period, guild: int = HERE, *, previous: bool = False) -> Board:
    return Board(BoardGame.FOCDLE, period, previous, guild_id=guild)


async def points(town: Town, board: Board) -> dict[int, int]:
    found: dict[int, int] = {}
    for row in await town.rows(board):
        assert isinstance(row.figures, FocdleFigures)
        found[row.player_id] = row.figures.points
    return found


async def players(town: Town, board: Board) -> list[int]:
    return [row.player_id for row in await town.rows(board)]


async def take_off(town: Town, player: int, by: int = HOST) -> None:
    await town.services.settings.take_off(by, HERE, player)


async def listed(town: Town) -> list[Exclusion]:
    return [*(await town.services.settings.excluded(HERE)).rows]


async def undo(town: Town, by: int = HOST) -> None:
    (only,) = await listed(town)
    await town.services.settings.let_back(by, HERE, only.id)


async def delete(town: Town, player: int, keeps: Keeps = Keeps.MARK) -> None:
    await town.services.privacy.players.delete(player, CONFIRMATION, keeps)


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
    return town


async def test_a_member_taken_off_is_on_no_board_of_the_server_from_that_moment(
    town: Town,
) -> None:
    await play_all(town, "2026-11-16", ann=2, ben=4)
    await play_all(town, "2026-11-17", ann=2, ben=4)
    await take_off(town, ANN)
    boards = [focdle(period) for period in Period]
    for board in [*boards, focdle(DAY, previous=True), STREAK]:
        assert await players(town, board) == [BEN], board
        page = await town.page(board, ANN)
        assert (page.own, page.absence) == (None, Absence.TAKEN_OFF)
    await play_all(town, "2026-11-18", ann=1)
    assert ANN not in await players(town, focdle(DAY))
    assert (await points(town, focdle(ALL, THERE)))[ANN] == 16
    assert ANN in await players(town, Board(BoardGame.STREAK, guild_id=THERE))


async def test_all_that_a_member_played_counts_once_the_exclusion_is_undone(town: Town) -> None:
    await play_all(town, "2026-11-17", ann=2, ben=4)
    await town.mastermind(ANN, 5)

    def rows(tx: Transaction) -> list[tuple[object, ...]]:
        return sorted(map(tuple, tx.execute(select(standings))), key=repr)

    await take_off(town, ANN)
    await play_all(town, "2026-11-18", ann=1, ben=4)
    for _ in range(5):
        await town.mastermind(ANN, 6)
    off = await town.database.read(rows)
    await town.database.write(lambda tx: rebuild(tx, ANN, town.clock.now()))
    assert await town.database.read(rows) == off
    await undo(town)
    assert await points(town, focdle(WEEK)) == await points(town, focdle(WEEK, THERE))
    for game in (BoardGame.MASTERMIND, BoardGame.STREAK):
        assert ANN in await players(town, Board(game, guild_id=HERE))
    assert (await town.page(focdle(DAY), ANN)).absence is None
    back = await town.database.read(rows)
    await town.database.write(lambda tx: rebuild(tx, ANN, town.clock.now()))
    assert await town.database.read(rows) == back


async def test_a_member_taken_off_is_rated_as_usual_and_shown_again_after_the_undo(
    town: Town,
) -> None:
    duels, there = (Board(BoardGame.DUELS, guild_id=guild) for guild in (HERE, THERE))
    await town.join(DAN, HERE, THERE)
    await town.circle(ANN, BEN, CAT, DAN)
    await take_off(town, ANN)
    town.clock.advance(days=1)
    await town.duel(ANN, BEN)
    assert ANN not in await players(town, duels)
    await undo(town)
    assert ANN in await players(town, duels)
    assert await town.rows(duels) == [
        replace(row, name=row.name.replace(str(THERE), str(HERE))) for row in await town.rows(there)
    ]


async def test_a_member_taken_off_leaves_the_card_and_is_in_no_finishers_thread(
    town: Town,
) -> None:
    await town.services.settings.change(HERE, channel_id=7)
    await town.services.posts.choices.set_finishers_threads(HERE, on=True)
    await play_all(town, "2026-11-17", ann=2, ben=3)
    today = PuzzleName(number_of(date(2026, 11, 17)), 10)
    entries = town.services.entries
    for player in (ANN, BEN):
        running = await entries.enter(player, today, HERE, 7)
        assert running is not None
    await take_off(town, ANN)
    place = await entries.place(running, BEN)
    assert place is not None
    assert place.total == 1
    with pytest.raises(TakenOffError):
        await entries.enter(ANN, today, HERE, 7)
    work = await town.services.posts.threads.claim(HERE, date(2026, 11, 17))
    assert work is not None
    assert work.player_ids == (BEN,)
    await play_all(town, "2026-11-18", ann=2, ben=2)
    work = await town.services.posts.threads.claim(HERE, date(2026, 11, 18))
    assert work is not None
    assert work.player_ids == (BEN,)


async def news_of(town: Town, day: str) -> PostNews:
    town.at(f"{day}T09:00")
    await town.settle()
    due = await town.services.posts.book.preview(HERE)
    return await town.services.posts.news.gather(due)


async def test_posts_and_recaps_neither_name_nor_count_a_member_taken_off(town: Town) -> None:
    await town.services.settings.change(HERE, channel_id=7)
    await town.join(DAN, HERE)
    for day in range(16, 23):
        await play_all(town, f"2026-11-{day}", ann=1, ben=2, cat=3)
    await town.play(DAN, HERE, 6)
    for _ in range(5):
        await town.mastermind(ANN, 4)
    told = await news_of(town, "2026-11-23")
    assert sum(ANN in named for named in told.names) == 5
    await take_off(town, ANN)
    told = await news_of(town, "2026-11-23")
    assert not any(ANN in named for named in told.names)
    assert [row.player_id for row in told.yesterday.rows] == [BEN, CAT, DAN]
    assert told.week is not None
    assert (told.week.total, told.yesterday.total) == (3, 3)
    assert [row.player_id for row in told.best] == [BEN]
    assert [event.player_id for event in told.streaks.grown] == [BEN, CAT]


async def test_a_member_taken_off_who_leaves_and_returns_stays_off(town: Town) -> None:
    await play_all(town, "2026-11-17", ann=2)
    await take_off(town, ANN)
    await town.services.standings.members.gone(HERE, ANN)
    assert [row.player_id for row in await listed(town)] == [ANN]
    await town.join(ANN, HERE)
    assert await players(town, focdle(ALL)) == []
    await undo(town)
    assert await points(town, focdle(ALL)) == {ANN: 5}


async def test_an_exclusion_outlives_a_deletion_without_naming_anybody(town: Town) -> None:
    await play_all(town, "2026-11-17", ann=2)
    await take_off(town, ANN)
    await delete(town, ANN)

    named = select(exclusions.c.player_id, exclusions.c.by_id)
    assert await town.database.read(lambda tx: tx.execute(named).all()) == [(None, HOST)]
    await town.join(BEN, HERE)
    await town.join(ANN, HERE, THERE)
    town.clock.advance(days=8)
    await town.play(ANN, HERE, 1)
    assert ANN not in await players(town, focdle(ALL))
    assert ANN in await players(town, focdle(ALL, THERE))
    assert [row.player_id for row in await listed(town)] == [ANN]
    await undo(town)
    assert ANN in await players(town, focdle(ALL))


async def test_the_digest_of_a_deleted_player_goes_a_year_after_they_were_last_met_there(
    town: Town,
) -> None:
    await take_off(town, ANN)
    town.clock.advance(days=30)
    await town.join(ANN, HERE)
    met = town.clock.now()
    town.clock.advance(days=30)
    await town.join(ANN, THERE)
    await delete(town, ANN)
    await take_off(town, BEN)
    town.clock.set(met + EXCLUDED_FOR - timedelta(seconds=1))
    await town.services.privacy.servers.sweep(None)
    assert [row.player_id for row in await listed(town)] == [BEN, None]
    town.clock.advance(seconds=1)
    await town.services.privacy.servers.sweep(None)
    assert [row.player_id for row in await listed(town)] == [BEN]  # whose data are there


async def test_a_digest_of_a_player_who_is_back_does_not_go_by_the_year(town: Town) -> None:
    await take_off(town, ANN)
    await delete(town, ANN)
    town.clock.advance(days=300)
    await town.join(ANN, HERE)
    town.clock.advance(days=300)
    await town.services.privacy.servers.sweep(None)
    assert [row.player_id for row in await listed(town)] == [ANN]


async def test_a_member_who_deleted_their_data_while_off_cannot_be_taken_off_again(
    town: Town,
) -> None:
    await take_off(town, ANN)
    await delete(town, ANN)
    with pytest.raises(OffAlreadyError):
        await take_off(town, ANN)
    await town.join(ANN, HERE)
    (only,) = await listed(town)
    assert only.player_id == ANN


async def test_a_manager_taken_off_cannot_let_themselves_back_after_deleting_their_data(
    town: Town,
) -> None:
    await take_off(town, ANN)
    await delete(town, ANN)
    with pytest.raises(OwnExclusionError):
        await undo(town, by=ANN)
    assert len(await listed(town)) == 1


async def test_a_host_who_deletes_everything_about_a_player_deletes_their_exclusions(
    town: Town,
) -> None:
    await take_off(town, ANN)
    await delete(town, ANN)
    await delete(town, ANN, Keeps.NOTHING)
    assert await listed(town) == []


async def test_a_deletion_of_the_managers_data_leaves_the_exclusion(town: Town) -> None:
    await take_off(town, ANN, by=BEN)
    await delete(town, BEN)
    (left,) = await listed(town)
    assert left.player_id == ANN
    assert left.by_id < 0


async def test_a_member_taken_off_while_hidden_is_off_once_they_show_themselves(town: Town) -> None:
    await play_all(town, "2026-11-17", ann=2)
    await town.services.preferences.set_hidden(ANN, on=True)
    await take_off(town, ANN)
    assert (await town.page(focdle(ALL), ANN)).absence is Absence.HIDDEN
    await town.services.preferences.set_hidden(ANN, on=False)
    assert ANN not in await players(town, focdle(ALL))
    assert ANN in await players(town, focdle(ALL, THERE))


async def test_two_managers_at_once_take_a_member_off_once(town: Town) -> None:
    attempts = [take_off(town, ANN, by=by) for by in (HOST, OTHER_HOST)]
    failed = [r for r in await asyncio.gather(*attempts, return_exceptions=True) if r is not None]
    assert [type(error) for error in failed] == [OffAlreadyError]
    (only,) = await listed(town)
    assert only.player_id == ANN
    settings = town.services.settings
    undoing = [settings.let_back(by, HERE, only.id) for by in (HOST, OTHER_HOST)]
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
        await town.services.settings.let_back(HOST, THERE, only.id)  # another server's


async def test_a_member_taken_off_is_told_so_by_exactly_one_process(
    town: Town, database_url: str
) -> None:
    await take_off(town, ANN)
    async with open_services(database_url, town.clock, puzzle_key=KEY) as second:
        for services in (town.services, second):
            await services.moderation.refresh()
        assert not await second.moderation.tell(ANN, THERE)
        assert not await second.moderation.tell(BEN, HERE)
        telling = [s.moderation.tell(ANN, HERE) for s in (town.services, second, second)]
        assert sorted(await asyncio.gather(*telling)) == [False, False, True]
        await second.moderation.refresh()
        assert not await second.moderation.tell(ANN, HERE)
        await second.moderation.tell_later(ANN, HERE)
        await second.moderation.refresh()
        assert await second.moderation.tell(ANN, HERE)

"""Leaderboards, case by case: ties, hidden players, many servers and lengths, zones, periods."""

import pytest

from bot.leaderboards.boards import (
    Board,
    BoardGame,
    FocdleFigures,
    MastermindFigures,
    Period,
    StreakFigures,
)
from bot.leaderboards.game import Absence, Row
from bot.leaderboards.results import DailyResultRow
from tests.support.clock import NOON
from tests.support.duels import ANN, BEN, CAT, DAN
from tests.support.sql import sql
from tests.support.town import Town

HERE, THERE, FAR = 100, 200, 300
DAY, WEEK, MONTH, ALL = Period


def focdle(period: Period, guild: int = HERE, *, previous: bool = False) -> Board:
    return Board(BoardGame.FOCDLE, period, previous, guild_id=guild)


def points(rows: list[Row]) -> list[tuple[int, int, int]]:
    """Rank, player and points of each row."""
    found: list[tuple[int, int, int]] = []
    for row in rows:
        assert isinstance(row.figures, FocdleFigures)
        found.append((row.rank, row.player_id, row.figures.points))
    return found


async def ranks(town: Town, board: Board) -> list[tuple[int, int]]:
    return [(row.rank, row.player_id) for row in await town.rows(board)]


async def test_players_tied_across_two_pages_share_a_rank(town: Town) -> None:
    # Two with six points, then nineteen with four, who begin on page 0 and end on page 2, then one.
    for player in range(1, 23):
        await town.join(player, HERE)
        await town.play(player, HERE, 1 if player > 20 else 3 if player > 1 else 5)
    first, second, third = [await town.page(focdle(DAY), 15, number) for number in range(3)]
    assert [(row.rank, row.player_id) for row in first.rows] == [
        (1, 21),
        (1, 22),
        *((3, player) for player in range(2, 10)),
    ]
    assert [(row.rank, row.player_id) for row in second.rows] == [
        (3, player) for player in range(10, 20)
    ]
    assert [(row.rank, row.player_id) for row in third.rows] == [(3, 20), (22, 1)]
    for page in (first, second, third):
        assert (page.total, page.pages, page.own_page) == (22, 3, 1)
        assert page.own is not None
        assert (page.own.rank, page.own.player_id) == (3, 15)
    assert await town.page(focdle(DAY), 15, None) == second
    assert (await town.page(focdle(DAY), 99, None)).number == 0
    assert (await town.page(focdle(DAY), 15, 99)).number == 2
    assert (await town.page(focdle(DAY), 15, -1)).number == 0


async def test_ties_are_broken_by_more_solved_puzzles_then_by_fewer_guesses(town: Town) -> None:
    days = {  # guesses on three dates; 7 for a lost one, 0 for none
        ANN: (1, 7, 0),  # 6 points, 1 solved, 7 guesses
        BEN: (4, 4, 0),  # 6 points, 2 solved, 8 guesses
        CAT: (1, 0, 0),  # 6 points, 1 solved, 1 guess
        DAN: (0, 1, 0),  # the same
        5: (0, 2, 0),  # 5 points
        6: (7, 7, 7),  # none at all
    }
    for player in days:
        await town.join(player, HERE)
    for date in range(3):
        town.at(f"2026-11-{16 + date}T12:00")
        for player, guesses in days.items():
            if guesses[date]:
                await town.play(player, HERE, guesses[date], solved=guesses[date] < 7)
    expected = [(1, BEN), (2, CAT), (2, DAN), (4, ANN), (5, 5), (6, 6)]
    assert await ranks(town, focdle(WEEK)) == expected
    rows = await town.rows(focdle(ALL))
    assert rows[3].figures == FocdleFigures(points=6, solved=1, guesses=7, plays=2)
    assert rows[5].figures == FocdleFigures(points=0, solved=0, guesses=18, plays=3)


async def test_a_puzzle_solved_with_hints_scores_less_and_ranks_below_one_without(
    town: Town,
) -> None:
    for player, guesses, hints in ((ANN, 3, 1), (BEN, 4, 0), (CAT, 6, 2), (DAN, 6, 0), (5, 5, 2)):
        await town.join(player, HERE)
        await town.play(player, HERE, guesses, shown=hints)
    assert points(await town.rows(focdle(DAY))) == [
        (1, BEN, 3),
        (2, ANN, 3),
        (3, DAN, 1),
        (4, 5, 0),
        (5, CAT, 0),
    ]


def test_a_lost_puzzle_with_hints_is_no_solved_one_with_hints() -> None:
    lost = DailyResultRow(324, 10, False, 6, hints=2, opened_at=NOON, finished_at=NOON)
    assert FocdleFigures.of_daily(lost) == FocdleFigures(guesses=6, plays=1)


def test_of_equal_means_at_mastermind_that_of_more_games_stands_first() -> None:
    assert MastermindFigures(6, 6, 36).sort_key < MastermindFigures(5, 5, 30).sort_key


async def test_a_hidden_player_is_on_no_board_and_leaves_no_gap_in_the_ranks(town: Town) -> None:
    choose = town.services.preferences
    for player, guesses in ((ANN, 1), (BEN, 2), (CAT, 3)):
        await town.join(player, HERE)
        await town.play(player, HERE, guesses)
    boards = [*map(focdle, Period), Board(BoardGame.STREAK, guild_id=HERE)]
    before = [await town.rows(board) for board in boards]
    assert (await choose.set_hidden(BEN, on=True)).hidden
    for board, rows in zip(boards, before, strict=True):
        assert [row.player_id for row in await town.rows(board)] == [ANN, CAT]
        page = await town.page(board, BEN)
        assert (page.own, page.absence, page.total) == (None, Absence.HIDDEN, 2)
        last = (await town.page(board, CAT)).own
        assert last is not None
        assert last.rank == rows[2].rank - 1 or board.game is BoardGame.STREAK
    town.clock.advance(days=1)
    await town.play(BEN, HERE, 4)  # what is played while hidden is not lost
    await choose.set_hidden(BEN, on=False)
    assert points(await town.rows(focdle(ALL))) == [(1, BEN, 8), (2, ANN, 6), (3, CAT, 4)]


async def test_a_play_counts_in_every_server_of_its_player_with_that_length(town: Town) -> None:
    await town.services.settings.change(THERE, length=9)
    for player in (ANN, BEN):
        await town.join(player, HERE, THERE)
    await town.join(CAT, HERE, FAR)
    await town.play(ANN, None, 2)  # at 10, in a conversation of her own
    await town.play(BEN, HERE, 3, puzzle="/9")
    await town.play(CAT, THERE, 4)  # at 9, where he is not known
    assert points(await town.rows(focdle(DAY, HERE))) == [(1, ANN, 5)]
    assert points(await town.rows(focdle(DAY, THERE))) == [(1, BEN, 4)]
    assert points(await town.rows(focdle(DAY, FAR))) == []
    assert (await town.page(focdle(DAY, FAR), CAT)).absence is Absence.NOT_PLAYED
    await town.join(CAT, THERE)
    assert points(await town.rows(focdle(DAY, THERE))) == [(1, BEN, 4), (2, CAT, 3)]


async def test_a_length_that_applies_at_once_recounts_plays_that_members_made_elsewhere(
    town: Town,
) -> None:
    await town.join(ANN, HERE, THERE)
    await town.play(ANN, THERE, 2)
    await town.play(ANN, THERE, 3, puzzle="/9")
    assert points(await town.rows(focdle(DAY, HERE))) == [(1, ANN, 5)]
    await town.services.settings.change(HERE, length=9)
    assert points(await town.rows(focdle(DAY, HERE))) == [(1, ANN, 4)]


async def test_a_leaderboard_of_today_goes_by_the_servers_date(town: Town) -> None:
    await town.services.settings.change(HERE, zone="Asia/Tokyo")
    await town.services.settings.change(THERE, zone="America/Los_Angeles")
    await town.join(ANN, HERE, THERE)
    town.at("2026-11-20T23:00", "Asia/Tokyo")
    await town.play(ANN, HERE, 2)  # the 20th; in Los Angeles it is still to come that day
    assert points(await town.rows(focdle(DAY, HERE))) == [(1, ANN, 5)]
    assert points(await town.rows(focdle(DAY, THERE))) == [(1, ANN, 5)]
    town.at("2026-11-21T00:30", "Asia/Tokyo")
    assert points(await town.rows(focdle(DAY, HERE))) == []
    assert points(await town.rows(focdle(DAY, HERE, previous=True))) == [(1, ANN, 5)]
    assert points(await town.rows(focdle(DAY, THERE))) == [(1, ANN, 5)]
    town.at("2026-11-21T00:00", "America/Los_Angeles")
    assert points(await town.rows(focdle(DAY, THERE))) == []
    assert points(await town.rows(focdle(DAY, THERE, previous=True))) == [(1, ANN, 5)]


async def test_a_puzzle_finished_in_the_half_hour_of_grace_counts_for_its_date(town: Town) -> None:
    await town.join(ANN, HERE)
    town.at("2026-11-22T23:59")  # a Sunday
    play = await town.open(ANN, HERE)
    town.at("2026-11-23T00:29")
    await town.finish(play, 3)
    for period in (DAY, WEEK):
        assert points(await town.rows(focdle(period))) == []
        assert points(await town.rows(focdle(period, previous=True))) == [(1, ANN, 4)]
    late = await town.open(ANN, HERE)
    town.at("2026-11-24T00:30")
    await town.finish(late, 1)
    await town.play(ANN, HERE, 1, puzzle="2026-11-01")
    assert points(await town.rows(focdle(ALL))) == [(1, ANN, 4)]


@pytest.mark.parametrize(
    ("played", "looked", "period", "running", "previous"),
    [
        ("2026-11-22", "2026-11-22", WEEK, True, False),  # a Sunday
        ("2026-11-22", "2026-11-23", WEEK, False, True),
        ("2026-11-22", "2026-11-30", WEEK, False, False),
        ("2026-11-30", "2026-11-30", MONTH, True, False),
        ("2026-11-30", "2026-12-01", MONTH, False, True),
        ("2026-11-30", "2027-01-01", MONTH, False, False),
        ("2026-12-31", "2027-01-01", DAY, False, True),
        ("2026-12-31", "2027-01-01", WEEK, True, False),
        ("2026-12-31", "2027-01-01", MONTH, False, True),
        ("2028-02-29", "2028-03-31", MONTH, False, True),
        ("2026-12-31", "2027-06-01", ALL, True, False),
    ],
)
async def test_weeks_and_months_of_a_leaderboard_begin_and_end_on_their_dates(
    town: Town, played: str, looked: str, period: Period, running: bool, previous: bool
) -> None:
    await town.join(ANN, HERE)
    town.at(f"{played}T12:00")
    await town.play(ANN, HERE)
    town.at(f"{looked}T12:00")
    assert bool(await town.rows(focdle(period))) == running
    if period is not ALL:
        assert bool(await town.rows(focdle(period, previous=True))) == previous
    town.clock.advance(minutes=1)
    await town.services.preferences.set_hidden(ANN, on=True)
    await town.services.preferences.set_hidden(ANN, on=False)  # worked out anew, it is the same
    assert bool(await town.rows(focdle(period))) == running


async def test_a_page_of_a_leaderboard_says_which_dates_it_covers(town: Town) -> None:
    town.at("2027-01-01T12:00")
    found = {
        (period, previous): (await town.page(focdle(period, previous=previous))).days
        for period in (DAY, WEEK, MONTH)
        for previous in (False, True)
    }
    assert {key: tuple(map(str, days or ())) for key, days in found.items()} == {
        (DAY, False): ("2027-01-01", "2027-01-01"),
        (DAY, True): ("2026-12-31", "2026-12-31"),
        (WEEK, False): ("2026-12-28", "2027-01-03"),
        (WEEK, True): ("2026-12-21", "2026-12-27"),
        (MONTH, False): ("2027-01-01", "2027-01-31"),
        (MONTH, True): ("2026-12-01", "2026-12-31"),
    }
    empty = await town.page(focdle(ALL), ANN)
    assert (empty.days, empty.pages, empty.total, empty.rows) == (None, 1, 0, ())
    assert empty.absence is Absence.NOT_PLAYED


async def test_rows_of_periods_that_can_no_longer_be_viewed_are_deleted(town: Town) -> None:
    await town.join(ANN, HERE)
    for day in range(1, 29):
        town.at(f"2026-10-{day:02}T12:00")
        await town.play(ANN, HERE)
    town.at("2026-12-24T12:00")
    await town.play(ANN, HERE)
    slots = {slot for (slot,) in sql(town.folder, "SELECT slot FROM standings")}
    assert slots == {"fd358", "fw355", "fm335", "fm274", "fa", "sa"}


async def test_mastermind_is_ranked_by_the_mean_from_the_fifth_game_on(town: Town) -> None:
    board = Board(BoardGame.MASTERMIND, WEEK, guild_id=HERE)
    for player in (ANN, BEN, CAT, DAN):
        await town.join(player, HERE)
    for guesses in (5, 5, 5, 5):
        await town.mastermind(ANN, guesses)
    page = await town.page(board, ANN)
    assert (page.total, page.own, page.absence) == (0, None, Absence.TOO_FEW)
    assert page.own_figures == MastermindFigures(games=4, solved=4, guesses=20)
    await town.mastermind(ANN, 4)
    for guesses in (4, 4, 4, 4, 4, 9):
        await town.mastermind(BEN, guesses)
    for guesses in (2, 2, 2, 2):
        await town.mastermind(CAT, guesses)
    await town.mastermind(CAT, 0, solved=False)  # never guessed in, so it was no game
    await town.mastermind(CAT, 1, solved=False)  # given up counts as 13
    for guesses in (5, 5, 5, 5, 4):
        await town.mastermind(DAN, guesses)
    rows = await town.rows(board)
    assert [(row.rank, row.player_id) for row in rows] == [(1, CAT), (2, BEN), (3, ANN), (3, DAN)]
    assert rows[0].figures == MastermindFigures(games=5, solved=4, guesses=21)
    assert isinstance(rows[1].figures, MastermindFigures)
    assert rows[1].figures.hundredths == round(100 * (29 + 30) / (6 + 5))
    await town.services.preferences.set_hidden(CAT, on=True)
    await town.services.preferences.set_hidden(CAT, on=False)
    assert await town.rows(board) == rows  # counted anew


async def test_a_leaderboard_of_mastermind_says_how_many_games_other_members_need_for_a_rank(
    town: Town,
) -> None:
    for player, games in ((ANN, 5), (BEN, 4), (CAT, 2)):
        await town.join(player, HERE)
        for _ in range(games):
            await town.mastermind(player, 5)
    board = Board(BoardGame.MASTERMIND, WEEK, guild_id=HERE)
    page = await town.page(board, ANN)
    assert [(one.player_id, one.missing) for one in page.waiting] == [(BEN, 1), (CAT, 3)]
    # The one who looks is told apart, and those who are hidden are nowhere.
    assert [one.player_id for one in (await town.page(board, BEN)).waiting] == [CAT]
    await town.services.preferences.set_hidden(CAT, on=True)
    assert [one.player_id for one in (await town.page(board, ANN)).waiting] == [BEN]


async def test_ranks_are_compared_with_those_of_the_previous_period(town: Town) -> None:
    for player, guesses in ((ANN, 2), (BEN, 3), (CAT, 4)):
        await town.join(player, HERE)
        await town.play(player, HERE, guesses)
    await town.join(DAN, HERE)
    assert not (await town.page(focdle(WEEK), ANN)).compares
    town.clock.advance(days=7)
    for player, guesses in ((ANN, 5), (BEN, 4), (CAT, 2), (DAN, 3)):
        await town.play(player, HERE, guesses)
    page = await town.page(focdle(WEEK), ANN)
    assert page.compares
    assert {row.player_id: (row.before, row.rank) for row in page.rows} == {
        CAT: (3, 1),
        DAN: (None, 2),
        BEN: (2, 3),
        ANN: (1, 4),
    }
    # Of the week before the last, nothing is kept; and all time has nothing before it.
    for board in (focdle(WEEK, previous=True), focdle(ALL)):
        assert not (await town.page(board, ANN)).compares


async def test_a_leaderboard_of_a_past_month_shows_ratings_as_of_its_end(town: Town) -> None:
    await town.join(ANN, HERE)
    town.at("2026-10-29T12:00")
    await town.circle(BEN, CAT, DAN)
    await town.weeks_of_duels(ANN, BEN, CAT, DAN)  # until the 30th of November
    await town.duel(ANN, BEN)
    november = await town.rows(Board(BoardGame.DUELS, MONTH, guild_id=HERE))
    town.at("2026-12-01T12:00")
    assert await town.rows(Board(BoardGame.DUELS, MONTH, guild_id=HERE)) == []
    await town.duel(BEN, ANN)
    running = await town.rows(Board(BoardGame.DUELS, MONTH, guild_id=HERE))
    previous = await town.rows(Board(BoardGame.DUELS, MONTH, previous=True, guild_id=HERE))
    assert [row.player_id for row in running] == [ANN]
    assert previous == november
    assert running[0].figures != previous[0].figures
    assert running == await town.rows(Board(BoardGame.DUELS, guild_id=HERE))
    for on in (True, False):  # worked out anew, all are the same
        await town.services.preferences.set_hidden(ANN, on=on)
    assert running == await town.rows(Board(BoardGame.DUELS, MONTH, guild_id=HERE))
    assert running == await town.rows(Board(BoardGame.DUELS, guild_id=HERE))


async def test_a_leaderboard_of_streaks_shows_their_current_lengths(town: Town) -> None:
    board = Board(BoardGame.STREAK, guild_id=HERE)
    for player in (ANN, BEN, CAT):
        await town.join(player, HERE)
    for day in (18, 19, 20):
        town.at(f"2026-11-{day}T12:00")
        for player, since in ((ANN, 18), (BEN, 19), (CAT, 20)):
            if day >= since:
                await town.play(player, HERE)
    rows = await town.rows(board)
    assert [(row.rank, row.player_id) for row in rows] == [(1, ANN), (2, BEN), (3, CAT)]
    assert rows[0].figures == StreakFigures(length=3, best=3)
    town.at("2026-11-21T12:00")
    await town.play(CAT, HERE)
    await town.settle()
    assert [(row.rank, row.player_id) for row in await town.rows(board)] == [
        (1, ANN),
        (2, BEN),
        (2, CAT),
    ]
    town.at("2026-11-22T00:29")
    await town.settle()
    assert len(await town.rows(board)) == 3
    town.at("2026-11-22T00:30")  # nobody does anything: those who did not play yesterday are out
    await town.settle()
    assert [row.player_id for row in await town.rows(board)] == [CAT]
    assert (await town.page(board, ANN)).absence is Absence.NOT_PLAYED
    assert (await town.services.statistics.of(ANN, viewer_id=ANN)).streak.best == 3

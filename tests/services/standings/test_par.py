"""The board against par: what counts for it, when, and in which order."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.services.standings.keys import Board, BoardGame, Period
from bot.services.standings.model import Absence
from bot.services.standings.scores import ParFigures
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CAT, DAN
from tests.support.sql import sql
from tests.support.town import Town, open_town

HERE, THERE = 100, 200
MONDAY = 320
"""The number of Monday's daily, the 16th of November 2026."""
ALL = Board(BoardGame.PAR, guild_id=HERE)
THIS_WEEK = Board(BoardGame.PAR, Period.WEEK, guild_id=HERE)
EVERYWHERE = Board(BoardGame.PAR)


@pytest.fixture
async def town(tmp_path: Path, database_url: str, clock: FakeClock) -> AsyncGenerator[Town]:
    async with open_town(tmp_path, database_url, clock) as opened:
        yield opened


def date(town: Town, day: int) -> None:
    """Let it be noon, so many days after Monday."""
    town.at(f"2026-11-{16 + day}T12:00")


async def a_week(town: Town, guesses: dict[int, tuple[int, ...]], hints: int = 0) -> None:
    """Dailies from Monday on, each of par 3.60: guesses of each player, 7 for a lost one."""
    for day in range(max(map(len, guesses.values()))):
        date(town, day)
        await town.par(MONDAY + day, 10, 360)
        for player, of_days in guesses.items():
            if day < len(of_days):
                taken = of_days[day]
                await town.play(player, HERE, taken, solved=taken < 7, counted=hints)


async def test_it_ranks_by_mean_guesses_over_par_from_the_fifth_daily_on(town: Town) -> None:
    for player in (ANN, BEN, CAT, DAN):
        await town.join(player, HERE)
    await a_week(
        town,
        {
            ANN: (4, 4, 3, 3, 4, 3),  # 21 guesses in six: -0.10 each
            BEN: (3, 4, 3, 4, 3),  # 17 in five: -0.20
            CAT: (2, 2, 2, 2),  # too few
            DAN: (7, 1, 3, 3, 3),  # 17 in five, too
        },
    )
    rows = await town.rows(ALL)
    assert [(row.rank, row.player_id) for row in rows] == [(1, BEN), (1, DAN), (3, ANN)]
    assert rows[0].figures == rows[1].figures == ParFigures(plays=5, over=-100)
    assert rows[2].figures == ParFigures(plays=6, over=-60)
    assert [row.figures.mean for row in rows if isinstance(row.figures, ParFigures)] == [
        -0.2,
        -0.2,
        -0.1,
    ]
    page = await town.page(ALL, CAT)
    assert (page.own, page.absence) == (None, Absence.TOO_FEW)
    assert page.own_figures == ParFigures(plays=4, over=-640)


async def test_of_like_means_that_of_more_dailies_comes_first(town: Town) -> None:
    for player in (ANN, BEN):
        await town.join(player, HERE)
    await a_week(town, {ANN: (3, 3, 3, 3, 3), BEN: (3, 3, 3, 3, 3, 3)})
    rows = await town.rows(ALL)
    assert [(row.rank, row.player_id) for row in rows] == [(1, BEN), (2, ANN)]


async def test_a_hint_is_a_guess_and_nothing_is_worse_than_a_lost_daily(town: Town) -> None:
    for player in (ANN, BEN):
        await town.join(player, HERE)
    await a_week(town, {ANN: (1, 1, 1, 1, 1), BEN: (1, 1, 1, 1, 6)}, hints=3)
    rows = {row.player_id: row.figures for row in await town.rows(ALL)}
    assert rows[ANN] == ParFigures(5, 5 * (400 - 360))
    assert rows[BEN] == ParFigures(5, 4 * (400 - 360) + 700 - 360)  # not 6 + 3


async def test_a_par_that_comes_late_counts_for_who_has_finished_before(town: Town) -> None:
    for player in (ANN, BEN):
        await town.join(player, HERE)
    for day in range(5):
        date(town, day)
        if day:
            await town.par(MONDAY + day, 10, 360)
        await town.play(ANN, HERE, 3)
    await town.play(BEN, HERE, 3)
    assert (await town.page(ALL, ANN)).own_figures == ParFigures(4, -240)
    await town.par(MONDAY, 9, 100)  # another daily's: nobody has played it
    assert sql(town.folder, "SELECT * FROM standing_rebuilds") == []
    await town.par(MONDAY, 10, 230)  # 100 times 2.3 is a little less
    assert sql(town.folder, "SELECT * FROM standing_rebuilds") == [(ANN, 0)]
    await town.settle()
    (row,) = await town.rows(ALL)
    assert row.figures == ParFigures(5, 4 * (300 - 360) + 300 - 230)


async def test_what_is_played_later_or_not_finished_does_not_count(town: Town) -> None:
    await town.join(ANN, HERE)
    await a_week(town, {ANN: (3, 3, 3, 3)})
    await town.open(ANN, HERE, f"{MONDAY + 3}/9")
    date(town, 4)
    await town.play(ANN, HERE, 3, puzzle=f"{MONDAY - 1}")
    for number, length in ((MONDAY - 1, 10), (MONDAY + 3, 9)):
        await town.par(number, length, 360)
    assert sql(town.folder, "SELECT * FROM standing_rebuilds") == []
    assert (await town.page(ALL, ANN)).own_figures == ParFigures(4, -240)


async def test_servers_count_their_own_length_and_everywhere_the_first_of_a_date(
    town: Town,
) -> None:
    town.at("2026-11-15T12:00")
    await town.services.settings.change(THERE, length=12)
    await town.join(ANN, HERE, THERE)
    await town.services.preferences.set_on_global_boards(ANN, on=True)
    for day in range(5):
        date(town, day)
        await town.par(MONDAY + day, 10, 360)
        await town.par(MONDAY + day, 12, 290)
        await town.play(ANN, HERE, 3)  # 0.60 below
        await town.play(ANN, THERE, 2 + day % 2)  # 0.90 below and 0.10 over by turns
    there = Board(BoardGame.PAR, guild_id=THERE)
    for board, over in ((ALL, -300), (there, 3 * -90 + 2 * 10), (EVERYWHERE, -300)):
        (row,) = await town.rows(board)
        assert row.figures == ParFigures(5, over)


async def test_everywhere_a_date_counts_when_the_par_of_its_first_daily_is_known(
    town: Town,
) -> None:
    await town.join(ANN, HERE)
    await town.services.preferences.set_on_global_boards(ANN, on=True)
    await a_week(town, {ANN: (4, 4, 4, 4, 4)})
    date(town, 5)
    await town.par(MONDAY + 5, 10, 360)
    await town.play(ANN, None, 1, puzzle=f"{MONDAY + 5}/12")
    await town.play(ANN, None, 4)
    (row,) = await town.rows(EVERYWHERE)
    assert row.figures == ParFigures(5, 5 * (400 - 360))
    await town.par(MONDAY + 5, 12, 390)
    await town.settle()
    (row,) = await town.rows(EVERYWHERE)
    assert row.figures == ParFigures(6, 5 * (400 - 360) + 100 - 390)


async def test_it_has_weeks_and_months_but_no_days(town: Town) -> None:
    await town.join(ANN, HERE)
    await a_week(town, {ANN: (3, 3, 3, 3, 3)})
    assert len(await town.rows(THIS_WEEK)) == 1
    assert Board.of(BoardGame.PAR, Period.DAY, previous=True, guild_id=HERE) == THIS_WEEK
    town.at("2026-11-23T12:00")
    assert await town.rows(THIS_WEEK) == []
    assert len(await town.rows(Board(BoardGame.PAR, Period.WEEK, True, HERE))) == 1
    assert len(await town.rows(Board(BoardGame.PAR, Period.MONTH, guild_id=HERE))) == 1
    slots = sql(town.folder, "SELECT slot FROM standings WHERE slot LIKE 'p%' ORDER BY slot")
    assert slots == [("pa",), ("pm305",), ("pw320",)]


async def test_a_week_ranks_after_three_and_says_what_others_miss(town: Town) -> None:
    for player in (ANN, BEN, CAT, DAN):
        await town.join(player, HERE)
    await a_week(town, {ANN: (3, 3, 3), BEN: (4, 4), CAT: (5,), DAN: (3, 2, 3)})
    page = await town.page(THIS_WEEK, ANN)
    assert [(row.rank, row.player_id) for row in page.rows] == [(1, DAN), (2, ANN)]
    assert [(one.player_id, one.missing) for one in page.waiting] == [(BEN, 1), (CAT, 2)]
    # Who looks is told apart, and who is hidden is nowhere.
    assert [one.player_id for one in (await town.page(THIS_WEEK, BEN)).waiting] == [CAT]
    await town.services.preferences.set_hidden(CAT, on=True)
    assert [one.player_id for one in (await town.page(THIS_WEEK, ANN)).waiting] == [BEN]
    assert (await town.page(ALL, ANN)).total == 0


async def test_ranks_are_compared_with_the_period_before(town: Town) -> None:
    for player in (ANN, BEN, CAT, DAN):
        await town.join(player, HERE)
    await a_week(town, {ANN: (2, 2, 2), BEN: (3, 3, 3), CAT: (4, 4, 4)})
    assert not (await town.page(THIS_WEEK, ANN)).compares
    for day in range(7, 10):
        date(town, day)
        await town.par(MONDAY + day, 10, 360)
        for player, guesses in ((ANN, 5), (BEN, 4), (CAT, 2), (DAN, 3)):
            await town.play(player, HERE, guesses)
    page = await town.page(THIS_WEEK, ANN)
    assert page.compares
    assert {row.player_id: (row.before, row.rank) for row in page.rows} == {
        CAT: (3, 1),
        DAN: (None, 2),
        BEN: (2, 3),
        ANN: (1, 4),
    }
    # Of the week before the last, nothing is kept; and all time has nothing before it.
    for board in (Board(BoardGame.PAR, Period.WEEK, True, HERE), ALL):
        assert not (await town.page(board, ANN)).compares

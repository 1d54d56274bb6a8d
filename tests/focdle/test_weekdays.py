"""A weekday that stands out in a server is told beforehand, where enough is known of it."""

from datetime import date, timedelta

import pytest

from bot.clock import number_of
from bot.db.database import Transaction
from bot.focdle import store
from bot.focdle.model import Outlook
from bot.focdle.plays import outlook_of
from bot.focdle.store import DateRow
from tests.support.duels import ANN, BEN, CAT
from tests.support.sql import sql
from tests.support.town import Town

HERE = 100
MONDAY = date(2026, 11, 2)


def row(weekday: int, finished: int, solved: int, week: int = 0) -> DateRow:
    """The results of a weekday, 0 for Monday."""
    return DateRow(number_of(MONDAY) + weekday + 7 * week, finished, solved)


def friday(*rows: DateRow) -> Outlook | None:
    return outlook_of(rows, MONDAY + timedelta(days=4 + 14))


def test_the_hardest_and_easiest_of_three_weekdays_are_named() -> None:
    others = [row(0, 10, 8), row(1, 12, 7)]
    day = MONDAY + timedelta(days=18)
    assert friday(row(4, 6, 2), row(4, 10, 3, week=1), *others) == Outlook(
        day, 5 / 16, is_hardest=True
    )
    assert friday(row(4, 10, 9), *others) == Outlook(day, 0.9, is_hardest=False)


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [row(4, 10, 1)],
        [row(4, 10, 1), row(0, 10, 8)],
        [row(4, 9, 1), row(0, 10, 8), row(1, 10, 8)],  # too few on that weekday
        [row(4, 10, 1), row(0, 10, 8), row(1, 9, 8)],  # or on the others
        [row(4, 10, 7), row(0, 10, 8), row(1, 10, 5)],
        [row(4, 10, 5), row(0, 10, 8), row(1, 12, 6)],  # as hard as another
        [row(4, 10, 10), row(0, 10, 10), row(1, 10, 10)],
    ],
)
def test_a_weekday_with_few_games_or_an_average_result_is_not_mentioned(
    rows: list[DateRow],
) -> None:
    assert friday(*rows) is None


async def test_results_of_a_servers_dates_leave_out_hidden_players_and_other_servers(
    town: Town,
) -> None:
    await town.services.preferences.set_hidden(CAT, on=True)
    for day in (17, 18):
        town.at(f"2026-11-{day}T12:00")
        sql(town.folder, "DELETE FROM pulses")
        await town.play(ANN, HERE, 2)
        await town.play(BEN, HERE, solved=False)
        await town.play(CAT, HERE, 2)
        await town.play(14, 200, 2)
        await town.play(15, HERE, 2, puzzle="/9")
        await town.play(16, HERE, 2, puzzle=None if day == 17 else "320")
        await town.open(17, HERE)

    def body(tx: Transaction) -> None:
        found = store.dates(tx, HERE, 10, 300, 400, most=99)
        assert found == [DateRow(321, 3, 2), DateRow(322, 2, 1)]
        assert store.dates(tx, HERE, 10, 300, 321, most=99) == found[:1]
        # Of the date that the limit cuts, nothing is known.
        assert store.dates(tx, HERE, 10, 300, 400, most=3) == found[1:]

    await town.database.read(body)


async def test_the_ending_of_todays_puzzle_tells_how_hard_tomorrows_weekday_is(town: Town) -> None:
    for day in range(13, 20):  # from Friday to Thursday
        town.at(f"2026-11-{day}T12:00")
        sql(town.folder, "DELETE FROM pulses")
        for player in range(20, 30):
            await town.play(player, HERE, 2, solved=day != 14 or player < 23)
    town.at("2026-11-20T12:00")
    assert (await town.play(ANN, HERE, 2)).ending.outlook == Outlook(
        date(2026, 11, 21), 0.3, is_hardest=True
    )
    assert (await town.play(BEN, None, 2)).ending.outlook is None
    assert (await town.play(BEN, HERE, 2, puzzle="/9")).ending.outlook is None
    assert (await town.play(BEN, HERE, 2, puzzle="300")).ending.outlook is None

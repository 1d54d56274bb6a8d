"""What players are told is not done is counted by its reason, wherever it is told."""

from pathlib import Path

import pytest

from bot.gauges import UNREAD, gauges_here, tell
from tests.support.databases import used
from tests.support.table import Table
from tests.support.told import Told


@pytest.mark.usefixtures("breaking")
async def test_the_metrics_count_refusals_and_errors(table: Table, tmp_path: Path) -> None:
    assert gauges_here() is UNREAD
    told = Told()
    tell(told)
    board = await table.focdle(table.ann)
    await table.guess(table.ann, board, "1+1")  # is told on the board
    await table.ann.slash(table.channel, "duel", opponent=table.ann)  # by what reports to players
    assert told.refusals == ["GuessRefusedError", "SelfDuelError"]
    used().refuse(tmp_path, "INSERT", "guesses")
    await table.guess(table.ann, board, "12+34-5=41")
    assert told.refusals == ["GuessRefusedError", "SelfDuelError"]
    assert told.breakdowns == 1

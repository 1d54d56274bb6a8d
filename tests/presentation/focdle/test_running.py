"""The list of a date's results in words: one line each, and squares while there is room."""

from dataclasses import replace

from bot.model.dailies import PuzzleName
from bot.presentation.focdle.running import rows
from bot.services.server.running_content import MOST_ROWS, RunningContent, RunningRow
from cogs.focdle.running_message import running_page
from engine import Mark
from tests.support.plays import size

ROW = RunningRow(
    rank=1,
    player_id=2**63,
    name="W" * 32,
    is_solved=True,
    is_hard=True,
    hints=2,
    streak=1234,
    turns=((Mark.CORRECT,) * 13,) * 6,
)
LARGEST = RunningContent(PuzzleName(99999, 13), 6, 1030, (ROW,) * MOST_ROWS)
SQUARES = "🟩" * 13


def test_a_row_is_one_line_with_counts_and_no_symbols() -> None:
    first, *others = rows(LARGEST).splitlines()
    assert first == "🥇 \u2068WWWWWWWWWWWWW…\u2069 · 6/6* · 💡 2 · 🔥 1,234"
    assert others == [first] * (MOST_ROWS - 1) + ["-# and 1,005 more"]


def test_medals_are_for_who_has_solved_it() -> None:
    placed = [replace(ROW, rank=rank, name="A", streak=1, hints=0) for rank in (2, 3, 4)]
    lost = replace(placed[0], rank=1, is_solved=False, is_hard=False)
    lines = rows(replace(LARGEST, total=4, rows=(*placed, lost))).splitlines()
    assert [line.split(" ")[0] for line in lines] == ["🥈", "🥉", "**4.**", "**1.**"]
    assert lines[-1].endswith("A\u2069 · X/6")


def test_a_closed_list_opens_the_squares_of_the_best_that_there_is_room_for() -> None:
    closed = replace(LARGEST, is_closed=True, par=3.456)
    lines = rows(closed).splitlines()
    opened = lines.count(SQUARES) // 6
    assert 0 < opened < MOST_ROWS
    block = [lines[0], *[SQUARES] * 6]
    assert lines == block * opened + [lines[0]] * (MOST_ROWS - opened) + ["-# and 1,005 more"]
    characters, components = size(running_page(closed).to_components())
    # A square may count twice.
    assert characters + 13 * 6 * opened <= 4000
    assert components <= 6

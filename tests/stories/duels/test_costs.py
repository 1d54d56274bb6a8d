"""What the clicks of a duel cost: it is read once, its moves are played again once, and that is it.

The one who has clicked is noted once a day, and here before anything is counted.
"""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from simcord import InteractionResult, MemberActor, ResponseMessage

from bot.duels import model
from tests.support.duel_stories import (
    NUMBERS,
    WRONG,
    challenge,
    form,
    number_of,
    playing,
    press,
    to_move,
)
from tests.support.screen import seen, text
from tests.support.sql import statements
from tests.support.table import Table

OPENING = 5
MOVE = 9
ACCEPT = 13
"""And whether it is rated, and what the bot is to break no more for its players."""
END = 37
"""With two ratings, the leaderboards of both players, and the winner's face."""
PICTURED = 9
"""The duel as it ended, its players' names and faces, for the picture."""
SHOWN = 1
"""That Discord has taken the board is noted after that."""


@dataclass
class Cost:
    """What something has cost.

    Attributes:
        statements: how many, in each of the transactions.
        replays: how often the moves of a duel were played again.
    """

    statements: list[int] = field(default_factory=list[int])
    replays: int = 0

    def assert_within(self, *most: int, replays: int = 1) -> None:
        assert len(self.statements) == len(most), self
        assert all(made <= bound for made, bound in zip(self.statements, most, strict=True)), self
        assert self.replays == replays, self


class Meter:
    """Counts what is done for a while; the moves are played again all the same."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._replay, self._replays = model.replay_duel, 0
        monkeypatch.setattr(model, "replay_duel", self._counted)

    def _counted(self, *arguments: Any) -> Any:
        self._replays += 1
        return self._replay(*arguments)

    @contextmanager
    def read(self) -> Generator[Cost]:
        """What has been done when this ends."""
        cost, before = Cost(), self._replays
        with statements() as made:
            yield cost
        cost.statements, cost.replays = [len(one) for one in made], self._replays - before


@pytest.fixture
def meter(monkeypatch: pytest.MonkeyPatch) -> Meter:
    return Meter(monkeypatch)


@pytest.fixture(autouse=True)
async def noted(table: Table) -> None:
    for who in (table.ann, table.ben):
        await who.slash(table.channel, "help")


async def send(who: MemberActor, shown: InteractionResult, number: str) -> ResponseMessage:
    return seen(await who.submit_modal(shown, {"number": number}))


async def test_opening_a_form_of_a_duel_takes_one_transaction(table: Table, meter: Meter) -> None:
    board = await challenge(table)
    with meter.read() as cost:
        shown = await form(table.ben, board, "Accept")
    cost.assert_within(OPENING, replays=0)
    board = await send(table.ben, shown, NUMBERS[1])
    first, second = to_move(table, board)
    with meter.read() as cost:
        shown = await form(first, board)
    cost.assert_within(OPENING)
    board = await send(first, shown, WRONG[0])
    page = await press(second, board, "Notebook")
    with meter.read() as cost:
        await form(second, page)
    cost.assert_within(OPENING)


async def test_accepting_a_duel_takes_few_database_statements(table: Table, meter: Meter) -> None:
    shown = await form(table.ben, await challenge(table), "Accept")
    with meter.read() as cost:
        await send(table.ben, shown, NUMBERS[1])
    cost.assert_within(ACCEPT, SHOWN)


async def test_a_guess_from_the_board_or_the_notebook_takes_few_database_statements(
    table: Table, meter: Meter
) -> None:
    board = await playing(table)
    first, second = to_move(table, board)
    for number in WRONG[:2]:
        who, _ = to_move(table, board)
        shown = await form(who, board)
        with meter.read() as cost:
            board = await send(who, shown, number)
        cost.assert_within(MOVE, SHOWN)
    for who, number in zip((first, second), WRONG[2:4], strict=True):
        page = await press(who, board, "Notebook")
        shown = await form(who, page)
        with meter.read() as cost:
            page = await send(who, shown, number)
        cost.assert_within(MOVE, SHOWN)
        assert number in text(page)


async def test_the_last_guess_of_a_duel_takes_few_database_statements(
    table: Table, meter: Meter
) -> None:
    board = await playing(table)
    first, second = to_move(table, board)
    board = await send(first, await form(first, board), number_of(table, second))
    shown = await form(second, board)
    with meter.read() as cost:
        board = await send(second, shown, WRONG[0])
    cost.assert_within(END, PICTURED, SHOWN, replays=2)
    assert f"**{first.mention} wins**" in text(board)

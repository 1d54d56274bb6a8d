"""Boards that the bot has posted, but was killed before it noted them: a click shows which."""

from pathlib import Path

import pytest
from simcord import ResponseMessage

from cogs.duels import challenge as duel_challenges
from cogs.duels import moves as duel_moves
from cogs.duels.messages import DuelClockCog
from cogs.mastermind import guess as masterminds
from cogs.mastermind.guess import MastermindClockCog
from tests.support import duel_stories
from tests.support.screen import buttons, seen, text
from tests.support.sql import sql
from tests.support.table import Table


async def challenge(table: Table, game: str, folder: Path) -> ResponseMessage:
    """Ann challenges Ben; the bot does not know where it has posted that."""
    if game == "duel":
        board = await duel_stories.challenge(table)
    else:
        asked = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
        board = seen(await table.ann.submit_modal(asked, {"code": "RGBY"}))
    sql(folder, f"UPDATE {game}s SET message_id = NULL")
    return board


@pytest.mark.parametrize(
    ("game", "label"),
    [
        ("duel", "Accept"),
        ("duel", "Decline"),
        ("mastermind", "Accept"),
        ("mastermind", "Decline"),
        ("mastermind", "Withdraw"),
    ],
)
async def test_a_challenge_answered_as_the_bot_is_killed_is_shown_as_it_stands_after_a_restart(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, label: str
) -> None:
    board = await challenge(table, game, tmp_path)
    who = table.ann if label == "Withdraw" else table.ben
    with monkeypatch.context() as killing:
        for module in (duel_challenges, duel_moves, masterminds):
            killing.setattr(module, "repaint", duel_stories.be_killed)
        asked = await who.click(board, label=label)
        if asked.modal is not None:
            await who.submit_modal(asked, {"number": "4567"})
    assert label in buttons(board)
    await table.restart()
    table.clock.advance(minutes=1)
    clocks = table.cog(DuelClockCog).beat, table.cog(MastermindClockCog).publish
    await table.rounds(*clocks)
    assert label not in buttons(board)


async def test_a_guess_made_as_the_bot_is_killed_is_shown_on_a_board_that_was_not_noted(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await duel_stories.playing(table)
    first, _ = duel_stories.to_move(table, board)
    sql(tmp_path, "UPDATE duels SET message_id = NULL")
    with monkeypatch.context() as killing:
        killing.setattr(duel_moves, "repaint", duel_stories.be_killed)
        form = await duel_stories.form(first, board)
        await first.submit_modal(form, {"number": duel_stories.WRONG[0]})
    assert duel_stories.WRONG[0] not in text(board)
    await table.restart()
    await duel_stories.beat(table, 60)
    assert duel_stories.WRONG[0] in text(board)

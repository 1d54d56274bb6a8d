"""Seals from the first board to the last: with one anybody can check that nothing was changed."""

import random
import re
import secrets
from functools import partial
from pathlib import Path

import pytest
from simcord import MemberActor, ResponseMessage

from cogs.ui.pages import button
from tests.support import mastermind_stories as mastermind
from tests.support.loose import post
from tests.support.screen import buttons, seen, text
from tests.support.seals import Eavesdropper, checked, noted
from tests.support.sql import sql
from tests.support.table import SECRET, Table

WRONG = "12+34-5=41"
CODES = ("RRGG", "OOYY", "BBPP", "ROYG", "GBPR", "YYRR")


@pytest.fixture
def ears(table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Eavesdropper:
    return Eavesdropper(table, tmp_path, caplog)


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the bot draws is the same in every run: nobody finds it with the first guess."""
    monkeypatch.setattr(secrets, "SystemRandom", partial(random.Random, 1))


async def shown(who: MemberActor, board: ResponseMessage) -> str:
    """The one seal of a game that goes on, which is behind *More*."""
    if "More" in buttons(board):
        assert "Is it fair?" not in buttons(board)
    (seal,) = await noted(who, board)
    return seal


async def test_a_daily_is_sealed_and_can_be_verified(table: Table, ears: Eavesdropper) -> None:
    seal = await shown(table.ann, await table.focdle(table.ann))
    board = await table.focdle(table.ann, guess=WRONG)
    assert await shown(table.ann, board) == seal
    assert await shown(table.ben, await table.focdle(table.ben)) == seal
    await table.restart()
    assert await shown(table.ann, board) == seal
    assert not ears.heard()
    assert len(ears.salts()) == 1
    board = await table.guess(table.ann, board, SECRET)
    assert not ears.heard()  # the board by itself says no more than that the seal is open
    assert await checked(table.ann, board, seal) == [f"focdle 324/10 {SECRET}"]
    assert ears.heard() == ears.salts()
    plays_on = await table.focdle(table.ben)
    assert await shown(table.ben, plays_on) == seal
    share = seen(await table.ann.click(board, label="Share"))
    (salt,) = ears.salts()
    assert salt not in text(share)


async def test_a_practice_whose_board_is_a_picture_can_be_verified(
    table: Table, ears: Eavesdropper, tmp_path: Path
) -> None:
    board = seen(await table.ann.slash(table.channel, "practice", length=15))
    seal = await shown(table.ann, board)
    await table.restart()
    assert not ears.heard()
    ((secret,),) = sql(tmp_path, "SELECT secret FROM puzzles WHERE salt IS NOT NULL")
    board = await table.guess(table.ann, board, secret)
    (line,) = await checked(table.ann, board, seal)
    assert re.fullmatch(rf"practice \d+ {re.escape(secret)}", line)


@pytest.mark.usefixtures("drawn")
async def test_the_bots_code_is_sealed_and_can_be_verified(
    table: Table, ears: Eavesdropper
) -> None:
    board = await mastermind.opened(table, table.ann, "play")
    seal = await shown(table.ann, board)
    board = await mastermind.typed(table.ann, board, CODES[0])
    await table.restart()
    assert await shown(table.ann, board) == seal
    assert not ears.heard()
    board = await mastermind.press(table.ann, board, "Give up")
    board = await mastermind.press(table.ann, board, "Yes, give up")
    (line,) = await checked(table.ann, board, seal)
    assert re.fullmatch("mastermind 1 [ROYGBP]{4}", line)
    assert f"`{line[-4:]}`" in text(board)


async def test_a_code_sealed_by_its_player_can_be_verified(
    table: Table, ears: Eavesdropper
) -> None:
    board = await mastermind.opened(table, table.ann, "defend")
    assert "Is it fair?" not in buttons(board)
    board = await mastermind.typed(table.ann, board, "GGRO", "Enter my code instead")
    seal = await shown(table.ann, board)  # before the bot's first guess
    await table.restart()
    assert not ears.heard()
    board = await mastermind.press(table.ann, board, "All")
    assert await checked(table.ann, board, seal) == ["mastermind 2 GGRO"]


async def test_a_public_challenge_can_be_verified(table: Table, ears: Eavesdropper) -> None:
    form = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    board = seen(await table.ann.submit_modal(form, {"code": "RRGB"}))
    seal = await shown(table.ben, board)  # before the challenge is accepted
    board = await mastermind.press(table.ben, board, "Accept")
    for member in table.world.members:  # whoever watches may note it
        assert await shown(member, board) == seal
    board = await mastermind.put(table.ben, board, "RRG")
    assert await shown(table.ben, board) == seal
    board = await mastermind.typed(table.ben, board, "RRGG")
    await table.restart()
    for member in table.world.members:
        assert await shown(member, board) == seal
    assert not ears.heard()
    board = await mastermind.typed(table.ben, board, "rrgb")
    assert not board.ephemeral
    for member in table.world.members:
        assert await checked(member, board, seal) == ["mastermind 1 RRGB"]


async def test_a_challenge_that_nobody_accepted_opens_no_seal(
    table: Table, ears: Eavesdropper
) -> None:
    form = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    invitation = seen(await table.ann.submit_modal(form, {"code": "RRGB"}))
    await shown(table.ben, invitation)
    message = await post(table.world, button("verify:mastermind:1", "Is it fair?"))
    board = await mastermind.press(table.ben, invitation, "Decline")
    assert "seal" not in text(board).lower()
    assert "Is it fair?" not in buttons(board)
    late = await mastermind.press(table.ann, message, "Is it fair?")
    assert text(late).startswith("This game has no seal")
    assert not ears.heard()


async def test_help_shows_the_seals_of_today_and_of_tomorrow(
    table: Table, ears: Eavesdropper
) -> None:
    page = seen(await table.ben.slash(table.channel, "help", topic="fairness"))
    page = await mastermind.press(table.ben, page, "Today's and tomorrow's seals")
    assert "**#324** · Friday, November 20, 2026\n-# 9 `" in text(page)
    found = re.findall("^-# ([0-9]+) `([0-9a-f]{40})`$", text(page), re.MULTILINE)
    assert [length for length, _ in found] == [*map(str, range(9, 14))] * 2
    assert len({seal for _, seal in found}) == 10
    assert await shown(table.ann, await table.focdle(table.ann)) == found[1][1]
    await table.restart()
    table.clock.advance(days=1)
    assert await shown(table.ann, await table.focdle(table.ann)) == found[6][1]
    assert await shown(table.ann, await table.focdle(table.ann, puzzle="#325/13")) == found[9][1]
    assert not ears.heard()


async def test_the_help_about_seals_is_one_click_from_verify(table: Table) -> None:
    board = await table.more(table.ann, await table.focdle(table.ann, guess=SECRET))
    page = seen(await table.ann.click(board, label="Is it fair?"))
    page = seen(await table.ann.click(page, label="Fairness"))
    assert page.ephemeral
    assert "fit no other secret" in text(page)
    typed = seen(await table.ben.slash(table.channel, "help", topic="fairness"))
    assert text(typed) == text(page)

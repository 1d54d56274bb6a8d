"""Seals from the first board to the last: who has seen one can check that nothing was changed."""

import random
import re
import secrets
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest
from simcord import ResponseMessage

from bot.app import CodebreakerBot
from cogs.base.pages import button
from cogs.server.deliveries import PostsCog
from tests.support import mastermind_stories as mastermind
from tests.support.loose import post
from tests.support.posted import post_text
from tests.support.screen import buttons, seen, text
from tests.support.seals import Eavesdropper, opened, sealed, verify, without_salt
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


def on(board: ResponseMessage) -> str:
    """The one seal on a board that goes on."""
    (seal,) = sealed(text(board))
    assert "Verify" not in buttons(board)
    return seal


async def test_a_daily(table: Table, ears: Eavesdropper) -> None:
    board = await table.focdle(table.ann, guess=WRONG)
    seal = on(board)
    assert on(await table.focdle(table.ben)) == seal
    await table.restart()
    assert not ears.heard()
    assert len(ears.salts()) == 1
    board = await table.guess(table.ann, board, SECRET)
    assert opened(text(board), seal) == [f"focdle 324/10 {SECRET}"]
    assert ears.heard() == ears.salts()
    ((line, digest),) = await verify(table.ann, board)
    assert digest.startswith(seal)
    assert without_salt(line) == f"focdle 324/10 {SECRET}"
    assert on(await table.focdle(table.ben)) == seal  # who plays on
    share = seen(await table.ann.click(board, label="Share"))
    (salt,) = ears.salts()
    assert salt not in text(share)


async def test_an_archived_puzzle_that_is_lost(
    table: Table, ears: Eavesdropper, tmp_path: Path
) -> None:
    board = await table.focdle(table.ann, puzzle="12/9")
    seal = on(board)
    ((secret,),) = sql(tmp_path, "SELECT secret FROM puzzles")
    guesses = [f"{n}+3-5={n - 2}" for n in range(12, 20) if f"{n}+3-5={n - 2}" != secret]
    for guess in guesses[:5]:
        board = await table.guess(table.ann, board, guess)
    await table.restart()
    assert on(board) == seal
    assert not ears.heard()
    board = await table.guess(table.ann, board, guesses[5])
    assert opened(text(board), seal) == [f"focdle 12/9 {secret}"]


async def test_a_practice_on_a_drawn_board(
    table: Table, ears: Eavesdropper, tmp_path: Path
) -> None:
    board = seen(await table.ann.slash(table.channel, "practice", length=15))
    seal = on(board)
    await table.restart()
    assert not ears.heard()
    ((secret,),) = sql(tmp_path, "SELECT secret FROM puzzles")
    board = await table.guess(table.ann, board, secret)
    (line,) = opened(text(board), seal)
    assert re.fullmatch(rf"practice \d+ {re.escape(secret)}", line)
    ((_line, digest),) = await verify(table.ann, board)
    assert digest.startswith(seal)


@pytest.mark.usefixtures("drawn")
async def test_the_bots_code(table: Table, ears: Eavesdropper) -> None:
    board = await mastermind.opened(table, table.ann, "play")
    seal = on(board)
    board = await mastermind.typed(table.ann, board, CODES[0])
    await table.restart()
    assert on(board) == seal
    assert not ears.heard()
    board = await mastermind.press(table.ann, board, "Give up")
    board = await mastermind.press(table.ann, board, "Yes, give up")
    (line,) = opened(text(board), seal)
    assert re.fullmatch("mastermind 1 [ROYGBP]{4}", line)
    assert f"`{line[-4:]}`" in text(board)
    ((_line, digest),) = await verify(table.ann, board)
    assert digest.startswith(seal)


@pytest.mark.usefixtures("drawn")
async def test_a_code_that_the_bot_watches_itself_break(table: Table, ears: Eavesdropper) -> None:
    board = await mastermind.opened(table, table.ann, "watch")
    seal = on(board)
    board = await mastermind.press(table.ann, board, "Next")
    await table.restart()
    assert on(board) == seal
    assert not ears.heard()
    board = await mastermind.press(table.ann, board, "All")
    opened(text(board), seal)
    await verify(table.ann, board)


async def test_a_code_that_its_player_seals(table: Table, ears: Eavesdropper) -> None:
    board = await mastermind.opened(table, table.ann, "defend")
    assert not sealed(text(board))
    board = await mastermind.typed(table.ann, board, "GGRO", "Enter my code instead")
    seal = on(board)  # before the bot's first guess
    await table.restart()
    assert not ears.heard()
    board = await mastermind.press(table.ann, board, "All")
    assert opened(text(board), seal) == ["mastermind 2 GGRO"]
    await verify(table.ann, board)


async def test_a_challenge_before_everybody(table: Table, ears: Eavesdropper) -> None:
    form = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    board = seen(await table.ann.submit_modal(form, {"code": "RRGB"}))
    seal = on(board)  # before the challenge is accepted
    board = await mastermind.press(table.ben, board, "Accept")
    assert on(board) == seal
    await table.restart()
    assert not ears.heard()
    board = await mastermind.typed(table.ben, board, "rrgb")
    assert not board.ephemeral
    assert opened(text(board), seal) == ["mastermind 1 RRGB"]
    for member in table.world.members:  # whoever watched may check
        ((_line, digest),) = await verify(member, board)
        assert digest.startswith(seal)


async def test_a_challenge_that_nobody_took_is_not_opened(table: Table, ears: Eavesdropper) -> None:
    form = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    board = seen(await table.ann.submit_modal(form, {"code": "RRGB"}))
    board = await mastermind.press(table.ben, board, "Decline")
    assert "seal" not in text(board).lower()
    assert "Verify" not in buttons(board)
    assert not ears.heard()


async def test_the_daily_post_shows_the_seal_of_the_day(table: Table, ears: Eavesdropper) -> None:
    table.clock.set(datetime(2026, 11, 19, 12, tzinfo=UTC))
    await table.services.settings.change(table.ann.guild.id, channel_id=table.channel.id)
    table.clock.set(datetime(2026, 11, 20, 9, 5, tzinfo=UTC))
    assert isinstance(table.env.bot, CodebreakerBot)
    cog = table.env.bot.get_cog("PostsCog")
    assert isinstance(cog, PostsCog)
    await cog.post()
    await table.env.settle()
    (posted,) = [m for m in table.channel.history() if m.components]
    (seal,) = sealed(post_text(posted))
    board = await table.focdle(table.ann)
    assert on(board) == seal
    assert not ears.heard()


async def test_verify_is_refused_before_the_end_and_to_strangers(
    table: Table, ears: Eavesdropper
) -> None:
    await table.focdle(table.ann)
    await mastermind.opened(table, table.ann, "play")
    for source in ("play", "mastermind"):
        message = await post(table.world, button(f"verify:{source}:1", "Verify"))
        answer = seen(await table.ann.click(message, label="Verify"))
        assert "when the game is over" in text(answer)
        answer = seen(await table.ben.click(message, label="Verify"))
        assert table.ann.mention in text(answer)
    message = await post(
        table.world, button("verify:play:999", "Verify"), button("verify:mastermind:998", "Verify")
    )
    for source, number in (("play", 999), ("mastermind", 998)):
        answer = seen(await table.ann.click(message, custom_id=f"verify:{source}:{number}"))
        assert "no longer stored" in text(answer)
    assert not ears.heard()


async def test_games_from_before_there_were_seals_go_on(table: Table, tmp_path: Path) -> None:
    daily = await table.focdle(table.ann)
    solo = await mastermind.opened(table, table.ann, "play")
    for name in ("puzzles", "masterminds"):
        sql(tmp_path, f"UPDATE {name} SET salt = NULL")  # noqa: S608
    daily = await table.guess(table.ann, daily, SECRET)
    solo = await mastermind.press(table.ann, solo, "Give up")
    solo = await mastermind.press(table.ann, solo, "Yes, give up")
    for board in (daily, solo):
        assert "seal" not in text(board).lower()
        assert "Verify" not in buttons(board)
    message = await post(table.world, button("verify:play:1", "Verify"))
    answer = seen(await table.ann.click(message, label="Verify"))
    assert text(answer).startswith("This game has no seal")


async def test_the_help_topic_is_behind_verify(table: Table) -> None:
    board = await table.focdle(table.ann, guess=SECRET)
    page = seen(await table.ann.click(board, label="Verify"))
    page = seen(await table.ann.click(page, label="Fairness"))
    assert page.ephemeral
    assert "no secret is ever changed" in text(page)
    typed = seen(await table.ben.slash(table.channel, "help", topic="fairness"))
    assert text(typed) == text(page)

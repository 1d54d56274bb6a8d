"""Public boards that were deleted, could not be edited, or are out of the bot's reach."""

import logging
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import MemberActor, ResponseMessage
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from cogs.mastermind.guess import MastermindClockCog
from tests.support.mastermind_stories import colour_id, press, put, typed
from tests.support.screen import buttons, custom_ids, my_games, parts, seen, text
from tests.support.sql import sql
from tests.support.table import Table

EDIT = "/channels/*/messages/*"
CLICK = "/interactions/*/callback"
EPHEMERAL = discord.MessageFlags(ephemeral=True).value


async def challenge(table: Table, *, accept: bool = True) -> ResponseMessage:
    """Ann challenges Ben, who takes it; the public board."""
    form = await table.ann.slash(table.channel, "mastermind challenge", member=table.ben)
    board = seen(await table.ann.submit_modal(form, {"code": "RRGB"}))
    return await press(table.ben, board, "Accept") if accept else board


async def own(who: MemberActor, table: Table) -> ResponseMessage:
    """The private page of the challenge, from the list of games."""
    page = await my_games(who, table.channel)
    return await press(who, page, "Open")


def clock_of(table: Table) -> MastermindClockCog:
    return table.cog(MastermindClockCog)


async def publish(table: Table) -> None:
    """Let the clock bring boards up to date, some time after the last move."""
    table.clock.advance(minutes=1)
    await table.rounds(clock_of(table).publish)


def boards(table: Table) -> list[Any]:
    """The boards that everybody sees in the channel, oldest first."""
    messages = table.env.backend.messages[table.channel.id].values()
    return [message for message in messages if not message.flags & EPHEMERAL]


async def fetched(table: Table, message_id: int) -> discord.Message:
    """A message of the channel, to be clicked in."""
    channel = table.bot.get_channel(table.channel.id)
    assert isinstance(channel, discord.TextChannel)
    return await channel.fetch_message(message_id)


def edits(table: Table) -> int:
    """How often a message was edited other than by answering a click."""
    return sum(r.method == "PATCH" and "/messages/" in r.path for r in table.env.http_requests)


YOURS = "🔒 🔴🔴🟢🔵 `RRGB` is your code. Only you can see it here."


async def test_only_the_codemaker_sees_the_code_on_their_own_page(table: Table) -> None:
    await challenge(table)
    assert YOURS in text(await own(table.ann, table))
    page = await own(table.ben, table)
    assert "RRGB" not in text(page)
    (board,) = boards(table)
    assert "RRGB" not in str(board.components)


def link(message: ResponseMessage) -> str:
    (url,) = [part["url"] for part in parts(message) if "url" in part]
    return url


async def test_a_deleted_board_is_posted_again_and_the_game_goes_on(table: Table) -> None:
    board = await put(table.ben, await challenge(table), "RG")
    await table.dismiss(board)
    await table.restart()
    page = await own(table.ben, table)
    assert page.ephemeral
    assert f"Everybody sees this board in {table.channel.mention}. Is it gone?" in text(page)
    assert buttons(page) == [
        "Go there",
        "Post the board again",
        "Guess",
        "More",
    ]
    page = await press(table.ben, page, "Post the board again")
    (posted,) = boards(table)
    assert link(page).endswith(f"/{table.channel.id}/{posted.id}")
    assert "🔴🟢▫️▫️" in str(posted.components)
    await table.restart()
    clicked = await fetched(table, posted.id)
    again = seen(await table.ben.click(clicked, custom_id="mm:c:put:1:B"))
    again = await put(table.ben, again, "B")
    assert "` 1`\u2002🔴🟢🔵🔵" in text(again)
    assert again.id == posted.id
    await typed(table.ben, await press(table.ben, again, "Undo"), "rrgb")
    assert f"{table.ben.mention} broke" in text(again)


async def test_a_challenged_player_answers_from_the_list_of_games(table: Table) -> None:
    board = await challenge(table, accept=False)
    page = await own(table.ben, table)
    assert buttons(page) == [
        "Go there",
        "Accept",
        "Decline",
        "Post the board again",
        "More",
    ]
    page = await press(table.ben, page, "Accept")
    assert page.ephemeral
    assert buttons(page) == ["Go there", "Guess", "More"]
    assert "Guess" in buttons(board)  # on the public board, too


async def test_a_challenge_without_a_board_can_be_withdrawn_from_the_list_of_games(
    table: Table,
) -> None:
    board = await challenge(table, accept=False)
    await table.dismiss(board)
    page = await own(table.ann, table)
    assert buttons(page) == [
        "Go there",
        "Withdraw",
        "Post the board again",
        "More",
    ]
    page = await press(table.ann, page, "Post the board again")
    assert YOURS in text(page)
    (posted,) = boards(table)
    assert "mm:c:accept:1:4x6r/12" in str(posted.components)
    assert "RRGB" not in str(posted.components)
    table.env.backend.delete_message(table.channel.id, posted.id)
    page = await press(table.ann, page, "Withdraw")
    assert f"**{table.ann.mention} withdrew the challenge to {table.ben.mention}.**" in text(page)
    assert "The board in the channel is gone, so only you can see this one." in text(page)
    assert buttons(page) == ["How to play"]


async def test_a_board_reposted_twice_at_once_exists_once(table: Table) -> None:
    await table.dismiss(await challenge(table))
    pages = [await own(table.ann, table), await own(table.ben, table)]
    await table.at_once(
        [
            who.click(page, label="Post the board again")
            for who, page in zip((table.ann, table.ben), pages, strict=True)
        ]
    )
    (posted,) = boards(table)
    assert "mm:c:put:1:R" in str(posted.components)
    page = await own(table.ann, table)
    assert link(page).endswith(f"/{posted.id}")


async def test_a_game_goes_on_in_private_where_the_bot_may_not_post(table: Table) -> None:
    await table.dismiss(await challenge(table))
    me = table.ann.guild.me
    assert me is not None
    table.env.backend.set_overwrite(
        table.channel.id,
        Overwrite(me.id, OverwriteType.MEMBER, deny=discord.Permissions(send_messages=True).value),
    )
    page = await own(table.ben, table)
    refused = await press(table.ben, page, "Post the board again")
    assert refused.ephemeral
    closed = f"{table.channel.mention} is gone, or closed to me. Keep playing in `/play`."
    assert text(refused) == closed
    for status, code in ((403, 50001), (404, 10003), (400, 160005)):
        table.env.inject_error("POST", "/channels/*/messages", status=status, code=code)
        again = await press(table.ben, await own(table.ben, table), "Post the board again")
        assert text(again) == closed
    page = await typed(table.ben, await own(table.ben, table), "rgrg")
    assert page.ephemeral
    assert "` 1`\u2002🔴🟢🔴🟢" in text(page)
    assert "The board in the channel is gone, but the game goes on" in text(page)
    page = await typed(table.ben, page, "rrgb")
    assert f"{table.ben.mention} broke" in text(page)


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (404, 10003), (403, 50001)])
async def test_a_move_is_stored_though_its_board_was_deleted(
    table: Table, status: int, code: int
) -> None:
    board = await challenge(table)
    table.env.inject_error("POST", CLICK, status=status, code=code)
    copy = seen(await table.ben.click(board, custom_id=colour_id(board, "R")))
    assert copy.ephemeral
    assert "` 1`\u2002🔴▫️▫️▫️" in text(copy)
    assert "The board in the channel is gone, but the game goes on" in text(copy)
    (game,) = await table.services.mastermind.games.open_of(table.ben.id)
    assert (game.pending, game.message_id) == ("R", None)
    await publish(table)
    assert edits(table) == 0  # no use
    # It was there after all: whoever presses on it makes it the board again.
    await put(table.ben, board, "G")
    assert "` 1`\u2002🔴🟢▫️▫️" in text(board)
    (game,) = await table.services.mastermind.games.open_of(table.ben.id)
    assert game.message_id == board.id


@pytest.mark.parametrize(("status", "code"), [(404, 10062), (400, 40060)])
async def test_a_click_that_discord_no_longer_knows_does_not_count_as_a_deleted_board(
    table: Table, caplog: pytest.LogCaptureFixture, status: int, code: int
) -> None:
    caplog.set_level(logging.INFO)
    board = await challenge(table)
    table.env.inject_error("POST", CLICK, status=status, code=code)
    result = await table.ben.click(board, custom_id=colour_id(board, "R"))
    assert result.response is None  # nobody is told twice
    assert [record.levelname for record in caplog.records if str(code) in record.message] == [
        "INFO"
    ]
    (game,) = await table.services.mastermind.games.open_of(table.ben.id)
    assert (game.pending, game.message_id) == ("R", board.id)
    await publish(table)
    assert "` 1`\u2002🔴▫️▫️▫️" in text(board)


async def test_a_click_on_an_old_copy_of_a_board_updates_both(table: Table, tmp_path: Path) -> None:
    board = await challenge(table)
    table.env.inject_error("DELETE", EDIT, status=404, code=10008)
    await press(table.ben, await own(table.ben, table), "Post the board again")
    assert len(boards(table)) == 2  # the old one could not be deleted
    await put(table.ben, board, "R")
    assert all("🔴▫️▫️▫️" in str(message.components) for message in boards(table))
    ((message_id,),) = sql(tmp_path, "SELECT message_id FROM masterminds")
    assert message_id == boards(table)[1].id


@pytest.mark.parametrize("status", [429, 500])
async def test_a_board_that_could_not_be_edited_is_edited_later(
    table: Table, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    board = await challenge(table)
    table.clock.advance(hours=25)
    table.env.inject_error("PATCH", EDIT, status=status, times=None)
    with caplog.at_level(logging.INFO):
        await publish(table)
    assert "board of mastermind 1: not now" in caplog.text
    assert "Guess" in buttons(board)
    await table.restart()
    table.env.backend.faults.clear()
    await publish(table)
    assert "**The challenge is over**" in text(board)
    before = edits(table)
    await publish(table)
    assert edits(table) == before


@pytest.mark.parametrize("code", [10008, 10003])
async def test_a_deleted_board_is_not_edited_again(table: Table, code: int, tmp_path: Path) -> None:
    await challenge(table)
    table.clock.advance(hours=25)
    table.env.inject_error("PATCH", EDIT, status=404, code=code, times=None)
    for _ in range(2):
        await publish(table)
        assert edits(table) == 1
    ((message_id,),) = sql(tmp_path, "SELECT message_id FROM masterminds")
    assert message_id is None


async def test_the_end_of_a_challenge_reaches_its_board_once_the_bot_may_edit_it(
    table: Table,
) -> None:
    board = await challenge(table)
    table.env.inject_error("PATCH", EDIT, status=403, code=50001, times=None)
    await typed(table.ben, await own(table.ben, table), "rgrg")
    await publish(table)
    assert edits(table) == 1  # left to the next move
    table.clock.advance(hours=25)
    for _ in range(2):
        await publish(table)
        assert edits(table) == 2  # put off
    table.env.backend.faults.clear()
    await table.restart()
    table.clock.advance(minutes=10)
    await publish(table)
    assert "**The challenge is over**" in text(board)


async def test_the_end_of_a_challenge_on_a_closed_board_is_given_up_after_a_day(
    table: Table,
) -> None:
    await challenge(table)
    table.clock.advance(hours=25)
    table.env.inject_error("PATCH", EDIT, status=403, code=50001, times=None)
    for tries in (1, 2, 2):
        await publish(table)
        assert edits(table) == tries
        table.clock.advance(days=1)


async def test_a_refused_typed_guess_can_be_edited(table: Table) -> None:
    board = await challenge(table)
    refused = await typed(table.ben, board, "rr gx")
    assert refused.ephemeral
    assert text(refused).endswith("-# No guess was spent.")
    assert buttons(refused) == ["Edit"]
    await table.restart()
    form = await table.ben.click(refused, label="Edit")
    assert form.modal is not None
    assert "'rr gx'" in str(form.modal)
    again = seen(await table.ben.submit_modal(form, {"code": "rr"}))
    assert again.id == refused.id
    assert "`rr` has 2 of 4 pegs. Add 2." in text(again)
    shown = await typed(table.ben, again, "rrgr", "Edit")
    # The private message stays private, and the public one is the board.
    assert (shown.id, shown.ephemeral) == (refused.id, True)
    assert not any(":put:" in custom_id for custom_id in custom_ids(shown))
    assert link(shown).endswith(f"/{board.id}")
    assert "` 1`\u2002🔴🔴🟢🔴" in text(board)
    assert "Guess" in buttons(board)
    assert "` 1`\u2002🔴🔴🟢🔴" in text(shown)


async def test_a_second_challenge_to_the_same_member_is_refused_with_a_link_to_the_first(
    table: Table,
) -> None:
    board = await challenge(table, accept=False)
    refused = seen(await table.ann.slash(table.channel, "mastermind challenge", member=table.ben))
    place = f"{table.ann.guild.id}/{table.channel.id}/{board.id}"
    assert text(refused) == (
        f"You've already challenged {table.ben.mention}: https://discord.com/channels/{place}."
    )

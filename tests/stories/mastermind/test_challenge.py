"""A member sets a code, another one breaks it, and the channel watches."""

from typing import Any

import discord
import pytest
from simcord import ChannelHandle, InteractionResult, MemberActor, ResponseMessage
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.mastermind.game import Setting
from bot.text.pictures.tile_art import peg_names
from bot.text.tiles import Pegs
from cogs.mastermind.guess import MastermindClockCog
from cogs.mastermind.pages import ACCEPT
from cogs.ui.pages import button
from tests.support.loose import post
from tests.support.mastermind_stories import (
    change_form,
    changed,
    colour_id,
    press,
    proposed,
    put,
    typed,
)
from tests.support.screen import buttons, custom_ids, parts, seen, text
from tests.support.table import Table

INVITATION = ["Accept", "Decline", "Withdraw", "More"]


async def form(table: Table, member: MemberActor | None = None) -> InteractionResult:
    """Ann challenges somebody, Ben unless said; the open form."""
    return await table.ann.slash(table.channel, "mastermind challenge", member=member or table.ben)


async def challenge(table: Table, code: str = "RRGB") -> ResponseMessage:
    """Ann challenges Ben with a code; the public message."""
    return seen(await table.ann.submit_modal(await form(table), {"code": code}))


def cleo(table: Table) -> MemberActor:
    return table.world.members[2]


async def sweep(table: Table) -> None:
    """Let the clock do its round."""
    cog = table.cog(MastermindClockCog)
    await table.rounds(cog.publish)


def mentions(table: Table) -> list[Any]:
    """Whom each message, new or edited, was allowed to ping."""
    found: list[Any] = []
    for request in table.env.http_requests:
        body: Any = request.json if request.path.startswith("/interactions") else None
        if body and "components" in body.get("data", ()):
            found.append(body["data"].get("allowed_mentions"))
    return found


async def test_a_challenge_is_played_from_the_invitation_to_the_end(table: Table) -> None:
    asked = await form(table)
    assert asked.modal is not None
    assert asked.modal["title"] == "Your secret code"
    assert "Only you can see it until the end." in str(asked.modal)
    await table.restart()
    board = seen(await table.ann.submit_modal(asked, {"code": "red red green blue"}))
    assert not board.ephemeral
    ann, ben = table.ann.mention, table.ben.mention
    assert f"{ann} challenges {ben} to break a code.\nColours: 🔴🟠🟡🟢🔵🟣" in text(board)
    assert buttons(board) == INVITATION
    assert "RRGB" not in str(board.components)

    await table.restart()
    board = await press(table.ben, board, "Accept")
    assert f"{ben} breaks {ann}'s code." in text(board)
    assert "The challenge ends <t:" in text(board)
    board = await put(table.ben, board, "GBR")
    await table.restart()
    board = await press(table.ben, await put(table.ben, board, "R"), "Guess")
    assert "` 1`\u2002🟢🔵🔴🔴\u20024 white\n` 2`" in text(board)
    assert "RRGB" not in str(board.components)
    board = await typed(table.ben, board, "rrgb")
    assert not board.ephemeral
    assert f"### Astonishing!\n{ben} broke {ann}'s code in 2 of 12." in text(board)
    assert buttons(board) == ["Set a code", "Coach", "Is it fair?"]


async def test_a_challenge_ends_with_a_picture_where_pegs_are_pictures(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = await challenge(table)
    board = await press(table.ben, board, "Accept")
    pegs = Pegs({name: f"<:{name}:1>" for name in peg_names()})
    monkeypatch.setattr(type(table.bot), "pegs", pegs)
    board = await typed(table.ben, board, "rrgb")
    [picture] = [part["items"] for part in parts(board) if part["type"] == 12]
    assert picture[0]["description"] == "Mastermind 1/12\n🔴🔴🟢🔵 4 black\n"
    assert "<:r0:1>" not in text(board)


async def test_either_player_sets_the_next_code_for_the_other(table: Table) -> None:
    board = await challenge(table)
    await changed(table.ann, board, pegs=3, code="RGB")
    await press(table.ben, board, "Accept")
    await typed(table.ben, board, "RGB")
    await table.restart()
    for who, other in ((table.ben, table.ann), (table.ann, table.ben)):
        asked = await who.click(board, label="Set a code")
        assert asked.modal is not None
        assert asked.modal["title"] == "Your secret code"
        invitation = seen(await who.submit_modal(asked, {"code": "OGB"}))
        assert f"{who.mention} challenges {other.mention} to break a code." in text(invitation)
        await press(who, invitation, "Withdraw")
    told = await press(cleo(table), board, "Set a code")
    assert told.ephemeral
    assert "can do that here." in text(told)


async def test_the_challenger_changes_a_challenge_until_it_is_accepted(table: Table) -> None:
    board = await challenge(table)
    assert "Other settings" not in buttons(await press(table.ben, board, "More"))
    form_before = await change_form(table.ann, board)
    assert proposed(form_before) == {
        "pegs": "4",
        "colours": ["6"],
        "repeats": True,
        "guesses": ["12"],
        "code": "",
    }
    old = await post(table.world, button(ACCEPT(game=1, seen=Setting()), "Accept"))
    before = len(mentions(table))
    own = await changed(table.ann, board, colours=8, guesses=7)
    assert own.ephemeral
    assert "🔒 🔴🔴🟢🔵 `RRGB` is your code" in text(own)
    await table.restart()
    refused = await changed(table.ann, board, pegs=5)
    assert text(refused) == "`RRGB` has 4 of 5 pegs. Add one."
    again = await changed(table.ann, refused, "Enter the code again", code="pink pink rgb")
    assert "🩷🩷🔴🟢🔵 `KKRGB`" in text(again)
    assert all(allowed in (None, {"parse": []}) for allowed in mentions(table)[before:])
    assert "to break a code.\nColours: 🔴🟠🟡🟢🔵🟣🩵🩷" in text(board)
    assert "-# 5 pegs · 8 colours · with repeats · 7 guesses" in text(board)
    assert "KKRGB" not in str(board.components)
    assert buttons(board) == INVITATION
    late = await table.ben.click(old, label="Accept")
    assert buttons(seen(late)) == INVITATION
    (told,) = late.followups
    assert f"{table.ann.mention} has changed the challenge. Look again, then accept." in text(told)
    board = await press(table.ben, board, "Accept")
    assert "Guess" in buttons(board)
    told = seen(await table.ann.submit_modal(form_before, proposed(form_before)))
    assert text(told) == "This game has begun. Start another to change pegs or colours."
    await press(table.ben, await press(table.ben, board, "Resign"), "Yes, resign")
    asked = await form(table, cleo(table))
    assert asked.modal is not None
    assert "5 pegs · 8 colours · with repeats · 7 guesses" in str(asked.modal)


async def test_a_challenge_pings_the_challenged_player_once_and_nobody_else(table: Table) -> None:
    before = len(mentions(table))
    board = await challenge(table)
    asked, invitation = mentions(table)[before:]
    assert asked is None  # the form
    assert invitation == {"parse": [], "users": [table.ben.id]}
    board = await press(table.ben, board, "Accept")
    await put(table.ben, board, "RG")
    assert all(allowed == {"parse": []} for allowed in mentions(table)[before + 2 :])


async def test_a_challenger_whose_code_was_invalid_can_enter_it_again(table: Table) -> None:
    refused = await challenge(table, "RRGx")
    assert refused.ephemeral
    assert text(refused) == (
        "`RRGx`: `x` in place 4 isn't a colour. "
        "Type letters (`R\xa0O\xa0Y\xa0G\xa0B\xa0P`), names or emoji.\n-# "
        "No code is set yet."
    )
    assert "RRG" not in "".join(custom_ids(refused))
    await table.restart()
    board = await typed(table.ann, refused, "rrgb", "Enter the code again")
    assert buttons(board) == INVITATION


async def test_only_the_challenged_player_answers_and_only_the_challenger_withdraws(
    table: Table,
) -> None:
    board = await challenge(table)
    for who in (table.ann, cleo(table)):
        for label in ("Accept", "Decline"):
            answer = await press(who, board, label)
            assert answer.ephemeral
            what = "Start your own!"
            if who is table.ann:
                theirs = f"{table.ben.mention} must answer first. You can still withdraw."
                assert text(answer) == theirs
            else:
                assert text(answer) == f"This challenge is for {table.ben.mention}. {what}"
    assert text(await press(table.ben, board, "Withdraw")) == (
        f"Only {table.ann.mention} can withdraw this challenge. You can decline it."
    )
    assert "Only" in text(await press(cleo(table), board, "Withdraw"))
    assert buttons(board) == INVITATION
    board = await press(table.ann, board, "Withdraw")
    assert (f"**{table.ann.mention} withdrew the challenge to {table.ben.mention}.**") in text(
        board
    )
    assert "The code was" not in text(board)


async def test_when_a_challenge_is_accepted_and_withdrawn_simultaneously_one_click_is_refused(
    table: Table,
) -> None:
    board = await challenge(table)
    results: list[InteractionResult] = await table.at_once(
        [table.ben.click(board, label="Accept"), table.ann.click(board, label="Withdraw")]
    )
    refused = [text(m) for result in results for m in result.followups if m.ephemeral]
    accepted = f"It's been accepted. {table.ben.mention} can still resign."
    withdrawn = "This game is over."
    assert refused == [accepted if "Guess" in buttons(board) else withdrawn]


async def test_spectators_see_the_whole_board_and_cannot_use_it(table: Table) -> None:
    board = await press(table.ben, await challenge(table), "Accept")
    for who in (table.ann, cleo(table)):
        for custom_id in (colour_id(board, "R"), "mm:c:type:1"):
            answer = seen(await who.click(board, custom_id=custom_id))
            assert answer.ephemeral
            assert f"Only {table.ben.mention} can do that here." in text(answer)
    assert "` 1`\u2002▫️▫️▫️▫️" in text(board)
    more = await press(cleo(table), board, "More")
    assert more.ephemeral
    assert buttons(more) == ["How to play", "Is it fair?"]
    page = await press(cleo(table), board, "How to play")
    assert page.ephemeral
    assert "How Mastermind is played" in text(page)


async def test_resigning_asks_for_confirmation_in_private(table: Table) -> None:
    board = await press(table.ben, await challenge(table), "Accept")
    question = await press(table.ben, board, "Resign")
    assert question.ephemeral
    assert "**Resign?** Everybody will see the code, and the game ends." in text(question)
    kept = await press(table.ben, question, "Keep playing")
    assert text(kept) == "The game goes on."
    question = await press(table.ben, board, "Resign")
    await table.restart()
    assert text(await press(table.ben, question, "Yes, resign")) == "You resigned."
    assert (
        f"**{table.ben.mention} resigned: {table.ann.mention}'s code held.** "
        "The code was\n🔴🔴🟢🔵 `RRGB`"
    ) in text(board)


async def test_a_strangers_click_does_not_prevent_the_timed_update_of_a_board(
    table: Table,
) -> None:
    board = await press(table.ben, await challenge(table), "Accept")
    table.clock.advance(hours=25)
    resign = await post(table.world, button("mm:c:ask:1", "Resign"))
    for message, label in ((board, "Guess"), (resign, "Resign")):
        answer = await press(cleo(table), message, label)
        assert f"Only {table.ben.mention} can do that here." in text(answer)
    assert "Guess" in buttons(board)
    await sweep(table)
    assert "**The challenge is over**" in text(board)


async def thread_in(table: Table, channel: ChannelHandle) -> ChannelHandle:
    """A thread that a member opens in a channel."""
    backend = table.env.backend
    backend.announce_thread_create(backend.create_thread(channel.id, "here", table.ann.id))
    await table.env.settle()
    (thread,) = channel.threads
    return thread


async def test_a_challenge_in_a_thread_needs_the_permission_for_threads(table: Table) -> None:
    guild = table.ann.guild
    assert guild.me is not None
    thread = await thread_in(table, table.channel)
    table.env.backend.set_overwrite(
        table.channel.id,
        Overwrite(
            guild.me.id,
            OverwriteType.MEMBER,
            deny=discord.Permissions(send_messages_in_threads=True).value,
        ),
    )
    answer = seen(await table.ann.slash(thread, "mastermind challenge", member=table.ben))
    assert text(answer).startswith(
        f"I can't post in {thread.mention}: I need **Send Messages in Threads** there."
    )
    # The channel itself is as it was.
    assert (await form(table)).modal is not None


@pytest.mark.usefixtures("breaking")
async def test_an_invitation_that_could_not_be_posted_is_withdrawn(table: Table) -> None:
    asked = await form(table)
    table.env.inject_error("POST", "/interactions/*", status=400, code=50035)
    failed = seen(await table.ann.submit_modal(asked, {"code": "RRGB"}))
    assert failed.ephemeral
    assert "Something broke" in text(failed)
    assert await table.services.mastermind.games.open_of(table.ben.id) == []


async def test_an_invitation_that_was_perhaps_posted_can_be_accepted(table: Table) -> None:
    """Discord has it from a first request, whose answer was lost, and refuses the second."""
    asked = await form(table)
    table.env.inject_error("POST", "/interactions/*", status=400, code=40060)
    await table.ann.submit_modal(asked, {"code": "RRGB"})
    board = await press(
        table.ben,
        await post(table.world, button(ACCEPT(game=1, seen=Setting()), "Accept")),
        "Accept",
    )
    assert "Guess" in buttons(board)

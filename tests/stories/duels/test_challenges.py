"""Before a duel and after it: who can be challenged where, answers, rematches."""

from typing import Any

import discord
import pytest
from discord import ui
from simcord import InteractionResult, MemberActor, ResponseMessage, UserHandle

from cogs.duels.pages import ACCEPT
from cogs.ui.pages import button
from tests.support.duel_stories import (
    NUMBERS,
    accept,
    challenge,
    change,
    dare,
    form,
    in_public,
    more,
    number_of,
    playing,
    press,
    to_move,
    typed,
)
from tests.support.loose import post
from tests.support.screen import buttons, custom_ids, parts, seen, text
from tests.support.table import Table

MENU = "Challenge to a duel"
CHOICES = {"numbers": ["5r"], "mode": "classic", "rated": False}


def cleo(table: Table) -> MemberActor:
    return table.world.members[2]


def called(table: Table, start: int = 0) -> list[Any]:
    """Whom each new message was allowed to ping."""
    found: list[Any] = []
    for request in table.env.http_requests[start:]:
        body: Any = request.json
        data: Any = body and body.get("data", body)
        if request.method == "POST" and data and "allowed_mentions" in data:
            found.append(data["allowed_mentions"])
    return found


async def test_a_challenge_pings_only_the_challenged_player(table: Table) -> None:
    before = len(table.env.http_requests)
    board = await challenge(table)
    assert called(table, before) == [{"parse": [], "users": [table.ben.id]}]
    await accept(table.ben, board)
    assert [call for call in called(table, before)[1:] if call.get("users")] == []


async def test_the_menu_and_the_command_ask_for_the_challengers_number_first(table: Table) -> None:
    for asked in (
        await table.ann.context_menu(table.channel, MENU, table.ben),
        await table.ann.slash(table.channel, "duel", opponent=table.ben),
    ):
        assert asked.modal is not None
        assert asked.modal["title"] == "Your secret number"
        assert "Nobody can see it before the end." in str(asked.modal)
        known = len(table.channel.history())
        await table.restart()
        board = seen(await table.ann.submit_modal(asked, {"number": NUMBERS[0]}))
        assert not board.ephemeral
        assert len(table.channel.history()) == known + 1
        ann, ben = table.ann.mention, table.ben.mention
        assert f"**{ann} challenges {ben}!**" in text(board)
        assert "-# 4 digits, all different\n" in text(board)
        assert f"-# {ann}: 1500 · win +" in text(await press(table.ann, board, "More"))
        assert NUMBERS[0] not in in_public(table)
    asked = await table.ann.slash(table.channel, "duel", opponent=table.ben, digits=5)
    board = seen(await table.ann.submit_modal(asked, {"number": "98765"}))
    assert "-# 5 digits, all different" in text(board)


async def test_an_invalid_number_is_typed_again_before_anybody_is_challenged(
    table: Table,
) -> None:
    asked = await table.ann.slash(table.channel, "duel", opponent=table.ben)
    refused = seen(await table.ann.submit_modal(asked, {"number": "0120"}))
    assert refused.ephemeral
    assert text(refused) == "`0120` has `0` twice, but all digits must differ."
    assert "0120" not in str(custom_ids(refused))
    assert table.channel.history() == []
    await table.restart()
    board = await typed(table.ann, refused, NUMBERS[0], "Enter it again")
    assert not board.ephemeral
    assert "challenges" in text(board)


async def test_the_challenger_changes_the_proposed_terms(table: Table) -> None:
    board = await challenge(table)
    offered = await press(table.ann, board, "More")
    stale = await post(table.world, ui.Button[Any](label="Other settings", custom_id="du:change:1"))
    assert (
        text(await press(table.ben, stale, "Other settings"))
        == f"Only {table.ann.mention} can do that."
    )
    assert "Other settings" not in buttons(await press(table.ben, board, "More"))
    asked = await form(table.ann, offered, "Other settings")
    assert proposed(asked) == ["4", "equal", "ticked"]
    await accept(table.ben, board)
    await table.restart()
    late = seen(await table.ann.submit_modal(asked, {**CHOICES, "numbers": ["4"]}))
    assert "It's been accepted." in text(late)
    await press(table.ann, await more(table.ann, board, "Call it off"), "Yes, call it off")
    board = await challenge(table)
    await change(table.ann, board, mode="classic", rated=False)
    assert "-# 4 digits, all different · classic · friendly" in text(board)
    assert "Accept" in buttons(board)
    # Other digits take another number, and the card stays until there is one.
    shown = await change(table.ann, board, numbers=["5r"])
    assert text(shown) == "5 digits, repeats allowed: **set your number again**."
    assert "-# 4 digits" in text(board)
    shown = await typed(table.ann, shown, "1234", "Set my number")
    assert "`1234` has 4 of 5 digits. Add one." in text(shown)
    await typed(table.ann, shown, "11223", "Enter it again")
    assert "-# 5 digits, repeats allowed\n" in text(board)
    assert "11223" not in in_public(table)


async def late_copy(table: Table, board: ResponseMessage) -> discord.Message:
    """What a client shows that has not heard of a board's last change."""
    (button,) = [part for part in parts(board) if part.get("label") == "Accept"]
    item = ui.Button[Any](label="Accept", custom_id=button["custom_id"])
    return await post(table.world, item)


async def test_changed_terms_are_shown_and_confirmed_again(table: Table) -> None:
    board = await challenge(table)
    old, asked = await late_copy(table, board), await form(table.ben, board, "Accept")
    await change(table.ann, board, mode="classic")
    await table.restart()
    ann = table.ann.mention
    for shown in (  # by an old button, and by a form that was open meanwhile
        await press(table.ben, old, "Accept"),
        seen(await table.ben.submit_modal(asked, {"number": NUMBERS[1]})),
    ):
        assert shown.ephemeral
        terms = "4 digits, all different · classic · friendly"
        assert text(shown) == f"{ann} changed the terms: {terms}"
        assert buttons(shown) == ["Accept"]
        assert "Accept" in buttons(board)
    told = await typed(table.ben, shown, NUMBERS[1], "Accept")
    assert text(told).startswith(
        f"✅ Your number is set: ||{NUMBERS[1]}||. Go back [to the board]("
    )
    assert "goes first" in text(board)


def proposed(asked: InteractionResult) -> list[str]:
    """What a form has chosen beforehand, and whether its box is ticked."""
    assert asked.modal is not None
    fields = [part["component"] for part in asked.modal["components"] if "component" in part]
    lists = [each["options"] for each in fields if "options" in each]
    chosen = [o["value"] for options in lists for o in options if o.get("default")]
    return chosen + ["ticked" for each in fields if each.get("default")]


async def test_a_member_who_left_or_cannot_see_the_channel_cannot_be_challenged(
    table: Table,
) -> None:
    guild = table.ann.guild
    hidden = discord.PermissionOverwrite(view_channel=False)
    channel = guild.create_text_channel("hidden", overwrites={table.ben: hidden})
    answer = seen(await table.ann.slash(channel, "duel", opponent=table.ben))
    assert text(answer) == (
        f"{table.ben.mention} can't see {channel.mention}. Try another channel."
    )
    asked = await table.ann.context_menu(table.channel, MENU, table.ben)
    table.env.backend.remove_member(guild.id, table.ben.id)
    answer = seen(await table.ann.submit_modal(asked, {"number": NUMBERS[0]}))
    assert answer.ephemeral
    assert f"{table.ben.mention} isn't in this server." in text(answer)
    assert await table.services.duels.games.open_of(table.ben.id) == []


@pytest.mark.parametrize(
    ("missing", "name"), [("view_channel", "View Channel"), ("send_messages", "Send Messages")]
)
async def test_a_missing_permission_of_the_bot_is_named_before_the_challenge(
    table: Table, missing: str, name: str
) -> None:
    guild = table.ann.guild
    assert guild.me is not None
    channel = guild.create_text_channel(
        "deaf", overwrites={guild.me: discord.PermissionOverwrite(**{missing: False})}
    )
    answer = seen(await table.ann.slash(channel, "duel", opponent=table.ben))
    assert answer.ephemeral
    assert f"I can't post in {channel.mention}: I need **" in text(answer)
    assert name in text(answer)
    alone = seen(await table.ann.slash(channel, "duel"))
    assert "Set my number" in buttons(alone)  # the bot can be played all the same


async def test_members_can_be_challenged_only_in_servers(table: Table) -> None:
    answer = seen(await table.ann.user.slash("duel", opponent=table.ben.user))
    assert "Challenges need a server that I'm in" in text(answer)


async def test_challenging_this_bot_opens_a_duel_with_the_bot(table: Table) -> None:
    me = table.bot.user
    assert me is not None
    handle = UserHandle(table.env, table.env.backend.get_user(me.id))
    target = MemberActor(table.env, table.ann.guild, handle)
    for page in (
        seen(await table.ann.slash(table.channel, "duel", opponent=handle)),
        seen(await table.ann.context_menu(table.channel, MENU, target)),
    ):
        assert page.ephemeral
        assert "casual bot" in text(page)


async def test_only_the_challenged_player_answers_and_only_the_challenger_withdraws(
    table: Table,
) -> None:
    board = await challenge(table)
    refusals = {
        table.ann: f"{table.ben.mention} must answer first.",
        cleo(table): f"This challenge is for {table.ben.mention}.",
    }
    for who, words in refusals.items():
        for label in ("Accept", "Decline"):
            assert text(await press(who, board, label)).startswith(words)
    old = await post(table.world, ui.Button[Any](label="Withdraw", custom_id="du:withdraw:1"))
    for who in (table.ben, cleo(table)):
        assert "Withdraw" not in buttons(await press(who, board, "More"))
        refused = f"Only {table.ann.mention} can do that."
        assert text(await press(who, old, "Withdraw")) == refused
    await more(table.ann, board, "Withdraw")
    assert f"**{table.ann.mention} withdrew the challenge to {table.ben.mention}.**" in text(board)
    declined = await press(table.ben, await challenge(table), "Decline")
    ann, ben = table.ann.mention, table.ben.mention
    assert f"**{ben} declined {ann}'s challenge.**" in text(declined)


async def test_when_a_challenge_is_accepted_and_withdrawn_simultaneously_one_click_is_refused(
    table: Table,
) -> None:
    board = await challenge(table)
    page = await press(table.ann, board, "More")
    accepting = table.ben.submit_modal(
        await form(table.ben, board, "Accept"), {"number": NUMBERS[1]}
    )
    results: list[InteractionResult] = await table.at_once(
        [accepting, table.ann.click(page, label="Withdraw")]
    )
    refused = [text(m) for result in results for m in result.followups if m.ephemeral]
    accepted = "It's been accepted. Until the first guess, either of you can call it off."
    is_accepted = "Guess" in buttons(board)
    assert (accepted if is_accepted else "This duel is over.") in refused
    assert len(refused) == 1 + is_accepted  # and that the number is set


async def test_a_challenge_that_nobody_accepted_has_no_rematch(table: Table) -> None:
    board = await challenge(table)
    shown = await press(table.ann, await press(table.ann, board, "More"), "Withdraw")
    for page in (shown, board):
        assert "-# 4 digits, all different\n" in text(page)
        assert "Challenge again" in buttons(page)
        assert "Rematch" not in buttons(page)


@pytest.mark.usefixtures("breaking")
async def test_a_challenge_that_could_not_be_posted_is_withdrawn(table: Table) -> None:
    table.env.inject_error("POST", "/interactions/*", status=400, code=50035)
    failed = await challenge(table)
    assert "Something broke" in text(failed)
    assert await table.services.duels.games.open_of(table.ben.id) == []


async def test_a_challenge_of_a_player_who_deleted_their_data_can_be_declined_but_not_blocked(
    table: Table,
) -> None:
    board = await challenge(table)
    await table.services.privacy.players.delete(table.ann.id, "delete")
    (told,) = (await table.ben.click(board, label="Decline")).followups
    assert (text(told), buttons(told)) == ("This duel is over.", [])


async def test_a_challenge_that_was_perhaps_posted_can_be_accepted(table: Table) -> None:
    """Discord has it from a first request, whose answer was lost, and refuses the second."""
    asked = await table.ann.slash(table.channel, "duel", opponent=table.ben)
    table.env.inject_error("POST", "/interactions/*", status=400, code=40060)
    await table.ann.submit_modal(asked, {"number": NUMBERS[0]})
    accepting = button(ACCEPT(duel=1, terms=0), "Accept")
    posted = await post(table.world, accepting)
    board = await typed(table.ben, posted, NUMBERS[1], "Accept")
    assert (board.id, "Guess" in buttons(board)) == (posted.id, True)


async def ended(table: Table, **options: Any) -> ResponseMessage:
    """A duel that was won at once."""
    board = await playing(table, mode="classic", **options)
    who, other = to_move(table, board)
    return await typed(who, board, number_of(table, other))


async def test_a_rematch_swaps_who_moves_first(table: Table) -> None:
    board = await ended(table)
    was_first = table.ann if f"**{table.ann.mention} wins**" in text(board) else table.ben
    first = table.ben if was_first is table.ann else table.ann
    await table.restart()
    refused = await typed(table.ben, board, "01", "Rematch")
    assert text(refused) == "`01` has 2 of 4 digits. Add 2 more."
    again = await typed(table.ben, board, NUMBERS[1], "Rematch")
    assert not again.ephemeral
    assert again.id != board.id
    assert f"**{table.ben.mention} wants a rematch with {table.ann.mention}!**" in text(again)
    assert text(await press(table.ben, board, "Rematch")).startswith(
        "The rematch is already under way: [go there](https://discord.com/channels/"
    )
    both = await press(table.ann, board, "Rematch")
    assert both.ephemeral
    assert text(both) == (
        f"{table.ben.mention} proposes: 4 digits, all different · classic · friendly"
    )
    asked = await form(table.ann, both, "Accept")
    await table.ann.submit_modal(asked, {"number": NUMBERS[0]})
    who, second = to_move(table, again)
    assert who is first
    assert f"**{first.mention} goes first**: {second.mention} did last time." in text(again)
    refused = await press(cleo(table), board, "Rematch")
    assert "This duel is between" in text(refused)


async def test_a_rematch_pressed_twice_at_once_is_proposed_once(table: Table) -> None:
    board = await ended(table)
    before = len(table.env.http_requests)
    forms = [await form(table.ben, board, "Rematch") for _ in range(2)]
    sent = [table.ben.submit_modal(each, {"number": NUMBERS[1]}) for each in forms]
    results = await table.at_once(sent)
    answers = [seen(result) for result in results]
    (told,) = [answer for answer in answers if answer.ephemeral]
    assert text(told).startswith("The rematch is already under way")
    (asked,) = [answer for answer in answers if not answer.ephemeral]
    assert "wants a rematch" in text(asked)
    assert [c for c in called(table, before) if c.get("users")] == [
        {"parse": [], "users": [table.ann.id]}
    ]


async def test_a_rematch_whose_posting_was_refused_can_be_posted_by_the_next_click(
    table: Table,
) -> None:
    board = await ended(table)
    inviting = table.services.duels.inviting
    again = await inviting.rematch(table.ben.id, 1, NUMBERS[1])
    table.env.backend.remove_member(table.ben.guild.id, table.ann.id)
    told = await press(table.ben, board, "Rematch")
    assert f"{table.ann.mention} isn't in this server." in text(told)
    assert await inviting.claim_posting(again.duel.id)


async def test_a_rematch_from_a_private_page_is_posted_in_the_channel_of_the_duel(
    table: Table,
) -> None:
    board = await playing(table, mode="classic")
    who, other = to_move(table, board)
    page = await press(who, board, "Notebook")
    page = await typed(who, page, number_of(table, other))
    known = {message.id for message in table.channel.history()}
    before = len(table.env.http_requests)
    told = await typed(who, page, number_of(table, who), "Rematch")
    assert told.ephemeral
    (posted,) = [message for message in table.channel.history() if message.id not in known]
    assert f"{table.channel.id}/{posted.id})." in text(told)
    assert called(table, before)[0] == {"parse": [], "users": [other.id]}
    await form(other, posted, "Accept")


@pytest.mark.parametrize(("status", "code"), [(404, 10003), (403, 50013), (400, 160005)])
async def test_a_rematch_from_a_private_page_is_refused_when_the_channel_is_gone_or_closed(
    table: Table, status: int, code: int
) -> None:
    board = await playing(table, mode="classic")
    who, other = to_move(table, board)
    page = await typed(who, await press(who, board, "Notebook"), number_of(table, other))
    asked = await form(who, page, "Rematch")
    table.env.inject_error("POST", "/channels/*/messages", status=status, code=code)
    told = seen(await who.submit_modal(asked, {"number": number_of(table, who)}))
    assert "The duel's channel is gone" in text(told)
    assert await table.services.duels.games.open_of(who.id) == []


async def test_an_archived_thread_is_reopened_for_a_board_in_it(table: Table) -> None:
    backend, parent = table.env.backend, table.world.channels[1]
    backend.announce_thread_create(backend.create_thread(parent.id, "talk", table.ann.id))
    (thread,) = parent.threads
    board = await accept(table.ben, await dare(table.ann, thread, table.ben))
    who, _ = to_move(table, board)
    page = await press(who, board, "Notebook")
    found = backend.get_thread(thread.id).thread_metadata
    assert found is not None
    found.archived = True
    table.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50083)
    await typed(who, page, "9876")  # on the private page, so that the bot edits the board
    assert "9876" in text(board)
    opened = backend.get_thread(thread.id).thread_metadata
    assert opened is not None
    assert not opened.archived


async def test_an_invalid_number_of_whoever_accepts_is_asked_for_again(table: Table) -> None:
    refused = await typed(table.ben, await challenge(table), "0120", "Accept")
    assert text(refused) == "`0120` has `0` twice, but all digits must differ."
    await table.restart()
    page = await typed(table.ben, refused, "0123", "Enter it again")
    assert text(page).startswith("✅ Your number is set: ||0123||. Go back [to the board](http")

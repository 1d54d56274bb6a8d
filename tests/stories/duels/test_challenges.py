"""Before a duel and after it: who can be challenged where, answers, rematches, threads."""

from pathlib import Path
from typing import Any

import discord
import pytest
from simcord import InteractionResult, MemberActor, ResponseMessage, UserHandle

from tests.support.duel_stories import (
    NUMBERS,
    beat,
    challenge,
    challenge_to_race,
    form,
    number_of,
    playing,
    press,
    said,
    setting,
    to_move,
    typed,
    wait,
)
from tests.support.forging import forge_command, forge_form
from tests.support.screen import OUTDATED, buttons, seen, text
from tests.support.sql import sql
from tests.support.table import Table

MENU = "Challenge to a duel"
CHOICES = {"numbers": ["5r"], "mode": "classic", "pace": "relaxed", "rated": False}
USUAL = {"numbers": ["4"], "mode": "equal", "pace": "live", "rated": True}


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


async def test_only_the_challenged_is_called(table: Table) -> None:
    before = len(table.env.http_requests)
    board = await challenge(table)
    assert called(table, before) == [{"parse": [], "users": [table.ben.id]}]
    await press(table.ben, board, "Accept")
    assert called(table, before)[1:] == [{"parse": []}]


async def test_the_menu_asks_for_the_options(table: Table) -> None:
    asked = await table.ann.context_menu(table.channel, MENU, table.ben)
    assert asked.modal is not None
    assert asked.modal["title"] == "Challenge Ben"
    await table.restart()
    board = seen(await table.ann.submit_modal(asked, CHOICES))
    assert not board.ephemeral
    assert "-# 5 digits, repeats allowed · classic · 24 hours a turn · unrated" in text(board)
    again = await table.ann.context_menu(table.channel, MENU, table.ben)
    board = seen(await table.ann.submit_modal(again, USUAL))
    assert "-# 4 digits, all different · equal turns · 2 minutes a turn · rated" in text(board)


async def test_a_race_is_offered_no_more(table: Table, tmp_path: Path) -> None:
    asked = await table.ann.context_menu(table.channel, MENU, table.ben)
    assert "race" not in str(asked.modal)
    option = {"type": 3, "name": "mode", "value": "race"}
    form, choices = f"du:form:challenge:{table.ben.id}", CHOICES | {"mode": "race"}
    for refused in (
        await forge_command(table.ann, table.channel, "duel", option),
        await forge_form(table.ann, table.channel, form, choices),
    ):
        assert text(seen(refused)) == OUTDATED
    assert sql(tmp_path, "SELECT * FROM duels") == []
    await press(table.ben, await challenge_to_race(table, tmp_path), "Accept")
    assert "equal" in proposed(await table.ann.context_menu(table.channel, MENU, table.ben))


def proposed(asked: InteractionResult) -> list[str]:
    """What a form has chosen beforehand, and whether its box is ticked."""
    assert asked.modal is not None
    parts = [part["component"] for part in asked.modal["components"] if "component" in part]
    lists = [part["options"] for part in parts if "options" in part]
    chosen = [o["value"] for options in lists for o in options if o.get("default")]
    return chosen + ["ticked" for part in parts if part.get("default")]


async def test_two_who_never_met_are_proposed_a_relaxed_duel_and_then_what_they_had(
    table: Table,
) -> None:
    usual = {"opponent": table.ben}
    first = seen(await table.ann.slash(table.channel, "duel", **usual))
    assert "· 24 hours a turn ·" in text(first)
    assert "relaxed" in proposed(await table.ann.context_menu(table.channel, MENU, table.ben))
    await press(table.ben, first, "Decline")  # so that they still have begun none
    table.clock.advance(hours=2)
    again = seen(await table.ann.slash(table.channel, "duel", **usual))
    assert "· 24 hours a turn ·" in text(again)
    await press(table.ben, await challenge(table, pace="live"), "Accept")
    assert "live" in proposed(await table.ann.context_menu(table.channel, MENU, table.ben))
    third = seen(await table.ben.slash(table.channel, "duel", opponent=table.ann))
    assert "· 2 minutes a turn ·" in text(third)


async def test_whom_nobody_can_challenge(table: Table) -> None:
    async def refused(member: Any) -> str:
        answers = [
            seen(await table.ann.slash(table.channel, "duel", opponent=member)),
            seen(await table.ann.context_menu(table.channel, MENU, member)),
        ]
        assert all(answer.ephemeral for answer in answers)
        assert text(answers[0]) == text(answers[1])
        return text(answers[0])

    assert await refused(table.ann) == ("You can't duel yourself. `/duel` alone plays the bot.")
    robot = table.ann.guild.add_member(table.env.create_user("robot", bot=True))
    assert await refused(robot) == ("Other bots don't play. `/duel` alone plays this one.")
    for _ in range(3):
        await challenge(table)
    assert await refused(table.ben) == (
        f"You and {table.ben.mention} have 3 duels open, and no more fit. `/games` lists them."
    )


async def test_who_has_left_or_cannot_see_the_channel(table: Table) -> None:
    guild = table.ann.guild
    hidden = discord.PermissionOverwrite(view_channel=False)
    channel = guild.create_text_channel("hidden", overwrites={table.ben: hidden})
    answer = seen(await table.ann.slash(channel, "duel", opponent=table.ben))
    assert text(answer) == (
        f"{table.ben.mention} cannot see {channel.mention}. Try another channel."
    )
    asked = await table.ann.context_menu(table.channel, MENU, table.ben)
    table.env.backend.remove_member(guild.id, table.ben.id)
    answer = seen(await table.ann.submit_modal(asked, USUAL))
    assert answer.ephemeral
    assert f"{table.ben.mention} is not in this server." in text(answer)
    assert await table.services.duels.games.open_of(table.ben.id) == []


@pytest.mark.parametrize(
    ("missing", "name"), [("view_channel", "View Channel"), ("send_messages", "Send Messages")]
)
async def test_what_the_bot_may_not_do_is_said_at_once(
    table: Table, missing: str, name: str
) -> None:
    guild = table.ann.guild
    assert guild.me is not None
    channel = guild.create_text_channel(
        "deaf", overwrites={guild.me: discord.PermissionOverwrite(**{missing: False})}
    )
    answer = seen(await table.ann.slash(channel, "duel", opponent=table.ben))
    assert answer.ephemeral
    assert f"I can't post in {channel.mention}: I lack **" in text(answer)
    assert name in text(answer)
    alone = seen(await table.ann.slash(channel, "duel", strength="sharp"))
    assert "Set my number" in buttons(alone)  # the bot can be played all the same


async def test_options_that_there_are_not(table: Table) -> None:
    answer = await challenge(table, mode="classic", rated=True)
    assert text(answer).startswith("Classic duels are never rated")
    answer = seen(await table.ann.slash(table.channel, "duel", rated=True))
    assert text(answer).startswith("Duels with the bot are never rated.")
    answer = seen(await table.ann.user.slash("duel", opponent=table.ben.user))
    assert "Challenges need a server that I'm in" in text(answer)


async def test_this_bot_as_the_opponent_is_the_bot(table: Table) -> None:
    me = table.env.bot.user
    assert me is not None
    handle = UserHandle(table.env, table.env.backend.get_user(me.id))
    page = seen(await table.ann.slash(table.channel, "duel", opponent=handle))
    assert page.ephemeral
    assert "sharp bot" in text(page)


async def test_this_bot_in_the_menu_is_asked_how_it_is_to_play(table: Table) -> None:
    me = table.env.bot.user
    assert me is not None
    handle = UserHandle(table.env, table.env.backend.get_user(me.id))
    target = MemberActor(table.env, table.ann.guild, handle)
    asked = await table.ann.context_menu(table.channel, MENU, target)
    assert proposed(asked) == ["4", "equal", "relaxed", "sharp"]
    asked = await table.ann.slash(table.channel, "duel")
    assert proposed(asked) == ["4", "equal", "relaxed", "sharp"]
    choices = {"numbers": ["3"], "mode": "classic", "pace": "live", "strength": "casual"}
    page = seen(await table.ann.submit_modal(asked, choices))
    assert page.ephemeral
    assert "3 digits, all different · classic · 2 minutes a turn · casual bot" in text(page)
    # What was chosen last is proposed, and taken where nothing else is said.
    assert proposed(await table.ann.slash(table.channel, "duel")) == [
        *("3", "classic", "live", "casual"),
    ]
    page = seen(await table.ann.slash(table.channel, "duel", digits=5))
    assert "5 digits, all different · classic · 2 minutes a turn · casual bot" in text(page)


async def test_only_the_challenged_answers_and_only_the_challenger_withdraws(table: Table) -> None:
    board = await challenge(table)
    refusals = {
        table.ann: f"{table.ben.mention} has to answer it.",
        cleo(table): f"This challenge is for {table.ben.mention}.",
    }
    for who, words in refusals.items():
        for label in ("Accept", "Decline"):
            assert text(await press(who, board, label)).startswith(words)
    for who in (table.ben, cleo(table)):
        assert text(await press(who, board, "Withdraw")) == (
            f"Only {table.ann.mention} can withdraw it."
        )
    board = await press(table.ann, board, "Withdraw")
    assert f"**{table.ann.mention} withdrew the challenge to {table.ben.mention}.**" in text(board)
    declined = await press(table.ben, await challenge(table), "Decline")
    ann, ben = table.ann.mention, table.ben.mention
    assert f"**{ben} declined {ann}'s challenge.**" in text(declined)


async def test_accepting_and_withdrawing_at_once(table: Table) -> None:
    board = await challenge(table)
    results: list[InteractionResult] = await table.at_once(
        [table.ben.click(board, label="Accept"), table.ann.click(board, label="Withdraw")]
    )
    refused = [text(m) for result in results for m in result.followups if m.ephemeral]
    accepted = "It was accepted already. Until both numbers are set, either of you can call it off."
    withdrawn = "This duel is over."
    assert refused == [accepted if "Set my number" in buttons(board) else withdrawn]
    assert table.channel.threads == []  # unless the server wants them


async def test_a_challenge_lapses(table: Table, tmp_path: Path) -> None:
    live, relaxed = await challenge(table), await challenge(table, pace="relaxed")
    await wait(table, tmp_path, minutes=15, seconds=1)
    lapsed = f"**The challenge has lapsed**: {table.ben.mention} did not answer in time."
    assert lapsed in text(live)
    assert "Accept" in buttons(relaxed)
    table.clock.advance(hours=24)
    late = await table.ben.click(relaxed, label="Accept")
    assert [text(m) for m in late.followups] == ["This duel is over."]
    assert lapsed in text(relaxed)


async def test_a_challenge_that_could_not_be_posted_is_taken_back(table: Table) -> None:
    table.env.inject_error("POST", "/interactions/*", status=400, code=50035)
    failed = await challenge(table)
    assert "Something broke here" in text(failed)
    assert await table.services.duels.games.open_of(table.ben.id) == []


async def ended(table: Table, **options: Any) -> ResponseMessage:
    """A duel that was won at once."""
    board = await playing(table, mode="classic", **options)
    who, other = to_move(table, board)
    return await typed(who, board, number_of(table, other))


async def test_a_rematch_swaps_who_moves_first(table: Table) -> None:
    board = await ended(table)
    was_first = table.ann if f"Guesses: {table.ann.mention}" in text(board) else table.ben
    first = table.ben if was_first is table.ann else table.ann
    await table.restart()
    again = await press(table.ben, board, "Rematch")
    assert not again.ephemeral
    assert again.id != board.id
    assert f"**{table.ben.mention} wants a rematch with {table.ann.mention}.**" in text(again)
    assert text(await press(table.ben, board, "Rematch")).startswith(
        "The rematch is under way already: [go there](https://discord.com/channels/"
    )
    both = await press(table.ann, board, "Rematch")
    assert both.ephemeral
    assert "You both want it: the rematch is on." in text(both)
    first_typed = await typed(table.ann, again, NUMBERS[0], "Set my number")
    assert "It's a rematch: whoever went second before goes first." in text(first_typed)
    assert "drawn" not in text(first_typed)
    again = await typed(table.ben, again, NUMBERS[1], "Set my number")
    who, second = to_move(table, again)
    assert who is first
    assert f"**{first.mention} goes first**: {second.mention} did last time." in text(again)
    refused = await press(cleo(table), board, "Rematch")
    assert "This is a duel of" in text(refused)


async def test_a_rematch_pressed_twice_at_once_is_asked_for_once(table: Table) -> None:
    board = await ended(table)
    before = len(table.env.http_requests)
    results = await table.at_once([table.ben.click(board, label="Rematch") for _ in range(2)])
    answers = [seen(result) for result in results]
    (told,) = [answer for answer in answers if answer.ephemeral]
    assert text(told) == "The rematch is under way already; `/games` lists it."
    (asked,) = [answer for answer in answers if not answer.ephemeral]
    assert "wants a rematch" in text(asked)
    assert [c for c in called(table, before) if c.get("users")] == [
        {"parse": [], "users": [table.ann.id]}
    ]


async def test_a_rematch_that_nobody_posted_is_posted_at_the_next_press(table: Table) -> None:
    board = await ended(table)
    again = await table.services.duels.inviting.rematch(table.ben.id, 1)
    assert await table.services.duels.inviting.claim_posting(again.id)
    await table.restart()
    assert (await press(table.ben, board, "Rematch")).ephemeral
    table.clock.advance(minutes=1)
    posted = await press(table.ben, board, "Rematch")
    assert not posted.ephemeral
    await press(table.ann, posted, "Accept")
    assert "Set my number" in buttons(posted)


async def test_a_rematch_from_a_private_page_is_posted_where_the_duel_was(table: Table) -> None:
    board = await playing(table, mode="classic")
    who, other = to_move(table, board)
    page = await press(who, board, "Notebook")
    page = await typed(who, page, number_of(table, other))
    known = {message.id for message in table.channel.history()}
    before = len(table.env.http_requests)
    told = await press(who, page, "Rematch")
    assert told.ephemeral
    (posted,) = [message for message in table.channel.history() if message.id not in known]
    assert f"{table.channel.id}/{posted.id})." in text(told)
    assert called(table, before)[0] == {"parse": [], "users": [other.id]}
    assert "Set my number" in buttons(await press(other, posted, "Accept"))


async def test_a_rematch_from_a_private_page_without_a_channel(table: Table) -> None:
    board = await playing(table, mode="classic")
    who, other = to_move(table, board)
    page = await typed(who, await press(who, board, "Notebook"), number_of(table, other))
    table.env.inject_error("POST", "/channels/*/messages", status=404, code=10003)
    told = await press(who, page, "Rematch")
    assert "The duel's channel is gone" in text(told)
    assert await table.services.duels.games.open_of(who.id) == []


async def test_a_rematch_with_who_has_left(table: Table) -> None:
    board = await ended(table)
    table.env.backend.remove_member(table.ann.guild.id, table.ben.id)
    answer = await press(table.ann, board, "Rematch")
    assert f"{table.ben.mention} is not in this server." in text(answer)
    assert await table.services.duels.games.open_of(table.ann.id) == []


async def test_a_duel_in_a_thread_of_its_own(table: Table) -> None:
    await table.services.settings.set_duel_threads(table.ann.guild.id, on=True)
    invitation = await challenge(table, pace="relaxed")
    assert table.channel.threads == []
    await press(table.ben, invitation, "Accept")
    (thread,) = table.channel.threads
    assert thread.name == "Duel: Ann and Ben"
    ann, ben = table.ann.mention, table.ben.mention
    assert f"{ann} and {ben} play in <#{thread.id}>." in text(invitation)
    assert buttons(invitation) == []
    (posted,) = [message for message in thread.history() if message.components]
    await table.restart()
    await typed(table.ann, posted, NUMBERS[0], "Set my number")
    board = await typed(table.ben, posted, NUMBERS[1], "Set my number")
    who, other = to_move(table, board)
    await beat(table)
    (nudge,) = [m for m in thread.history() if m.content]
    assert nudge.content.startswith(f"{who.mention}, **it is your turn**")
    assert f"/{thread.id}/{board.id})" in nudge.content
    question = await press(who, board, "Resign")
    await press(who, question, "Yes, resign")
    assert f"🏆 **{other.mention} wins**: {who.mention} resigned." in text(board)
    assert f"🏆 **{other.mention} wins**: {who.mention} resigned." in text(invitation)
    found = table.env.backend.get_thread(thread.id).thread_metadata
    assert found is not None
    assert found.archived
    await beat(table)
    (end,) = [m for m in thread.history() if m.content]
    assert end.content.startswith(f"{other.mention}, 🏆 **you win**: {who.mention} resigned.")


async def test_a_thread_that_was_archived_is_opened_for_its_board(table: Table) -> None:
    await table.services.settings.set_duel_threads(table.ann.guild.id, on=True)
    await press(table.ben, await challenge(table, pace="relaxed"), "Accept")
    (thread,) = table.channel.threads
    (posted,) = [message for message in thread.history() if message.components]
    await typed(table.ann, posted, NUMBERS[0], "Set my number")
    board = await typed(table.ben, posted, NUMBERS[1], "Set my number")
    who, _ = to_move(table, board)
    page = await press(who, board, "Notebook")
    found = table.env.backend.get_thread(thread.id).thread_metadata
    assert found is not None
    found.archived = True
    table.env.inject_error("PATCH", "/channels/*/messages/*", status=400, code=50083)
    await typed(who, page, "9876")  # on the private page, so that the bot edits the board
    assert "9876" in text(board)
    opened = table.env.backend.get_thread(thread.id).thread_metadata
    assert opened is not None
    assert not opened.archived


async def test_without_the_permission_a_duel_stays_in_the_channel(table: Table) -> None:
    guild = table.ann.guild
    await table.services.settings.set_duel_threads(guild.id, on=True)
    assert guild.me is not None
    forbidden = discord.PermissionOverwrite(create_public_threads=False)
    channel = guild.create_text_channel("flat", overwrites={guild.me: forbidden})
    board = seen(await table.ann.slash(channel, "duel", opponent=table.ben))
    board = await press(table.ben, board, "Accept")
    assert "Set my number" in buttons(board)
    assert channel.threads == []
    table.env.inject_error("POST", "/channels/*/threads", status=403, code=50013)
    board = await setting(table)
    assert "Set my number" in buttons(board)


async def test_settings_keep_each_other(table: Table) -> None:
    settings, guild_id = table.services.settings, table.ann.guild.id
    assert not (await settings.view(guild_id)).duel_threads
    await settings.set_duel_threads(guild_id, on=True)
    changed = await settings.change(guild_id, channel_id=table.channel.id)
    assert (changed.duel_threads, changed.channel_id) == (True, table.channel.id)
    assert (await settings.set_duel_threads(guild_id, on=False)).channel_id == table.channel.id
    assert not (await settings.leave_channel(guild_id)).duel_threads


async def test_who_sets_a_number_on_the_board_is_told_alone_that_it_is_kept(table: Table) -> None:
    board = await setting(table)
    result = await table.ben.submit_modal(
        await form(table.ben, board, "Set my number"), {"number": NUMBERS[1]}
    )
    assert f"✅ {table.ben.mention} is ready." in text(seen(result))
    (note,) = result.followups
    assert note.ephemeral
    assert text(note).startswith(f"✅ Your number is set: ||{NUMBERS[1]}||. Go on [at the board](")
    assert buttons(note) == []
    assert NUMBERS[1] not in text(board)


async def test_a_number_that_is_none_is_asked_for_again(table: Table) -> None:
    board = await setting(table)
    asked = await form(table.ann, board, "Set my number")
    assert "Nobody sees it before the duel is over." in str(asked.modal)
    refused = seen(await table.ann.submit_modal(asked, {"number": "0120"}))
    assert refused.ephemeral
    assert text(refused) == (
        "`0120` has `0` twice; here all digits are different.\n-# This one was not taken."
    )
    assert "0120" not in str([part for part in refused.components if "custom_id" in str(part)][-1])
    assert buttons(refused) == ["Enter it again"]
    again = await form(table.ann, refused, "Enter it again")
    assert "0120" not in str(again.modal)
    refused = seen(await table.ann.submit_modal(again, {"number": "01234"}))
    assert text(refused) == (
        "`01234` has 5 digits, this duel 4. Take one out.\n-# This one was not taken."
    )
    assert buttons(refused) == ["Enter it again", "Notebook"]
    page = await press(table.ann, refused, "Notebook")
    assert "Set my number" in buttons(page)
    again = await form(table.ann, page, "Set my number")
    await table.restart()  # a form that is open stays one
    page = seen(await table.ann.submit_modal(again, {"number": "0123"}))
    assert text(page).startswith("✅ Your number is set: ||0123||. Go on [at the board](http")
    assert f"✅ {table.ann.mention} is ready." in text(board)
    late = await table.ann.click(board, label="Set my number")
    assert text(seen(late)) == "Your number is set already."
    assert said(table) == []

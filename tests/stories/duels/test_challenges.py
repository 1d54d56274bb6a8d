"""Before a duel and after it: who can be challenged where, answers, rematches, threads."""

from pathlib import Path
from typing import Any

import discord
import pytest
from discord import ui
from simcord import InteractionResult, MemberActor, ResponseMessage, UserHandle

from bot.duels.model import Pace
from cogs.duels.pages import TAKE
from cogs.ui.pages import button
from tests.support.duel_stories import (
    NUMBERS,
    accept,
    beat,
    challenge,
    challenge_to_race,
    change,
    dare,
    form,
    in_public,
    more,
    number_of,
    of_before,
    playing,
    press,
    ready,
    resign,
    said,
    setting,
    to_move,
    typed,
    wait,
)
from tests.support.forging import forge_command, forge_form
from tests.support.loose import post
from tests.support.screen import OUTDATED, buttons, custom_ids, parts, seen, text
from tests.support.sql import sql
from tests.support.table import Table

MENU = "Challenge to a duel"
CHOICES = {"numbers": ["5r"], "mode": "classic", "rated": False}
USUAL_BOT = {"numbers": ["3"], "mode": "classic", "strength": "sharp"}


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
    assert called(table, before)[1:] == []


async def test_the_menu_and_the_command_ask_for_the_challengers_number_first(table: Table) -> None:
    for asked in (
        await table.ann.context_menu(table.channel, MENU, table.ben),
        await table.ann.slash(table.channel, "duel", opponent=table.ben),
    ):
        assert asked.modal is not None
        assert asked.modal["title"] == "Your secret number"
        assert "Nobody sees it before the end." in str(asked.modal)
        known = len(table.channel.history())
        await table.restart()
        board = seen(await table.ann.submit_modal(asked, {"number": NUMBERS[0]}))
        assert not board.ephemeral
        assert len(table.channel.history()) == known + 1
        ann, ben = table.ann.mention, table.ben.mention
        assert f"**{ann} challenges {ben}!**" in text(board)
        assert "-# 4 digits, all different · equal turns\n" in text(board)
        assert "-# Rated: both ratings change.\n" in text(board)
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
    assert text(refused) == "`0120` has `0` twice; here all digits are different."
    assert "0120" not in str(custom_ids(refused))
    assert table.channel.history() == []
    await table.restart()
    board = await typed(table.ann, refused, NUMBERS[0], "Enter it again")
    assert not board.ephemeral
    assert "challenges" in text(board)


async def test_the_challenger_changes_the_proposed_terms(table: Table) -> None:
    board = await challenge(table)
    assert text(await press(table.ben, board, "Change")) == f"Only {table.ann.mention} can do that."
    asked = await form(table.ann, board, "Change")
    assert proposed(asked) == ["4", "equal", "ticked"]
    early = await form(table.ben, await late_copy(table, board), "Accept: now")
    await table.restart()
    assert early.modal is not None
    late = seen(await table.ann.submit_modal(asked, {**CHOICES, "numbers": ["4"]}))
    assert text(late).startswith("Accepted already.")
    await press(table.ann, await more(table.ann, board, "Call it off"), "Yes, call it off")
    board = await challenge(table)
    await change(table.ann, board, mode="classic", rated=False)
    assert "-# 4 digits, all different · classic · friendly" in text(board)
    assert "Accept: now" in buttons(board)
    # Other digits take another number, and the card stays until there is one.
    shown = await change(table.ann, board, numbers=["5r"])
    assert text(shown) == "5 digits, repeats allowed: **set your number anew**."
    assert "-# 4 digits" in text(board)
    shown = await typed(table.ann, shown, "1234", "Set my number")
    assert "`1234` has 4 of 5 digits. Add one." in text(shown)
    await typed(table.ann, shown, "11223", "Enter it again")
    assert "-# 5 digits, repeats allowed · equal turns\n" in text(board)
    assert "11223" not in in_public(table)


async def late_copy(table: Table, board: ResponseMessage) -> discord.Message:
    """What a client shows that has not heard of a board's last change."""
    (button,) = [part for part in parts(board) if part.get("label") == "Accept: now"]
    item = ui.Button[Any](label="Accept: now", custom_id=button["custom_id"])
    return await post(table.world, item)


async def test_changed_terms_are_shown_and_confirmed_again(table: Table) -> None:
    board = await challenge(table)
    old = await late_copy(table, board)
    await change(table.ann, board, mode="classic")
    shown = await press(table.ben, old, "Accept: now")
    assert shown.ephemeral
    ann = table.ann.mention
    assert text(shown) == f"{ann} changed the terms: 4 digits, all different · classic · friendly"
    assert buttons(shown) == ["Accept: now", "Accept: a move a day"]
    assert "Accept: now" in buttons(board)
    await typed(table.ben, shown, NUMBERS[1], "Accept: a move a day")
    assert "classic · 24 hours a turn · friendly" in text(board)
    assert "goes first" in text(board)


async def test_a_challenge_offers_the_live_pace_for_a_quarter_of_an_hour(
    table: Table, tmp_path: Path
) -> None:
    board = await challenge(table)
    old = await late_copy(table, board)
    await wait(table, tmp_path, minutes=15)
    await beat(table, 6)
    assert buttons(board)[:2] == ["Accept: a move a day", "Decline"]
    assert "*Now*" not in text(board)
    shown = await press(table.ben, old, "Accept: now")
    assert text(shown) == "The first 15 minutes are over: a move a day is left."
    await typed(table.ben, shown, NUMBERS[1], "Accept: a move a day")
    assert "24 hours a turn" in text(board)


@pytest.mark.parametrize("by", ["number", "start"])
async def test_a_duel_at_the_live_pace_ends_unrated_when_a_player_does_not_start_in_time(
    table: Table, tmp_path: Path, by: str
) -> None:
    board = await (setting if by == "number" else ready)(table)
    await wait(table, tmp_path, minutes=9, seconds=59)
    assert "Call it off" in buttons(await press(table.ben, board, "More"))
    await wait(table, tmp_path, seconds=2)
    ann, ben = table.ann.mention, table.ben.mention
    late = {"number": f"{ben} set no number in time", "start": f"{ann} did not start in time"}[by]
    assert f"**The duel is off**: {late}." in text(board)
    assert sql(tmp_path, "SELECT * FROM rating_changes") == []
    assert NUMBERS[0] not in text(board)


async def test_a_challenge_of_an_older_version_continues_with_its_terms(
    table: Table, tmp_path: Path
) -> None:
    board = await challenge(table)
    of_before(tmp_path)
    sql(tmp_path, "UPDATE duels SET stale_at = opened_at")
    await beat(table, 6)  # it is drawn anew
    assert buttons(board) == ["Accept", "Decline", "How to play", "More"]
    assert "· 2 minutes a turn\n" in text(board)
    old = await post(table.world, ui.Button[Any](label="Accept", custom_id="du:accept:1"))
    await typed(table.ben, old, NUMBERS[1], "Accept")
    assert "Set my number" in buttons(board)
    await typed(table.ann, board, NUMBERS[0], "Set my number")
    assert "goes first" in text(board)


async def test_the_accept_button_of_an_older_version_asks_how_to_accept(table: Table) -> None:
    board = await challenge(table)
    old = await post(table.world, ui.Button[Any](label="Accept", custom_id="du:accept:1"))
    shown = await press(table.ben, old, "Accept")
    assert buttons(shown) == ["Accept: now", "Accept: a move a day"]
    assert "Accept: now" in buttons(board)


async def test_a_form_with_options_that_an_older_version_opened_can_still_be_sent(
    table: Table,
) -> None:
    values = {**CHOICES, "pace": "relaxed"}
    told = await forge_form(table.ann, table.channel, f"du:form:challenge:{table.ben.id}", values)
    board = await typed(table.ann, seen(told), "11223", "Set my number")
    assert "-# 5 digits, repeats allowed · classic · friendly" in text(board)
    values = {**USUAL_BOT, "pace": "live"}
    page = seen(await forge_form(table.ann, table.channel, "du:form:bot", values))
    assert "-# 3 digits, all different · classic · sharp bot" in text(page)


async def test_a_race_can_no_longer_be_proposed(table: Table, tmp_path: Path) -> None:
    await press(
        table.ben, await accept(table.ben, await challenge_to_race(table, tmp_path)), "Start"
    )
    board = await challenge(table)
    assert "· equal turns\n" in text(board)
    told = await forge_form(
        table.ann, table.channel, "du:form:change:2", {**CHOICES, "mode": "race"}
    )
    assert text(seen(told)) == OUTDATED
    option = {"type": 3, "name": "mode", "value": "race"}
    assert text(seen(await forge_command(table.ann, table.channel, "duel", option))) == OUTDATED


def proposed(asked: InteractionResult) -> list[str]:
    """What a form has chosen beforehand, and whether its box is ticked."""
    assert asked.modal is not None
    fields = [part["component"] for part in asked.modal["components"] if "component" in part]
    lists = [each["options"] for each in fields if "options" in each]
    chosen = [o["value"] for options in lists for o in options if o.get("default")]
    return chosen + ["ticked" for each in fields if each.get("default")]


async def test_a_player_cannot_challenge_themselves_a_bot_or_a_busy_member(table: Table) -> None:
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
        f"You and {table.ben.mention} have 3 duels open, and no more fit. `/play` lists them."
    )


async def test_a_member_who_left_or_cannot_see_the_channel_cannot_be_challenged(
    table: Table,
) -> None:
    guild = table.ann.guild
    hidden = discord.PermissionOverwrite(view_channel=False)
    channel = guild.create_text_channel("hidden", overwrites={table.ben: hidden})
    answer = seen(await table.ann.slash(channel, "duel", opponent=table.ben))
    assert text(answer) == (
        f"{table.ben.mention} cannot see {channel.mention}. Try another channel."
    )
    asked = await table.ann.context_menu(table.channel, MENU, table.ben)
    table.env.backend.remove_member(guild.id, table.ben.id)
    answer = seen(await table.ann.submit_modal(asked, {"number": NUMBERS[0]}))
    assert answer.ephemeral
    assert f"{table.ben.mention} is not in this server." in text(answer)
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
    assert f"I can't post in {channel.mention}: I lack **" in text(answer)
    assert name in text(answer)
    alone = seen(await table.ann.slash(channel, "duel"))
    assert "Set my number" in buttons(alone)  # the bot can be played all the same


async def test_members_can_be_challenged_only_in_servers(table: Table) -> None:
    answer = seen(await table.ann.user.slash("duel", opponent=table.ben.user))
    assert "Challenges need a server that I'm in" in text(answer)


async def test_challenging_this_bot_opens_a_duel_with_the_bot(table: Table) -> None:
    me = table.env.bot.user
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
        table.ann: f"{table.ben.mention} has to answer it.",
        cleo(table): f"This challenge is for {table.ben.mention}.",
    }
    for who, words in refusals.items():
        for label in ("Accept: now", "Accept: a move a day", "Decline"):
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
    results: list[InteractionResult] = await table.at_once(
        [table.ben.click(board, label="Accept: now"), table.ann.click(page, label="Withdraw")]
    )
    refused = [text(m) for result in results for m in result.followups if m.ephemeral]
    accepted = "Accepted already. Until the first guess either can call it off."
    withdrawn = "This duel is over."
    assert refused == [accepted if "Set my number" in buttons(board) else withdrawn]
    assert table.channel.threads == []  # unless the server wants them


async def test_a_challenge_that_nobody_accepted_has_no_pace_and_no_rematch(table: Table) -> None:
    board = await challenge(table)
    shown = await press(table.ann, await press(table.ann, board, "More"), "Withdraw")
    for page in (shown, board):
        assert "-# 4 digits, all different · equal turns\n" in text(page)
        assert "Challenge again" in buttons(page)
        assert "Rematch" not in buttons(page)


async def test_an_unanswered_challenge_to_a_duel_lapses(table: Table, tmp_path: Path) -> None:
    live = await challenge(table)
    of_before(tmp_path)
    other = await challenge(table)
    await wait(table, tmp_path, minutes=15, seconds=1)
    lapsed = f"**The challenge is over**: {table.ben.mention} did not answer in time."
    assert lapsed in text(live)
    assert "Accept: a move a day" in buttons(other)
    table.clock.advance(hours=24)
    late = await table.ben.click(other, label="Accept: a move a day")
    assert [text(m) for m in late.followups] == ["This duel is over."]
    assert lapsed in text(other)


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
    accepting = button(TAKE(duel=1, pace=Pace.RELAXED, terms=0), "Accept")
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
    was_first = table.ann if f"← {table.ann.mention}" in text(board) else table.ben
    first = table.ben if was_first is table.ann else table.ann
    await table.restart()
    refused = await typed(table.ben, board, "01", "Rematch")
    assert text(refused) == "`01` has 2 of 4 digits. Add 2."
    again = await typed(table.ben, board, NUMBERS[1], "Rematch")
    assert not again.ephemeral
    assert again.id != board.id
    assert f"**{table.ben.mention} wants a rematch with {table.ann.mention}!**" in text(again)
    assert text(await press(table.ben, board, "Rematch")).startswith(
        "The rematch is under way already: [go there](https://discord.com/channels/"
    )
    both = await press(table.ann, board, "Rematch")
    assert both.ephemeral
    assert text(both) == (
        f"{table.ben.mention} proposes: 4 digits, all different · classic · friendly"
    )
    asked = await form(table.ann, both, "Accept: a move a day")
    assert "Last time's second goes first." in text(again)
    assert "pick" not in text(again)
    await table.ann.submit_modal(asked, {"number": NUMBERS[0]})
    who, second = to_move(table, again)
    assert who is first
    assert f"**{first.mention} goes first**: {second.mention} did last time." in text(again)
    refused = await press(cleo(table), board, "Rematch")
    assert "This is a duel of" in text(refused)


async def test_a_rematch_pressed_twice_at_once_is_proposed_once(table: Table) -> None:
    board = await ended(table)
    before = len(table.env.http_requests)
    forms = [await form(table.ben, board, "Rematch") for _ in range(2)]
    sent = [table.ben.submit_modal(each, {"number": NUMBERS[1]}) for each in forms]
    results = await table.at_once(sent)
    answers = [seen(result) for result in results]
    (told,) = [answer for answer in answers if answer.ephemeral]
    assert text(told).startswith("The rematch is under way already")
    (asked,) = [answer for answer in answers if not answer.ephemeral]
    assert "wants a rematch" in text(asked)
    assert [c for c in called(table, before) if c.get("users")] == [
        {"parse": [], "users": [table.ann.id]}
    ]


async def test_a_rematch_not_yet_posted_is_posted_at_the_next_click(table: Table) -> None:
    board = await ended(table)
    again = await table.services.duels.inviting.rematch(table.ben.id, 1, NUMBERS[1])
    assert await table.services.duels.inviting.claim_posting(again.duel.id)
    await table.restart()
    assert (await press(table.ben, board, "Rematch")).ephemeral
    table.clock.advance(minutes=1)
    posted = await press(table.ben, board, "Rematch")
    assert not posted.ephemeral
    await accept(table.ann, posted)
    assert "Set my number" in buttons(posted)


async def test_a_rematch_whose_posting_was_refused_can_be_posted_by_the_next_click(
    table: Table,
) -> None:
    board = await ended(table)
    inviting = table.services.duels.inviting
    again = await inviting.rematch(table.ben.id, 1, NUMBERS[1])
    table.env.backend.remove_member(table.ben.guild.id, table.ann.id)
    told = await press(table.ben, board, "Rematch")
    assert f"{table.ann.mention} is not in this server." in text(told)
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
    await form(other, posted, "Accept: now")


async def test_a_rematch_from_a_private_page_is_refused_when_the_channel_is_gone(
    table: Table,
) -> None:
    board = await playing(table, mode="classic")
    who, other = to_move(table, board)
    page = await typed(who, await press(who, board, "Notebook"), number_of(table, other))
    asked = await form(who, page, "Rematch")
    table.env.inject_error("POST", "/channels/*/messages", status=404, code=10003)
    told = seen(await who.submit_modal(asked, {"number": number_of(table, who)}))
    assert "The duel's channel is gone" in text(told)
    assert await table.services.duels.games.open_of(who.id) == []


async def test_a_rematch_with_a_member_who_left_is_refused(table: Table) -> None:
    board = await ended(table)
    table.env.backend.remove_member(table.ann.guild.id, table.ben.id)
    answer = await press(table.ann, board, "Rematch")
    assert f"{table.ben.mention} is not in this server." in text(answer)
    assert await table.services.duels.games.open_of(table.ann.id) == []


async def test_a_duel_gets_its_own_thread(table: Table) -> None:
    await table.services.settings.set_duel_threads(table.ann.guild.id, on=True)
    invitation = await challenge(table)
    assert table.channel.threads == []
    asked = await form(table.ben, invitation, "Accept: a move a day")
    (thread,) = table.channel.threads
    assert thread.name == "Duel: Ann and Ben"
    ann, ben = table.ann.mention, table.ben.mention
    assert f"{ann} and {ben} play in <#{thread.id}>." in text(invitation)
    assert buttons(invitation) == []
    (posted,) = [message for message in thread.history() if message.components]
    await table.restart()
    board = await typed(table.ben, posted, NUMBERS[1], "Set my number")
    await table.ben.submit_modal(asked, {"number": NUMBERS[1]})  # the form stayed open
    assert f"{ann} and {ben} play in <#{thread.id}>." in text(invitation)
    who, other = to_move(table, board)
    await beat(table)
    (nudge,) = [m for m in thread.history() if m.content]
    assert nudge.content.startswith(f"{who.mention}, **it is your turn**")
    assert f"/{thread.id}/{board.id})" in nudge.content
    await typed(who, board, "9876")
    await resign(who, board)
    assert f"🏆 **{other.mention} wins**: {who.mention} resigned." in text(board)
    assert f"🏆 **{other.mention} wins**: {who.mention} resigned." in text(invitation)
    found = table.env.backend.get_thread(thread.id).thread_metadata
    assert found is not None
    assert found.archived
    await beat(table)
    (end,) = [m for m in thread.history() if m.content]
    assert end.content.startswith(f"{other.mention}, 🏆 **you win**: {who.mention} resigned.")


async def test_an_archived_thread_is_reopened_for_its_board(table: Table) -> None:
    await table.services.settings.set_duel_threads(table.ann.guild.id, on=True)
    await accept(table.ben, await challenge(table), "Accept: a move a day")
    (thread,) = table.channel.threads
    (posted,) = [message for message in thread.history() if message.components]
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


async def test_a_duel_stays_in_the_channel_when_threads_are_not_permitted(table: Table) -> None:
    guild = table.ann.guild
    await table.services.settings.set_duel_threads(guild.id, on=True)
    assert guild.me is not None
    forbidden = discord.PermissionOverwrite(create_public_threads=False)
    channel = guild.create_text_channel("flat", overwrites={guild.me: forbidden})
    board = await accept(table.ben, await dare(table.ann, channel, table.ben))
    assert "Set my number" in buttons(board)
    assert channel.threads == []
    table.env.inject_error("POST", "/channels/*/threads", status=403, code=50013)
    board = await setting(table)
    assert "Set my number" in buttons(board)


async def test_the_choice_of_threads_for_duels_and_that_of_a_channel_do_not_change_each_other(
    table: Table,
) -> None:
    settings, guild_id = table.services.settings, table.ann.guild.id
    assert not (await settings.view(guild_id)).duel_threads
    await settings.set_duel_threads(guild_id, on=True)
    changed = await settings.change(guild_id, channel_id=table.channel.id)
    assert (changed.duel_threads, changed.channel_id) == (True, table.channel.id)
    assert (await settings.set_duel_threads(guild_id, on=False)).channel_id == table.channel.id
    assert not (await settings.leave_channel(guild_id)).duel_threads


async def test_a_player_who_sets_a_number_on_the_board_gets_a_private_confirmation(
    table: Table,
) -> None:
    board = await setting(table)
    assert f"✅ {table.ann.mention} is ready." in text(board)
    result = await table.ben.submit_modal(
        await form(table.ben, board, "Set my number"), {"number": NUMBERS[1]}
    )
    assert "**Both numbers are set.**" in text(seen(result))
    (note,) = result.followups
    assert note.ephemeral
    assert text(note).startswith(f"✅ Your number is set: ||{NUMBERS[1]}||. Go on [at the board](")
    assert buttons(note) == []
    assert NUMBERS[1] not in text(board)


async def test_an_invalid_number_on_the_board_is_asked_for_again(table: Table) -> None:
    board = await setting(table)
    asked = await form(table.ben, board, "Set my number")
    assert "Nobody sees it before the end." in str(asked.modal)
    refused = seen(await table.ben.submit_modal(asked, {"number": "0120"}))
    assert refused.ephemeral
    assert text(refused) == (
        "`0120` has `0` twice; here all digits are different.\n-# No number is set yet."
    )
    assert "0120" not in str([part for part in refused.components if "custom_id" in str(part)][-1])
    assert buttons(refused) == ["Enter it again"]
    again = await form(table.ben, refused, "Enter it again")
    assert "0120" not in str(again.modal)
    refused = seen(await table.ben.submit_modal(again, {"number": "01234"}))
    assert text(refused) == (
        "`01234` has 5 digits, this duel 4. Take one out.\n-# No number is set yet."
    )
    assert buttons(refused) == ["Enter it again", "Notebook"]
    page = await press(table.ben, refused, "Notebook")
    assert "Set my number" in buttons(page)
    again = await form(table.ben, page, "Set my number")
    await table.restart()  # a form that is open stays one
    page = seen(await table.ben.submit_modal(again, {"number": "0123"}))
    assert text(page).startswith("✅ Your number is set: ||0123||. Go on [at the board](http")
    assert "Start" in buttons(board)
    assert said(table) == []

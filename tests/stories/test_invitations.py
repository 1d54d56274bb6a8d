"""Being asked, and not wanting to be: what one reads who asks, and what nobody is told."""

from typing import Any

import pytest
from simcord import MemberActor, ResponseMessage

from bot.home.preferences import Preferences
from bot.people.model import Blocked
from cogs.ui.shares import challenges_page
from tests.support.calls import called
from tests.support.duel_stories import (
    accept,
    dare,
    more,
    playing,
    press,
    resign,
    to_move,
    typed,
)
from tests.support.plays import NOON, assert_fits
from tests.support.screen import NO_MORE, buttons, custom_ids, my_games, seen, text
from tests.support.table import Table


async def duel(table: Table, who: MemberActor, whom: MemberActor) -> ResponseMessage:
    return await dare(who, table.channel, whom)


async def mastermind(table: Table, who: MemberActor, whom: MemberActor) -> ResponseMessage:
    asked = await who.slash(table.channel, "mastermind challenge", member=whom)
    if asked.modal is None:
        return seen(asked)
    return seen(await who.submit_modal(asked, {"code": "RGBY"}))


async def test_a_new_challenge_after_a_declined_one_is_no_rematch(table: Table) -> None:
    board = await duel(table, table.ann, table.ben)
    await table.ben.click(board, label="Decline")
    assert "Rematch" not in buttons(board)
    again = await typed(table.ben, board, "4567", "Challenge again")
    assert f"**{table.ben.mention} challenges {table.ann.mention}!**" in text(again)
    begun = await accept(table.ann, again, "0123")
    assert "goes first**, then " in text(begun)


async def over(table: Table) -> ResponseMessage:
    """A duel of Ann's and Ben's that Ben has resigned."""
    board = await playing(table)
    who, _ = to_move(table, board)
    await typed(who, board, "9876")
    await resign(table.ben, board)
    table.clock.advance(seconds=1)
    return board


async def test_a_player_whose_rematch_was_declined_reads_when_to_ask_again(table: Table) -> None:
    board = await over(table)
    again = await typed(table.ann, board, "0123", "Rematch")
    assert buttons(again)[:2] == ["Accept", "Not now"]
    result = await table.ben.click(again, label="Not now")
    assert f"**{table.ben.mention} doesn't want a rematch just now.**" in text(again)
    assert (
        text(result.followups[-1]) == f"Declined. {table.ann.mention} can't ask again for an hour."
    )
    again_at = int(table.clock.now().timestamp()) + 3600
    for refused in (
        seen(await table.ann.click(board, label="Rematch")),
        await mastermind(table, table.ann, table.ben),
    ):
        assert refused.ephemeral
        assert text(refused) == (
            f"{table.ben.mention} declined your challenge. Ask again <t:{again_at}:R>."
        )


# No more.


async def declined(table: Table, board: ResponseMessage) -> ResponseMessage:
    """What only Ben reads, after declining."""
    return (await table.ben.click(board, label="Decline")).followups[-1]


@pytest.mark.parametrize("ask", [duel, mastermind])
async def test_a_blocked_challenger_is_told_only_that_the_member_takes_no_challenges(
    table: Table, ask: Any
) -> None:
    board = await ask(table, table.ann, table.ben)
    told = await declined(table, board)
    assert told.ephemeral
    assert text(told) == f"Declined. {table.ann.mention} can't ask again for an hour."
    assert buttons(told) == [NO_MORE]
    told = await press(table.ben, told, NO_MORE)
    assert told.ephemeral
    assert buttons(told) == []
    assert text(told) == (
        f"{table.ann.mention} can't challenge you any more. You can undo that in `/preferences`."
    )
    public = [message for message in table.channel.history() if not message.flags.ephemeral]
    assert len(public) == 1
    refused = [text(await again(table, table.ann, table.ben)) for again in (duel, mastermind)]
    await table.services.blocking.unblock(table.ben.id, table.ann.id)
    await table.services.preferences.set_no_challenges(table.ben.id, on=True)
    refused += [text(await again(table, table.ann, table.ben)) for again in (duel, mastermind)]
    (sentence,) = set(refused)
    assert sentence == (
        f"{table.ben.mention} isn't taking challenges. Try somebody else, or play me."
    )
    assert called(table, table.ben) == 1


async def test_a_challenger_can_be_blocked_after_the_challenge_was_withdrawn(
    table: Table,
) -> None:
    board = await duel(table, table.ann, table.ben)
    page = await my_games(table.ben, table.channel)
    (opener,) = [i for i in custom_ids(page) if i.startswith("du:page:")]
    page = seen(await table.ben.click(page, custom_id=opener))
    assert buttons(page)[:2] == ["Accept", "Decline"]
    await more(table.ann, board, "Withdraw")
    told = await declined(table, page)
    assert text(told) == "This duel is over."
    await press(table.ben, told, NO_MORE)
    assert "taking challenges" in text(await duel(table, table.ann, table.ben))


# Among the preferences.


async def open_page(table: Table) -> ResponseMessage:
    panel = seen(await table.ben.slash(table.channel, "preferences"))
    panel = seen(await table.ben.click(panel, label="More"))
    return seen(await table.ben.click(panel, custom_id="pref:challenges"))


async def test_a_player_can_refuse_all_challenges_and_accept_them_again(table: Table) -> None:
    page = await open_page(table)
    assert page.ephemeral
    assert text(page) == (
        "### Who can challenge you\n-# Nobody else sees this choice.\n"
        "**Challenges: from everybody**\n-# In channels you both see.\n"
        "**Blocked: nobody**\n-# They're only told that you aren't taking challenges."
    )
    await press(table.ben, page, "Take no challenges")
    assert "**Challenges: from nobody**\n-# You can still" in text(page)
    await press(table.ben, page, "◀ More preferences")
    assert "**Challenges: from nobody**" in text(page)
    assert (await duel(table, table.ann, table.ben)).ephemeral
    await table.ben.click(page, custom_id="pref:challenges")
    await press(table.ben, page, "Take challenges again")
    assert not (await duel(table, table.ann, table.ben)).ephemeral


async def test_members_are_blocked_and_unblocked_in_preferences(table: Table) -> None:
    page = await open_page(table)
    (offered,) = [i for i in custom_ids(page) if i.startswith("pref:block:")]
    await table.ben.select(page, [table.ann], custom_id=offered)
    since = int(table.clock.now().timestamp())
    assert "**Blocked**\n" in text(page)
    assert f"{table.ann.mention}, since <t:{since}:d>" in text(page)
    assert (await duel(table, table.ann, table.ben)).ephemeral
    await press(table.ben, page, "◀ More preferences")
    assert "**Challenges: from everybody but 1 player**" in text(page)
    page = await open_page(table)
    await press(table.ben, page, "Unblock")
    assert table.ann.mention not in text(page)
    assert not (await duel(table, table.ann, table.ben)).ephemeral


def test_the_largest_page_of_blocked_members_is_within_discords_limits() -> None:
    many = [Blocked(2**63 - n, NOON) for n in range(100)]
    preferences = Preferences(
        hard_mode=False,
        palette="standard",
        hidden=False,
        zone="UTC",
        next_zone=None,
        blocked=100,
    )
    page = challenges_page(preferences, many)
    assert_fits(page)

"""Managers take members off the boards on the page *Hide members* of `/settings`."""

from datetime import UTC, datetime
from typing import Any

import discord
import pytest
from simcord import MemberActor, ResponseMessage, RoleHandle

from bot.moderation.model import Exclusion, Exclusions, StandsAboveError
from bot.settings.game import PAGE_SIZE
from cogs.moderation import ModerationCog, members_page, question_page
from tests.stories.test_equations import EQUATION, play, publish, set_one
from tests.support.forging import forge_click
from tests.support.plays import assert_fits
from tests.support.screen import buttons, custom_ids, reach, seen, text
from tests.support.table import SECRET, Table

OFF = "Managers took you off this server's boards"
NOBODY = "Nobody is hidden."


@pytest.fixture(autouse=True)
def host(table: Table) -> RoleHandle:
    """Ann may manage the server; this role is why."""
    return table.let_manage(table.ann)


def cleo(table: Table) -> MemberActor:
    return table.world.members[2]


async def members(table: Table, who: MemberActor | None = None) -> ResponseMessage:
    """Open the page of a manager's server."""
    who = who or table.ann
    return seen(
        await who.click(seen(await who.slash(table.channel, "settings")), label="Hide members")
    )


async def choose(
    table: Table, whom: MemberActor, who: MemberActor | None = None
) -> ResponseMessage:
    """Choose a member on the page; what is seen then."""
    who = who or table.ann
    page = await members(table, who)
    (custom_id,) = [each for each in custom_ids(page) if each.startswith("set:member:")]
    return seen(await who.select(page, [whom], custom_id=custom_id))


async def take_off(
    table: Table, whom: MemberActor, who: MemberActor | None = None
) -> ResponseMessage:
    asked = await choose(table, whom, who)
    page = seen(await (who or table.ann).click(asked, label="Hide"))
    await table.cog(ModerationCog).look()
    return page


def news(result: Any) -> list[str]:
    """What is said of it privately, beside an answer."""
    messages = [m for m in (result.response, *result.followups) if m is not None]
    found = [text(each) for each in messages if "You can still play." in text(each)]
    assert all(each.ephemeral for each in messages if OFF in text(each))
    return found


async def board(table: Table, who: MemberActor) -> str:
    result = await who.slash(table.channel, "leaderboard", game="focdle")
    messages = [m for m in (result.response, *result.followups) if m is not None]
    return "\n".join(map(text, messages))


async def solve(table: Table, who: MemberActor) -> None:
    await table.guess(who, await table.focdle(who), SECRET)


async def test_a_manager_takes_a_member_off_leaderboards_and_back_across_restarts(
    table: Table,
) -> None:
    await solve(table, table.ben)
    await solve(table, table.ann)
    page = await members(table)
    assert page.ephemeral
    assert NOBODY in text(page)
    asked = await choose(table, table.ben)
    assert f"Hide {table.ben.mention} on this server's leaderboards?" in text(asked)
    assert buttons(asked) == ["Hide", "Keep"]
    await table.restart()
    page = seen(await table.ann.click(asked, label="Hide"))
    assert f"{table.ben.mention}\n-# by {table.ann.mention}" in text(page)
    assert "Ben" not in await board(table, table.ann)
    own = await board(table, table.ben)
    assert f"{OFF}." in own
    await table.restart()
    page = await members(table)
    page = seen(await table.ann.click(page, label="Undo"))
    assert NOBODY in text(page)
    assert "Ben" in await board(table, table.ann)


async def test_a_manager_who_presses_keep_takes_no_member_off_leaderboards(table: Table) -> None:
    page = seen(await table.ann.click(await choose(table, table.ben), label="Keep"))
    assert NOBODY in text(page)


async def test_a_member_taken_off_leaderboards_is_told_once_in_private_at_the_next_command(
    table: Table,
) -> None:
    await take_off(table, table.ben)
    first = await table.ben.slash(table.channel, "help")
    assert news(first) == [f"{OFF}. You can still play."]
    second = await table.ben.slash(table.channel, "help")
    assert news(second) == []
    sent = [(each.method, each.path) for each in table.env.http_requests]
    assert ("POST", "/users/@me/channels") not in sent
    assert not [path for method, path in sent if method == "POST" and path.endswith("/messages")]


async def test_a_member_taken_off_leaderboards_learns_of_it_after_a_guess_not_beside_a_form(
    table: Table,
) -> None:
    own = await table.focdle(table.ben)
    await take_off(table, table.ben)
    form = await table.ben.click(own, label="Guess")
    assert form.modal is not None
    assert news(form) == []
    await table.restart()
    await table.cog(ModerationCog).look()
    sent = await table.ben.submit_modal(form, {"guess": "12+34-5=41"})
    assert len(news(sent)) == 1


async def test_a_member_taken_off_a_servers_leaderboards_is_told_only_in_that_server(
    table: Table,
) -> None:
    await take_off(table, table.ben)
    other = table.env.create_guild("Elsewhere", shard_id=1)
    elsewhere = other.create_text_channel("there")
    ben = other.add_member(table.ben.user)
    assert news(await ben.slash(elsewhere, "help")) == []
    assert news(await table.ann.slash(table.channel, "help")) == []
    assert len(news(await table.ben.slash(table.channel, "help"))) == 1


async def test_a_manager_sees_and_can_undo_what_another_manager_did(table: Table) -> None:
    role = table.ann.guild.create_role("Second", permissions=discord.Permissions(manage_guild=True))
    table.env.backend.add_member_role(table.ann.guild.id, cleo(table).id, role.id)
    asked = await choose(table, table.ben)
    await take_off(table, table.ben, cleo(table))
    page = seen(await table.ann.click(asked, label="Hide"))
    assert f"{table.ben.mention} is already off the boards." in text(page)
    assert f"by {cleo(table).mention}" in text(page)
    page = seen(await table.ann.click(page, label="Undo"))
    assert NOBODY in text(page)


async def test_a_manager_cannot_take_a_member_with_a_higher_role_off_leaderboards(
    table: Table,
) -> None:
    guild, backend = table.ann.guild, table.env.backend
    above = guild.create_role("Above", position=50)
    backend.add_member_role(guild.id, table.ben.id, above.id)
    asked = await choose(table, table.ben)
    assert f"{table.ben.mention}'s role is above yours here." in text(asked)
    refused = await forge_click(table.ann, table.channel, f"set:member:off:{table.ben.id}")
    assert "role is above yours" in text(seen(refused))
    assert NOBODY in text(await members(table))


async def test_the_owner_may_take_anybody_off_leaderboards_and_is_never_taken_off(
    table: Table,
) -> None:
    guild, backend = table.ann.guild, table.env.backend
    owner_id = backend.guilds[guild.id].owner_id
    refused = await forge_click(table.ann, table.channel, f"set:member:off:{owner_id}")
    assert "role is above yours here" in text(seen(refused))
    above = guild.create_role("Above", position=50)
    backend.add_member_role(guild.id, table.ben.id, above.id)
    backend.guilds[guild.id].owner_id = table.ann.id
    await table.restart()
    assert NOBODY not in text(await take_off(table, table.ben))


async def test_managers_cannot_take_themselves_or_bots_off_leaderboards(table: Table) -> None:
    assert "Another manager has to do that." in text(await choose(table, table.ann))
    bot_id = table.env.backend.bot_user.id
    refused = await forge_click(table.ann, table.channel, f"set:member:off:{bot_id}")
    assert "Bots aren't on any board." in text(seen(refused))


async def test_a_member_who_left_cannot_be_taken_off_leaderboards_but_can_be_let_back(
    table: Table,
) -> None:
    asked = await choose(table, table.ben)
    await take_off(table, cleo(table))
    for who in (table.ben, cleo(table)):
        table.env.backend.remove_member(who.guild.id, who.id)
    page = seen(await table.ann.click(asked, label="Hide"))
    assert "That player isn't in this server." in text(page)
    assert cleo(table).mention in text(page)
    assert NOBODY in text(seen(await table.ann.click(page, label="Undo")))


async def test_only_somebody_who_still_is_a_manager_may_take_members_off_leaderboards(
    table: Table, host: RoleHandle
) -> None:
    asked = await choose(table, table.ben)
    page = await members(table)
    for custom_id in (
        "set:members:0",
        f"set:member:off:{table.ann.id}",
        "set:member:back:1",
    ):
        refused = seen(await forge_click(cleo(table), table.channel, custom_id))
        assert text(refused) == "You need the Manage Server permission."
    table.env.backend.remove_member_role(table.ann.guild.id, table.ann.id, host.id)
    for message, label in ((asked, "Hide"), (page, "◀ All settings")):
        refused = seen(await table.ann.click(message, label=label))
        assert text(refused) == "You need the Manage Server permission."
    table.let_manage(table.ann)
    assert NOBODY in text(await members(table))


async def test_forged_and_outdated_buttons_of_the_members_page_change_nothing(table: Table) -> None:
    await take_off(table, table.ben)
    for custom_id in ("set:member:back:999", "set:member:off:999", "set:members:99"):
        seen(await forge_click(table.ann, table.channel, custom_id))
    for custom_id in ("set:member:off:1:answers", "set:member:back:-1"):
        refused = seen(await forge_click(table.ann, table.channel, custom_id))
        assert "set:" not in text(refused)
    assert text(await members(table)).count("by <@") == 1


async def test_a_long_list_of_members_taken_off_leaderboards_has_pages(table: Table) -> None:
    guild = table.ann.guild.id
    for player in range(1, 11):
        table.clock.advance(minutes=1)
        await table.services.settings.take_off(table.ann.id, guild, player)
    page = await members(table)
    assert text(page).count("by <@") == 7
    assert "<@10>" in text(page)
    page = seen(await table.ann.click(page, label="Older"))
    assert text(page).count("by <@") == 3
    assert "Older" not in buttons(page)
    page = seen(await table.ann.click(page, label="Newer"))
    assert "<@10>" in text(page)


def test_the_largest_list_of_members_taken_off_leaderboards_fits_discords_limits() -> None:
    largest, now = 2**63 - 1, datetime(2026, 11, 20, tzinfo=UTC)
    row = Exclusion(1, largest, largest, largest, now)
    found = Exclusions((row,) * PAGE_SIZE, 1, 3)
    assert_fits(members_page(found, StandsAboveError(player_id=largest)))
    assert_fits(question_page(largest))


async def test_a_member_taken_off_leaderboards_shares_a_result_in_a_message_of_its_own(
    table: Table,
) -> None:
    await table.services.settings.change(table.ann.guild.id, channel_id=table.channel.id)
    await take_off(table, table.ben)
    own = await table.focdle(table.ben)
    play = int(custom_ids(own)[0].rpartition(":")[2])
    found = await table.services.daily.view(table.ben.id, play)
    own = await table.guess(table.ben, own, found.game.secret)
    shared = await reach(table.ben, own, "Share")
    assert not shared.ephemeral


async def test_posts_of_set_equations_do_not_name_members_taken_off_leaderboards(
    table: Table,
) -> None:
    await take_off(table, table.ben)
    board = await set_one(table, by=cleo(table))
    for who in (table.ann, table.ben):
        await table.guess(who, await play(who, board), EQUATION)
    await publish(table)
    assert "Ann" in str(board.components)
    assert "Ben" not in str(board.components)
    assert str(board.components).count("1/6") == 2
    own = await set_one(table, "11+34-5=40", by=table.ben)
    assert "Ben" not in text(own)

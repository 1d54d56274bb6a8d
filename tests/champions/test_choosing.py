"""Which role champions have: who may choose it, and which ones the bot gives."""

from pathlib import Path
from typing import Any

import discord
import pytest

from bot.champions.model import ChampionChoice, ChampionRoleStrongError
from bot.leaderboards.boards import Period
from cogs.champions import champion_page
from tests.support.court import MONDAY, SUNDAY, Court
from tests.support.overwrites import overwrite
from tests.support.plays import assert_fits
from tests.support.screen import buttons, seen, text
from tests.support.table import Table

REMARK = "### Champion\n-# With each recap, this role goes to whoever leads in points.\n"
NONE = "**Champion's role: none**\n-# Choose a role for each week's leader."
UNCHANGED = "\n-# Nothing was changed."
MEND = "-# Change it, or choose another in `/settings` under *Champion's role*."


@pytest.fixture
def court(table: Table, tmp_path: Path) -> Court:
    return Court(table, tmp_path)


async def chosen(court: Court) -> int | None:
    return (await court.table.services.champions.view(court.guild_id)).champion_role_id


async def test_the_page_says_how_the_role_comes_and_goes(table: Table, court: Court) -> None:
    shown = await court.panel()
    assert text(shown) == REMARK + NONE
    assert buttons(shown) == ["◀ All settings"]
    shown = await court.choose()
    state = f"**Champion's role:** <@&{court.role.id}>\n-# Last week's leader has this role."
    assert text(shown) == REMARK + state
    await table.restart()
    shown = seen(await table.ann.click(shown, label="Make it monthly"))
    assert text(shown).endswith("-# Last month's leader has this role.")
    shown = seen(await table.ann.click(shown, label="Make it weekly"))
    assert text(shown) == REMARK + state
    shown = seen(await table.ann.click(shown, label="Take it back"))
    assert text(shown) == REMARK + NONE
    shown = seen(await table.ann.click(shown, label="◀ All settings"))
    assert "Settings of this server" in text(shown)


@pytest.mark.parametrize(
    ("permissions", "is_above", "may"),
    [
        ({"manage_roles": True}, True, True),
        ({"manage_roles": True}, False, False),
        ({}, True, False),
        ({"administrator": True}, True, True),
        ({"administrator": True}, False, False),
    ],
)
async def test_a_manager_chooses_a_role_that_they_may_give(
    table: Table, court: Court, permissions: dict[str, bool], is_above: bool, may: bool
) -> None:
    host = court.let(table.ben, manage_guild=True, **permissions)
    if not is_above:
        order = [{"id": host.id, "position": 1}, {"id": court.role.id, "position": 2}]
        table.env.backend.reorder_roles(court.guild_id, order)
    shown = await court.choose(who=table.ben)
    assert (await chosen(court) == court.role.id) == may
    refused = (
        f"You can't choose <@&{court.role.id}>: you need **Manage Roles**, and a role above it."
    )
    assert (refused + UNCHANGED in text(shown)) != may
    await table.services.champions.choose(court.guild_id, court.role.id, Period.WEEK)
    shown = await court.panel(table.ben)
    shown = seen(await table.ben.click(shown, label="Make it monthly"))
    choice = await table.services.champions.view(court.guild_id)
    assert (choice.period is Period.MONTH) == may


async def test_the_owner_of_a_server_chooses_a_role_without_having_a_higher_one(
    table: Table, court: Court
) -> None:
    guild = table.env.backend.get_guild(court.guild_id)
    guild.owner_id = table.ben.id
    await table.restart()
    await court.choose(who=table.ben)
    assert await chosen(court) == court.role.id


async def test_a_member_who_lost_manage_server_can_neither_see_nor_change_the_champions_role(
    table: Table, court: Court
) -> None:
    panel = await court.choose()
    table.env.backend.remove_member_role(court.guild_id, table.ann.id, court.host.id)
    for label in ("Take it back", "Make it monthly", "◀ All settings"):
        shown = seen(await table.ann.click(panel, label=label))
        assert shown.id != panel.id
        assert "You need the Manage Server" in text(shown)
    assert await chosen(court) == court.role.id


HIGH = "I can't give {role}: I need **Manage Roles**, and a role above it."
REASONS = {
    "managed": "I can't give {role}: it belongs to Discord or an app.",
    "strong": "{role} grants **Manage Messages and Timeout Members**: too much for a prize.",
    "strong of late": "{role} grants **Attach Files**: too much for a prize.",
    "opens a channel": "{role} grants **View Channel** in {channel}: too much for a prize.",
    "above the bot": HIGH,
    "not permitted": HIGH,
    "deleted": "The champion's role has been deleted.",
}


def spoil(court: Court, how: str) -> None:
    """Make the role one that the bot does not give."""
    table, guild_id, role_id = court.table, court.guild_id, court.role.id
    backend, edit = table.env.backend, table.env.backend.edit_role
    match how:
        case "managed":
            edit(guild_id, role_id, {"managed": True})
        case "strong":
            more = discord.Permissions(court.everybody.permissions)
            more.update(manage_messages=True, moderate_members=True)
            edit(guild_id, role_id, {"permissions": more.value})
        case "strong of late":
            fewer = discord.Permissions(court.everybody.permissions)
            fewer.update(attach_files=False)
            edit(guild_id, guild_id, {"permissions": fewer.value})
        case "opens a channel":
            there = table.world.channels[1]
            overwrite(table, there, view_channel=False)
            overwrite(table, there, court.role, view_channel=True)
        case "above the bot":
            order = [{"id": role_id, "position": 90}, {"id": court.host.id, "position": 91}]
            backend.reorder_roles(guild_id, order)
        case "not permitted":
            me = table.ann.guild.me
            assert me is not None
            (own,) = [each for each in me.roles if each.managed]
            permissions = discord.Permissions(view_channel=True, send_messages=True)
            edit(guild_id, own.id, {"permissions": permissions.value})
        case _:
            backend.delete_role(guild_id, role_id)


@pytest.mark.parametrize("how", REASONS)
async def test_a_role_that_the_bot_cannot_give_is_refused_and_check_permissions_says_why(
    table: Table, court: Court, how: str
) -> None:
    court.at(SUNDAY)
    await court.solve(table.ben)
    await table.services.champions.choose(court.guild_id, court.role.id, Period.WEEK)
    spoil(court, how)
    there = table.world.channels[1].mention
    why = REASONS[how].format(role=f"<@&{court.role.id}>", channel=there)
    await table.env.settle()
    # Check, in the settings.
    panel = seen(await table.ann.slash(table.channel, "settings"))
    checked = seen(await table.ann.click(panel, label="Check permissions"))
    assert f"⚠️ {why}\n{MEND}" in text(checked)
    # At its page.
    assert f"⚠️ {why}" in text(await court.panel())
    # At giving.
    court.at(MONDAY)
    await court.rounds(2)
    assert (court.has(table.ben), court.calls("PUT")) == (False, 0)
    # At choosing.
    if how != "deleted":
        await table.services.champions.choose(court.guild_id, None, Period.WEEK)
        assert why + UNCHANGED in text(await court.choose())
        assert await chosen(court) is None


async def test_the_role_that_every_member_has_cannot_be_chosen(table: Table, court: Court) -> None:
    everybody: Any = table.ann.guild.default_role
    shown = await court.choose(everybody)
    assert "belongs to Discord or an app." in text(shown)
    assert await chosen(court) is None


async def test_a_role_with_fewer_permissions_in_a_channel_may_be_chosen(
    table: Table, court: Court
) -> None:
    overwrite(table, table.world.channels[1], court.role, send_messages=False)
    await court.choose()
    assert await chosen(court) == court.role.id


def test_the_largest_page_of_the_champions_role_is_within_discords_limits() -> None:
    every = [name for name, _ in discord.Permissions.all()]
    refused = ChampionRoleStrongError(role_id=2**63, missing=every, channel_id=2**63)
    assert_fits(champion_page(ChampionChoice(2**63), refused, refused))

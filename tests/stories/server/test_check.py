"""*Check*: what the bot lacks in a server, who can mend it and how, only for one manager."""

import re
from datetime import timedelta

import discord
import pytest
from simcord import ChannelHandle, ResponseMessage, RoleHandle

from bot.settings.game import ChannelUse, Lack, Trouble
from bot.settings.words import report
from cogs.ui.help import PERMISSIONS
from cogs.ui.pages import page, spaced
from tests.support.overwrites import overwrite
from tests.support.plays import size
from tests.support.screen import buttons, seen, text
from tests.support.table import Table

TO_PLAY = discord.Permissions(view_channel=True, send_messages=True, use_application_commands=True)
WELL = "### Check\n✅ I have every permission I need."
YOURS = "-# In the channel's settings, under *Permissions*, add me and switch on what's missing."


@pytest.fixture(autouse=True)
def host(table: Table) -> RoleHandle:
    """Ann may manage the server; this role is why."""
    return table.let_manage(table.ann)


@pytest.fixture(autouse=True)
async def installed(table: Table) -> None:
    """The bot may do what its install link asks for, and members may do nothing else."""
    await let_bot_do(table, PERMISSIONS.value)


async def let_bot_do(table: Table, permissions: int) -> None:
    """Give the bot's own role these permissions, and others' none but to look and write."""
    backend, guild = table.env.backend, table.ann.guild
    assert guild.me is not None
    (own,) = [role for role in guild.me.roles if role.managed]
    backend.edit_role(guild.id, own.id, {"permissions": permissions})
    backend.edit_role(guild.id, guild.default_role.id, {"permissions": 0})
    for member in (table.ann, table.ben):
        everything = guild.create_role(f"Of {member.id}", permissions=TO_PLAY)
        backend.add_member_role(guild.id, member.id, everything.id)
    await table.env.settle()


async def check(table: Table) -> ResponseMessage:
    """Press *Check* on the panel."""
    panel = seen(await table.ann.slash(table.channel, "settings"))
    shown = seen(await table.ann.click(panel, label="Check permissions"))
    assert shown.id != panel.id
    assert shown.ephemeral
    return shown


async def said(table: Table) -> list[str]:
    """What *Check* says below its heading."""
    return text(await check(table)).splitlines()[1:]


async def post_to(table: Table, channel: ChannelHandle, **choices: object) -> None:
    """Choose a channel for the daily post, and more of it."""
    guild_id = table.ann.guild.id
    await table.services.settings.change(guild_id, channel_id=channel.id)
    posts = table.services.posts.choices
    if choices.get("threads"):
        await posts.set_finishers_threads(guild_id, on=True)
    if choices.get("running"):
        await posts.set_todays_card(guild_id, on=True)


def forbid(table: Table, channel: ChannelHandle, *names: str) -> None:
    """Take permissions from the bot in a channel."""
    me = table.ann.guild.me
    assert me is not None
    overwrite(table, channel, me, **dict.fromkeys(names, False))


async def test_the_permission_check_finds_no_problem_in_a_server_without_settings(
    table: Table,
) -> None:
    shown = await check(table)
    assert text(shown) == WELL
    assert buttons(shown) == ["Check again"]


async def test_the_permission_check_names_missing_permissions_and_their_consequences(
    table: Table,
) -> None:
    await post_to(table, table.channel, threads=True)
    forbid(table, table.channel, "send_messages", "manage_threads")
    shown = await check(table)
    _, lack, mend = text(shown).splitlines()
    assert lack == (
        f"⚠️ {table.channel.mention}: I need **Send Messages and Manage Threads** for the daily "
        "post and finishers' threads."
    )
    assert mend == (
        f"-# Ask <@{table.ann.guild.owner.id}>, or somebody with *Manage Permissions* in that "
        "channel, to add me under *Permissions* in its settings, and switch on what's missing."
    )
    # Once it is mended, it is said in place.
    me = table.ann.guild.me
    overwrite(table, table.channel, me, send_messages=True, manage_threads=True)
    await table.restart()
    again = seen(await table.ann.click(shown, label="Check again"))
    assert again.id == shown.id
    assert text(again) == WELL


async def test_a_member_who_can_fix_a_missing_permission_is_told_how_to_fix_it(
    table: Table,
) -> None:
    await post_to(table, table.channel)
    forbid(table, table.channel, "view_channel")
    overwrite(table, table.channel, table.ann, manage_roles=True)
    lack, mend = await said(table)
    assert "I need **View Channel and Send Messages** for" in lack
    assert mend == YOURS


async def test_a_missing_optional_permission_is_only_a_suggestion(table: Table) -> None:
    lounge = table.world.channels[1]
    await post_to(table, table.channel, running=True)
    await table.services.entries.share_always(table.ben.id, table.ann.guild.id, lounge.id)
    overwrite(table, lounge, table.ann, manage_roles=True)
    forbid(table, lounge, "attach_files", "read_message_history")
    hint, mend = await said(table)
    assert hint == (
        f"💡 {lounge.mention}: I also need **Read Message History and Attach Files**, so that I "
        "never post twice, for the card's picture."
    )
    assert mend == YOURS


async def test_the_permission_check_names_the_deleted_channel_of_the_daily_post(
    table: Table,
) -> None:
    gone = table.ann.guild.create_text_channel("gone")
    await post_to(table, gone, running=True, threads=True)
    table.env.backend.delete_channel(gone.id)
    await table.env.settle()
    assert await said(table) == [
        "⚠️ The channel for the daily post and finishers' threads has been deleted.",
        "-# Choose another in `/settings`.",
    ]


async def test_the_permission_check_names_channels_that_cannot_have_private_threads(
    table: Table,
) -> None:
    news = table.ann.guild.create_news_channel("news")
    await post_to(table, news, threads=True)
    lack, mend = await said(table)
    assert lack == f"⚠️ {news.mention} can't have private threads."
    assert mend == "-# Choose a text channel in `/settings`, or turn the threads off."


async def test_the_permission_check_names_a_role_that_cannot_be_mentioned(table: Table) -> None:
    await post_to(table, table.channel)
    role = table.ann.guild.create_role("Solvers")
    await table.services.posts.choices.set_role(table.ann.guild.id, role.id)
    owner = table.ann.guild.owner.id
    how = (
        "In Server Settings, *Roles*, switch on *Allow anyone to @mention this role*, or choose "
        "another role in `/settings` under *Change daily post*."
    )
    assert await said(table) == [
        f"⚠️ I can't mention <@&{role.id}>, so the daily post mentions nobody.",
        f"-# Ask <@{owner}>, or somebody with *Manage Roles*. {how}",
    ]
    # Roles that are above one's own are others' to change.
    top = table.ann.guild.create_role("Top", permissions=discord.Permissions(manage_roles=True))
    table.env.backend.add_member_role(table.ann.guild.id, table.ann.id, top.id)
    assert (await said(table))[1] == f"-# {how}"
    table.env.backend.delete_role(table.ann.guild.id, role.id)
    await table.env.settle()
    assert await said(table) == [
        "⚠️ The role for the daily post has been deleted.",
        "-# Choose one, or *Mention nobody*, in `/settings` under *Change daily post*.",
    ]


async def test_the_permission_check_offers_a_link_that_grants_all_missing_permissions(
    table: Table,
) -> None:
    await let_bot_do(table, 0)
    shown = await check(table)
    well, note = text(shown).split("\n")[1:]
    assert well == WELL.split("\n")[1]
    assert "In other channels, I lack **View Channel, Send Messages, Attach Files, and Read" in note
    link = re.search(r"\[This link\]\((.*?)\)", note)
    assert link is not None
    assert f"client_id={table.env.backend.application_id}&" in link[1]
    assert link[1].endswith(f"permissions={PERMISSIONS.value}")


async def test_the_permission_check_of_a_timed_out_bot_names_only_the_timeout(table: Table) -> None:
    await post_to(table, table.channel)
    forbid(table, table.channel, "send_messages")
    guild = table.ann.guild
    assert guild.me is not None
    until = (table.clock.now() + timedelta(hours=1)).isoformat()
    table.env.backend.edit_member(guild.id, guild.me.id, {"timed_out_until": until})
    await table.restart()  # Discord tells the bot of itself at once, SimCord only then
    lines = await said(table)
    assert lines[0] == "⚠️ I'm timed out in this server and can't write anywhere."
    assert "*Remove Timeout* in my menu." in lines[1]
    assert len(lines) == 2


async def test_the_permission_check_requires_nothing_for_posts_that_are_off(table: Table) -> None:
    await post_to(table, table.channel)
    await table.services.posts.choices.turn_off(table.ann.guild.id)
    forbid(table, table.channel, "view_channel", "send_messages")
    assert text(await check(table)) == WELL


def test_the_longest_permission_check_is_within_discords_limits() -> None:
    worst = Lack(
        *(Trouble.LACKS, 2**63, tuple(ChannelUse)),
        missing=(
            *("view_channel", "send_messages", "create_private_threads"),
            *("send_messages_in_threads", "manage_threads"),
        ),
    )
    server = Lack(Trouble.SERVER_LACKS, missing=worst.missing)
    blocks = report([worst] * 40 + [server], 2**63, f"https://discord.com/{'x' * 150}")
    assert "And 32 things more." in blocks
    characters, components = size(page(*spaced(blocks)).to_components())
    assert characters <= 3900
    assert components <= 36

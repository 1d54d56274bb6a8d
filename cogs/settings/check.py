"""*Check*, in a server's settings: what the bot lacks to do what is set, for one manager."""

from typing import Any, Final

import discord
from discord import ui

from bot.settings.game.checking import InUse, SeenChannel, SeenServer, lacks
from bot.settings.pages import check as words
from bot.text.language import say
from bot.text.text_board import Mood
from cogs.ui.installing import NEEDED, install_link
from cogs.ui.pages import Page, button, page, row, spaced
from cogs.ui.replies import Interaction, services_of, show, whisper
from cogs.ui.rights import has_private_threads, managed_server, may_mention
from cogs.ui.routes import By, Route, pressed

CHECK: Final = Route("set:check")
AGAIN: Final = Route("set:check:again")


def check_button() -> ui.Button[Any]:
    """Looks whether the bot may do what is set."""
    return button(CHECK(), say(words.CHECK_BUTTON))


@pressed(CHECK, by=By.MANAGERS)
async def check(interaction: Interaction) -> None:
    """Show it in a private message of its own; the settings stay."""
    await whisper(interaction, await _check_page(interaction))


@pressed(AGAIN, by=By.MANAGERS)
async def check_again(interaction: Interaction) -> None:
    """Show it as it is now, in place of how it was."""
    await show(interaction, await _check_page(interaction))


async def _check_page(interaction: Interaction) -> Page:
    guild = managed_server(interaction)
    in_use = await services_of(interaction).checking.in_use(guild.id)
    found = lacks(in_use, _look_at(interaction, guild, in_use))
    link = install_link(interaction.application_id)
    blocks = words.report(found, guild.owner_id or 0, link)
    again = row(button(AGAIN(), say(words.CHECK_AGAIN_BUTTON)))
    return page(*spaced(blocks), again, mood=Mood.ALARM if found else Mood.SOLVED)


def _look_at(interaction: Interaction, guild: discord.Guild, in_use: InUse) -> SeenServer:
    """What Discord lets the bot do, and who asks."""
    member = interaction.user if isinstance(interaction.user, discord.Member) else None
    channels = {
        channel_id: _look_at_channel(guild, channel_id, member) for channel_id in in_use.channels
    }
    role = None if in_use.role_id is None else guild.get_role(in_use.role_id)
    until = guild.me.timed_out_until
    return SeenServer(
        channels,
        _names(guild.me.guild_permissions),
        guild.owner_id or 0,
        is_timed_out=until is not None and until > interaction.created_at,
        has_role=role is not None,
        may_mention=role is None or may_mention(guild.me, role, in_use.post_channel_id),
        is_askers=member is not None and _may_change(member, role),
    )


def _may_change(member: discord.Member, role: discord.Role | None) -> bool:
    """Whether a member may change roles, and this one: of others, only those below their own."""
    is_owner = member.id == member.guild.owner_id
    is_below = role is None or role < member.top_role
    return is_owner or (member.guild_permissions.manage_roles and is_below)


def _look_at_channel(
    guild: discord.Guild, channel_id: int, member: discord.Member | None
) -> SeenChannel | None:
    channel = guild.get_channel_or_thread(channel_id)
    if channel is None:
        return None
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    if place is None:
        return None
    return SeenChannel(
        _names(place.permissions_for(guild.me)),
        is_thread=isinstance(channel, discord.Thread),
        has_private_threads=has_private_threads(place),
        is_askers=member is not None and place.permissions_for(member).manage_roles,
    )


def _names(permissions: discord.Permissions) -> frozenset[str]:
    """What is allowed, by Discord's names."""
    return frozenset(name for name in NEEDED if getattr(permissions, name))

"""The champion's role: its choice in `/settings`, and giving and taking it at Discord."""

import logging
from typing import Any, Final

import discord
from discord import ui
from discord.ext import tasks

from bot.champions import words
from bot.champions.game import A_MINUTE
from bot.champions.model import (
    ChampionChoice,
    ChampionRoleForbiddenError,
    RoleChange,
    SeenRole,
    Wearer,
    objection,
)
from bot.leaderboards.boards import Period
from bot.posts.words import BACK_BUTTON
from bot.refusals import refusal
from bot.refused import Refused
from bot.services import Services
from bot.settings.words import unchanged
from bot.text.language import say
from bot.text.tiles import Mood
from cogs.posts.panel import ALL_SETTINGS
from cogs.ui.choosing import managed_server, may_change_role
from cogs.ui.deliveries import Refusal, delivered
from cogs.ui.host import Host
from cogs.ui.languages import for_server
from cogs.ui.members import find_member
from cogs.ui.pages import Page, beside, button, line, new_id, page, row
from cogs.ui.replies import Interaction, show
from cogs.ui.routes import PLACE, By, Route, one_of, picked, pressed
from cogs.ui.schedule import TimedCog

log = logging.getLogger(__name__)

CHAMPION: Final = Route("set:champion")
ROLE: Final = Route("set:champion:role:{drawn:int}")
PERIOD: Final = Route(
    "set:champion:each:{period}",
    period=one_of({each.value: each for each in (Period.WEEK, Period.MONTH)}),
)
NO_ROLE: Final = Route("set:champion:none")


def champion_button() -> ui.Button[Any]:
    return button(CHAMPION(), say(words.CHAMPION_BUTTON))


def seen_role(guild: discord.Guild, role_id: int) -> SeenRole | None:
    """Describe a role, and what it permits, as it is now; None for a deleted one."""
    role, everybody, me = guild.get_role(role_id), guild.default_role, guild.me
    if role is None:
        return None
    opened: dict[int, tuple[str, ...]] = {}
    for channel in guild.channels:
        allowed, _ = channel.overwrites_for(role).pair()
        if more := _beyond(allowed, channel.permissions_for(everybody)):
            opened[channel.id] = more
    channel_id = next(iter(opened), None)
    return SeenRole(
        is_managed=role.is_default() or role.managed,
        is_reachable=me.guild_permissions.manage_roles and role < me.top_role,
        more=_beyond(role.permissions, everybody.permissions),
        channel_id=channel_id,
        more_there=() if channel_id is None else opened[channel_id],
    )


def _beyond(allowed: discord.Permissions, others: discord.Permissions) -> tuple[str, ...]:
    """List the names of the permissions that `allowed` has and `others` lack.

    If the library has a name for none of them, the list is just "more".
    """
    more = discord.Permissions(allowed.value & ~others.value)
    return tuple(name for name, on in more if on) or (("more",) if more.value else ())


async def _show(
    interaction: Interaction,
    guild: discord.Guild,
    choice: ChampionChoice,
    refused: Refused | None = None,
) -> None:
    trouble = None
    if choice.champion_role_id is not None:
        trouble = objection(choice.champion_role_id, seen_role(guild, choice.champion_role_id))
    await show(interaction, champion_page(choice, trouble, refused))


def champion_page(choice: ChampionChoice, trouble: Refused | None, refused: Refused | None) -> Page:
    """Build the page of the champion's role.

    `trouble` is why the bot cannot give the role, `refused` why the last choice was refused.
    """
    title, state = words.panel(choice)
    buttons = [button(ALL_SETTINGS(), say(BACK_BUTTON))]
    chosen = choice.champion_role_id
    if chosen is not None:
        other = Period.WEEK if choice.period is Period.MONTH else Period.MONTH
        buttons.insert(0, button(PERIOD(period=other), words.period_button(choice)))
    drawn = new_id()
    roles = ui.RoleSelect[Any](
        custom_id=ROLE(drawn=drawn),
        id=drawn,
        placeholder=say(words.ROLE_PLACEHOLDER),
        default_values=[] if chosen is None else [discord.Object(chosen)],
    )
    return page(
        title,
        line(),
        state if chosen is None else beside(state, button(NO_ROLE(), say(words.NO_ROLE_BUTTON))),
        "" if trouble is None else f"⚠️ {refusal(trouble)}",
        "" if refused is None else f"{refusal(refused)}\n{unchanged()}",
        row(roles),
        row(*buttons),
        mood=Mood.CALM,
    )


@pressed(CHAMPION, by=By.MANAGERS)
async def open_champion(interaction: Interaction) -> None:
    guild = managed_server(interaction)
    await _show(interaction, guild, await interaction.client.services.champions.view(guild.id))


@picked(ROLE, of=PLACE, by=By.MANAGERS)
async def choose_role(interaction: Interaction, role_id: int) -> None:
    guild = managed_server(interaction)
    choice = await interaction.client.services.champions.view(guild.id)
    await _choose(interaction, guild, choice, role_id, choice.period)


@pressed(PERIOD, by=By.MANAGERS)
async def choose_period(interaction: Interaction, period: Period) -> None:
    """Choose whether winners of weeks or of months get the role; nothing changes without a role."""
    guild = managed_server(interaction)
    choice = await interaction.client.services.champions.view(guild.id)
    if choice.champion_role_id is None:
        await _show(interaction, guild, choice)
    else:
        await _choose(interaction, guild, choice, choice.champion_role_id, period)


async def _choose(
    interaction: Interaction,
    guild: discord.Guild,
    choice: ChampionChoice,
    role_id: int,
    period: Period,
) -> None:
    """Choose the role if both the member and the bot may give it; show the page."""
    refused = objection(role_id, seen_role(guild, role_id))
    if not may_change_role(interaction.user, guild.get_role(role_id)):
        refused = ChampionRoleForbiddenError(role_id=role_id)
    if refused is None:
        choice = await interaction.client.services.champions.choose(guild.id, role_id, period)
    await _show(interaction, guild, choice, refused)


@pressed(NO_ROLE, by=By.MANAGERS)
async def choose_no_role(interaction: Interaction) -> None:
    """Choose that nobody gets the role. Members who have it from the bot lose it."""
    guild = managed_server(interaction)
    champions = interaction.client.services.champions
    choice = await champions.view(guild.id)
    await _show(interaction, guild, await champions.choose(guild.id, None, choice.period))


async def give_or_take(client: Host, services: Services, wearer: Wearer) -> None:
    """Give a member the role or take it back, if that is due."""
    champions = services.champions
    guild = client.get_guild(wearer.guild_id)
    if guild is None or guild.unavailable or not client.hearing.knows(wearer.guild_id):
        await champions.put_off(wearer)
        return
    changing = _change(client, services, guild, wearer)
    came = await delivered(f"champion's role, server {guild.id}", changing)
    if came is Refusal.WAIT:
        await champions.put_off(wearer, A_MINUTE)
    elif came is Refusal.CLOSED:
        await champions.put_off(wearer, refused=True)
    elif came is Refusal.GONE:  # the role is deleted
        await champions.forget(wearer)


async def _change(client: Host, services: Services, guild: discord.Guild, wearer: Wearer) -> None:
    champions, role_id = services.champions, wearer.role_id
    member = await find_member(guild, wearer.player_id)
    if member is None:
        await services.standings.members.gone(guild.id, wearer.player_id)
        await champions.forget(wearer)
        return
    why = await for_server(client, guild.id, say, words.REASON)
    has_role, one = member.get_role(role_id) is not None, discord.Object(role_id)
    may_give = objection(role_id, seen_role(guild, role_id)) is None
    while change := await champions.decide(wearer, has_role=has_role, may_give=may_give):
        has_role = change is RoleChange.GIVE
        ask = member.add_roles if has_role else member.remove_roles
        await ask(one, reason=why)
        log.info("server %d: a champion's role is %s", guild.id, change.value)


_INTERVAL_SECONDS: Final = 5


class ChampionsCog(TimedCog):
    waits = True

    @tasks.loop(seconds=_INTERVAL_SECONDS)
    async def crown(self) -> None:
        """Find the winners of periods that have ended, then give and take roles."""
        if self._hearing.heard:
            await self._attempt("champions", self._crown())

    async def _crown(self) -> None:
        """Settle ended periods, then change roles."""
        champions = self._services.champions
        for guild_id in await champions.unsettled():
            await self._attempt("a server's champion", champions.settle(guild_id))
        await self._deliver("champion's role", champions.due(), give_or_take)

"""A player's statistics, private until the player shows them, and the player's year."""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import app_commands, ui
from discord.ext import commands

from bot.focdle.words import TODAY_BUTTON
from bot.home.words import DOORS, Door
from bot.leaderboards.words import HELP_TOPIC, RULES_BUTTON
from bot.people.game import Cost
from bot.statistics import words
from bot.statistics.model import Chart, Stats, YearReview
from bot.text import labels
from bot.text.language import say
from bot.text.pictures.drawing import Picture
from bot.text.tiles import Mood
from cogs.ui.dispatch import costs
from cogs.ui.help import HEAVY_DOOR, help_button
from cogs.ui.languages import speak_here, speak_to
from cogs.ui.members import find_member
from cogs.ui.pages import Items, Page, button, gap, notice, page, picture, row, spaced, with_face
from cogs.ui.replies import Interaction, drawn_in_good_time, in_turn, server_of, show, whisper
from cogs.ui.routes import Argument, By, Route, member_of, pressed
from cogs.ui.voices import voice_here

YEAR: Final = Route("stats:year:{year}", year=Argument("2[0-9]{3}", int))


def year_button(year: int) -> ui.Button[Any]:
    return button(YEAR(year=year), words.year_button(year))


def year_page(year: YearReview, drawn: Picture | None) -> Page:
    files = [] if drawn is None else [_file(drawn)]
    told = words.nothing(year) if year.is_empty else words.highlights(year)
    return page(
        *spaced([words.title(year), *map(picture, files), told]),
        row(*map(year_button, year.others)),
        row(
            button(HEAVY_DOOR(door=Door.TODAY.value), say(TODAY_BUTTON)),
            button(HEAVY_DOOR(door=Door.STATS.value), say(DOORS[Door.STATS])),
        ),
        mood=Mood.CALM,
        files=files,
    )


def _file(drawn: Picture) -> discord.File:
    return discord.File(io.BytesIO(drawn.png), drawn.name, description=drawn.description)


@pressed(YEAR, by=By.ANYBODY, cost=Cost.HEAVY)
async def open_year(interaction: Interaction, year: int) -> None:
    """Show the presser's own year, even below another player's statistics."""
    years = interaction.client.services.years
    async with in_turn(interaction):
        found = await years.of(interaction.user.id, year, guild_id=server_of(interaction))
    drawn = None
    if words.is_drawn(found):
        drawn = await drawn_in_good_time(interaction, interaction.user.id, words.DRAW_YEAR, found)
    await whisper(interaction, year_page(found, drawn))


SHOW: Final = Route("stats:show:{player:int}:{chart?}:{offer:int}", chart=member_of(Chart))
LOOK: Final = Route("stats:look:{player:int}:{chart}", chart=member_of(Chart))


@dataclass(frozen=True, slots=True)
class Drawn:
    chart: Chart
    picture: Picture


async def show_stats(
    interaction: Interaction, member: discord.User | discord.Member | None
) -> None:
    """Show a member's statistics privately; if `member` is None, show the user their own."""
    player = member or interaction.user
    if player.bot:
        await show(interaction, notice(say(words.BOT_PLAYER)))
        return
    await _show(interaction, player.id, is_here=isinstance(player, discord.Member))


async def _show(
    interaction: Interaction, player_id: int, chart: Chart | None = None, *, is_here: bool
) -> None:
    """Show a player's statistics with the chart asked for, or with the first they have.

    `is_here` is true if Discord says that the player is a member of this server.
    """
    async with in_turn(interaction):
        stats = await _find(interaction, player_id, is_here=is_here)
    drawn = await _draw(interaction, stats, chart)
    own = player_id == interaction.user.id
    # In direct messages with the bot there is nobody to show it to.
    is_shareable = own and interaction.guild_id is not None and words.has_games(stats)
    offer = interaction.id if is_shareable else 0
    await show(interaction, stats_page(stats, drawn, own=own, offer=offer))


async def _draw(interaction: Interaction, stats: Stats, chart: Chart | None) -> Drawn | None:
    """Draw the chart asked for, or else the first; None if these statistics have no chart."""
    charts = words.charts_of(stats)
    if not charts:
        return None
    shown = charts[0] if chart is None or chart not in charts else chart
    work = drawn_in_good_time(interaction, stats.player_id, words.DRAW_STATS, stats, shown)
    return Drawn(shown, await work)


async def _find(interaction: Interaction, player_id: int, *, is_here: bool) -> Stats:
    services, guild_id = interaction.client.services, server_of(interaction)
    if guild_id is not None and not is_here:  # Discord would have sent a member
        await services.standings.members.gone(guild_id, player_id)
    return await services.statistics.of(
        player_id,
        viewer_id=interaction.user.id,
        guild_id=guild_id,
        are_together=is_here,
    )


def stats_page(
    stats: Stats, drawn: Drawn | None, *, own: bool, offer: int = 0, is_public: bool = False
) -> Page:
    """Build the page of a player's statistics.

    `own` is true if only the player sees the page. `offer` is a number of the offer to post them,
    which works once; 0 for none. `is_public` leaves out buttons to other charts.
    """
    files = [] if drawn is None else [_file(drawn.picture)]
    share = button(
        SHOW(player=stats.player_id, chart=None if drawn is None else drawn.chart, offer=offer),
        say(words.SHOW_BUTTON),
    )
    choices: Items = () if is_public else _choices(stats, drawn)
    title, *blocks = words.stats_blocks(stats, own=own)
    rules = help_button(HELP_TOPIC, say(RULES_BUTTON))
    year = [year_button(stats.calendar_days[1].year)] if own and words.has_games(stats) else []
    return page(
        with_face(title, None if own else stats.face),
        gap(),
        *spaced([*map(picture, files), *blocks]),
        row(*choices),
        row(*([share] if offer else []), *year, rules),
        mood=Mood.CALM,
        files=files,
    )


def _choices(stats: Stats, drawn: Drawn | None) -> Iterator[ui.Button[Any]]:
    """Yield a button for each chart, the shown one disabled; none if there is one chart at most."""
    charts = words.charts_of(stats)
    if drawn is None or len(charts) == 1:
        return
    for chart in charts:
        look = LOOK(player=stats.player_id, chart=chart)
        yield button(look, say(words.CHART_BUTTONS[chart]), disabled=chart is drawn.chart)


@pressed(LOOK, by=By.ANYBODY, cost=Cost.HEAVY)
async def look_at(interaction: Interaction, player: int, chart: Chart) -> None:
    is_here = await _is_here(interaction, player)
    await _show(interaction, player, chart, is_here=is_here)


async def _is_here(interaction: Interaction, player_id: int) -> bool:
    """Return true if Discord says that a player is a member of the interaction's server."""
    if player_id == interaction.user.id:
        return isinstance(interaction.user, discord.Member)
    guild = interaction.client.get_guild(server_of(interaction) or 0)
    return guild is not None and await find_member(guild, player_id) is not None


@pressed(SHOW, by=By.ANYBODY, cost=Cost.HEAVY)
async def show_to_channel(
    interaction: Interaction, player: int, offer: int, chart: Chart | None = None
) -> None:
    """Post a player's statistics at their own click; show other users their own, privately.

    The button works once: before the post is sent, the click is spent and the button removed.
    """
    if interaction.user.id != player:
        await show_stats(interaction, None)
        return
    voice = voice_here(interaction, words.SHOW_IN)
    is_here = isinstance(interaction.user, discord.Member)
    async with in_turn(interaction):
        stats = await _find(interaction, player, is_here=is_here)
    drawn = await _draw(interaction, stats, chart)
    await speak_here(interaction)
    in_public = await _draw(interaction, stats, chart)  # in the server's language
    public = stats_page(stats, in_public, own=False, is_public=True)
    await speak_to(interaction)
    services = interaction.client.services
    await services.sharing.claim_statistics(player, interaction.guild_id or 0)
    is_first = await services.spent_clicks.spend(offer)
    await show(interaction, stats_page(stats, drawn, own=True))
    if is_first:
        await voice.say(public)


@app_commands.context_menu(name=labels.STATS_MENU, extras=costs(Cost.HEAVY))
@app_commands.allowed_installs(guilds=True)
@app_commands.allowed_contexts(guilds=True)
async def stats_of_member(interaction: Interaction, member: discord.Member | discord.User) -> None:
    await show_stats(interaction, member)


class StatisticsCog(commands.Cog):
    @app_commands.command(name="stats", description=labels.STATS, extras=costs(Cost.HEAVY))
    @app_commands.describe(member=labels.STATS_MEMBER)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def stats(self, interaction: Interaction, member: discord.User | None = None) -> None:
        await show_stats(interaction, member)

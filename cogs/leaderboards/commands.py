"""`/leaderboard`, `/stats` and the user menu *Game stats*: who leads, and what came of games."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.leaderboards.model.keys import BoardGame
from bot.leaderboards.pages.leaderboard import GAME_NAMES, period_name, scope_name
from bot.people.game.allowance import Cost
from bot.text import labels
from bot.text.language import say
from cogs.leaderboards.leaderboard import PERIODS, open_leaderboard, period_value
from cogs.statistics.statistics import show_stats
from cogs.ui.admission import costs
from cogs.ui.replies import Interaction

_HERE = "server"
_EVERYWHERE = "global"


@app_commands.context_menu(name=labels.STATS_MENU, extras=costs(Cost.HEAVY))
@app_commands.allowed_installs(guilds=True)
@app_commands.allowed_contexts(guilds=True)
async def stats_of_member(interaction: Interaction, member: discord.Member | discord.User) -> None:
    """Show a member's statistics."""
    await show_stats(interaction, member)


class StandingsCog(commands.Cog):
    """Leaderboards and statistics."""

    @app_commands.command(name="leaderboard", description=labels.LEADERBOARD)
    @app_commands.describe(
        game=labels.LEADERBOARD_GAME,
        period=labels.LEADERBOARD_PERIOD,
        scope=labels.LEADERBOARD_SCOPE,
    )
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.choices(
        game=[
            app_commands.Choice(name=say(GAME_NAMES[game]), value=game.value) for game in BoardGame
        ],
        period=[
            app_commands.Choice(
                name=period_name(period, previous=previous),
                value=period_value(period, previous=previous),
            )
            for period, previous in PERIODS
        ],
        scope=[
            app_commands.Choice(name=scope_name(is_global=False), value=_HERE),
            app_commands.Choice(name=scope_name(is_global=True), value=_EVERYWHERE),
        ],
    )
    async def leaderboard(
        self,
        interaction: Interaction,
        game: str | None = None,
        period: str | None = None,
        scope: str = _HERE,
    ) -> None:
        """Show a leaderboard to the channel."""
        is_global = scope == _EVERYWHERE
        named = None if game is None else BoardGame(game)
        await open_leaderboard(interaction, named, period, is_global=is_global)

    @app_commands.command(name="stats", description=labels.STATS, extras=costs(Cost.HEAVY))
    @app_commands.describe(member=labels.STATS_MEMBER)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def stats(self, interaction: Interaction, member: discord.User | None = None) -> None:
        """Show statistics."""
        await show_stats(interaction, member)

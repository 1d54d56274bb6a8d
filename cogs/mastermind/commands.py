"""`/mastermind`: four ways to break a code of coloured pegs."""

import discord
from discord import app_commands
from discord.ext import commands

from bot.mastermind.game.setting import Setting, Wanted
from bot.people.game.allowance import Cost
from bot.text import labels
from cogs.mastermind.challenge import ask_for_code
from cogs.mastermind.defend import show_defence
from cogs.mastermind.guess import show_play
from cogs.mastermind.watch import show_steps
from cogs.ui.admission import costs
from cogs.ui.replies import Interaction, services_of

_DEFAULT = Setting()
_SETTING = {
    "pegs": labels.MASTERMIND_PEGS,
    "colours": labels.MASTERMIND_COLOURS,
    "repeats": labels.MASTERMIND_REPEATS,
}


@app_commands.allowed_installs(guilds=True, users=True)
@app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
class MastermindCog(
    commands.GroupCog, group_name="mastermind", group_description=labels.MASTERMIND
):
    """Mastermind."""

    @app_commands.command(name="play", description=labels.MASTERMIND_PLAY)
    @app_commands.describe(
        pegs=labels.MASTERMIND_PLAY_PEGS,
        colours=labels.MASTERMIND_PLAY_COLOURS,
        repeats=labels.MASTERMIND_PLAY_REPEATS,
        guesses=labels.MASTERMIND_PLAY_GUESSES,
    )
    async def play(
        self,
        interaction: Interaction,
        pegs: int | None = None,
        colours: int | None = None,
        repeats: bool | None = None,
        guesses: int | None = None,
    ) -> None:
        """Open the player's board, at the last setting but for what is asked for."""
        solo = services_of(interaction).mastermind.solo
        wishes = Wanted(pegs, colours, repeats, guesses)
        await show_play(interaction, solo.open(interaction.user.id, wishes))

    @app_commands.command(
        name="defend", description=labels.MASTERMIND_DEFEND, extras=costs(Cost.HEAVY)
    )
    @app_commands.describe(**_SETTING)
    async def defend(
        self,
        interaction: Interaction,
        pegs: int = _DEFAULT.pegs,
        colours: int = _DEFAULT.colours,
        repeats: bool = _DEFAULT.repeats,
    ) -> None:
        """Open the board on which the bot guesses."""
        defence = services_of(interaction).mastermind.defence
        setting = Setting(pegs, colours, repeats)
        await show_defence(interaction, defence.open(interaction.user.id, setting))

    @app_commands.command(name="challenge", description=labels.MASTERMIND_CHALLENGE)
    @app_commands.describe(
        member=labels.MASTERMIND_MEMBER, guesses=labels.MASTERMIND_GUESSES, **_SETTING
    )
    async def challenge(
        self,
        interaction: Interaction,
        member: discord.User,
        pegs: int = _DEFAULT.pegs,
        colours: int = _DEFAULT.colours,
        repeats: bool = _DEFAULT.repeats,
        guesses: int = _DEFAULT.guesses,
    ) -> None:
        """Ask for the code."""
        await ask_for_code(interaction, member, Setting(pegs, colours, repeats, guesses))

    @app_commands.command(
        name="watch", description=labels.MASTERMIND_WATCH, extras=costs(Cost.HEAVY)
    )
    @app_commands.describe(**_SETTING)
    async def watch(
        self,
        interaction: Interaction,
        pegs: int = _DEFAULT.pegs,
        colours: int = _DEFAULT.colours,
        repeats: bool = _DEFAULT.repeats,
    ) -> None:
        """Open the board on which the bot will guess."""
        watch = services_of(interaction).mastermind.watch
        setting = Setting(pegs, colours, repeats)
        await show_steps(interaction, watch.open(interaction.user.id, setting))

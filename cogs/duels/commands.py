"""`/duel` and the user menu *Challenge to a duel*: Bulls and Cows, a member or the bot."""

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.presentation.base import labels
from bot.presentation.base.language import say
from bot.presentation.duels.labels import STRENGTH_CHOICES, mode_choice, pace_choice
from bot.services.base.allowance import Cost
from bot.services.duels.model import Pace
from bot.services.duels.options import DIGITS, MODES, Options, Wishes
from cogs.base.admission import costs
from cogs.base.replies import Interaction
from cogs.duels import moves, stopping
from cogs.duels.challenge import ask_for_bot, ask_for_options, start_duel
from cogs.duels.defend import open_number_game
from engine import Mode, Strength

_DEFAULT = Options()

#: What is pressed on boards and pages of duels; to import these modules is to put it on its routes.
PRESSED: Final = (moves, stopping)


def _cost(options: app_commands.Namespace) -> Cost:
    """What `/duel` costs: where the bot hunts, a guess of the bot's."""
    return Cost.HEAVY if options.defend else Cost.LIGHT


@app_commands.context_menu(name=labels.DUEL_MENU)
@app_commands.allowed_installs(guilds=True)
@app_commands.allowed_contexts(guilds=True)
async def challenge_to_duel(
    interaction: Interaction, member: discord.Member | discord.User
) -> None:
    """Ask for the options, and challenge."""
    await ask_for_options(interaction, member.id, member.display_name, is_bot=member.bot)


class DuelCog(commands.Cog):
    """Duels."""

    @app_commands.command(name="duel", description=labels.DUEL, extras=costs(_cost))
    @app_commands.describe(
        opponent=labels.DUEL_OPPONENT,
        digits=labels.DUEL_DIGITS,
        repeats=labels.DUEL_REPEATS,
        mode=labels.DUEL_MODE,
        pace=labels.DUEL_PACE,
        rated=labels.DUEL_RATED,
        strength=labels.DUEL_STRENGTH,
        defend=labels.DUEL_DEFEND,
    )
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    @app_commands.choices(
        mode=[app_commands.Choice(name=mode_choice(mode)[0], value=mode.value) for mode in MODES],
        pace=[app_commands.Choice(name=pace_choice(pace), value=pace.value) for pace in Pace],
        strength=[
            app_commands.Choice(name=say(STRENGTH_CHOICES[strength]), value=strength.value)
            for strength in (Strength.CASUAL, Strength.SHARP, Strength.PERFECT)
        ],
    )
    async def duel(  # noqa: PLR0913, PLR0917 - an option each
        self,
        interaction: Interaction,
        opponent: discord.User | None = None,
        digits: app_commands.Range[int, DIGITS[0], DIGITS[1]] | None = None,
        repeats: bool | None = None,
        mode: str | None = None,
        pace: str | None = None,
        rated: bool | None = None,
        strength: str | None = None,
        defend: bool = False,
    ) -> None:
        """Challenge a member, or play the bot; without any option, ask how.

        To defend, digits and repeats are all there is to choose.
        """
        if defend:
            await open_number_game(interaction, Wishes(digits, repeats).after(_DEFAULT))
            return
        wishes = Wishes(
            digits,
            repeats,
            None if mode is None else Mode(mode),
            None if pace is None else Pace(pace),
            rated,
            None if strength is None else Strength(strength),
        )
        if opponent is None and wishes == Wishes():
            await ask_for_bot(interaction)
        else:
            await start_duel(interaction, opponent, wishes)

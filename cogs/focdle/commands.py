"""`/focdle` and `/practice`: playing alone."""

from discord import app_commands
from discord.ext import commands

from bot.presentation.base import labels
from bot.presentation.games import archive_choice
from bot.services.base.allowance import Cost
from bot.services.focdle.errors import GuessRefusedError
from cogs.base.admission import costs
from cogs.base.replies import Interaction, server_of, services_of
from cogs.focdle.board import show_board


def _cost(options: app_commands.Namespace) -> Cost:
    """What `/focdle` costs: a guess nothing, as one that is typed in the form."""
    return Cost.HEAVY if options.guess is None else Cost.FREE


class FocdleCog(commands.Cog):
    """FoCdle: the daily, its archive, and practice."""

    @app_commands.command(name="focdle", description=labels.FOCDLE, extras=costs(_cost))
    @app_commands.describe(guess=labels.FOCDLE_GUESS, puzzle=labels.FOCDLE_PUZZLE)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def focdle(
        self, interaction: Interaction, guess: str | None = None, puzzle: str | None = None
    ) -> None:
        """Open the player's board; with a guess, play it at once."""
        daily = services_of(interaction).daily
        player, guild = interaction.user.id, server_of(interaction)
        try:
            play = await daily.open(player, guild, puzzle=puzzle, guess=guess)
        except GuessRefusedError as error:
            await show_board(interaction, error.play, error)
        else:
            await show_board(interaction, play)

    @focdle.autocomplete("puzzle")
    async def complete_puzzle(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Propose puzzles, and say which ones the player has solved."""
        daily = services_of(interaction).daily
        entries = await daily.archive(interaction.user.id, server_of(interaction), typed)
        return [
            app_commands.Choice(name=archive_choice(entry), value=str(entry.puzzle))
            for entry in entries
        ]

    @app_commands.command(name="practice", description=labels.PRACTICE, extras=costs(Cost.HEAVY))
    @app_commands.describe(length=labels.PRACTICE_LENGTH)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def practice(self, interaction: Interaction, length: int | None = None) -> None:
        """Open a practice."""
        practice = services_of(interaction).practice
        player, guild = interaction.user.id, server_of(interaction)
        await show_board(interaction, await practice.open(player, guild, length))

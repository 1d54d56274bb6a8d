"""`/focdle` and `/practice`: playing alone."""

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.focdle.model.errors import GuessRefusedError, WhichPuzzleError
from bot.focdle.pages.board import guessed_unseen
from bot.home.pages.games import archive_choice
from bot.people.game.allowance import Cost
from bot.text import labels
from bot.text.language import is_day_first
from cogs.focdle.board import show_board, show_guessed
from cogs.focdle.sharing import ask_which
from cogs.focdle.watch import show_watched
from cogs.ui.admission import costs
from cogs.ui.replies import Attempt, Interaction, note_attempt, server_of, services_of
from cogs.ui.routes import By, Route, kept_text, pressed

SEND_TODAY: Final = Route("fd:today:{draft}")


def _cost(options: app_commands.Namespace) -> Cost:
    """What `/focdle` costs: a guess nothing, as one that is typed in the form."""
    return Cost.HEAVY if options.guess is None else Cost.FREE


@pressed(SEND_TODAY, by=By.ANYBODY, cost=Cost.FREE, is_kept=True)
async def guess_today(interaction: Interaction, draft: str) -> None:
    """Open the day's puzzle and play what there was no time for."""
    await open_daily(interaction, None, draft)


async def open_daily(interaction: Interaction, puzzle: str | None, guess: str | None) -> None:
    """Open a puzzle, today's unless one is named, and play a guess at once if there is one."""
    daily, player = services_of(interaction).daily, interaction.user.id
    draft = kept_text(guess or "")
    if draft and puzzle is None:
        note_attempt(interaction, Attempt(SEND_TODAY(draft=draft), draft))
    try:
        play = await daily.open(
            player,
            server_of(interaction),
            puzzle=puzzle,
            guess=guess,
            day_first=is_day_first(str(interaction.locale)),
        )
    except GuessRefusedError as error:
        await show_board(interaction, error.play, error)
    except WhichPuzzleError as error:
        await ask_which(interaction, error)
    else:
        if guess is None:
            await show_board(interaction, play)
        else:
            await show_guessed(interaction, play, note=guessed_unseen(play))


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
        await open_daily(interaction, puzzle, guess)

    @focdle.autocomplete("puzzle")
    async def complete_puzzle(
        self, interaction: Interaction, typed: str
    ) -> list[app_commands.Choice[str]]:
        """Propose puzzles, and say which ones the player has solved."""
        daily = services_of(interaction).daily
        entries = await daily.archive(
            interaction.user.id,
            server_of(interaction),
            typed,
            day_first=is_day_first(str(interaction.locale)),
        )
        return [
            app_commands.Choice(name=archive_choice(entry), value=f"#{entry.puzzle}")
            for entry in entries
        ]

    @app_commands.command(name="practice", description=labels.PRACTICE, extras=costs(Cost.HEAVY))
    @app_commands.describe(length=labels.PRACTICE_LENGTH, watch=labels.PRACTICE_WATCH)
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def practice(
        self, interaction: Interaction, length: int | None = None, watch: bool = False
    ) -> None:
        """Open a practice, or watch the bot at one of its own."""
        if watch:
            await show_watched(interaction, length)
            return
        practice = services_of(interaction).practice
        player, guild = interaction.user.id, server_of(interaction)
        await show_board(interaction, await practice.open(player, guild, length))

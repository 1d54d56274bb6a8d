"""The public board of a challenge: edited in place, forgotten when gone; questions beside it."""

import logging
from collections.abc import Callable

import discord

from bot.mastermind.game.challenge import Challenges
from bot.mastermind.model.errors import GameFinishedError
from bot.mastermind.model.game import MastermindGame, Stage
from bot.mastermind.pages import labels as words
from bot.text.language import say
from cogs.mastermind.boards import words_for
from cogs.ui.emojis import sent
from cogs.ui.faults import UNDONE, is_too_late, may_pass
from cogs.ui.hearing import hearing_of
from cogs.ui.pages import Page, notice
from cogs.ui.public import in_language, language_of
from cogs.ui.replies import Interaction, in_good_time, services_of, show, whisper

log = logging.getLogger(__name__)

Draw = Callable[[MastermindGame], Page]


def public_tag(client: discord.Client, game: MastermindGame) -> str:
    """The language of a challenge's server."""
    return language_of(client, game.guild_id)


async def edit_board(
    client: discord.Client, challenges: Challenges, game: MastermindGame, draw: Draw
) -> MastermindGame:
    """Show a challenge as it stands on its board, wherever that is.

    A board that is gone, or out of reach, is forgotten. What failed for another reason is left
    to the clock, unless Discord would refuse it again; so is a board in a server whose language
    is not known here.

    Args:
        client: the bot.
        challenges: where it is noted whether that worked.
        game: the challenge.
        draw: makes its public page.

    Returns:
        The game, without a message if its board is gone.
    """
    is_known = hearing_of(client).knows(game.guild_id)
    if game.channel_id is None or game.message_id is None or not is_known:
        return game
    page = in_language(public_tag(client, game), lambda: draw(game))
    channel = client.get_partial_messageable(game.channel_id, guild_id=game.guild_id)
    board = channel.get_partial_message(game.message_id)
    try:
        await sent(client, page, lambda: board.edit(view=page))
    except UNDONE as error:
        log.warning(
            "the board of mastermind %d could not be brought up to date: %s", game.id, error
        )
        if isinstance(error, discord.NotFound | discord.Forbidden):
            return await challenges.lost(game, game.message_id)
        if not isinstance(error, discord.HTTPException) or may_pass(error):
            return game
    return await challenges.shown(game, game.message_id)


async def show_on_board(
    interaction: Interaction, game: MastermindGame, public: Draw, private: Draw
) -> None:
    """Put a challenge as it stands in place of the public message that was clicked.

    Where the click came from a private message, the public one is found by itself, and where it
    is gone, the player sees in private what became of the game.

    Args:
        interaction: the click, or the form that it opened.
        game: the challenge.
        public: makes its public page.
        private: makes a copy of it for the player.
    """
    client, challenges = interaction.client, services_of(interaction).mastermind.challenges
    message = interaction.message
    if message is None or message.flags.ephemeral:
        published = edit_board(client, challenges, game, public)
        game = await in_good_time(interaction, published)
        await show(interaction, private(game))
        return
    page = in_language(public_tag(client, game), lambda: public(game))
    try:
        await sent(client, page, lambda: interaction.response.edit_message(view=page))
    except (discord.NotFound, discord.Forbidden) as error:
        if is_too_late(error):
            raise
        game = await challenges.lost(game, message.id)
        await whisper(interaction, private(game))
    else:
        game = await challenges.shown(game, message.id)
    if game.message_id != message.id:  # another message is the board
        await edit_board(client, challenges, game, public)


async def keep(interaction: Interaction, game: MastermindGame, draw: Draw) -> None:
    """Say that a game goes on, unless it has ended beside the question."""
    if game.stage is Stage.OVER:
        await show(interaction, notice(words_for(GameFinishedError(game=game))))
        challenges = services_of(interaction).mastermind.challenges
        await edit_board(interaction.client, challenges, game, draw)
    else:
        await show(interaction, notice(say(words.KEPT)))


async def resign(interaction: Interaction, game_id: int, draw: Draw) -> None:
    """Resign; the public board is another message than the question."""
    client, challenges = interaction.client, services_of(interaction).mastermind.challenges
    try:
        game = await challenges.resign(interaction.user.id, game_id)
    except GameFinishedError as error:
        await edit_board(client, challenges, error.game, draw)
        raise
    await show(interaction, notice(say(words.RESIGNED)))
    await edit_board(client, challenges, game, draw)

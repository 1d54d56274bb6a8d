"""A private page about a public challenge, for its two players: where it is, what they can do."""

import contextlib
from typing import Final

import discord

from bot.mastermind.model.errors import BoardUnpostableError
from bot.mastermind.model.game import MastermindGame, Stage
from bot.mastermind.pages import labels as words
from bot.refused import NoServerError, Speech
from bot.text.language import say
from bot.text.pegs import Pegs
from cogs.mastermind.challenge import (
    accept_button,
    decline_button,
    invitation_page,
    withdraw_button,
)
from cogs.mastermind.pages import challenge_page, copy_page
from cogs.mastermind.public_board import public_tag
from cogs.ui.pages import Items, Page, button
from cogs.ui.public import in_language
from cogs.ui.replies import Interaction, in_good_time, pegs_of, services_of, show
from cogs.ui.routes import By, Route, pressed
from cogs.ui.voice import voice_in
from engine import Code

OWN: Final = Route("mm:c:own:{game:int}")
POST: Final = Route("mm:c:post:{game:int}")


def own_page(game: MastermindGame, pegs: Pegs, player_id: int, code: Code | None = None) -> Page:
    """A challenge for one of its players; a code is the one that this player has set."""
    if game.stage is Stage.OVER:
        return copy_page(game, pegs, player_id)
    buttons = [*_answers(game, player_id), button(POST(game=game.id), say(words.POST_AGAIN_BUTTON))]
    notes = [] if code is None else [words.own_code(code, pegs)]
    note = "\n".join([*notes, words.post_again_note(game)])
    return copy_page(game, pegs, player_id, buttons, note)


def _answers(game: MastermindGame, player_id: int) -> Items:
    """What a player can do about an invitation."""
    if game.stage is not Stage.INVITED:
        return []
    if player_id == game.owner_id:
        return [withdraw_button(game)]
    return [accept_button(game), decline_button(game)]


@pressed(OWN, by=By.PLAYERS)
async def open_own_page(interaction: Interaction, game: int) -> None:
    """Show a challenge in private."""
    challenges = services_of(interaction).mastermind.challenges
    await _show(interaction, await challenges.look(interaction.user.id, game))


@pressed(POST, by=By.PLAYERS)
async def post_board(interaction: Interaction, game: int) -> None:
    """Post the board again; a game that has ended meanwhile is only shown."""
    challenges, player = services_of(interaction).mastermind.challenges, interaction.user.id
    found = await challenges.look(player, game)
    if found.stage is not Stage.OVER:
        await in_good_time(interaction, post_again(interaction, found))
        found = await challenges.look(player, game)
    await _show(interaction, found)


async def _show(interaction: Interaction, game: MastermindGame) -> None:
    challenges, player = services_of(interaction).mastermind.challenges, interaction.user.id
    code = await challenges.own_code(player, game.id)
    await show(interaction, own_page(game, pegs_of(interaction), player, code))


async def post_again(interaction: Interaction, game: MastermindGame) -> None:
    """Post a challenge's board anew in its channel, in place of the one before.

    It pings nobody. Of boards that are posted at once, the last one noted stays.

    Raises:
        BoardUnpostableError: the channel is gone, or the bot may not post in it.
        MayNotSpeakError: the player may not write there.
    """
    client, challenges = interaction.client, services_of(interaction).mastermind.challenges
    channel_id, pegs = game.channel_id or 0, pegs_of(interaction)
    draw = invitation_page if game.stage is Stage.INVITED else challenge_page
    try:
        page = in_language(public_tag(client, game), lambda: draw(game, pegs))
        voice = await voice_in(interaction, Speech.BOARD, game.guild_id, channel_id)
        message_id = await voice.say(page)
    except (NoServerError, discord.NotFound, discord.Forbidden) as error:
        is_gone = not isinstance(error, discord.Forbidden)
        raise BoardUnpostableError(channel_id=channel_id, is_gone=is_gone) from error
    before = await challenges.published(game, message_id)
    if before is not None:
        channel = client.get_partial_messageable(channel_id, guild_id=game.guild_id)
        await _delete(channel.get_partial_message(before))


async def _delete(message: discord.PartialMessage) -> None:
    """Take a board away; one that is gone, or out of reach, needs nothing."""
    with contextlib.suppress(discord.NotFound, discord.Forbidden):
        await message.delete()

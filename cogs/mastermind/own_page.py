"""A private page about a public challenge, for its two players: where it is, what they can do."""

import contextlib
from collections.abc import Iterator

import discord

from bot.presentation.base import labels
from bot.presentation.base.language import say
from bot.presentation.base.pegs import Pegs
from bot.presentation.mastermind import labels as words
from bot.services.base.errors import NoServerError, Speech
from bot.services.mastermind.errors import BoardUnpostableError
from bot.services.mastermind.model import MastermindGame, Stage
from cogs.base.buttons import Press
from cogs.base.pages import BoardPage
from cogs.base.public import in_language
from cogs.base.replies import Interaction, in_good_time, pegs_of, services_of, show
from cogs.base.voice import voice_in
from cogs.mastermind.boards import MastermindButton
from cogs.mastermind.challenge import InvitationButton, invitation_page, never_button
from cogs.mastermind.guess import challenge_page, copy_page
from cogs.mastermind.public_board import public_tag
from engine import Code


def own_page(
    game: MastermindGame, pegs: Pegs, player_id: int, code: Code | None = None
) -> BoardPage:
    """A challenge for one of its players; a code is the one that this player has set."""
    if game.stage is Stage.OVER:
        return copy_page(game, pegs, player_id)
    buttons = [*_answers(game, player_id), BoardButton("post", game.id)]
    notes = [] if code is None else [words.own_code(code, pegs)]
    note = "\n".join([*notes, words.post_again_note(game)])
    return copy_page(game, pegs, player_id, buttons, note)


def _answers(game: MastermindGame, player_id: int) -> Iterator[Press]:
    """What a player can do about an invitation."""
    if game.stage is Stage.INVITED:
        is_challenger = player_id == game.owner_id
        for act in ("withdraw",) if is_challenger else ("accept", "decline"):
            yield InvitationButton(act, game.id)
        if not is_challenger:
            yield never_button(game)


class BoardButton(MastermindButton, template=r"mm:c:(own|post):(\d+)"):
    """*Open*, in a list: shows a challenge in private. *Post the board again*: does so.

    Args:
        act: ``own`` or ``post``.
        game_id: which game.
    """

    letter = "c"

    def __init__(self, act: str, game_id: int) -> None:
        label = say(labels.OPEN_BUTTON) if act == "own" else say(words.POST_AGAIN_BUTTON)
        super().__init__(act, game_id, label)

    async def press(self, interaction: Interaction) -> None:
        """Do it; a game that has ended meanwhile is only shown."""
        challenges, player = services_of(interaction).mastermind.challenges, interaction.user.id
        game = await challenges.look(player, self._game_id)
        if self._act == "post" and game.stage is not Stage.OVER:
            await in_good_time(interaction, post_again(interaction, game))
            game = await challenges.look(player, self._game_id)
        code = await challenges.own_code(player, self._game_id)
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

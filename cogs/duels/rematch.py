"""Another duel after one that is over: with the same member, or with the bot."""

from collections.abc import Coroutine, Mapping
from typing import Any, Final

import discord

from bot.duels.model.duel import DuelGame
from bot.duels.model.errors import NowhereToPostError, NumberRefusedError
from bot.duels.pages import labels as words
from bot.home.pages.invitations import not_called
from bot.refusals import refusal
from bot.refused import Speech
from bot.text.language import say
from cogs.duels.challenge import announce
from cogs.duels.forms import NUMBER, NUMBER_FIELDS, number_form
from cogs.duels.messages import post_board
from cogs.duels.moves import is_public
from cogs.duels.pages import (
    REMATCH,
    STRONGER,
    accept_buttons,
    board_url,
    duel_button,
    look_of,
    notebook_page,
)
from cogs.ui.pages import notice
from cogs.ui.presence import require_present, usable_channel
from cogs.ui.replies import Attempt, Interaction, in_good_time, services_of, whisper
from cogs.ui.routes import By, Route, pressed, submitted
from cogs.ui.voice import Voice, voice_here, voice_in

REMATCH_FORM: Final = Route("du:form:rematch:{duel:int}")


@pressed(REMATCH, by=By.PLAYERS)
async def ask_for_rematch(interaction: Interaction, duel: int) -> None:
    """Ask for the number of another duel like this, or show the challenge to it there is."""
    duels, player = services_of(interaction).duels, interaction.user.id
    before = await duels.playing.view(player, duel)
    if before.is_against_bot:
        await _play_the_bot_again(interaction, duels.inviting.rematch(player, duel))
        return
    asked = await duels.inviting.prepare_rematch(player, duel)
    if asked is not None:
        await _show_asked(interaction, before, asked)
        return
    await _voice_for_rematch(interaction, before)
    custom_id, rules = REMATCH_FORM(duel=duel), before.rules
    await number_form(custom_id, rules, say(words.OPPONENT_FINDS)).present(interaction)


def _ask_again(_values: Mapping[str, str], duel: int) -> Attempt:
    return Attempt(REMATCH(duel=duel))


@submitted(REMATCH_FORM, fields=NUMBER_FIELDS, by=By.PLAYERS, again=_ask_again)
async def challenge_again(interaction: Interaction, values: Mapping[str, str], duel: int) -> None:
    """Challenge the same member, the other one moving first."""
    duels, player = services_of(interaction).duels, interaction.user.id
    before = await duels.playing.view(player, duel)
    asked = await duels.inviting.prepare_rematch(player, duel)
    if asked is None:
        await _voice_for_rematch(interaction, before)
        try:
            asked = await duels.inviting.rematch(player, duel, values[NUMBER])
        except NumberRefusedError as error:
            again = duel_button(REMATCH, before, say(words.RETRY_BUTTON))
            await whisper(interaction, notice(refusal(error) or "", [again]))
            return
    await _show_asked(interaction, before, asked)


async def _show_asked(interaction: Interaction, before: DuelGame, asked: DuelGame) -> None:
    """Post the challenge to a rematch, let it be answered, or say where it is."""
    player, url = interaction.user.id, board_url(asked)
    if asked.opponent_id == player and (buttons := accept_buttons(asked)):
        await whisper(interaction, notice(words.terms(asked), buttons))
    elif asked.challenger_id == player and await _may_post(interaction, asked):
        voice = await _voice_for_rematch(interaction, before)
        await _post_rematch(interaction, voice, asked)
    else:
        await whisper(interaction, notice(words.rematch_asked(url)))


async def _may_post(interaction: Interaction, asked: DuelGame) -> bool:
    return await services_of(interaction).duels.inviting.claim_posting(asked.id)


@pressed(STRONGER, by=By.PLAYERS)
async def try_the_stronger_bot(interaction: Interaction, duel: int) -> None:
    """The same with the bot at its next strength."""
    inviting, player = services_of(interaction).duels.inviting, interaction.user.id
    await _play_the_bot_again(interaction, inviting.rematch(player, duel, stronger=True))


async def _play_the_bot_again(
    interaction: Interaction, opened: Coroutine[Any, Any, DuelGame]
) -> None:
    """Show the new duel in a private message of its own; the finished one stays."""
    game = await in_good_time(interaction, opened)
    notebook = await services_of(interaction).duels.games.notebook_of(interaction.user.id, game)
    await whisper(interaction, notebook_page(notebook, look_of(interaction.client)))


async def _voice_for_rematch(interaction: Interaction, before: DuelGame) -> Voice:
    """Leave to post the challenge here or, if this is a private message, where the duel was."""
    opponent_id = before.seats[1 - (before.seat_of(interaction.user.id) or 0)].player_id or 0
    if not is_public(interaction):
        await require_present(interaction, opponent_id, before.guild_id)
        try:
            place = before.channel_id
            return await voice_in(interaction, Speech.REMATCH, before.guild_id, place)
        except (discord.NotFound, discord.Forbidden) as error:
            raise NowhereToPostError(game=before) from error
    usable_channel(interaction)
    await require_present(interaction, opponent_id, before.guild_id)
    return voice_here(interaction, Speech.REMATCH)


async def _post_rematch(interaction: Interaction, voice: Voice, game: DuelGame) -> None:
    if is_public(interaction):
        await announce(interaction, voice, game)
        return
    inviting = services_of(interaction).duels.inviting
    opponent_id, calls = game.opponent_id or 0, game.calls
    try:
        place, called = game.channel_id or 0, opponent_id if calls else 0
        game = await post_board(interaction, voice, game, place, calls=called)
    except BaseException as error:
        await inviting.take_back(game.id)
        if isinstance(error, discord.NotFound | discord.Forbidden):
            raise NowhereToPostError(game=game) from error
        raise
    await whisper(interaction, notice(words.rematch_posted(board_url(game))))
    if not calls:
        await whisper(interaction, notice(not_called(opponent_id)))

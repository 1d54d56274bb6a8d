"""Answers to a challenge: accepted now or a move a day, declined, withdrawn."""

from collections.abc import Coroutine
from typing import Any

import discord

from bot.duels.model.duel import DuelGame, Pace
from bot.duels.model.errors import (
    AlreadyUnderWayError,
    DuelOverError,
    NowPassedError,
    TermsChangedError,
)
from bot.duels.model.transitions import State
from bot.duels.pages import labels as words
from bot.home.pages.invitations import declined
from bot.people.game.allowance import Cost
from bot.refusals import refusal
from bot.text.language import say
from cogs.duels.messages import move_to_thread, publish, publish_if_changed
from cogs.duels.moves import is_public, secret_form, settle
from cogs.duels.pages import ACCEPT, DECLINE, TAKE, WITHDRAW, accept_buttons
from cogs.ui.invitations import offer_no_more
from cogs.ui.pages import notice
from cogs.ui.replies import Interaction, services_of, whisper
from cogs.ui.routes import By, pressed


@pressed(TAKE, by=By.PLAYERS, cost=Cost.FREE)
async def take(interaction: Interaction, duel: int, pace: Pace, terms: int) -> None:
    """Accept a challenge as it was seen, and ask for the number at once."""
    inviting = services_of(interaction).duels.inviting
    await _accept(interaction, inviting.accept(interaction.user.id, duel, pace, terms))


@pressed(ACCEPT, by=By.PLAYERS, cost=Cost.FREE)
async def accept(interaction: Interaction, duel: int) -> None:
    """Accept a challenge of before there was a choice, or see what may be chosen by now."""
    inviting = services_of(interaction).duels.inviting
    await _accept(interaction, inviting.accept(interaction.user.id, duel))


async def _accept(interaction: Interaction, accepting: Coroutine[Any, Any, DuelGame]) -> None:
    """Accept a challenge; everybody sees what became of it, once the form is open."""
    try:
        game = await _answer(interaction, accepting)
    except (TermsChangedError, NowPassedError) as error:
        await whisper(interaction, notice(refusal(error) or "", accept_buttons(error.game)))
        boards = services_of(interaction).duels.boards
        await publish_if_changed(interaction.client, boards, error.game)
        return
    seat = game.seat_of(interaction.user.id) or 0
    if game.state is not State.SETTING or game.seats[seat].is_ready:
        await settle(interaction, game)
        return
    note = say(words.HAS_CLOSED) if game.has_closed else ""
    await secret_form(game, note).present(interaction)
    if game.thread_id is not None or not await _give_thread(interaction, game):
        await publish(interaction.client, services_of(interaction).duels.boards, game)


@pressed(DECLINE, by=By.PLAYERS)
async def decline(interaction: Interaction, duel: int) -> None:
    """Decline a challenge; who made it may be heard no more, even if they took it back."""
    inviting = services_of(interaction).duels.inviting
    try:
        game = await _answer(interaction, inviting.decline(interaction.user.id, duel))
    except DuelOverError as error:
        game, told = error.game, refusal(error) or ""
    else:
        told = declined(game.challenger_id or 0, is_rematch=game.is_rematch)
        await settle(interaction, game)
    await offer_no_more(interaction, told, game.challenger_id or 0)


@pressed(WITHDRAW, by=By.PLAYERS)
async def withdraw(interaction: Interaction, duel: int) -> None:
    """Take a challenge back."""
    inviting = services_of(interaction).duels.inviting
    game = await _answer(interaction, inviting.withdraw(interaction.user.id, duel))
    await settle(interaction, game)


async def _answer(interaction: Interaction, answer: Coroutine[Any, Any, DuelGame]) -> DuelGame:
    """The duel after an answer; if that came too late, everybody sees how it stands.

    Raises:
        DuelOverError, AlreadyUnderWayError: it came too late.
    """
    try:
        return await answer
    except (DuelOverError, AlreadyUnderWayError) as error:
        await settle(interaction, error.game)
        raise


async def _give_thread(interaction: Interaction, game: DuelGame) -> bool:
    """Move a duel that was accepted on its board to a thread, where the server wants that.

    Returns:
        Whether it was moved.
    """
    if not is_public(interaction) or not isinstance(interaction.channel, discord.TextChannel):
        return False
    settings = await services_of(interaction).settings.view(interaction.channel.guild.id)
    may = interaction.app_permissions
    if not settings.duel_threads or not (
        may.create_public_threads and may.send_messages_in_threads
    ):
        return False
    try:
        challenger = await interaction.channel.guild.fetch_member(game.challenger_id or 0)
    except discord.HTTPException:
        return False
    name = words.thread_name(challenger.display_name, interaction.user.display_name)
    return await move_to_thread(interaction, game, name)

"""Ending a duel early: resigning, calling it off, or none of it after all."""

from collections.abc import Coroutine
from typing import Any

from bot.duels.model.duel import DuelGame
from bot.duels.model.errors import DuelStateError
from bot.duels.pages import labels as words
from bot.text.language import say
from cogs.duels.moves import is_public, open_page, play, show_refusal
from cogs.duels.pages import (
    ASK,
    CANCEL,
    KEEP,
    LEAVE,
    RESIGN,
    STAY,
    duel_button,
)
from cogs.ui.pages import notice
from cogs.ui.replies import Interaction, services_of, show
from cogs.ui.routes import By, pressed


@pressed(ASK, by=By.PLAYERS)
async def ask_whether_to_stop(interaction: Interaction, duel: int) -> None:
    """Ask whether *Resign* or *Call it off* is meant."""
    playing = services_of(interaction).duels.playing
    await _ask(interaction, playing.prepare_to_stop(interaction.user.id, duel))


@pressed(CANCEL, by=By.PLAYERS)
async def ask_whether_to_call_off(interaction: Interaction, duel: int) -> None:
    """Ask whether *Call it off* is meant; once somebody has guessed, that is refused."""
    playing = services_of(interaction).duels.playing
    await _ask(interaction, playing.prepare_to_leave(interaction.user.id, duel))


async def _ask(interaction: Interaction, preparing: Coroutine[Any, Any, DuelGame]) -> None:
    try:
        game = await preparing
    except DuelStateError as error:
        await show_refusal(interaction, error)
        return
    # A button of its own: what this asks must not become another thing by what others do.
    act = LEAVE if game.can_be_called_off else RESIGN
    # Beside the board, the question goes and leaves no second one.
    keep = STAY if is_public(interaction) else KEEP
    answers = [duel_button(act, game), duel_button(keep, game)]
    await show(interaction, notice(words.stop_question(game), answers))


@pressed(LEAVE, by=By.PLAYERS)
async def call_off(interaction: Interaction, duel: int) -> None:
    """Call off a duel in which nobody has guessed."""
    playing = services_of(interaction).duels.playing
    await play(interaction, playing.leave(interaction.user.id, duel))


@pressed(RESIGN, by=By.PLAYERS)
async def resign(interaction: Interaction, duel: int) -> None:
    """Resign."""
    playing = services_of(interaction).duels.playing
    await play(interaction, playing.resign(interaction.user.id, duel))


@pressed(STAY, by=By.ANYBODY)
async def stay(interaction: Interaction, duel: int) -> None:  # noqa: ARG001 - the route names it
    """Leave a duel as it is, after the question beside its board."""
    await show(interaction, notice(say(words.STAYED)))


@pressed(KEEP, by=By.PLAYERS)
async def keep_playing(interaction: Interaction, duel: int) -> None:
    """Show the page again on which the question was asked."""
    await open_page(interaction, duel)

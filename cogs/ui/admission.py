"""Admission: every click, command and form passes here, and is refused if its player hurries."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, cast

import discord
from discord import app_commands

from bot.people.game.allowance import Cost, Verdict
from bot.refusals import unknown_command
from bot.refused import OutdatedError, TooFastError
from cogs.ui.faults import UNDONE
from cogs.ui.options import misfit
from cogs.ui.pages import notice
from cogs.ui.replies import Interaction, answering, in_good_time, report, services_of, whisper
from cogs.ui.urgency import hurry

CommandCost = Cost | Callable[[app_commands.Namespace], Cost]
"""What a command costs, or how that follows from its options."""

ENTRY_POINT: Final = 4
"""The kind of command that launches an activity, of which the library does not know."""

_EXTRA: Final = "cost"


def costs(cost: CommandCost) -> dict[Any, Any]:
    """The extras of a command that costs something else than most."""
    return {_EXTRA: cost}


def _cost_of_command(interaction: Interaction) -> Cost:
    """What the command costs that somebody sends."""
    if interaction.type is discord.InteractionType.autocomplete:
        return Cost.TYPING
    command = interaction.command
    cost: CommandCost = Cost.LIGHT if command is None else command.extras.get(_EXTRA, Cost.LIGHT)
    return cost if isinstance(cost, Cost) else cost(interaction.namespace)


async def is_admitted(interaction: Interaction, cost: Cost) -> bool:
    """Whether to do what somebody asks for; if not, they need no further answer.

    What is heavy waits until what is heavy and the same player asked for before is done.

    Raises:
        TooFastError: it is not done, and the player is to be told.
    """
    allowances, player_id = services_of(interaction).allowances, interaction.user.id
    verdict = allowances.take(player_id, cost)
    if verdict is Verdict.GRANTED:
        if cost in {Cost.HEAVY, Cost.COACH}:
            await allowances.begin()
        if cost is Cost.HEAVY:
            task = cast("asyncio.Task[object]", asyncio.current_task())
            await in_good_time(interaction, allowances.turn(player_id, task))
        return True
    if cost is Cost.TYPING:
        await _propose_nothing(interaction)
        return False
    if verdict is Verdict.REFUSED:
        raise TooFastError
    with suppress(*UNDONE):
        await _acknowledge(interaction)
    return False


async def _propose_nothing(interaction: Interaction) -> None:
    """Answer who is typing with no proposals."""
    with suppress(*UNDONE):
        await cast("Any", interaction.response).autocomplete([])


async def _acknowledge(interaction: Interaction) -> None:
    """Answer so that nothing is seen to change."""
    if interaction.message is not None:
        await interaction.response.defer()
    else:  # what was typed cannot be answered with nothing
        await interaction.response.defer(ephemeral=True)
        await interaction.delete_original_response()


class GuardedTree(app_commands.CommandTree[discord.Client]):
    """A command tree that lets nobody hurry too much, and reports errors to the player."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Speak the player's language in the command that follows, if it may follow.

        The library cannot find the one that launches an activity, which is the host's, not ours.
        """
        hurry(interaction)
        async with answering(interaction):
            is_ours = cast("dict[str, Any]", interaction.data).get("type") != ENTRY_POINT
            wrong = misfit(interaction) if is_ours else ""
            cost = Cost.LIGHT if wrong or not is_ours else _cost_of_command(interaction)
            if not await is_admitted(interaction, cost):
                return False
            if wrong and interaction.type is discord.InteractionType.autocomplete:
                await _propose_nothing(interaction)
                return False
            if wrong:
                raise OutdatedError(what=wrong)
            if is_ours:
                return True
            await whisper(interaction, notice(unknown_command()))
        return False

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Report what a command raised."""
        await report(interaction, error)

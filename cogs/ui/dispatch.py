"""What happens to each interaction: rate limit, parsing, permission, handler."""

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final, cast

import discord
from discord import app_commands

from bot.games.game import Clicked, note_click
from bot.games.model import Source
from bot.moderation.model import KeptOutError
from bot.people.game import Admission, Cost
from bot.refusals import unknown_command
from bot.refused import (
    NothingChosenError,
    NotManagerError,
    NotYoursError,
    OutdatedError,
    TooFastError,
)
from cogs.ui.deliveries import UNDONE
from cogs.ui.host import Host
from cogs.ui.members import is_member
from cogs.ui.pages import notice
from cogs.ui.replies import (
    Interaction,
    answering,
    hurry,
    in_good_time,
    launch,
    note_attempt,
    report,
    typed_values,
    whisper,
)
from cogs.ui.routes import Argument, By, Handler, Means, find_handler, misfit

CommandCost = Cost | Callable[[app_commands.Namespace], Cost]
"""A command's cost, or a function that finds the cost by the command's options."""

ENTRY_POINT: Final = 4
"""Discord's number for the command that launches an Activity; discord.py does not know it."""

_EXTRA: Final = "cost"


def costs(cost: CommandCost) -> dict[Any, Any]:
    """Build the `extras` of a command; without them it costs `Cost.LIGHT`."""
    return {_EXTRA: cost}


def _cost_of_command(interaction: Interaction) -> Cost:
    if interaction.type is discord.InteractionType.autocomplete:
        return Cost.TYPING
    command = interaction.command
    cost: CommandCost = Cost.LIGHT if command is None else command.extras.get(_EXTRA, Cost.LIGHT)
    return cost if isinstance(cost, Cost) else cost(interaction.namespace)


async def is_admitted(interaction: Interaction, cost: Cost) -> bool:
    """Return true if an interaction may be handled.

    Return false for one to ignore, after an answer that changes nothing visible. Heavy work waits
    here for the same player's earlier heavy work.

    Raises:
        KeptOutError: the host keeps the player out; `/privacy` is open to them all the same.
        TooFastError: the rate limit refuses the player, and they were not told so just before.
    """
    services, player_id = interaction.client.services, interaction.user.id
    allowances = services.allowances
    admission = allowances.take(player_id, cost)
    if admission is Admission.GRANTED:
        if services.moderation.is_kept_out(player_id) and not is_about_own_data(interaction):
            if cost is not Cost.TYPING:
                raise KeptOutError
            await _propose_nothing(interaction)
            return False
        if cost in {Cost.HEAVY, Cost.COACH}:
            await allowances.begin()
        if cost is Cost.HEAVY:
            task = cast("asyncio.Task[object]", asyncio.current_task())
            await in_good_time(interaction, allowances.turn(player_id, task))
        return True
    if cost is Cost.TYPING:
        await _propose_nothing(interaction)
        return False
    if admission is Admission.REFUSED:
        raise TooFastError
    # Answered without any visible change.
    with suppress(*UNDONE):
        if interaction.message is not None:
            await interaction.response.defer()
        else:  # a command cannot be answered with nothing
            await interaction.response.defer(ephemeral=True)
            await interaction.delete_original_response()
    return False


def is_about_own_data(interaction: Interaction) -> bool:
    """Return true for `/privacy` and its buttons, open even to users whom the host keeps out."""
    data: Mapping[str, Any] = interaction.data or {}
    return data.get("name") == "privacy" or data.get("custom_id", "").startswith("priv:")


async def _propose_nothing(interaction: Interaction) -> None:
    with suppress(*UNDONE):
        await cast("Any", interaction.response).autocomplete([])


class GuardedTree(app_commands.CommandTree[Host]):
    """discord.py's list of our commands; it limits rates, and tells the player of errors."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Set the player's language; return true if the library may run the command.

        If it may not, the player has been answered. So are those who use the command that launches
        the Activity: Discord has made it, and the library does not know it.
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
            if not interaction.client.has_activity or not await launch(interaction):
                await whisper(interaction, notice(unknown_command()))
        return False

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        await report(interaction, error)


async def dispatch(interaction: Interaction) -> None:
    """Handle a button, a list or a form by its id; tell the player of errors."""
    data = cast("dict[str, Any]", interaction.data)
    is_form = interaction.type is discord.InteractionType.modal_submit
    hurry(interaction)
    async with answering(interaction):
        found = find_handler(data["custom_id"], is_form=is_form)
        if not await is_admitted(interaction, Cost.LIGHT if found is None else found[0].cost):
            return
        if found is None:
            raise OutdatedError(what="an id")
        handler, arguments = found
        _note_click(interaction, arguments)
        await _require_allowed(interaction, handler.by, arguments)
        given = _given(handler, data)
        note_attempt(interaction, handler.attempt(data["custom_id"], given, arguments))
        if handler.means is Means.BUTTON:
            await handler.answer(interaction, **arguments)
        else:
            await handler.answer(interaction, given, **arguments)


_SOURCES: Final = {"game": Source.MASTERMIND} | {source.value: source for source in Source}
"""What a route's argument is the id of."""


def _note_click(interaction: Interaction, arguments: Mapping[str, Any]) -> None:
    """Note which game's public message was clicked."""
    message = interaction.message
    if message is None or message.flags.ephemeral:
        return
    for name, source in _SOURCES.items():
        if name in arguments:
            place = interaction.channel_id or 0
            note_click(Clicked(source, arguments[name], place, message.id))


async def _require_allowed(interaction: Interaction, by: By, arguments: Mapping[str, Any]) -> None:
    """Refuse those who may not use what is for managers or members; games' services do the rest."""
    if by is By.MANAGERS and not interaction.permissions.manage_guild:
        raise NotManagerError
    if by is By.MEMBERS:
        server = arguments["server"] if "server" in arguments else arguments["board"].guild_id
        if server is not None and not await is_member(interaction, server):
            raise NotYoursError


def _given(handler: Handler, data: Mapping[str, Any]) -> Any:
    """Parse the choice or choices of a list, or a form's values by field; None for buttons.

    Refuse a choice of nothing, and values that were never offered.
    """
    if handler.means is Means.BUTTON:
        return None
    resolved: Mapping[str, Mapping[str, Any]] = data.get("resolved", {})
    if handler.means is Means.FORM:
        texts = typed_values(data["components"])
        return {
            name: _read(kind, texts.get(name, ""), resolved, name)
            for name, kind in handler.fields.items()
        }
    texts = data.get("values", ())
    if len(texts) > handler.most:
        raise OutdatedError(what=f"so much at once in {handler.route}")
    (kind,) = handler.fields.values()
    values = [_read(kind, text, resolved, repr(handler.route)) for text in texts]
    if not values:
        raise NothingChosenError
    return values if handler.most > 1 else values[0]


def _read(
    kind: Argument, text: object, resolved: Mapping[str, Mapping[str, Any]], where: str
) -> Any:
    """Parse one value of a list or a form; if it is refused, `where` names it in the error."""
    is_kind = isinstance(text, str) and re.fullmatch(kind.pattern, text, re.ASCII | re.DOTALL)
    if not text and not is_kind:
        raise NothingChosenError
    try:
        if is_kind and (not kind.among or text in resolved.get(kind.among, {})):
            return kind.read(cast("str", text))
    except ValueError:
        pass
    raise OutdatedError(what=f"a value of {where}")

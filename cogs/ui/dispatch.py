"""Whatever has an id comes in here: it is admitted, read, held to who may use it, and done."""

import re
from collections.abc import Mapping
from typing import Any, cast

import discord

from bot.people.game.allowance import Cost
from bot.refused import NotAllowedError, NothingChosenError, NotYoursError, OutdatedError
from cogs.ui.admission import is_admitted
from cogs.ui.forms import typed_values
from cogs.ui.membership import is_member
from cogs.ui.replies import Interaction, answering, note_attempt
from cogs.ui.routes import Argument, By, Handler, Means, find_handler
from cogs.ui.urgency import hurry


async def dispatch(interaction: Interaction) -> None:
    """Do what a button, a list or a form asks for; errors are reported to who has used it."""
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
        await _require_allowed(interaction, handler.by, arguments)
        given = _given(handler, data)
        if handler.again is not None:
            kept = data["custom_id"] if handler.means is Means.BUTTON else given
            note_attempt(interaction, handler.again(kept, **arguments))
        if handler.means is Means.BUTTON:
            await handler.answer(interaction, **arguments)
        else:
            await handler.answer(interaction, given, **arguments)


async def _require_allowed(interaction: Interaction, by: By, arguments: Mapping[str, Any]) -> None:
    """Refuse what is not for who asks for it, as far as that can be told without the game.

    Raises:
        NotAllowedError: it is for who manages the server.
        NotYoursError: it is for the members of another server.
    """
    if by is By.MANAGERS and not interaction.permissions.manage_guild:
        raise NotAllowedError
    if by is By.MEMBERS:
        server = arguments["server"] if "server" in arguments else arguments["board"].guild_id
        if server is not None and not await is_member(interaction, server):
            raise NotYoursError


def _given(handler: Handler, data: Mapping[str, Any]) -> Any:
    """What was chosen in a list, or the values of a form's fields; None for buttons.

    Raises:
        NothingChosenError: nothing.
        OutdatedError: something that was never offered.
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
    """What a text stands for that came from a list or a form.

    Raises:
        NothingChosenError: it is empty, which is not of the kind.
        OutdatedError: it is not of the kind.
    """
    is_kind = isinstance(text, str) and re.fullmatch(kind.pattern, text, re.ASCII | re.DOTALL)
    if not text and not is_kind:
        raise NothingChosenError
    try:
        if is_kind and (not kind.among or text in resolved.get(kind.among, {})):
            return kind.read(cast("str", text))
    except ValueError:
        pass
    raise OutdatedError(what=f"a value of {where}")

"""What Discord would not let through: any id, any value, any option, from anybody, anywhere."""

from collections.abc import Mapping
from typing import Any, Final

import discord
from simcord import ChannelHandle, InteractionResult, MemberActor

from bot.games.model import Source
from cogs.ui.dispatch import ENTRY_POINT
from cogs.ui.routes import HANDLERS, Handler, Means
from tests.support.crowded import GAMES
from tests.support.ids import SAMPLES
from tests.support.simcord_gaps import Actor, env_of, interact

_COMMAND: Final = discord.InteractionType.application_command.value
_TYPING: Final = discord.InteractionType.autocomplete.value
_CLICK: Final = discord.InteractionType.component.value
_BUILT: Final = 1 << 15
_FORM: Final = discord.InteractionType.modal_submit.value


async def forge_click(
    who: Actor, channel: ChannelHandle, custom_id: str, *values: str
) -> InteractionResult:
    """Press a button with this id, or choose these values in a list, on a message of the bot's."""
    data = {"custom_id": custom_id, "component_type": 3 if values else 2, "values": list(values)}
    env = env_of(who)
    here = [{"type": 10, "id": 1, "content": "here"}]
    stored = env.backend.create_message(
        channel.id, env.backend.bot_user.id, None, components=here, flags=_BUILT
    )
    return await interact(who, _CLICK, channel, data, stored)


async def forge_form(
    who: Actor,
    channel: ChannelHandle,
    custom_id: str,
    fields: Mapping[str, Any],
    resolved: Mapping[str, Any] | None = None,
) -> InteractionResult:
    """Send a form with this id; a sequence is what was chosen in a list."""
    components = [
        {"type": 18, "component": {"custom_id": name, **_holding(value)}}
        for name, value in fields.items()
    ]
    data = {"custom_id": custom_id, "components": components, "resolved": dict(resolved or {})}
    return await interact(who, _FORM, channel, data)


async def forge_command(
    who: Actor,
    channel: ChannelHandle,
    name: str,
    *options: Mapping[str, Any],
    is_typing: bool = False,
) -> InteractionResult:
    """Send a command, or one of a group, with these options as Discord would have them."""
    command, *inside = name.split()
    given = list(options)
    if inside:
        given = [{"type": 1, "name": inside[0], "options": given}]
    data = {"id": "1", "name": command, "type": 1, "options": given}
    return await interact(who, _TYPING if is_typing else _COMMAND, channel, data)


async def forge_menu(
    who: Actor, channel: ChannelHandle, name: str, target_id: str
) -> InteractionResult:
    """Choose from the menu of a user of whom Discord tells nothing."""
    data: dict[str, Any] = {
        "id": "1",
        "name": name,
        "type": 2,
        "target_id": target_id,
        "resolved": {},
    }
    return await interact(who, _COMMAND, channel, data)


async def enter(who: Actor, channel: ChannelHandle) -> InteractionResult:
    """Open the bot's Activity from Discord's list of apps, of which SimCord knows nothing."""
    data = {"id": "1", "name": "launch", "type": ENTRY_POINT}
    return await interact(who, _COMMAND, channel, data)


def _holding(value: Any) -> dict[str, Any]:
    return {"values" if isinstance(value, list) else "value": value}


def samples_of(handler: Handler) -> list[dict[str, Any]]:
    """The arguments of the ids that are known of a handler's route; there is at least one."""
    is_form = handler.means is Means.FORM
    found = [handler.route.read(each) for each in SAMPLES if (":form" in each) is is_form]
    known = [arguments for arguments in found if arguments is not None]
    assert known, f"there is no sample of {handler.route}"
    return known


def handlers(*means: Means) -> list[Handler]:
    """All that are registered for buttons, lists or forms."""
    return [handler for handler in HANDLERS if handler.means in means]


def with_games(arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """An id's arguments with each game of `crowded` that it may name, if it names one."""
    (named, *_) = [*(GAMES.keys() & arguments.keys()), ""]
    sources: list[dict[str, Any]] = [{}]
    if "source" in arguments:
        sources = [{"source": source} for source in Source]
    numbers = range(1, GAMES.get(named, 1) + 1)
    return [
        {**arguments, **source, **({named: number} if named else {})}
        for source in sources
        for number in numbers
    ]


def dm_of(who: MemberActor) -> ChannelHandle:
    """Somebody's conversation with the bot."""
    env = env_of(who)
    return ChannelHandle(env, None, env.backend.get_dm_channel(who.id))

"""Answers to launches of an Activity, which SimCord does not support."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

import discord
import simcord
from discord import ui
from simcord.backend import Backend
from simcord.backend.models import Interaction
from simcord.http import router

_MESSAGE: Final = discord.InteractionResponseType.channel_message.value
_NOTE: Final = "On Discord, this opens by itself:"
_LAUNCH: Final = discord.InteractionResponseType.launch_activity.value


@dataclass(frozen=True, slots=True)
class Launch:
    """The Activity that an interaction has launched, and links to it, by their labels."""

    instance_id: str
    links: Mapping[str, str]


_launches = WeakKeyDictionary[Backend, Callable[[Interaction], Launch]]()
_dispatch = router.dispatch


def when_launched(env: simcord.Env, launch: Callable[[Interaction], Launch]) -> None:
    """Answer launches in a world with private links, since SimCord's page opens no Activity."""
    _launches[env.backend] = launch


def _dispatch_with_launches(
    backend: Backend, method: str, path: str, *, json: Any = None, **options: Any
) -> Any:
    launch = _launches.get(backend)
    is_answer = method == "POST" and path.endswith("/callback")
    if launch is None or not is_answer or cast("dict[str, Any]", json)["type"] != _LAUNCH:
        return _dispatch(backend, method, path, json=json, **options)
    launched = launch(backend.interactions[int(path.split("/")[2])])
    links = [ui.Button[Any](label=label, url=url) for label, url in launched.links.items()]
    view = ui.LayoutView().add_item(ui.TextDisplay(_NOTE)).add_item(ui.ActionRow(*links))
    flags = discord.MessageFlags(ephemeral=True, components_v2=True)
    data = {"flags": flags.value, "components": view.to_components()}
    answer = _dispatch(backend, method, path, json={"type": _MESSAGE, "data": data}, **options)
    instance = {"id": launched.instance_id}
    answer["interaction"]["activity_instance_id"] = launched.instance_id
    answer["resource"] = {"type": _LAUNCH, "activity_instance": instance}
    return answer


router.dispatch = _dispatch_with_launches

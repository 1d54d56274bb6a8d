"""FoCdle's page in a browser, and as an Activity in a window that stands in for Discord's."""

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

import discord
import simcord
from aiohttp import web
from discord import ui
from simcord.backend import Backend
from simcord.backend.models import Interaction
from simcord.http import router

from bot.address import Address
from bot.clock import Clock
from bot.games.model import Channel, GameName, Source
from bot.playground.discord_stub import DiscordStub, User, listening
from bot.playground.world import World
from bot.services import Services
from web.activity import Activity
from web.app import opened

WINDOW: Final = "Discord window"
_BROWSER: Final = "In a browser"
_SECRET: Final = "playground"  # noqa: S105 - nobody else's


@asynccontextmanager
async def open_activity(
    world: World, services: Services, clock: Clock, page: Address, window: Address
) -> AsyncGenerator[None]:
    """Serve FoCdle's page, and a window in which members open it, in the server or privately."""
    stub = DiscordStub(world.env.backend.application_id, _SECRET, _SECRET)
    stub.page = f"http://{page}/"
    users = _users(world)
    stub.codes = {user.username: user for user in users.values()}
    server = stub.runs(users.values(), world.channels[0].id, world.members[0].guild.id)
    alone = {user.id: stub.runs([user], user.id) for user in users.values()}

    def launch(interaction: Interaction) -> Launch:
        where, instance = "", server
        if interaction.guild_id is None:
            where, instance = "&dm=1", alone[interaction.user_id]
        query = f"?as={users[interaction.user_id].username}{where}"
        links = {WINDOW: f"http://{window}/{query}", _BROWSER: f"http://{window}/page{query}"}
        return Launch(instance, links)

    async def show_page(request: web.Request) -> web.Response:
        """Redirect to FoCdle's page with a ticket to the board last launched, or to today's."""
        player = stub.codes[request.query["as"]].id
        place = alone[player] if "dm" in request.query else server
        there = stub.instances[place]
        channel = Channel.of(there.guild_id, there.channel_id)
        launched = await services.sessions.find_launch(player, place)
        board = GameName.read(launched.place) if launched and launched.place else None
        if board is None:
            board = GameName(Source.PLAY, (await services.daily.open(player, there.guild_id)).id)
        ticket = await services.sessions.earn(player, channel, board)
        raise web.HTTPSeeOther(f"http://{page}/#{ticket}.{board}")

    when_launched(world.env, launch)
    activity = Activity(
        world.env.backend.application_id,
        _SECRET,
        _SECRET,
        api=f"http://{window}/api/v10",
        parents=(f"http://{window}",),
    )
    shown = stub.app()
    shown.router.add_get("/page", show_page)
    async with (
        listening(shown, window.port),
        opened(page, f"http://{page}", services, clock, activity=activity),
    ):
        yield


def _users(world: World) -> dict[int, User]:
    known = world.env.backend.users
    return {
        each.id: User(each.id, each.name, known[each.id].global_name or each.name)
        for each in world.members
    }


# Answers to launches of an Activity, which SimCord does not support.

_MESSAGE: Final = discord.InteractionResponseType.channel_message.value
_NOTE: Final = f"On Discord, this opens by itself. Here, press **{WINDOW}**."
_LAUNCH: Final = discord.InteractionResponseType.launch_activity.value


@dataclass(frozen=True, slots=True)
class Launch:
    """The instance of an Activity, and the links that open it, keyed by their buttons' labels."""

    instance_id: str
    links: Mapping[str, str]


_launches = WeakKeyDictionary[Backend, Callable[[Interaction], Launch]]()
_dispatch = router.dispatch


def when_launched(env: simcord.Env, launch: Callable[[Interaction], Launch]) -> None:
    """Answer each launch of an Activity in a world with links: SimCord's page opens no Activity."""
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

"""The page in a browser, and within Discord's window."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Final

from simcord.backend.models import Interaction

from bot.address import Address
from bot.clock import Clock
from bot.playground.discord_stub import DiscordStub, User
from bot.playground.launching import Launch, when_launched
from bot.playground.world import World
from bot.services import Services
from web.activity import Activity
from web.app import opened

WINDOW: Final = "Discord window"
_SECRET: Final = "playground"  # noqa: S105 - nobody else's


@asynccontextmanager
async def open_activity(
    world: World, services: Services, clock: Clock, page: Address, window: Address
) -> AsyncGenerator[None]:
    """Serve the page, and the window in which all members have it in their server or alone."""
    stub = DiscordStub(world.env.backend.application_id, _SECRET, _SECRET)
    stub.page = f"http://{page}/"
    known = world.env.backend.users
    users = {
        each.id: User(each.id, each.name, known[each.id].global_name or each.name)
        for each in world.members
    }
    stub.codes = {user.username: user for user in users.values()}
    server = stub.runs(users.values(), world.channels[0].id, world.members[0].guild.id)
    alone = {user.id: stub.runs([user], user.id) for user in users.values()}

    def launch(interaction: Interaction) -> Launch:
        where, instance = "", server
        if interaction.guild_id is None:
            where, instance = "&dm=1", alone[interaction.user_id]
        user = users[interaction.user_id]
        return Launch(instance, WINDOW, f"http://{window}/?as={user.username}{where}")

    when_launched(world.env, launch)
    activity = Activity(
        world.env.backend.application_id,
        _SECRET,
        _SECRET,
        api=f"http://{window}/api/v10",
        parents=(f"http://{window}",),
    )
    async with (
        stub.served(window.port),
        opened(page, f"http://{page}", services, clock, activity=activity),
    ):
        yield

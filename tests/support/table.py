"""A server with the bot in it and three members who play: what the stories are told with."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from typing import Any, TypeVar

import discord
import simcord
from discord.ext import commands
from simcord import ChannelHandle, InteractionResult, MemberActor, ResponseMessage, RoleHandle

from bot.app import CodebreakerBot, HostChoices
from bot.playground.world import World, open_world
from bot.services import Services, open_services
from cogs.hosting import UpkeepCog
from cogs.ui.schedule import TimedCog
from tests.support.clock import FakeClock
from tests.support.screen import buttons, seen
from tests.support.simcord_gaps import unsettled
from tests.support.waiting import until_delivered

CogT = TypeVar("CogT", bound=commands.Cog)

KEY = "a key that the tests share"
SECRET = "66%65%72=1"
"""Puzzle 324 at length 10 under `KEY`."""


class StillBot(CodebreakerBot):
    """The bot while its timers stand still, as the clock does.

    Running, they took half of what a table's opening took, and some of every action; in a new
    database they found nothing.
    """

    async def add_cog(self, cog: commands.Cog, /, **options: Any) -> None:
        if isinstance(cog, TimedCog):
            vars(cog)["cog_load"] = _begin_nothing
        await super().add_cog(cog, **options)


async def _begin_nothing() -> None: ...


class Table:
    """The real bot on a real database in a world of its own.

    Its timers stand still until it is restarted; what they would do, a story asks of their cog.
    """

    def __init__(self, clock: FakeClock, url: str) -> None:
        self.clock = clock
        self._url = url
        self._stack = AsyncExitStack()
        self._services = AsyncExitStack()
        self._world: World | None = None
        self._opened: Services | None = None

    async def open(self) -> None:
        bot = StillBot(await self._open_services(), upload_tiles=False)
        self._world = await self._stack.enter_async_context(open_world(bot, self.clock, shards=2))

    async def close(self) -> None:
        await self._stack.aclose()
        await self._services.aclose()

    async def restart(
        self,
        *,
        avatars: bool = True,
        contact: str = "",
        forget_after: timedelta | None = None,
        web_url: str = "",
        has_activity: bool = False,
    ) -> None:
        """End the bot and start another on the same database, timers and all; Discord goes on."""
        await self._services.aclose()
        services = await self._open_services(avatars=avatars)
        choices = HostChoices(
            contact=contact,
            forget_after=forget_after,
            web_url=web_url,
            has_activity=has_activity,
        )
        bot = CodebreakerBot(services, upload_tiles=False, choices=choices)
        await self.env.restart_bot(bot)
        self.cog(UpkeepCog).work_out.cancel()  # levels would be told sooner or later

    async def _open_services(self, *, avatars: bool = True) -> Services:
        self._opened = await self._services.enter_async_context(
            open_services(self._url, self.clock, puzzle_key=KEY, avatars=avatars)
        )
        return self._opened

    @property
    def services(self) -> Services:
        """What the bot stands on, for what a story need not do by hand."""
        assert self._opened is not None
        return self._opened

    @property
    def world(self) -> World:
        assert self._world is not None
        return self._world

    @property
    def env(self) -> simcord.Env:
        return self.world.env

    @property
    def bot(self) -> CodebreakerBot:
        assert isinstance(self.env.bot, CodebreakerBot)
        return self.env.bot

    @property
    def channel(self) -> ChannelHandle:
        return self.world.channels[0]

    @property
    def ann(self) -> MemberActor:
        return self.world.members[0]

    @property
    def ben(self) -> MemberActor:
        return self.world.members[1]

    def cog(self, kind: type[CogT]) -> CogT:
        """One of the bot's cogs, whose rounds a story calls."""
        found = self.bot.get_cog(kind.__name__)
        assert isinstance(found, kind)
        return found

    async def rounds(self, *loops: Callable[[], Awaitable[object]]) -> None:
        """Let the bot look what is due, and deliver it."""
        for loop in loops:
            await loop()
            await until_delivered()
        await self.env.settle()

    def let_manage(self, who: MemberActor) -> RoleHandle:
        """Give a member a role with Manage Server."""
        role = who.guild.create_role("Host", permissions=discord.Permissions(manage_guild=True))
        self.env.backend.add_member_role(who.guild.id, who.id, role.id)
        return role

    async def focdle(self, who: MemberActor, **options: Any) -> ResponseMessage:
        """Type the command; what it answers."""
        return seen(await who.slash(self.channel, "focdle", **options))

    async def form(self, who: MemberActor, board: ResponseMessage) -> InteractionResult:
        """Press *Guess*, or *Edit* in its place; the open form."""
        label = "Guess" if "Guess" in buttons(board) else "Edit"
        return await who.click(board, label=label)

    async def guess(self, who: MemberActor, board: ResponseMessage, text: str) -> ResponseMessage:
        """Guess by the form; what is seen then."""
        shown = await self.form(who, board)
        return seen(await who.submit_modal(shown, {"guess": text}))

    async def more(self, who: MemberActor, board: ResponseMessage) -> ResponseMessage:
        """Press *More* on a board; the board with what that offers."""
        return seen(await who.click(board, label="More"))

    async def dismiss(self, message: ResponseMessage) -> None:
        """Take a message away, as *Dismiss message* does."""
        self.env.backend.delete_message(message.channel_id, message.id)

    async def at_once(self, actions: Sequence[Awaitable[Any]]) -> list[Any]:
        """Let Discord do several things before the bot has answered any.

        SimCord waits for the bot after each action; here it waits after the last.
        """
        with unsettled(self.env):
            results = [await action for action in actions]
        await self.env.settle()
        return results


@asynccontextmanager
async def open_table(url: str, clock: FakeClock) -> AsyncGenerator[Table]:
    """A table on an empty, migrated database."""
    table = Table(clock, url)
    await table.open()
    try:
        yield table
    finally:
        await table.close()

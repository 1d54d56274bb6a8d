"""What the bot sends of its own accord: posts, finishers' threads, reminders, running messages."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterable
from contextlib import suppress
from typing import Final, TypeVar

import discord
from discord.ext import commands, tasks

from bot.errors import ClosingError
from bot.posts.game.running_life import BETWEEN_EDITS
from cogs.focdle.running_message import keep
from cogs.posts.daily_post import deliver_post
from cogs.posts.finishers_threads import close_thread, serve_thread
from cogs.posts.reminders import deliver_reminder
from cogs.ui.timed import TimedCog

T = TypeVar("T", bound=Hashable)

_ROUND_SECONDS: Final = 10
_AT_ONCE: Final = 5


class PostsCog(TimedCog):
    """Looks every few seconds what is due; what that is, the services decide."""

    @tasks.loop(seconds=_ROUND_SECONDS)
    async def post(self) -> None:
        """Send the daily posts that are due."""
        await self._round(
            "daily post",
            self._services.posts.book.due,
            lambda guild_id: deliver_post(self._client, self._services, guild_id),
        )

    @tasks.loop(seconds=_ROUND_SECONDS)
    async def thread(self) -> None:
        """Add finishers to their threads, and close those whose time is over."""
        await self._round(
            "finishers' thread",
            self._services.posts.threads.waiting,
            lambda which: serve_thread(self._client, self._services, *which),
        )
        await self._round(
            "closing thread",
            self._services.posts.threads.to_close,
            lambda row: close_thread(self._client, self._services, row),
        )

    @tasks.loop(seconds=_ROUND_SECONDS)
    async def remind(self) -> None:
        """Send the reminders that are due."""
        await self._round(
            "reminder",
            self._services.reminders.due,
            lambda player_id: deliver_reminder(self._client, self._services, player_id),
        )

    @tasks.loop(seconds=BETWEEN_EDITS.total_seconds())
    async def run(self) -> None:
        """Bring running messages up to date."""
        await self._round(
            "running message",
            self._services.running.due,
            lambda running_id: keep(self._client, self._services, running_id),
        )

    @post.before_loop
    @thread.before_loop
    @remind.before_loop
    @run.before_loop
    async def until_begun(self) -> None:
        """Nothing can be sent before."""
        await self._hearing.until_begun()

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread that somebody has deleted is not filled any more."""
        threads = self._services.posts.threads
        gone = threads.was_deleted(payload.guild_id, payload.thread_id)
        await self._attempt("deleted thread", gone)

    async def _round(
        self,
        name: str,
        due: Callable[[], Awaitable[Iterable[T]]],
        deliver: Callable[[T], Awaitable[None]],
    ) -> None:
        """Deliver what is due, a few at once; what fails is tried again in a later round."""
        gate = asyncio.Semaphore(_AT_ONCE)

        async def one(what: T) -> None:
            async with gate:
                with suppress(ClosingError), self._failures.telling(name, of=what):
                    await deliver(what)

        async def all_of_them() -> None:
            await asyncio.gather(*(one(what) for what in await due()))

        with suppress(ClosingError), self._failures.telling(f"{name}s"):
            await all_of_them()

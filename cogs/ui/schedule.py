"""Loops of cogs; the timing and the rate of requests; logins in turn."""

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Hashable, Iterable, Iterator
from functools import partial
from time import monotonic
from types import SimpleNamespace
from typing import Any, Final, TypeVar, cast

import aiohttp
import discord
from discord.ext import commands, tasks

from bot.errors import ClosingError, StorageError
from bot.failures import Failures
from bot.games.game import TRY_SECONDS
from bot.gauges import Gauges
from bot.outages import ShardRange
from bot.services import Services
from bot.shards.game import LASTS, Logins
from cogs.ui.host import Host
from cogs.ui.replies import Interaction

Due = TypeVar("Due", bound=Hashable)

_AT_ONCE: Final = 100
"""The most of a kind that a cog delivers at once; after an outage thousands may be due."""


class TimedCog(commands.Cog):
    """A cog whose loops, its members of the type `tasks.Loop`, run as long as it is loaded.

    What the loops `_begin` ends with them.

    Attributes:
        waits: whether the loops begin only once a shard is ready: nothing can be sent before.
    """

    waits = False

    def __init__(self, client: Host, services: Services) -> None:
        self._client = client
        self._services = services
        self._hearing = client.hearing
        self._failures = Failures(logging.getLogger(type(self).__module__))
        self._begun: dict[tuple[str, Hashable], asyncio.Task[bool]] = {}

    async def cog_load(self) -> None:
        for loop in self._loops():
            if self.waits:
                loop.before_loop(TimedCog._until_begun)
            loop.start()

    async def cog_unload(self) -> None:
        for loop in self._loops():
            loop.cancel()
        for task in self._begun.values():
            task.cancel()

    async def _until_begun(self) -> None:
        await self._hearing.begun.wait()

    def _loops(self) -> Iterator[tasks.Loop[Any]]:
        for name, member in vars(type(self)).items():
            if isinstance(member, tasks.Loop):
                yield getattr(self, name)

    async def _attempt(self, what: str, work: Awaitable[object], *, of: Hashable = None) -> bool:
        """Await work, and log its failure as one of `what`, counted by `of`.

        If the database is closed, stop the loops and return false; else return true, even after a
        failure.
        """
        try:
            with self._failures.telling(what, of=of):
                await work
        except ClosingError:
            await self.cog_unload()
            return False
        return True

    def _begin(self, what: str, of: Hashable, work: Callable[[], Awaitable[object]]) -> bool:
        """Begin to `_attempt` the delivery `what` of an object, unless that is under way.

        It goes on in the background, so that no delivery waits for another. Return false if so many
        of its kind are under way that a later round has to begin it.
        """
        if (what, of) in self._begun:
            return True
        if sum(kind == what for kind, _ in self._begun) >= _AT_ONCE:
            return False
        attempt = self._attempt(what, work(), of=of)
        task = asyncio.create_task(attempt, name=f"delivery: {what}")
        self._begun[what, of] = task
        task.add_done_callback(partial(self._begun.pop, (what, of)))
        return True

    async def _deliver(
        self,
        what: str,
        finding: Awaitable[Iterable[Due]],
        deliver: Callable[[Host, Services, Due], Awaitable[object]],
    ) -> None:
        """Find what is due, and begin to deliver it; what fails stays due, for a later round."""

        async def begin() -> None:
            for due in await finding:
                work = partial(deliver, self._client, self._services, due)
                if not self._begin(what, due, work):
                    return

        await self._attempt(f"{what}s", begin())


# Timing of requests to Discord, and of first answers to interactions. aiohttp calls the callbacks
# of a `TraceConfig` for each request of the library.

_PATIENCE_SECONDS: Final = 3.0
"""How long Discord waits for the first answer to an interaction."""
_OTHER: Final = "other"
_KINDS: Final = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "typing",
    discord.InteractionType.modal_submit: "form",
}
_COMPONENT: Final = discord.InteractionType.component
_BUTTON: Final = discord.ComponentType.button.value

_FIRST_ANSWER: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
# Constant words in Discord's paths. Anything else is an id, a token, or typed text.
_WORDS: Final = frozenset(
    {"@me", "@original", "applications", "attachments", "bot", "callback", "channels", "commands"}
    | {"emojis", "gateway", "guilds", "interactions", "members", "messages", "oauth2", "pins"}
    | {"reactions", "thread-members", "threads", "typing", "users", "webhooks"}
)
_VERSION: Final = re.compile(r"^/api(?:/v\d+)?(?=/)")
_MOST_PARTS: Final = 8


def template_of(path: str) -> str:
    """Reduce a request's path to a template, so that there are few to count by.

    >>> template_of("/api/v10/channels/123/messages/456")
    '/channels/{}/messages/{}'
    >>> template_of("/api/v10/interactions/123/a-token/callback")
    '/interactions/{}/{}/callback'
    """
    parts = _VERSION.sub("", path).strip("/").split("/")
    if len(parts) > _MOST_PARTS:
        return _OTHER
    return "/" + "/".join(part if part in _WORDS or not part else "{}" for part in parts)


class Timing:
    """Tells gauges how long requests to Discord take, and first answers to interactions."""

    def __init__(self, gauges: Gauges, now: Callable[[], float] = monotonic) -> None:
        self._gauges = gauges
        self._now = now
        self._unanswered: dict[int, tuple[str, float]] = {}  # oldest first

    def add_to(self, trace: aiohttp.TraceConfig) -> None:
        """Let a trace time its session's requests; if it is one of `paced`, without its waits."""
        trace.on_request_start.append(self._begin)
        trace.on_request_end.append(self._end)
        trace.on_request_exception.append(self._fail)

    def arrived(self, interaction: Interaction) -> None:
        self.look()
        kind = _KINDS.get(interaction.type, _OTHER)
        if interaction.type is _COMPONENT:
            data = cast("dict[str, Any]", interaction.data)
            kind = "button" if data.get("component_type") == _BUTTON else "list"
        self._unanswered[interaction.id] = kind, self._now()

    def look(self) -> None:
        """Count the interactions that were not answered in time, each once."""
        before = self._now() - _PATIENCE_SECONDS
        while self._unanswered:
            number, (kind, arrived_at) = next(iter(self._unanswered.items()))
            if arrived_at > before:
                return
            del self._unanswered[number]
            self._gauges.left_unanswered(kind)

    async def _begin(
        self,
        _session: aiohttp.ClientSession,
        request: SimpleNamespace,
        _begun: aiohttp.TraceRequestStartParams,
    ) -> None:
        request.began_at = self._now()

    async def _end(
        self,
        _session: aiohttp.ClientSession,
        request: SimpleNamespace,
        ended: aiohttp.TraceRequestEndParams,
    ) -> None:
        status = ended.response.status
        self._tell(request, ended.method, ended.url.path, str(status))
        answered = _FIRST_ANSWER.search(ended.url.path)
        if answered is not None and ended.response.ok:
            kind, arrived_at = self._unanswered.pop(int(answered[1]), ("", 0.0))
            if kind:
                self._gauges.acknowledged(kind, self._now() - arrived_at)

    async def _fail(
        self,
        _session: aiohttp.ClientSession,
        request: SimpleNamespace,
        failed: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        self._tell(request, failed.method, failed.url.path, "failed")

    def _tell(self, request: SimpleNamespace, method: str, path: str, status: str) -> None:
        route = f"{method} {template_of(path)}"
        self._gauges.requested(route, status, self._now() - request.began_at)


log = logging.getLogger(__name__)

# Discord allows 50 a second, not counting answers to interactions; this leaves some room.
_REQUESTS_A_SECOND: Final = 45.0
_LIMITED: Final = "/api/"
_REST_SECONDS: Final = 30.0
_HOUR_MILLISECONDS: Final = 3_600_000
_UNLIMITED: Final = ("/interactions/", "/webhooks/")


class Pace:
    """A rate limit: those who `wait` go on one after the other, at most `a_second` in a second."""

    def __init__(self, a_second: float) -> None:
        self._between = 1 / a_second
        self._next = 0.0

    async def wait(self) -> None:
        now = monotonic()
        begins = max(self._next, now)
        self._next = begins + self._between
        if begins > now:
            await asyncio.sleep(begins - now)


def paced(shards: ShardRange) -> aiohttp.TraceConfig:
    """Make a trace that holds requests back: this process has a share of Discord's limit.

    The share is that of its shards among all. Answers to interactions are not held back.
    """
    pace = Pace(_REQUESTS_A_SECOND * len(shards.numbers) / shards.count)

    async def wait(_session: Any, _context: Any, request: aiohttp.TraceRequestStartParams) -> None:
        path = request.url.path
        if path.startswith(_LIMITED) and not any(part in path for part in _UNLIMITED):
            await pace.wait()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(wait)
    return trace


class GlobalLimit(asyncio.Event):
    """Holds back all requests of the library's while Discord limits the whole bot.

    The library clears it then, and would never set it again if the request that met the limit is
    cancelled: nothing would reach Discord any more.
    """

    def __init__(self, seconds: float = TRY_SECONDS) -> None:
        super().__init__()
        self._seconds = seconds
        self.set()

    def clear(self) -> None:
        super().clear()
        asyncio.get_running_loop().call_later(self._seconds, self.set)


class TooManyLoginsError(Exception):
    """Fewer logins are left today than the bot has shards; beyond them Discord resets the token."""


class LoginQueue:
    """Lets the shards of all processes log in one after the other, as Discord demands."""

    def __init__(self, client: Host, logins: Logins) -> None:
        self._client = client
        self._logins = logins
        self._at_once = 0

    async def wait(self, shard: int) -> None:
        """Wait for a shard's turn to log in; if the database fails, wait as long as a turn lasts.

        Raises:
            TooManyLoginsError: fewer logins are left today than the bot has shards. Only a
                process's first login checks this. The error comes after half a minute.
        """
        if not self._at_once:
            _, _, limits = await self._client.http.get_bot_gateway()
            if limits["remaining"] < (self._client.shard_count or 1):
                log.error(
                    "Discord's limit of logins is nearly reached: %d are left for %.1f hours, "
                    "fewer than all shards need. Look in the log for what makes processes start "
                    "again and again. Until then, no process logs in: Discord would take the token "
                    "away.",
                    limits["remaining"],
                    limits["reset_after"] / _HOUR_MILLISECONDS,
                )
                await asyncio.sleep(_REST_SECONDS)
                raise TooManyLoginsError
            self._at_once = limits["max_concurrency"]
        try:
            seconds = (await self._logins.take(shard, self._at_once)).total_seconds()
        except StorageError as error:
            log.warning("shard %d logs in unasked: %r", shard, error)
            seconds = LASTS.total_seconds()
        await asyncio.sleep(seconds)

"""What goes by the clock, how long Discord takes, which shards are connected."""

import asyncio
import logging
import math
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from time import monotonic
from types import SimpleNamespace
from typing import Any, Final, Protocol, cast

import aiohttp
import discord
from discord.ext import commands, tasks

from bot.errors import ClosingError, StorageError
from bot.failures import Failures
from bot.gauges import Gauges
from bot.outages import Shard, ShardRange
from bot.services import Services
from bot.shards.game import LASTS, Logins
from cogs.ui.replies import Interaction


class Hearing:
    """The truth about each shard, as far as the library tells it.

    It says `disconnect` and `resumed` for each, too, but `ready` only for all at once, and that
    never again for one that has to begin anew.

    Args:
        client: the bot, not yet started.
        now: seconds of some clock.

    Attributes:
        heard: the shards by which events come now.
        patience: after so many seconds in which nothing has come by a shard, it is silent. Discord
            answers each heartbeat of the library, of which there is one in 41 seconds.
    """

    patience = 60.0

    def __init__(
        self, client: commands.AutoShardedBot, now: Callable[[], float] = monotonic
    ) -> None:
        self._client = client
        self._now = now
        self._heard_at: dict[int, float] = {}
        self._latencies: dict[int, float] = {}
        self.heard: set[int] = set()
        self._known: set[int] = set()
        self._is_begun = asyncio.Event()
        # Before all others, which are to find it as it is.
        client.add_listener(self._connected, "on_shard_connect")
        client.add_listener(self._connected, "on_shard_resumed")
        client.add_listener(self._learned, "on_shard_ready")
        client.add_listener(self._disconnected, "on_shard_disconnect")

    @property
    def count(self) -> int:
        """How many shards there are."""
        return self._client.shard_count or 1

    def knows(self, guild_id: int | None) -> bool:
        """Whether the bot can tell if it is in a server; None for direct messages.

        That is so from when the server's shard was ready for the first time.
        """
        return guild_id is None or any(
            Shard(number, self.count).serves(guild_id) for number in self._known
        )

    def is_ours(self, guild_id: int | None) -> bool:
        """Whether a server's events come to this process, and not to another one."""
        ids = self._client.shard_ids
        return ids is None or any(Shard(number, self.count).serves(guild_id) for number in ids)

    @property
    def numbers(self) -> Iterable[int]:
        """The shards of this process."""
        ids = self._client.shard_ids
        return range(self.count) if ids is None else ids

    @property
    def latencies(self) -> Mapping[int, float]:
        """How many seconds Discord took for the last heartbeat of each shard that has had one."""
        return {number: late for number, late in self._latencies.items() if math.isfinite(late)}

    def look(self) -> None:
        """Note who has had an answer since the last look, which is to be a second ago or so.

        The library tells nobody of it, but how long it took: another time is another answer.
        """
        for number, latency in self._client.latencies:
            if self._latencies.get(number) != latency:
                self._latencies[number] = latency
                if math.isfinite(latency):
                    self._heard_at[number] = self._now()

    def silent(self) -> list[int]:
        """The shards of this process by which nothing has come for a minute, if ever."""
        since = self._now() - self.patience
        return [number for number in self.numbers if self._heard_at.get(number, since) <= since]

    async def until_begun(self) -> None:
        """Wait until the first shard is ready."""
        await self._is_begun.wait()

    async def _connected(self, shard_id: int) -> None:
        self.heard.add(shard_id)
        self._heard_at[shard_id] = self._now()

    async def _learned(self, shard_id: int) -> None:
        self._known.add(shard_id)
        self._is_begun.set()

    async def _disconnected(self, shard_id: int) -> None:
        self.heard.discard(shard_id)


class _Host(Protocol):
    @property
    def hearing(self) -> Hearing: ...


def hearing_of(client: discord.Client) -> Hearing:
    """Which of the bot's shards are heard."""
    return cast("_Host", client).hearing


class TimedCog(commands.Cog):
    """Base of cogs with loops, which go on from the cog's beginning to its end.

    Args:
        client: the bot.
        services: the use cases.
    """

    def __init__(self, client: discord.Client, services: Services) -> None:
        self._client = client
        self._services = services
        self._hearing = hearing_of(client)
        self._failures = Failures(logging.getLogger(type(self).__module__))

    async def cog_load(self) -> None:
        """Begin."""
        for loop in self._loops():
            loop.start()

    async def cog_unload(self) -> None:
        """End."""
        for loop in self._loops():
            loop.cancel()

    def _loops(self) -> Iterator[tasks.Loop[Any]]:
        for name, member in vars(type(self)).items():
            if isinstance(member, tasks.Loop):
                yield getattr(self, name)

    async def _attempt(self, what: str, work: Awaitable[object]) -> bool:
        """Whether to go on; what fails, a busy database say, must not stop what is to come."""
        try:
            with self._failures.telling(what):
                await work
        except ClosingError:
            await self.cog_unload()
            return False
        return True


# Timing: how long Discord takes for requests, and how soon interactions have a first answer. Both
# are told by aiohttp, which calls what a `TraceConfig` has for each request of the library.

_PATIENCE_SECONDS: Final = 3.0
"""So long Discord waits for the first answer."""
_OTHER: Final = "other"
_KINDS: Final = {
    discord.InteractionType.application_command: "command",
    discord.InteractionType.autocomplete: "typing",
    discord.InteractionType.modal_submit: "form",
}
_COMPONENT: Final = discord.InteractionType.component
_BUTTON: Final = discord.ComponentType.button.value

_FIRST_ANSWER: Final = re.compile(r"/interactions/(\d+)/[^/]+/callback$")
# What stands in paths of Discord's. Anything else is an id, a token, or what somebody has typed.
_WORDS: Final = frozenset(
    {"@me", "@original", "applications", "attachments", "bot", "callback", "channels", "commands"}
    | {"emojis", "gateway", "guilds", "interactions", "members", "messages", "oauth2", "pins"}
    | {"reactions", "thread-members", "threads", "typing", "users", "webhooks"}
)
_VERSION: Final = re.compile(r"^/api(?:/v\d+)?(?=/)")
_MOST_PARTS: Final = 8


def template_of(path: str) -> str:
    """The path of a request without what tells one from another: there are few of them.

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
    """Tells gauges of requests to Discord, and of first answers to interactions.

    Args:
        gauges: are told.
        now: seconds of some clock.
    """

    def __init__(self, gauges: Gauges, now: Callable[[], float] = monotonic) -> None:
        self._gauges = gauges
        self._now = now
        self._unanswered: dict[int, tuple[str, float]] = {}  # the oldest first

    def add_to(self, trace: aiohttp.TraceConfig) -> None:
        """Let the requests of a session be timed, from when nothing keeps them waiting here."""
        trace.on_request_start.append(self._begin)
        trace.on_request_end.append(self._end)
        trace.on_request_exception.append(self._fail)

    def arrived(self, interaction: Interaction) -> None:
        """Note that an interaction is here, and waits for its first answer."""
        self.look()
        self._unanswered[interaction.id] = _kind_of(interaction), self._now()

    def look(self) -> None:
        """Give up interactions that have waited for too long: nobody takes an answer any more."""
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


def _kind_of(interaction: Interaction) -> str:
    if interaction.type is _COMPONENT:
        data = cast("dict[str, Any]", interaction.data)
        return "button" if data.get("component_type") == _BUTTON else "list"
    return _KINDS.get(interaction.type, _OTHER)


log = logging.getLogger(__name__)

# Discord takes 50 a second, and those of interactions besides; some room is left.
_REQUESTS_A_SECOND: Final = 45.0
_LIMITED: Final = "/api/"
_REST_SECONDS: Final = 30.0
_HOUR_MILLISECONDS: Final = 3_600_000
_UNLIMITED: Final = ("/interactions/", "/webhooks/")


class Pace:
    """Lets requests begin one after the other, so many a second.

    Args:
        a_second: how many.
    """

    def __init__(self, a_second: float) -> None:
        self._between = 1 / a_second
        self._next = 0.0

    async def wait(self) -> None:
        """Wait for one's turn."""
        now = monotonic()
        begins = max(self._next, now)
        self._next = begins + self._between
        if begins > now:
            await asyncio.sleep(begins - now)


def paced(shards: ShardRange) -> aiohttp.TraceConfig:
    """What the library is to call for each request, so that a process has its share of them.

    Args:
        shards: those of the process: it has as large a part of all requests as of all shards.
    """
    pace = Pace(_REQUESTS_A_SECOND * len(shards.numbers) / shards.count)

    async def wait(_session: Any, _context: Any, request: aiohttp.TraceRequestStartParams) -> None:
        path = request.url.path
        if path.startswith(_LIMITED) and not any(part in path for part in _UNLIMITED):
            await pace.wait()

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(wait)
    return trace


class TooManyLoginsError(Exception):
    """Discord lets the bot log in a few times more only, and would take its token away after."""


class LoginOrder:
    """Lets shards log in when it is their turn among those of all processes.

    Args:
        client: the bot.
        logins: where turns are taken.
    """

    def __init__(self, client: discord.Client, logins: Logins) -> None:
        self._client = client
        self._logins = logins
        self._at_once = 0

    async def wait(self, shard: int) -> None:
        """Wait for a shard's turn; without the database, for as long as between two of them.

        Raises:
            TooManyLoginsError: some processes have failed again and again; the library tries again.
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

"""What processes share of what Discord allows a bot: logins of shards, and requests a second."""

import asyncio
import logging
from time import monotonic
from typing import Any, Final

import aiohttp
import discord

from bot.errors import StorageError
from bot.outages import ShardRange
from bot.shards.game.logins import LASTS, Logins

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

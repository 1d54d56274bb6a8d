"""Has a bot take the stand-in for the real Discord."""

import asyncio
from collections.abc import Callable
from functools import partialmethod
from typing import Any, Final

from discord import Client
from discord.gateway import DiscordWebSocket
from discord.http import Route
from discord.state import ConnectionState
from yarl import URL

_FURTHER_SERVERS_SECONDS: Final = 0.1


def redirect(
    address: str, begin: Callable[[asyncio.AbstractEventLoop], None] | None = None
) -> None:
    """Have every bot of this process take another Discord for the real one.

    Args:
        address: where it is.
        begin: called in the bot's event loop when a shard logs in.
    """
    Route.BASE = f"{address}/api"
    DiscordWebSocket.DEFAULT_GATEWAY = URL(address) / "gateway"
    # So long it waits for further servers, which come at once.
    state: Any = ConnectionState
    state.__init__ = partialmethod(state.__init__, guild_ready_timeout=_FURTHER_SERVERS_SECONDS)

    # Nor need a line wait for five seconds after the one before.
    async def at_once(*_: object, **__: object) -> None:
        if begin is not None:
            begin(asyncio.get_running_loop())

    client: Any = Client
    client.before_identify_hook = at_once

"""What a bot's process runs: the program as it is, told that Discord is at another address.

    python -m bot.bench.load.launch MODULE ADDRESS

The module has a function `main`, which returns an exit status. The process is measured from within,
and ends when its standard input does.
"""

import asyncio
import importlib
import sys
from collections.abc import Callable
from functools import partialmethod
from typing import Any, Final

from discord import Client
from discord.gateway import DiscordWebSocket
from discord.http import Route
from discord.state import ConnectionState
from yarl import URL

from bot.bench.load.gauge import Gauge

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


def main() -> int:
    """Run the program; returns its exit status."""
    module, address, *sys.argv[1:] = sys.argv[1:]
    gauge = Gauge()
    redirect(address, gauge.watch)
    program = importlib.import_module(module).main
    gauge.answer_questions()
    status: int = program()
    return status


if __name__ == "__main__":
    sys.exit(main())

"""What a child process runs: the real program, told that Discord is at another address.

Run as a module with the address, or called in a process forked from one that has imported it.
"""

import os
import sys
from collections.abc import Mapping
from functools import partialmethod
from pathlib import Path
from typing import Any

from discord import Client
from discord.gateway import DiscordWebSocket
from discord.http import Route
from discord.state import ConnectionState
from yarl import URL

from bot.__main__ import main
from cogs.duels.clock import DuelClockCog


def launch(address: str) -> None:
    Route.BASE = f"{address}/api"
    DiscordWebSocket.DEFAULT_GATEWAY = URL(address) / "gateway"
    # So long it waits for further servers; here there is one at most.
    state: Any = ConnectionState
    state.__init__ = partialmethod(state.__init__, guild_ready_timeout=0.1)
    # Nor need tests wait for ten seconds until the duels' clock looks again.
    for loop in (DuelClockCog.beat, DuelClockCog.nudge):
        loop.change_interval(seconds=0.25)
    # Nor need a line wait for five seconds after the one before.
    client: Any = Client
    client.before_identify_hook = _at_once
    sys.exit(main())


async def _at_once(*_: object, **__: object) -> None:
    pass


def launch_in(
    folder: Path, environment: Mapping[str, str], output: Path, log: Path, address: str
) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for path, stream in ((output, sys.stdout), (log, sys.stderr)):
        with path.open("ab") as file:
            os.dup2(file.fileno(), stream.fileno())
    launch(address)


if __name__ == "__main__":
    launch(sys.argv[1])

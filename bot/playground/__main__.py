"""`python -m bot.playground`: the whole bot in a local browser, without a Discord account."""

from bot.stopping import end_when_told, leave, when_told

if __name__ == "__main__":
    end_when_told()

import argparse
import asyncio
import os
import socket
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack, ExitStack
from datetime import date
from typing import Final

from bot.address import HERE, Address
from bot.app import CodebreakerBot, HostChoices
from bot.clock import Clock
from bot.config import LogSettings
from bot.errors import StorageError
from bot.logs import configure_logs
from bot.playground.activity import WINDOW, open_activity
from bot.playground.preview import open_browser_page
from bot.playground.regulars import Regulars, fill
from bot.playground.world import clock_for, greet, open_world
from bot.services import open_services

DATABASE_URL: Final = "sqlite:///playground.db"
_EMPTY_URL: Final = "sqlite:///empty.db"
_PORTS: Final = 3
_LAST_PORT: Final = 65_535
_CANNOT_START: Final = 2


class _PortError(Exception):
    def __init__(self, port: int, reason: str) -> None:
        super().__init__(port, reason)
        self.port = port
        self.reason = reason


async def play(url: str, clock: Clock, ports: Sequence[int], *, is_empty: bool = False) -> None:
    """Serve until told to stop; `ports` are for SimCord's page, FoCdle's page and its window."""
    here, page, window = (Address(HERE, port) for port in ports)
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(open_services(url, clock))
        choices = HostChoices(web_url=f"http://{page}", has_activity=True)
        # SimCord allows a start five seconds, too few for the tiles on a busy machine.
        bot = CodebreakerBot(services, upload_tiles=False, choices=choices)
        world = await stack.enter_async_context(
            open_world(bot, clock, with_managers=True, with_avatars=True)
        )
        await stack.enter_async_context(open_activity(world, services, clock, page, window))
        await bot.upload_tiles()
        if not is_empty:
            await fill(url, clock, world)
        await greet(bot, services, world)
        await world.env.settle()
        tabs = {WINDOW: f"http://{window}/"}
        shown = await stack.enter_async_context(
            open_browser_page(world, clock, port=here.port, tabs=tabs)
        )
        if not is_empty:
            playing = asyncio.create_task(Regulars(services, clock, world).run())
            stack.push_async_callback(_end, playing)
        sys.stdout.write(f"Play at {shown.preview.url}\n")
        sys.stdout.flush()
        loop, stopping = asyncio.get_running_loop(), asyncio.Event()
        when_told(lambda: loop.call_soon_threadsafe(stopping.set))
        await stopping.wait()


async def _end(task: asyncio.Task[None]) -> None:
    """Cancel a task, and wait until it is over: it still uses what is closed after it."""
    task.cancel()
    await asyncio.wait([task])


def _choose_ports(first: int | None) -> list[int]:
    """Choose three ports: `first` and the next ones, or without it any that are free."""
    with ExitStack() as held:
        found: list[int] = []
        for n in range(_PORTS):
            port = first + n if first else 0
            if not 0 <= port <= _LAST_PORT:
                raise _PortError(port, f"ports go from 1 to {_LAST_PORT}")
            try:
                server = held.enter_context(socket.create_server((HERE, port)))
            except OSError as error:
                raise _PortError(port, os.strerror(error.errno or 0)) from error
            found.append(server.getsockname()[1])
        return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bot.playground", description=__doc__)
    parser.add_argument(
        "--today", type=date.fromisoformat, metavar="YYYY-MM-DD", help="start on another date"
    )
    parser.add_argument(
        "--port", type=int, help="the first of three ports to listen on; any free by default"
    )
    parser.add_argument("--empty", action="store_true", help="play alone, without a past")
    parsed = parser.parse_args(arguments)
    configure_logs(LogSettings("WARNING"))
    try:
        ports = _choose_ports(parsed.port)
        url = _EMPTY_URL if parsed.empty else DATABASE_URL
        asyncio.run(play(url, clock_for(parsed.today), ports, is_empty=parsed.empty))
    except StorageError as error:
        sys.stderr.write(error.advice + "\n")
        return _CANNOT_START
    except _PortError as error:
        sys.stderr.write(
            f"Port {error.port} cannot be used ({error.reason}). Choose another with --port, or "
            "leave it out for any free one.\n"
        )
        return _CANNOT_START
    return 0


if __name__ == "__main__":
    leave(main())

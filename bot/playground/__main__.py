"""`python -m bot.playground`: the whole bot in a local browser, without a Discord account."""

from bot.signals import end_when_told, leave, when_told

if __name__ == "__main__":
    end_when_told()

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from datetime import date
from typing import Final

import simcord

from bot.app import CodebreakerBot
from bot.clock import Clock
from bot.config import LogSettings
from bot.errors import StorageError
from bot.logs import configure_logs
from bot.playground.preview import open_browser_page
from bot.playground.world import clock_for, greet, open_world
from bot.services import open_services

DATABASE_URL: Final = "sqlite:///playground.db"
_CANNOT_START: Final = 2


async def play(url: str, clock: Clock, port: int | None) -> None:
    async with AsyncExitStack() as stack:
        services = await stack.enter_async_context(open_services(url, clock))
        # SimCord allows a start five seconds, too few for the tiles on a busy machine.
        bot = CodebreakerBot(services, upload_tiles=False)
        world = await stack.enter_async_context(
            open_world(bot, clock, with_managers=True, with_avatars=True)
        )
        await bot.upload_tiles()
        await greet(bot, services, world.members[0].guild.id, world.channels[0].id)
        await world.env.settle()
        page = await stack.enter_async_context(open_browser_page(world, clock, port=port))
        sys.stdout.write(f"Play at {page.preview.url}\n")
        sys.stdout.flush()
        loop, stopping = asyncio.get_running_loop(), asyncio.Event()
        when_told(lambda: loop.call_soon_threadsafe(stopping.set))
        await stopping.wait()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bot.playground", description=__doc__)
    parser.add_argument(
        "--today", type=date.fromisoformat, metavar="YYYY-MM-DD", help="start on another date"
    )
    parser.add_argument("--port", type=int, help="the port to listen on; any free one by default")
    parsed = parser.parse_args(arguments)
    configure_logs(LogSettings("WARNING"))
    try:
        asyncio.run(play(DATABASE_URL, clock_for(parsed.today), parsed.port))
    except StorageError as error:
        sys.stderr.write(error.advice + "\n")
        return _CANNOT_START
    except simcord.SetupError as error:
        if not isinstance(error.__cause__, OSError):
            raise
        reason = os.strerror(error.__cause__.errno or 0)
        sys.stderr.write(
            f"Port {parsed.port} cannot be used ({reason}). Choose another with --port, or leave "
            "it out for any free one.\n"
        )
        return _CANNOT_START
    return 0


if __name__ == "__main__":
    leave(main())

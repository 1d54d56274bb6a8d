"""A bot as a process: started in a folder, measured, and ended."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Final

import bot
from benchmarks.load.launch import Reading
from tests.support.discord_stand_in import StandIn
from tests.support.sessions import Session

REAL: Final = "bot.__main__"
EMPTY: Final = "benchmarks.load.empty_bot"
TOKEN: Final = "the-token-of-the-bench"  # noqa: S105 - the stand-in asks for no other
_KEY: Final = "the key of the bench, which is long enough"

_START_SECONDS: Final = 60.0
_END_SECONDS: Final = 10.0
# A process that takes less of a core than this has nothing left to do.
_QUIET: Final = 0.05
_QUIET_LOOKS: Final = 2  # on a busy machine it may wait for its turn
_LOOK_SECONDS: Final = 0.2
_MOST_LOOKS: Final = 300
_END_OF_LOG: Final = 5_000


class Program:
    """A bot's process, and what it says of itself."""

    def __init__(self, process: Process) -> None:
        self._process = process

    async def read(self) -> Reading:
        """What it has taken; of pauses, the longest since this was last asked."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("the process was started without pipes")
        self._process.stdin.write(b"\n")
        line = await self._process.stdout.readline()
        return Reading.read(line.decode())

    async def settle(self) -> Reading:
        """Wait until it has nothing left to do; of pauses, the longest since `read`."""
        now, pause, quiet = await self.read(), 0.0, 0
        for _ in range(_MOST_LOOKS):
            before, pause = now, max(pause, now.pause)
            await asyncio.sleep(_LOOK_SECONDS)
            now = await self.read()
            is_quiet = now.processor - before.processor < _QUIET * _LOOK_SECONDS
            quiet = quiet + 1 if is_quiet else 0
            if quiet == _QUIET_LOOKS:
                break
        return replace(now, pause=max(pause, now.pause))

    async def end(self) -> None:
        """End it; at once, if it takes too long."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _END_SECONDS)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()


@asynccontextmanager
async def running(
    module: str, discord: StandIn, folder: Path
) -> AsyncGenerator[tuple[Program, Session, float]]:
    """Run a bot until the block ends; it, its lines, and after how many seconds they were there.

    Args:
        module: whose `main` it is.
        discord: what it takes for Discord.
        folder: where its database and its log go.
    """
    root, began = Path(bot.__file__).parents[1], perf_counter()
    with (folder / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "benchmarks.load.launch", module, discord.address),
            cwd=folder,
            env={"PYTHONPATH": str(root), "DISCORD_TOKEN": TOKEN, "PUZZLE_KEY": _KEY},
            stdin=PIPE,
            stdout=PIPE,
            stderr=log,
        )
    program = Program(process)
    try:
        yield program, await _arrived(process, discord), perf_counter() - began
    except Exception:
        sys.stderr.write((folder / "log").read_text(errors="replace")[-_END_OF_LOG:])
        raise
    finally:
        await program.end()


async def _arrived(process: Process, discord: StandIn) -> Session:
    """Its lines, as soon as they are there; an error, if it ends instead."""
    session = asyncio.create_task(discord.next_session(_START_SECONDS))
    ended = asyncio.create_task(process.wait())
    await asyncio.wait({session, ended}, return_when=asyncio.FIRST_COMPLETED)
    ended.cancel()
    if not session.done():
        session.cancel()
        raise RuntimeError("the bot has ended")
    return session.result()

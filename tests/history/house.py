"""The house of a history: processes of one bot, each with its own way to one database."""

import asyncio
import os
import shutil
import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from tests.history import launch
from tests.history.switchboard import Switchboard
from tests.process.host import KEY, TOKEN
from tests.support.postgres import PostgresServer

_ROOT: Final = Path(__file__).parents[2]
_SOCKET: Final = ".s.PGSQL.5432"
_BUFFER: Final = 2**16
_END_SECONDS: Final = 10.0


class Way:
    """Brings a process to the database, as long as it is not cut."""

    def __init__(self, server: Path) -> None:
        self._server = server / _SOCKET
        self._is_open = asyncio.Event()
        self._is_open.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._bringing: set[asyncio.Task[None]] = set()

    def cut(self, *, silently: bool) -> None:
        """Let nothing through; silently, or so that both sides find that they are disconnected."""
        self._is_open.clear()
        if not silently:
            for writer in self._writers:
                writer.transport.abort()

    def mend(self) -> None:
        """Let everything through again, what was held back, too."""
        self._is_open.set()

    async def end(self) -> None:
        """Abort all connections, and wait until nothing of them is left."""
        self._is_open.set()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*self._bringing, return_exceptions=True)

    async def bring(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Bring one connection there and back until it ends."""
        task = asyncio.current_task()
        assert task is not None
        self._bringing.add(task)
        task.add_done_callback(self._bringing.discard)
        await self._is_open.wait()
        try:
            there, back = await asyncio.open_unix_connection(str(self._server))
        except OSError:  # the server is just starting again
            writer.transport.abort()
            return
        self._writers |= {writer, back}
        await asyncio.gather(self._pass(reader, back), self._pass(there, writer))
        self._writers -= {writer, back}

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while some := await reader.read(_BUFFER):
                await self._is_open.wait()
                writer.write(some)
                await writer.drain()
        writer.close()


class House:
    """Starts processes, and does them harm.

    Args:
        folder: for their output, and the clock that all of them look at.
        discord: where they connect.
        server: where the database is.
        broken: let them be of a build in which processes do not wait for each other.
    """

    def __init__(
        self, folder: Path, discord: Switchboard, server: PostgresServer, *, broken: bool = False
    ) -> None:
        self.clock = folder / "clock"
        self.clock.write_text("0")
        self.ways = [Way(server.folder) for _ in range(discord.shards)]
        self._folder = folder
        self._discord = discord
        self._server = server
        self._broken = ["WITHOUT_LOCKS"] if broken else []
        self._processes: dict[int, asyncio.subprocess.Process] = {}

    async def start(self, number: int, skew: float = 0.0) -> None:
        """Start a process whose clock is so many seconds ahead."""
        way = self._server.folder / f"p{number}"
        with (self._folder / f"log-{number}").open("ab") as log:
            self._processes[number] = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", launch.__name__, self._discord.address),
                *(f"{number}/{self._discord.shards}", str(self.clock), str(skew), *self._broken),
                cwd=self._folder,
                env={
                    "PYTHONPATH": str(_ROOT),
                    "DISCORD_TOKEN": TOKEN,
                    "PUZZLE_KEY": KEY,
                    "WORKERS": "0",
                    "DATABASE_URL": f"postgresql://postgres@/{self._server.name}?host={way}",
                },
                stdout=log,
                stderr=log,
            )

    async def kill(self, number: int) -> None:
        """End a process in the middle of whatever it does."""
        process = self._processes.pop(number)
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        self._discord.hang_up(number)

    def pause(self, number: int) -> None:
        """Let a process stand still."""
        with suppress(ProcessLookupError):
            self._processes[number].send_signal(signal.SIGSTOP)

    def resume(self, number: int) -> None:
        """Let it go on."""
        with suppress(ProcessLookupError):
            self._processes[number].send_signal(signal.SIGCONT)

    def crash_database(self) -> None:
        """End the database in the middle of whatever it does; it starts again at once."""
        self._server.crash()

    def jump(self, seconds: float) -> None:
        """Set everybody's clock forward."""
        new = self.clock.with_suffix(".new")
        new.write_text(str(float(self.clock.read_text()) + seconds))
        new.replace(self.clock)

    def ended(self) -> dict[int, int]:
        """The processes that have ended by themselves, and their exit statuses."""
        found = {number: process.returncode for number, process in self._processes.items()}
        return {number: status for number, status in found.items() if status is not None}

    def mend(self) -> None:
        """Let all processes go on, and reach the database."""
        for way in self.ways:
            way.mend()
        for number in self._processes:
            self.resume(number)

    async def stop(self) -> list[int]:
        """Tell all processes to end; their exit statuses."""
        self.mend()
        for process in self._processes.values():
            with suppress(ProcessLookupError):
                process.terminate()
        async with asyncio.timeout(_END_SECONDS):
            return [await process.wait() for process in self._processes.values()]

    async def end(self) -> None:
        """End what goes on."""
        for process in self._processes.values():
            with suppress(ProcessLookupError):
                process.kill()


@asynccontextmanager
async def open_house(
    folder: Path, discord: Switchboard, server: PostgresServer, *, broken: bool
) -> AsyncGenerator[House]:
    """A house without processes; those that it has at the end are ended."""
    house = House(folder, discord, server, broken=broken)
    async with AsyncExitStack() as stack:
        stack.callback(launch.set_clock(house.clock, 0))
        for number, way in enumerate(house.ways):
            there = server.folder / f"p{number}"
            there.mkdir(exist_ok=True)
            stack.callback(shutil.rmtree, there)
            listening = await asyncio.start_unix_server(way.bring, str(there / _SOCKET))
            stack.callback(listening.close)
        try:
            yield house
        finally:
            await house.end()
            for way in house.ways:
                await way.end()


assert os.name == "posix", "harm is done by signals"

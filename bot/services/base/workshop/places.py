"""Where work is done: in a process of its own, or in a thread of the bot's."""

import asyncio
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar, cast

from bot.services.base.workshop import worker
from bot.services.base.workshop.worker import SIZE

T = TypeVar("T")

_PROGRAM: Final = worker.__name__
_ROOT: Final = Path(__file__).parents[4]
_GOODBYE_SECONDS: Final = 1.0
# What a program needs to run at all; secrets of the host's are not among it.
_HANDED_ON: Final = frozenset(
    {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH"}
    | {"SYSTEMROOT", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "MPLCONFIGDIR", "XDG_CACHE_HOME"}
    | {"PYTHONHOME"}
)
# Where there is no `nice`, a process is told so when it is started: this is Windows' word for it.
_STANDS_BACK: Final[int] = getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0)
# One core each: the libraries would start threads for all of them.
_FIXED: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


class DiedError(Exception):
    """A worker that ended while it worked."""


class TookTooLongError(Exception):
    """Work that was not done in time, and was given up."""


class Place(Protocol):
    """Does one piece of work at a time."""

    @property
    def is_warm(self) -> bool:
        """Whether it can begin at once."""
        ...

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        """The result of some work.

        Raises:
            DiedError: it was not done, and may be tried again.
            TookTooLongError: it was not done in time.
            Exception: what the work has raised.
        """
        ...

    async def end(self) -> None:
        """Give up what is kept for the next work; it comes back with that."""
        ...


class ThreadPlace:
    """A thread; it cannot be stopped, so nothing there takes too long."""

    def __init__(self) -> None:
        self._threads: ThreadPoolExecutor | None = None

    @property
    def is_warm(self) -> bool:
        """Always: a thread takes no time to start."""
        return True

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        """The result of some work."""
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1, thread_name_prefix="workshop")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, copy_context().run, work)

    async def end(self) -> None:
        """Let the thread end, with what it is doing."""
        if self._threads is not None:
            threads, self._threads = self._threads, None
            await asyncio.to_thread(threads.shutdown)


class ProcessPlace:
    """A process, started when there is work.

    Args:
        environment: of this process; of its variables the worker gets a few that hold no secrets.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        handed_on = {k: v for k, v in environment.items() if k.upper() in _HANDED_ON}
        path = os.pathsep.join(filter(None, (str(_ROOT), environment.get("PYTHONPATH"))))
        self._environment = handed_on | _FIXED | {"PYTHONPATH": path}
        self._process: asyncio.subprocess.Process | None = None

    @property
    def is_warm(self) -> bool:
        """Whether the process runs."""
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int | None:
        """The running process."""
        return self._process.pid if self._process is not None and self.is_warm else None

    async def do(self, work: Callable[[], T], seconds: float) -> T:
        """The result of some work; whatever stops the waiting for it stops the process."""
        message = pickle.dumps(work)
        try:
            async with asyncio.timeout(seconds):
                answer = await self._ask(message)
        except TimeoutError as error:
            raise TookTooLongError from error
        except (OSError, EOFError) as error:
            raise DiedError from error
        is_done, found = cast("worker.Message", pickle.loads(answer))  # noqa: S301 - of our own process
        if is_done:
            return cast("T", found)
        raise worker.put_together(*found)

    async def _ask(self, message: bytes) -> bytes:
        try:
            process = await self._started()
            to, answers = cast("Any", process.stdin), cast("Any", process.stdout)
            to.write(SIZE.pack(len(message)) + message)
            await to.drain()
            size = SIZE.unpack(await answers.readexactly(SIZE.size))
            return cast("bytes", await answers.readexactly(*size))
        except BaseException:
            await asyncio.shield(self._stop(0))
            raise

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is not None and self.is_warm:
            return self._process
        await self._stop(0)
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            _PROGRAM,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=self._environment,
            creationflags=_STANDS_BACK,
            cwd=_ROOT.anchor,  # not where the host's settings lie
        )
        return self._process

    async def end(self) -> None:
        """Let the process end, whatever it is doing."""
        await self._stop(_GOODBYE_SECONDS)

    async def _stop(self, patience: float) -> None:
        """Close the process's input, and kill it if that does not end it in time."""
        process, self._process = self._process, None
        if process is None:
            return
        cast("Any", process.stdin).close()
        try:
            async with asyncio.timeout(patience):
                await process.wait()
        except TimeoutError:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

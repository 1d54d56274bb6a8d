"""Somebody who hosts the bot: a folder with a database, an environment, processes."""

import asyncio
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.process import launch
from tests.support.sql import sql
from tests.support.unhurried import AMPLE_SECONDS
from tests.support.waiting import until

TOKEN: Final = "the-token-that-discord-knows"
KEY: Final = "a-key-for-the-puzzles-of-these-tests"

_ROOT: Final = Path(__file__).parents[2]

# What starts a program as the first process that it knows of.
_UNSHARE: Final = shutil.which("unshare") or "false"
_APART: Final = (_UNSHARE, "--pid", "--fork", "--kill-child")

# Its processes are forked from one that has imported everything, which takes a second.
_forks: Final = multiprocessing.get_context("forkserver")
_forks.set_forkserver_preload([launch.__name__])


def may_be_first() -> bool:
    """Whether this is Linux, and lets its user make a world of processes."""
    return not subprocess.run([*_APART, "true"], capture_output=True, check=False).returncode


def _children_of(pid: int) -> str:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text()


@dataclass(slots=True)
class Run:
    """A process of the bot."""

    pid: int
    _end: Callable[[], Awaitable[int]]
    _has_ended: bool = False

    async def told_until_it_ends(self, number: signal.Signals) -> int:
        """The exit status of the process, which is told to stop again and again."""
        ending = asyncio.create_task(self.status())
        while not ending.done():
            with suppress(ProcessLookupError):
                self.signal(number)
            await asyncio.wait({ending}, timeout=0.01)
        return ending.result()

    def signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    async def status(self) -> int:
        """The exit status of the process, which must end."""
        status = await self._end()
        self._has_ended = True
        return status

    async def kill(self) -> None:
        """End it at once, if it has not ended."""
        if not self._has_ended:
            with suppress(ProcessLookupError):
                self.signal(signal.SIGKILL)
            await self.status()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What the doctor has said, and its exit status."""

    said: str
    status: int

    @property
    def warnings(self) -> list[str]:
        return self._of("warning")

    @property
    def errors(self) -> list[str]:
        return self._of("error")

    def _of(self, weight: str) -> list[str]:
        lines = [line.strip() for line in self.said.splitlines()]
        return [line.removeprefix(weight).strip() for line in lines if line.startswith(weight)]


class Host:
    """Runs the bot in a folder, with nothing but its own variables in the environment.

    Args:
        folder: where it runs, and has its database, unless that is elsewhere.
        discord: the address of what stands in for Discord.
        url: the database that is elsewhere.
    """

    def __init__(self, folder: Path, discord: str, url: str = "") -> None:
        self.folder = folder
        self.environment = {"DISCORD_TOKEN": TOKEN, "PUZZLE_KEY": KEY, "DATABASE_URL": url}
        self.database = folder / "focdle.db"
        self._discord = discord
        self._output = folder / "stdout"
        self._log = folder / "stderr"
        self._runs: list[Run] = []
        self._output.touch()
        self._log.touch()

    @property
    def output(self) -> str:
        """What the runs so far wrote to the standard output."""
        return self._output.read_text()

    @property
    def log(self) -> str:
        """What the runs so far wrote to the standard error."""
        return self._log.read_text()

    async def run_alone(self, module: str = "bot") -> Run:
        """Run `python -m bot`, or another program, for what it does without Discord."""
        return await self._execute(module)

    async def run_as_first(self) -> Run:
        """Run `python -m bot` as the first process there is, as in a container."""
        apart = await self._execute("bot", before=_APART)
        while not (first := _children_of(apart.pid)):
            await asyncio.sleep(0.001)
        return self._remember(Run(int(first), apart.status))

    async def run(self, *arguments: str) -> Run:
        """Run the bot with a Python of its own."""
        return await self._execute(launch.__name__, self._discord, *arguments)

    def fork(self, target: Callable[..., None] = launch.launch_in) -> Run:
        """Run the bot, or what else takes the same, without the second that imports take."""
        return self._fork(target, self._discord)

    def fork_to_forget(self, *arguments: str) -> Run:
        """Run `python -m bot forget`, without that second, too."""
        return self._fork(launch.forget_in, *arguments)

    async def see_doctor(self, *arguments: str) -> Diagnosis:
        """What `python -m bot doctor` says."""
        given = self.folder, self.environment, self._discord, *arguments
        seen = Diagnosis(*await asyncio.to_thread(launch.see_doctor, *given))
        with self._output.open("a") as output:
            output.write(seen.said)
        return seen

    async def see_doctor_without_power(self, *arguments: str) -> Diagnosis:
        """The same by a user to whom modes of files apply; to root they do not."""
        before = len(self.output)
        status = await self._fork(launch.powerless_doctor_in, self._discord, *arguments).status()
        return Diagnosis(self.output[before:], status)

    async def see_doctor_apart(self, *arguments: str, before: Sequence[str] = ()) -> Diagnosis:
        """The same by a Python of its own, started by what may change this machine for it."""
        process = await asyncio.create_subprocess_exec(
            *(*before, sys.executable, "-m", "bot", "doctor", *arguments),
            cwd=self.folder,
            env={"PATH": os.defpath, "PYTHONPATH": str(_ROOT), **self.environment},
            stdout=PIPE,
        )
        said, _ = await process.communicate()
        return Diagnosis(said.decode(), process.returncode or 0)

    def fork_to_back_up(self, *arguments: str, step: int = 0) -> Run:
        """Run `backup` or `restore` like that, and kill it at a step, if that is not 0."""
        return self._fork(launch.back_up_in, step, *arguments)

    def _fork(self, target: Callable[..., None], *arguments: str | int) -> Run:
        process = _forks.Process(
            target=target,
            args=(self.folder, self.environment, self._output, self._log, *arguments),
        )
        process.start()

        async def end() -> int:
            await asyncio.to_thread(process.join, AMPLE_SECONDS)
            assert process.exitcode is not None, "the process goes on"
            return process.exitcode

        assert process.pid is not None
        return self._remember(Run(process.pid, end))

    async def until_logged(self, text: str) -> None:
        """Wait until a run has written something to the standard error."""
        await until(lambda: text in self.log)

    def query(self, statement: str) -> list[tuple[Any, ...]]:
        """Rows of the database."""
        return sql(self.folder, statement)

    def change(self, statement: str) -> None:
        """Change the database behind the bot's back."""
        sql(self.folder, statement)

    async def close(self) -> None:
        """End the processes that go on."""
        for run in self._runs:
            await run.kill()

    async def _execute(self, *module_and_arguments: str, before: Sequence[str] = ()) -> Run:
        with self._output.open("ab") as output, self._log.open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *(*before, sys.executable, "-m", *module_and_arguments),
                cwd=self.folder,
                env={"PYTHONPATH": str(_ROOT), **self.environment},
                stdout=output,
                stderr=log,
            )
        return self._remember(Run(process.pid, process.wait))

    def _remember(self, run: Run) -> Run:
        self._runs.append(run)
        return run

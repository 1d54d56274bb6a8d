"""The supervisor: starts the processes that share the work, and starts anew which of them end."""

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from importlib import import_module
from time import monotonic
from typing import Any, Final, cast

import aiohttp

from bot.asking import asking
from bot.config import Settings, SettingsError, is_for_many, read_settings
from bot.health.address import CannotListenError
from bot.logs import configure_logs
from bot.model.outages import ALL, ShardRange
from bot.presentation import processes as words
from bot.presentation.base.language import say
from bot.signals import restart_event, stop_when_told
from bot.supervised import ASK_AT, OPEN, READY
from bot.variables import read_environment
from bot.version import version

log = logging.getLogger(__name__)

_CANNOT_START: Final = 2
_MAY_START_LATER: Final = 3
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0
# What has run for so long has not failed at its start.
_LONG_SECONDS: Final = 60.0
_END_SECONDS: Final = 30.0
_ASK_SECONDS: Final = 30.0
_HEALTH: Final = "bot.health.ranges"  # loaded only where the host wants to know


class _Place:
    """Some shards, and the process that has them.

    Args:
        shards: which.
        program: how a process is started.

    Attributes:
        shards: the same.
        asked_at: the port at which the process tells how it is; None while there is none.
        may_others_begin: whether the database is up to date.
        is_ready: whether the process knows its servers.
    """

    def __init__(self, shards: ShardRange, program: Sequence[str]) -> None:
        self.shards = shards
        self.asked_at: int | None = None
        self._program = [*program, "--shards", str(shards), "--supervised"]
        self._process: Process | None = None
        self._is_renewed = False
        self.may_others_begin = asyncio.Event()
        self.is_ready = asyncio.Event()

    async def keep(self, others: Sequence["_Place"]) -> None:
        """Start a process whenever there is none; ends if somebody must mend something first.

        While others answer, what is to be mended can be mended.
        """
        wait = _FIRST_WAIT
        while True:
            began = monotonic()
            status = await self._live()
            if self._is_renewed:
                self._is_renewed, wait = False, _FIRST_WAIT
                continue
            if monotonic() - began > _LONG_SECONDS:
                wait = _FIRST_WAIT
            if status == _CANNOT_START:
                if not any(place.is_ready.is_set() for place in others):
                    return
                wait = _LONGEST_WAIT
            log.warning("shards %s: ended with %d, again in %.0f s", self.shards, status, wait)
            await asyncio.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT)

    async def _live(self) -> int:
        """The exit status of a process, from its start to its end."""
        self._process = process = await asyncio.create_subprocess_exec(
            *self._program, stdin=PIPE, stdout=PIPE, start_new_session=True
        )
        log.info("shards %s: started as process %d", self.shards, process.pid)
        while said := await cast("asyncio.StreamReader", process.stdout).readline():
            self._hear(said.decode(errors="replace").strip())
        status = await process.wait()
        self.is_ready.clear()
        self.asked_at = None
        return status

    def _hear(self, said: str) -> None:
        what, _, port = said.partition(" ")
        if said == OPEN:
            self.may_others_begin.set()
        elif what == ASK_AT:
            self.asked_at = int(port)
        elif said == READY:
            log.info("shards %s: ready", self.shards)
            self.is_ready.set()

    async def renew(self) -> None:
        """Have another process in place of this one, and wait until it is ready."""
        if self.is_ready.is_set():
            log.info("shards %s: restarting", self.shards)
            self._is_renewed = True
            self.is_ready.clear()
            await self.end()
        await self.is_ready.wait()

    async def end(self) -> None:
        """Let the process end; one that takes too long is killed."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        cast("asyncio.StreamWriter", process.stdin).close()
        try:
            async with asyncio.timeout(_END_SECONDS):
                await process.wait()
        except TimeoutError:
            log.warning("shards %s: did not end, and is killed", self.shards)
            process.kill()
            await process.wait()


class Supervisor:
    """Keeps a process for each of some ranges of shards.

    Args:
        ranges: which shards each process has.
        program: how a process is started.

    Attributes:
        places: one for each range.
    """

    def __init__(self, ranges: Sequence[ShardRange], program: Sequence[str]) -> None:
        self.places = [_Place(shards, program) for shards in ranges]

    async def run(self, stopping: asyncio.Event, restarting: asyncio.Event) -> int:
        """Run until that is to stop, or no process can start; the exit status.

        Args:
            stopping: ends all of them.
            restarting: has all of them started anew, one after the other.
        """
        keeping = [asyncio.create_task(self._keep(place)) for place in self.places]
        waiting: asyncio.Task[object] = asyncio.create_task(stopping.wait())
        renewing = asyncio.create_task(self._renew_whenever(restarting))
        tasks: list[asyncio.Task[Any]] = [*keeping, waiting, renewing]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        log.info("stopping")
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.gather(*(place.end() for place in self.places))
        for task in done:
            task.result()
        return 0 if waiting in done else _CANNOT_START

    async def _keep(self, place: _Place) -> None:
        first = self.places[0]
        if place is not first:  # which brings the database up to date
            await first.may_others_begin.wait()
        await place.keep([other for other in self.places if other is not place])

    async def _renew_whenever(self, restarting: asyncio.Event) -> None:
        while True:
            await restarting.wait()
            restarting.clear()
            log.info("restarting all, one after the other")
            for place in self.places:
                await self._until_ready(but=place)
                await place.renew()
            log.info("all are restarted")

    async def _until_ready(self, but: _Place) -> None:
        """Wait until all others are ready at once."""
        while away := [p for p in self.places if p is not but and not p.is_ready.is_set()]:
            await away[0].is_ready.wait()


def main(processes: int, shards: ShardRange, program: Sequence[str], discord: str) -> int:
    """Run the supervisor.

    Args:
        processes: how many it is to keep.
        shards: which shards they share; all, if nobody has said which.
        program: how a process is started.
        discord: where to ask how many shards there are to be.

    Returns:
        Its exit status.
    """
    try:
        settings = read_settings(read_environment(os.environ))
    except SettingsError as error:
        return _refuse(_told("settings").bad_setting(error.name, error.value))
    if not is_for_many(settings.database_url):
        return _refuse(say(words.NEEDS_POSTGRES))
    configure_logs(settings.logs, secrets=settings.secrets)
    log.info("focdle-bot %s", version())
    return asyncio.run(_supervise(settings, processes, shards, program, discord))


async def _supervise(
    settings: Settings, processes: int, shards: ShardRange, program: Sequence[str], discord: str
) -> int:
    stopping, restarting = asyncio.Event(), restart_event()
    stop_when_told(stopping)
    if shards == ALL:
        try:
            shards = await _ask_discord(settings.token, processes, discord)
        except (aiohttp.ClientError, TimeoutError) as error:
            return _refuse(*_unreachable(error))
    if len(shards.numbers) < processes:
        return _refuse(say(words.TOO_FEW_SHARDS, shards=shards))
    supervisor = Supervisor(shards.split(processes), program)
    if settings.health is None:
        return await supervisor.run(stopping, restarting)
    opened: Callable[..., AbstractAsyncContextManager[None]] = import_module(_HEALTH).opened
    try:
        async with opened(settings.health, supervisor.places):
            return await supervisor.run(stopping, restarting)
    except CannotListenError as error:
        advice = say(words.CANNOT_LISTEN, address=error.address, reason=error.reason)
        return _refuse(advice, _MAY_START_LATER if error.may_pass else _CANNOT_START)


async def _ask_discord(token: str, processes: int, discord: str) -> ShardRange:
    """All shards: as many as Discord says, or as many times that as there are processes.

    Of bots in very many servers, Discord takes no other number.
    """
    async with (
        asking(token, discord, _ASK_SECONDS) as session,
        session.get("gateway/bot", raise_for_status=True) as answer,
    ):
        wanted: int = (await answer.json())["shards"]
    count = wanted * -(-processes // wanted)
    log.info("Discord asks for %d shards; there are %d", wanted, count)
    return ShardRange(0, count - 1, count)


def _told(of: str) -> Any:
    """What hosts are told: only who is told something loads all that it may be about."""
    return import_module(f"bot.presentation.{of}")


def _unreachable(error: Exception) -> tuple[str, int]:
    """What to say when Discord has not told how many shards there are to be, and the status."""
    console = _told("console")
    if isinstance(error, aiohttp.ClientResponseError):
        if error.status == HTTPStatus.UNAUTHORIZED:
            return say(console.BAD_TOKEN), _CANNOT_START
        return say(console.NO_DISCORD, reason=f"{error.status} {error.message}"), _MAY_START_LATER
    return say(console.NO_DISCORD, reason=str(error) or "too slow"), _MAY_START_LATER


def _refuse(advice: str, status: int = _CANNOT_START) -> int:
    sys.stderr.write(advice + "\n")
    return status

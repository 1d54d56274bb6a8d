"""A process of the bot that is looked after: it tells whether it is ready, and its figures."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Final, NamedTuple

from bot.database_health import Stored
from bot.errors import ClosingError
from bot.failures import Failures
from bot.health.address import Address
from bot.health.figures import Figures
from bot.health.process import Process, Watched
from bot.health.seldom import Seldom
from bot.health.server import listening
from bot.patience import wait_only
from bot.services import Services

log = logging.getLogger(__name__)

_WRITTEN_SECONDS: Final = 2.0
"""How long it may take until a write is committed."""
_WAITED_SECONDS: Final = 1.75
"""How much of that it may wait for others."""
_PATIENCE_SECONDS: Final = 2.5
"""How long whoever asks may wait for the database."""

_BETWEEN_WRITES: Final = 3.0
_BETWEEN_LOOKS: Final = 10.0
_BETWEEN_TEXTS: Final = 1.0
# Each tenth of a second it is looked how late the loop is, each second who is heard.
_TICK_SECONDS: Final = 0.1
_TICKS: Final = 10


class _Subject(NamedTuple):
    """What is looked after."""

    services: Services
    bot: Watched


class MeasuredProcess(Process):
    """Tells how a process is; to be made where its event loop runs.

    Attributes:
        gauges: count what is measured.
    """

    def __init__(self) -> None:
        self.gauges = self._figures = Figures()
        self._subject: _Subject | None = None
        self._watching: asyncio.Task[None] | None = None
        self._failures = Failures(log)
        self._written = Seldom(self._write, _BETWEEN_WRITES)
        self._stored = Seldom(self._look, _BETWEEN_LOOKS)
        self._text = Seldom(self._write_text, _BETWEEN_TEXTS)

    def watch(self, services: Services, bot: Watched) -> None:
        """Begin to look after a bot that begins now."""
        services.measure(self.gauges)
        self._subject = _Subject(services, bot)
        self._watching = asyncio.create_task(self._watch(bot), name="health")

    async def missing(self) -> list[str]:
        """What keeps it from being ready."""
        if self._subject is None:
            return ["start"]
        missing = [f"shard {number}" for number in self._subject.bot.hearing.silent()]
        if not await self._written.get(_PATIENCE_SECONDS):
            missing.append("write")
        return missing

    async def expose(self) -> bytes | None:
        """All figures as text."""
        return await self._text.get(2 * _PATIENCE_SECONDS)

    async def close(self) -> None:
        """Look after nothing any more."""
        for each in (self._text, self._written, self._stored):
            await each.close()
        if self._watching is not None:
            self._watching.cancel()
            with suppress(asyncio.CancelledError):
                await self._watching

    async def _watch(self, bot: Watched) -> None:
        while True:
            for _ in range(_TICKS):
                due = monotonic() + _TICK_SECONDS
                await asyncio.sleep(_TICK_SECONDS)
                self._figures.delayed(max(0.0, monotonic() - due))
            with self._failures.telling("health: a look at who is heard and answered"):
                bot.hearing.look()
                if bot.timing is not None:
                    bot.timing.look()

    async def _write(self) -> bool:
        """Whether a write is committed in time."""
        is_written, until = False, monotonic() + _WAITED_SECONDS
        wait_only(lambda: until - monotonic())
        with suppress(ClosingError), self._failures.telling("health: a write of its own"):
            async with asyncio.timeout(_WRITTEN_SECONDS):
                await self._seen.services.health.write()
            is_written = True
        return is_written

    async def _look(self) -> Stored | None:
        """What the database tells; None for nothing now."""
        with suppress(ClosingError), self._failures.telling("health: a look at the database"):
            return await self._seen.services.health.look()
        return None

    async def _write_text(self) -> bytes:
        if self._subject is not None:
            await self._note(self._subject)
        return self._figures.expose()

    async def _note(self, subject: _Subject) -> None:
        """Note what is so just now."""
        self._figures.now.ready(not await self.missing())
        hearing, services = subject.bot.hearing, subject.services
        self._figures.now.heard(hearing.silent(), hearing.numbers, hearing.latencies)
        lanes = {lane.name.lower(): number for lane, number in services.coach.waiting.items()}
        self._figures.now.queued(lanes, services.workshop.waiting)
        stored = await self._stored.get(_PATIENCE_SECONDS)
        if stored is not None:
            self._figures.now.stored(stored.size, stored.late_posts)

    @property
    def _seen(self) -> _Subject:
        if self._subject is None:
            raise RuntimeError("nothing is looked after yet")
        return self._subject


@asynccontextmanager
async def opened(address: Address) -> AsyncGenerator[MeasuredProcess]:
    """Answer at an address how this process is, until the block ends.

    Args:
        address: the host's.

    Raises:
        CannotListenError: nobody can be answered there.
    """
    process = MeasuredProcess()
    async with listening(address, process) as there:
        log.info("health and figures at http://%s", there)
        try:
            yield process
        finally:
            await process.close()

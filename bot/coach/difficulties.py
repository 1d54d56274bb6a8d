"""How hard dailies are for people, and ready practices of each level."""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Final

from bot.coach import store
from bot.coach.model import CoachBusyError
from bot.coach.queue import Lane, Queue, Tasks
from bot.coach.store import DailyRow
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.db.leases import Leases
from bot.errors import ClosingError, StorageError
from bot.failures import Failures
from bot.people.game import DEFAULT_LENGTH
from bot.pool.worker import Named
from engine import Focdle
from engine.focdle import LONGEST, SHORTEST
from engine.levels import Difficulty, Level

log = logging.getLogger(__name__)

HUNDREDTHS: Final[Named[[int, str], int]] = Named("bot.coach.analysis", "hundredths")

READY: Final = 20
"""How many practices of each length and level are kept ready."""
_AT_A_TIME: Final = 5
_BETWEEN_SECONDS: Final = 20.0
# Nearest to the usual length first.
_LENGTHS: Final = sorted(range(SHORTEST, LONGEST + 1), key=lambda of: abs(of - DEFAULT_LENGTH))
_LEASE: Final = "difficulties"


class Difficulties:
    def __init__(self, database: Database, queue: Queue, leases: Leases) -> None:
        self._database = database
        self._queue = queue
        self._leases = leases
        self._wanted: dict[tuple[int, Level], None] = {}
        self._failed: set[int] = set()
        self._failures = Failures(log)
        self._called = asyncio.Event()
        self._tasks = Tasks()

    def want(self, length: int, level: Level) -> None:
        """Ask for practices of this length before others, until one of this level is ready."""
        self._wanted[length, level] = None
        self._called.set()

    def begin(self) -> None:
        """Start the task that works out what is missing, every 20 seconds and at each `want`."""
        self._tasks.begin(self._keep())

    async def close(self) -> None:
        """Stop the task. May be called twice."""
        await self._tasks.close()

    async def _keep(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_BETWEEN_SECONDS):
                    await self._called.wait()
            self._called.clear()
            try:
                with self._failures.telling("difficulties"):
                    if await self.work() and self._wanted:
                        self._called.set()
            except ClosingError:
                return

    async def work(self) -> bool:
        """Work out some dailies' difficulties, and that of one drawn secret if too few are ready.

        Return false if nothing was done: nothing was missing, or another process is at work. If
        nothing was missing, nothing is written either.
        """
        if not await self._database.read(self._is_missing):
            return False
        async with self._leases.held(_LEASE) as is_ours:
            if not is_ours:
                return False
            dailies = await self._database.read(lambda tx: self._dailies(tx, _AT_A_TIME))
            for daily in dailies:
                if not await self._try(daily):
                    self._failed.add(daily.id)
                await self._leases.renew(_LEASE)
            return await self._make_ready() or bool(dailies)

    def _is_missing(self, tx: Transaction) -> bool:
        return bool(self._dailies(tx, 1) or self._most_lacking(_ready(tx)))

    def _dailies(self, tx: Transaction, most: int) -> list[DailyRow]:
        return store.without_difficulty(tx, most, but=self._failed)

    async def _try(self, daily: DailyRow) -> bool:
        """Work out and store a daily's difficulty; return false if that fails.

        This process does not try it again.
        """
        telling = self._failures.telling
        with telling("a daily's difficulty", of=daily.id, but=(StorageError, CoachBusyError)):
            found = await self._work_out(daily.length, daily.secret)
            put = partial(store.put_difficulty, puzzle_id=daily.id, difficulty=found.hundredths)
            await self._database.write(put, keys.puzzle(daily.number, daily.length))
            return True
        return False

    async def _make_ready(self) -> bool:
        """Draw a secret, and store it as a ready practice unless its level has enough of them.

        Return false, and draw nothing, if every level of each length has enough.
        """
        ready = await self._database.read(_ready)
        for wanted in [each for each in self._wanted if ready[each]]:
            del self._wanted[wanted]
        length = self._most_lacking(ready)
        if length is None:
            return False
        secret = Focdle(length).draw(secrets.SystemRandom())
        found = await self._work_out(length, secret)
        if ready[length, found.level] < READY:
            await self._database.write(
                lambda tx: store.add_ready(tx, length, secret, found.hundredths), keys.lease(_LEASE)
            )
        return True

    def _most_lacking(self, ready: Mapping[tuple[int, Level], int]) -> int | None:
        """The length that was asked for first, or the one with the emptiest level.

        None if nothing was asked for and every level is full.
        """
        if self._wanted:
            return next(iter(self._wanted))[0]
        fewest = {length: min(ready[length, level] for level in Level) for length in _LENGTHS}
        length = min(_LENGTHS, key=fewest.__getitem__)
        return length if fewest[length] < READY else None

    async def _work_out(self, length: int, secret: str) -> Difficulty:
        work = partial(HUNDREDTHS, length, secret)
        return Difficulty(length, await self._queue.run(Lane.BACKGROUND, work))


def _ready(tx: Transaction) -> Counter[tuple[int, Level]]:
    rows = store.ready(tx)
    return Counter((length, Difficulty(length, found).level) for length, found in rows)

"""Pars: the solver's mean number of guesses for a daily or a set equation, run by run."""

import asyncio
import logging
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bot.clock import Clock, PuzzleName, date_in, number_of
from bot.coach.model import CoachBusyError
from bot.coach.queue import Lane, Queue, Tasks
from bot.db.database import Database, Transaction
from bot.db.leases import Leases
from bot.errors import ClosingError, StorageError
from bot.failures import Failures
from bot.focdle import store as focdle_store
from bot.focdle.store import ParRow, PuzzleRow
from bot.people.zones import DEFAULT_ZONE
from bot.pool.worker import Named
from engine import Code

log = logging.getLogger(__name__)

_ANALYSING: Final = "bot.coach.analysis"
PAR_OPENINGS: Final[Named[[int, int, str | None, int], tuple[Code, ...]]] = Named(
    _ANALYSING, "par_openings"
)
PAR_RUN: Final[Named[[int, str, Code], int]] = Named(_ANALYSING, "par_run")

RUNS: Final = 100
"""The runs of a par: games of the solver, each with another first guess."""
_BETWEEN_SECONDS: Final = 60.0
_MOST_WANTED: Final = 1000
_REST: Final = timedelta(hours=1)
"""Time before a par that failed is tried again."""
_RECENT: Final = 2
"""The past dates whose opened dailies all get a par; older dailies do if finished on date."""


class Pars:
    def __init__(
        self,
        database: Database,
        clock: Clock,
        queue: Queue,
        leases: Leases,
        *,
        runs: int = RUNS,
    ) -> None:
        self._database = database
        self._leases = leases
        self._clock = clock
        self._queue = queue
        self._runs = runs
        self._under_way: set[PuzzleName] = set()
        self._wanted: dict[PuzzleName, None] = {}
        self._rests_until: dict[PuzzleName, datetime] = {}
        self._failures = Failures(log)
        self._called = asyncio.Event()
        self._tasks = Tasks()

    def want(self, name: PuzzleName) -> None:
        """Ask for the par of a daily soon; the wish is dropped if `_MOST_WANTED` others wait."""
        if len(self._wanted) < _MOST_WANTED:
            self._wanted[name] = None
            self._called.set()

    def begin(self) -> None:
        """Start the task that computes wanted pars at once, and missing ones every minute."""
        self._tasks.begin(self._keep())

    async def close(self) -> None:
        """Stop the background task. May be called twice."""
        await self._tasks.close()

    async def _keep(self) -> None:
        while True:
            self._called.clear()
            try:
                with self._failures.telling("pars"):
                    await self.work_out_missing()
                    await self._work_out_wanted()
            except ClosingError:
                return
            with suppress(TimeoutError):
                async with asyncio.timeout(_BETWEEN_SECONDS):
                    await self._called.wait()

    async def work_out_missing(self) -> None:
        """Compute the missing pars of recent opened dailies, and of older ones finished on date.

        A failed par is logged, is retried in an hour, and delays no other.

        Raises:
            StorageError, CoachBusyError: no par can be computed now.
        """
        today = number_of(date_in(DEFAULT_ZONE, self._clock.now()))
        missing = await self._database.read(
            lambda tx: focdle_store.without_par(tx, since=today - _RECENT)
        )
        for name in missing:
            await self._try(name)

    async def _work_out_wanted(self) -> None:
        """Compute wanted pars; those that fail, or are under way elsewhere, stay wanted."""
        for name in tuple(self._wanted):
            if await self._try(name):
                del self._wanted[name]

    async def _try(self, name: PuzzleName) -> bool:
        """Compute a par, unless it failed within the hour; return whether it is done."""
        now = self._clock.now()
        if now < self._rests_until.get(name, now):
            return False
        with self._failures.telling("par", of=name, but=(StorageError, CoachBusyError)):
            is_done = await self.work_out(name)
            self._rests_until.pop(name, None)
            return is_done
        self._rests_until[name] = now + _REST
        return False

    async def work_out(self, name: PuzzleName) -> bool:
        """Compute the par of an opened daily, run by run, unless it is known.

        Players' requests are served between two runs.

        Returns:
            False if it is under way already, here or in another process; true if it is done, or if
            the daily was never opened or pars are off.
        """
        if name in self._under_way:
            return False
        self._under_way.add(name)
        try:

            def body(tx: Transaction) -> tuple[PuzzleRow | None, float | None]:
                row = focdle_store.find_puzzle(tx, name.number, name.length)
                return row, focdle_store.get_par(tx, name.number, name.length)

            row, known = await self._database.read(body)
            if row is None or known is not None or not self._runs:
                return True
            lease = f"par of {name.number}/{name.length}"
            async with self._leases.held(lease) as is_ours:
                if is_ours:
                    taken = await self._play(name.number, name.length, row.secret, row.salt, lease)
                    mean = sum(taken) / len(taken)
                    par = ParRow(name.number, name.length, mean, len(taken))
                    await self._database.write(
                        lambda tx: focdle_store.add_par(tx, par, made_at=self._clock.now())
                    )
            return is_ours
        finally:
            self._under_way.discard(name)

    async def mean_of(self, number: int, length: int, secret: str, salt: str) -> float | None:
        """Compute the par of an equation that is no daily; it is not stored.

        None if pars are off, or another process is working this one out. The solver's first
        guesses follow from `number` and `salt`.
        """
        if not self._runs:
            return None
        lease = f"par of equation {number}"
        async with self._leases.held(lease) as is_ours:
            if not is_ours:
                return None
            taken = await self._play(number, length, secret, salt, lease)
        return sum(taken) / len(taken)

    async def _play(
        self, number: int, length: int, secret: str, salt: str | None, lease: str
    ) -> list[int]:
        """Let the solver play a game after each first guess; return how many guesses each took."""
        taken: list[int] = []
        openings = partial(PAR_OPENINGS, length, number, salt, self._runs)
        for opening in await self._queue.run(Lane.BACKGROUND, openings):
            # If another process has taken over, because the queue was slow, the first result
            # counts.
            await self._leases.renew(lease)
            run = partial(PAR_RUN, length, secret, opening)
            taken.append(await self._queue.run(Lane.BACKGROUND, run))
        return taken

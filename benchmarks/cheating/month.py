"""A simulated month: everybody in it acts one after the other, at times of their own."""

import asyncio
import random
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final, TypeVar
from zoneinfo import ZoneInfo

from bot.services.services import Services

T = TypeVar("T")

HOME: Final = 10**17
"""The server where everybody is."""
HOME_ZONE: Final = "Europe/Berlin"
WEST: Final = "Etc/GMT+12"
EAST: Final = "Pacific/Kiritimati"
"""Where dates end last, and begin first."""
FIRST: Final = date(2026, 3, 2)
"""The first date."""

_DISCORD_EPOCH: Final = datetime(2015, 1, 1, tzinfo=UTC)
_TIME_BITS: Final = 22
_LONG_AGO: Final = timedelta(days=1000)


class JumpingClock:
    """Shows the time of the act that is under way."""

    def __init__(self, now: datetime) -> None:
        self.present = now

    def now(self) -> datetime:
        """The present instant."""
        return self.present


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a Discord account.

    Attributes:
        id: the account's, which tells when it was made.
        name: what others call them.
        dice: what chance decides for them, the same in every run.
    """

    id: int
    name: str
    dice: random.Random = field(compare=False)


class Month:
    """What everybody in the month shares.

    Args:
        services: what they use.
        clock: what the services tell the time by.
        days: how many dates there are.

    Attributes:
        services: what they use.
        days: the dates.
    """

    def __init__(self, services: Services, clock: JumpingClock, days: int) -> None:
        self.services = services
        self.days = [FIRST + timedelta(days=n) for n in range(days)]
        self._clock = clock
        self._accounts = count(1)
        self._turns = count()
        self._sleepers: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._awake = 0
        self._is_quiet = asyncio.Event()

    @property
    def now(self) -> datetime:
        """The present instant."""
        return self._clock.now()

    @property
    def end(self) -> datetime:
        """When everything is over, also where dates end last."""
        return at(self.days[-1] + timedelta(days=2), 18)

    def person(self, name: str, *, age: timedelta = _LONG_AGO) -> Person:
        """Somebody whose account was made so long before the month."""
        made = at(FIRST, 0) - age
        milliseconds = (made - _DISCORD_EPOCH) // timedelta(milliseconds=1)
        dice = random.Random(name)
        return Person((milliseconds << _TIME_BITS) + next(self._accounts), name, dice)

    async def until(self, moment: datetime) -> None:
        """Let others act until then."""
        woken = asyncio.get_running_loop().create_future()
        heappush(self._sleepers, (max(moment, self.now), next(self._turns), woken))
        self._rest()
        await woken

    async def live(self, lives: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
        """Live everybody's month, with one person awake at a time; returns what came of each."""
        self._awake = len(lives)
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(self._lived(life)) for life in lives]
            while not all(task.done() for task in tasks):
                await self._is_quiet.wait()
                self._is_quiet.clear()
                if self._sleepers:
                    self._clock.present, _turn, woken = heappop(self._sleepers)
                    self._awake += 1
                    woken.set_result(None)
        return [task.result() for task in tasks]

    async def _lived(self, life: Coroutine[Any, Any, T]) -> T:
        try:
            await self.until(self.now)
            return await life
        finally:
            self._rest()

    def _rest(self) -> None:
        self._awake -= 1
        if not self._awake:
            self._is_quiet.set()


def at(day: date, hour: float, zone: str = HOME_ZONE) -> datetime:
    """An hour of a date in a zone."""
    midnight = datetime.combine(day, time(), ZoneInfo(zone)).astimezone(UTC)
    return midnight + timedelta(hours=hour)

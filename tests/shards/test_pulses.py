"""Several processes share the work: each beats for its own shards, and is away by itself."""

import asyncio
import tempfile
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from bot.db.database import Database
from bot.outages import Downtime, ShardRange
from bot.services import Services
from bot.shards.game import Heartbeat, find_outages, is_away
from bot.streaks.model import met_by
from tests.support.clock import NOON, FakeClock
from tests.support.databases import NewDatabase
from tests.support.duels import playing
from tests.support.effort import examples
from tests.support.sql import sql

FIRST, SECOND = 2 << 22, 3 << 22
"""Servers that are on the first and the second of two shards."""


def half(number: int) -> ShardRange:
    return ShardRange(number, number, 2)


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    opened = await Database.open(database_url)
    yield opened
    await opened.close()


async def pulse(*beating: tuple[Heartbeat, int]) -> list[bool]:
    """A beat of each, by its only shard; which of them has met another."""
    return [await heartbeat.beat((shard,), 2) for heartbeat, shard in beating]


def noted(folder: Path) -> list[tuple[object, ...]]:
    """Of which shards outages were, and at what times of the day they began and ended."""
    query = "SELECT shard, shard_count, began_at, ended_at FROM outages ORDER BY began_at, shard"
    rows = sql(folder, query)
    return [(shard, count, began[11:19], ended[11:19]) for shard, count, began, ended in rows]


async def away(database: Database, clock: FakeClock) -> list[bool]:
    """Whether nothing comes from the first server, the second, and by direct messages."""
    return await database.read(
        lambda tx: [is_away(tx, guild, clock.now()) for guild in (FIRST, SECOND, None)]
    )


async def test_a_process_replaced_by_another_causes_no_outage_when_it_stops(
    database: Database, clock: FakeClock
) -> None:
    first, second, another = (Heartbeat(database, clock, half(n)) for n in (0, 1, 0))
    await pulse((first, 0), (second, 1), (another, 0))
    clock.advance(seconds=1)
    await database.write(first.stop)
    clock.advance(seconds=1)
    assert await away(database, clock) == [False, False, False]


async def test_a_process_warns_only_of_another_process_with_the_same_shard(
    database: Database, clock: FakeClock
) -> None:
    first, second, other = (Heartbeat(database, clock, half(n)) for n in (0, 1, 1))
    met: list[list[bool]] = []
    for _ in range(3):
        met.append(await pulse((first, 0), (second, 1), (other, 1)))
        clock.advance(seconds=30)
    assert met == [[False, False, False], [False, True, True], [False, False, False]]


@pytest.mark.parametrize(("shard", "began"), [(0, "12:00:30"), (1, "12:00:00")])
async def test_a_shard_counts_as_heard_until_the_last_move_in_its_servers(
    shard: int,
    began: str,
    services: Services,
    database: Database,
    clock: FakeClock,
    tmp_path: Path,
) -> None:
    await pulse(*((Heartbeat(database, clock, half(n)), n) for n in range(2)))
    clock.advance(seconds=30)
    await playing(services)  # in a server on the first
    clock.advance(seconds=30)
    anew = Heartbeat(database, clock, half(shard))
    await anew.wake()
    await pulse((anew, shard))
    assert noted(tmp_path) == [(shard, 2, began, "12:01:00")]


def ranges_of(count: int, parts: int) -> list[ShardRange]:
    """All shards, in so many ranges."""
    ends = [count * part // parts for part in range(parts + 1)]
    return [ShardRange(first, end - 1, count) for first, end in pairwise(ends)]


@given(st.integers(1, 200), st.integers(1, 20))
def test_each_server_is_served_by_exactly_one_process(count: int, parts: int) -> None:
    ranges = ranges_of(count, min(parts, count))
    for guild_id in range(0, 400 << 22, 7 << 22):
        assert sum(each.serves(guild_id) for each in ranges) == 1


_STEP: Final = 70.0
"""Longer than what makes two absences one, and than what a beat may be late."""
_SERVERS: Final = (*(n << 22 for n in range(1, 9)), None)
events = st.tuples(
    st.sampled_from(["lose", "find", "stop", "kill", "start"]), st.integers(0, 3), st.integers(0, 1)
)


@dataclass(slots=True)
class Process:
    """One that beats, while it runs, for those of its two shards that it hears."""

    shards: ShardRange
    heartbeat: Heartbeat | None = None
    heard: set[int] = field(default_factory=set[int])


class Fleet:
    """Processes with two shards each that come and go; and which are away meanwhile."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._clock = FakeClock()
        self._all = [Process(shards) for shards in ranges_of(8, 4)]
        self._away = dict.fromkeys(_SERVERS, 0)

    async def run(self, doings: list[tuple[str, int, int]]) -> None:
        for process in self._all:
            await self._do(process, "start", process.shards.first)
        for what, which, second in doings:
            process = self._all[which]
            await self._do(process, what, process.shards.first + second)
            await self._step()
        await self._step()  # whoever was killed is missed by now
        now = self._clock.now()
        found = await self._database.read(
            lambda tx: find_outages(tx, NOON, now, now, with_brief=True)
        )
        for server, steps in self._away.items():
            missed = Downtime(met_by(found, server)).between(NOON, now)
            assert missed == timedelta(seconds=_STEP * steps), server

    async def _do(self, process: Process, what: str, shard: int) -> None:
        if what == "start":
            if process.heartbeat is None:
                process.heartbeat = Heartbeat(self._database, self._clock, process.shards)
                await process.heartbeat.wake()
                process.heard = {*process.shards.numbers}
                await process.heartbeat.beat(process.heard, 8)
        elif process.heartbeat is not None and what in {"stop", "kill"}:
            if what == "stop":
                await self._database.write(process.heartbeat.stop)
            process.heartbeat, process.heard = None, set()
        elif process.heartbeat is not None:
            process.heard = process.heard | {shard} if what == "find" else process.heard - {shard}
            await self._beat(process)

    async def _beat(self, process: Process) -> None:
        if process.heartbeat is not None and process.heard:
            assert not await process.heartbeat.beat(process.heard, 8)
        elif process.heartbeat is not None:
            await process.heartbeat.pause()

    async def _step(self) -> None:
        self._clock.advance(seconds=_STEP)
        heard = {shard for process in self._all for shard in process.heard}
        for server in _SERVERS:
            self._away[server] += (server or 0) // 2**22 % 8 not in heard
        for process in self._all:
            if process.heard:
                await self._beat(process)


async def live(url: str, doings: list[tuple[str, int, int]]) -> None:
    database = await Database.open(url)
    try:
        await Fleet(database).run(doings)
    finally:
        await database.close()


@examples(12, 150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(doings=st.lists(events, min_size=1, max_size=12))
def test_the_bot_is_away_from_a_server_exactly_while_its_process_or_shard_is_silent(
    new_database: NewDatabase, doings: list[tuple[str, int, int]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(live(new_database(Path(name)), doings))

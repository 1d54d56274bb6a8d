"""Several processes are asked as one: none that is dead or silent keeps anybody waiting."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import pytest

from bot.health.address import HERE, Address
from bot.health.figures import Figures
from bot.health.ranges import opened
from bot.health.server import listening
from bot.model.outages import ShardRange
from tests.support.asking import Asker, free_port

pytestmark = pytest.mark.long(only=True)

_ALL: Final = ShardRange(0, 3, 4).split(4)


@dataclass
class Place:
    """The shards of a process, and where it is asked."""

    shards: ShardRange
    asked_at: int | None = None


class Child:
    """What a process tells."""

    def __init__(self, *missing: str) -> None:
        self._missing = [*missing]
        self.figures = Figures()

    async def missing(self) -> list[str]:
        return self._missing

    async def expose(self) -> bytes:
        return self.figures.expose()


@asynccontextmanager
async def silent() -> AsyncGenerator[int]:
    """The port of a process that takes calls, and answers none."""
    given_up = asyncio.Event()

    async def keep(_: object, writer: asyncio.StreamWriter) -> None:
        await given_up.wait()
        writer.close()

    server = await asyncio.start_server(keep, HERE, 0)
    async with server:
        yield server.sockets[0].getsockname()[1]
        given_up.set()


async def test_all_are_ready_when_each_is_and_none_is_waited_for() -> None:
    well, unwell, port = Child(), Child("shard 1", "write"), free_port()
    well.figures.broke_down()
    unwell.figures.refused(LookupError)
    async with (
        listening(Address(HERE, 0), well) as first,
        listening(Address(HERE, 0), unwell) as second,
        silent() as third,
    ):
        places = [Place(_ALL[0], first.port)]
        async with opened(Address(HERE, port), places):
            asker = Asker(port)
            assert await asker.missing() == []
            places += [Place(_ALL[1], second.port), Place(_ALL[2], third), Place(_ALL[3])]
            await asyncio.sleep(1)  # an answer is given to all who ask within a second
            found = await asker.missing()
            figures = await asker.figures()
            assert found == ["1-1/4 shard 1", "1-1/4 write", "2-2/4 answer", "3-3/4 answer"]
            answers = [figures[f'focdle_range_answers{{range="{each}"}}'] for each in _ALL]
            assert answers == [1, 1, 0, 0]
            assert figures['focdle_breakdowns_total{range="0-0/4"}'] == 1
            assert figures['focdle_breakdowns_total{range="1-1/4"}'] == 0
            assert figures['focdle_refusals_total{range="1-1/4",reason="LookupError"}'] == 1
            assert 'process_resident_memory_bytes{range="supervisor"}' in figures
            # A process that dies is missed at once.
            places[:] = [Place(_ALL[0], first.port), Place(_ALL[1], free_port())]
            await asyncio.sleep(1)
            assert await asker.missing() == ["1-1/4 answer"]

"""Servers that come and go: each process tells of those that it would hear from, and no others."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack

import pytest

from bot.outages import ShardRange
from bot.privacy.servers import KEPT_FOR
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.support.table import KEY
from tests.support.town import Town

FIRST, SECOND = 2 << 22, 3 << 22
"""Servers that are on the first and the second of two shards."""
BOTH = (FIRST, SECOND)

Processes = tuple[Services, Services]


@pytest.fixture
async def processes(database_url: str, clock: FakeClock) -> AsyncGenerator[Processes]:
    async with AsyncExitStack() as stack:
        first, second = [
            await stack.enter_async_context(
                open_services(
                    database_url,
                    clock,
                    puzzle_key=KEY,
                    shards=ShardRange(number, number, 2),
                )
            )
            for number in range(2)
        ]
        yield first, second


def departed(town: Town) -> list[int]:
    found = sql(town.folder, "SELECT guild_id FROM departed_guilds ORDER BY guild_id")
    return [guild_id for (guild_id,) in found]


async def test_servers_of_other_processes_do_not_count_as_left(
    town: Town, processes: Processes
) -> None:
    for guild_id in BOTH:
        await town.services.settings.change(guild_id, channel_id=7, zone="UTC")
    first, second = (process.privacy.servers for process in processes)
    await first.reconcile([FIRST])
    await second.reconcile([SECOND])
    assert departed(town) == []
    await second.reconcile([])
    assert departed(town) == [SECOND]
    town.clock.advance(seconds=KEPT_FOR.total_seconds() + 1)
    # It is back, and only the second could have noticed that.
    await first.sweep([FIRST])
    assert len(sql(town.folder, "SELECT guild_id FROM guilds")) == 2
    await second.sweep([SECOND])
    assert departed(town) == []
    assert len(sql(town.folder, "SELECT guild_id FROM guilds")) == 2
    await second.left(SECOND)
    town.clock.advance(seconds=KEPT_FOR.total_seconds() + 1)
    await second.sweep([])
    assert sql(town.folder, "SELECT guild_id FROM guilds") == [(FIRST,)]

"""Fixtures: a Discord, and somebody who hosts the bot."""

import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from tests.process.host import TOKEN, Host
from tests.process.loopback import Loopback, open_loopback
from tests.support.databases import Databases


@pytest.fixture
async def discord() -> AsyncGenerator[Loopback]:
    async with open_loopback(TOKEN) as loopback:
        yield loopback


@pytest.fixture
async def host(tmp_path: Path, discord: Loopback, databases: Databases) -> AsyncGenerator[Host]:
    url = databases.leave_to_the_bot(tmp_path)
    host = Host(tmp_path, discord.address, url)
    try:
        yield host
    finally:
        await host.close()
        sys.stderr.write(host.log)  # pytest shows it with a test that failed

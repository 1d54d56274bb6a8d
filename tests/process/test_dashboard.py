"""A real Prometheus reads the bot's figures, and answers all that the dashboard asks for."""

import asyncio
import os
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest

from bot.address import HERE, Address
from tests.process.host import Host
from tests.process.loopback import Loopback
from tests.process.players import Player
from tests.support.asking import Asker, free_port
from tests.support.dashboard import queries
from tests.support.waiting import until_so

_PROGRAM: Final = shutil.which("prometheus")
_NOT_HAPPENED: Final = {"Unanswered", "Failures"}
"""Panels that show nothing while all is well."""
_SETTINGS: Final = """
global: {{scrape_interval: 250ms}}
scrape_configs: [{{job_name: bot, static_configs: [{{targets: ["{address}"]}}]}}]
"""

pytestmark = [
    pytest.mark.long(only=True),
    pytest.mark.skipif(
        _PROGRAM is None and not os.environ.get("CI"),
        reason="Prometheus is not installed; on Debian and Ubuntu: apt install prometheus",
    ),
]


@asynccontextmanager
async def prometheus(folder: Path, address: Address) -> AsyncGenerator[str]:
    """A Prometheus that reads what is told at an address; where it answers itself."""
    assert _PROGRAM is not None
    settings, port = folder / "prometheus.yml", free_port()
    settings.write_text(_SETTINGS.format(address=address))
    process = await asyncio.create_subprocess_exec(
        _PROGRAM,
        f"--config.file={settings}",
        f"--storage.tsdb.path={folder / 'series'}",
        f"--web.listen-address={HERE}:{port}",
        "--log.level=warn",
    )
    try:
        yield f"http://{HERE}:{port}"
    finally:
        process.terminate()
        await process.wait()


async def test_prometheus_answers_each_query_of_the_dashboard(
    host: Host, discord: Loopback, tmp_path: Path
) -> None:
    discord.heartbeat_milliseconds = 200
    asker = Asker(free_port())
    host.environment["HEALTH_ADDRESS"] = str(asker.port)
    host.fork()
    session = await discord.next_session()
    await asker.until_missing()
    is_a_file = not host.environment["DATABASE_URL"]
    not_told = _NOT_HAPPENED | (set[str]() if is_a_file else {"Since the last backup"})
    async with (
        prometheus(tmp_path, Address(HERE, asker.port)) as address,
        aiohttp.ClientSession() as asking,
    ):

        async def answer(query: str) -> list[Any]:
            async with asking.get(f"{address}/api/v1/query", params={"query": query}) as said:
                found = await said.json()
            assert found["status"] == "success", (query, found)
            results: list[Any] = found["data"]["result"]
            return results

        async def reads() -> bool:
            try:
                return bool(await answer("up == 1"))
            except (aiohttp.ClientError, AssertionError):  # it has not begun
                return False

        await until_so(reads)
        player = Player(1)
        assert player.hear(await player.guess(session))
        await session.command(1, "focdle", guess="1+1=3", puzzle="1")
        silent: set[str] = set()

        async def shows_all() -> bool:
            silent.clear()
            silent.update([title for title, query in queries() if not await answer(query)])
            return silent <= not_told

        await until_so(shows_all)
        assert silent == not_told
        (ready,) = await answer("focdle_ready")
        assert ready["metric"]["instance"] == f"{HERE}:{asker.port}"
        assert ready["value"][1] == "1"

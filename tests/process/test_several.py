"""Several processes share the work: each has some of the shards, and all the same database."""

import signal
from collections.abc import AsyncGenerator
from time import monotonic
from typing import Final

import pytest

from tests.process.host import TOKEN, Host
from tests.process.loopback import Loopback
from tests.support.asking import Asker, free_port
from tests.support.databases import used
from tests.support.discord_stand_in import listening
from tests.support.payloads import COMMAND, command, in_server, interaction
from tests.support.sessions import Line, Session
from tests.support.waiting import until

pytestmark = [
    pytest.mark.long(only=True),
    pytest.mark.parametrize("databases", ["postgres"], indirect=True),
]

FIRST, SECOND = (2 << 22) + 42, (3 << 22) + 42
"""Servers that are on the first and the second of two shards."""
_SHARDING_REQUIRED: Final = 4011
_SILENT: Final = "SELECT shard FROM pulses WHERE silent_since IS NOT NULL ORDER BY shard"


class Shards(Loopback):
    """A Discord whose shards come and go one by one.

    Attributes:
        session: whoever is there now.
        came_at: which shards came, and when, in seconds of this process's clock.
    """

    def __init__(self, token: str) -> None:
        super().__init__(token)
        self.guilds = (FIRST, SECOND)
        self.max_concurrency = 2
        self.session = Session(2, self._sent)
        self.came_at: list[tuple[int, float]] = []

    @property
    def present(self) -> list[int]:
        """Which shards are there."""
        return sorted(self.session.lines)

    async def let_in(self, line: Line, shard: int, shards: int) -> None:
        assert shards == self.session.shards
        self.session.lines[shard] = line
        self.came_at.append((shard, monotonic()))
        await self.greet(line, self.session, shard)

    def left(self, line: Line) -> None:
        for shard, known in [*self.session.lines.items()]:
            if known is line:
                del self.session.lines[shard]

    async def help(self, guild_id: int) -> str:
        """What a member of a server is told who asks for help."""
        said = interaction(COMMAND, command("help", {}), in_server(7, guild_id), None)
        return (await (await self.session.send(said)).within()).text


@pytest.fixture
async def discord() -> AsyncGenerator[Shards]:
    async with listening(Shards(TOKEN)) as discord:
        yield discord


async def test_each_process_answers_its_own_servers_and_crashes_by_itself(
    host: Host, discord: Shards
) -> None:
    first, second = [await host.run("--shards", f"{n}/2") for n in range(2)]
    await until(lambda: discord.present == [0, 1])
    for guild_id in (FIRST, SECOND):
        assert "FoCdle" in await discord.help(guild_id)
    await until(lambda: host.query(_SILENT) == [])
    host.change("DELETE FROM outages")  # until the second one was there
    await second.kill()
    await until(lambda: discord.present == [0])
    assert "FoCdle" in await discord.help(FIRST)
    second = await host.run("--shards", "1/2")
    await until(lambda: discord.present == [0, 1])
    assert "FoCdle" in await discord.help(SECOND)
    await until(lambda: host.query(_SILENT) == [])
    assert host.query("SELECT DISTINCT shard, shard_count FROM outages") == [(1, 2)]
    for run in (first, second):
        run.signal(signal.SIGTERM)
        assert await run.status() == 0
    assert host.query(_SILENT) == [(0,), (1,)]
    assert "Traceback" not in host.log
    assert "Another process" not in host.log


async def test_one_process_migrates_the_database_while_others_wait(
    host: Host, discord: Shards
) -> None:
    with used().held(host.folder):
        runs = [await host.run("--shards", f"{n}/2") for n in range(2)]
        line = "waiting for the process that brings the database up to date"
        await until(lambda: host.log.count(line) == 2)
        assert discord.present == []
    await until(lambda: discord.present == [0, 1])
    for run in runs:
        run.signal(signal.SIGTERM)
        assert await run.status() == 0
    assert host.log.count(line) == 2
    assert "Traceback" not in host.log


async def test_processes_log_in_one_after_the_other(host: Host, discord: Shards) -> None:
    discord.max_concurrency = 1
    for n in range(2):
        await host.run("--shards", f"{n}/2")
    await until(lambda: discord.present == [0, 1])
    (_, first), (_, second) = discord.came_at
    assert second - first > 5


async def test_each_process_reports_its_own_shards(host: Host, discord: Shards) -> None:
    discord.heartbeat_milliseconds = 200
    asker = Asker(free_port())
    host.environment["HEALTH_ADDRESS"] = str(asker.port)
    run = await host.run("--shards", "1/2")
    await asker.until_missing()
    assert {label for label in await asker.figures() if "shard_heard" in label} == {
        'focdle_shard_heard{shard="1"}'
    }
    run.signal(signal.SIGTERM)
    assert await run.status() == 0


async def test_a_bot_with_too_few_shards_for_its_servers_says_so_and_does_not_start_again(
    host: Host, discord: Shards, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def send_away(line: Line, _shard: int, _shards: int) -> None:
        await line.close(_SHARDING_REQUIRED)

    monkeypatch.setattr(discord, "let_in", send_away)
    run = await host.run("--shards", "1/2")
    assert await run.status() == 2
    assert "Discord wants more shards" in host.log
    assert "Traceback" not in host.log


async def test_a_bot_does_not_log_in_when_only_one_login_is_left(
    host: Host, discord: Shards
) -> None:
    discord.remaining = 1
    run = await host.run("--shards", "1/2")
    await host.until_logged("1 are left for")
    run.signal(signal.SIGTERM)
    assert await run.status() == 0
    assert discord.came_at == []

"""Several processes share the work: a supervisor keeps one running for each range of shards."""

import asyncio
import os
import re
import signal
import socket
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
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

pytestmark = [
    pytest.mark.long(only=True),
    pytest.mark.parametrize("databases", ["postgres"], indirect=True),
]

FIRST, SECOND = (2 << 22) + 42, (3 << 22) + 42
"""Servers that are on the first and the second of two shards."""
_PATIENCE_SECONDS: Final = 60.0


class Shards(Loopback):
    """A Discord whose shards come and go one by one.

    Attributes:
        session: whoever is there now.
        seen: which shards came and went, in their order.
        came_at: when, in seconds of this process's clock.
    """

    def __init__(self, token: str) -> None:
        super().__init__(token)
        self.guilds = (FIRST, SECOND)
        self.max_concurrency = 2
        self.session = Session(2, self._sent)
        self.seen: list[tuple[str, int]] = []
        self.came_at: list[float] = []

    async def let_in(self, line: Line, shard: int, shards: int) -> None:
        assert shards == self.session.shards
        self.session.lines[shard] = line
        self.seen.append(("came", shard))
        self.came_at.append(monotonic())
        await self.greet(line, self.session, shard)

    def left(self, line: Line) -> None:
        for shard, known in [*self.session.lines.items()]:
            if known is line:
                del self.session.lines[shard]
                self.seen.append(("left", shard))

    async def help(self, guild_id: int) -> str:
        """What a member of a server is told who asks for help."""
        said = interaction(COMMAND, command("help", {}), in_server(7, guild_id), None)
        return (await (await self.session.send(said)).within()).text


@pytest.fixture
async def discord() -> AsyncGenerator[Shards]:
    async with listening(Shards(TOKEN)) as discord:
        yield discord


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(_PATIENCE_SECONDS):
        while not is_so():
            await asyncio.sleep(0.02)


def processes(host: Host) -> list[int]:
    """The ids of the processes that were started, by shard, the last of each."""
    found = re.findall(r"shards (\d)-\d/2: started as process (\d+)", host.log)
    return [int(number) for _, number in sorted(dict(found).items())]


async def until_ready(host: Host, times: int) -> None:
    """Wait until each process has been ready so many times."""
    await until(lambda: all(host.log.count(f"{n}-{n}/2: ready") == times for n in range(2)))


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


async def test_each_answers_for_its_servers_and_none_takes_others_along(
    host: Host, discord: Shards
) -> None:
    run = await host.run("--processes", "2")
    await until_ready(host, 1)
    for guild_id in (FIRST, SECOND):
        assert "FoCdle" in await discord.help(guild_id)
    host.change("DELETE FROM outages")  # until the second one was there
    first, second = processes(host)
    os.kill(second, signal.SIGKILL)
    await until(lambda: ("left", 1) in discord.seen)
    assert "FoCdle" in await discord.help(FIRST)
    await until(lambda: host.log.count("1-1/2: ready") == 2)
    assert "FoCdle" in await discord.help(SECOND)
    silent = "SELECT shard FROM pulses WHERE silent_since IS NOT NULL ORDER BY shard"
    await until(lambda: host.query(silent) == [])
    assert "shards 1-1/2: ended with -9, again in 1 s" in host.log
    assert host.query("SELECT DISTINCT shard, shard_count FROM outages") == [(1, 2)]
    assert processes(host)[0] == first
    run.signal(signal.SIGTERM)
    assert await run.status() == 0
    assert not any(map(is_running, (*processes(host), first, second)))
    assert host.query(silent) == [(0,), (1,)]
    assert "Traceback" not in host.log
    assert "Another process" not in host.log


async def test_it_tells_how_all_are(host: Host, discord: Shards) -> None:
    discord.heartbeat_milliseconds = 200
    asker = Asker(free_port())
    host.environment["HEALTH_ADDRESS"] = str(asker.port)
    run = await host.run("--processes", "2")
    await asker.until_missing()
    assert "FoCdle" in await discord.help(SECOND)
    told = await asker.figures()
    answers = "focdle_acknowledgement_seconds_count"
    assert told[f'{answers}{{kind="command",range="1-1/2"}}'] == 1
    assert f'{answers}{{kind="command",range="0-0/2"}}' not in told
    assert told['focdle_shard_heard{range="0-0/2",shard="0"}'] == 1
    _, second = processes(host)
    os.kill(second, signal.SIGSTOP)  # it is there, and says nothing
    await asker.until_missing("1-1/2 answer")
    told = await asker.figures()
    assert told['focdle_range_answers{range="0-0/2"}'] == 1
    assert told['focdle_range_answers{range="1-1/2"}'] == 0
    os.kill(second, signal.SIGCONT)
    await asker.until_missing()
    os.kill(second, signal.SIGKILL)
    await asker.until_missing("1-1/2 answer")
    await asker.until_missing()
    assert processes(host)[1] != second
    discord.session.lines[0].break_off()
    discord.lets_resume.clear()
    await asker.until_missing("0-0/2 shard 0")
    with used().held(host.folder):
        await asker.until_missing("0-0/2 shard 0", "0-0/2 write", "1-1/2 write")
    discord.lets_resume.set()
    await asker.until_missing()
    run.signal(signal.SIGTERM)
    assert await run.status() == 0
    assert "Traceback" not in host.log


async def test_where_somebody_listens_already_none_is_started(host: Host) -> None:
    port = free_port()
    host.environment["HEALTH_ADDRESS"] = str(port)
    with socket.create_server(("127.0.0.1", port)):
        run = await host.run("--processes", "2")
        assert await run.status() == 3
    assert f"Nobody can ask how the bot is at 127.0.0.1:{port} (address already in use)" in host.log
    assert "started" not in host.log
    assert "Traceback" not in host.log


async def test_a_part_that_is_split_off_by_hand_tells_how_it_is(
    host: Host, discord: Shards
) -> None:
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


async def test_one_after_the_other_is_started_anew(host: Host, discord: Shards) -> None:
    run = await host.run("--processes", "2")
    await until_ready(host, 1)
    before = processes(host)
    discord.seen.clear()
    run.signal(signal.SIGHUP)
    await until_ready(host, 2)
    await host.until_logged("all are restarted")
    assert discord.seen == [("left", 0), ("came", 0), ("left", 1), ("came", 1)]
    assert not {*before} & {*processes(host)}
    assert not any(map(is_running, before))
    for guild_id in (FIRST, SECOND):
        assert "FoCdle" in await discord.help(guild_id)
    assert host.query("SELECT DISTINCT shard FROM outages ORDER BY shard") == [(0,), (1,)]
    run.signal(signal.SIGTERM)
    assert await run.status() == 0


async def test_no_process_outlives_its_supervisor(host: Host, discord: Shards) -> None:
    discord.max_concurrency = 1  # and so one logs in after the other
    run = await host.run("--processes", "2")
    await until_ready(host, 1)
    first, second = discord.came_at
    assert second - first > 5
    running = processes(host)
    assert all(map(is_running, running))
    await run.kill()
    await until(lambda: not any(map(is_running, running)))
    silent = "SELECT shard FROM pulses WHERE silent_since IS NOT NULL ORDER BY shard"
    assert host.query(silent) == [(0,), (1,)]


async def test_what_the_host_must_mend_ends_all_of_them(host: Host) -> None:
    host.environment["DISCORD_TOKEN"] = "a-token-of-yesterday"
    run = await host.run("--processes", "2")
    assert await run.status() == 2
    assert "Discord does not accept DISCORD_TOKEN" in host.log
    host.environment |= {"DISCORD_TOKEN": TOKEN, "PUZZLE_KEY": "fifteen letters"}
    run = await host.run("--processes", "2")
    assert await run.status() == 2
    assert "PUZZLE_KEY" in host.log
    assert "Traceback" not in host.log


async def test_nobody_logs_in_so_often_that_the_token_is_lost(host: Host, discord: Shards) -> None:
    discord.remaining = 1
    run = await host.run("--shards", "1/2")
    await host.until_logged("1 are left for")
    run.signal(signal.SIGTERM)
    assert await run.status() == 0
    assert discord.seen == []

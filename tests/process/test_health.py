"""What a host is told of how the bot is: whether it is ready, and figures that name nobody."""

import asyncio
import re
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, Final

import pytest

from bot.version import version
from tests.process.host import Host
from tests.process.launch import SILENT_SECONDS
from tests.process.loopback import Loopback, Mishap, open_loopback
from tests.process.players import Player
from tests.support.asking import Asker, free_port, labels, read
from tests.support.databases import used
from tests.support.payloads import COMMAND, PRESS, Payload, command, in_server, interaction
from tests.support.sessions import Session
from tests.support.waiting import until, until_so

_ROOT: Final = Path(__file__).parents[2]
_SERVER: Final = (7 << 22) + 42


@pytest.fixture
async def discord() -> AsyncGenerator[Loopback]:
    """A Discord whose shards beat often, so that it is soon noticed when one does not."""
    async with open_loopback("the-token-that-discord-knows") as loopback:
        loopback.heartbeat_milliseconds = 200
        yield loopback


@pytest.fixture
def asker(host: Host) -> Asker:
    """Asks a bot that is started after this."""
    asker = Asker(free_port())
    host.environment["HEALTH_ADDRESS"] = str(asker.port)
    return asker


async def check(host: Host, *arguments: str) -> tuple[int, str]:
    """What `python -m bot health` says beside the bot: its exit status, and its one line."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", "health", *arguments),
        cwd=host.folder,
        env={"PYTHONPATH": str(_ROOT), **host.environment},
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate()
    assert said.count(b"\n") == 1
    return process.returncode or 0, said.decode()


async def _is_answered(host: Host, said: tuple[int, str]) -> bool:
    return await check(host) == said


@pytest.mark.long(only=True)
async def test_the_bot_is_ready_while_each_shard_answers_heartbeats(
    host: Host, discord: Loopback, asker: Asker
) -> None:
    status, said = await check(host)
    assert status == 1
    assert said.startswith(f"No answer at 127.0.0.1:{asker.port} (")
    discord.lets_log_in.clear()
    run = host.fork()
    await discord.until_asked_to_log_in()
    await asker.until_missing("shard 0")  # how many there are, Discord has not said yet
    assert (await asker.ask("/healthz"))[0] == 200
    discord.lets_log_in.set()
    session = await discord.next_session()
    await asker.until_missing()
    # A busy machine may be late with a beat, which is the bot's silence for a moment.
    await until_so(lambda: _is_answered(host, (0, '{"ready": true, "missing": []}\n')))
    discord.lets_resume.clear()
    session.lines[1].break_off()
    await asker.until_missing("shard 1")
    silent = (1, '{"ready": false, "missing": ["shard 1"]}\n')
    await until_so(lambda: _is_answered(host, silent))
    assert await check(host, "--alive") == (0, '{"alive": true}\n')
    assert (await asker.figures())['focdle_shard_heard{shard="1"}'] == 0
    discord.lets_resume.set()
    await asker.until_missing()
    run.signal(signal.SIGTERM)
    assert await run.status() == 0
    assert await asker.missing() is None
    assert "Traceback" not in host.log


@pytest.mark.long(only=True)
async def test_a_health_check_does_not_wait_for_a_bot_that_hangs(
    host: Host, discord: Loopback, asker: Asker
) -> None:
    run = host.fork()
    await discord.next_session()
    await asker.until_missing()
    run.signal(signal.SIGSTOP)
    said = f"No answer at 127.0.0.1:{asker.port} (timed out).\n"
    assert await check(host) == (1, said)
    assert await check(host, "--alive") == (1, said)


@pytest.mark.long(only=True)
async def test_a_connected_shard_without_heartbeats_is_reported_as_silent(
    host: Host, discord: Loopback, asker: Asker
) -> None:
    host.fork()
    await discord.next_session()
    beats = 2 * 1000 * SILENT_SECONDS / discord.heartbeat_milliseconds
    await until(lambda: discord.beats > 2 * beats)  # of two shards, each heard only by these
    await asker.until_missing()
    discord.hears_beats.clear()
    await asker.until_missing("shard 0", "shard 1")
    assert "Traceback" not in host.log


@pytest.mark.long(only=True)
async def test_the_bot_is_ready_while_the_database_accepts_a_write(
    host: Host, discord: Loopback, asker: Asker
) -> None:
    host.fork()
    await discord.next_session()
    await asker.until_missing()
    with used().held(host.folder):
        await asker.until_missing("write")
        assert (await asker.ask("/healthz"))[0] == 200
        assert (await asker.figures())["focdle_ready"] == 0
    await asker.until_missing()
    failures = 'focdle_transaction_failures_total{kind="write",reason="StorageBusyError"}'
    assert (await asker.figures())[failures] >= 1
    assert "Traceback" not in host.log
    assert host.query("SELECT count(*) FROM facts WHERE name LIKE 'trial%'") == [(1,)]


async def use(session: Session, said: Payload) -> None:
    await (await session.interact(said))


async def _is_counted(asker: Asker, figure: str, times: int = 1) -> bool:
    return (await asker.figures()).get(figure, 0) >= times


@pytest.mark.long(only=True)
async def test_the_metrics_report_events_and_name_nobody(
    host: Host, discord: Loopback, asker: Asker
) -> None:
    discord.guilds = [_SERVER]
    host.fork()
    session = await discord.next_session()
    await asker.until_missing()
    before = labels((await asker.ask("/metrics"))[1])
    players = [Player(5 * 10**17 + number) for number in range(4)]
    for player in players[:2]:
        assert player.hear(await player.guess(session))
    await session.command(players[0].number, "focdle", guess="1+1=3", puzzle="1")
    someone = in_server(players[1].number, _SERVER)
    await use(session, interaction(COMMAND, command("play", {}), someone, None))
    pressed: dict[str, Any] = {"custom_id": "of-old-times", "component_type": 2}
    await use(session, interaction(PRESS, pressed, someone, None))
    discord.mishaps = [Mishap.TOO_LATE]
    await players[2].type_guess(session)
    # So long Discord waits, and a look is due each second.
    late = 'focdle_unanswered_total{kind="command"}'
    await until_so(lambda: _is_counted(asker, late))
    _, text = await asker.ask("/metrics")
    told = read(text)
    assert told['focdle_acknowledgement_seconds_count{kind="command"}'] == 4
    assert told['focdle_acknowledgement_seconds_count{kind="button"}'] == 1
    assert told['focdle_unanswered_total{kind="command"}'] == 1
    assert told['focdle_refusals_total{reason="GuessRefusedError"}'] == 1
    assert told['focdle_transaction_seconds_count{kind="write"}'] >= 4
    assert told["focdle_database_bytes"] > 100_000
    assert told["focdle_loop_delay_seconds_count"] > 10
    assert told[f'focdle_build_info{{version="{version()}"}}'] == 1
    answers = 'route="POST /interactions/{}/{}/callback",status='
    assert told[f'focdle_discord_request_seconds_count{{{answers}"200"}}'] == 5
    assert told[f'focdle_discord_request_seconds_count{{{answers}"404"}}'] == 1
    if not host.environment["DATABASE_URL"]:  # a file, and there was no backup of the night
        await until_so(lambda: _is_counted(asker, "focdle_last_backup_timestamp_seconds"))
    # Nothing in it is an id, a token, a name or what somebody has typed.
    said, long = labels(text), r"\d{5}|token|player|of-old-times"
    named = said - {version()}  # whose commit may have five digits in a row
    assert not [label for label in named if re.search(long, label)]
    # However many play, there are no more figures.
    for player in players[3:]:
        assert player.hear(await player.guess(session))
    acknowledged = 'focdle_acknowledgement_seconds_count{kind="command"}'
    await until_so(lambda: _is_counted(asker, acknowledged, 5))
    assert labels((await asker.ask("/metrics"))[1]) == said > before


def test_a_health_check_loads_only_the_standard_library() -> None:
    listed = "import bot.__main__, bot.hosting.health_check, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-S", "-c", listed], cwd=_ROOT, capture_output=True, text=True, check=True
    )
    found = {name.partition(".")[0] for name in done.stdout.split()}
    assert found - sys.stdlib_module_names == {"bot", "__main__"}

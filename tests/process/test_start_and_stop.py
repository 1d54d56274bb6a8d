"""The program as its host sees it: settings, tokens, signals, log, commands."""

import asyncio
import os
import signal
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from bot.version import version
from tests.process.host import KEY, TOKEN, Host, may_be_first
from tests.process.launch import (
    GO_ON,
    MIGRATING,
    UNDER_WAY,
    launch_later_in,
    launch_slowly_in,
)
from tests.process.loopback import Loopback, launch
from tests.process.players import SECRET, Player, stored_turns
from tests.support import later
from tests.support.asking import free_port
from tests.support.databases import Databases, used
from tests.support.effort import either
from tests.support.payloads import APPLICATION
from tests.support.sessions import Session
from tests.support.waiting import until


async def test_a_start_without_a_token_says_what_to_do(host: Host):
    host.environment.clear()
    run = await host.run_alone()
    assert await run.status() == 2
    assert "DISCORD_TOKEN is not set" in host.log
    assert ".env" in host.log
    assert "tasks.py play" in host.log
    assert host.output == ""


@pytest.mark.sqlite  # its file's mode
async def test_a_start_warns_of_readable_secret_files_and_a_weak_key(host: Host, discord: Loopback):
    del host.environment["DISCORD_TOKEN"]
    file = host.folder / ".env"
    file.touch(mode=0o600)
    file.write_text(f"DISCORD_TOKEN={TOKEN}\n")
    run = host.fork()
    await Player(5).guess(await discord.next_session())
    await run.kill()
    assert host.log.splitlines()[0].endswith(f"focdle-bot {version()}")
    assert "chmod" not in host.log
    assert "easy to guess" not in host.log
    file.chmod(0o640)
    host.database.chmod(0o604)
    host.environment["PUZZLE_KEY"] = "hunter2"
    host.fork()
    await discord.next_session()
    for path in (".env", "focdle.db"):
        assert f"Type: chmod 600 {path}\n" in host.log
    assert "PUZZLE_KEY is easy to guess" in host.log
    assert "hunter2" not in host.log


async def test_a_token_that_discord_rejects_causes_no_crash(host: Host):
    host.environment["DISCORD_TOKEN"] = "a-token-of-yesterday"
    run = host.fork()
    assert await run.status() == 2
    assert "Discord does not accept DISCORD_TOKEN" in host.log
    assert "https://discord.com/developers/applications" in host.log
    assert "Traceback" not in host.log
    assert "a-token-of-yesterday" not in host.log
    assert host.output == ""


@pytest.mark.long
@pytest.mark.parametrize(
    ("path", "status"),
    either(
        [("/api/users/@me", 503)],
        [("/api/users/@me", 503), ("/api/users/@me", 429), ("/api/gateway/bot", 503)],
    ),
)
async def test_an_outage_of_discord_at_the_start_causes_no_crash(
    host: Host, discord: Loopback, path: str, status: int
):
    discord.out_of_order[path] = status
    run = host.fork()
    assert await run.status() == 3
    assert "Discord cannot be reached" in host.log
    assert str(status) in host.log
    assert "Traceback" not in host.log
    assert host.output == ""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_stops_the_bot_cleanly(
    host: Host, discord: Loopback, number: signal.Signals
):
    # The program's own Python is long in coming: once it is enough.
    run = await host.run() if number is signal.SIGTERM else host.fork()
    await discord.next_session()
    run.signal(number)
    assert await run.status() == 0
    assert "Traceback" not in host.log
    assert "voice" not in host.log  # a library's warnings about what we never do
    assert host.output == ""


@pytest.mark.long(only=True)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_during_the_login_stops_the_bot_cleanly(
    host: Host, discord: Loopback, number: signal.Signals
):
    discord.lets_log_in.clear()
    run = await host.run()
    await discord.until_asked_to_log_in()
    assert await run.told_until_it_ends(number) == 0
    assert "stopping" in host.log
    assert "Traceback" not in host.log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_a_migration_that_a_signal_ends_leaves_the_database_as_it_was(
    host: Host, discord: Loopback, databases: Databases, number: signal.Signals
):
    databases.new(host.folder)
    before = host.query("SELECT version_num FROM alembic_version")
    run = host.fork(launch_later_in)
    await host.until_logged(MIGRATING)
    if number is signal.SIGTERM:
        assert await run.told_until_it_ends(number) == 0
    else:
        await run.kill()
    assert "Traceback" not in host.log
    assert host.query("SELECT version_num FROM alembic_version") == before
    (host.folder / GO_ON).touch()
    host.fork(launch_later_in)
    await discord.next_session()
    assert host.query("SELECT version_num FROM alembic_version") == [(later.REVISION,)]


@pytest.mark.long(only=True)
@pytest.mark.sqlite  # once is enough
@pytest.mark.skipif(not may_be_first(), reason="nobody may make a world of processes here")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_container_that_is_still_starting_stops_at_a_signal(
    host: Host, number: signal.Signals
):
    """It would lose one that it had no handler for, and go on; here it waits for its settings."""
    os.mkfifo(host.folder / ".env")
    run = await host.run_as_first()
    async with AsyncExitStack() as stack:
        if number is signal.SIGINT:  # of which Python says something, until a program has begun
            await stack.enter_async_context(read_by_somebody(host.folder / ".env"))
        assert await run.told_until_it_ends(number) == 0
    assert host.log == host.output == ""


@pytest.mark.long(only=True)
@pytest.mark.sqlite  # where the second waits for the first, whichever it is
async def test_a_stopping_bot_finishes_and_answers_a_running_guess(host: Host, discord: Loopback):
    ann, ben = Player(1), Player(2)
    run = host.fork(launch_slowly_in)
    session = await discord.next_session()
    first = await ann.type_guess(session)
    await host.until_logged(UNDER_WAY)
    second = await ben.type_guess(session)
    await session.until_heard()
    run.signal(signal.SIGTERM)
    await host.until_logged("stopping")
    (host.folder / GO_ON).touch()
    assert await run.status() == 0
    assert ann.hear(first.result())
    assert "restarting" in second.result().text
    assert stored_turns(host) == {ann.number: [(0, ann.guesses[0])]}


@pytest.mark.long(only=True)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
async def test_the_outage_of_a_restart_begins_when_the_bot_was_last_heard(
    host: Host, discord: Loopback, number: signal.Signals
):
    run = host.fork()
    await until_all_are_heard(host, discord)
    beat = last_beat(host)
    run.signal(number)
    await run.status()
    stopped = host.query("SELECT silent_since FROM pulses ORDER BY shard")
    host.fork()
    await until_all_are_heard(host, discord)
    noted = host.query("SELECT began_at, ended_at, shard, shard_count FROM outages ORDER BY shard")
    assert [shard for *_, shard, _ in noted] == [0, 1]
    assert {count for *_, count in noted} == {2}
    (began, *_), (began_second, *_) = noted
    if number is signal.SIGTERM:
        assert stopped[0] == stopped[1]
        assert began == stopped[0][0]
    else:
        assert stopped == [(None,), (None,)]
        assert began == beat
    assert began_second <= began  # as one with the moment until it was first heard
    assert all(beat <= began < ended for _, ended, *_ in noted)


@asynccontextmanager
async def read_by_somebody(pipe: Path) -> AsyncGenerator[None]:
    """A pipe that somebody wants to read from, and waits, since nobody writes there."""
    number = -1
    while number < 0:
        try:
            number = os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            await asyncio.sleep(0.01)
    try:
        yield
    finally:
        os.close(number)


def last_beat(host: Host) -> str:
    """When the bot was last heard, by whichever shard; empty for never."""
    ((found,),) = host.query("SELECT max(beat_at) FROM pulses")
    return found or ""


async def until_silent(host: Host, shards: list[tuple[int, int]]) -> None:
    """Wait until it is noted that these shards, of so many, are silent, and no others."""
    silent = "SELECT shard, shard_count FROM pulses WHERE silent_since IS NOT NULL ORDER BY shard"
    await until(lambda: last_beat(host) and shards == host.query(silent))


async def until_all_are_heard(host: Host, discord: Loopback) -> Session:
    """Wait until a process has noted that all its shards are heard."""
    session = await discord.next_session()
    await until_silent(host, [])
    return session


@pytest.mark.long(only=True)
async def test_a_lost_connection_is_an_outage_only_of_its_shard(host: Host, discord: Loopback):
    host.fork()
    session = await until_all_are_heard(host, discord)
    began = last_beat(host)
    discord.lets_resume.clear()
    session.lines[1].break_off()
    await until_silent(host, [(1, 2)])
    assert Player(1).hear(await Player(1).guess(session))  # by the other
    discord.lets_resume.set()
    await until_silent(host, [])
    query = f"SELECT shard, shard_count, ended_at FROM outages WHERE ended_at > '{began}'"
    ((*shard, ended),) = host.query(query)
    assert shard == [1, 2]
    assert began < ended <= last_beat(host)
    assert "Traceback" not in host.log


@pytest.mark.long
@pytest.mark.parametrize("level", either(["DEBUG"], ["INFO", "DEBUG"]))  # it says more, and all
async def test_the_log_contains_no_secret(host: Host, discord: Loopback, level: str):
    host.environment["LOG_LEVEL"] = level
    player = Player(1)
    host.fork()
    session = await discord.next_session()
    await player.play(session, asyncio.Semaphore(0))
    await session.command(player.number, "focdle", guess="1+1=3", puzzle="1")
    assert len(stored_turns(host)[player.number]) == len(player.guesses)
    assert host.query("SELECT secret FROM puzzles") == [(SECRET,)]
    for private in (TOKEN, KEY, SECRET, "1+1=3", *player.guesses):
        assert private not in host.log
    assert host.output == ""


async def test_a_logged_error_contains_no_secret(host: Host, discord: Loopback):
    player = Player(1)
    host.fork()
    session = await discord.next_session()
    for times, table in enumerate(("puzzles", "guesses"), start=1):
        used().refuse(host.folder, "INSERT", table)
        answer = await player.guess(session)
        assert "Something broke" in answer.text
        assert host.log.count("Traceback") >= times
        used().allow(host.folder, table)
    assert "no room" in host.log
    assert SECRET not in host.log
    assert player.guesses[0] not in host.log


@pytest.mark.long(only=True)
async def test_commands_are_registered_when_discord_does_not_have_them(
    host: Host, discord: Loopback
):
    for lost, puts in ((False, 1), (False, 1), (True, 2)):
        if lost:
            discord.commands.clear()
        run = host.fork()
        await discord.next_session()
        assert discord.asked("PUT", "/commands") == puts
        assert {command["name"] for command in discord.commands} >= {"focdle", "help"}
        await run.kill()


@pytest.mark.long(only=True)
async def test_the_command_that_launches_an_activity_is_kept_and_answered_by_the_bot_if_it_is_ours(
    host: Host, discord: Loopback
):
    entry = {
        "id": "5",
        "application_id": str(APPLICATION),
        "version": "1",
        "type": 4,
        "name": "launch",
        "name_localizations": {"de": "starten"},
        "description": "",
        "handler": 2,
        "default_member_permissions": "8",
        "integration_types": [0, 1],
        "contexts": [0, 1, 2],
    }
    discord.commands = [entry]
    for start in range(2):  # the second finds everything as it should be
        run = host.fork()
        session = await discord.next_session()
        assert discord.asked("PUT", "/commands") == 1
        assert discord.commands[-1] == entry
        assert {command["name"] for command in discord.commands} >= {"focdle", "help", "launch"}
        if start:
            answer = await launch(session, 1, "launch")
            assert "Unknown command" in answer.text
            answer = await session.command(1, "guess")
            assert "from an older version" in answer.text
        await run.kill()
    port = free_port()
    page = {"WEB_ADDRESS": str(port), "WEB_URL": f"http://127.0.0.1:{port}"}
    host.environment |= page | {"DISCORD_CLIENT_SECRET": "a-client-secret-of-discord"}
    for _ in range(2):
        run = host.fork()
        await discord.next_session()
        assert discord.asked("PUT", "/commands") == 2
        assert discord.commands[-1] == entry | {"handler": 1}
        await run.kill()
    assert "Traceback" not in host.log

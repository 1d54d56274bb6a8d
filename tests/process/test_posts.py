"""Posts and reminders are sent once, whenever the bot ends: seen from Discord's side."""

import asyncio
import signal
from contextlib import ExitStack
from datetime import UTC, date, datetime, timedelta
from itertools import product
from typing import Any, Final

import pytest

from bot.db.tables import metadata
from tests.process.host import Host, Run
from tests.process.loopback import Loopback
from tests.support import sql
from tests.support.databases import Databases
from tests.support.effort import either
from tests.support.waiting import until

GUILD: Final = 42
PLAYER: Final = 900
NO_HISTORY: Final = str((2**50 - 1) & ~(1 << 16) & ~(1 << 3))

# What is looked at by both: what is due, its claim, where the message goes.
POST: Final = ("post_plans", "post_at", "posts", f"/channels/{GUILD + 1}/messages")
REMINDER: Final = ("reminder_plans", "look_at", "reminders", f"/channels/{PLAYER + 1}/messages")
EITHER = pytest.mark.parametrize("what", [POST, REMINDER], ids=["post", "reminder"])
# What the bot looks at anew after a moment may be missed in so short a time.
_LOOK_SECONDS: Final = either(0.3, 1.0)
What = tuple[str, str, str, str]


@pytest.fixture(autouse=True)
def _something_due(host: Host, discord: Loopback, databases: Databases) -> None:
    """A server whose post is due, and a player whose streak ends soon, whatever the hour is."""
    databases.new(host.folder)
    discord.guilds = [GUILD]
    now = datetime.now(UTC)
    past = stamp(now - timedelta(days=9))
    insert(host, "guilds", guild_id=GUILD, channel_id=GUILD + 1, post_hour=1)
    set_zone(host, "guild", GUILD, zone_at(now, 12), past)
    insert(host, "post_plans", guild_id=GUILD, post_at=past, since=past, refusals=0)
    # In their zone it is between ten and eleven in the evening, and yesterday was solved.
    zone = zone_at(now, 22)
    set_zone(host, "player", PLAYER, zone, past)
    yesterday = (now + timedelta(hours=offset(zone))).date() - timedelta(days=1)
    number = (yesterday - date(2026, 1, 1)).days + 1
    secret = "12+34-5=41"
    puzzle = {"id": 1, "number": number, "length": 10, "rules": "focdle:10/6", "salt": "0"}
    insert(host, "puzzles", **puzzle, secret=secret)
    solved = stamp(now - timedelta(days=1))
    insert(
        host,
        "plays",
        id=1,
        puzzle_id=1,
        player_id=PLAYER,
        zone=zone,
        hard=0,
        opened_at=solved,
        finished_at=solved,
        outcome="solved",
        on_date=1,
    )
    insert(host, "guesses", play_id=1, turn=0, code=secret, guessed_at=solved)


def wants_reminders(host: Host) -> None:
    insert(host, "reminder_plans", player_id=PLAYER, look_at=stamp(long_ago()))


def arrange(host: Host, what: What) -> None:
    """Let only this be due."""
    if what is REMINDER:
        wants_reminders(host)
        host.change("DELETE FROM post_plans")


def long_ago() -> datetime:
    return datetime.now(UTC) - timedelta(days=1)


def stamp(instant: datetime) -> str:
    return instant.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")


def zone_at(now: datetime, hour: int) -> str:
    """A zone in which it is about so late now."""
    east = (hour - now.hour) % 24
    east -= 24 if east > 12 else 0
    return f"Etc/GMT{-east:+d}" if east else "Etc/GMT"


def offset(zone: str) -> int:
    return -int(zone.removeprefix("Etc/GMT") or "0")


def set_zone(host: Host, subject: str, subject_id: int, zone: str, since: str) -> None:
    names = {"subject": subject, "subject_id": subject_id, "zone": zone}
    insert(host, "zones", effective_at=since, set_at=since, **names)


def insert(host: Host, table: str, **values: Any) -> None:
    sql.insert(host.folder, table, values)


def pass_time(host: Host, what: What, seconds: int) -> None:
    """Let what was claimed have been claimed so much earlier, and look at it now."""
    plans, column, claims, _ = what
    for name in ("claimed_at", "tried_at"):
        (row,) = host.query(f"SELECT {name} FROM {claims}")
        earlier = datetime.fromisoformat(row[0]).replace(tzinfo=UTC) - timedelta(seconds=seconds)
        host.change(f"UPDATE {claims} SET {name} = '{stamp(earlier)}'")
    host.change(f"UPDATE {plans} SET {column} = '{stamp(long_ago())}'")


async def until_noted(host: Host, what: What) -> None:
    """Wait until a message's id is in the database."""
    await until(lambda: ("sent",) in [row[:1] for row in noted(host, what)])


def noted(host: Host, what: What) -> list[tuple[Any, ...]]:
    return host.query(f"SELECT outcome, message_id FROM {what[2]}")


class Killer:
    """Ends a process when Discord gets its message, once."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.is_done = asyncio.Event()

    async def kill(self) -> None:
        if not self.is_done.is_set():
            self.is_done.set()
            self._run.signal(signal.SIGKILL)
            await asyncio.Event().wait()  # until Discord finds that nobody listens

    async def wait(self) -> None:
        await self.is_done.wait()
        await self._run.status()


@pytest.mark.long
@pytest.mark.parametrize(
    ("what", "step"),
    # Both go through the same steps; the short form has the one after which most can go wrong.
    [
        pytest.param(what, step, id=f"{step}-{what[2]}")
        for what, step in product((POST, REMINDER), ("asked", "there", "told"))
        if either(step == "there", True)
    ],
)
async def test_a_post_is_sent_once_even_when_the_bot_is_killed_meanwhile(
    host: Host, discord: Loopback, databases: Databases, what: What, step: str
) -> None:
    arrange(host, what)
    run = host.fork()
    killer = Killer(run)
    locks = ExitStack()

    async def tell_but_let_nothing_be_noted() -> None:
        if not killer.is_done.is_set():
            killer.is_done.set()
            locks.enter_context(databases.held(host.folder))
            asyncio.get_running_loop().call_later(_LOOK_SECONDS, run.signal, signal.SIGKILL)

    if step == "asked":
        discord.before_posting = killer.kill
    elif step == "there":
        discord.before_answering = killer.kill
    else:
        discord.before_answering = tell_but_let_nothing_be_noted
    await killer.wait()
    locks.close()
    assert noted(host, what) == [(None, None)]
    assert len(discord.messages) == (0 if step == "asked" else 1)

    pass_time(host, what, 61)
    host.fork()
    await until_noted(host, what)
    assert len(discord.messages) == 1
    assert noted(host, what) == [("sent", int(discord.messages[0]["id"]))]


@pytest.mark.long(only=True)
@pytest.mark.parametrize(
    ("what", "was_there"),
    [
        pytest.param(what, was_there, id=f"{what[2]}-{'there' if was_there else 'asked'}")
        for what, was_there in product((POST, REMINDER), (True, False))
    ],
)
async def test_a_new_process_looks_for_the_post_of_a_killed_one_before_it_sends_another(
    host: Host, discord: Loopback, what: What, *, was_there: bool
) -> None:
    arrange(host, what)
    killer = Killer(host.fork())
    if was_there:
        discord.before_answering = killer.kill
    else:
        discord.before_posting = killer.kill
    await killer.wait()
    discord.forget_nonces()
    # The clock of its id is Discord's; what is moved is the bot's.
    pass_time(host, what, 300)
    host.fork()
    await until_noted(host, what)
    assert discord.asked("GET", what[3]) == 1
    assert discord.asked("POST", what[3]) == (1 if was_there else 2)
    (message,) = discord.messages
    assert noted(host, what) == [("sent", int(message["id"]))]


@pytest.mark.long(only=True)
async def test_a_post_is_lost_rather_than_sent_twice_where_history_cannot_be_read(
    host: Host, discord: Loopback
) -> None:
    discord.channel_permissions = NO_HISTORY
    killer = Killer(host.fork())
    discord.before_answering = killer.kill
    await killer.wait()
    discord.forget_nonces()
    pass_time(host, POST, 300)
    host.fork()
    await host.until_logged("perhaps not sent")
    assert len(discord.messages) == 1
    assert discord.asked("POST", POST[3]) == 1
    assert [row[0] for row in noted(host, POST)] == ["unsure"]


@pytest.mark.long
@EITHER
async def test_a_second_process_does_not_send_a_post_that_the_first_is_sending(
    host: Host, discord: Loopback, what: What
) -> None:
    arrange(host, what)
    arrived, second_is_ready = asyncio.Event(), asyncio.Event()

    async def wait_for_second() -> None:
        arrived.set()
        await second_is_ready.wait()

    discord.before_posting = wait_for_second
    host.fork()
    await discord.next_session()
    await arrived.wait()
    host.fork()
    await discord.next_session()
    await asyncio.sleep(_LOOK_SECONDS)  # the second looks as soon as it is ready
    assert discord.asked("POST", what[3]) == 1
    second_is_ready.set()
    await until_noted(host, what)
    assert len(discord.messages) == 1


@pytest.mark.long(only=True)
async def test_a_server_not_yet_loaded_after_a_start_does_not_count_as_left(
    host: Host, discord: Loopback
) -> None:
    there, missing = GUILD, GUILD + (1 << 22)
    for table in ("guilds", "zones", "post_plans"):
        key = "subject_id" if table == "zones" else "guild_id"
        columns = [column.name for column in metadata.tables[table].c if column.name != key]
        listed = ", ".join(columns)
        host.change(
            f"INSERT INTO {table} ({key}, {listed}) SELECT {missing}, {listed} FROM {table} "
            f"WHERE {key} = {there}"
        )
    discord.lets_in_all.clear()
    host.fork()
    await discord.until_asked("POST", POST[3])  # by the shard that is there
    (late,) = await until(
        lambda: host.query(
            f"SELECT post_at FROM post_plans WHERE guild_id = {missing} AND "
            f"post_at > '{stamp(datetime.now(UTC))}'"
        )
    )
    assert late[0] < stamp(datetime.now(UTC) + timedelta(minutes=2))

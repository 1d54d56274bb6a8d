"""Posts of races and set equations whose sender was killed before it noted them."""

import asyncio
import signal
from typing import Final

import pytest

from cogs.equations import FORM as EQUATION_FORM
from tests.process.duelling import GUILD
from tests.process.host import Host, Run
from tests.process.loopback import Loopback
from tests.support.effort import either
from tests.support.payloads import COMMAND, FORM, Payload, command, form, in_server, interaction
from tests.support.waiting import until

ANN: Final = 1001
SAID: Final[dict[str, tuple[int, Payload]]] = {
    "races": (COMMAND, command("race", {"game": "bulls"})),
    "equations": (FORM, form(EQUATION_FORM(invited=None), "equation", "12+34-5=41")),
}
IS_OPEN: Final = {
    "races": "SELECT count(*) FROM races WHERE ending IS NULL",
    "equations": "SELECT count(*) FROM puzzles WHERE closes_at > datetime('now', '+1 hour')",
}

A_MINUTE_EARLIER: Final = "strftime('%Y-%m-%d %H:%M:%f000', look_at, '-61 seconds')"


async def kill_at_the_post(discord: Loopback, run: Run, table: str, *, is_there: bool) -> None:
    """Let Ann open one, and end the bot when Discord gets the post."""
    killed = asyncio.Event()

    async def kill() -> None:
        if not killed.is_set():
            killed.set()
            run.signal(signal.SIGKILL)
            await asyncio.Event().wait()  # until Discord finds that nobody listens

    if is_there:
        discord.before_answering = kill
    else:
        discord.before_posting = kill
    session = await discord.next_session()
    await session.until_heard()
    await session.send(interaction(*SAID[table], in_server(ANN, GUILD), None))
    await killed.wait()
    await run.status()


@pytest.mark.long
@pytest.mark.sqlite
@pytest.mark.parametrize("table", SAID)
@pytest.mark.parametrize("is_there", either([True], [True, False]))
async def test_after_a_kill_a_race_or_equation_keeps_its_post_or_ends_without_one(
    host: Host, discord: Loopback, table: str, *, is_there: bool
) -> None:
    discord.guilds = [GUILD]
    await kill_at_the_post(discord, host.fork(), table, is_there=is_there)
    assert len(discord.messages) == is_there
    assert host.query(f"SELECT message_id FROM {table}") == [(None,)]
    host.change(f"UPDATE {table} SET look_at = {A_MINUTE_EARLIER}")
    host.fork()
    if is_there:
        (post,) = discord.messages
        await discord.until_asked("PATCH", f"/messages/{post['id']}")
        await until(lambda: host.query(f"SELECT message_id FROM {table}") == [(int(post["id"]),)])
        assert host.query(IS_OPEN[table]) == [(1,)]
    else:
        await until(lambda: host.query(IS_OPEN[table]) == [(0,)])
        assert discord.messages == []

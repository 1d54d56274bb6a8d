"""A player is told once whose turn it is, whenever the bot ends: seen from Discord's side."""

import asyncio
from datetime import UTC, datetime, timedelta

import pytest

from tests.process.duelling import GUILD, Club
from tests.process.host import Host
from tests.process.loopback import Loopback
from tests.process.test_posts import Killer, stamp

ANN, BEN = 1001, 1002


def calls(discord: Loopback) -> list[int]:
    """The messages of plain text: what calls a player."""
    return [int(message["id"]) for message in discord.messages if message["content"]]


def pass_a_minute(host: Host) -> None:
    """Let what was claimed have been claimed so much earlier."""
    for name in ("claimed_at", "nudge_at"):
        ((at,),) = host.query(f"SELECT {name} FROM duels")
        earlier = datetime.fromisoformat(at).replace(tzinfo=UTC) - timedelta(seconds=60)
        host.change(f"UPDATE duels SET {name} = '{stamp(earlier)}'")


async def until_noted(host: Host) -> int:
    """Wait until a call's id is in the database."""
    async with asyncio.timeout(20):
        while not (found := host.query("SELECT nudge_message_id FROM duels"))[0][0]:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
    return found[0][0]


@pytest.mark.parametrize("step", ["asked", "there"])
async def test_whoever_is_killed_in_the_middle_the_next_one_calls_once(
    host: Host, discord: Loopback, step: str
) -> None:
    discord.guild_id = GUILD
    run = host.fork()
    club = Club(discord, await discord.next_session())
    board = await club.challenge(ANN, BEN, pace="relaxed")
    killer = Killer(run)
    if step == "asked":
        discord.before_posting = killer.kill
    else:
        discord.before_answering = killer.kill
    await club.press(BEN, board, "accept")
    await killer.wait()
    assert len(calls(discord)) == (0 if step == "asked" else 1)
    assert host.query("SELECT nudge_message_id FROM duels") == [(None,)]

    pass_a_minute(host)
    host.fork()
    message_id = await until_noted(host)
    assert calls(discord) == [message_id]
    assert host.query("SELECT nudge_at FROM duels") == [(None,)]

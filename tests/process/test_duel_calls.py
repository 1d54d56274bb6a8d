"""A player is told once whose turn it is, whenever the bot ends: seen from Discord's side."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.process.duelling import GUILD, Club
from tests.process.host import Host, Run
from tests.process.loopback import Loopback
from tests.process.test_posts import Killer, stamp
from tests.support.waiting import until

ANN, BEN = 1001, 1002


def calls(discord: Loopback) -> list[int]:
    """The messages of plain text: what calls a player."""
    return [int(message["id"]) for message in discord.messages if message["content"]]


def pass_a_minute(host: Host) -> None:
    """Let the process that claimed it have had the time to send it."""
    ((at,),) = host.query("SELECT nudge_at FROM duels")
    earlier = datetime.fromisoformat(at).replace(tzinfo=UTC) - timedelta(seconds=60)
    host.change(f"UPDATE duels SET nudge_at = '{stamp(earlier)}'")


def let_pass(host: Host) -> None:
    """Let half a minute of silence have passed."""
    earlier = stamp(datetime.now(UTC) - timedelta(seconds=31))
    host.change(f"UPDATE duels SET moved_at = '{earlier}', nudge_at = '{earlier}'")


async def until_noted(host: Host) -> int:
    """Wait until a call's id is in the database."""
    return await until(lambda: host.query("SELECT nudge_message_id FROM duels")[0][0])


def arm(discord: Loopback, run: Run, step: str) -> Killer:
    """Have the bot killed when it asks Discord to post, or when the message is there."""
    killer = Killer(run)
    if step == "asked":
        discord.before_posting = killer.kill
    else:
        discord.before_answering = killer.kill
    return killer


@pytest.mark.long(only=True)
@pytest.mark.parametrize("step", ["asked", "there"])
async def test_a_player_is_pinged_once_even_when_the_bot_is_killed_meanwhile(
    host: Host, discord: Loopback, step: str
) -> None:
    discord.guilds = [GUILD]
    run = host.fork()
    club = Club(discord, await discord.next_session())
    board = await club.challenge(ANN, BEN, "0123")
    await club.accept(BEN, board, "4567")
    killer = arm(discord, run, step)
    let_pass(host)
    await killer.wait()
    assert len(calls(discord)) == (0 if step == "asked" else 1)
    assert host.query("SELECT nudge_message_id FROM duels") == [(None,)]

    pass_a_minute(host)
    host.fork()
    message_id = await until_noted(host)
    assert calls(discord) == [message_id]
    assert host.query("SELECT nudge_at FROM duels") == [(None,)]


@pytest.mark.long(only=True)
@pytest.mark.parametrize("step", ["asked", "there"])
async def test_an_offer_of_a_draw_pings_once_whenever_the_bot_is_killed(
    host: Host, discord: Loopback, step: str
) -> None:
    discord.guilds = [GUILD]
    run = host.fork()
    club = Club(discord, await discord.next_session())
    board = await club.challenge(ANN, BEN, "0123")
    await club.accept(BEN, board, "4567")
    let_pass(host)
    await until_noted(host)
    await until(lambda: host.query("SELECT nudge_at FROM duels") == [(None,)])
    before = await until_noted(host)
    killer = arm(discord, run, step)
    await club.press(ANN, board, "offer")
    let_pass(host)
    await killer.wait()

    pass_a_minute(host)
    host.fork()
    waiting = [(before,)], [(None,)]
    await until(lambda: host.query("SELECT nudge_message_id FROM duels") not in waiting)
    message_id = await until_noted(host)
    offers = [m for m in discord.messages if "offers a draw**" in (m["content"] or "")]
    assert [int(message["id"]) for message in offers] == [message_id]
    assert offers[0]["content"].startswith(f"<@{BEN}>, **your opponent offers a draw**")
    assert discord.asked("DELETE", f"/{before}") == 1
    assert host.query("SELECT nudge_at FROM duels") == [(None,)]

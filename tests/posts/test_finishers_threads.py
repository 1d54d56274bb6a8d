"""Who is added to finishers' threads when: no server holds up another."""

from datetime import date
from pathlib import Path

import pytest

from bot.clock import number_of
from bot.posts.finishers import ThreadWork
from bot.posts.model import FinishersThreadClosedError
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.support.town import Town

pytestmark = pytest.mark.usefixtures("keys_watched")

TODAY = date(2026, 11, 20)
CROWD = 30
"""More than are looked at in one round."""


async def with_threads(town: Town, *guilds: int) -> None:
    """Let servers have threads for those who finish."""
    for guild in guilds:
        await town.services.settings.change(guild, channel_id=7, zone="UTC")
        await town.services.posts.choices.set_finishers_threads(guild, on=True)


async def waiting(town: Town) -> list[int]:
    """The servers that are to be looked at now."""
    return [guild for guild, _day in await town.services.posts.threads.waiting()]


async def failing(town: Town) -> list[int]:
    """The servers that are looked at in a round of which nothing comes."""
    found = await waiting(town)
    for guild in found:
        await town.services.posts.threads.claim(guild, TODAY)
    return found


async def closing(town: Town) -> list[int]:
    """The servers whose threads are to be closed in a round."""
    threads = town.services.posts.threads
    return [due.guild_id for due in await threads.to_close() if await threads.claim_closing(due)]


async def serve(town: Town, guild: int) -> tuple[int, ...]:
    """Do for a server's thread what is to be done now; who was added."""
    threads = town.services.posts.threads
    work = await threads.claim(guild, TODAY)
    if work is None:
        return ()
    if work.thread_id is None:
        await threads.made(work, thread_id=9)
    for player in work.player_ids:
        await threads.added(work, player)
    await threads.served(work)
    return work.player_ids


async def test_a_crowd_in_one_server_keeps_no_other_server_waiting(town: Town) -> None:
    await with_threads(town, 100, 200)
    for player in range(1, CROWD + 1):
        await town.play(player, 100)
    await town.play(99, 200)
    assert await waiting(town) == [100, 200]
    assert await serve(town, 200) == (99,)


async def test_a_crowd_of_finishers_is_added_over_several_rounds(town: Town) -> None:
    await with_threads(town, 100)
    for player in range(1, CROWD + 1):
        await town.play(player, 100)
    found: list[int] = []
    while await waiting(town):
        found += await serve(town, 100)
    assert found == list(range(1, CROWD + 1))
    assert await waiting(town) == []


async def test_failing_servers_keep_no_other_server_waiting(town: Town, clock: FakeClock) -> None:
    crowd = range(100, 100 + CROWD)
    await with_threads(town, *crowd, 200)
    for guild in crowd:
        await town.play(guild, guild)
        clock.advance(seconds=0.001)
    await town.play(99, 200)
    assert [*await failing(town), *await failing(town)] == [*crowd, 200]
    assert await waiting(town) == []
    clock.advance(minutes=1)
    assert len(await waiting(town)) > 1


async def test_another_finisher_does_not_hasten_the_next_try_at_a_failing_server(
    town: Town, clock: FakeClock
) -> None:
    await with_threads(town, 100)
    await town.play(1, 100)
    assert await failing(town) == [100]
    await town.play(2, 100)
    assert await waiting(town) == []
    clock.advance(minutes=1)
    assert await waiting(town) == [100]
    assert await serve(town, 100) == (1, 2)
    await town.play(3, 100)
    assert await waiting(town) == [100]


async def test_a_server_that_the_bot_cannot_see_is_tried_again_after_ten_minutes(
    town: Town, clock: FakeClock
) -> None:
    await with_threads(town, 100)
    await town.play(1, 100)
    ((guild, day),) = await town.services.posts.threads.waiting()
    await town.services.posts.threads.put_off(guild, day, is_known=True)
    clock.advance(minutes=9)
    assert await waiting(town) == []
    clock.advance(minutes=1)
    assert await waiting(town) == [100]
    assert await serve(town, 100) == (1,)


async def test_a_thread_is_created_in_the_channel_that_was_chosen_when_it_was_claimed(
    town: Town, clock: FakeClock
) -> None:
    threads = town.services.posts.threads
    await with_threads(town, 100)
    await town.play(1, 100)
    await town.services.settings.change(100, channel_id=8)
    work = await threads.claim(100, TODAY)
    assert isinstance(work, ThreadWork)
    assert (work.channel_id, work.is_perhaps_there) == (8, False)
    await town.services.settings.change(100, channel_id=9)
    assert await threads.claim(100, TODAY) is None  # somebody may be making it
    clock.advance(minutes=1)
    work = await threads.claim(100, TODAY)
    assert isinstance(work, ThreadWork)
    assert (work.channel_id, work.is_perhaps_there) == (8, True)


async def test_threads_that_cannot_be_closed_keep_no_other_thread_open(
    town: Town, clock: FakeClock
) -> None:
    threads = town.services.posts.threads
    crowd = range(100, 100 + CROWD)
    await with_threads(town, *crowd, 200)
    for guild in [*crowd, 200]:
        await town.play(guild, guild)
        clock.advance(seconds=0.001)
        await serve(town, guild)
    clock.advance(days=3)
    assert [*await closing(town), *await closing(town)] == [*crowd, 200]
    await threads.closed(200, TODAY)
    assert await threads.to_close() == []
    clock.advance(hours=1)
    assert [*await closing(town), *await closing(town)] == list(crowd)


async def test_a_closed_thread_is_forgotten_and_not_made_again(
    town: Town, clock: FakeClock, tmp_path: Path
) -> None:
    threads = town.services.posts.threads
    await with_threads(town, 100)
    await town.play(1, 100)
    await serve(town, 100)
    await threads.was_deleted(100, 9)
    await town.play(2, 100)
    assert await waiting(town) == []
    clock.advance(days=2, hours=23)
    assert await closing(town) == []
    assert len(sql(tmp_path, "SELECT * FROM finishers_threads")) == 1
    clock.advance(hours=1)
    assert await closing(town) == []
    assert sql(tmp_path, "SELECT * FROM finishers_threads") == []
    with pytest.raises(FinishersThreadClosedError):
        await threads.join(1, 100, number_of(TODAY))


async def test_no_thread_is_made_while_the_daily_post_is_off(town: Town) -> None:
    await with_threads(town, 100)
    choices = town.services.posts.choices
    await choices.turn_off(100)
    await town.play(1, 100)
    assert await waiting(town) == []
    await choices.turn_on(100)
    await town.play(2, 100)
    assert await serve(town, 100) == (2,)
    await choices.turn_off(100)
    await town.play(3, 100)
    assert await serve(town, 100) == (3,)  # the thread is there until it is closed

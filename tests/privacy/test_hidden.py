"""A player who hides is shown to nobody: not in threads, not in what others are compared with."""

from datetime import date

import pytest

from bot.posts.finishers import ThreadWork
from tests.support.duels import ANN, BEN
from tests.support.town import Town

HERE = 100
TODAY = date(2026, 11, 20)


@pytest.fixture
async def town(town: Town) -> Town:
    await town.services.settings.change(HERE, channel_id=7, zone="UTC")
    await town.services.posts.choices.set_finishers_threads(HERE, on=True)
    return town


async def hide(town: Town, player: int, *, on: bool = True) -> None:
    await town.services.preferences.set_hidden(player, on=on)


async def claim(town: Town) -> ThreadWork:
    work = await town.services.posts.threads.claim(HERE, TODAY)
    assert work is not None
    return work


async def test_a_hidden_player_is_not_added_to_a_finishers_thread(town: Town) -> None:
    await hide(town, ANN)
    await town.play(ANN, HERE)
    assert await town.services.posts.threads.waiting() == []
    await town.play(BEN, HERE)
    assert (await claim(town)).player_ids == (BEN,)


async def test_a_hidden_player_may_join_the_finishers_thread_by_a_button(town: Town) -> None:
    threads = town.services.posts.threads
    await hide(town, ANN)
    await town.play(ANN, HERE)
    await threads.join(ANN, HERE, 324)
    work = await claim(town)
    assert work.player_ids == (ANN,)
    assert await threads.still_waits(work, ANN)


async def test_a_player_who_hides_before_being_added_is_not_added_to_the_finishers_thread(
    town: Town,
) -> None:
    threads = town.services.posts.threads
    for player in (ANN, BEN):
        await town.play(player, HERE)
    work = await claim(town)
    assert work.player_ids == (ANN, BEN)
    await hide(town, ANN)
    assert [await threads.still_waits(work, player) for player in work.player_ids] == [False, True]
    await threads.made(work, 9)
    assert (await claim(town)).player_ids == (BEN,)
    await hide(town, ANN, on=False)  # showing oneself again brings nobody in
    assert (await claim(town)).player_ids == (BEN,)


async def test_a_player_in_the_finishers_thread_no_longer_waits_to_be_added(town: Town) -> None:
    threads = town.services.posts.threads
    await town.play(ANN, HERE)
    work = await claim(town)
    await threads.made(work, 9)
    await threads.added(work, ANN)
    await threads.served(work)
    assert not await threads.still_waits(work, ANN)
    await hide(town, ANN)
    assert await threads.waiting() == []
    await threads.join(ANN, HERE, 324)  # those who have left it may come back
    assert await threads.waiting() == [(HERE, TODAY)]

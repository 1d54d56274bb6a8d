"""Who hides is shown to nobody: not in threads, not in what others are compared with."""

from datetime import date, timedelta

import pytest

from bot.coach import store as coach_store
from bot.coach.store import AnalysisRow
from bot.db.database import Database, Transaction
from bot.focdle.model import Play
from bot.games.model import GameName, Source
from bot.leaderboards.results import Deadline
from bot.posts.finishers import ThreadWork
from tests.support.clock import NOON
from tests.support.duels import ANN, BEN, CAT
from tests.support.town import Town

HERE = 100
TODAY = date(2026, 11, 20)
CLOSES = NOON + timedelta(days=1)
DEADLINE = Deadline(CLOSES, CLOSES)


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
    await threads.join(ANN, HERE, 324)  # who has left it may come back
    assert await threads.waiting() == [(HERE, TODAY)]


async def mean_here(town: Town, play: Play) -> float | None:
    """The mean of guesses that the coach tells of a play's server."""
    field = await town.database.read(lambda tx: coach_store.field(tx, play.id, DEADLINE))
    return field.guesses if field.players > 1 else None


async def test_no_player_is_compared_with_a_hidden_one(town: Town) -> None:
    anns, bens = await town.play(ANN, HERE, 2), await town.play(BEN, HERE, 5)
    assert await mean_here(town, anns) == 3.5
    await hide(town, BEN)
    assert await mean_here(town, anns) is None
    assert await mean_here(town, bens) == 3.5  # who hides still sees the others
    await town.play(CAT, HERE, solved=False)
    assert await mean_here(town, anns) == 4.5  # a miss is one guess more than there are


async def test_the_coach_draws_no_curve_of_a_hidden_player(town: Town, database_url: str) -> None:
    mine, *others = [await town.play(player, HERE) for player in (ANN, BEN, CAT)]
    database = await Database.open(database_url)

    def fill(tx: Transaction) -> None:
        for play, left in zip(others, (50, 60), strict=True):
            row = AnalysisRow(1, "{}", (left, 1))
            coach_store.put(tx, GameName(Source.PLAY, play.id), row, made_at=NOON)

    await database.write(fill)
    await hide(town, CAT)
    drawn = await database.write(lambda tx: coach_store.of_others(tx, mine.id, 1, DEADLINE, most=9))
    missing = await database.write(lambda tx: coach_store.missing(tx, mine.id, 2, DEADLINE, most=9))
    await database.close()
    assert drawn == [(50, 1)]
    assert missing == [others[0].id]

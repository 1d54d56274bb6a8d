"""People who were not seen for long are forgotten, if the host has chosen so; nobody else is."""

from contextlib import AsyncExitStack
from datetime import timedelta
from functools import partial

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.outages import Outage, Shard
from bot.privacy import players
from bot.services import open_services
from bot.shards import store as shards_store
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CAT
from tests.support.sql import sql
from tests.support.table import KEY
from tests.support.town import Town

HERE = 100
AFTER = timedelta(days=400)


async def come(town: Town, *players: int) -> None:
    """Let players be seen, and play."""
    for player in players:
        await town.join(player, HERE)
        await town.play(player, HERE)


def wait(town: Town, **time: float) -> None:
    """Let time pass in which the bot is there."""
    town.clock.advance(**time)
    sql(town.folder, "DELETE FROM pulses")


async def purge(town: Town) -> int:
    return await town.services.privacy.unseen.forget_some(AFTER)


def known(town: Town) -> list[int]:
    return [player for (player,) in sql(town.folder, "SELECT player_id FROM players ORDER BY 1")]


async def test_a_player_not_seen_for_as_long_as_the_privacy_policy_says_is_forgotten(
    town: Town,
) -> None:
    await come(town, ANN, BEN)
    wait(town, days=AFTER.days, seconds=-1)
    assert await purge(town) == 0
    await come(town, CAT)
    await town.join(BEN, HERE)  # one who has only looked
    wait(town, seconds=1)
    assert await purge(town) == 1
    assert known(town) == [BEN, CAT]
    assert sql(town.folder, f"SELECT count(*) FROM plays WHERE player_id = {ANN}") == [(0,)]
    assert sql(town.folder, f"SELECT count(*) FROM members WHERE player_id = {ANN}") == [(0,)]
    assert sql(town.folder, "SELECT count(DISTINCT player_id) FROM standings") == [(2,)]
    assert await purge(town) == 0


async def test_players_with_a_running_duel_or_challenge_are_not_forgotten(town: Town) -> None:
    await come(town, ANN, BEN, CAT)
    game = await town.services.duels.inviting.challenge(
        Challenge(ANN, BEN, HERE, 7), DuelOptions(), "0123"
    )
    wait(town, days=AFTER.days)
    assert await purge(town) == 1  # nobody has noted yet that it has lapsed
    assert known(town) == [ANN, BEN]
    await town.services.duels.games.sweep()
    assert await purge(town) == 2
    assert known(town) == []
    assert game.duel.id


async def test_only_one_of_several_processes_forgets_unseen_players_a_few_at_a_time(
    town: Town, database_url: str, clock: FakeClock
) -> None:
    for player in range(1, players.MOST_AT_ONCE + 4):
        await town.join(player, HERE)
    wait(town, days=AFTER.days)
    async with AsyncExitStack() as stack:
        processes = [
            await stack.enter_async_context(open_services(database_url, clock, puzzle_key=KEY))
            for _ in range(2)
        ]
        first, second = (process.privacy.unseen for process in processes)
        assert await first.forget_some(AFTER) == players.MOST_AT_ONCE
        assert await second.forget_some(AFTER) == 0
        assert await first.forget_some(AFTER) == 3


async def test_an_unseen_player_who_returns_in_time_is_not_forgotten(town: Town) -> None:
    await come(town, ANN)
    wait(town, days=AFTER.days)
    seen_by = town.clock.now() - AFTER
    await town.join(ANN, HERE)
    assert not await town.services.privacy.players.forget_unseen(ANN, seen_by)
    assert known(town) == [ANN]


async def test_the_time_after_which_unseen_players_are_forgotten_leaves_out_outages(
    town: Town,
) -> None:
    await come(town, ANN)
    began_at = town.clock.now() + timedelta(days=30)
    wait(town, days=600)
    for number in range(3):  # of each shard at the same time
        outage = Outage(began_at, town.clock.now(), Shard(number, 3))
        await town.database.write(partial(shards_store.put, outage=outage))
    assert await purge(town) == 0
    wait(town, days=AFTER.days - 31)
    assert await purge(town) == 0
    wait(town, days=31)
    assert await purge(town) == 1

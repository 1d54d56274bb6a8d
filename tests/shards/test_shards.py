"""Large bots hear from some servers while others are silent: each has its own absences."""

import asyncio
import tempfile
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from bot.db.database import Database
from bot.duels.challenges import Challenge
from bot.duels.model import Ending
from bot.duels.position import DuelOptions
from bot.effects import DateEffect
from bot.outages import Downtime, Shard
from bot.shards.game import Heartbeat, find_outages
from bot.streaks.model import met_by
from tests.support.clock import NOON, FakeClock
from tests.support.databases import NewDatabase
from tests.support.duels import ANN, BEN, CAT, DAN, SECRETS, accept
from tests.support.effort import examples
from tests.support.sql import sql
from tests.support.town import Town

FIRST, SECOND = 2 << 22, 3 << 22
"""Servers that are on the first and the second of two shards; of three, on the third and first."""
MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


@pytest.fixture
async def town(town: Town) -> Town:
    await town.services.heartbeat.beat((0, 1), 2)
    return town


async def pass_time(town: Town, heard: tuple[int, ...], time: timedelta, shards: int = 2) -> None:
    """Let a time pass in which these shards are heard, and no others."""
    await town.services.heartbeat.beat(heard, shards)
    town.clock.advance(seconds=time.total_seconds())
    now = f"{town.clock.now():%Y-%m-%d %H:%M:%S.%f}"
    sql(town.folder, f"UPDATE pulses SET beat_at = '{now}'")


@given(st.integers(1, 2**63 - 1), st.integers(1, 200))
def test_each_server_and_all_direct_messages_belong_to_exactly_one_shard(
    guild_id: int, count: int
) -> None:
    serving = [n for n in range(count) if Shard(n, count).serves(guild_id)]
    assert serving == [guild_id // 2**22 % count]
    assert Shard(0, count).serves(None)
    assert not any(Shard(n, count).serves(None) for n in range(1, count))


async def reasons(town: Town, player: int) -> list[DateEffect]:
    """What each date did to a player's streak."""
    await town.services.statistics.of(player, viewer_id=player)
    query = f"SELECT reason FROM streak_changes WHERE player_id = {player} ORDER BY day"
    return [DateEffect(reason) for (reason,) in sql(town.folder, query)]


async def test_an_outage_excuses_players_of_the_affected_servers(town: Town) -> None:
    for player, place in ((ANN, FIRST), (BEN, SECOND), (CAT, None)):
        await town.play(player, place)
    await pass_time(town, (0, 1), 20 * HOUR)
    await pass_time(town, (0,), 2 * HOUR)
    await pass_time(town, (0, 1), 20 * HOUR)
    assert await reasons(town, ANN) == [DateEffect.SOLVED, DateEffect.ENDED_UNPLAYED]
    assert await reasons(town, BEN) == [DateEffect.SOLVED, DateEffect.EXCUSED_OUTAGE]
    assert await reasons(town, CAT) == [DateEffect.SOLVED, DateEffect.ENDED_UNPLAYED]


async def test_an_outage_excuses_the_same_players_after_the_number_of_shards_grows(
    town: Town,
) -> None:
    for player, place in ((ANN, FIRST), (BEN, SECOND), (CAT, None)):
        await town.play(player, place)
    await pass_time(town, (0, 1), 20 * HOUR)
    await pass_time(town, (0,), 40 * MINUTE)
    await town.services.heartbeat.pause()  # a restart of half an hour, the same for all
    town.clock.advance(minutes=25)
    await pass_time(town, (0, 2), 5 * MINUTE, shards=3)
    await pass_time(town, (0, 1, 2), 24 * HOUR, shards=3)
    assert await reasons(town, ANN) == [DateEffect.SOLVED, DateEffect.ENDED_UNPLAYED]
    assert await reasons(town, BEN) == [DateEffect.SOLVED, DateEffect.EXCUSED_OUTAGE]
    assert await reasons(town, CAT) == [DateEffect.SOLVED, DateEffect.ENDED_UNPLAYED]


async def begin(town: Town, players: tuple[int, int], guild_id: int) -> int:
    """A duel that has begun in a server."""
    inviting, playing = town.services.duels.inviting, town.services.duels.playing
    challenger, opponent = players
    challenge = Challenge(challenger, opponent, guild_id, 7)
    game = await inviting.challenge(challenge, DuelOptions(), SECRETS[challenger])
    game = await accept(town.services, game)
    await playing.published(game.duel.id, 1000 + game.duel.id, 7, version=1)
    return game.duel.id


async def test_a_duel_gets_back_the_time_of_an_outage_of_its_shard(town: Town) -> None:
    here = await begin(town, (ANN, BEN), FIRST)
    there = await begin(town, (CAT, DAN), SECOND)
    version = sql(town.folder, f"SELECT version FROM duels WHERE id = {there}")
    await pass_time(town, (0,), 25 * HOUR)
    (swept,) = await town.services.duels.games.sweep()
    assert (swept.duel.id, swept.duel.ending) == (here, Ending.TIMED_OUT)
    await pass_time(town, (0,), MINUTE)
    assert await town.services.duels.games.sweep() == []
    # A board need not be shown again and again while nobody can press on it.
    assert sql(town.folder, f"SELECT version FROM duels WHERE id = {there}") == version
    await pass_time(town, (0, 1), 24 * HOUR - timedelta(seconds=1))
    assert await town.services.duels.games.sweep() == []
    game = await town.services.duels.playing.view(CAT, there)
    assert (game.duel.ending, game.deadline_at) == (None, NOON + 49 * HOUR + MINUTE)
    town.clock.advance(seconds=1)
    (swept,) = await town.services.duels.games.sweep()
    assert (swept.duel.id, swept.duel.ending) == (there, Ending.TIMED_OUT)


async def test_a_player_on_a_disconnected_shard_is_not_pinged(town: Town) -> None:
    here = await begin(town, (ANN, BEN), FIRST)
    there = await begin(town, (CAT, DAN), SECOND)
    boards = town.services.duels.boards
    await pass_time(town, (0,), 30 * MINUTE)
    called = [await boards.claim_nudge(duel) for duel in (here, there)]
    assert [nudge and nudge.view.duel.id for nudge in called] == [here, None]
    await pass_time(town, (0, 1), MINUTE)
    called = [await boards.claim_nudge(duel) for duel in (here, there)]
    assert called[1] is not None


_STEP: Final = 70.0
"""Longer than what makes two absences one, and than what a beat may be late."""
_SERVERS: Final = (*(n << 22 for n in range(1, 7)), None)
events = st.one_of(
    st.tuples(st.sampled_from(["lose", "find"]), st.integers(0, 3)),
    st.tuples(st.sampled_from(["stop", "kill"]), st.integers(1, 4)),
)


class Fate:
    """A bot whose shards come and go, and starts with another number of them; and who is away."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._clock = FakeClock()
        self._heartbeat = Heartbeat(database, self._clock)
        self._count, self._heard = 2, set[int]((0, 1))
        self._away = dict.fromkeys(_SERVERS, 0)

    async def run(self, doings: list[tuple[str, int]]) -> None:
        await self._beat()
        for what, number in doings:
            if what in {"stop", "kill"}:
                await self._restart(number, is_killed=what == "kill")
            elif number < self._count:
                await self._change(number, is_found=what == "find")
            self._step()
            if self._heard:
                await self._beat()
        now = self._clock.now()
        found = await self._database.write(
            lambda tx: find_outages(tx, NOON, now, now, with_brief=True)
        )
        for server, steps in self._away.items():
            met = Downtime(met_by(found, server))
            assert met.between(NOON, now) == timedelta(seconds=_STEP * steps), server
            outages = met_by(found, server)
            assert all(one.ended_at < other.began_at for one, other in pairwise(outages))

    async def _restart(self, count: int, *, is_killed: bool) -> None:
        if not is_killed:
            await self._database.write(self._heartbeat.stop)
        self._count, self._heard = count, set[int]()
        self._step()
        self._heartbeat = Heartbeat(self._database, self._clock)
        await self._heartbeat.wake()

    async def _change(self, shard: int, *, is_found: bool) -> None:
        """As the bot notes it."""
        if is_found:
            self._heard.add(shard)
        else:
            self._heard.discard(shard)
        if self._heard:
            await self._beat()
        else:
            await self._heartbeat.pause()

    async def _beat(self) -> None:
        await self._heartbeat.beat(self._heard, self._count)

    def _step(self) -> None:
        self._clock.advance(seconds=_STEP)
        for server in _SERVERS:
            self._away[server] += (server or 0) // 2**22 % self._count not in self._heard


async def live(url: str, doings: list[tuple[str, int]]) -> None:
    database = await Database.open(url)
    try:
        await Fate(database).run(doings)
    finally:
        await database.close()


@examples(12, 150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(  # as many shards as there were, while another one of a server's was silent
    doings=[("lose", 0), ("stop", 3), ("find", 0), ("stop", 2), ("find", 0)]
)
@given(doings=st.lists(events, max_size=12))
def test_the_bot_is_away_from_a_server_exactly_while_its_shard_is_silent(
    new_database: NewDatabase, doings: list[tuple[str, int]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(live(new_database(Path(name)), doings))


async def test_outages_recorded_before_sharding_count_for_all_servers(
    database_url: str, clock: FakeClock, tmp_path: Path
) -> None:
    sql(
        tmp_path,
        "INSERT INTO outages (began_at, ended_at, is_brief) "
        "VALUES ('2026-11-21 08:00:00.000000', '2026-11-21 10:00:00.000000', false)",
    )
    database = await Database.open(database_url)
    clock.advance(hours=48)
    now = clock.now()
    found = await database.write(lambda tx: find_outages(tx, NOON, now, now, with_brief=False))
    await database.close()
    assert [len(met_by(found, server)) for server in _SERVERS] == [1] * len(_SERVERS)

"""Evenings: rounds of races one after the other, for points, whichever process does what."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from bot.games.model import Channel
from bot.races.game import Races
from bot.races.model import (
    NotInRaceError,
    NotYoursToCallOffError,
    Race,
    RaceBegunError,
    RaceOpenError,
    RaceOverError,
)
from bot.services import Services, open_services
from engine import Mastermind
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.effort import examples
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")

ANN, BEN, CLEO = 11, 12, 13
PLAYERS: Final[tuple[int, ...]] = (ANN, BEN, CLEO)
HERE: Final = Channel(7, 8)
POST: Final = 1000
SECRET, MISSES = "RYGB", ("RROO", "OOPP", "PPOO")


@dataclass(slots=True)
class Evening:
    """An evening in one channel, in two processes that take turns."""

    processes: tuple[Services, Services]
    clock: FakeClock
    folder: Path
    turns: int = 0

    @property
    def races(self) -> Races:
        self.turns += 1
        return self.processes[self.turns % 2].races

    async def begin(self, rounds: int, players: Sequence[int] = PLAYERS) -> Race:
        view = await self.races.open(players[0], HERE, Mastermind(), rounds)
        await self.races.posted(view, POST)
        for each in players[1:]:
            await self.races.join(each, view.race.id, HERE)
        await self.races.start(players[0], view.race.id, HERE)
        return await self.now()

    async def now(self) -> Race:
        """The last race, after what is due; with a known secret."""
        for _ in range(2):
            for race_id in await self.races.outdated():
                await self.races.claim(race_id)
        sql(self.folder, f"UPDATE races SET secret = '{SECRET}' WHERE ending IS NULL")
        ((last,),) = sql(self.folder, "SELECT max(id) FROM races")
        return await self.races.look(last, HERE)

    async def guess(self, race: Race, *players: int, text: str = SECRET) -> Race:
        for each in players:
            await self.races.guess(each, race.id, HERE, text)
        return await self.now()

    async def pause(self) -> Race:
        self.clock.advance(seconds=30)
        return await self.now()


def points(race: Race) -> dict[int, int]:
    return {seat.player_id: seat.score for seat in race.seats if seat.score}


@asynccontextmanager
async def opened(url: str, folder: Path) -> AsyncGenerator[Evening]:
    clock = FakeClock()
    async with open_services(url, clock) as first, open_services(url, clock) as second:
        sql(folder, "DELETE FROM pulses")  # as if the bot were there all the time
        yield Evening((first, second), clock, folder)


@pytest.fixture
async def evening(database_url: str, tmp_path: Path) -> AsyncGenerator[Evening]:
    async with opened(database_url, tmp_path) as found:
        yield found


@dataclass(frozen=True, slots=True)
class Turn:
    """What a player does in a round, so many seconds after its start."""

    misses: int
    solves: bool
    after: int

    @property
    def guesses(self) -> list[str]:
        return [*MISSES[: self.misses], *[SECRET][: self.solves]]


@dataclass(slots=True)
class Tally:
    """Who is waited for in a round, and what they have won so far."""

    waited: set[int] = field(default_factory=lambda: set(PLAYERS))
    won: Counter[int] = field(default_factory=Counter[int])

    def play(self, turns: dict[int, Turn]) -> tuple[list[int], bool]:
        """Who can guess before the round is over, in order, and whether another follows."""
        late, made, order = set(self.waited), list[tuple[int, int, int]](), list[int]()
        for who in sorted(PLAYERS, key=lambda each: (turns[each].after, each)):
            turn = turns[who]
            if turn.guesses and (late or not order):
                order.append(who)
                late.add(who)
                if turn.solves:
                    late.discard(who)
                    made.append((turn.misses, turn.after, who))
        for misses, after, who in made:
            better = sum((m, a) < (misses, after) for m, a, _ in made)
            self.won[who] += [5, 3, 2, 1][min(better, 3)]
        self.waited = set(order)
        return order, bool(order)


turns = st.builds(Turn, st.integers(0, 3), st.booleans(), st.integers(1, 3))
rounds_of = st.lists(st.tuples(turns, turns, turns), min_size=5, max_size=5)
_IDLE, _FAST = Turn(0, solves=False, after=1), Turn(0, solves=True, after=1)


@examples(10, 40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(played=[(_FAST, _FAST, _IDLE), (_FAST, _FAST, Turn(0, True, 3))] + [(_IDLE,) * 3] * 3)
@given(played=rounds_of)
def test_points_are_those_of_all_rounds_and_an_evening_lasts_an_hour_at_most(
    new_database: NewDatabase, played: list[tuple[Turn, Turn, Turn]]
) -> None:
    async def live(url: str, folder: Path) -> None:
        tally = Tally()
        async with opened(url, folder) as evening:
            race, begun = await evening.begin(len(played)), evening.clock.now()
            last, number = race, 0
            for number, one in enumerate(played, 1):
                assert (race.round, race.started_at) == (number, evening.clock.now())
                assert {seat.player_id for seat in race.seats if not seat.is_away} == tally.waited
                start = evening.clock.now()
                doing: dict[int, Turn] = dict(zip(PLAYERS, one, strict=True))
                order, goes_on = tally.play(doing)
                for who in order:
                    evening.clock.set(start + timedelta(seconds=doing[who].after))
                    for text in doing[who].guesses:
                        await evening.guess(race, who, text=text)
                if (await evening.races.look(race.id, HERE)).finished_at is None:
                    evening.clock.set(start + timedelta(minutes=10))
                last = await evening.now()
                assert points(last) == tally.won
                if not goes_on or number == len(played):
                    break
                assert (last.round, last.follows, last.started_at) == (number + 1, race.id, None)
                race = await evening.pause()
            assert (last.round, last.id) == (number, race.id)
            assert last.finished_at is not None
            assert last.finished_at - begun < timedelta(hours=1)
            posts = sql(folder, "SELECT message_id FROM races ORDER BY id")
            assert posts == [*[(None,)] * (number - 1), (POST,)]
            assert sql(folder, "SELECT count(*) FROM member_posts") == [(1,)]

    with tempfile.TemporaryDirectory() as name:
        asyncio.run(live(new_database(Path(name)), Path(name)))


async def test_two_processes_that_end_a_round_at_once_begin_one_round(evening: Evening) -> None:
    race = await evening.begin(3)
    await evening.guess(race, ANN)
    evening.clock.advance(minutes=10)
    looks: list[Awaitable[object]] = [p.races.claim(race.id) for p in evening.processes * 3]
    looks += [p.races.board(BEN, race.id, HERE) for p in evening.processes * 3]
    await asyncio.gather(*looks)
    assert sql(evening.folder, "SELECT id, follows FROM races ORDER BY id") == [(1, None), (2, 1)]


async def test_whoever_is_waited_for_starts_the_next_round_by_being_ready(
    evening: Evening,
) -> None:
    race = await evening.begin(3)
    await evening.guess(race, ANN, BEN)
    evening.clock.advance(minutes=10)
    after = await evening.now()
    with pytest.raises(RaceOverError):
        await evening.races.start(ANN, race.id, HERE)
    with pytest.raises(NotInRaceError):
        await evening.races.start(99, after.id, HERE)
    versions = [after.version]
    for who in (ANN, ANN, CLEO):
        found = (await evening.races.start(who, after.id, HERE)).race
        versions.append(found.version)
        assert found.started_at is None
    assert versions == [3, 4, 4, 5]
    await evening.races.join(99, after.id, HERE)  # and is ready
    begun = (await evening.races.start(BEN, after.id, HERE)).race
    assert begun.started_at == evening.clock.now()
    with pytest.raises(RaceBegunError):
        await evening.races.join(98, after.id, HERE)
    assert (await evening.races.start(99, after.id, HERE)).race.started_at == begun.started_at
    over = await evening.guess(begun, ANN, BEN, 99)
    assert over.round == 3  # Cleo, who made no guess, was not waited for
    assert points(over) == {ANN: 10, BEN: 10, 99: 5}


async def test_a_player_who_is_not_waited_for_is_once_they_guess(evening: Evening) -> None:
    race = await evening.begin(3)
    await evening.guess(race, ANN, BEN)
    evening.clock.advance(minutes=10)
    await evening.now()
    race = await evening.pause()
    await evening.guess(race, CLEO, text=MISSES[0])
    assert (await evening.guess(race, ANN, BEN)).id == race.id
    assert (await evening.guess(race, CLEO)).round == 3


async def test_an_evening_that_others_wait_behind_ends_with_its_round_after_20_minutes(
    evening: Evening,
) -> None:
    race = await evening.begin(5)
    for number in (1, 2, 3):
        with pytest.raises(RaceOpenError):
            await evening.races.open(99, HERE, Mastermind())
        assert race.round == number
        await evening.guess(race, ANN, text=MISSES[0])
        evening.clock.advance(minutes=9 if number == 1 else 10)
        await evening.guess(race, *PLAYERS)
        last = await evening.now()
        race = await evening.pause()
    assert last.round == race.round == 3
    assert race.ending is not None
    assert (await evening.races.open(99, HERE, Mastermind())).race.id > race.id


async def test_an_evening_holds_its_channel_although_the_end_of_a_round_is_not_stored_yet(
    evening: Evening,
) -> None:
    race = await evening.begin(3)
    await evening.guess(race, ANN)
    evening.clock.advance(minutes=10)
    with pytest.raises(RaceOpenError):
        await evening.races.open(99, HERE, Mastermind())
    assert (await evening.now()).is_awaited


async def test_an_edit_of_the_post_that_outlasts_its_round_is_made_good(evening: Evening) -> None:
    race = await evening.begin(3, (ANN, BEN))
    evening.clock.advance(seconds=2)
    edited = await evening.races.claim(race.id)
    assert edited is not None
    pause = await evening.guess(race, ANN, BEN)
    evening.clock.advance(seconds=2)
    other = await evening.races.claim(pause.id)
    assert other is not None
    await evening.races.shown(other, POST)
    assert await evening.races.outdated() == []
    await evening.races.shown(edited, POST)
    evening.clock.advance(seconds=2)
    assert await evening.races.outdated() == [pause.id]


async def test_deletions_in_a_pause_leave_the_evening_to_the_others(evening: Evening) -> None:
    race = await evening.begin(3)
    pause = await evening.guess(race, *PLAYERS)
    await evening.processes[0].privacy.players.delete(ANN, "delete")
    race = await evening.pause()
    assert [seat.player_id for seat in race.seats] == [BEN, CLEO]
    assert race.id == pause.id
    assert (ANN,) not in sql(evening.folder, "SELECT player_id FROM race_seats")
    with pytest.raises(NotYoursToCallOffError):
        await evening.races.call_off(BEN, race.id, HERE, is_manager=False)
    await evening.guess(race, BEN)
    await evening.processes[1].privacy.players.delete(CLEO, "delete")  # which ends the round
    alone = await evening.now()
    assert [seat.player_id for seat in alone.seats] == [BEN]
    assert (await evening.pause()).started_at is None
    evening.clock.advance(minutes=5)
    assert str((await evening.now()).ending) == "lapsed"
    assert await evening.races.open_in(HERE) == []


async def test_an_opener_calls_no_evening_off_once_it_has_a_guess_and_a_manager_may(
    evening: Evening,
) -> None:
    pause = await evening.guess(await evening.begin(3), *PLAYERS)
    with pytest.raises(NotYoursToCallOffError):
        await evening.races.call_off(ANN, pause.id, HERE, is_manager=False)
    await evening.races.call_off(99, pause.id, HERE, is_manager=True)
    assert str((await evening.pause()).ending) == "called_off"

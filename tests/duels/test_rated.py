"""Which duels are rated, what a rank takes, and what accounts that lose on purpose gain by it."""

import asyncio
import tempfile
from collections import defaultdict
from datetime import UTC, date, datetime, timedelta
from itertools import cycle, permutations
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from bot.duels.model import Friendly
from bot.duels.position import DuelOptions
from bot.leaderboards.boards import Board, BoardGame, Period
from bot.leaderboards.game import Absence
from bot.ratings.game import of_age_at
from bot.services import Services, open_services
from tests.support.clock import NOON, FakeClock
from tests.support.databases import NewDatabase
from tests.support.duels import (
    ANN,
    BEN,
    CAT,
    CLASSIC,
    DAN,
    accept,
    against_bot,
    invited,
    playing,
)
from tests.support.effort import examples
from tests.support.standings_oracle import told
from tests.support.town import Town, open_town

pytestmark = pytest.mark.usefixtures("keys_watched")

HERE = 100
BOARD = Board(BoardGame.DUELS, guild_id=HERE)
EVE = 56
FRIENDS = (ANN, BEN, CAT, DAN)
WEEK = timedelta(days=7)
FRIENDLY = DuelOptions(friendly=True)


@pytest.fixture
async def town(town: Town) -> Town:
    for friend in FRIENDS:
        await town.join(friend, HERE)
    return town


def account_of(made_at: datetime) -> int:
    """The id of an account that was made then."""
    return int((made_at - datetime(2015, 1, 1, tzinfo=UTC)).total_seconds() * 1000) << 22


async def standing(town: Town, player: int = ANN) -> tuple[int, int, int]:
    """A player's rank on the board, 0 for none; rating; number of rated duels; once all is done."""
    await town.settle()
    own = (await town.page(BOARD, player)).own
    rating = await town.services.duels.games.rating(player)
    assert rating.is_new == (own is None or not own.rank)
    assert own is None or own.figures.numbers == (rating.points, rating.games, int(not own.rank))
    return own.rank if own else 0, rating.points, rating.games


async def reach_rank(town: Town, player: int, *others: int) -> None:
    """Let a player win and lose on five days in turn."""
    for day, other in zip(range(5), cycle(others), strict=False):
        await town.duel(*((player, other) if day % 2 else (other, player)))
        town.clock.advance(days=1)


async def test_the_first_two_duels_that_a_pair_accepts_in_seven_days_are_rated(
    services: Services, clock: FakeClock
) -> None:
    first = await playing(services)
    clock.advance(minutes=5)
    second = await playing(services, by=BEN, to=ANN)
    third = await playing(services)
    assert [one.duel.rated for one in (first, second, third)] == [True, True, False]
    assert (await playing(services, by=CAT, to=ANN)).duel.rated
    for one in (first, second, third):
        await services.duels.playing.call_off(ANN, one.duel.id)
    for wanted in (True, True, False):  # those that were called off are given back
        game = await playing(services)
        assert game.duel.rated == wanted
        game = await services.duels.playing.resign(ANN, game.duel.id)
        assert [seat.change is not None for seat in game.seats] == [wanted] * 2
    clock.advance(days=7, seconds=-1)
    asked = await invited(services)
    assert (asked.friendly, asked.seats[0].stake) == (Friendly.OFTEN, None)
    clock.advance(seconds=1)
    assert (await accept(services, asked)).duel.rated


async def test_whether_a_duel_is_rated_is_settled_when_it_is_accepted(services: Services) -> None:
    asked = [await invited(services) for _ in range(2)]
    asked.append(await invited(services, by=BEN, to=ANN))
    assert [(one.friendly, one.duel.rated) for one in asked] == [(None, False)] * 3
    taken = [await accept(services, one) for one in asked]
    assert [one.duel.rated for one in taken] == [True, True, False]


async def test_of_two_duels_accepted_at_once_only_one_becomes_the_second(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    await playing(services)
    asked = [await invited(services), await invited(services, by=BEN, to=ANN)]
    async with open_services(database_url, clock) as other:
        both = zip((services, other), asked, strict=True)
        taken = await asyncio.gather(*(accept(one, game) for one, game in both))
    assert sorted(game.duel.rated for game in taken) == [False, True]


async def test_duels_of_accounts_younger_than_thirty_days_are_friendly(
    services: Services, clock: FakeClock
) -> None:
    month = timedelta(days=30)
    old, young = account_of(NOON - month), account_of(NOON - month + timedelta(seconds=1))
    asked = [await invited(services, by=ANN, to=young), await invited(services, by=young, to=old)]
    assert [one.friendly for one in asked] == [Friendly.YOUNG] * 2
    assert not (await accept(services, asked[0])).duel.rated
    assert (await playing(services, by=ANN, to=old)).duel.rated
    clock.advance(seconds=1)
    assert (await accept(services, asked[1])).duel.rated


def test_an_id_tells_the_age_of_its_account() -> None:
    # The example in Discord's documentation.
    made_at = datetime(2016, 4, 30, 11, 18, 25, 796000, tzinfo=UTC)
    assert of_age_at(175928847299117063) == made_at + timedelta(days=30)
    assert of_age_at(account_of(NOON)) == NOON + timedelta(days=30)


async def test_duels_that_are_classic_chosen_friendly_or_with_the_bot_are_not_rated(
    services: Services,
) -> None:
    for options in (CLASSIC, FRIENDLY):
        asked = await invited(services, options)
        assert asked.friendly is Friendly.CHOSEN
        assert not (await accept(services, asked)).duel.rated
    assert not (await against_bot(services)).duel.rated
    assert (await playing(services, by=BEN, to=ANN)).duel.rated


async def test_a_rematch_is_friendly_by_choice_only_if_its_duel_was(services: Services) -> None:
    play, inviting = services.duels.playing, services.duels.inviting
    found: list[tuple[bool, Friendly | None]] = []
    for options in (FRIENDLY, DuelOptions(), DuelOptions(), DuelOptions()):
        game = await playing(services, options)
        await play.resign(ANN, game.duel.id)
        again = await inviting.rematch(ANN, game.duel.id, "0123")
        found.append((again.duel.friendly, again.friendly))
        await inviting.withdraw(ANN, again.duel.id)
    often = (False, Friendly.OFTEN)
    assert found == [(True, Friendly.CHOSEN), (False, None), often, often]


async def test_a_rank_requires_rated_duels_on_five_dates_against_three_opponents(
    town: Town,
) -> None:
    town.at("2026-11-20T23:50")
    for other in (BEN, CAT, DAN, EVE):
        await town.duel(ANN, other)
    town.clock.advance(minutes=10)  # midnight in UTC, whatever the server's zone is
    for other in (BEN, CAT, DAN):
        assert (await standing(town))[0] == 0
        await town.duel(ANN, other)
        town.clock.advance(days=1)
    assert (await standing(town))[0] == 0
    await town.duel(ANN, EVE)
    assert (await standing(town))[0] == 1
    await reach_rank(town, EVE, BEN, CAT)
    await town.join(EVE, HERE)
    assert (await standing(town, EVE))[0] in {1, 2}
    town.clock.advance(days=7)
    await reach_rank(town, 67, BEN, CAT)
    await town.join(67, HERE)
    assert (await standing(town, 67))[0] == 0  # two opponents


@pytest.mark.parametrize("is_hidden", [False, True])
async def test_deleted_opponents_are_none(town: Town, *, is_hidden: bool) -> None:
    await reach_rank(town, ANN, BEN, CAT, DAN)
    assert (await standing(town))[0] == 1
    await town.services.privacy.players.delete(DAN, "DELETE")
    if is_hidden:  # and worked out anew
        for on in (True, False):
            await town.services.preferences.set_hidden(ANN, on=on)
    assert (await standing(town))[0] == 0
    await town.duel(ANN, EVE)
    assert (await standing(town))[0] == 1


async def test_new_players_stand_below_the_ranks_by_the_same_number(town: Town) -> None:
    await reach_rank(town, ANN, BEN, CAT, DAN)
    crowd = range(1000, 1012)
    for player in crowd:
        await town.join(player, HERE)
        await town.duel(BEN, player)
        await town.duel(player, CAT)
    await town.duel(BEN, ANN)
    await town.settle()
    rows = await town.rows(BOARD)
    assert {row.player_id for row in rows} == {*FRIENDS, *crowd}
    ranked = [row.rank for row in rows if row.rank]
    assert [row.rank for row in rows] == [*ranked, *[0] * (len(rows) - len(ranked))]
    assert ranked == [1]
    keys = [(-row.figures.numbers[0], row.player_id) for row in rows[1:]]
    assert keys == sorted(keys)
    assert rows[1].figures.numbers[0] > rows[0].figures.numbers[0]  # though a new one has more
    for number, row in enumerate(rows):
        page = await town.page(BOARD, row.player_id, None)
        assert (page.number, page.own_page, page.total) == (number // 10, number // 10, len(rows))
        assert page.own == row
        assert page.own in page.rows


async def test_the_rows_of_last_week_stay_and_hiding_takes_a_player_off_all(town: Town) -> None:
    for winner, loser in permutations(FRIENDS[:3], 2):
        await town.duel(winner, loser)
    this = Board(BoardGame.DUELS, Period.WEEK, guild_id=HERE)
    last = Board(BoardGame.DUELS, Period.WEEK, previous=True, guild_id=HERE)
    before = await town.rows(this)
    town.clock.advance(days=7)
    await town.duel(CAT, ANN)
    for _ in range(2):
        assert await town.rows(last) == before
        assert [row.player_id for row in await town.rows(this)] == [CAT, ANN]
        for friend in FRIENDS:  # worked out anew, all are the same
            await town.services.preferences.set_hidden(friend, on=True)
            assert (await town.page(BOARD, friend)).absence is Absence.HIDDEN
            assert friend not in [row.player_id for row in await town.rows(BOARD)]
            await town.services.preferences.set_hidden(friend, on=False)


# What accounts of one person gain.


# The rule once more, plainly, from nothing but what was played.

PLAYERS = (*FRIENDS, EVE)
fights = st.tuples(
    st.sampled_from(PLAYERS),
    st.sampled_from(PLAYERS),
    st.booleans(),
    st.sampled_from([1, 11, 30, 60]),
    st.booleans(),
)
Fight = tuple[int, int, bool, int, bool]


class Log:
    """What was played, and what it comes to; only Eve is ever forgotten."""

    def __init__(self) -> None:
        self.ratings: dict[int, tuple[float, float]] = {}
        self.duels: list[tuple[frozenset[int], datetime]] = []
        self.days: defaultdict[int, set[date]] = defaultdict(set)
        self.met: defaultdict[int, set[int]] = defaultdict(set)

    def is_rated(self, pair: frozenset[int], at: datetime) -> bool:
        return sum(who == pair and when > at - WEEK for who, when in self.duels) < 2

    def add(self, winner: int, loser: int, at: datetime) -> None:
        mine, theirs = (self.ratings.get(one, (1500.0, 55.0)) for one in (winner, loser))
        self.ratings |= {winner: told(mine, theirs, 1.0), loser: told(theirs, mine, 0.0)}
        self.duels.append((frozenset((winner, loser)), at))
        for one, other in ((winner, loser), (loser, winner)):
            self.days[one].add(at.date())
            self.met[one].add(other)

    def forget_eve(self) -> None:
        for opponents in self.met.values():
            opponents.discard(EVE)

    def board(self) -> list[tuple[int, int, int]]:
        points = {who: round(mu) for who, (mu, _) in self.ratings.items() if who != EVE}
        ranked = [n for who, n in points.items() if self._has_rank(who)]
        rows = [
            (1 + sum(n > mine for n in ranked) if self._has_rank(who) else 0, who, mine)
            for who, mine in points.items()
        ]
        return sorted(rows, key=lambda row: (not row[0], -row[2], row[1]))

    def _has_rank(self, who: int) -> bool:
        return len(self.days[who]) >= 5 and len(self.met[who]) >= 3


async def live(folder: Path, url: str, drawn: list[Fight]) -> None:
    clock, log, is_gone = FakeClock(), Log(), False
    async with open_town(folder, url, clock) as town:
        for friend in FRIENDS:
            await town.join(friend, HERE)
        for winner, loser, is_called_off, hours, forgets in drawn:
            if winner != loser and not (is_gone and EVE in {winner, loser}):
                duel_id = await town.begin_duel(winner, loser)
                found = await town.services.duels.playing.view(winner, duel_id)
                assert found.duel.rated == log.is_rated(frozenset((winner, loser)), clock.now())
                if is_called_off:
                    await town.services.duels.playing.call_off(loser, duel_id)
                else:
                    await town.lose(duel_id, loser)
                    if found.duel.rated:
                        log.add(winner, loser, clock.now())
            clock.advance(hours=hours)
            if forgets and not is_gone:
                await town.services.privacy.players.delete(EVE, "DELETE")
                log.forget_eve()
                is_gone = True
        await town.settle()
        for _ in range(2):
            rows = await town.rows(BOARD)
            found = [(row.rank, row.player_id, row.figures.numbers[0]) for row in rows]
            assert found == log.board()
            for friend in FRIENDS:  # worked out anew
                for on in (True, False):
                    await town.services.preferences.set_hidden(friend, on=on)


EVERY_PAIR = [(one, other, False, 11, False) for one, other in permutations(PLAYERS, 2)]


@examples(1, 60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(drawn=[*EVERY_PAIR[:-1], (*EVERY_PAIR[-1][:4], True)])
@given(drawn=st.lists(fights, min_size=12, max_size=40))
def test_ratings_and_ranks_equal_a_plain_recomputation_from_all_duels(
    new_database: NewDatabase, drawn: list[Fight]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(live(Path(name), new_database(Path(name)), drawn))

"""Provisional players stand below the ranks, by their floors, as if there were no short duels."""

import asyncio
import tempfile
from collections import defaultdict
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st
from sqlalchemy import insert

from bot.db.database import Transaction
from bot.db.tables.games import duel_moves
from bot.leaderboards.game import Absence, Row
from bot.leaderboards.scores import Board, BoardGame, DuelFigures, Period
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.duels import ANN, BEN, CAT, DAN, wrong
from tests.support.effort import examples
from tests.support.sql import sql
from tests.support.standings_oracle import told
from tests.support.town import Town, open_town

pytestmark = pytest.mark.usefixtures("keys_watched")

HERE = 100
BOARD = Board(BoardGame.DUELS, guild_id=HERE)
FRIENDS = (ANN, BEN, CAT)
EVE, GONE = 56, -1
WEEK = timedelta(days=7)


@pytest.fixture
async def town(town: Town) -> Town:
    for friend in FRIENDS:
        await town.join(friend, HERE)
    return town


def floors(rows: list[Row]) -> list[tuple[int, int, int]]:
    """Rank, player and what is sure of who is provisional."""
    found: list[tuple[int, int, int]] = []
    for row in rows:
        assert isinstance(row.figures, DuelFigures)
        found.append((row.rank, row.player_id, row.figures.floor))
    return found


async def fight(town: Town, one: int, other: int, moves: int, *, is_draw: bool = False) -> int:
    """Let the other resign after so many guesses of both, or both agree on a draw.

    Returns:
        How many guesses the other has made, or of a draw who has made fewer.
    """
    duel_id, playing = await town.begin_duel(one, other), town.services.duels.playing

    def body(tx: Transaction) -> None:
        for number in range(moves):
            move = {"number": number, "seat": number % 2, "turn": number // 2}
            move |= {"code": wrong(number // 2, "9876"), "moved_at": town.clock.now()}
            tx.execute(insert(duel_moves).values(duel_id=duel_id, **move))

    await town.database.write(body)
    if is_draw:
        game = await playing.view(one, duel_id)
        assert game.duel.to_move is not None
        mover = game.seats[game.duel.to_move].player_id
        assert mover is not None
        await playing.offer_draw(mover, duel_id)
        await playing.accept_draw(other if mover == one else one, duel_id)
        return moves // 2
    await playing.resign(other, duel_id)
    game = await playing.view(one, duel_id)
    return next(seat.guesses for seat in game.seats if seat.player_id == other)


async def test_short_duels_move_ratings_but_no_floors(town: Town) -> None:
    await town.circle(*FRIENDS)
    before = await town.rows(BOARD)
    for _ in range(3):
        assert await fight(town, CAT, ANN, 4) == 2
        assert await fight(town, CAT, BEN, 5, is_draw=True) == 2
    await town.duel(DAN, ANN, 0)
    after = await town.rows(BOARD)
    assert floors(after) == floors(before)
    points = {row.player_id: row.figures for row in after}
    assert points != {row.player_id: row.figures for row in before}  # ratings moved
    assert await fight(town, CAT, ANN, 6) == 3
    assert floors(await town.rows(BOARD)) != floors(before)


async def test_an_opponent_met_only_in_a_short_duel_does_not_make_a_player_provisional(
    town: Town,
) -> None:
    await town.duel(ANN, BEN)
    await town.duel(ANN, CAT, 2)
    assert await town.rows(BOARD) == []
    await town.duel(CAT, ANN)
    assert [row.player_id for row in await town.rows(BOARD)] == [ANN]


async def test_a_deleted_player_does_not_count_as_an_opponent_for_a_floor(town: Town) -> None:
    await town.circle(*FRIENDS)
    assert len(await town.rows(BOARD)) == 3
    await town.services.privacy.players.delete(CAT, "DELETE")
    await town.settle()
    assert await town.rows(BOARD) == []
    await town.duel(ANN, BEN)
    assert await town.rows(BOARD) == []
    await town.join(CAT, HERE)
    await town.duel(CAT, ANN)
    assert [row.player_id for row in await town.rows(BOARD)] == [ANN]


async def test_a_player_who_deletes_their_data_and_returns_keeps_their_floor(town: Town) -> None:
    mine = f"SELECT played_mu, played_sigma FROM ratings WHERE player_id = {CAT}"
    await town.circle(*FRIENDS)
    for _ in range(3):
        await town.duel(ANN, CAT)
    before = sql(town.folder, mine)
    await town.services.privacy.players.delete(CAT, "DELETE")
    town.clock.advance(days=6)
    await town.join(CAT, HERE)
    await town.duel(CAT, ANN, 0)
    assert sql(town.folder, mine) == before


async def test_a_provisional_player_is_on_global_boards_by_choice_and_on_none_while_hidden(
    town: Town,
) -> None:
    choose, everywhere = town.services.preferences, Board(BoardGame.DUELS)
    await town.circle(*FRIENDS)
    assert await town.rows(everywhere) == []
    await choose.set_on_global_boards(BEN, on=True)
    assert [row.player_id for row in await town.rows(everywhere)] == [BEN]
    before = await town.rows(BOARD)
    await choose.set_hidden(BEN, on=True)
    assert await town.rows(everywhere) == []
    assert BEN not in [row.player_id for row in await town.rows(BOARD)]
    assert (await town.page(BOARD, BEN)).absence is Absence.HIDDEN
    await choose.set_hidden(BEN, on=False)
    assert await town.rows(BOARD) == before


async def test_the_order_of_provisional_players_of_last_week_does_not_change(town: Town) -> None:
    await town.circle(*FRIENDS)
    this = Board(BoardGame.DUELS, Period.WEEK, guild_id=HERE)
    last = Board(BoardGame.DUELS, Period.WEEK, previous=True, guild_id=HERE)
    before = await town.rows(this)
    town.clock.advance(days=7)
    await town.duel(CAT, ANN)
    for _ in range(2):
        assert await town.rows(last) == before
        assert [row.player_id for row in await town.rows(this)] == [CAT, ANN]
        for friend in FRIENDS:  # worked out anew, all are the same
            for on in (True, False):
                await town.services.preferences.set_hidden(friend, on=on)


async def test_the_pages_of_a_leaderboard_go_on_with_provisional_players_below_the_ranks(
    town: Town,
) -> None:
    await town.circle(ANN, BEN, CAT, DAN)
    await town.weeks_of_duels(ANN, BEN, CAT, DAN)
    crowd = range(1000, 1012)
    for player in crowd:
        await town.join(player, HERE)
        await town.duel(BEN, player)
        await town.duel(player, CAT)
    await town.settle()
    rows = await town.rows(BOARD)
    ranks = [row.rank for row in rows]
    assert ranks[:2] in ([1, 0], [1, 2])
    assert sorted(ranks, key=lambda rank: not rank) == ranks
    assert {row.player_id for row in rows} == {ANN, BEN, CAT, *crowd}
    for number, player in enumerate(row.player_id for row in rows):
        page = await town.page(BOARD, player, None)
        assert (page.number, page.own_page, page.total) == (number // 10, number // 10, len(rows))
        assert page.own == rows[number]
        assert page.own in page.rows
    waiting = [row for row in floors(rows) if not row[0]]
    assert waiting == sorted(waiting, key=lambda row: (-row[2], row[1]))


fights = st.tuples(
    *(st.sampled_from((ANN, BEN, CAT, EVE)) for _ in range(2)),
    st.sampled_from([0, 4, 5, 6, 7]),
    st.booleans(),
    st.sampled_from([1, 11, 60]),
    st.booleans(),
)
Fight = tuple[int, int, int, bool, int, bool]


class Log:
    """What was fought, folded as if short duels had not been; only Eve is ever forgotten.

    If she was established by then, she stays an opponent.
    """

    def __init__(self) -> None:
        self.ratings: dict[int, tuple[float, float]] = {}
        self.met: defaultdict[int, set[int]] = defaultdict(set)
        self._eves: list[int] = []
        self._kept: tuple[datetime, tuple[float, float]] | None = None
        self._times: defaultdict[frozenset[int], list[tuple[datetime, bool]]] = defaultdict(list)
        self._before: defaultdict[frozenset[int], list[list[datetime]]] = defaultdict(list)

    def add(self, one: int, other: int, at: datetime, score: float, made: int) -> None:
        pair = frozenset((one, other))
        if EVE in pair and EVE not in self.ratings and self._kept and self._kept[0] > at - WEEK:
            self.ratings[EVE], self._kept = self._kept[1], None
        for player in pair:
            self.ratings.setdefault(player, (1500.0, 55.0))
        if EVE in pair:
            self._eves.append(other if one == EVE else one)
        if made >= 3:
            since = at - WEEK
            share = 1 + sum(played and when > since for when, played in self._times[pair])
            share += sum(len(times) for times in self._before[pair] if times[-1] > since)
            mine, theirs = self.ratings[one], self.ratings[other]
            self.ratings[one] = told(mine, theirs, score, share)
            self.ratings[other] = told(theirs, mine, 1 - score, share)
            self.met[one].add(other)
            self.met[other].add(one)
        self._times[pair].append((at, made >= 3))

    def forget_eve(self, at: datetime) -> None:
        if EVE in self.ratings:
            self._kept = (at, self.ratings.pop(EVE))
        for pair in [pair for pair in self._times if EVE in pair]:
            times = [when for when, _ in self._times.pop(pair) if when > at - WEEK]
            if times:
                self._before[pair].append(times)
        self.met.pop(EVE, None)
        is_established = len(self._eves) >= 5 and len({*self._eves}) >= 3
        for opponents in self.met.values():
            if EVE in opponents:
                opponents.remove(EVE)
                opponents.update({GONE} if is_established else ())
        self._eves = []

    def ladder(self) -> list[tuple[int, int, int]]:
        found = [
            (player, round(mean - 2 * deviation))
            for player, (mean, deviation) in self.ratings.items()
            if player != EVE and len(self.met[player]) >= 2
        ]
        ordered = sorted(found, key=lambda row: (-row[1], row[0]))
        return [(0, player, floor) for player, floor in ordered]


async def live(folder: Path, url: str, drawn: list[Fight]) -> None:
    clock, log = FakeClock(), Log()
    async with open_town(folder, url, clock) as town:
        for friend in FRIENDS:
            await town.join(friend, HERE)
        for one, other, moves, is_draw, hours, forgets in drawn:
            if one != other:
                made = await fight(town, one, other, moves, is_draw=is_draw)
                log.add(one, other, clock.now(), 0.5 if is_draw else 1.0, made)
            clock.advance(hours=hours)
            if forgets:
                await town.services.privacy.players.delete(EVE, "DELETE")
                log.forget_eve(clock.now())
                clock.advance(days=1)  # so that each deletion has a salt of its own
        await town.settle()
        kept = floors(await town.rows(BOARD))
        # Who has come to a rank is not provisional any more.
        ranked = {player for rank, player, _ in kept if rank}
        provisional = [row for row in kept if not row[0]]
        assert provisional == [row for row in log.ladder() if row[1] not in ranked]
        for friend in FRIENDS:
            for on in (True, False):
                await town.services.preferences.set_hidden(friend, on=on)
        assert floors(await town.rows(BOARD)) == kept


@examples(2, 100, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(
    drawn=[(ANN, EVE, 6, False, 1, n % 3 == 2) for n in range(7)] + [(ANN, BEN, 7, True, 1, False)]
)
@example(drawn=[(a, b, m, False, 1, False) for m in (4, 6) for a in FRIENDS for b in FRIENDS])
@example(  # Eve is established by five duels, and was met by Ben in one that was played
    drawn=[(ANN, BEN, 6, False, 1, False), (BEN, EVE, 6, False, 1, False)]
    + [(one, EVE, 0, False, 1, n == 3) for n, one in enumerate((ANN, ANN, CAT, ANN))]
)
@given(drawn=st.lists(fights, min_size=8, max_size=30))
def test_floors_equal_a_plain_recomputation_from_all_duels(
    new_database: NewDatabase, drawn: list[Fight]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(live(Path(name), new_database(Path(name)), drawn))

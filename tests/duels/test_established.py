"""A rank takes three opponents who are established: accounts that only lose make none."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.leaderboards import results
from bot.leaderboards import store as leaderboards_store
from bot.leaderboards.game import Absence, of_age_at
from bot.leaderboards.scores import Board, BoardGame, DuelFigures, Period
from bot.ratings import store as ratings_store
from tests.support.clock import NOON
from tests.support.duels import ANN, BEN, CAT, DAN
from tests.support.sql import sql
from tests.support.town import Town

pytestmark = pytest.mark.usefixtures("keys_watched")

HERE = 100
BOARD = Board(BoardGame.DUELS, guild_id=HERE)
EVE, FAY, GUS = 56, 67, 78
SECOND = timedelta(seconds=1)


@pytest.fixture
async def town(town: Town) -> Town:
    await town.join(ANN, HERE)
    return town


def account_of(made_at: datetime) -> int:
    """The id of an account that was made then."""
    return int((made_at - datetime(2015, 1, 1, tzinfo=UTC)).total_seconds() * 1000) << 22


async def forget(town: Town, player: int) -> None:
    await town.services.privacy.players.delete(player, "DELETE")


async def met(town: Town, player: int = ANN) -> int:
    """How many established opponents a player has, by the board; those who wait are done."""
    await town.settle()
    page = await town.page(BOARD, player)
    figures = page.own.figures if page.own else page.own_figures
    assert isinstance(figures, DuelFigures)
    assert (page.absence is Absence.TOO_FEW) == (figures.sort_key is None)
    assert page.own is None or bool(page.own.rank) != figures.is_provisional
    return figures.opponents


@pytest.mark.parametrize("deletes", [False, True])
async def test_three_accounts_that_only_resign_create_no_rank(town: Town, *, deletes: bool) -> None:
    for _ in range(4):
        for alt in (BEN, CAT, DAN):
            await town.duel(ANN, alt)
            if deletes:
                await forget(town, alt)
        town.clock.advance(days=2)
    assert await met(town) == 0
    assert not any(row.rank for row in await town.rows(BOARD))


async def test_a_newly_established_player_counts_for_all_earlier_opponents(town: Town) -> None:
    await town.join(CAT, HERE)
    await town.duel(ANN, BEN)
    for other in (CAT, CAT, DAN):
        await town.duel(BEN, other)
    assert await met(town) == await met(town, CAT) == 0  # three players, four duels
    await town.duel(ANN, BEN)
    assert await met(town) == await met(town, CAT) == 1
    await town.duel(BEN, ANN)
    assert await met(town) == 1
    await town.duel(EVE, BEN)
    await town.join(EVE, HERE)
    assert await met(town, EVE) == 1


async def test_five_duels_against_two_players_establish_nobody(town: Town) -> None:
    for other in (ANN, ANN, CAT, CAT, CAT):
        await town.duel(BEN, other)
    assert await met(town) == 0
    await town.duel(BEN, DAN)
    assert await met(town) == 1


async def test_a_player_gets_a_rank_when_their_third_opponent_is_established(town: Town) -> None:
    town.at("2026-10-17T12:00")
    await town.weeks_of_duels(ANN, BEN, CAT, DAN)  # the last on Tuesday, the 10th of November
    await town.circle(BEN, CAT, DAN)
    assert await met(town) == 3
    month = Board(BoardGame.DUELS, Period.MONTH, guild_id=HERE)
    week = Board(BoardGame.DUELS, Period.WEEK, previous=True, guild_id=HERE)
    for board in (BOARD, month, week):
        (row,) = await town.rows(board)
        assert isinstance(row.figures, DuelFigures)
        assert (row.player_id, row.figures.games, row.figures.opponents) == (ANN, 12, 3)
    assert await town.rows(Board(BoardGame.DUELS, Period.DAY, guild_id=HERE)) == []


async def test_all_deleted_opponents_count_as_one_opponent(town: Town) -> None:
    await town.circle(BEN, CAT, DAN)
    await town.weeks_of_duels(ANN, BEN, CAT, DAN)
    for other, left in ((BEN, 3), (CAT, 2), (DAN, 1)):
        await forget(town, other)
        assert await met(town) == left
    assert await town.rows(BOARD) == []


async def test_an_account_established_again_after_each_deletion_is_one_opponent(town: Town) -> None:
    for _ in range(3):
        await town.circle(BEN, CAT, DAN, EVE)
        await town.duel(ANN, EVE)
        await forget(town, EVE)
        town.clock.advance(days=8)
    assert await met(town) == 1


async def test_deleted_opponents_in_duels_from_before_proven_ratings_stay_distinct(
    town: Town,
) -> None:
    await town.circle(BEN, CAT, DAN)
    await town.weeks_of_duels(ANN, BEN, CAT, DAN)
    sql(town.folder, "UPDATE rating_changes SET opponent_mean = NULL, opponent_deviation = NULL")
    before = await town.rows(BOARD)
    for other in (BEN, CAT, DAN):
        await forget(town, other)
    assert await met(town) == 3
    assert await town.rows(BOARD) == before


async def test_an_opponent_deleted_before_being_established_never_counts_for_earlier_opponents(
    town: Town,
) -> None:
    await town.circle(BEN, CAT, DAN)
    for other in (EVE, FAY):
        await town.duel(ANN, other)
        await forget(town, other)
        for again in (BEN, CAT, DAN, BEN, CAT):
            await town.duel(again, other)
    assert await met(town) == 0
    await town.duel(ANN, EVE)
    assert await met(town) == 1


async def test_a_player_who_deletes_after_each_duel_does_not_count_as_several_opponents(
    town: Town,
) -> None:
    await town.duel(ANN, BEN)
    for _ in range(5):
        await town.duel(BEN, CAT)
        await forget(town, CAT)
    assert await met(town) == 0
    await town.duel(BEN, DAN)
    assert await met(town) == 0  # Ann and Dan; nobody can tell who the others were
    await town.duel(BEN, EVE)
    assert await met(town) == 1


async def test_a_duel_lost_by_deletion_does_not_help_to_establish_the_loser(town: Town) -> None:
    for other in (ANN, CAT, CAT, DAN):
        await town.duel(other, BEN)
    await town.begin_duel(ANN, BEN)
    await forget(town, BEN)
    assert await met(town) == 0


def test_an_id_tells_the_age_of_its_account() -> None:
    # The example in Discord's documentation.
    made_at = datetime(2016, 4, 30, 11, 18, 25, 796000, tzinfo=UTC)
    assert of_age_at(175928847299117063) == made_at + timedelta(days=30)
    assert of_age_at(account_of(NOON)) == NOON + timedelta(days=30)


async def test_a_young_account_counts_as_established_once_it_is_thirty_days_old(town: Town) -> None:
    old, young = account_of(NOON - timedelta(days=30)), account_of(NOON - timedelta(days=20))
    for player in (old, young):
        for other in (ANN, CAT, CAT, DAN, DAN):
            await town.duel(player, other)
    assert await met(town) == 1
    town.clock.set(NOON + timedelta(days=10) - SECOND)
    await town.duel(ANN, young)
    assert await met(town) == 1
    town.clock.set(NOON + timedelta(days=10))
    assert await met(town) == 2
    assert not await town.services.upkeep.settle()
    town.clock.advance(days=1)
    await town.duel(CAT, young)
    assert await met(town) == 2


async def test_a_young_account_deleted_within_thirty_days_never_counts_as_established(
    town: Town,
) -> None:
    young = account_of(NOON - timedelta(days=29))
    for other in (ANN, CAT, CAT, DAN, DAN):
        await town.duel(young, other)
    await forget(town, young)
    town.clock.advance(days=2)
    assert await met(town) == 0


async def test_an_error_in_establishing_one_account_delays_no_other(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    young, other = (account_of(NOON - timedelta(days=29, hours=n)) for n in (2, 1))
    for player in (young, other):
        for one in (ANN, CAT, CAT, DAN, DAN):
            await town.duel(player, one)
    town.clock.advance(days=1)
    establish = ratings_store.establish

    def fails(tx: object, player_id: int) -> None:
        if player_id == young:
            raise ValueError("unreadable")
        establish(tx, player_id)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(ratings_store, "establish", fails)
        assert await met(town) == 1
    town.clock.advance(hours=1)
    assert await met(town) == 2


async def test_establishing_a_player_rebuilds_only_the_duel_rows_of_their_opponents(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    await town.play(ANN, HERE)
    await town.mastermind(ANN, 4)
    kept = "SELECT * FROM standings WHERE slot NOT LIKE 'd%' ORDER BY slot"
    before = sql(town.folder, kept)
    assert len(before) > 8
    await town.duel(ANN, BEN)

    async def wait_for_duels() -> None:
        for other in (CAT, CAT, DAN, DAN):
            await town.duel(BEN, other)
        assert (ANN, 1) in sql(town.folder, "SELECT * FROM standing_rebuilds")

    def unreadable(*_: object) -> None:
        raise ValueError("no such zone")

    await wait_for_duels()
    with monkeypatch.context() as patch:
        patch.setattr(results, "dailies", unreadable)
        assert await met(town) == 1
    assert sql(town.folder, kept) == before
    sql(town.folder, "UPDATE ratings SET established = false")
    await wait_for_duels()
    await town.database.write(lambda tx: leaderboards_store.queue_since(tx, HERE, 324))
    assert (ANN, 0) in sql(town.folder, "SELECT * FROM standing_rebuilds")
    sql(town.folder, "UPDATE standings SET figures = '0/0/0/0/0' WHERE slot LIKE 'f%'")
    await town.settle()
    assert sql(town.folder, kept) == before
    assert sql(town.folder, "SELECT * FROM standing_rebuilds") == []

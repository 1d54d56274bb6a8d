"""Boards go by proven ratings, ranks take five dates, and a win that is given away is a third."""

import asyncio
import tempfile
from itertools import cycle
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from bot.leaderboards.scores import Board, BoardGame, DuelFigures
from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.databases import NewDatabase
from tests.support.duels import ANN, BEN, CAT, DAN, RACE, ids, playing, rounds, win
from tests.support.effort import examples
from tests.support.sql import sql
from tests.support.standings_oracle import Board as NamedBoard
from tests.support.standings_oracle import Books
from tests.support.town import Town, open_town

pytestmark = pytest.mark.usefixtures("keys_watched")

HERE = 100
BOARD = Board(BoardGame.DUELS, guild_id=HERE)
EVE = 56
PLAYERS = (ANN, BEN, CAT, DAN, EVE)


@pytest.fixture
async def town(town: Town) -> Town:
    await town.join(ANN, HERE)
    return town


async def figures(town: Town, player: int = ANN) -> DuelFigures:
    """What a player has on the board, once nobody waits."""
    await town.settle()
    page = await town.page(BOARD, player)
    found = page.own.figures if page.own else page.own_figures
    assert isinstance(found, DuelFigures)
    return found


async def points(town: Town, player: int = ANN) -> int:
    """The rating that everybody sees."""
    return (await town.services.duels.games.outlook(player)).rating.points


async def forget(town: Town, player: int) -> None:
    await town.services.privacy.players.delete(player, "DELETE")


async def beat_new_accounts(town: Town, player: int = ANN, count: int = 12) -> None:
    for account in range(1000, 1000 + count):
        await town.duel(player, account)


async def test_wins_against_throw_away_accounts_raise_a_rating_but_no_rank(town: Town) -> None:
    await town.circle(BEN, CAT, DAN)
    await town.weeks_of_duels(ANN, BEN, CAT, DAN)
    honest = await figures(town)
    assert honest.rating == await points(town)
    await beat_new_accounts(town)
    assert await points(town) > honest.rating + 50
    after = await figures(town)
    assert (after.rating, after.games) == (honest.rating, honest.games + 12)
    (row,) = await town.rows(BOARD)
    assert row.figures == after
    await town.services.preferences.set_hidden(ANN, on=True)
    await town.services.preferences.set_hidden(ANN, on=False)
    assert await figures(town) == after


async def test_a_loss_to_a_new_account_lowers_the_rating_on_leaderboards(town: Town) -> None:
    await town.circle(BEN, CAT, DAN)
    await town.weeks_of_duels(ANN, BEN, CAT, DAN)
    honest = await figures(town)
    await town.duel(EVE, ANN)
    assert (await figures(town)).rating == await points(town) < honest.rating


async def test_leaderboards_show_the_rating_again_once_all_opponents_are_established(
    town: Town,
) -> None:
    for other in (BEN, CAT, DAN, BEN, CAT):
        await town.duel(ANN, other)
        town.clock.advance(days=1)
    assert (await figures(town)).rating == 1500 < await points(town)
    await town.circle(BEN, CAT, DAN)
    found = await figures(town)
    assert found == DuelFigures(await points(town), 5, 3, unsure=1, dates=5, floor=found.floor)


async def test_a_hidden_player_also_gets_a_proven_rating(town: Town) -> None:
    await town.services.preferences.set_hidden(ANN, on=True)
    await test_the_proven_rating_is_stored_when_an_opponent_is_established(town)


async def test_the_proven_rating_is_stored_when_an_opponent_is_established(town: Town) -> None:
    mine = "SELECT mu = proven_mu, proven_mu = 1500 FROM ratings WHERE player_id = 11"
    await town.duel(ANN, BEN)
    assert sql(town.folder, mine) == [(0, 1)]
    await town.circle(BEN, CAT, DAN)
    await town.duel(BEN, CAT)
    await town.settle()
    assert sql(town.folder, mine) == [(1, 0)]


async def test_deleting_data_and_returning_does_not_raise_a_proven_rating(town: Town) -> None:
    await town.circle(BEN, CAT, DAN)
    for other in (BEN, CAT, DAN):
        await town.duel(other, ANN)
    before = (await figures(town)).rating
    await beat_new_accounts(town)
    rating = await points(town)
    await forget(town, ANN)
    town.clock.advance(days=6)
    await town.join(ANN, HERE)
    await town.duel(ANN, EVE)
    assert await points(town) > rating
    assert (await figures(town)).rating == before < 1500
    await town.circle(EVE, CAT, DAN)  # and worked out anew, it goes on from there
    assert before < (await figures(town)).rating < before + 15


async def test_a_rating_from_before_proven_ratings_existed_counts_as_proven(town: Town) -> None:
    await town.circle(BEN, CAT, DAN)
    for _ in range(4):
        for other in (BEN, CAT, DAN):
            await town.duel(ANN, other)
    await beat_new_accounts(town)
    stands = "dates = games, proven_mu = mu, proven_sigma = sigma, base_mu = mu, base_sigma = sigma"
    sql(town.folder, f"UPDATE ratings SET {stands}")
    sql(town.folder, "UPDATE rating_changes SET opponent_mean = NULL, opponent_deviation = NULL")
    await town.services.preferences.set_hidden(ANN, on=True)
    await town.services.preferences.set_hidden(ANN, on=False)
    stood = await figures(town)
    assert (stood.rating, stood.dates) == (await points(town), 24)
    assert not stood.is_provisional  # though all was on one date
    await town.duel(ANN, EVE)
    later = await figures(town)
    assert (later.rating, later.dates) == (stood.rating, 24)
    town.clock.advance(days=1)
    await town.duel(BEN, ANN)
    assert stood.rating - 15 < (await figures(town)).rating < stood.rating
    assert (await figures(town)).dates == 25


async def test_a_rank_requires_duels_on_five_dates(town: Town) -> None:
    town.at("2026-11-20T23:50")
    await town.circle(BEN, CAT, DAN)
    for _ in range(4):
        for other in (BEN, CAT, DAN):
            await town.duel(ANN, other)
    assert (await figures(town)).dates == 1
    town.clock.advance(minutes=10)  # midnight in UTC, whatever the server's zone is
    for date in range(2, 6):
        assert (await figures(town)).is_provisional
        assert (await town.services.duels.games.outlook(ANN)).rating.is_new
        await town.duel(EVE, ANN)
        await town.duel(ANN, EVE)
        assert (await figures(town)).dates == date
        town.clock.advance(days=1)
    assert not (await figures(town)).is_provisional
    assert not (await town.services.duels.games.outlook(ANN)).rating.is_new


@pytest.mark.parametrize("made", [0, 2, 3])
@pytest.mark.parametrize("how", ["resigns", "is late", "is beaten"])
async def test_a_win_counts_one_third_when_the_loser_made_fewer_than_three_guesses(
    services: Services, clock: FakeClock, made: int, how: str
) -> None:
    game = await rounds(services, await playing(services), made - (how == "is beaten" and made > 0))
    loser, winner = ids(game)
    if how == "resigns":
        await services.duels.playing.resign(loser, game.duel.id)
    elif how == "is late":
        clock.advance(minutes=3)
    else:  # the last guess is the loser's
        game = await win(services.duels.playing, game, winner)
        made = max(made, 1)
    game = await services.duels.playing.view(winner, game.duel.id)
    assert [seat.player_id for seat in game.seats] == [loser, winner]
    assert game.duel.winner == 1
    assert game.seats[0].guesses == made
    shares = [seat.change.share for seat in game.seats if seat.change is not None]
    assert shares == [1, 1 if made >= 3 else 3]


async def test_a_win_counts_one_sixth_when_the_opponent_resigns_a_second_race_unplayed(
    services: Services,
) -> None:
    for _ in range(2):
        game = await playing(services, RACE)
        await services.duels.playing.resign(ANN, game.duel.id)
    history = services.duels.games.rating_history
    assert [change.share for change in await history(ANN)] == [1, 2]
    assert [change.share for change in await history(BEN)] == [3, 6]


duels = st.tuples(
    st.sampled_from(PLAYERS), st.sampled_from(PLAYERS), st.sampled_from([0, 3]), st.booleans()
)


async def live(folder: Path, url: str, drawn: list[tuple[int, int, int, bool]]) -> None:
    clock, established = FakeClock(), set[int]()
    async with open_town(folder, url, clock) as town:
        for player in PLAYERS[:-1]:
            await town.join(player, HERE)
        for winner, loser, guesses, is_last in drawn:
            if winner != loser:
                await town.duel(winner, loser, guesses)
            clock.advance(hours=11)
            if is_last and loser == EVE:
                await town.settle()
                established |= Books(town.folder, clock.now()).established() - {EVE}
                await forget(town, EVE)
        await town.settle()
        books = Books(town.folder, clock.now(), established)
        expected = books.board(NamedBoard("duels", "all", False, HERE))
        assert expected or len(drawn) < 72
        found = [(row.rank, row.player_id, row.figures.encode()) for row in await town.rows(BOARD)]
        assert found == [
            (rank, player, "/".join(map(str, numbers))) for rank, player, numbers in expected
        ]


def some_duels(*others: int, times: int = 3) -> list[tuple[int, int, int, bool]]:
    """Everybody plays everybody, whom these are beaten by besides."""
    round_robin = [(one, two) for one in PLAYERS[:4] for two in PLAYERS[:4] if one != two]
    beaten = cycle(others)
    found = [(one, two, 3, False) for one, two in round_robin * times]
    return [duel for one in found for duel in (one, (one[0], next(beaten), 0, True))]


@examples(1, 60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(drawn=some_duels(EVE, 1001, 1002, 1003, EVE))
@example(drawn=[duel for duel in some_duels(EVE, ANN) if duel[0] != BEN])
@given(drawn=st.lists(duels, min_size=20, max_size=60))
def test_ranks_equal_a_plain_recomputation_from_all_duels(
    new_database: NewDatabase, drawn: list[tuple[int, int, int, bool]]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        asyncio.run(live(Path(name), new_database(Path(name)), drawn))

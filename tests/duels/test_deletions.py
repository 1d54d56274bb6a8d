"""Who deletes their data sheds neither a duel, nor a rating, nor how often two have met."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.db.tables import metadata
from bot.duels.model import DuelView, Ending
from bot.ratings.game import START, rated
from bot.ratings.model import HeadToHead, Rating
from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CAT, CLASSIC, DAN, ids, invited, playing
from tests.support.sql import sql

WEEK = timedelta(days=7)
CONFIRMED = "DELETE"


async def delete(services: Services, player: int) -> None:
    await services.privacy.players.delete(player, CONFIRMED)


async def rating(services: Services, player: int) -> Rating:
    return await services.duels.games.rating(player)


async def beats(services: Services, winner: int, loser: int) -> DuelView:
    """A rated duel that one of the two resigns."""
    game = await playing(services, by=winner, to=loser)
    return await services.duels.playing.resign(loser, game.duel.id)


def everything_kept(folder: Path) -> list[int]:
    tables = ("kept_ratings", "kept_pairs", "kept_salts")
    return [sql(folder, f"SELECT count(*) FROM {table}")[0][0] for table in tables]


async def test_an_account_that_deletes_its_data_after_each_loss_gives_away_no_more_rating(
    services: Services, clock: FakeClock
) -> None:
    for _ in range(6):
        await beats(services, ANN, BEN)
        await beats(services, CAT, DAN)
        await delete(services, DAN)
        clock.advance(hours=11)
    honest, other = await rating(services, ANN), await rating(services, CAT)
    assert other == honest
    assert honest.games == 2
    await beats(services, ANN, BEN)
    await beats(services, CAT, DAN)
    assert await rating(services, CAT) == await rating(services, ANN)


async def test_a_player_who_deletes_their_data_loses_the_duel_as_by_resigning(
    services: Services,
) -> None:
    game = await playing(services)
    await delete(services, ANN)
    game = await services.duels.playing.view(BEN, game.duel.id)
    assert game.duel.ending is Ending.RESIGNED
    assert game.duel.winner == game.duel.seat_of(BEN)
    lower, higher = rated((START, START), winner=1)
    assert await rating(services, BEN) == higher
    assert game.head_to_head in {HeadToHead(1, 0, 0), HeadToHead(0, 0, 1)}
    ann = await rating(services, ANN)
    assert ann == START  # until a rated duel shows who that is
    game = await beats(services, CAT, ANN)
    change = game.seats[game.duel.seat_of(ANN) or 0].change
    assert change is not None
    assert change.before == lower
    assert change.after == rated((lower, START), winner=1)[0]


async def test_a_player_who_deletes_their_data_loses_duels_in_play_and_withdraws_challenges(
    services: Services,
) -> None:
    begun = await playing(services, by=BEN, to=ANN)
    offered = await playing(services, by=CAT, to=ANN)
    await services.duels.playing.offer_draw(CAT, offered.duel.id)
    asked = await invited(services, by=ANN, to=DAN)
    await delete(services, ANN)
    for player, game, won in ((BEN, begun, True), (CAT, offered, True), (DAN, asked, False)):
        found = await services.duels.playing.view(player, game.duel.id)
        assert found.duel.ending is (Ending.RESIGNED if won else Ending.WITHDRAWN)
        assert found.duel.winner == (found.duel.seat_of(player) if won else None)
        assert found.duel.draw_offered_by is None
        assert (await rating(services, player)).games == int(won)
    await beats(services, DAN, ANN)
    (change,) = await services.duels.games.rating_history(ANN)
    assert change.before.games == 2


async def test_a_duel_past_its_deadline_counts_as_usual_despite_a_deletion(
    services: Services, clock: FakeClock
) -> None:
    game = await playing(services)
    assert game.duel.to_move is not None
    late, other = ids(game)[game.duel.to_move], ids(game)[1 - game.duel.to_move]
    clock.advance(days=1)
    await delete(services, late)
    assert (await rating(services, other)).games == 1
    assert (await services.duels.playing.view(other, game.duel.id)).duel.ending is Ending.TIMED_OUT


@pytest.mark.parametrize(("later", "is_back"), [(WEEK - timedelta(seconds=1), True), (WEEK, False)])
async def test_a_rating_is_restored_to_a_player_who_returns_within_seven_days(
    services: Services, clock: FakeClock, tmp_path: Path, later: timedelta, *, is_back: bool
) -> None:
    for winner in (ANN, ANN, BEN):
        await beats(services, winner, ANN + BEN - winner)
    left = await rating(services, ANN)
    await delete(services, ANN)
    clock.advance(seconds=later.total_seconds())
    await services.privacy.servers.sweep([])
    assert everything_kept(tmp_path) == ([1, 1, 1] if is_back else [0, 0, 1])
    await beats(services, CAT, ANN)
    (change,) = await services.duels.games.rating_history(ANN)
    assert change.before == (left if is_back else START)
    assert (await rating(services, ANN)).games == (3 if is_back else 1)
    assert everything_kept(tmp_path)[0] == 0


async def test_a_rating_is_kept_for_seven_days_from_the_deletion_that_kept_it(
    services: Services, clock: FakeClock
) -> None:
    await beats(services, BEN, ANN)
    left = await rating(services, ANN)
    await delete(services, ANN)
    clock.advance(days=4)
    await invited(services, by=ANN, to=CAT)  # withdrawn by the deletion
    await delete(services, ANN)
    clock.advance(days=4)
    await beats(services, BEN, ANN)
    assert (await services.duels.games.rating_history(ANN))[0].before == START
    left = await rating(services, ANN)
    await delete(services, ANN)
    clock.advance(days=6)
    await beats(services, BEN, ANN)
    assert (await services.duels.games.rating_history(ANN))[0].before == left


async def test_after_a_second_deletion_the_rating_from_before_it_is_restored(
    services: Services, clock: FakeClock
) -> None:
    await beats(services, ANN, BEN)
    await delete(services, ANN)
    await beats(services, ANN, CAT)
    two = await rating(services, ANN)
    assert two.games == 2
    await delete(services, ANN)
    clock.advance(hours=1)
    await beats(services, ANN, DAN)
    (change,) = await services.duels.games.rating_history(ANN)
    assert change.before == two


async def test_digests_kept_after_a_deletion_name_nobody_and_never_repeat(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    for _ in range(2):
        await beats(services, ANN, BEN)
        await playing(services, by=ANN, to=CAT)
        await delete(services, ANN)
        clock.advance(days=1)
    digests = [
        digest
        for table in ("kept_ratings", "kept_pairs")
        for (digest,) in sql(tmp_path, f"SELECT digest FROM {table}")
    ]
    assert everything_kept(tmp_path) == [1, 4, 2]
    assert len({*digests}) == len(digests) == 5
    kept = ("kept_ratings", "kept_pairs", "kept_salts")
    columns = {column.name for table in kept for column in metadata.tables[table].c}
    names = {"digest", "mu", "sigma", "games", "kept_until", "duels", "last_at", "day", "salt"}
    assert columns == names


async def test_a_deleted_player_without_rated_duels_leaves_nothing(
    services: Services, tmp_path: Path
) -> None:
    await services.daily.open(ANN, None)
    await invited(services)
    await delete(services, ANN)
    assert everything_kept(tmp_path) == [0, 0, 0]


async def test_a_host_can_delete_the_kept_digests_as_well(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    await services.daily.open(ANN, None)
    await beats(services, ANN, BEN)
    await delete(services, ANN)
    clock.advance(hours=1)
    await services.daily.open(CAT, None)
    await beats(services, CAT, BEN)
    await beats(services, ANN, BEN)
    players = services.privacy.players
    await players.delete(ANN, CONFIRMED, keeps=False)
    assert everything_kept(tmp_path) == [0, 0, 1]
    await delete(services, CAT)
    await players.delete(ANN, CONFIRMED, keeps=False)
    assert everything_kept(tmp_path) == [1, 1, 1]
    assert sql(tmp_path, "SELECT count(*) FROM spent_dailies") == [(1,)]
    assert (await services.daily.open(ANN, None)).game.turns == ()


async def test_a_player_is_told_before_a_deletion_what_would_be_kept(
    services: Services, clock: FakeClock
) -> None:
    async def memory(player: int = ANN) -> tuple[bool, int]:
        found = (await services.privacy.players.summary(player)).memory
        return found.rating, found.opponents

    await invited(services)
    await playing(services, CLASSIC)
    assert await memory() == (False, 0)
    await playing(services, by=ANN, to=CAT)
    assert await memory() == (True, 1)
    for other in (CAT, DAN):
        await beats(services, ANN, other)
    assert await memory() == (True, 2)
    await delete(services, DAN)
    assert await memory() == (True, 1)
    clock.advance(days=8)
    assert await memory() == (True, 1)  # the running duel, which time has decided by now

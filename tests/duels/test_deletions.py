"""Duels of players who delete their data are resigned like any other."""

from bot.duels.model import Ending
from bot.ratings.game import START
from bot.ratings.model import Rating
from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CAT, DAN, ids, invited, playing


async def delete(services: Services, player: int) -> None:
    await services.privacy.players.delete(player, "DELETE")


async def rating(services: Services, player: int) -> Rating:
    return await services.duels.games.rating(player)


async def test_a_player_who_deletes_their_data_resigns_duels_in_play_and_calls_off_the_others(
    services: Services,
) -> None:
    lost = await playing(services, by=BEN, to=ANN)
    offered = await playing(services, by=CAT, to=ANN)
    await services.duels.playing.offer_draw(CAT, offered.duel.id)
    asked = await invited(services, by=ANN, to=DAN)
    await delete(services, ANN)
    for player, game, won in ((BEN, lost, True), (CAT, offered, True), (DAN, asked, False)):
        found = await services.duels.playing.view(player, game.duel.id)
        assert found.duel.ending is (Ending.RESIGNED if won else Ending.WITHDRAWN)
        assert found.duel.winner == (found.duel.seat_of(player) if won else None)
        assert found.duel.draw_offered_by is None
        assert (await rating(services, player)).games == won
    assert (await rating(services, BEN)).points > START.points  # as by any duel
    assert await rating(services, ANN) == START


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

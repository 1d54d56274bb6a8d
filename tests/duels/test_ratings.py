"""Ratings move once, in the transaction that ends a rated duel."""

import asyncio
from pathlib import Path

import pytest

from bot.duels.model import DuelView, Ending
from bot.duels.position import DuelOptions
from bot.ratings.game import START, rated
from bot.ratings.model import HeadToHead, Rating
from bot.refused import Refused
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.duels import (
    ANN,
    BEN,
    CAT,
    CLASSIC,
    EQUAL,
    SECRETS,
    ids,
    invited,
    playing,
    rounds,
    win,
    wrong,
)
from tests.support.sql import sql


async def between(services: Services, viewer: int, other: int) -> HeadToHead:
    """What a player is told of their duels with another one, whom they know from a server."""
    for player in (viewer, other):
        await services.standings.members.seen(player, "", guild_id=1, guild_name="")
    found = (await services.statistics.of(other, viewer_id=viewer, guild_id=1)).viewers_duels
    assert found is not None
    return found


def test_a_win_raises_a_rating_and_a_draw_brings_two_ratings_together() -> None:
    assert (START.points, START.is_new) == (1500, True)
    up, down = rated((START, START), winner=0)
    assert up.mu > START.mu > down.mu
    assert up.sigma < START.sigma > down.sigma
    assert rated((START, START), winner=1) == (down, up)
    drawn = rated((START, START), winner=None)
    assert [rating.mu for rating in drawn] == [START.mu] * 2
    strong, weak = rated((Rating(1600, 50, 4), Rating(1500, 40, 9)), winner=None)
    assert strong.mu < 1600
    assert weak.mu > 1500


async def finished(services: Services, winner: int, loser: int) -> DuelView:
    game = await rounds(services, await playing(services, by=winner, to=loser), 2)
    return await win(services.duels.playing, game, winner)


async def test_a_finished_duel_keeps_and_tells_ratings_before_and_after(services: Services) -> None:
    game = await finished(services, ANN, BEN)
    ann = game.duel.seat_of(ANN) or 0
    assert game.duel.winner == ann
    changes = game.seats[ann].change, game.seats[1 - ann].change
    for change, seat, after in zip(
        changes, (ann, 1 - ann), rated((START, START), winner=0), strict=True
    ):
        assert change is not None
        assert (change.before, change.after) == (START, after)
        assert game.seats[seat].rating == after
    assert await services.duels.games.rating_history(ANN) == [changes[0]]
    assert (await services.duels.games.rating(BEN)) == changes[1].after if changes[1] else False
    assert (await services.duels.games.rating(CAT)) == START
    later = await invited(services, by=BEN, to=CAT)
    assert later.seats[later.duel.seat_of(BEN) or 0].rating == (changes[1] and changes[1].after)


@pytest.mark.parametrize("loser", [ANN, BEN])
async def test_a_duel_changes_ratings_by_as_much_as_its_challenge_announced(
    services: Services, loser: int
) -> None:
    await finished(services, ANN, BEN)
    await finished(services, ANN, CAT)
    game = await invited(services, by=BEN, to=ANN)
    stakes = {seat.player_id: seat.stake for seat in game.seats}
    game = await services.duels.inviting.accept(ANN, game.duel.id, 0, SECRETS[ANN])
    assert [seat.stake for seat in game.seats] == [None, None]  # told before it
    await rounds(services, game, 3)
    await services.duels.playing.resign(loser, game.duel.id)
    for player, stake in stakes.items():
        change = (await services.duels.games.rating_history(player or 0))[-1]
        assert stake is not None
        moved = change.after.points - change.before.points
        assert moved == (-stake.loss if player == loser else stake.win)


async def test_rated_duels_and_no_others_move_ratings_by_resignation_draw_or_timeout(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    play = services.duels.playing

    async def ended(options: DuelOptions, how: Ending) -> DuelView:
        game = await playing(services, options)
        first, second = ids(game)
        if how is Ending.RESIGNED:
            return await play.resign(first, game.duel.id)
        if how is Ending.DRAW_ACCEPTED:
            await play.offer_draw(first, game.duel.id)
            return await play.accept_draw(second, game.duel.id)
        clock.advance(days=1)
        return await play.view(first, game.duel.id)

    friendly = DuelOptions(friendly=True)
    for options in (EQUAL, friendly, CLASSIC):
        for how in (Ending.RESIGNED, Ending.DRAW_ACCEPTED, Ending.TIMED_OUT):
            game = await ended(options, how)
            assert game.duel.ending is how
            assert (game.seats[0].change is not None) == game.duel.rated == (options is EQUAL)
            clock.advance(days=4)
    changes = sql(tmp_path, "SELECT duel_id, count(*) FROM rating_changes GROUP BY duel_id")
    assert [count for _, count in changes] == [2] * 3
    total = await between(services, ANN, BEN)
    assert total.won + total.drawn + total.lost == 9
    assert total.drawn == 3


async def test_a_duel_moves_each_rating_once_whoever_ends_it(
    services: Services, clock: FakeClock, database_url: str, tmp_path: Path
) -> None:
    async with open_services(database_url, clock) as other:
        for _ in range(2):
            game = await playing(services, EQUAL)
            first, second = ids(game)
            await services.duels.playing.guess(first, game.duel.id, SECRETS[second])
            clock.advance(hours=12)
            found = await asyncio.gather(
                services.duels.playing.guess(second, game.duel.id, wrong(1)),
                other.duels.playing.guess(second, game.duel.id, SECRETS[first]),
                services.duels.playing.resign(second, game.duel.id),
                other.duels.playing.resign(first, game.duel.id),
                other.duels.games.sweep(),
                return_exceptions=True,
            )
            assert all(
                isinstance(error, Refused) for error in found if isinstance(error, BaseException)
            )
            game = await services.duels.playing.view(first, game.duel.id)
            assert game.duel.ending is not None
            rows = sql(tmp_path, f"SELECT * FROM rating_changes WHERE duel_id = {game.duel.id}")
            assert len(rows) == 2
    assert sql(tmp_path, "SELECT games FROM ratings") == [(2,), (2,)]
    assert len(await services.duels.games.rating_history(ANN)) == 2


async def test_the_record_of_two_players_counts_their_played_duels(services: Services) -> None:
    play = services.duels.playing
    assert await between(services, ANN, BEN) == HeadToHead(0, 0, 0)
    await finished(services, ANN, BEN)
    await finished(services, ANN, BEN)
    await finished(services, BEN, ANN)
    await finished(services, CAT, ANN)
    classic = await playing(services, CLASSIC)
    game = await win(play, classic, BEN)
    assert game.head_to_head == HeadToHead(2, 0, 2)
    drawn = await playing(services)
    await play.offer_draw(ANN, drawn.duel.id)
    await play.accept_draw(BEN, drawn.duel.id)
    for called_off in (await playing(services), await playing(services)):
        await play.call_off(ANN, called_off.duel.id)
    assert await between(services, ANN, BEN) == HeadToHead(2, 1, 2)
    assert await between(services, CAT, ANN) == HeadToHead(1, 0, 0)
    assert await between(services, ANN, CAT) == HeadToHead(0, 0, 1)

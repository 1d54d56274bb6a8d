"""Duels one after another: who leads, who moves first, when a series is over."""

import asyncio
from itertools import count, pairwise
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.services.duels.errors import (
    NoSeriesError,
    NoStopOfferedError,
    SeriesGoesOnError,
)
from bot.services.duels.inviting import Challenge
from bot.services.duels.model import DuelGame, Pace
from bot.services.duels.options import Options, Wishes
from bot.services.duels.series import Series, SeriesEnding, score_of, series_of
from bot.services.duels.transitions import Ending, State
from bot.services.services import Services
from bot.storage.duels.pairs import SeriesRow
from engine import Mode, Strength
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CHANNEL, GUILD, SECRETS, accepted, ids, invited, win

pytestmark = pytest.mark.usefixtures("keys_watched")

THREE: Final = Options(best_of=3)
FIVE: Final = Options(best_of=5)


def now(game: DuelGame) -> Series:
    """The series of a duel."""
    assert game.series is not None
    return game.series


def points(game: DuelGame) -> dict[int | None, int]:
    """Duels won, by player."""
    wins = now(game).wins
    return {seat.player_id: wins[n] for n, seat in enumerate(game.seats)}


async def begin(services: Services, game: DuelGame) -> DuelGame:
    """Set both numbers."""
    for player in (ANN, BEN):
        game = await services.duels.playing.set_secret(player, game.id, SECRETS[player])
    return game


async def following(services: Services, game: DuelGame) -> DuelGame:
    """The duel that follows another one."""
    game = await services.duels.playing.view(ANN, game.id)
    assert game.next_id is not None
    return await services.duels.playing.view(ANN, game.next_id)


async def won_by(services: Services, game: DuelGame, winner: int) -> DuelGame:
    """A duel of a series, set and won."""
    return await win(services.duels.playing, await begin(services, game), winner)


async def drawn(services: Services, game: DuelGame) -> DuelGame:
    """A duel of a series, set and agreed to be a draw."""
    game = await begin(services, game)
    await services.duels.playing.offer_draw(ANN, game.id)
    return await services.duels.playing.accept_draw(BEN, game.id)


async def test_who_wins_two_of_three_has_won(services: Services) -> None:
    first = await accepted(services, THREE)
    assert (now(first).number, now(first).wins, first.is_later) == (1, (0, 0), False)
    over = await won_by(services, first, ANN)
    assert (points(over), now(over).ending) == ({ANN: 1, BEN: 0}, None)
    second = await following(services, over)
    assert (second.state, second.is_later, now(second).number) == (State.SETTING, True, 2)
    assert ids(second) == ids(first)[::-1]
    assert (second.rules, second.mode, second.pace, second.rated) == (
        *(first.rules, first.mode, first.pace, first.rated),
    )
    assert all(not seat.is_ready for seat in second.seats)
    assert points(second) == {ANN: 1, BEN: 0}
    over = await won_by(services, second, ANN)
    assert points(over) == {ANN: 2, BEN: 0}
    assert now(over).ending is SeriesEnding.WON
    assert now(over).winner == over.seat_of(ANN)
    assert over.next_id is None
    shares = [change.share for change in await services.duels.games.rating_history(BEN)]
    assert shares == [1, 2]
    # The first still says how it stood then.
    assert points(await services.duels.playing.view(BEN, first.id)) == {ANN: 1, BEN: 0}


async def test_two_draws_are_played_again_and_a_third_shares_the_series(
    services: Services,
) -> None:
    game = await accepted(services, THREE)
    movers = [ids(game)[0]]
    for _ in range(2):
        game = await following(services, await drawn(services, game))
        movers.append(ids(game)[0])
    assert movers[0] == movers[2] != movers[1]
    over = await drawn(services, game)
    assert (now(over).draws, now(over).ending, over.next_id) == (3, SeriesEnding.SHARED, None)


async def test_who_sets_no_number_gives_the_duel_away_and_twice_in_a_row_the_series(
    services: Services, clock: FakeClock
) -> None:
    game = await following(services, await won_by(services, await accepted(services, FIVE), BEN))
    for number in (2, 3):
        assert now(game).number == number
        await services.duels.playing.set_secret(ANN, game.id, SECRETS[ANN])
        clock.advance(minutes=11)
        (over,) = [game for game in await services.duels.games.sweep() if game.is_later]
        assert (over.ending, over.winner) == (Ending.FORFEITED, over.seat_of(ANN))
        assert all(seat.change is None for seat in over.seats)
        if number == 2:
            game = await following(services, over)
    assert points(over) == {ANN: 2, BEN: 1}
    assert (now(over).ending, now(over).winner) == (SeriesEnding.GIVEN_AWAY, over.seat_of(ANN))
    assert len(await services.duels.games.rating_history(ANN)) == 1


async def test_neither_sets_a_number_and_the_series_ends(
    services: Services, clock: FakeClock
) -> None:
    game = await following(services, await won_by(services, await accepted(services, FIVE), BEN))
    clock.advance(minutes=11)
    (over,) = await services.duels.games.sweep()
    assert (over.id, over.ending, over.winner) == (game.id, Ending.LAPSED, None)
    assert now(over).ending is SeriesEnding.STOPPED


async def test_giving_up_before_numbers_are_set_gives_a_later_duel_away_and_calls_off_the_first(
    services: Services,
) -> None:
    first = await accepted(services, THREE)
    off = await services.duels.playing.leave(ANN, first.id)
    assert (off.ending, off.next_id) == (Ending.WITHDRAWN, None)
    game = await following(services, await won_by(services, await accepted(services, THREE), ANN))
    over = await services.duels.playing.leave(ANN, game.id)
    assert (over.ending, points(over)) == (Ending.FORFEITED, {ANN: 1, BEN: 1})
    assert await services.duels.playing.leave(ANN, game.id) == over
    third = await following(services, over)
    # One that was given up and one that was lost on time are two in a row.
    await begin(services, third)
    over = await services.duels.playing.resign(ANN, third.id)
    assert (now(over).ending, points(over)) == (SeriesEnding.WON, {ANN: 1, BEN: 2})


async def test_both_may_agree_to_stop_between_two_duels(services: Services) -> None:
    stopping = services.duels.stopping
    first = await accepted(services, FIVE)
    with pytest.raises(NoSeriesError):
        await stopping.stop(ANN, first.id)
    game = await following(services, await won_by(services, first, ANN))
    with pytest.raises(NoStopOfferedError):
        await stopping.play_on(BEN, game.id)
    offered = await stopping.stop(ANN, game.id)
    assert offered.stop_offered_by == offered.seat_of(ANN)
    assert await stopping.stop(ANN, game.id) == offered  # a second click is no agreement
    assert (await stopping.play_on(BEN, game.id)).stop_offered_by is None
    await stopping.stop(ANN, game.id)
    answered = await services.duels.playing.set_secret(BEN, game.id, SECRETS[BEN])
    assert answered.stop_offered_by is None
    await stopping.stop(BEN, game.id)
    over = await stopping.stop(ANN, game.id)
    assert (over.ending, now(over).ending) == (Ending.WITHDRAWN, SeriesEnding.STOPPED)
    assert await stopping.stop(BEN, game.id) == over
    begun = await following(services, await won_by(services, await accepted(services, FIVE), ANN))
    await begin(services, begun)
    with pytest.raises(SeriesGoesOnError):
        await stopping.stop(ANN, begun.id)


async def test_a_race_follows_a_race_with_another_number(services: Services) -> None:
    game = await accepted(services, Options(mode=Mode.RACE, best_of=3))
    for player in (ANN, BEN):
        await services.duels.playing.start(player, game.id)
    over = await services.duels.playing.resign(ANN, game.id)
    game = await following(services, over)
    assert (game.state, points(game)) == (State.PLAYING, {ANN: 0, BEN: 1})
    seals = [duel.seats[0].commitment for duel in (over, game)]
    assert None not in seals
    assert seals[0] != seals[1]


async def test_a_deleted_player_plays_no_further_duel(services: Services) -> None:
    game = await begin(services, await accepted(services, THREE))
    await services.privacy.players.delete(BEN, "DELETE")
    over = await services.duels.playing.view(ANN, game.id)
    assert (over.ending, over.next_id) == (Ending.RESIGNED, None)
    assert now(over).ending is SeriesEnding.STOPPED
    assert await services.duels.games.open_of(ANN) == []


async def test_many_clicks_open_one_next_duel(services: Services) -> None:
    game = await begin(services, await accepted(services, THREE))
    await asyncio.gather(*(services.duels.playing.resign(BEN, game.id) for _ in range(5)))
    assert [open_.id for open_ in await services.duels.games.open_of(ANN)] == [game.id + 1]


async def test_a_rematch_of_a_series_is_a_series_and_waits_for_its_end(services: Services) -> None:
    inviting = services.duels.inviting
    first = await won_by(services, await accepted(services, THREE), ANN)
    with pytest.raises(SeriesGoesOnError):
        await inviting.rematch(BEN, first.id)
    last = await won_by(services, await following(services, first), ANN)
    again = await inviting.rematch(BEN, last.id)
    assert (now(again).best_of, now(again).number, again.state) == (3, 1, State.INVITED)


async def test_what_is_left_open_is_as_it_was_the_last_time(services: Services) -> None:
    inviting = services.duels.inviting
    pair, bot = Challenge(ANN, BEN, GUILD, CHANNEL), Challenge(ANN, None)
    assert await inviting.prepare(pair, Wishes()) == Options(pace=Pace.RELAXED)
    chosen = Options(5, repeats=True, mode=Mode.RACE, pace=Pace.LIVE, rated=False, best_of=3)
    refused = await invited(services, chosen)
    await inviting.decline(BEN, refused.id)
    assert await inviting.prepare(bot, Wishes()) == Options(pace=Pace.RELAXED)
    await accepted(services, chosen, by=BEN, to=44)
    other = Challenge(BEN, 44, GUILD, CHANNEL)
    assert await inviting.prepare(other, Wishes()) == chosen
    assert (await inviting.prepare(other, Wishes(mode=Mode.EQUAL_TURNS))).mode is Mode.EQUAL_TURNS
    # A classic duel is unrated in any case, and says nothing of the next one.
    await accepted(services, Options(mode=Mode.CLASSIC), by=BEN, to=44)
    assert (await inviting.prepare(other, Wishes(mode=Mode.RACE))).rated is None
    await inviting.challenge(bot, Options(digits=3, strength=Strength.CASUAL, best_of=5))
    usual = await inviting.prepare(bot, Wishes(digits=4))
    assert (usual.digits, usual.strength, usual.best_of) == (4, Strength.CASUAL, 1)


async def test_the_next_board_is_posted_by_one(services: Services, clock: FakeClock) -> None:
    boards = services.duels.boards
    first = await won_by(services, await accepted(services, THREE), ANN)
    assert first.next_id is not None
    claimed = await asyncio.gather(*(boards.claim_posting(first.next_id) for _ in range(3)))
    (game,) = [found for found in claimed if found is not None]
    clock.advance(seconds=66)  # who claimed it has ended: the clock finds it again
    assert [stale.id async for stale in boards.stale()] == [game.id]
    again = await boards.claim_posting(game.id)
    assert again is not None
    assert await boards.posted(again, 777)
    assert not await boards.posted(game, 778)
    assert await boards.claim_posting(game.id) is None
    assert [stale.id async for stale in boards.stale()] == []
    shown = await services.duels.playing.view(ANN, game.id)
    assert (shown.message_id, shown.is_shown) == (777, True)


RESULTS: Final = st.lists(
    st.tuples(
        st.sampled_from(
            [
                *(Ending.SOLVED, Ending.RESIGNED, Ending.TIMED_OUT, Ending.FORFEITED),
                *(Ending.BOTH_SOLVED, Ending.DRAW_AGREED, Ending.LAPSED, Ending.WITHDRAWN),
            ]
        ),
        st.sampled_from([ANN, BEN]),
    ),
    max_size=12,
)
NOBODY: Final = {Ending.BOTH_SOLVED, Ending.DRAW_AGREED, Ending.LAPSED, Ending.WITHDRAWN}


def is_over(best_of: int, results: list[tuple[Ending, int]]) -> bool:
    """Whether a series is over, as its rules say it: who won which, by name."""
    won = [player for ending, player in results if ending not in NOBODY]
    given = [
        (ending in {Ending.RESIGNED, Ending.TIMED_OUT, Ending.FORFEITED}) and player
        for ending, player in results
    ]
    draws = sum(ending in {Ending.BOTH_SOLVED, Ending.DRAW_AGREED} for ending, _ in results)
    return (
        any(2 * won.count(player) > best_of for player in (ANN, BEN))
        or any(one and one == two for one, two in pairwise(given))
        or draws >= 3
        or any(ending in {Ending.LAPSED, Ending.WITHDRAWN} for ending, _ in results)
    )


@given(RESULTS, st.sampled_from([3, 5]), st.booleans())
def test_a_series_is_over_when_its_rules_say_so(
    results: list[tuple[Ending, int]], best_of: int, ann_first: bool
) -> None:
    rows: list[SeriesRow] = []
    played: list[tuple[Ending, int]] = []
    first = ANN if ann_first else BEN
    for number, (ending, winner) in zip(count(), results, strict=False):
        if is_over(best_of, played):
            break
        assert score_of(best_of, rows).decision is None
        played.append((ending, winner))
        mover = first if number % 2 == 0 else ANN + BEN - first
        seat = None if ending in NOBODY else int(winner != mover)
        rows.append(SeriesRow(number + 1, ending.value, seat))
    score = score_of(best_of, rows)
    wins = {
        player: sum(e not in NOBODY and p == player for e, p in played) for player in (ANN, BEN)
    }
    assert score.wins == (wins[first], wins[ANN + BEN - first])
    assert (score.decision is not None) == is_over(best_of, played)
    assert len(rows) <= 2 * (best_of // 2) + 1 + 3
    if rows:
        seen = series_of(len(rows), best_of, rows)
        mover = first if len(rows) % 2 else ANN + BEN - first
        assert seen.wins == (wins[mover], wins[ANN + BEN - mover])

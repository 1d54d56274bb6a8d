"""What duels keep of their public messages: which version is shown, who is to be called."""

import asyncio

import pytest

from bot.duels.messages import Nudge
from bot.duels.model import DuelView
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.duels import (
    ANN,
    BEN,
    CHANNEL,
    EQUAL,
    NOW,
    RELAXED,
    RELAXED_RACE,
    SECRETS,
    accepted,
    against_bot,
    ids,
    invited,
    playing,
    wrong,
)
from tests.support.flow import all_of

MESSAGE, THREAD = 77, 88


async def posted(services: Services, game: DuelView) -> DuelView:
    playing = services.duels.playing
    return (await playing.published(game.duel.id, MESSAGE, CHANNEL, version=game.duel.version))[0]


async def test_a_board_posted_in_an_outdated_state_is_updated(
    services: Services, clock: FakeClock
) -> None:
    game = await invited(services)
    await services.duels.inviting.accept(BEN, game.duel.id, *NOW)
    assert not (await posted(services, game)).duel.is_shown
    clock.advance(seconds=5)
    assert len(await all_of(services.duels.boards.stale())) == 1


async def test_a_deleted_board_of_a_duel_is_forgotten_unless_it_was_posted_again(
    services: Services, clock: FakeClock
) -> None:
    boards = services.duels.boards
    game = await posted(services, await playing(services))
    changed = await services.duels.playing.guess(ids(game)[0], game.duel.id, wrong(0))
    again, _ = await services.duels.playing.published(game.duel.id, 99, THREAD, parent_id=CHANNEL)
    await boards.lost(changed.duel)
    kept = (await services.duels.games.open_of(ANN))[0]
    assert (kept.duel.message_id, kept.duel.thread_id, kept.duel.channel_id) == (
        99,
        THREAD,
        CHANNEL,
    )
    await boards.lost(again.duel)
    gone = (await services.duels.games.open_of(ANN))[0]
    assert (gone.duel.message_id, gone.duel.thread_id, gone.duel.channel_id) == (
        None,
        None,
        CHANNEL,
    )
    await services.duels.playing.guess(ids(game)[1], game.duel.id, wrong(1))
    clock.advance(seconds=5)
    assert await all_of(boards.stale()) == []


async def nudges(services: Services) -> list[Nudge]:
    """What the clock would send or delete now."""
    boards = services.duels.boards
    found = [await boards.claim_nudge(duel_id) async for duel_id in boards.to_nudge()]
    return [nudge for nudge in found if nudge is not None]


async def sent(services: Services, message_id: int | None) -> Nudge:
    """The only nudge there is, after it was sent as this message, or nothing was sent."""
    (nudge,) = await nudges(services)
    assert await services.duels.boards.nudged(nudge, message_id)
    return nudge


async def called(services: Services) -> list[int]:
    """Whom the clock calls now."""
    found = await nudges(services)
    for message_id, nudge in enumerate(found, 500):
        await services.duels.boards.nudged(nudge, message_id if nudge.player_ids else None)
    return [player_id for nudge in found for player_id in nudge.player_ids]


async def test_a_duel_with_the_bot_has_no_board(services: Services) -> None:
    game = await against_bot(services)
    assert game.duel.version == 0
    assert await nudges(services) == []


async def test_declining_a_draw_pings_only_an_opponent_who_has_to_move(
    services: Services, clock: FakeClock
) -> None:
    play = services.duels.playing
    game = await playing(services, RELAXED)
    first, second = ids(game)
    await sent(services, 5)
    clock.advance(seconds=10)
    await play.offer_draw(second, game.duel.id)
    await sent(services, 6)
    await play.decline_draw(first, game.duel.id)
    assert await nudges(services) == []  # it is still their turn, and they were here just now
    await play.offer_draw(first, game.duel.id)
    clock.advance(seconds=10)
    assert (await sent(services, 7)).player_ids == (second,)
    await play.decline_draw(second, game.duel.id)
    back = await sent(services, 8)
    assert (back.player_ids, back.previous) == ((first,), 7)


@pytest.mark.parametrize("offers", [0, 1], ids=["who moves", "who waits"])
async def test_a_player_who_repeats_an_offer_of_a_draw_pings_the_opponent_once_a_turn(
    services: Services, clock: FakeClock, offers: int
) -> None:
    play = services.duels.playing
    game = await playing(services, RELAXED)
    players = ids(game)
    me, other = players[offers], players[1 - offers]
    await sent(services, 5)
    for turn, mover in enumerate(players):
        await called(services)
        calls = list[int]()
        for _offer in range(4):
            for act in (play.offer_draw, play.decline_draw):
                clock.advance(seconds=10)
                await act(me, game.duel.id)
                calls += await called(services)
        assert calls.count(other) == 1, turn
        await play.guess(mover, game.duel.id, wrong(turn))


async def test_players_who_offer_a_draw_by_turns_ping_each_other_only_once(
    services: Services, clock: FakeClock
) -> None:
    play = services.duels.playing
    game = await playing(services, RELAXED)
    await sent(services, 5)
    calls = list[int]()
    for _offer in range(3):
        for who, other in (ids(game), ids(game)[::-1]):
            clock.advance(seconds=10)
            await play.offer_draw(who, game.duel.id)
            calls += await called(services)
            await play.decline_draw(other, game.duel.id)
    first, second = ids(game)
    assert (calls.count(first), calls.count(second)) == (1, 1)


async def test_the_ping_about_a_draw_is_deleted_once_the_offer_is_answered_or_void(
    services: Services, clock: FakeClock
) -> None:
    play = services.duels.playing
    game = await playing(services, RELAXED)
    first, second = ids(game)
    await sent(services, 5)
    await play.offer_draw(first, game.duel.id)
    await sent(services, 6)
    clock.advance(seconds=10)
    await play.guess(first, game.duel.id, wrong(0))  # the offer is off
    turn = await sent(services, 7)
    assert (turn.player_ids, turn.previous) == ((second,), 6)
    await play.offer_draw(first, game.duel.id)
    await sent(services, 8)
    await play.accept_draw(second, game.duel.id)
    end = await sent(services, 9)
    assert (end.player_ids, end.previous) == ((first, second), 8)
    assert await nudges(services) == []


async def test_a_ping_about_a_draw_has_the_same_nonce_again_after_the_bot_was_killed(
    services: Services, clock: FakeClock
) -> None:
    play = services.duels.playing
    game = await playing(services, RELAXED)
    first, second = ids(game)
    await sent(services, 5)
    clock.advance(seconds=10)
    await play.offer_draw(second, game.duel.id)
    (lost,) = await nudges(services)  # the bot is killed now
    clock.advance(seconds=30)
    await play.decline_draw(first, game.duel.id)
    assert await nudges(services) == []
    clock.advance(seconds=30)
    again = await sent(services, 6)
    assert (again.player_ids, again.nonce, again.previous) == ((first,), lost.nonce, 5)


async def test_a_player_of_a_live_duel_is_pinged_about_a_draw_after_half_a_minute(
    services: Services, clock: FakeClock
) -> None:
    play = services.duels.playing
    game = await playing(services, EQUAL)
    first, second = ids(game)
    clock.advance(seconds=20)
    await play.offer_draw(first, game.duel.id)
    clock.advance(seconds=29)
    assert await nudges(services) == []
    clock.advance(seconds=1)
    assert (await sent(services, 5)).player_ids == (second,)


async def test_starting_a_race_does_not_repeat_the_ping_about_a_draw(services: Services) -> None:
    play = services.duels.playing
    game = await accepted(services, RELAXED_RACE)
    assert (await sent(services, 5)).player_ids == (ANN,)
    await play.start(ANN, game.duel.id)
    assert (await sent(services, 6)).player_ids == (BEN,)
    await play.offer_draw(BEN, game.duel.id)
    assert (await sent(services, 7)).player_ids == (ANN,)
    await play.start(BEN, game.duel.id)
    assert await nudges(services) == []
    await play.decline_draw(ANN, game.duel.id)
    assert (await sent(services, None)).previous == 7


async def test_a_player_who_has_to_start_a_race_is_not_pinged_again_when_the_opponent_starts(
    services: Services,
) -> None:
    game = await accepted(services, RELAXED_RACE)
    assert (await sent(services, 5)).player_ids == (ANN,)
    await services.duels.playing.start(BEN, game.duel.id)
    assert await nudges(services) == []


async def test_only_one_of_two_processes_can_claim_a_ping(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    await playing(services, RELAXED)
    async with open_services(database_url, clock) as other:
        both = [await all_of(which.duels.boards.to_nudge()) for which in (services, other)]
        assert both == [[1], [1]]
        found = [await which.duels.boards.claim_nudge(1) for which in (services, other)]
    assert [nudge is not None for nudge in found] == [True, False]


async def test_a_ping_with_unknown_outcome_is_not_resent_after_two_minutes(
    services: Services, clock: FakeClock
) -> None:
    game = await playing(services, RELAXED)
    first, second = ids(game)
    await sent(services, 5)
    game = await services.duels.playing.guess(first, game.duel.id, wrong(0))
    (untold,) = await nudges(services)
    assert (untold.player_ids, untold.previous) == ((second,), 5)
    clock.advance(minutes=2, seconds=1)
    old = await sent(services, None)
    assert (old.player_ids, old.previous) == ((), 5)
    clock.advance(hours=1)
    assert await nudges(services) == []
    await services.duels.playing.guess(second, game.duel.id, wrong(0))
    assert (await sent(services, 6)).player_ids == (first,)  # a turn of its own


async def test_every_ping_has_its_own_nonce(services: Services, clock: FakeClock) -> None:
    calls: list[Nudge] = []
    for options in (RELAXED, RELAXED_RACE):
        game = await accepted(services, options)
        clock.advance(minutes=5)
        if options is RELAXED:
            calls.append(await sent(services, 5))
            await services.duels.playing.set_secret(BEN, game.duel.id, SECRETS[BEN])
        else:
            for player in (ANN, BEN):
                calls.append(await sent(services, 5))
                await services.duels.playing.start(player, game.duel.id)
        if options is RELAXED:
            for seat in (0, 1):
                calls.append(await sent(services, 5))
                await services.duels.playing.guess(ids(game)[seat], game.duel.id, wrong(0))
            calls.append(await sent(services, 5))
        else:
            await sent(services, None)
        clock.advance(seconds=1)
    assert len({nudge.nonce for nudge in calls}) == len(calls) == 6
    assert max(len(nudge.nonce) for nudge in calls) <= 25


async def test_no_player_is_pinged_about_a_duel_past_its_deadline(
    services: Services, clock: FakeClock
) -> None:
    await accepted(services, EQUAL)
    clock.advance(minutes=10)
    assert await nudges(services) == []


async def test_one_process_at_a_time_posts_a_rematch(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    game = await accepted(services)
    await services.duels.playing.call_off(ANN, game.duel.id)
    inviting = services.duels.inviting
    again = await inviting.rematch(ANN, game.duel.id, "0123")
    async with open_services(database_url, clock) as other:
        both = [
            inviting.claim_posting(again.duel.id),
            other.duels.inviting.claim_posting(again.duel.id),
        ]
        assert sorted(await asyncio.gather(*both)) == [False, True]
    clock.advance(seconds=59)
    assert not await inviting.claim_posting(again.duel.id)
    clock.advance(seconds=1)
    assert await inviting.claim_posting(again.duel.id)  # who was at it has ended
    clock.advance(minutes=2)
    await services.duels.playing.published(again.duel.id, MESSAGE, CHANNEL)
    assert not await inviting.claim_posting(again.duel.id)
    await inviting.accept(BEN, again.duel.id, *NOW)
    clock.advance(minutes=5)
    assert (await sent(services, 5)).player_ids == (BEN,)

"""What duels keep of their public messages: which version is shown, who is to be called."""

import asyncio
from itertools import count

import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from bot.duels.boards import Nudge
from bot.duels.model import DuelView
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.duels import (
    ANN,
    CHANNEL,
    CLASSIC,
    accept,
    against_bot,
    ids,
    invited,
    playing,
    wrong,
)
from tests.support.effort import examples
from tests.support.flow import all_of

MESSAGE, ELSEWHERE = 77, 88
PLAYERS = count(1000)


async def posted(services: Services, game: DuelView) -> DuelView:
    playing = services.duels.playing
    return (await playing.published(game.duel.id, MESSAGE, CHANNEL, version=game.duel.version))[0]


async def test_a_board_posted_in_an_outdated_state_is_updated(
    services: Services, clock: FakeClock
) -> None:
    game = await invited(services)
    await accept(services, game)
    assert not (await posted(services, game)).duel.is_shown
    clock.advance(seconds=5)
    assert len(await all_of(services.duels.boards.outdated())) == 1


async def test_a_deleted_board_of_a_duel_is_forgotten_unless_it_was_posted_again(
    services: Services, clock: FakeClock
) -> None:
    boards = services.duels.boards
    game = await posted(services, await playing(services))
    changed = await services.duels.playing.guess(ids(game)[0], game.duel.id, wrong(0))
    again, _ = await services.duels.playing.published(game.duel.id, 99, ELSEWHERE)
    await boards.lost(changed.duel)
    kept = (await services.duels.games.open_of(ANN))[0]
    assert (kept.duel.message_id, kept.duel.channel_id) == (99, ELSEWHERE)
    await boards.lost(again.duel)
    gone = (await services.duels.games.open_of(ANN))[0]
    assert (gone.duel.message_id, gone.duel.channel_id) == (None, ELSEWHERE)
    await services.duels.playing.guess(ids(game)[1], game.duel.id, wrong(1))
    clock.advance(seconds=5)
    assert await all_of(boards.outdated()) == []


async def test_a_board_that_cannot_be_edited_is_given_up_a_day_after_the_end(
    services: Services, clock: FakeClock
) -> None:
    boards, game = services.duels.boards, await posted(services, await playing(services))
    await services.duels.playing.guess(ids(game)[0], game.duel.id, wrong(0))
    await services.duels.playing.resign(ids(game)[0], game.duel.id)
    for seconds, is_due in ((5, True), (5, False), (600, True), (86_400, True), (600, False)):
        clock.advance(seconds=seconds)
        due = await all_of(boards.outdated())
        assert bool(due) == is_due
        for view in due:
            await boards.unreachable(view.duel)


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
    assert game.duel.stale_at is None
    assert await nudges(services) == []


async def test_a_mover_is_called_once_after_half_a_minute_of_silence(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    game = await playing(services)
    first, second = ids(game)
    clock.advance(seconds=29)
    assert await nudges(services) == []
    async with open_services(database_url, clock) as restarted:
        clock.advance(seconds=1)
        both = [await all_of(s.duels.boards.to_nudge()) for s in (services, restarted)]
        assert both == [[1], [1]]
        found = [await s.duels.boards.claim_nudge(1) for s in (restarted, services)]
        assert [nudge and nudge.player_ids for nudge in found] == [(first,), None]
        assert found[0] is not None
        assert await restarted.duels.boards.nudged(found[0], 5)
    clock.advance(hours=1)
    assert await called(services) == []
    await services.duels.playing.guess(first, game.duel.id, wrong(0))
    assert (await sent(services, None)).previous == 5
    assert await called(services) == []
    clock.advance(seconds=30)
    assert await called(services) == [second]


acts = st.lists(
    st.tuples(
        st.sampled_from(["guess", "guess", "offer_draw", "decline_draw"]), st.integers(0, 29)
    ),
    max_size=12,
)
ends = st.sampled_from(["resign", "solve", "accept_draw"])


@examples(10, 200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawn=acts, ending=ends)
async def test_two_who_are_there_are_never_called(
    services: Services, clock: FakeClock, drawn: list[tuple[str, int]], ending: str
) -> None:
    """Whoever is waited for does something within half a minute."""
    play = services.duels.playing
    game = await playing(services, CLASSIC, by=next(PLAYERS), to=next(PLAYERS))
    offers = [0, 0]
    both = [("guess", 29)] * 4  # so that both have guessed of late
    for act, seconds in [*drawn, ("decline_draw", 9), *both, ("offer_draw", 29), (ending, 29)]:
        clock.advance(seconds=seconds)
        assert not {*await called(services)} & {*ids(game)}
        by, mover = game.duel.draw_offered_by, game.duel.to_move or 0
        seat = mover if by is None or offers[by] > 1 else 1 - by
        text = wrong(game.seats[seat].guesses)
        if act == "solve":
            seat, text = mover, game.duel.seats[1 - mover].secret or ""
        does = play.offer_draw if by is None else play.decline_draw
        if act in {"guess", "solve"} and seat == mover:
            game, offers = await play.guess(ids(game)[seat], game.duel.id, text), [0, 0]
        elif act in {"resign", "accept_draw"}:
            game = await getattr(play, act)(ids(game)[seat], game.duel.id)
        else:
            offers[seat] += by is None
            game = await does(ids(game)[seat], game.duel.id)
        assert not {*await called(services)} & {*ids(game)}
    assert game.duel.finished_at is not None


async def test_the_end_calls_those_who_have_not_guessed_for_three_minutes(
    services: Services, clock: FakeClock
) -> None:
    play = services.duels.playing
    for minutes in (2, 3):
        game = await playing(services)
        first, second = ids(game)
        await play.guess(first, game.duel.id, wrong(0))
        clock.advance(minutes=minutes)
        await called(services)
        await play.resign(second, game.duel.id)
        told = await called(services)
        assert told == ([] if minutes == 2 else [first])
    game = await playing(services)
    clock.advance(days=1)
    await services.duels.games.sweep()
    assert await called(services) == [*ids(game)]


async def test_an_offer_of_a_draw_calls_whoever_does_not_answer_it_within_half_a_minute(
    services: Services, clock: FakeClock
) -> None:
    play = services.duels.playing
    game = await playing(services)
    first, second = ids(game)
    clock.advance(seconds=20)
    await play.offer_draw(first, game.duel.id)
    clock.advance(seconds=29)
    assert await nudges(services) == []
    clock.advance(seconds=1)
    assert (await sent(services, 5)).player_ids == (second,)
    await play.decline_draw(second, game.duel.id)
    assert (await sent(services, None)).previous == 5
    clock.advance(seconds=30)
    assert await called(services) == [first]


@pytest.mark.parametrize("offers", [0, 1], ids=["who moves", "who waits"])
async def test_a_player_who_repeats_an_offer_of_a_draw_puts_off_no_call_and_makes_no_second(
    services: Services, clock: FakeClock, offers: int
) -> None:
    play = services.duels.playing
    game = await playing(services)
    players = ids(game)
    me, other = players[offers], players[1 - offers]
    for turn, mover in enumerate(players):
        calls = list[int]()
        for _offer in range(4):
            for act in (play.offer_draw, play.decline_draw):
                await act(me, game.duel.id)
                clock.advance(seconds=20)
                calls += await called(services)
        assert calls == ([other] if mover == other else []), turn
        await play.guess(mover, game.duel.id, wrong(turn))


async def test_the_call_about_a_draw_is_deleted_once_the_offer_is_answered_or_void(
    services: Services, clock: FakeClock
) -> None:
    play = services.duels.playing
    game = await playing(services)
    first, second = ids(game)
    await play.offer_draw(first, game.duel.id)
    clock.advance(seconds=30)
    assert (await sent(services, 6)).player_ids == (second,)
    await play.guess(first, game.duel.id, wrong(0))  # the offer is off
    gone = await sent(services, None)
    assert (gone.player_ids, gone.previous) == ((), 6)
    clock.advance(seconds=30)
    assert (await sent(services, 7)).player_ids == (second,)
    await play.offer_draw(first, game.duel.id)
    assert (await sent(services, None)).previous == 7
    await play.accept_draw(second, game.duel.id)
    assert await nudges(services) == []


async def test_a_call_has_the_same_nonce_again_after_the_bot_was_killed(
    services: Services, clock: FakeClock
) -> None:
    game = await playing(services)
    first, _ = ids(game)
    clock.advance(seconds=30)
    (lost,) = await nudges(services)  # the bot is killed now
    clock.advance(seconds=30)
    assert await nudges(services) == []
    clock.advance(seconds=30)
    again = await sent(services, 6)
    assert (again.player_ids, again.nonce) == ((first,), lost.nonce)
    assert len(lost.nonce) <= 25


async def test_a_call_with_unknown_outcome_is_not_resent_after_two_minutes(
    services: Services, clock: FakeClock
) -> None:
    game = await playing(services)
    first, second = ids(game)
    clock.advance(seconds=30)
    one = await sent(services, 5)
    game = await services.duels.playing.guess(first, game.duel.id, wrong(0))
    await sent(services, None)
    clock.advance(seconds=30)
    (untold,) = await nudges(services)
    assert (untold.player_ids, untold.nonce != one.nonce) == ((second,), True)
    clock.advance(minutes=2, seconds=1)
    assert await called(services) == []
    await services.duels.playing.guess(second, game.duel.id, wrong(0))
    clock.advance(seconds=30)
    assert (await sent(services, 6)).player_ids == (first,)  # a turn of its own


async def test_nobody_is_called_to_a_duel_past_its_deadline(
    services: Services, clock: FakeClock
) -> None:
    await playing(services)
    clock.advance(days=1)
    assert await nudges(services) == []


async def test_one_process_at_a_time_posts_a_rematch(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    game = await playing(services)
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
    assert await inviting.claim_posting(again.duel.id)  # the process that was at it has ended
    clock.advance(minutes=2)
    await services.duels.playing.published(again.duel.id, MESSAGE, CHANNEL)
    assert not await inviting.claim_posting(again.duel.id)
    begun = await accept(services, again)
    clock.advance(seconds=30)
    assert (await sent(services, 5)).player_ids == (ids(begun)[0],)

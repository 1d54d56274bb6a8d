"""How often one may ask another, who is called, and who wants to be asked at all."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from datetime import datetime, timedelta
from itertools import count, cycle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.duels.model import DuelOverError, DuelView, State, TooManyDuelsOfPairError
from bot.mastermind.model import InvitationView
from bot.people.model import AskedTooOftenError, AskedTooSoonError
from bot.refused import NotWantedError
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.duels import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    DAN,
    DAY,
    NOW,
    RELAXED,
    accepted,
    invited,
    playing,
)
from tests.support.effort import either, examples
from tests.support.masterminds import invitation as invite
from tests.support.sql import sql

Ask = Callable[..., Awaitable[DuelView | InvitationView]]
HOUR = timedelta(hours=1)


async def duel(services: Services, by: int = ANN, to: int = BEN) -> DuelView:
    return await invited(services, by=by, to=to)


async def take_back(services: Services, game: DuelView | InvitationView, by: int = ANN) -> None:
    if isinstance(game, DuelView):
        await services.duels.inviting.withdraw(by, game.duel.id)
    else:
        await services.mastermind.challenges.withdraw(by, game.game.id)


async def decline(services: Services, game: DuelView | InvitationView, by: int = BEN) -> None:
    if isinstance(game, DuelView):
        await services.duels.inviting.decline(by, game.duel.id)
    else:
        await services.mastermind.challenges.decline(by, game.game.id)


async def refused(asking: Awaitable[Any]) -> tuple[int, datetime, bool]:
    """Who is not to be asked until when, and whether that one has declined."""
    with pytest.raises(AskedTooSoonError) as error:
        await asking
    return error.value.player_id, error.value.again_at, error.value.has_declined


@pytest.mark.parametrize("kinds", [(duel, duel, duel), (invite, duel, invite)])
async def test_a_challenger_who_withdraws_may_challenge_a_member_only_three_times_an_hour(
    services: Services, clock: FakeClock, kinds: tuple[Ask, ...]
) -> None:
    began = clock.now()
    for ask in kinds:
        await take_back(services, await ask(services))
        clock.advance(minutes=1)
    for ask in (duel, invite):
        assert await refused(ask(services)) == (BEN, began + HOUR, False)
    # Of somebody else, and by somebody else, they are other invitations.
    await duel(services, by=ANN, to=CAT)
    await duel(services, by=CAT, to=BEN)
    await duel(services, by=BEN, to=ANN)
    clock.set(began + HOUR - timedelta(seconds=1))
    assert (await refused(duel(services)))[2] is False
    clock.set(began + HOUR)
    await duel(services)
    assert (await refused(duel(services)))[2] is False


async def test_lapsed_and_open_challenges_count_toward_the_limit_like_withdrawn_ones(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    await duel(services)
    sql(tmp_path, "UPDATE duels SET terms = NULL, pace = 'live'")  # which lapses soon
    clock.advance(minutes=16)
    assert len(await services.duels.games.sweep()) == 1
    await invited(services, RELAXED)
    await duel(services)
    assert (await refused(invite(services)))[2] is False


async def test_three_of_many_simultaneous_challenges_are_posted(services: Services) -> None:
    asks = [duel(services) if n % 2 else invite(services) for n in range(10)]
    made = await asyncio.gather(*asks, return_exceptions=True)
    games = [game for game in made if isinstance(game, DuelView | InvitationView)]
    assert len(games) == 3


async def test_an_accepted_challenge_resets_the_count_of_earlier_ones(
    services: Services, clock: FakeClock
) -> None:
    for _ in range(2):
        await take_back(services, await duel(services))
    await accepted(services)
    clock.advance(seconds=1)
    for _ in range(3):
        await take_back(services, await duel(services))
        clock.advance(seconds=1)
    assert (await refused(duel(services)))[2] is False
    # So does one that the other one makes.
    view = await invite(services, by=BEN, to=ANN)
    await services.mastermind.challenges.accept(ANN, view.game.id)
    clock.advance(seconds=1)
    await duel(services)


@pytest.mark.parametrize("ask", [duel, invite])
async def test_only_the_player_who_declined_may_challenge_back_within_the_hour(
    services: Services, clock: FakeClock, ask: Ask
) -> None:
    clock.advance(minutes=1)
    await decline(services, await ask(services))
    declined_at = clock.now()
    clock.advance(minutes=30)
    for again in (duel, invite):
        assert await refused(again(services)) == (BEN, declined_at + HOUR, True)
    await duel(services, by=CAT, to=BEN)
    await duel(services, by=BEN, to=ANN)
    clock.set(declined_at + HOUR)
    await duel(services)


async def test_a_decline_no_longer_counts_once_another_challenge_is_accepted(
    services: Services, clock: FakeClock
) -> None:
    declined, taken = await duel(services), await duel(services)
    await decline(services, declined)
    clock.advance(seconds=1)
    await services.duels.inviting.accept(BEN, taken.duel.id, *NOW)
    clock.advance(seconds=1)
    await duel(services)


async def test_a_rematch_that_is_declined_each_time_may_be_proposed_three_times(
    services: Services, clock: FakeClock
) -> None:
    inviting = services.duels.inviting
    game = await playing(services)
    await services.duels.playing.resign(ANN, game.duel.id)
    clock.advance(seconds=1)
    for _ in range(3):
        again = await inviting.rematch(ANN, game.duel.id, "0123")
        assert again.is_rematch
        assert (await inviting.decline(BEN, again.duel.id)).is_rematch
    assert (await refused(inviting.rematch(ANN, game.duel.id, "0123")))[2] is False
    assert (await refused(inviting.prepare_rematch(ANN, game.duel.id)))[2] is False
    again = await inviting.rematch(BEN, game.duel.id, "0123")
    waiting = await inviting.prepare_rematch(ANN, game.duel.id)
    assert waiting is not None
    assert waiting.duel.id == again.duel.id


async def test_a_declined_rematch_of_an_unplayed_duel_counts_as_a_declined_challenge(
    services: Services, clock: FakeClock
) -> None:
    game = await duel(services)
    await decline(services, game)
    clock.advance(hours=1)
    again = await services.duels.inviting.rematch(ANN, game.duel.id, "0123")
    assert not again.is_rematch
    await decline(services, again)
    assert (await refused(services.duels.inviting.rematch(ANN, again.duel.id, "0123")))[2] is True


async def test_a_challenger_who_was_declined_may_not_propose_a_rematch_either(
    services: Services, clock: FakeClock
) -> None:
    game = await playing(services)
    await services.duels.playing.resign(ANN, game.duel.id)
    clock.advance(seconds=1)
    await decline(services, await duel(services))
    assert (await refused(services.duels.inviting.rematch(ANN, game.duel.id, "0123")))[2] is True
    assert (
        await services.duels.inviting.rematch(BEN, game.duel.id, "0123")
    ).duel.state is State.INVITED


async def test_a_challenge_that_could_not_be_posted_counts_toward_no_limit(
    services: Services, tmp_path: Path
) -> None:
    for _ in range(5):
        game = await duel(services)
        await services.duels.inviting.take_back(game.duel.id)
        other = await invite(services)
        await services.mastermind.challenges.take_back(other.game.id)
    assert sql(tmp_path, "select count(*) from duels") == [(0,)]
    assert sql(tmp_path, "select count(*) from masterminds") == [(0,)]
    # One that was posted, or accepted, is not taken back like that.
    game, other = await duel(services), await invite(services)
    await services.duels.playing.published(game.duel.id, 7, CHANNEL)
    await services.mastermind.challenges.accept(BEN, other.game.id)
    await services.duels.inviting.take_back(game.duel.id)
    await services.mastermind.challenges.take_back(other.game.id)
    assert sql(tmp_path, "select count(*) from duels") == [(1,)]
    assert sql(tmp_path, "select count(*) from masterminds") == [(1,)]


# Who is called.


async def test_a_member_with_three_open_challenges_is_not_pinged_by_a_fourth(
    services: Services, clock: FakeClock
) -> None:
    cats = await invited(services, RELAXED, by=CAT, to=BEN)
    made = [
        cats,
        await invite(services, by=DAN, to=BEN),
        await duel(services),
        await duel(services, by=77, to=BEN),
        await invite(services, by=77, to=BEN),
    ]
    assert [game.calls for game in made] == [True, True, True, False, False]
    assert (await duel(services, by=BEN, to=CAT)).calls
    assert [game.duel.id for game in await services.duels.games.open_of(BEN)]
    await services.duels.inviting.accept(BEN, cats.duel.id, *NOW)
    await decline(services, made[1])
    clock.advance(seconds=1)
    assert (await duel(services, by=88, to=BEN)).calls is False  # Ann's, and two that came later
    await decline(services, made[4])
    assert (await duel(services, by=99, to=BEN)).calls is False
    await decline(services, made[3])
    await decline(services, made[2])
    assert (await duel(services, by=111, to=BEN)).calls


async def test_three_withdrawn_challenges_stop_pings_of_their_member_for_an_hour(
    services: Services, clock: FakeClock
) -> None:
    for by in (ANN, CAT, DAN):
        await take_back(services, await duel(services, by=by, to=BEN), by)
    assert not (await duel(services, by=77, to=BEN)).calls
    clock.advance(hours=1)
    assert (await duel(services, by=88, to=BEN)).calls


async def test_a_challenger_gains_no_pings_by_deleting_their_data(services: Services) -> None:
    called = 0
    for _ in range(5):
        game = await duel(services)
        called += game.calls
        await services.privacy.players.delete(ANN, "DELETE")
    assert called == 3


async def test_a_rematch_pings_like_any_challenge(services: Services, clock: FakeClock) -> None:
    game = await playing(services)
    await services.duels.playing.resign(ANN, game.duel.id)
    clock.advance(seconds=1)
    assert (await services.duels.inviting.rematch(ANN, game.duel.id, "0123")).calls
    for by in (CAT, DAN):
        await duel(services, by=by, to=BEN)
    second = await accepted(services, by=77, to=BEN)
    await services.duels.playing.call_off(BEN, second.duel.id)
    assert not (await services.duels.inviting.rematch(77, second.duel.id, "0123")).calls


# How many all others together are asked, and called.


MEMBERS = range(101, 120)


async def ask_all(services: Services, asks: Sequence[Ask]) -> list[bool]:
    """Ask one member after another, in turns by each of these ways; which were called."""
    called: list[bool] = []
    with suppress(AskedTooOftenError):
        for member, ask in zip(MEMBERS, cycle(asks), strict=False):
            game = await ask(services, to=member)
            called.append(game.calls)
            if member % 2:
                await take_back(services, game)
            else:
                await decline(services, game, member)
    return called


@pytest.mark.parametrize("asks", [(duel,), (invite,), (duel, invite)])
async def test_only_the_first_five_of_ten_unaccepted_challenges_in_an_hour_ping(
    services: Services, clock: FakeClock, asks: Sequence[Ask]
) -> None:
    began = clock.now()
    assert await ask_all(services, asks) == [True] * 5 + [False] * 5
    for ask in (duel, invite):
        with pytest.raises(AskedTooOftenError) as often:
            await ask(services, to=BEN)
        assert often.value.again_at == began + HOUR
    # Others may ask, and all may ask this one.
    assert (await duel(services, by=BEN, to=CAT)).calls
    assert (await duel(services, by=CAT, to=ANN)).calls
    clock.advance(hours=1)
    assert (await duel(services, to=BEN)).calls


async def test_a_challenger_posts_at_most_ten_simultaneous_challenges_to_different_members(
    services: Services,
) -> None:
    asks = [
        duel(services, to=member) if member % 2 else invite(services, to=member)
        for member in MEMBERS
    ]
    made = await asyncio.gather(*asks, return_exceptions=True)
    games = [game for game in made if isinstance(game, DuelView | InvitationView)]
    assert (len(games), sum(game.calls for game in games)) == (10, 5)


async def test_accepted_challenges_do_not_count_toward_the_limit(
    services: Services, clock: FakeClock
) -> None:
    for member in MEMBERS:
        game = await duel(services, to=member)
        assert game.calls
        await services.duels.inviting.accept(member, game.duel.id, *NOW)
        await services.duels.playing.call_off(member, game.duel.id)
        clock.advance(seconds=1)


async def test_rematches_have_their_own_limit_for_each_pair(
    services: Services, clock: FakeClock
) -> None:
    game = await playing(services)
    await services.duels.playing.resign(ANN, game.duel.id)
    for _ in range(2):
        again = await services.duels.inviting.rematch(ANN, game.duel.id, "0123")
        await services.duels.inviting.decline(BEN, again.duel.id)
        clock.advance(seconds=1)
    assert await ask_all(services, [duel]) == [True] * 5 + [False] * 5
    waiting = await services.duels.inviting.prepare_rematch(ANN, game.duel.id)
    assert waiting is None
    assert (await services.duels.inviting.rematch(ANN, game.duel.id, "0123")).calls
    # What was never played has no rematch, but another challenge.
    other = await duel(services, by=CAT, to=DAN)
    await decline(services, other, DAN)
    assert await ask_all_by(services, DAN)
    with pytest.raises(AskedTooOftenError):
        await services.duels.inviting.rematch(DAN, other.duel.id)


async def ask_all_by(services: Services, player: int) -> int:
    """Let a player ask one member after another until there may be no more; how many that were."""
    made = 0
    with suppress(AskedTooOftenError):
        for member in MEMBERS:
            await take_back(services, await duel(services, by=player, to=member), player)
            made += 1
    return made


# Who wants to be asked.


async def close(services: Services) -> None:
    await services.preferences.set_no_challenges(BEN, on=True)


async def block(services: Services) -> None:
    await services.blocking.block(BEN, ANN)


@pytest.mark.parametrize("do", [close, block])
async def test_a_player_who_takes_no_challenges_gets_none(
    services: Services, do: Callable[[Services], Awaitable[None]]
) -> None:
    game = await playing(services)
    await services.duels.playing.resign(ANN, game.duel.id)
    await do(services)
    refusals: list[NotWantedError] = []
    for asking in (
        duel(services),
        invite(services),
        services.duels.inviting.rematch(ANN, game.duel.id, "0123"),
        services.duels.inviting.prepare_rematch(ANN, game.duel.id),
    ):
        with pytest.raises(NotWantedError) as refused:
            await asking
        refusals.append(refused.value)
    assert {vars(error)["player_id"] for error in refusals} == {BEN}
    # Ben himself may ask, and be accepted.
    again = await services.duels.inviting.rematch(BEN, game.duel.id, "0123")
    assert (
        await services.duels.inviting.accept(ANN, again.duel.id, *NOW)
    ).duel.state is State.SETTING


async def test_blocking_a_player_declines_all_challenges_from_them(services: Services) -> None:
    taken = await accepted(services)
    first, second, other = await duel(services), await duel(services), await invite(services)
    cats = await duel(services, by=CAT, to=BEN)
    await services.blocking.block(BEN, ANN)
    await services.blocking.block(BEN, ANN)  # a second click
    duels = services.duels.playing
    assert [
        (await duels.view(BEN, game.duel.id)).duel.state for game in (first, second, taken, cats)
    ] == [
        State.OVER,
        State.OVER,
        State.SETTING,
        State.INVITED,
    ]
    with pytest.raises(NotWantedError):
        await invite(services)
    assert (await services.mastermind.challenges.look(BEN, other.game.id)).game.ending == "declined"
    await duel(services, by=DAN, to=BEN)


async def test_blocked_players_are_listed_and_can_be_unblocked(
    services: Services, clock: FakeClock
) -> None:
    await services.blocking.block(BEN, ANN)
    clock.advance(minutes=1)
    await services.blocking.block(BEN, CAT)
    listed = await services.blocking.blocked(BEN)
    assert [(one.player_id, one.since) for one in listed] == [
        (CAT, clock.now()),
        (ANN, clock.now() - timedelta(minutes=1)),
    ]
    assert (await services.preferences.view(BEN)).blocked == 2
    assert await services.blocking.blocked(ANN) == []
    await services.blocking.unblock(BEN, ANN)
    await services.blocking.unblock(BEN, ANN)
    await duel(services)
    with pytest.raises(NotWantedError):
        await duel(services, by=CAT, to=BEN)


async def test_a_player_cannot_block_themselves(services: Services) -> None:
    await services.blocking.block(BEN, BEN)
    assert await services.blocking.blocked(BEN) == []


async def test_a_block_is_part_of_the_blocking_players_data_alone(services: Services) -> None:
    await duel(services)
    await services.blocking.block(BEN, ANN)

    async def export(player: int) -> str:
        return (await services.privacy.players.export(player)).content.decode()

    assert [row["blocked_id"] for row in json.loads(await export(BEN))["blocked_players"]] == [
        str(ANN)
    ]
    assert json.loads(await export(ANN))["blocked_players"] == []
    # Who is refused gets no way round it by deleting their data.
    await services.privacy.players.delete(ANN, "DELETE")
    with pytest.raises(NotWantedError):
        await duel(services)
    assert str(ANN) in await export(BEN)
    await services.privacy.players.delete(BEN, "DELETE")
    await duel(services)
    # Where nothing at all may be kept, the host can have that go, too.
    await services.blocking.block(CAT, ANN)
    await services.blocking.block(CAT, DAN)
    await services.privacy.players.delete(ANN, "DELETE", keeps=False)
    assert [one.player_id for one in await services.blocking.blocked(CAT)] == [DAN]


# Whatever two players do: the rules, followed step by step.


class Follower:
    """Follows two players as somebody would who only watches: no look at what is stored."""

    def __init__(self) -> None:
        self.asked: dict[int, list[datetime]] = {ANN: [], BEN: []}
        self.barred: dict[int, datetime] = {}

    def may_ask(self, who: int, now: datetime) -> bool:
        lately = [at for at in self.asked[who] if at + HOUR > now]
        return len(lately) < 3 and self.barred.get(who, now) <= now

    def sees(self, who: int, act: str, now: datetime) -> None:
        """Note what became of an invitation, or that there is one."""
        if act == "ask":
            self.asked[who].append(now)
        elif act == "decline":
            self.barred[who] = now + HOUR
        elif act == "accept":
            self.asked = {ANN: [], BEN: []}
            self.barred = {}


STEPS = st.lists(
    st.tuples(
        st.sampled_from([ANN, BEN]),
        st.sampled_from(["ask", "ask", "ask", "accept", "decline", "withdraw"]),
        st.sampled_from([1, 1, 400, 1300, 3500]),
    ),
    min_size=4,
    max_size=14,
)


@pytest.mark.long
def test_challenges_between_two_players_are_refused_exactly_as_a_model_predicts(
    database_url: str, clock: FakeClock
) -> None:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        services = runner.run(stack.enter_async_context(open_services(database_url, clock)))
        numbers = count(1, 100)
        answers: list[bool] = []

        @examples(40, 160, derandomize=True)
        @given(STEPS)
        def follow(steps: list[tuple[int, str, int]]) -> None:
            runner.run(_follow(services, clock, next(numbers) * 1000, steps, answers))

        try:
            follow()
        finally:
            runner.run(stack.aclose())
    assert min(answers.count(True), answers.count(False)) > either(5, 20)


async def _follow(
    services: Services,
    clock: FakeClock,
    first: int,
    steps: list[tuple[int, str, int]],
    answers: list[bool],
) -> None:
    follower, inviting, waiting = Follower(), services.duels.inviting, list[DuelView]()
    for who, act, seconds in steps:
        clock.advance(seconds=seconds)
        if act == "ask":
            may = follower.may_ask(who, clock.now())
            try:
                game = await invited(services, by=first + who, to=first + ANN + BEN - who)
            except TooManyDuelsOfPairError:  # another limit, which comes first
                continue
            except AskedTooSoonError:
                assert not may
                answers.append(False)
                continue
            assert may
            answers.append(True)
            waiting.append(game)
            follower.sees(who, act, clock.now())
        elif waiting:
            game = waiting.pop()
            by = (game.duel.challenger_id or 0) - first
            player = game.duel.challenger_id if act == "withdraw" else game.duel.opponent_id
            with suppress(DuelOverError):  # it has lapsed
                terms = DAY if act == "accept" else ()
                await getattr(inviting, act)(player, game.duel.id, *terms)
                follower.sees(by, act, clock.now())
            if act == "accept":
                with suppress(DuelOverError):
                    await services.duels.playing.call_off(game.duel.opponent_id or 0, game.duel.id)

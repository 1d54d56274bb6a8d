"""Whole duels in both modes: challenges, secrets, turns, ends."""

import asyncio
import logging
from collections.abc import Coroutine
from itertools import count
from pathlib import Path

import pytest

from bot.duels.challenges import Challenge
from bot.duels.model import (
    PLAYED,
    TRANSITIONS,
    AlreadyUnderWayError,
    Cause,
    DuelGoesOnError,
    DuelOverError,
    DuelRefusedError,
    DuelStateError,
    DuelView,
    Ending,
    Event,
    HasBegunError,
    NoDrawOfferedError,
    NoDrawWithBotError,
    NoSuchDuelError,
    NotAcceptedYetError,
    NotBegunError,
    NotChallengedError,
    NotChallengerError,
    NotYourDuelError,
    NumberRefusedError,
    OtherBotDuelError,
    SecretFixedError,
    SecretMissingError,
    SelfDuelError,
    State,
    TooManyDuelsError,
    TooManyDuelsOfPairError,
    WrongDigitsError,
    permits,
)
from bot.duels.position import DuelOptions
from bot.services import Services
from engine import GameOverError, Mode, NotationError, NotYourTurnError, RepeatedGuessError, Score
from tests.support.clock import NOON, FakeClock
from tests.support.duels import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    CLASSIC,
    DAN,
    EQUAL,
    GUILD,
    SECRETS,
    against_bot,
    ids,
    invited,
    number_of,
    playing,
    tells,
    win,
    wrong,
)
from tests.support.sql import sql


def test_the_transitions_of_a_duel_lead_from_a_challenge_to_every_ending() -> None:
    reached = {State.INVITED, State.SETTING}  # as a challenge, or with the bot
    for _ in State:
        reached |= {t.to for (state, _), t in TRANSITIONS.items() if state in reached}
    assert reached == set(State)
    assert {t.ending for t in TRANSITIONS.values()} == {None, *Ending}
    for (state, event), transition in TRANSITIONS.items():
        ends = transition.to is State.OVER and event is not Event.REMATCH
        assert (transition.ending is not None) == ends, (state, event)
    for state in (State.INVITED, State.PLAYING):
        assert TRANSITIONS[state, Event.DEADLINE].cause is Cause.RULES
        assert not permits(state, Event.DEADLINE, is_challenger=True)
    not_played = {Ending.LAPSED, Ending.DECLINED, Ending.WITHDRAWN}
    assert set(PLAYED) == set(Ending) - not_played
    assert permits(State.INVITED, Event.WITHDRAW, is_challenger=True)
    assert not permits(State.INVITED, Event.WITHDRAW, is_challenger=False)


async def test_a_duel_runs_from_the_challenge_to_the_win(services: Services) -> None:
    inviting, play = services.duels.inviting, services.duels.playing
    game = await invited(services)
    assert (game.duel.state, game.duel.challenger_id, game.duel.opponent_id) == (
        State.INVITED,
        ANN,
        BEN,
    )
    assert (game.duel.rules.digits, game.duel.rules.repeats, game.duel.rules.max_guesses) == (
        4,
        False,
        30,
    )
    assert (game.duel.mode, game.friendly, game.duel.strength, game.duel.terms) == (
        Mode.EQUAL_TURNS,
        None,
        None,
        0,
    )
    assert (game.duel.guild_id, game.duel.channel_id, game.duel.message_id) == (
        GUILD,
        CHANNEL,
        None,
    )
    assert (await play.published(game.duel.id, 77, 88))[0].duel.channel_id == 88
    game = await inviting.accept(BEN, game.duel.id, 0, "4567")
    assert (game.duel.state, game.duel.to_move, game.duel.message_id) == (State.PLAYING, 0, 77)
    first, second = ids(game)
    game = await play.guess(first, game.duel.id, SECRETS[first])  # the own number is as good as any
    assert (game.duel.to_move, game.seats[0].turns[0].feedback) == (1, Score(0, 0))
    game = await play.guess(second, game.duel.id, wrong(0))
    game = await play.guess(first, game.duel.id, SECRETS[second])
    assert (game.duel.state, game.duel.to_move, game.seats[0].found) == (State.PLAYING, 1, True)
    assert [seat.target for seat in game.seats] == [None, None]
    game = await play.guess(second, game.duel.id, wrong(1))
    assert (game.duel.state, game.duel.ending, game.duel.winner) == (State.OVER, Ending.SOLVED, 0)
    assert [seat.target for seat in game.seats] == [SECRETS[second], SECRETS[first]]
    assert [seat.found for seat in game.seats] == [True, False]
    assert (game.deadline_at, game.duel.to_move, game.duel.finished_at) == (None, None, NOON)
    assert game.head_to_head is not None
    assert (game.head_to_head.won, game.head_to_head.drawn, game.head_to_head.lost) == (1, 0, 0)
    assert await play.view(CAT, game.duel.id) == game
    assert await services.duels.games.open_of(ANN) == []


async def test_a_duel_is_a_draw_after_thirty_rounds(services: Services, tmp_path: Path) -> None:
    game = await playing(services)
    number = number_of(tmp_path, game.duel.id)
    at = f"{NOON:%F %T}.000000"
    moves = ", ".join(
        f"({game.duel.id}, {2 * turn + seat}, {seat}, {turn}, '{wrong(turn, number)}', '{at}')"
        for turn in range(29)
        for seat in (0, 1)
    )
    sql(tmp_path, f"INSERT INTO duel_moves VALUES {moves}")
    for player in ids(game):
        assert game.duel.ending is None
        game = await services.duels.playing.guess(player, game.duel.id, wrong(29, number))
    assert (game.duel.ending, game.duel.winner) == (Ending.OUT_OF_GUESSES, None)
    assert [seat.guesses for seat in game.seats] == [30, 30]


async def test_a_refused_guess_in_a_duel_names_its_reason_and_spends_no_guess(
    services: Services,
) -> None:
    play = services.duels.playing
    game = await playing(services)
    first, second = ids(game)
    with pytest.raises(DuelRefusedError) as refused:
        await play.guess(second, game.duel.id, SECRETS[first])
    assert isinstance(refused.value.cause, NotYourTurnError)
    assert (refused.value.text, refused.value.view) == (SECRETS[first], game)
    for text in ("", "123", "1123", "12a4"):
        with pytest.raises(DuelRefusedError) as refused:
            await play.guess(first, game.duel.id, text)
        assert isinstance(refused.value.cause, NotationError)
    await play.guess(first, game.duel.id, wrong(0))
    await play.guess(second, game.duel.id, wrong(0))
    with pytest.raises(DuelRefusedError) as refused:
        await play.guess(first, game.duel.id, wrong(0))
    assert isinstance(refused.value.cause, RepeatedGuessError)
    assert refused.value.view.duel.to_move == 0
    game = await win(play, refused.value.view, second)
    with pytest.raises(DuelRefusedError) as refused:
        await play.guess(first, game.duel.id, wrong(9))
    assert isinstance(refused.value.cause, GameOverError)
    assert refused.value.view == game


async def test_moves_that_do_not_fit_the_state_of_a_duel_are_refused(services: Services) -> None:
    inviting, play = services.duels.inviting, services.duels.playing
    game = await invited(services)
    early = [
        play.set_secret(ANN, game.duel.id, "0123"),
        play.guess(ANN, game.duel.id, "0123"),
        play.offer_draw(ANN, game.duel.id),
        play.accept_draw(ANN, game.duel.id),
        play.call_off(BEN, game.duel.id),
        play.resign(BEN, game.duel.id),
        play.prepare_to_stop(BEN, game.duel.id),
    ]
    for attempt in early:
        with pytest.raises(NotAcceptedYetError) as refused:
            await attempt
        assert refused.value.view == game
    with pytest.raises(DuelGoesOnError):
        await inviting.rematch(ANN, game.duel.id)
    await inviting.accept(BEN, game.duel.id, 0, "4567")
    for attempt in (inviting.decline(BEN, game.duel.id), inviting.withdraw(ANN, game.duel.id)):
        with pytest.raises(AlreadyUnderWayError):
            await attempt
    with pytest.raises(SecretFixedError):
        await play.set_secret(ANN, game.duel.id, "0124")
    for attempt in (play.accept_draw(ANN, game.duel.id), play.decline_draw(ANN, game.duel.id)):
        with pytest.raises(NoDrawOfferedError):
            await attempt
    await play.resign(ANN, game.duel.id)
    late = [
        inviting.accept(BEN, game.duel.id, 0, "4567"),
        inviting.decline(BEN, game.duel.id),
        inviting.withdraw(ANN, game.duel.id),
        play.set_secret(ANN, game.duel.id, "0123"),
        play.offer_draw(ANN, game.duel.id),
        play.accept_draw(ANN, game.duel.id),
        play.decline_draw(ANN, game.duel.id),
        play.call_off(BEN, game.duel.id),
        play.resign(BEN, game.duel.id),
    ]
    for attempt in late:
        with pytest.raises(DuelOverError):
            await attempt


async def test_a_duel_with_the_bot_begins_when_the_player_sets_a_number(services: Services) -> None:
    inviting, play = services.duels.inviting, services.duels.playing
    game = await inviting.challenge(Challenge(ANN, None), EQUAL)
    for attempt in (play.guess(ANN, game.duel.id, "0123"), play.offer_draw(ANN, game.duel.id)):
        with pytest.raises(SecretMissingError):
            await attempt
    with pytest.raises(NotBegunError):
        await play.resign(ANN, game.duel.id)
    with pytest.raises(NumberRefusedError) as unreadable:
        await play.set_secret(ANN, game.duel.id, "0012")
    assert unreadable.value.text == "0012"
    assert (await play.set_secret(ANN, game.duel.id, " 0123 ")).duel.state is State.PLAYING
    assert (await play.set_secret(ANN, game.duel.id, "0123")).duel.state is State.PLAYING
    with pytest.raises(SecretFixedError):
        await play.set_secret(ANN, game.duel.id, "0124")
    unset = await inviting.challenge(Challenge(ANN, None), EQUAL)
    over = await play.call_off(ANN, unset.duel.id)
    assert (over.duel.ending, over.duel.playing_at) == (Ending.WITHDRAWN, None)


async def test_strangers_cannot_change_a_duel(services: Services, clock: FakeClock) -> None:
    inviting, play = services.duels.inviting, services.duels.playing
    game = await invited(services)
    for player in (ANN, CAT):
        for attempt in (
            inviting.accept(player, game.duel.id, 0, "4567"),
            inviting.decline(player, game.duel.id),
        ):
            with pytest.raises(NotChallengedError) as refused:
                await attempt
            assert refused.value.player_id == BEN
    for player in (BEN, CAT):
        with pytest.raises(NotChallengerError) as not_challenger:
            await inviting.withdraw(player, game.duel.id)
        assert not_challenger.value.player_id == ANN
    clock.advance(hours=24)
    for attempt in (
        play.set_secret(CAT, game.duel.id, "0123"),
        play.guess(CAT, game.duel.id, "0123"),
        play.offer_draw(CAT, game.duel.id),
        play.call_off(CAT, game.duel.id),
        play.resign(CAT, game.duel.id),
        play.prepare_to_stop(CAT, game.duel.id),
        inviting.rematch(CAT, game.duel.id),
        services.duels.games.notebook(CAT, game.duel.id),
    ):
        with pytest.raises(NotYourDuelError) as others:
            await attempt
        assert set(others.value.player_ids) == {ANN, BEN}
    assert (await play.view(CAT, game.duel.id)).duel.ending is None
    assert [swept.duel.id for swept in await services.duels.games.sweep()] == [game.duel.id]
    for attempt in (
        play.view(ANN, 99),
        play.published(99, 1, 1),
        inviting.accept(BEN, 99, 0, "4567"),
    ):
        with pytest.raises(NoSuchDuelError):
            await attempt


async def test_a_second_click_changes_nothing_in_a_duel(services: Services, tmp_path: Path) -> None:
    inviting, play = services.duels.inviting, services.duels.playing
    game = await invited(services)

    async def twice(*attempts: Coroutine[None, None, DuelView]) -> DuelView:
        first, second = await asyncio.gather(*attempts)
        assert first == second
        return first

    await twice(
        inviting.accept(BEN, game.duel.id, 0, "4567"), inviting.accept(BEN, game.duel.id, 0, "4567")
    )
    first, second = ids(game)
    guesses = await asyncio.gather(
        *(play.guess(first, game.duel.id, wrong(0)) for _ in range(3)), return_exceptions=True
    )
    assert sum(isinstance(found, DuelRefusedError) for found in guesses) == 2
    await twice(*(play.offer_draw(first, game.duel.id) for _ in range(2)))
    await twice(*(play.accept_draw(second, game.duel.id) for _ in range(2)))
    assert len(sql(tmp_path, "SELECT * FROM rating_changes")) == 2
    await twice(*(inviting.rematch(player, game.duel.id, "0123") for player in (first, second)))
    other = await playing(services)
    await twice(*(play.resign(ANN, other.duel.id) for _ in range(2)))
    other = await playing(services)
    await twice(*(play.call_off(player, other.duel.id) for player in (ANN, BEN)))
    for call_off, player in ((inviting.withdraw, ANN), (inviting.decline, BEN)):
        game = await invited(services)
        game = await twice(*(call_off(player, game.duel.id) for _ in range(2)))
        assert game.head_to_head is not None
        assert (game.duel.state, [seat.change for seat in game.seats]) == (State.OVER, [None, None])


async def test_a_draw_can_be_offered_withdrawn_declined_and_accepted(services: Services) -> None:
    play = services.duels.playing
    game = await playing(services)
    first, second = ids(game)
    game = await play.offer_draw(second, game.duel.id)  # also out of turn
    assert game.duel.draw_offered_by == 1
    with pytest.raises(NoDrawOfferedError):
        await play.accept_draw(second, game.duel.id)
    game = await play.decline_draw(first, game.duel.id)
    assert (game.duel.draw_offered_by, game.duel.draw_declined_by) == (None, 0)
    with pytest.raises(NoDrawOfferedError):
        await play.decline_draw(second, game.duel.id)
    game = await play.offer_draw(second, game.duel.id)
    assert (game.duel.draw_offered_by, game.duel.draw_declined_by) == (1, None)
    game = await play.decline_draw(second, game.duel.id)  # one's own is taken back
    assert (game.duel.draw_offered_by, game.duel.draw_declined_by) == (None, None)
    await play.offer_draw(second, game.duel.id)
    await play.decline_draw(first, game.duel.id)
    for player in (first, second):
        await play.offer_draw(first, game.duel.id)
        game = await play.guess(player, game.duel.id, wrong(0))
        assert (game.duel.draw_offered_by, game.duel.draw_declined_by) == (None, None)
    with pytest.raises(NoDrawOfferedError):
        await play.accept_draw(second, game.duel.id)
    await play.offer_draw(first, game.duel.id)
    game = await play.offer_draw(second, game.duel.id)
    assert (game.duel.ending, game.duel.winner) == (Ending.DRAW_ACCEPTED, None)
    assert game.seats[0].change is not None


async def test_a_duel_can_be_called_off_until_the_first_guess_and_resigned_after_it(
    services: Services, tmp_path: Path
) -> None:
    play = services.duels.playing
    for _ in range(2):
        game = await playing(services)
        assert (await play.prepare_to_stop(ANN, game.duel.id)).duel.can_be_called_off
        over = await play.call_off(BEN, game.duel.id)
        assert (over.duel.ending, over.duel.winner, over.duel.playing_at) == (
            Ending.WITHDRAWN,
            None,
            None,
        )
        assert await play.call_off(ANN, game.duel.id) == over  # whoever was second has done it, too
        # Numbers that nobody has tried to find may be set again.
        assert [seat.target for seat in over.seats] == [None, None]
        assert [seat.commitment for seat in over.seats] == [None, None]
        assert over.seats[0].change is None
    assert sql(tmp_path, "SELECT * FROM rating_changes") == []
    game = await playing(services)
    game = await play.guess(ids(game)[0], game.duel.id, wrong(0))
    for player in (ANN, BEN):
        with pytest.raises(HasBegunError) as begun:
            await play.call_off(player, game.duel.id)
        assert begun.value.view == game
    game = await play.resign(ids(game)[1], game.duel.id)
    assert (game.duel.ending, game.duel.winner) == (Ending.RESIGNED, 0)
    assert [seat.target for seat in game.seats] == [SECRETS[ids(game)[1]], SECRETS[ids(game)[0]]]


async def test_the_second_mover_of_a_duel_moves_first_in_the_rematch(
    services: Services, clock: FakeClock
) -> None:
    options = DuelOptions(digits=5, repeats=True, mode=Mode.CLASSIC)
    game = await playing(services, options)
    game = await services.duels.playing.resign(ANN, game.duel.id)
    with pytest.raises(NumberRefusedError):
        await services.duels.inviting.rematch(BEN, game.duel.id, "1234")
    again = await services.duels.inviting.rematch(BEN, game.duel.id, "11223")
    assert (again.duel.state, again.duel.challenger_id, again.duel.opponent_id) == (
        State.INVITED,
        BEN,
        ANN,
    )
    assert ids(again) == ids(game)[::-1]
    same = ("rules", "mode", "rated", "strength", "guild_id", "channel_id")
    one, other = game.duel, again.duel
    assert [getattr(other, name) for name in same] == [getattr(one, name) for name in same]
    assert (again.duel.rematch_of, again.duel.message_id) == (game.duel.id, None)
    assert await services.duels.inviting.rematch(ANN, game.duel.id, "44556") == again
    await services.duels.inviting.decline(ANN, again.duel.id)
    another = await services.duels.inviting.rematch(ANN, game.duel.id, "44556")
    assert (another.duel.id != again.duel.id, another.duel.challenger_id) == (True, ANN)
    assert ids(another) == ids(again)
    clock.advance(days=1)
    third = await services.duels.inviting.rematch(BEN, game.duel.id, "11223")
    assert third.duel.id != another.duel.id
    # Nobody looked at that challenge, so it is the sweep that shows its end.
    assert [swept.duel.id for swept in await services.duels.games.sweep()] == [another.duel.id]


async def test_an_unplayed_rematch_does_not_change_who_moves_first_next(
    services: Services, clock: FakeClock
) -> None:
    inviting, play = services.duels.inviting, services.duels.playing
    game = await playing(services)
    game = await play.resign(ANN, game.duel.id)
    declined = await inviting.rematch(BEN, game.duel.id, "4567")
    await inviting.decline(ANN, declined.duel.id)
    again = await inviting.rematch(ANN, declined.duel.id, "0123")
    assert ids(again) == ids(declined) == ids(game)[::-1]
    await inviting.accept(BEN, again.duel.id, 0, "4567")
    await play.call_off(BEN, again.duel.id)
    clock.advance(hours=1)  # after a decline
    assert ids(await inviting.rematch(BEN, again.duel.id, "4567")) == ids(declined)


async def test_the_first_mover_is_chosen_at_random(services: Services) -> None:
    movers: set[bool] = set()
    for challenger in count(1000):
        movers.add(ids(await invited(services, by=challenger))[0] == BEN)
        if movers == {True, False}:
            break
        assert challenger < 1060


async def test_a_challenge_with_a_forbidden_opponent_or_forbidden_terms_is_refused(
    services: Services, clock: FakeClock
) -> None:
    inviting, play = services.duels.inviting, services.duels.playing
    for challenge, options, error in (
        (Challenge(ANN, ANN), EQUAL, SelfDuelError),
        (Challenge(ANN, 99, to_other_bot=True), EQUAL, OtherBotDuelError),
        (Challenge(ANN, BEN), DuelOptions(digits=2), WrongDigitsError),
        (Challenge(ANN, BEN), DuelOptions(digits=7), WrongDigitsError),
    ):
        with pytest.raises(error):
            await inviting.challenge(challenge, options, "0123")
    for challenge, digits, error in (
        (Challenge(ANN, ANN), None, SelfDuelError),
        (Challenge(ANN, 99, to_other_bot=True), None, OtherBotDuelError),
        (Challenge(ANN, BEN), 7, WrongDigitsError),
    ):
        with pytest.raises(error):
            await inviting.prepare(challenge, digits)
    await invited(services)
    await invited(services, by=BEN, to=ANN)
    third = await invited(services)
    for by, to in ((ANN, BEN), (BEN, ANN)):
        with pytest.raises(TooManyDuelsOfPairError) as pair:
            await invited(services, by=by, to=to)
        assert (pair.value.player_id, pair.value.duels) == (to, 3)
    await inviting.withdraw(ANN, third.duel.id)
    await invited(services)
    terms = DuelOptions(friendly=True)
    others = [await playing(services, terms, by=other, to=ANN) for other in range(100, 108)]
    with pytest.raises(TooManyDuelsError) as many:
        await inviting.prepare(Challenge(ANN, DAN))
    assert many.value.duels == 10
    bots = [await against_bot(services) for _ in range(10)]  # these keep nobody from the others
    with pytest.raises(TooManyDuelsError):
        await inviting.challenge(Challenge(ANN, None), EQUAL)
    await play.resign(ANN, bots[0].duel.id)
    await inviting.challenge(Challenge(ANN, None), EQUAL)
    waiting = await invited(services, EQUAL, by=DAN, to=ANN)  # which is none of hers yet
    with pytest.raises(TooManyDuelsError):
        await inviting.accept(ANN, waiting.duel.id, 0, "4567")
    await play.call_off(ANN, others[0].duel.id)
    await inviting.accept(ANN, waiting.duel.id, 0, "4567")
    with pytest.raises(TooManyDuelsError):
        await invited(services, to=DAN)
    clock.advance(days=1)  # nothing was swept, and yet there is room
    await invited(services)


async def test_an_open_duel_is_listed_for_both_players(
    services: Services, clock: FakeClock
) -> None:
    first = await invited(services, EQUAL)
    clock.advance(seconds=1)
    second = await playing(services, EQUAL)
    assert [game.duel.id for game in await services.duels.games.open_of(BEN)] == [
        second.duel.id,
        first.duel.id,
    ]
    clock.advance(seconds=1)
    await services.duels.inviting.accept(BEN, first.duel.id, 0, "4567")
    assert [game.duel.id for game in await services.duels.games.open_of(ANN)] == [
        first.duel.id,
        second.duel.id,
    ]
    assert await services.duels.games.open_of(CAT) == []
    clock.advance(days=1)
    assert await services.duels.games.open_of(ANN) == []


async def test_no_log_and_no_returned_object_reveals_a_secret(
    services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "bot")
    play, games = services.duels.playing, services.duels.games
    seen: list[object] = []
    for options in (EQUAL, CLASSIC):
        game = await playing(services, options)
        seen.append(game)
        for turn, player in enumerate(ids(game)):
            seen.append(await play.guess(player, game.duel.id, wrong(turn)))
            seen.append(await games.notebook(player, game.duel.id))
            for attempt in (
                play.guess(player, game.duel.id, "x"),
                play.set_secret(CAT, game.duel.id, "0"),
            ):
                with pytest.raises((DuelStateError, NotYourDuelError)) as refused:
                    await attempt
                seen += [refused.value, getattr(refused.value, "game", None)]
        seen += await games.open_of(ANN)
    for secret in (SECRETS[ANN], SECRETS[BEN]):
        assert not any(tells(repr(found), secret) for found in seen)
        assert not any(tells(message, secret) for message in caplog.messages)
    assert f"duel {game.duel.id}, classic: 2 moves, playing" in caplog.messages
    assert "duel: refused, NotYourDuelError" in caplog.messages


async def test_a_draw_cannot_be_offered_to_the_bot(services: Services) -> None:
    game = await against_bot(services)
    with pytest.raises(NoDrawWithBotError):
        await services.duels.playing.offer_draw(ANN, game.duel.id)

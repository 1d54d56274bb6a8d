"""Hints during a game: what they show, how many, what they cost, and where there are none."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.coach.model import FirstHintError, HintOverError
from bot.focdle.model import GuessRefusedError, NotYourPlayError, Play
from bot.games.model import Hint, history_of, points_for, shown_by
from bot.mastermind.model import NoSuchGameError, NotYourGameError
from bot.people.model import Asking
from bot.services import Services
from engine import ContradictionError, Mark, Shown
from tests.engine.test_draw import shortest
from tests.support.clock import FakeClock
from tests.support.masterminds import ANN, BEN, GUILD, SMALL, challenge, secret_of, wrong_codes
from tests.support.table import SECRET

pytestmark = pytest.mark.usefixtures("keys_watched")

OTHER = "65%43-21=1"
NEAR = ("66%65%72=2", "76%65%72=1")
"""Two guesses that have all places of the secret right between them."""


async def begun(services: Services) -> Play:
    play = await services.practice.open(ANN, None, 7)
    wrong = next(code for code in shortest() if code != play.game.secret)
    return await services.daily.guess(ANN, play.id, wrong)


async def hint(services: Services, play: Play) -> Play:
    turns, taken = len(play.game.turns), len(play.hints)
    return await services.coach.hints.of_play(play.player_id, play.id, turns, taken)


def green(play: Play) -> set[int]:
    """The places that some guess has right."""
    marks = [turn.feedback for turn in play.game.turns]
    return {place for row in marks for place, mark in enumerate(row) if mark is Mark.CORRECT}


async def test_a_hint_shows_the_leftmost_symbol_that_is_neither_green_nor_shown(
    services: Services,
) -> None:
    play = await begun(services)
    hidden = [place for place in range(7) if place not in green(play)]
    first, second = (Shown(place, play.game.secret[place]) for place in hidden[:2])
    play = await hint(services, play)
    assert shown_by(play.hints) == (first,)
    play = await hint(services, play)
    assert shown_by(play.hints) == (first, second)
    assert (await services.daily.view(ANN, play.id)).hints == play.hints
    assert history_of(play.game.turns, play.hints) == (*play.game.turns, first, second)


async def test_no_hint_is_offered_before_the_first_guess(services: Services) -> None:
    play = await hint(services, await services.practice.open(ANN, None, 7))
    assert (play.hints, play.next_hint) == ((), None)


async def test_no_hint_is_offered_in_hard_mode(services: Services) -> None:
    await services.preferences.set_hard_mode(ANN, on=True)
    play = await hint(services, await begun(services))
    assert (play.rules.hard, play.hints, play.next_hint) == (True, (), None)


async def test_no_hint_is_offered_once_every_place_is_known(services: Services) -> None:
    play = await services.daily.open(ANN, GUILD)
    for guess in NEAR:
        play = await services.daily.guess(ANN, play.id, guess, as_probe=True)
    assert green(play) == set(range(10))
    assert (await hint(services, play)).hints == ()


async def test_a_board_from_an_earlier_turn_takes_no_hint(services: Services) -> None:
    before = await begun(services)
    play = await hint(services, before)
    assert (await hint(services, before)).hints == play.hints  # another hint was taken meanwhile
    wrong = [code for code in shortest() if code != play.game.secret][1]
    await services.daily.guess(ANN, play.id, wrong)
    after = await hint(services, play)
    assert (after.hints, len(after.game.turns)) == (play.hints, 2)


async def test_a_finished_game_and_a_strangers_game_give_no_hint(services: Services) -> None:
    play = await begun(services)
    with pytest.raises(NotYourPlayError):
        await services.coach.hints.of_play(BEN, play.id, 1, 0)
    play = await services.daily.guess(ANN, play.id, play.game.secret)
    with pytest.raises(HintOverError):
        await hint(services, play)


async def test_a_player_who_wants_warnings_is_warned_of_a_guess_that_contradicts_a_hint(
    services: Services,
) -> None:
    await services.preferences.set_asking(ANN, Asking.IMPOSSIBLE)
    play = await services.daily.open(ANN, GUILD, guess=OTHER)
    play = await hint(services, play)
    (shown,) = shown_by(play.hints)
    guess = "98-76+5=27"
    assert guess[shown.place] != shown.symbol
    with pytest.raises(GuessRefusedError) as refused:
        await services.daily.guess(ANN, play.id, guess)
    assert isinstance(refused.value.cause, ContradictionError)


@pytest.mark.parametrize(
    ("guesses", "hints", "points"), [(1, 0, 6), (1, 1, 5), (3, 2, 2), (6, 0, 1), (6, 2, 0)]
)
def test_a_hint_costs_a_point_down_to_none(guesses: int, hints: int, points: int) -> None:
    for solved in (True, False):
        found = points_for(solved=solved, guesses=guesses, hints=hints)
        assert found == (points if solved else 0)


async def test_a_hint_costs_the_last_point_of_a_daily(services: Services) -> None:
    play = await services.daily.open(ANN, GUILD, guess=OTHER)
    for value in range(81, 85):
        play = await services.daily.guess(ANN, play.id, f"{value}-76+5={value - 71}")
    assert len(play.game.turns) == 5
    assert play.is_hint_priced
    play = await hint(services, play)
    play = await services.daily.guess(ANN, play.id, SECRET)
    assert (play.on_date, play.points) == (True, 0)
    assert (await services.statistics.of(ANN, viewer_id=ANN)).points == 0


async def test_a_hint_costs_a_point_until_half_an_hour_after_the_date(
    services: Services, clock: FakeClock
) -> None:
    play = await services.daily.open(ANN, GUILD, guess=OTHER)
    assert play.is_hint_priced
    clock.advance(hours=24 - clock.now().hour, minutes=-clock.now().minute)
    play = await services.daily.view(ANN, play.id)
    assert (play.is_today, play.is_hint_priced) == (False, True)  # half an hour's grace
    clock.advance(minutes=31)
    assert not (await services.daily.view(ANN, play.id)).is_hint_priced
    assert not (await begun(services)).is_hint_priced


async def test_only_a_players_first_hint_that_costs_a_point_is_asked_about(
    services: Services,
) -> None:
    take = services.coach.hints.of_play
    practice = await begun(services)
    assert (await take(ANN, practice.id, 1, 0, asks=True)).hints
    daily = await services.daily.open(ANN, GUILD)
    daily = await services.daily.guess(ANN, daily.id, OTHER)
    with pytest.raises(FirstHintError):
        await take(ANN, daily.id, 1, 0, asks=True)
    assert (await services.daily.view(ANN, daily.id)).hints == ()
    await take(ANN, daily.id, 1, 0)
    assert len((await take(ANN, daily.id, 1, 1, asks=True)).hints) == 2


class TestMastermind:
    async def test_only_the_first_hint_is_asked_about(
        self, services: Services, tmp_path: Path
    ) -> None:
        solo, take = services.mastermind.solo, services.coach.hints.of_mastermind
        game = await solo.open(ANN, SMALL)
        wrong = wrong_codes(game.rules, secret_of(tmp_path, game.id))[0]
        await solo.guess(ANN, game.id, wrong)
        with pytest.raises(FirstHintError):
            await take(ANN, game.id, 1, 0, asks=True)
        assert (await take(ANN, game.id, 1, 0)).hints
        assert len((await take(ANN, game.id, 1, 1, asks=True)).hints) == 2

    async def test_a_mastermind_against_the_bot_has_hints(
        self, services: Services, clock: FakeClock, tmp_path: Path
    ) -> None:
        game = await services.mastermind.solo.open(ANN, SMALL)
        secret = secret_of(tmp_path, game.id)
        assert not game.may_hint
        await services.mastermind.solo.guess(ANN, game.id, wrong_codes(game.rules, secret)[0])
        game = await services.mastermind.solo.put(ANN, game.id, "R")
        clock.advance(hours=1)
        take = services.coach.hints.of_mastermind
        game, other = await asyncio.gather(*(take(ANN, game.id, 1, 0) for _ in range(2)))
        assert game.hints == other.hints == (Hint(1, 0, secret[0]),)
        assert game.pending == "R"
        assert game.deadline_at == clock.now() + timedelta(days=7, hours=-1)  # as of the guess
        game = await take(ANN, game.id, 1, 1)
        assert shown_by(game.hints) == (Shown(0, secret[0]), Shown(1, secret[1]))
        game = await take(ANN, game.id, 1, 2)
        assert (len(game.hints), game.may_hint) == (2, False)
        with pytest.raises(NotYourGameError):
            await take(BEN, game.id, 1, 2)
        game = await services.mastermind.solo.surrender(ANN, game.id)
        with pytest.raises(HintOverError):
            await take(ANN, game.id, 1, 2)

    async def test_a_challenge_offers_no_hints(self, services: Services) -> None:
        game = await challenge(services)
        for player in (ANN, BEN):
            with pytest.raises(NoSuchGameError):
                await services.coach.hints.of_mastermind(player, game.id, 0, 0)

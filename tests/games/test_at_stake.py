"""What the bot breaks for a player beside a game that counts: nothing like it."""

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from itertools import product
from typing import Any

import pytest

from bot.duels.challenges import Challenge
from bot.duels.model import Event, State
from bot.duels.position import DuelOptions
from bot.focdle.model import Play
from bot.games.game import is_alike
from bot.games.model import Channel, GameName, Source
from bot.mastermind.game import Setting
from bot.mastermind.model import Ending, Question
from bot.refused import RankedGameError, RatedDuelError, UnfinishedDailyError
from bot.services import Services
from engine import BullsAndCows, CodeGame, Mastermind, Score
from tests.support.clock import FakeClock
from tests.support.coach import reviewed
from tests.support.duels import ANN, BEN, CAT, CLASSIC, against_bot, invited, playing
from tests.support.effort import either
from tests.support.masterminds import asked, challenge
from tests.support.table import SECRET

pytestmark = pytest.mark.usefixtures("keys_watched")

NUMBERS = BullsAndCows()
DIGITS = Setting(pegs=4, colours=10, repeats=False)
CODE = "ROYG"


@pytest.mark.parametrize(
    ("solver", "game", "alike"),
    [
        (Mastermind(pegs=4, colours=10, repeats=False), NUMBERS, True),
        (Mastermind(pegs=4, colours=10, repeats=True), NUMBERS, True),
        (
            Mastermind(pegs=4, colours=9, repeats=False),
            NUMBERS,
            True,
        ),  # in three numbers of five no 9
        (Mastermind(pegs=4, colours=7, repeats=False), NUMBERS, False),
        (Mastermind(pegs=5, colours=10, repeats=False), NUMBERS, False),
        (Mastermind(pegs=3, colours=10, repeats=False), NUMBERS, False),
        (Mastermind(pegs=4, colours=6, repeats=True), NUMBERS, False),  # as `/mastermind defend` is
        (
            Mastermind(pegs=4, colours=10, repeats=False),
            BullsAndCows(4, repeats=True),
            True,
        ),  # one in two
        (BullsAndCows(4, repeats=True), Mastermind(pegs=4, colours=6), True),
        (NUMBERS, Mastermind(pegs=4, colours=6), False),
        (
            Mastermind(pegs=4, colours=6, repeats=True, max_guesses=6),
            Mastermind(pegs=4, colours=6),
            True,
        ),  # whatever the guesses
        (Mastermind(pegs=4, colours=6, repeats=False), Mastermind(pegs=4, colours=6), False),
        (Mastermind(pegs=6, colours=4), Mastermind(pegs=4, colours=6), False),
    ],
)
def test_games_are_similar_whatever_their_symbols_are_called(
    solver: CodeGame, game: CodeGame, *, alike: bool
) -> None:
    assert is_alike(solver, game) == alike


@pytest.mark.parametrize(
    "game", [BullsAndCows(3), BullsAndCows(3, repeats=True), Mastermind(pegs=3, colours=6)]
)
def test_games_are_similar_exactly_if_a_solver_for_one_breaks_a_third_of_the_others_codes(
    game: CodeGame,
) -> None:
    codes = {*game.codes()}
    for colours in range(4, 11):
        for repeats in (False, True):
            solver = Mastermind(pegs=3, colours=colours, repeats=repeats)
            names = dict(zip(solver.alphabet, game.alphabet, strict=False))
            broken = {
                "".join(names[symbol] for symbol in code)
                for code in solver.codes()
                if set(code) <= set(names)
            }
            assert is_alike(solver, game) == (3 * len(codes & broken) >= len(codes))


Way = Callable[[Services, int], Coroutine[Any, Any, object]]


async def defend(services: Services, player: int) -> object:
    return await services.mastermind.defence.open(player, DIGITS)


async def defend_more(services: Services, player: int) -> object:
    return await services.mastermind.defence.open(player, Setting(pegs=4, colours=10))


async def defend_sealed(services: Services, player: int) -> object:
    defence = services.mastermind.defence
    return await defence.step(player, (await defence.open_sealed(player, DIGITS, CODE)).game.id, 0)


async def hunt(services: Services, player: int) -> object:
    return await services.duels.defending.open(player, DuelOptions())


async def hunt_more(services: Services, player: int) -> object:
    return await services.duels.defending.open(player, DuelOptions(repeats=True))


async def hunt_from_before(services: Services, player: int) -> object:
    return await services.duels.defending.view(player, NUMBERS, 1, [Score(0, 1)])


async def hunt_sealed(services: Services, player: int) -> object:
    return await services.duels.defending.open_sealed(player, NUMBERS, "4325")


async def hunt_sealed_before(services: Services, player: int) -> object:
    defending = services.duels.defending
    game = await defending.open_sealed(CAT, NUMBERS, "4325")
    return await defending.step(player, NUMBERS, game.seed, game.sealed, 1)


async def play_the_bot(services: Services, player: int) -> object:
    return await against_bot(services, DuelOptions(), player)


async def ask_for_a_number(services: Services, player: int) -> object:
    game = await services.duels.inviting.challenge(Challenge(player, None), DuelOptions())
    return await services.duels.playing.prepare(player, game.duel.id, Event.SET_SECRET)


WAYS: list[Way] = [
    defend,
    defend_more,
    defend_sealed,
    hunt,
    hunt_more,
    hunt_from_before,
    hunt_sealed,
    hunt_sealed_before,
    play_the_bot,
    ask_for_a_number,
]


@pytest.mark.long
@pytest.mark.parametrize(("way", "player"), [*product(WAYS, (ANN, BEN))][:: either(3, 1)])
async def test_the_bot_breaks_no_similar_code_for_a_player_in_a_rated_duel(
    services: Services, way: Way, player: int
) -> None:
    duel = await playing(services)
    with pytest.raises(RatedDuelError) as refused:
        await way(services, player)
    other = BEN if player == ANN else ANN
    assert (refused.value.duel_id, refused.value.player_id) == (duel.duel.id, other)
    await services.duels.playing.call_off(player, duel.duel.id)
    await way(services, player)


@pytest.mark.parametrize("options", [CLASSIC, DuelOptions(friendly=True), DuelOptions(digits=5)])
async def test_an_unrated_or_different_duel_does_not_stop_a_player_from_asking_the_bot(
    services: Services, options: DuelOptions
) -> None:
    await playing(services, options)
    for way in WAYS:
        await way(services, ANN)


async def test_an_unaccepted_challenge_does_not_stop_a_player_from_asking_the_bot(
    services: Services,
) -> None:
    await invited(services)
    for way in WAYS:
        await way(services, BEN)


async def test_during_a_rated_duel_the_bot_still_breaks_numbers_that_it_drew_itself(
    services: Services,
) -> None:
    await playing(services)
    defending = services.duels.defending
    drawn = await defending.open_drawn(ANN, NUMBERS)
    assert (drawn.is_drawn, drawn.hunt.turns, drawn.sealed) == (True, (), "")
    again = await defending.step_drawn(NUMBERS, drawn.seed, 99)
    assert (again.is_found, again.number) == (True, drawn.number)
    numbers = {(await defending.open_drawn(ANN, NUMBERS)).number for _game in range(5)}
    assert len(numbers) > 1
    twice = BullsAndCows(3, repeats=True)
    shapes = {len(set((await defending.step_drawn(twice, n, 0)).number or "")) for n in range(99)}
    assert {2, 3} <= shapes
    game = await services.duels.inviting.challenge(Challenge(ANN, None), DuelOptions())
    game = await services.duels.playing.draw_secret(ANN, game.duel.id)
    assert game.duel.state is State.PLAYING
    assert await services.duels.playing.draw_secret(ANN, game.duel.id) == game


async def test_the_bot_breaks_no_similar_number_for_a_player_in_a_ranked_mastermind(
    services: Services,
) -> None:
    game = await services.mastermind.solo.open(ANN, Setting())
    with pytest.raises(RankedGameError) as refused:
        await hunt_more(services, ANN)
    assert refused.value.game_id == game.id
    with pytest.raises(RankedGameError):
        await against_bot(services, DuelOptions(repeats=True))
    await hunt(services, ANN)
    await services.mastermind.solo.surrender(ANN, game.id)
    await hunt_more(services, ANN)


@pytest.mark.parametrize("player", [ANN, BEN])
async def test_accepting_a_rated_duel_stops_the_bots_guesses_in_a_similar_game(
    services: Services, player: int
) -> None:
    defence = services.mastermind.defence
    alike, other = await defence.open(player, DIGITS), await defence.open(player, Setting())
    stranger = await defence.open(player + 1, DIGITS)
    duel = await playing(services)
    assert duel.has_closed == (player == BEN)
    closed = await defence.view(player, alike.game.id)
    assert closed.game.ending is Ending.AT_STAKE
    assert not closed.game.is_correctable
    late = await defence.answer(player, alike.game.id, asked(alike), 1)
    assert (late.game.turns, late.game.blacks) == ((), None)
    assert (await defence.view(player, other.game.id)).game.ending is None
    assert (await defence.view(player + 1, stranger.game.id)).game.ending is None
    assert not (await services.duels.inviting.accept(BEN, duel.duel.id, 0, "4567")).has_closed


async def test_an_unrated_duel_ends_no_game_of_the_bot(services: Services) -> None:
    alike = await services.mastermind.defence.open(ANN, DIGITS)
    assert not (await playing(services, DuelOptions(friendly=True))).has_closed
    assert (await services.mastermind.defence.view(ANN, alike.game.id)).game.ending is None


async def test_a_solved_game_of_the_bot_cannot_be_corrected_during_a_similar_rated_duel(
    services: Services,
) -> None:
    defence = services.mastermind.defence
    view = await defence.open(ANN, DIGITS)
    seen = asked(view)
    view = await defence.answer(ANN, view.game.id, seen, 4)
    assert view.game.ending is Ending.SOLVED
    await playing(services)
    with pytest.raises(RatedDuelError):
        await defence.correct(ANN, view.game.id, 1, Question(0, seen.guess), Score(0, 0))


OPENING, TWIN = "12+34-5=41", "55%27%66=1"
"""A guess, and an equation that answers it as the day's does."""
PLACE = Channel(900, 901)


async def twin_played(services: Services, player: int, text: str = TWIN) -> Play:
    """A second account sets an equation, and the player's guess at it is the same as today's."""
    post = await services.equations.set(CAT, PLACE, text)
    play = await services.equations.play(player, post.equation.puzzle_id, PLACE)
    await services.daily.guess(player, play.id, OPENING)
    return await services.daily.guess(player, play.id, text)


async def every_word_of_the_coach(services: Services, player: int, play: int) -> None:
    lessons = services.coach.lessons
    await lessons.of(player, GameName(Source.PLAY, play), 0)
    await lessons.answer(player, GameName(Source.PLAY, play), 1, "98-76+5=27")
    await lessons.best(player, GameName(Source.PLAY, play), 1)
    await reviewed(services, player, GameName(Source.PLAY, play))


async def assert_silent(services: Services, player: int, play: int) -> None:
    lessons = services.coach.lessons
    for words in (
        lessons.of(player, GameName(Source.PLAY, play), 0),
        lessons.answer(player, GameName(Source.PLAY, play), 1, "98-76+5=27"),
        lessons.best(player, GameName(Source.PLAY, play), 1),
        services.coach.reviews.ask(player, GameName(Source.PLAY, play)),
    ):
        with pytest.raises(UnfinishedDailyError) as refused:
            await words
        assert (refused.value.number, refused.value.symbols) == (324, 10)


async def test_the_coach_of_a_set_equation_waits_for_the_days_puzzle_of_its_length(
    services: Services,
) -> None:
    daily = await services.daily.open(ANN, None, guess=OPENING)
    twin = await twin_played(services, ANN)
    assert twin.game.turns[0].feedback == daily.game.turns[0].feedback
    await assert_silent(services, ANN, twin.id)
    await services.equations.close(CAT, twin.puzzle_id, PLACE, is_manager=False)
    await assert_silent(services, ANN, twin.id)
    unplayed = await twin_played(services, BEN)  # whoever has not begun may hear how it goes
    await assert_silent(services, BEN, unplayed.id)
    await services.daily.guess(ANN, daily.id, SECRET)
    await every_word_of_the_coach(services, ANN, twin.id)


async def test_the_coach_of_a_set_equation_speaks_once_the_date_is_over(
    services: Services, clock: FakeClock
) -> None:
    twin = await twin_played(services, ANN)
    clock.set(datetime(2026, 11, 21, 11, 59, tzinfo=UTC))  # it goes on, twelve hours west
    await assert_silent(services, ANN, twin.id)
    clock.advance(minutes=1)
    await every_word_of_the_coach(services, ANN, twin.id)


async def test_the_coach_speaks_of_a_set_equation_of_a_length_without_dailies_and_of_practice(
    services: Services,
) -> None:
    await services.daily.open(ANN, None, guess=OPENING)
    post = await services.equations.set(CAT, PLACE, "6%5+3=4")
    play = await services.equations.play(ANN, post.equation.puzzle_id, PLACE)
    await services.daily.guess(ANN, play.id, "6%5+3=4")
    await reviewed(services, ANN, GameName(Source.PLAY, play.id))
    practice = await services.practice.open(ANN, None, 10)
    await services.daily.guess(ANN, practice.id, practice.game.secret)
    await reviewed(services, ANN, GameName(Source.PLAY, practice.id))


async def test_the_coach_says_nothing_of_codes_like_those_of_a_ranked_mastermind(
    services: Services,
) -> None:
    """A second account sets the code so that the guesses have the same answers."""
    game = await challenge(services, CODE, by=BEN, to=ANN)
    await services.mastermind.challenges.guess(ANN, game.id, "RRGG")
    await services.mastermind.challenges.guess(ANN, game.id, CODE)
    ranked = await services.mastermind.solo.open(ANN, Setting())
    name = GameName(Source.MASTERMIND, game.id)
    with pytest.raises(RankedGameError):
        await services.coach.reviews.ask(ANN, name)
    await reviewed(services, BEN, name)  # they play no ranked game
    await services.mastermind.solo.surrender(ANN, ranked.id)
    await reviewed(services, ANN, name)


async def test_the_coach_says_nothing_of_numbers_like_those_of_a_rated_duel(
    services: Services,
) -> None:
    friendly = await playing(services, DuelOptions(friendly=True))
    mover = friendly.seats[friendly.duel.to_move or 0].player_id or 0
    await services.duels.playing.guess(mover, friendly.duel.id, "5678")
    await services.duels.playing.resign(ANN, friendly.duel.id)
    rated = await playing(services, by=ANN, to=CAT)
    name = GameName(Source.DUEL, friendly.duel.id)
    with pytest.raises(RatedDuelError):
        await services.coach.reviews.ask(ANN, name)
    await services.duels.playing.call_off(ANN, rated.duel.id)
    await reviewed(services, ANN, name)


async def test_the_coach_speaks_of_drawn_codes_beside_a_ranked_mastermind_and_a_rated_duel(
    services: Services,
) -> None:
    solo, duels_played = services.mastermind.solo, services.duels.playing
    game = await solo.open(ANN, Setting())
    await solo.guess(ANN, game.id, "RRGG")
    await solo.surrender(ANN, game.id)
    duel = await against_bot(services)
    await duels_played.guess(ANN, duel.duel.id, "5678")
    await duels_played.resign(ANN, duel.duel.id)
    await solo.open(ANN, Setting())
    await playing(services, by=ANN, to=CAT)
    await reviewed(services, ANN, GameName(Source.MASTERMIND, game.id))
    await reviewed(services, ANN, GameName(Source.DUEL, duel.duel.id))

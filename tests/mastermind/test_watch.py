"""`watch` and sealed defences without Discord: the game follows by itself."""

import asyncio
from pathlib import Path

import pytest

from bot.mastermind.game import Setting
from bot.mastermind.model import (
    CodeRefusedError,
    Ending,
    Kind,
    MastermindGame,
    NoSuchGameError,
    NotYourGameError,
    Question,
    Stage,
    WrongSettingError,
)
from bot.mastermind.relabelling import Relabelling
from bot.mastermind.solving import next_guess
from bot.services import Services, open_services
from engine import is_consistent
from tests.support.clock import FakeClock
from tests.support.masterminds import ANN, BEN, SMALL, STANDARD, answered, secret_of
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")


def check_reasons(game: MastermindGame) -> None:
    """The reasons of all steps, counted anew without a solver."""
    assert [step.turn for step in game.steps] == list(game.turns)
    possible = list(game.rules.codes())
    for step in game.steps:
        assert step.before == len(possible)
        possible = [code for code in possible if is_consistent(game.rules, code, [step.turn])]
        assert step.after == len(possible)
    assert game.remaining == len(possible)


@pytest.mark.parametrize(
    "setting",
    [SMALL, STANDARD, Setting(4, 7, repeats=False), Setting(5, 5, repeats=False)],
)
async def test_the_bot_breaks_its_own_code_step_by_step(
    services: Services, tmp_path: Path, setting: Setting
) -> None:
    watch = services.mastermind.watch
    game = await watch.open(ANN, setting)
    assert (game.kind, game.stage, game.sealed) == (Kind.WATCH, Stage.PLAYING, False)
    assert (game.owner_id, game.codebreaker_id) == (ANN, None)
    secret = secret_of(tmp_path, game.id)
    while game.stage is Stage.PLAYING:
        assert game.secret is None
        check_reasons(game)
        turns = game.turns
        game = await watch.step(ANN, game.id, len(turns))
        assert game.turns[:-1] == turns
        assert game.turns[-1].guess == next_guess(game.rules, turns, Relabelling.none(game.rules))
    check_reasons(game)
    assert (game.ending, game.secret, game.turns[-1].guess) == (Ending.SOLVED, secret, secret)
    assert await watch.view(ANN, game.id) == game
    assert await watch.step(ANN, game.id, len(game.turns)) == game
    assert await watch.finish(ANN, game.id) == game


async def test_all_at_once_is_the_same_as_step_by_step(
    services: Services, database_url: str, clock: FakeClock
) -> None:
    opened = await services.mastermind.defence.open_sealed(ANN, STANDARD, "PRGB")
    at_once = await services.mastermind.defence.finish(ANN, opened.id)
    again = await services.mastermind.defence.open_sealed(ANN, STANDARD, "PRGB")
    assert opened.id != again.id
    game = await services.mastermind.defence.step(ANN, again.id, 0)
    await services.close()
    async with open_services(database_url, clock) as reopened:
        assert await reopened.mastermind.defence.view(ANN, again.id) == game
        game = await reopened.mastermind.defence.step(ANN, again.id, 1)
        game = await reopened.mastermind.defence.finish(ANN, again.id)
    assert (game.turns, game.steps) == (at_once.turns, at_once.steps)
    assert (game.ending, game.secret) == (Ending.SOLVED, "PRGB")


async def test_a_sealed_code_is_kept_to_itself_until_the_end(services: Services) -> None:
    defence = services.mastermind.defence
    game = await defence.open_sealed(ANN, SMALL, "r, g, r")
    assert (game.kind, game.sealed, game.owner_id) == (Kind.DEFEND, True, ANN)
    assert (game.guess, game.blacks, game.choices) == (None, None, ())
    assert (game.remaining, game.secret, game.contradiction) == (64, None, None)
    game = await defence.step(ANN, game.id, 0)
    assert game.secret is None
    check_reasons(game)
    game = await defence.finish(ANN, game.id)
    assert (game.secret, game.turns[-1].guess) == ("RGR", "RGR")
    check_reasons(game)


async def test_a_sealed_game_can_be_given_up_and_takes_no_answers(services: Services) -> None:
    defence = services.mastermind.defence
    game = await defence.open_sealed(ANN, STANDARD, "RGBY")
    await defence.step(ANN, game.id, 0)
    game = await defence.step(ANN, game.id, 1)
    assert game.stage is Stage.PLAYING
    answer = game.turns[0].feedback
    other = next(a for a in game.rules.answers(game.turns[0].guess) if a != answer)
    seen = Question(2, "RRRR")
    assert await defence.blacks(ANN, game.id, seen, 0) == game
    assert await defence.whites(ANN, game.id, seen, 0) == game
    assert await defence.take_back(ANN, game.id, seen) == game
    assert await defence.correct(ANN, game.id, 2, answered(game, 0), other) == game
    game = await defence.give_up(ANN, game.id)
    assert (game.ending, game.secret, len(game.turns)) == (Ending.SURRENDERED, "RGBY", 2)
    assert await defence.step(ANN, game.id, 2) == game
    assert await defence.finish(ANN, game.id) == game


async def test_a_double_click_is_one_step(services: Services) -> None:
    watch = services.mastermind.watch
    game = await watch.open(ANN, STANDARD)
    results = await asyncio.gather(*(watch.step(ANN, game.id, 0) for _ in range(3)))
    assert [len(result.turns) for result in results] == [1, 1, 1]
    assert await watch.step(ANN, game.id, 0) == results[0]
    finished = await asyncio.gather(*(watch.finish(ANN, game.id) for _ in range(3)))
    assert finished[0] == finished[1] == finished[2]
    assert finished[0].ending is Ending.SOLVED


async def test_the_bot_can_run_out_of_guesses(services: Services, tmp_path: Path) -> None:
    watch = services.mastermind.watch
    games = [await watch.open(ANN, STANDARD), await watch.open(ANN, SMALL)]
    # Fewer guesses than can be chosen: the bot never needs as many as there are.
    sql(
        tmp_path,
        "UPDATE masterminds SET rules = 'mastermind:4x6r/2', secret = 'PPBG', relabelling = NULL",
    )
    at_once = await watch.finish(ANN, games[0].id)
    game = await watch.step(ANN, games[1].id, 0)
    assert game.ending is None
    game = await watch.step(ANN, game.id, 1)
    for lost in (at_once, game):
        assert (lost.ending, lost.secret, len(lost.turns)) == (Ending.LOST, "PPBG", 2)


async def test_only_its_player_steps(services: Services) -> None:
    watch, defence = services.mastermind.watch, services.mastermind.defence
    game = await watch.open(ANN, STANDARD)
    open_defence = await defence.open(ANN, STANDARD)
    for attempt in (
        watch.view(BEN, game.id),
        watch.step(BEN, game.id, 0),
        watch.finish(BEN, game.id),
    ):
        with pytest.raises(NotYourGameError) as refused:
            await attempt
        assert refused.value.player_id == ANN
    for missing in (
        defence.view(ANN, game.id),
        defence.step(ANN, open_defence.id, 0),
        defence.finish(ANN, open_defence.id),
    ):
        with pytest.raises(NoSuchGameError):
            await missing


async def test_nothing_is_opened_by_mistake(services: Services) -> None:
    with pytest.raises(CodeRefusedError):
        await services.mastermind.defence.open_sealed(ANN, STANDARD, "RGBN")
    with pytest.raises(WrongSettingError):
        await services.mastermind.defence.open_sealed(ANN, Setting(pegs=2), "RG")
    with pytest.raises(WrongSettingError):
        await services.mastermind.watch.open(ANN, Setting(pegs=2))
    assert await services.mastermind.games.open_of(ANN) == []

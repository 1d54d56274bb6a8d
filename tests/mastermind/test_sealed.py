"""Sealed defences without Discord: the game follows by itself."""

import asyncio
import random
from dataclasses import replace
from pathlib import Path

import pytest

from bot.mastermind.game import Setting
from bot.mastermind.model import (
    CodeRefusedError,
    Ending,
    GameFinishedError,
    HasBegunError,
    Kind,
    NoSuchGameError,
    NotYourGameError,
    Question,
    SolverView,
    Stage,
    WrongSettingError,
)
from bot.mastermind.solving import next_guess
from bot.services import Services, open_services
from engine import Relabelling, is_consistent
from tests.support.clock import FakeClock
from tests.support.masterminds import ANN, BEN, SMALL, STANDARD, answered, asked
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")


def check_reasons(view: SolverView) -> None:
    """The reasons of all steps, counted anew without a solver."""
    assert [step.turn for step in view.steps] == list(view.game.turns)
    possible = list(view.game.rules.codes())
    for step in view.steps:
        assert step.before == len(possible)
        possible = [code for code in possible if is_consistent(view.game.rules, code, [step.turn])]
        assert step.after == len(possible)
    assert view.remaining == len(possible)


@pytest.mark.parametrize(
    "setting",
    [SMALL, STANDARD, Setting(4, 7, repeats=False), Setting(5, 5, repeats=False)],
)
async def test_the_bot_breaks_a_sealed_code_step_by_step(
    services: Services, setting: Setting
) -> None:
    defence = services.mastermind.defence
    secret = setting.rules().draw(random.Random("to be sealed"))
    view = await defence.open_sealed(ANN, setting, secret)
    assert (view.game.kind, view.game.stage, view.game.sealed) == (Kind.DEFEND, Stage.PLAYING, True)
    assert (view.game.owner_id, view.game.codebreaker_id) == (ANN, None)
    while view.game.stage is Stage.PLAYING:
        assert view.game.secret is None
        check_reasons(view)
        turns = view.game.turns
        view = await defence.step(ANN, view.game.id, len(turns))
        assert view.game.turns[:-1] == turns
        assert view.game.turns[-1].guess == next_guess(
            view.game.rules, turns, Relabelling.none(view.game.rules)
        )
    check_reasons(view)
    assert (view.game.ending, view.game.secret, view.game.turns[-1].guess) == (
        Ending.SOLVED,
        secret,
        secret,
    )
    assert await defence.view(ANN, view.game.id) == view
    assert await defence.step(ANN, view.game.id, len(view.game.turns)) == view
    assert await defence.finish(ANN, view.game.id) == view


async def test_solving_all_at_once_gives_the_same_guesses_as_step_by_step(
    services: Services, database_url: str, clock: FakeClock
) -> None:
    opened = await services.mastermind.defence.open_sealed(ANN, STANDARD, "PRGB")
    at_once = await services.mastermind.defence.finish(ANN, opened.game.id)
    again = await services.mastermind.defence.open_sealed(ANN, STANDARD, "PRGB")
    assert opened.game.id != again.game.id
    view = await services.mastermind.defence.step(ANN, again.game.id, 0)
    await services.close()
    async with open_services(database_url, clock) as reopened:
        assert await reopened.mastermind.defence.view(ANN, again.game.id) == view
        view = await reopened.mastermind.defence.step(ANN, again.game.id, 1)
        view = await reopened.mastermind.defence.finish(ANN, again.game.id)
    assert (view.game.turns, view.steps) == (at_once.game.turns, at_once.steps)
    assert (view.game.ending, view.game.secret) == (Ending.SOLVED, "PRGB")


async def test_a_game_with_a_sealed_code_takes_no_answers_and_can_be_given_up(
    services: Services,
) -> None:
    defence = services.mastermind.defence
    view = await defence.open_sealed(ANN, STANDARD, "RGBY")
    await defence.step(ANN, view.game.id, 0)
    view = await defence.step(ANN, view.game.id, 1)
    assert view.game.stage is Stage.PLAYING
    answer = view.game.turns[0].feedback
    other = next(a for a in view.game.rules.answers(view.game.turns[0].guess) if a != answer)
    seen = Question(2, "RRRR")
    assert await defence.answer(ANN, view.game.id, seen, 0) == view
    assert await defence.answer(ANN, view.game.id, replace(seen, blacks=0), 0) == view
    assert await defence.take_back(ANN, view.game.id, seen) == view
    assert await defence.correct(ANN, view.game.id, 2, answered(view, 0), other) == view
    view = await defence.give_up(ANN, view.game.id)
    assert (view.game.ending, view.game.secret, len(view.game.turns)) == (
        Ending.SURRENDERED,
        "RGBY",
        2,
    )
    assert await defence.step(ANN, view.game.id, 2) == view
    assert await defence.finish(ANN, view.game.id) == view


async def test_a_double_click_makes_one_step(services: Services) -> None:
    defence = services.mastermind.defence
    view = await defence.open_sealed(ANN, STANDARD, "PRGB")
    results = await asyncio.gather(*(defence.step(ANN, view.game.id, 0) for _ in range(3)))
    assert [len(result.game.turns) for result in results] == [1, 1, 1]
    assert await defence.step(ANN, view.game.id, 0) == results[0]
    finished = await asyncio.gather(*(defence.finish(ANN, view.game.id) for _ in range(3)))
    assert finished[0] == finished[1] == finished[2]
    assert finished[0].game.ending is Ending.SOLVED


async def test_a_sealed_code_holds_when_it_runs_out_of_guesses(
    services: Services, tmp_path: Path
) -> None:
    defence = services.mastermind.defence
    games = [await defence.open_sealed(ANN, STANDARD, code) for code in ("PRGB", "PRGO")]
    # Fewer guesses than can be chosen: the bot never needs as many as there are.
    sql(
        tmp_path,
        "UPDATE masterminds SET rules = 'mastermind:4x6r/2', secret = 'PPBG', relabelling = NULL",
    )
    at_once = await defence.finish(ANN, games[0].game.id)
    view = await defence.step(ANN, games[1].game.id, 0)
    assert view.game.ending is None
    view = await defence.step(ANN, view.game.id, 1)
    for lost in (at_once, view):
        assert (lost.game.ending, lost.game.secret, len(lost.game.turns)) == (
            Ending.LOST,
            "PPBG",
            2,
        )


async def test_only_its_player_steps_through_a_sealed_game(services: Services) -> None:
    defence = services.mastermind.defence
    view = await defence.open_sealed(ANN, STANDARD, "PRGB")
    open_defence = await defence.open(ANN, STANDARD)
    for attempt in (
        defence.view(BEN, view.game.id),
        defence.step(BEN, view.game.id, 0),
        defence.finish(BEN, view.game.id),
    ):
        with pytest.raises(NotYourGameError) as refused:
            await attempt
        assert refused.value.player_id == ANN
    for missing in (
        defence.step(ANN, open_defence.game.id, 0),
        defence.finish(ANN, open_defence.game.id),
    ):
        with pytest.raises(NoSuchGameError):
            await missing


async def test_a_refused_setting_or_code_opens_no_game(services: Services) -> None:
    with pytest.raises(CodeRefusedError):
        await services.mastermind.defence.open_sealed(ANN, STANDARD, "RGBN")
    with pytest.raises(WrongSettingError):
        await services.mastermind.defence.open_sealed(ANN, Setting(pegs=2), "RG")
    assert await services.mastermind.games.open_of(ANN) == []


async def test_another_setting_replaces_an_unanswered_defence_and_is_that_of_the_next_one(
    services: Services,
) -> None:
    defence, other = services.mastermind.defence, Setting(pegs=5, guesses=6)
    first = await defence.open(ANN)
    assert first.game.rules == STANDARD.rules()
    assert await defence.open(ANN, STANDARD, first.game.id) == first
    changes = (defence.open(ANN, other, first.game.id) for _ in range(3))
    second, *again = await asyncio.gather(*changes)
    assert again == [second] * 2
    assert (second.game.rules, second.game.guess is not None) == (other.rules(), True)
    assert (await defence.view(ANN, first.game.id)).game.ending is Ending.REPLACED
    assert (await defence.open(ANN)).game.id == second.game.id
    assert (await defence.open(BEN)).game.rules == STANDARD.rules()
    with pytest.raises(NotYourGameError):
        await defence.open(BEN, SMALL, second.game.id)
    await defence.answer(ANN, second.game.id, asked(second), 0)
    sealed = await defence.open_sealed(ANN, SMALL, "RGR")
    for game in (second, sealed):
        with pytest.raises(HasBegunError):
            await defence.open(ANN, STANDARD, game.game.id)
    with pytest.raises(GameFinishedError):
        await defence.open(ANN, SMALL, first.game.id)
    assert len(await services.mastermind.games.open_of(ANN)) == 2

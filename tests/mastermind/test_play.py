"""`play` without Discord, on a real database."""

import asyncio
import logging
from pathlib import Path

import pytest

from bot.mastermind.game import Setting
from bot.mastermind.model import (
    ColourUsedError,
    Ending,
    GameFinishedError,
    HasBegunError,
    MastermindGame,
    MastermindRefusedError,
    NotYourGameError,
    PegsBeyondColoursError,
    RowFullError,
    RowIncompleteError,
)
from bot.services import Services
from engine import NotationError, Problem, RepeatedGuessError
from tests.support.masterminds import ANN, BEN, SMALL, STANDARD, secret_of, wrong_codes


async def put_all(services: Services, game: MastermindGame, colours: str) -> MastermindGame:
    for colour in colours:
        game = await services.mastermind.solo.put(ANN, game.id, colour)
    return game


async def test_refused_input_spends_no_guess_and_leaves_the_row_as_it_was(
    services: Services,
) -> None:
    solo = services.mastermind.solo
    game = await solo.open(ANN, Setting(pegs=3, colours=5, repeats=False))
    with pytest.raises(RowIncompleteError) as incomplete:
        await solo.submit(ANN, game.id, "")
    assert incomplete.value.game == game
    await put_all(services, game, "RG")
    with pytest.raises(ColourUsedError) as used:
        await solo.put(ANN, game.id, "G")
    assert (used.value.game.pending, used.value.symbol) == ("RG", "G")
    with pytest.raises(RowIncompleteError):
        await solo.submit(ANN, game.id, "RG")
    for colour in ("P", "r", "", "RG", "X"):
        with pytest.raises(MastermindRefusedError) as refused:
            await solo.put(ANN, game.id, colour)
        assert isinstance(refused.value.cause, NotationError)
        assert refused.value.cause.problem is Problem.COLOUR_NOT_IN_PLAY
    game = await put_all(services, game, "B")
    with pytest.raises(RowFullError) as full:
        await solo.put(ANN, game.id, "Y")
    assert full.value.game == game
    with pytest.raises(MastermindRefusedError) as refused:
        await solo.guess(ANN, game.id, "R G")
    assert refused.value.text == "R G"
    assert refused.value.game == game
    assert await solo.view(ANN, game.id) == game
    assert (game.pending, game.turns) == ("RGB", ())


async def test_a_repeated_guess_is_refused_and_its_pegs_stay_in_the_row(
    services: Services, tmp_path: Path
) -> None:
    solo = services.mastermind.solo
    game = await solo.open(ANN, STANDARD)
    wrong = wrong_codes(game.rules, secret_of(tmp_path, game.id))[0]
    await solo.guess(ANN, game.id, wrong)
    game = await put_all(services, game, wrong)
    for attempt in (solo.submit(ANN, game.id, wrong), solo.guess(ANN, game.id, wrong)):
        with pytest.raises(MastermindRefusedError) as refused:
            await attempt
        assert isinstance(refused.value.cause, RepeatedGuessError)
        assert (refused.value.game, refused.value.text) == (game, wrong)
    assert await solo.view(ANN, game.id) == game


async def test_a_double_click_spends_one_guess(services: Services, tmp_path: Path) -> None:
    solo = services.mastermind.solo
    game = await solo.open(ANN, STANDARD)
    secret = secret_of(tmp_path, game.id)
    wrong = wrong_codes(game.rules, secret)[0]
    await put_all(services, game, wrong)
    first, second = await asyncio.gather(
        solo.submit(ANN, game.id, wrong), solo.submit(ANN, game.id, wrong)
    )
    assert first == second
    assert len(first.turns) == 1
    await put_all(services, game, secret)
    first, second = await asyncio.gather(
        solo.submit(ANN, game.id, secret), solo.submit(ANN, game.id, secret)
    )
    assert first == second
    assert first.ending is Ending.SOLVED


async def test_a_row_changed_elsewhere_meanwhile_is_shown_and_not_submitted(
    services: Services,
) -> None:
    solo = services.mastermind.solo
    game = await put_all(services, await solo.open(ANN, STANDARD), "RGBY")
    await solo.undo(ANN, game.id)
    changed = await solo.put(ANN, game.id, "P")
    assert await solo.submit(ANN, game.id, game.pending) == changed
    assert (changed.pending, changed.turns) == ("RGBP", ())


@pytest.mark.parametrize(
    "setting", [Setting(3, 4, True, 6), Setting(6, 10, True, 13), Setting(6, 4)]
)
async def test_the_smallest_and_largest_settings_are_allowed(
    services: Services, setting: Setting
) -> None:
    game = await services.mastermind.solo.open(ANN, setting)
    assert Setting.of(game.rules) == setting


async def test_opening_a_mastermind_twice_gives_the_same_game_until_it_is_touched(
    services: Services,
) -> None:
    solo = services.mastermind.solo
    first, second = await asyncio.gather(solo.open(ANN, STANDARD), solo.open(ANN, STANDARD))
    assert first == second
    assert (await solo.open(BEN, STANDARD)).id != first.id
    assert (await solo.open(ANN, SMALL)).id != first.id
    assert (await services.mastermind.defence.open(ANN, SMALL)).game.id != first.id
    await solo.put(ANN, first.id, "R")
    third = await solo.open(ANN, STANDARD)
    assert third.id != first.id
    await solo.guess(ANN, third.id, "RGBY")
    assert (await solo.open(ANN, STANDARD)).id not in {first.id, third.id}


async def test_logs_contain_no_code(
    services: Services, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot")
    solo = services.mastermind.solo
    game = await solo.open(ANN, STANDARD)
    secret = secret_of(tmp_path, game.id)
    wrong = wrong_codes(game.rules, secret)[0]
    await put_all(services, game, wrong)
    await solo.submit(ANN, game.id, wrong)
    with pytest.raises(MastermindRefusedError):
        await solo.guess(ANN, game.id, wrong)
    await solo.guess(ANN, game.id, secret)
    assert f"mastermind {game.id}, play: 2 turns, solved" in caplog.messages
    assert "mastermind: refused, MastermindRefusedError" in caplog.messages
    assert not any(code in message for code in (secret, wrong) for message in caplog.messages)


async def test_an_impossible_setting_is_refused_and_not_adjusted(services: Services) -> None:
    with pytest.raises(PegsBeyondColoursError):
        await services.mastermind.solo.open(ANN, Setting(pegs=5, colours=4, repeats=False))


async def test_another_setting_replaces_an_untouched_game_and_changes_no_other(
    services: Services,
) -> None:
    solo = services.mastermind.solo
    first = await solo.open(ANN, STANDARD)
    assert (await solo.change(ANN, first.id, Setting.of(first.rules))).id == first.id
    second = await solo.change(ANN, first.id, SMALL)
    assert (await solo.view(ANN, first.id)).ending is Ending.REPLACED
    assert (second.rules, second.is_ranked) == (SMALL.rules(), False)
    assert (await solo.change(ANN, second.id, STANDARD)).is_ranked
    touched = await solo.open(ANN, SMALL)
    await solo.put(ANN, touched.id, "R")
    for player, setting, error in (
        (ANN, STANDARD, HasBegunError),
        (BEN, STANDARD, NotYourGameError),
        (ANN, Setting(5, 4, repeats=False), PegsBeyondColoursError),
    ):
        with pytest.raises(error):
            await solo.change(player, touched.id, setting)
    assert (await solo.view(ANN, touched.id)).pending == "R"
    await solo.surrender(ANN, touched.id)
    with pytest.raises(GameFinishedError):
        await solo.change(ANN, touched.id, STANDARD)
    assert len(await services.mastermind.games.open_of(ANN)) == 1

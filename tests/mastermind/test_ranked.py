"""Whether a game of Mastermind is ranked: never one in which the bot could be asked for guesses."""

import pytest

from bot.leaderboards.boards import Board, BoardGame, MastermindFigures, Period
from bot.mastermind.game import Setting
from bot.mastermind.model import Ending, MastermindGame, SolverView
from bot.refused import RankedGameError
from engine import Score
from tests.support.clock import FakeClock
from tests.support.masterminds import ANN, BEN, answer, secret_of, wrong_codes
from tests.support.sql import sql
from tests.support.town import Town

pytestmark = pytest.mark.usefixtures("keys_watched")

HERE = 100
ALIKE, OTHER = Setting(guesses=8), Setting(pegs=3)


@pytest.fixture
async def town(town: Town) -> Town:
    await town.join(ANN, HERE)
    return town


async def play(town: Town, setting: Setting | None = None) -> MastermindGame:
    return await town.services.mastermind.solo.open(ANN, setting or Setting())


async def guess(town: Town, game: MastermindGame) -> MastermindGame:
    wrong = wrong_codes(game.rules, secret_of(town.folder, game.id))[len(game.turns)]
    return await town.services.mastermind.solo.guess(ANN, game.id, wrong)


async def defend(town: Town, setting: Setting | None = None) -> SolverView:
    return await town.services.mastermind.defence.open(ANN, setting or Setting())


async def counted(town: Town) -> int:
    """How many of the player's games the board counts, kept and worked out anew alike."""
    kept = await figures(town)
    sql(town.folder, f"INSERT INTO standing_rebuilds (player_id) VALUES ({ANN})")
    await town.settle()
    assert await figures(town) == kept
    return kept


async def figures(town: Town) -> int:
    board = Board.of(BoardGame.MASTERMIND, Period.ALL, guild_id=HERE)
    own = (await town.page(board, ANN)).own_figures
    return own.games if isinstance(own, MastermindFigures) else 0


@pytest.mark.parametrize("guessed", [False, True])
async def test_the_bot_does_not_guess_for_a_player_in_a_ranked_game(
    town: Town, *, guessed: bool
) -> None:
    game = await play(town)
    assert game.is_ranked
    if guessed:
        await guess(town, game)
    for setting in (Setting(), ALIKE):
        with pytest.raises(RankedGameError) as refused:
            await defend(town, setting)
        assert (refused.value.game_id, refused.value.is_sealable) == (game.id, True)
        # Nothing that `/play` could open was begun.
        open_games = await town.services.mastermind.games.open_of(ANN)
        assert [one.id for one in open_games] == [game.id]
    assert (await defend(town, OTHER)).game.guess is not None
    opened = await town.services.mastermind.defence.open(BEN, Setting())  # somebody else's
    assert opened.game.guess is not None
    await town.services.mastermind.solo.surrender(ANN, game.id)
    assert (await defend(town)).game.guess is not None
    assert await counted(town) == guessed


async def test_a_game_begun_while_the_bot_guesses_in_another_stays_unranked(town: Town) -> None:
    beside = await defend(town, ALIKE)
    game = await play(town)
    assert (game.is_ranked, not game.ranked) == (False, True)
    await guess(town, game)
    await town.services.mastermind.defence.give_up(ANN, beside.game.id)
    again = await town.services.mastermind.solo.view(ANN, game.id)
    assert (again.is_ranked, not again.ranked) == (False, True)
    secret = secret_of(town.folder, game.id)
    assert (await town.services.mastermind.solo.guess(ANN, game.id, secret)).ending is Ending.SOLVED
    assert await counted(town) == 0
    assert (await play(town)).is_ranked


async def test_an_untouched_game_opened_beside_a_defend_becomes_ranked_when_opened_again_after_it(
    town: Town,
) -> None:
    beside = await defend(town)
    game = await play(town)
    assert not game.ranked
    await town.services.mastermind.defence.give_up(ANN, beside.game.id)
    again = await play(town)
    assert (again.id, again.is_ranked, not again.ranked) == (game.id, True, False)
    with pytest.raises(RankedGameError):
        await defend(town)


async def test_a_game_is_ranked_while_the_bot_guesses_codes_at_another_setting(town: Town) -> None:
    await defend(town, OTHER)
    assert (await play(town)).is_ranked
    beside = await town.services.mastermind.defence.open(ANN, Setting(repeats=False))
    assert beside.game.guess is not None


async def test_an_unranked_game_does_not_keep_the_bot_from_guessing(town: Town) -> None:
    game = await play(town, ALIKE)
    assert (game.is_ranked, not game.ranked) == (False, False)
    await defend(town)
    game = await play(town, OTHER)
    assert (game.is_ranked, not game.ranked) == (False, False)


async def test_a_finished_game_of_the_bot_does_not_resume_during_a_ranked_game(town: Town) -> None:
    beside = await defend(town)
    seen = beside.game.question
    assert seen is not None
    beside = await answer(town.services, beside, Score(4, 0))
    assert beside.game.ending is Ending.SOLVED
    game = await play(town)
    assert game.is_ranked
    with pytest.raises(RankedGameError):
        await town.services.mastermind.defence.correct(ANN, beside.game.id, 1, seen, Score(0, 0))
    await town.services.mastermind.solo.surrender(ANN, game.id)
    went_on = await town.services.mastermind.defence.correct(
        ANN, beside.game.id, 1, seen, Score(0, 0)
    )
    assert went_on.game.guess is not None


@pytest.mark.parametrize("at_once", [False, True])
async def test_the_bot_takes_a_sealed_code_during_a_ranked_game_and_breaks_it_afterwards(
    town: Town, *, at_once: bool
) -> None:
    defence = town.services.mastermind.defence
    game = await guess(town, await play(town))
    sealed = await defence.open_sealed(ANN, Setting(), "RGBY")

    async def advance() -> int:
        if at_once:
            return len((await defence.finish(ANN, sealed.game.id)).game.turns)
        return len((await defence.step(ANN, sealed.game.id, 0)).game.turns)

    with pytest.raises(RankedGameError) as refused:
        await advance()
    assert not refused.value.is_sealable
    assert (await defence.view(ANN, sealed.game.id)).game.turns == ()
    await town.services.mastermind.solo.surrender(ANN, game.id)
    assert await advance() > (1 if at_once else 0)


async def dawdle(town: Town, game: MastermindGame, way: str) -> None:
    """Do something in a game that is no guess."""
    solo, hints = town.services.mastermind.solo, town.services.coach.hints
    match way:
        case "put":
            await solo.put(ANN, game.id, "R")
        case "undo":
            await solo.undo(ANN, game.id)
        case _:
            await hints.of_mastermind(ANN, game.id, len(game.turns), 0)


@pytest.mark.parametrize("way", ["put", "undo", "hint"])
async def test_a_game_abandoned_after_a_guess_counts_as_lost(
    town: Town, clock: FakeClock, way: str
) -> None:
    game = await guess(town, await play(town))
    clock.advance(days=6, hours=23)
    await dawdle(town, game, way)
    clock.advance(hours=1)
    (swept,) = await town.services.mastermind.games.sweep()
    assert (swept.id, swept.ending) == (game.id, Ending.CLOSED)
    assert await counted(town) == 1
    own = (
        await town.page(Board.of(BoardGame.MASTERMIND, Period.ALL, guild_id=HERE), ANN)
    ).own_figures
    assert isinstance(own, MastermindFigures)
    assert (own.guesses, own.solved) == (13, 0)


async def test_a_game_abandoned_without_a_guess_does_not_count(
    town: Town, clock: FakeClock
) -> None:
    game = await play(town)
    await dawdle(town, game, "put")
    clock.advance(days=7)
    (swept,) = await town.services.mastermind.games.sweep()
    assert swept.ending is Ending.CLOSED
    assert await counted(town) == 0


async def test_a_third_game_during_two_ranked_ones_is_unranked(town: Town) -> None:
    first, second = [await guess(town, await play(town)) for _game in range(2)]
    third = await play(town)
    assert [first.is_ranked, second.is_ranked, third.is_ranked] == [True, True, False]
    assert not third.ranked
    await town.services.mastermind.solo.surrender(ANN, first.id)
    again = await play(town)  # nothing was done in it yet
    assert (again.id, again.is_ranked) == (third.id, True)
    await guess(town, again)
    assert not (await play(town)).is_ranked


async def test_pegs_that_are_taken_back_make_no_room_for_a_third_ranked_game(town: Town) -> None:
    solo = town.services.mastermind.solo
    games: list[int] = []
    for _game in range(3):
        for game_id in games:
            await solo.put(ANN, game_id, "R")
        games.append((await play(town)).id)
        for game_id in games:
            await solo.put(ANN, game_id, "R")
            await solo.undo(ANN, game_id)
        await play(town)  # the latest, once more
    assert len(set(games)) == 3
    found = [await guess(town, await solo.view(ANN, game_id)) for game_id in games]
    assert [game.is_ranked for game in found] == [True, True, False]

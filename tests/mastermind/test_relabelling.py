"""Each game that the bot breaks has other names for colours and places, and is worth the same."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.mastermind.game import Setting
from bot.mastermind.model import MastermindGame, Question, Stage
from bot.mastermind.relabelling import Relabelling
from bot.mastermind.solving import play_on
from bot.services import Services, open_services
from engine import Code, Mastermind, Score, is_consistent
from tests.support.clock import FakeClock
from tests.support.masterminds import ANN, STANDARD
from tests.support.sql import sql

pytestmark = [pytest.mark.relabelled, pytest.mark.usefixtures("keys_watched")]

LARGE = Setting(6, 9)
SETTINGS = [STANDARD, Setting(4, 7, repeats=False), Setting(3, 5), LARGE]


def pattern(code: Code) -> tuple[int, ...]:
    """How often a code has its colours: what no relabelling changes."""
    return tuple(sorted(code.count(colour) for colour in set(code)))


@given(st.sampled_from(SETTINGS), st.randoms(use_true_random=False))
def test_scores_stay_and_there_and_back_is_the_same(setting: Setting, rng: random.Random) -> None:
    rules = setting.rules()
    labels = Relabelling.draw(rules, rng)
    first, second = rules.draw(rng), rules.draw(rng)
    there = [labels.to_engine(rules, code) for code in (first, second)]
    assert rules.feedback(*there) == rules.feedback(first, second)
    assert [labels.to_game(rules, code) for code in there] == [first, second]
    assert Relabelling.decode(rules, labels.encode()) == labels
    assert len(labels.encode()) <= 32


def test_every_relabelling_is_drawn_and_an_old_game_has_none() -> None:
    rules, rng = Mastermind(pegs=2, colours=3), random.Random(1)
    assert len({Relabelling.draw(rules, rng) for _ in range(300)}) == 12
    assert Relabelling.decode(rules, None) == Relabelling.none(rules)
    assert Relabelling.none(rules).to_game(rules, Code(rules.alphabet[:2])) == rules.alphabet[:2]


@given(st.randoms(use_true_random=False))
def test_a_relabelled_code_is_broken_as_the_engine_breaks_it(rng: random.Random) -> None:
    rules = STANDARD.rules()
    labels, secret = Relabelling.draw(rules, rng), rules.draw(rng)
    turns = play_on(rules, secret, [], labels, rules.max_guesses)
    own = labels.to_engine(rules, secret)
    plain = play_on(rules, own, [], Relabelling.none(rules), rules.max_guesses)
    assert [labels.turn_to_engine(rules, turn) for turn in turns] == plain
    assert turns[-1].guess == secret


async def test_games_begin_differently_and_with_openings_of_one_pattern(
    services: Services,
) -> None:
    firsts: list[Code | None] = []
    for _ in range(30):
        game = await services.mastermind.defence.open(ANN, STANDARD)
        assert game.guess is not None
        firsts.append(game.guess)
        again = await services.mastermind.defence.open(ANN, STANDARD)  # still untouched
        assert (again.id, again.guess) == (game.id, game.guess)
        await services.mastermind.defence.give_up(ANN, game.id)
    assert len(set(firsts)) > 5
    assert len({pattern(Code(first)) for first in firsts if first}) == 1


async def answer(services: Services, game: MastermindGame, secret: Code) -> MastermindGame:
    """Answer the bot's guess truly, blacks first."""
    assert game.question is not None
    true = game.rules.feedback(Code(game.question.guess), secret)
    game = await services.mastermind.defence.blacks(ANN, game.id, game.question, true.bulls)
    if game.blacks is not None and game.question is not None:
        game = await services.mastermind.defence.whites(ANN, game.id, game.question, true.cows)
    return game


async def test_a_game_goes_on_alike_after_a_restart_and_a_corrected_answer(
    services: Services, database_url: str, clock: FakeClock
) -> None:
    defence, secret = services.mastermind.defence, Code("GBYO")
    game = await answer(services, await defence.open(ANN, STANDARD), secret)
    asked: Sequence[str | None] = [game.guess]
    async with open_services(database_url, clock) as other:
        seen = await other.mastermind.defence.view(ANN, game.id)
        assert seen.guess == game.guess
        turn = game.turns[0]
        question = Question(0, turn.guess)
        wrong = next(
            s for s in game.rules.answers(turn.guess) if s not in {turn.feedback, Score(4, 0)}
        )
        await other.mastermind.defence.correct(ANN, game.id, 1, question, wrong)
        back = await other.mastermind.defence.correct(ANN, game.id, 1, question, turn.feedback)
        assert [back.guess] == asked
        while back.stage is Stage.PLAYING:
            back = await answer(other, back, secret)
    assert back.turns[-1].guess == secret
    assert all(is_consistent(back.rules, secret, [turn]) for turn in back.turns)


async def test_a_game_that_was_opened_before_goes_on_as_it_began(
    services: Services, tmp_path: Path
) -> None:
    watch = services.mastermind.watch
    game = await watch.open(ANN, STANDARD)
    sql(tmp_path, "UPDATE masterminds SET relabelling = NULL")
    game = await watch.finish(ANN, game.id)
    plain = play_on(game.rules, game.turns[-1].guess, [], Relabelling.none(game.rules), 10)
    assert list(game.turns) == plain


async def test_a_large_game_is_broken_under_other_names_too(services: Services) -> None:
    game = await services.mastermind.watch.open(ANN, LARGE)
    game = await services.mastermind.watch.finish(ANN, game.id)
    assert game.turns[-1].guess == game.secret
    assert [step.turn for step in game.steps] == list(game.turns)

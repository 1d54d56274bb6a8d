"""Each game that the bot breaks has other names for colours and places, and is worth the same."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.mastermind.game import Setting
from bot.mastermind.model import Question, Stage
from bot.mastermind.solving import play_on
from bot.services import Services, open_services
from engine import Code, Mastermind, Relabelling, Score, is_consistent
from tests.support.clock import FakeClock
from tests.support.masterminds import ANN, STANDARD, answer_truly

pytestmark = [pytest.mark.relabelled, pytest.mark.usefixtures("keys_watched")]

LARGE = Setting(6, 9)
SETTINGS = [STANDARD, Setting(4, 7, repeats=False), Setting(3, 5), LARGE]


def pattern(code: Code) -> tuple[int, ...]:
    """How often a code has its colours: what no relabelling changes."""
    return tuple(sorted(code.count(colour) for colour in set(code)))


@given(st.sampled_from(SETTINGS), st.randoms(use_true_random=False))
def test_relabelling_keeps_scores_and_can_be_undone(setting: Setting, rng: random.Random) -> None:
    rules = setting.rules()
    labels = Relabelling.draw(rules, rng)
    first, second = rules.draw(rng), rules.draw(rng)
    there = [labels.to_solver(rules, code) for code in (first, second)]
    assert rules.feedback(*there) == rules.feedback(first, second)
    assert [labels.to_game(rules, code) for code in there] == [first, second]
    assert Relabelling.decode(rules, labels.encode()) == labels
    assert len(labels.encode()) <= 32


def test_every_relabelling_can_come_up_and_an_old_game_has_none() -> None:
    rules, rng = Mastermind(pegs=2, colours=3), random.Random(1)
    assert len({Relabelling.draw(rules, rng) for _ in range(300)}) == 12
    assert Relabelling.decode(rules, None) == Relabelling.none(rules)
    assert Relabelling.none(rules).to_game(rules, rules.alphabet[:2]) == rules.alphabet[:2]


@given(st.randoms(use_true_random=False))
def test_the_bot_breaks_a_relabelled_code_with_the_guesses_of_the_engine(
    rng: random.Random,
) -> None:
    rules = STANDARD.rules()
    labels, secret = Relabelling.draw(rules, rng), rules.draw(rng)
    turns = play_on(rules, secret, [], labels, rules.max_guesses)
    own = labels.to_solver(rules, secret)
    plain = play_on(rules, own, [], Relabelling.none(rules), rules.max_guesses)
    assert [labels.turn_to_solver(rules, turn) for turn in turns] == plain
    assert turns[-1].guess == secret


async def test_the_bots_first_guesses_differ_between_games_and_share_one_pattern(
    services: Services,
) -> None:
    firsts: list[Code | None] = []
    for _ in range(30):
        view = await services.mastermind.defence.open(ANN, STANDARD)
        assert view.game.guess is not None
        firsts.append(view.game.guess)
        again = await services.mastermind.defence.open(ANN, STANDARD)  # still untouched
        assert (again.game.id, again.game.guess) == (view.game.id, view.game.guess)
        await services.mastermind.defence.give_up(ANN, view.game.id)
    assert len(set(firsts)) > 5
    assert len({pattern(first) for first in firsts if first}) == 1


async def test_a_game_of_the_bot_continues_the_same_after_a_restart_or_a_correction(
    services: Services, database_url: str, clock: FakeClock
) -> None:
    defence, secret = services.mastermind.defence, "GBYO"
    view = await answer_truly(services, await defence.open(ANN, STANDARD), secret)
    asked: Sequence[str | None] = [view.game.guess]
    async with open_services(database_url, clock) as other:
        seen = await other.mastermind.defence.view(ANN, view.game.id)
        assert seen.game.guess == view.game.guess
        turn = view.game.turns[0]
        question = Question(0, turn.guess)
        wrong = next(
            s for s in view.game.rules.answers(turn.guess) if s not in {turn.feedback, Score(4, 0)}
        )
        await other.mastermind.defence.correct(ANN, view.game.id, 1, question, wrong)
        back = await other.mastermind.defence.correct(ANN, view.game.id, 1, question, turn.feedback)
        assert [back.game.guess] == asked
        while back.game.stage is Stage.PLAYING:
            back = await answer_truly(other, back, secret)
    assert back.game.turns[-1].guess == secret
    assert all(is_consistent(back.game.rules, secret, [turn]) for turn in back.game.turns)

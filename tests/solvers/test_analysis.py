"""Analysis: what each guess was worth, recounted by hand in small games."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import isclose, log2
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BullsAndCows,
    Code,
    EngineError,
    Focdle,
    ForeignGuessError,
    GameOverError,
    Mastermind,
    Rules,
    is_consistent,
)
from engine.solvers import Prospect, TurnAnalysis, analyse, analyse_turns, codebreaker, rank
from tests.engine.material import codes
from tests.engine.test_draw import shortest
from tests.solvers.material import answered, consistent, draws, noise, play
from tests.support.effort import examples

SECRET = "25+4*12=73"
GUESSES = ["13+12-8=17", "72+31%6=73", "21+20*4=55", SECRET]

games = st.sampled_from(
    [
        Mastermind(pegs=4, colours=3),
        Mastermind(pegs=3, colours=5),
        Mastermind(pegs=4, colours=5, repeats=False),
        BullsAndCows(2),
        BullsAndCows(2, repeats=True),
    ]
)


class Worth(NamedTuple):
    """What a guess is worth among some candidates, counted one by one."""

    bits: float
    chance: float


def counted(rules: Rules[Any], guess: Code, candidates: list[Code]) -> Worth:
    answers = {code: rules.feedback(guess, code) for code in candidates}
    sizes, total = Counter(answers.values()), len(candidates)
    return Worth(
        bits=sum(size / total * log2(total / size) for size in sizes.values()),
        chance=candidates.count(guess) / total,
    )


def assert_counted(
    rules: Rules[Any], every: list[Code], secret: Code, found: tuple[TurnAnalysis[Any], ...]
) -> None:
    """All numbers of an analysis are those that counting gives."""
    candidates = every
    for index, analysis in enumerate(found):
        guess, turns = analysis.turn.guess, [analysis.turn for analysis in found[: index + 1]]
        after = consistent(rules, candidates, turns)
        worth = counted(rules, guess, candidates)
        assert analysis.turn.feedback == rules.feedback(guess, secret)
        assert (analysis.before, analysis.after) == (len(candidates), len(after))
        assert secret in after
        assert isclose(analysis.promise.bits, worth.bits, abs_tol=1e-9)
        assert isclose(analysis.promise.chance, worth.chance)

        best = counted(rules, analysis.choice, candidates)
        assert isclose(analysis.choice_promise.bits, best.bits, abs_tol=1e-9)
        assert isclose(analysis.choice_promise.chance, best.chance)
        assert (analysis.skill == 99) == (not analysis.loss.guesses)
        candidates = after


def assert_sound(rules: Rules[Any], found: tuple[TurnAnalysis[Any], ...]) -> None:
    """What is true of every analysis."""
    for earlier, later in pairwise(found):
        assert later.before == earlier.after
    for analysis in found:
        assert 1 <= analysis.after <= analysis.before
        assert 0 <= analysis.skill <= 99
        assert 0 <= analysis.promise.bits <= log2(analysis.before) + 1e-9
        assert 0 <= analysis.promise.chance <= 1 / analysis.before + 1e-9
        assert isclose(analysis.gained, log2(analysis.before / analysis.after))
        if rules.solved(analysis.turn.feedback):
            assert analysis.after == 1
    if found:
        gained = sum(analysis.gained for analysis in found)
        assert isclose(gained, log2(found[0].before / found[-1].after), abs_tol=1e-9)


class TestCounting:
    @examples(12, 500)
    @given(st.data())
    def test_all_figures_of_an_analysis_in_small_games_agree_with_counting(
        self, data: st.DataObject
    ):
        rules = data.draw(games)
        secret = data.draw(codes(rules))
        others = codes(rules).filter(lambda code: code != secret)
        guesses = [*data.draw(st.lists(others, max_size=3)), *data.draw(ending(secret))]
        allowed = data.draw(st.sampled_from(["any", "hard"]))
        found = analyse(rules, secret, guesses, allowed)
        assert [analysis.turn.guess for analysis in found] == guesses
        assert_counted(rules, list(rules.codes()), secret, found)
        assert_sound(rules, found)

    @examples(4, 40)
    @given(st.sampled_from(shortest()), st.integers(), st.integers(1, 2))
    def test_all_figures_of_an_analysis_in_focdle_agree_with_counting(
        self, secret: Code, seed: int, count: int
    ):
        rules, rng = Focdle(7), Random(seed)
        guesses = [rng.choice([noise(rng, 7), rules.draw(rng)]) for _ in range(count)]
        guesses = [*(guess for guess in guesses if guess != secret), secret]
        found = analyse(rules, secret, guesses)
        assert_counted(rules, shortest(), secret, found)
        assert_sound(rules, found)

    def test_a_game_without_guesses_has_an_empty_analysis(self):
        assert analyse(Focdle(7), "1+1+1=3", []) == ()
        assert analyse(Mastermind(), "ROYG", []) == ()


def ending(secret: Code) -> st.SearchStrategy[list[Code]]:
    """A game may be solved, or given up."""
    return st.sampled_from([[secret], []])


class TestTheDocumentsGame:
    def test_the_analysis_of_an_example_game_has_the_figures_counted_by_hand(self):
        found = analyse(Focdle(), SECRET, GUESSES)
        assert [(analysis.before, analysis.after) for analysis in found] == [
            (1_805_274, 2_233),
            (2_233, 14),
            (14, 1),
            (1, 1),
        ]
        bits = [11.122249252571239, 7.098588341820861, 3.5216406363433186, 0]
        assert [analysis.promise.bits for analysis in found] == pytest.approx(bits, abs=1e-6)
        chances = [1 / 1_805_274, 1 / 2_233, 0, 1]
        assert [analysis.promise.chance for analysis in found] == pytest.approx(chances)
        assert found[3].skill == 99
        assert all(analysis.skill < 99 for analysis in found[:2])
        assert_sound(Focdle(), found)


class TestSkill:
    @pytest.mark.parametrize("guess", ["RRO", "RRY", "YYY", "OYY", "RYO"])
    def test_an_analysis_judges_the_last_guess_only_by_whether_it_can_be_right(self, guess: str):
        rules = Mastermind(pegs=3, colours=3, max_guesses=2)
        secret, first = "RRY", "RRR"
        turns = answered(rules, secret, [first])
        possible = [code for code in rules.codes() if is_consistent(rules, code, turns)]
        for found in (
            analyse(rules, secret, [first, guess])[1],
            analyse_turns(
                replace(rules, max_guesses=9), answered(rules, secret, [first, guess]), most=2
            )[1],
        ):
            is_possible = guess in possible
            assert found.is_last
            assert found.loss.guesses == (0 if is_possible else Fraction(1, len(possible)))
            assert found.loss.stake == 0
            assert found.choice == guess if is_possible else found.choice in possible
            assert found.skill == (99 if is_possible else 0)
            assert (found.grade == "!") == is_possible

    def test_an_impossible_last_guess_gets_no_grade_when_the_chance_was_small(self):
        first, last = analyse(BullsAndCows(3, max_guesses=2), "012", ["345", "349"])
        assert not first.is_last
        assert last.is_last
        assert last.before > 20
        assert last.grade == ""

    @examples(6, 250)
    @given(st.data())
    def test_a_player_who_plays_like_the_solver_has_full_skill(self, data: st.DataObject):
        rules = data.draw(games)
        secret = data.draw(codes(rules))
        allowed = data.draw(st.sampled_from(["any", "hard"]))
        turns = play(rules, codebreaker(rules, allowed=allowed), secret)
        found = analyse(rules, secret, [turn.guess for turn in turns], allowed)
        assert {analysis.skill for analysis in found} == {99}
        assert [analysis.choice for analysis in found] == [turn.guess for turn in turns]


class TestChoices:
    def test_a_guess_is_compared_only_with_the_guesses_allowed_to_its_player(self):
        promises = {
            allowed: analyse(Focdle(9), "1+34+5=40", ["1+34+6=41"], allowed)[0].choice_promise
            for allowed in ("any", "form", "true", "hard")
        }
        assert promises["any"].bits > promises["form"].bits >= promises["true"].bits
        # Hard mode opens with what takes least, which promises less.
        assert promises["true"].bits > promises["hard"].bits


class TestWeighing:
    """A guess promises what its analysis says, whether it was made or not."""

    @examples(10, 200)
    @given(st.data())
    def test_a_possible_next_guess_is_rated_like_the_same_guess_once_made(
        self, data: st.DataObject
    ):
        rules = data.draw(games)
        secret = data.draw(codes(rules))
        others = codes(rules).filter(lambda code: code != secret)
        *made, own = data.draw(st.lists(others, min_size=1, max_size=3))
        allowed, most = data.draw(st.sampled_from(["any", "hard"])), len(made) + 1
        rules = replace(rules, max_guesses=data.draw(st.sampled_from([most, 9])))
        other, turns = data.draw(codes(rules)), answered(rules, secret, made)
        ranked = rank(rules, turns, [own, other], allowed=allowed)
        assert rank(rules, turns, [own, other], most=0, allowed=allowed) == ()
        with pytest.raises(EngineError, match="-1 is no number of guesses"):
            rank(rules, turns, most=-1)
        assert {prospect.guess for prospect in ranked} == {own, other}
        assert ranked == tuple(sorted(ranked, key=lambda prospect: prospect.loss.guesses))
        for prospect in ranked:
            found = analyse(rules, secret, [*made, prospect.guess], allowed)[-1]
            facts = found.before, found.promise, found.choice, found.choice_promise
            ends = found.loss, found.is_last, found.parts, prospect.left, found.largest
            assert prospect == Prospect(prospect.guess, *facts, *ends)


class TestRefusals:
    @pytest.mark.parametrize(
        ("rules", "secret"),
        [
            (Focdle(7), "1+1+1=4"),
            (Focdle(7), "1+1+1=33"),
            (Focdle(7), "01+1+1="),
            (Focdle(7), "1+0+1=2"),
            (Focdle(7), "9-4-5=0"),
            (Focdle(7), "1%2+354"),
            (Focdle(7), ""),
            (Focdle(8), "1+1+1=03"),
            (Mastermind(), "ROYW"),
            (Mastermind(), "ROY"),
            (Mastermind(), "royg"),
            (BullsAndCows(), "0112"),
        ],
        ids=str,
    )
    def test_an_invalid_secret_is_refused_even_without_guesses(
        self, rules: Rules[Any], secret: str
    ):
        for guesses in ([], [secret]):
            with pytest.raises(ForeignGuessError) as caught:
                analyse(rules, secret, guesses)
            assert caught.value.guess == secret

    @pytest.mark.parametrize(
        ("rules", "secret", "guess"),
        [
            (Focdle(7), "1+1+1=3", "1+1+1=33"),
            (Focdle(7), "1+1+1=3", "ROYGBPR"),
            (Focdle(7), "1+1+1=3", ""),
            (Mastermind(), "ROYG", "0123"),
            (Mastermind(), "ROYG", "ROYW"),
            (BullsAndCows(), "0123", "0112"),
        ],
        ids=str,
    )
    def test_an_analysis_of_an_invalid_guess_is_refused(
        self, rules: Rules[Any], secret: str, guess: str
    ):
        fine = str(draws(rules, 1, 1)[0])
        for guesses in ([guess], [fine, guess]):
            with pytest.raises(ForeignGuessError) as caught:
                analyse(rules, secret, guesses)
            assert caught.value.guess == guess

    @pytest.mark.parametrize(
        ("rules", "secret", "other"),
        [(Focdle(7), "1+1+1=3", "1+1+2=4"), (Mastermind(), "ROYG", "RRRR")],
        ids=str,
    )
    def test_an_analysis_with_a_guess_after_the_secret_is_refused(
        self, rules: Rules[Any], secret: str, other: str
    ):
        for guesses in ([secret, other], [other, secret, other], [secret, secret]):
            with pytest.raises(GameOverError):
                analyse(rules, secret, guesses)

"""Choices: only allowed guesses, and such that games end as soon as is known to be possible."""

from collections import Counter
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine import BullsAndCows, Code, Focdle, Marks, Mastermind, Rules, Turn, is_consistent
from engine.solvers import Allowed, codebreaker, openings
from engine.solvers.focdle.arrays import mark_numbers
from tests.engine.material import LENGTHS, codes
from tests.solvers.material import (
    SYMBOLS,
    answered,
    as_columns,
    as_numbers,
    consistent,
    draws,
    human,
    noise,
    play,
)
from tests.support.effort import examples

KINDS = ["any", "form", "true", "hard"]
STRENGTHS = ["perfect", "sharp", "casual"]
GOALS = ["mean", "worst"]
# A single game varies by so much; measured on all secrets.
DEVIATION = 0.45

# So small that every code is looked at.
NOT_KNOWN_BY_HEART = [
    Mastermind(pegs=4, colours=3),
    Mastermind(pegs=2, colours=7),
    Mastermind(pegs=5, colours=3),
    BullsAndCows(2, repeats=True),
]
"""Settings for which there is no tree."""
LOOKED_THROUGH = [
    *NOT_KNOWN_BY_HEART,
    Mastermind(pegs=4, colours=4),
    Mastermind(pegs=4, colours=5, repeats=False),
]


def assert_allowed(rules: Focdle, kind: str, guess: Code, turns: list[Turn[Marks]]) -> None:
    """What the documentation promises of guesses of this kind."""
    assert len(guess) == rules.length
    assert set(guess) <= set(SYMBOLS)
    if kind != "any":
        assert rules.parse(guess) == guess
    if kind in {"true", "hard"}:
        assert rules.is_true(guess)
    if kind == "hard":
        assert is_consistent(rules, guess, turns)


class TestAllowedGuesses:
    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("goal", GOALS)
    @pytest.mark.parametrize("length", LENGTHS)
    def test_the_opening_of_every_length_is_an_allowed_guess(
        self, length: int, goal: str, kind: str
    ):
        rules = Focdle(length)
        guess = codebreaker(rules, allowed=kind, goal=goal).next_guess([])
        assert_allowed(rules, kind, guess, [])

    @pytest.mark.parametrize("kind", KINDS)
    @pytest.mark.parametrize("goal", GOALS)
    @pytest.mark.parametrize(("length", "games"), [(7, 8), (9, 1)])
    def test_every_guess_of_the_search_after_a_persons_guesses_is_allowed(
        self, length: int, games: int, goal: str, kind: str
    ):
        rules, rng = Focdle(length), Random(7)
        breaker = codebreaker(rules, allowed=kind, goal=goal)
        for secret in draws(rules, seed=1, count=games):
            made = [rng.choice([human(rules, rng), noise(rng, length)]) for _ in range(2)]
            for count in (1, 2):
                turns = answered(rules, secret, [g for g in made if g != secret][:count])
                assert_allowed(rules, kind, breaker.next_guess(turns), turns)

    @pytest.mark.parametrize(
        ("strength", "kind"),
        [*(("perfect", kind) for kind in KINDS), ("sharp", "any"), ("casual", "any")],
    )
    def test_hard_mode_never_refuses_a_guess_of_the_search(self, strength: str, kind: str):
        rules = Focdle(7, hard=True)
        breaker = codebreaker(rules, strength, allowed=kind)
        for secret in draws(rules, seed=2, count=20):
            turns = play(rules, breaker, secret)
            for index, turn in enumerate(turns):
                rules.check(turn.guess, turns[:index])

    @pytest.mark.parametrize("rules", [*LOOKED_THROUGH, Mastermind(), BullsAndCows(3)], ids=str)
    @pytest.mark.parametrize("kind", ["any", "hard"])
    @pytest.mark.parametrize("goal", GOALS)
    def test_every_guess_of_the_search_in_other_games_is_allowed(
        self, rules: Mastermind | BullsAndCows, kind: str, goal: str
    ):
        breaker = codebreaker(rules, allowed=kind, goal=goal)
        for secret in draws(rules, seed=3, count=2):
            turns = play(rules, breaker, secret)
            for index, turn in enumerate(turns):
                assert rules.is_code(turn.guess)
                if kind == "hard":
                    assert is_consistent(rules, turn.guess, turns[:index])


class TestStrength:
    @pytest.mark.parametrize(("length", "games", "mean"), [(7, 100, 2.92), (9, 25, 3.22)])
    def test_the_search_solves_focdle_in_as_few_guesses_as_measured(
        self, length: int, games: int, mean: float
    ):
        rules = Focdle(length)
        breaker = codebreaker(rules)
        needed = [len(play(rules, breaker, secret)) for secret in draws(rules, 4, games)]
        assert max(needed) <= 5
        assert abs(sum(needed) / games - mean) <= 4 * DEVIATION / sqrt(games)

    @pytest.mark.parametrize(
        ("rules", "most"),
        # Without repeats and with as many pegs as colours, no code has a neighbour.
        [
            (Mastermind(pegs=5, colours=8), 8),
            (BullsAndCows(5), 8),
            (Mastermind(pegs=6, colours=6, repeats=False), 8),
        ],
        ids=str,
    )
    def test_the_search_solves_large_games(self, rules: Mastermind | BullsAndCows, most: int):
        breaker = codebreaker(rules)
        for secret in draws(rules, seed=5, count=1):
            assert len(play(rules, breaker, secret)) <= most

    def test_a_perfect_codebreaker_needs_fewer_guesses_than_a_sharp_or_a_casual_one(self):
        rules = Focdle(7)
        secrets = draws(rules, seed=8, count=60)
        perfect, sharp, casual = (
            sum(len(play(rules, codebreaker(rules, strength), secret)) for secret in secrets)
            for strength in STRENGTHS
        )
        assert perfect < sharp <= casual + len(secrets) // 10

    def test_no_candidate_and_no_change_of_one_symbol_improves_a_guess_of_the_search(self):
        rules, rng = Focdle(7), Random(13)
        breaker, gained = codebreaker(rules), 0
        for secret in draws(rules, seed=14, count=12):
            turns = answered(rules, secret, [noise(rng, 7)])
            left = breaker.candidates(turns, 400)
            if not 20 <= breaker.remaining(turns) <= len(left):
                continue
            guess, columns = breaker.next_guess(turns), as_columns(left)

            def parts(guess: str, columns: NDArray[np.uint8] = columns) -> int:
                return len(np.unique(mark_numbers(as_numbers(guess), columns)))

            changed = [
                guess[:place] + symbol + guess[place + 1 :]
                for place in range(7)
                for symbol in SYMBOLS
            ]
            assert parts(guess) == max(map(parts, changed))
            assert parts(guess) >= max(map(parts, left))
            gained += parts(guess) - max(map(parts, left))
        assert gained >= 20


class TestEndgames:
    @examples(7, 150)
    @given(st.data())
    def test_of_two_remaining_candidates_the_search_guesses_one(self, data: st.DataObject):
        rules = data.draw(st.sampled_from([*LOOKED_THROUGH, Mastermind()]))
        breaker = codebreaker(rules, goal=data.draw(st.sampled_from(GOALS)))
        secret = data.draw(codes(rules))
        turns = answered(rules, secret, [])
        left = list(rules.codes())
        while len(left) > 2:
            turns += answered(rules, secret, [data.draw(st.sampled_from(left))])
            left = consistent(rules, left, turns)
        if not rules.solved(turns[-1].feedback):
            assert breaker.next_guess(turns) in left

    @pytest.mark.parametrize("kind", KINDS)
    def test_of_two_remaining_equations_the_search_in_focdle_guesses_one(self, kind: str):
        rules, rng = Focdle(7), Random(9)
        breaker = codebreaker(rules, allowed=kind)
        sizes: Counter[int] = Counter()
        for secret in draws(rules, seed=9, count=40):
            turns = answered(rules, secret, [noise(rng, 7), noise(rng, 7), human(rules, rng)])
            left = breaker.candidates(turns, 3)
            sizes[len(left)] += 1
            if len(left) <= 2 and turns[-1].guess != secret:
                assert breaker.next_guess(turns) in left
        assert min(sizes[1], sizes[2]) >= 3

    @pytest.mark.parametrize("strength", STRENGTHS)
    @pytest.mark.parametrize(
        ("rules", "games"),
        [(Focdle(7), 10), (Focdle(9), 2), (Mastermind(pegs=4, colours=4), 5), (BullsAndCows(3), 2)],
        ids=str,
    )
    def test_the_search_repeats_no_guess(self, rules: Rules[Any], games: int, strength: str):
        rng = Random(10)
        for goal in GOALS:
            breaker = codebreaker(rules, strength, goal=goal)
            for _ in range(games):
                turns = play(rules, breaker, rules.draw(rng))
                assert max(Counter(turn.guess for turn in turns).values()) == 1

    @pytest.mark.parametrize("allowed", ["any", "hard"])
    @pytest.mark.parametrize("rules", LOOKED_THROUGH, ids=str)
    def test_the_number_of_candidates_shrinks_with_every_perfect_guess(
        self, rules: Mastermind | BullsAndCows, allowed: str
    ):
        breaker = codebreaker(rules, allowed=allowed)
        for secret in draws(rules, seed=11, count=2):
            turns = play(rules, breaker, secret)
            left = [breaker.remaining(turns[:count]) for count in range(len(turns) + 1)]
            assert all(after < before for before, after in pairwise(left) if before > 1)
            assert left[-1] == 1


class TestGoals:
    @examples(7, 150)
    @given(st.data())
    def test_the_worst_case_search_leaves_as_few_candidates_as_possible_at_worst(
        self, data: st.DataObject
    ):
        rules = data.draw(st.sampled_from(NOT_KNOWN_BY_HEART))
        secret = data.draw(codes(rules))
        made = data.draw(
            st.lists(codes(rules).filter(lambda c: c != secret), min_size=1, max_size=2)
        )
        turns = answered(rules, secret, made)
        left = consistent(rules, rules.codes(), turns)

        def largest(guess: Code) -> int:
            answers = Counter(rules.feedback(guess, code) for code in left if code != guess)
            return max(answers.values(), default=0)

        worst, mean = (
            codebreaker(rules, goal=goal).next_guess(turns) for goal in ("worst", "mean")
        )
        assert largest(worst) == min(largest(code) for code in rules.codes())
        assert largest(worst) <= largest(mean)

    def test_the_worst_case_search_in_focdle_leaves_fewer_at_worst_than_the_mean_search(self):
        rules, rng = Focdle(7), Random(12)
        totals: Counter[str] = Counter()
        for secret in draws(rules, seed=12, count=8):
            turns = answered(rules, secret, [noise(rng, 7)])
            left = codebreaker(rules).candidates(turns, 10_000)
            for goal in GOALS:
                guess = codebreaker(rules, goal=goal).next_guess(turns)
                parts = Counter(rules.feedback(guess, code) for code in left)
                totals[goal] += max(parts.values())
        assert totals["worst"] < totals["mean"]


@pytest.mark.parametrize("kind", Allowed)
def test_the_first_of_several_openings_is_the_one_that_the_solver_plays(kind: Allowed):
    for rules in map(Focdle, LENGTHS):
        found = openings(rules, kind)
        assert found[0] == codebreaker(rules, allowed=kind).next_guess([])
        assert 1 < len(set(found)) == len(found) <= 8
        assert kind is Allowed.ANY or [*map(rules.parse, found)] == [*found]
        assert kind in {Allowed.ANY, Allowed.FORM} or all(map(rules.is_true, found))

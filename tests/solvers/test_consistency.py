"""Contradictions: which turns cannot all be true, and which one may be corrected."""

from collections.abc import Iterable
from itertools import combinations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BullsAndCows, Code, Focdle, InconsistentFeedback, Mark, Mastermind, Score, Turn
from engine.rules import Rules
from engine.solvers import codebreaker
from tests.engine.material import TINY, codes
from tests.engine.test_draw import shortest
from tests.solvers.material import answered, consistent
from tests.support.effort import examples

FEW = Mastermind(pegs=4, colours=3, max_guesses=99)
Verdict = tuple[tuple[int, ...], tuple[int, ...]]
"""Which turns cannot all be true, and which may be corrected; nothing if all is well."""
FINE: Verdict = ((), ())


def verdict(rules: Rules[Any], turns: list[Turn[Any]]) -> Verdict:
    """What the engine says of a history."""
    try:
        remaining = codebreaker(rules).remaining(turns)
    except InconsistentFeedback as error:
        return error.turns, error.repairs
    assert remaining >= 1
    return FINE


def brute_force(rules: Rules[Any], secrets: Iterable[Code], turns: list[Turn[Any]]) -> Verdict:
    """The same, from trying every secret with every set of turns, small sets first."""
    explained: set[frozenset[int]] = set()
    repairs: set[int] = set()
    everything = frozenset(range(len(turns)))
    for secret in secrets:
        answers = [rules.feedback(turn.guess, secret) for turn in turns]
        true = {index for index, turn in enumerate(turns) if turn.feedback == answers[index]}
        explained.add(frozenset(true))
        if len(false := everything - true) == 1:
            # Nothing follows the guess that is right, so no such answer makes a history possible.
            repairs |= {t for t in false if t == len(turns) - 1 or not rules.solved(answers[t])}
    if everything in explained:
        return FINE
    for size in range(1, len(turns) + 1):
        sets = combinations(range(len(turns)), size)
        those_false = [s for s in sets if not any(e.issuperset(s) for e in explained)]
        if those_false:
            return max(those_false), tuple(sorted(repairs))
    raise AssertionError


@st.composite
def histories(
    draw: st.DrawFn, rules: Mastermind | BullsAndCows, least: int, most: int, secrets: int
) -> list[Turn[Score]]:
    """Turns that answer now for one secret, now for another; none of them is guessed."""
    answering = draw(st.lists(codes(rules), min_size=1, max_size=secrets))
    guess = codes(rules).filter(lambda code: code not in answering)
    turns = draw(
        st.lists(st.tuples(guess, st.sampled_from(answering)), min_size=least, max_size=most)
    )
    return [Turn(guess, rules.feedback(guess, secret)) for guess, secret in turns]


@pytest.mark.parametrize(
    ("rules", "secrets", "few"),
    [(FEW, 4, 15), (FEW, 20, 10), (Mastermind(pegs=4, colours=4), 3, 8), (Mastermind(), 3, 5)],
    ids=str,
)
@pytest.mark.long
def test_the_smallest_and_latest_set_of_false_turns_is_found(
    rules: Mastermind, secrets: int, few: int
):
    every = list(rules.codes())

    def check(turns: list[Turn[Score]]) -> bool:
        expected = brute_force(rules, every, turns)
        assert verdict(rules, turns) == expected
        return expected == FINE

    # One of each kind at least, whatever is drawn.
    guess, other, secret = every[0], every[1], every[-1]
    told = Turn(guess, rules.feedback(guess, secret))
    assert check([told, Turn(other, rules.feedback(other, secret))])
    assert not check([told, Turn(guess, rules.feedback(guess, other))])

    @examples(few, 30 * few)
    @given(histories(rules, 2, 7, secrets))
    def agree(turns: list[Turn[Score]]) -> None:
        check(turns)

    agree()


@examples(4, 50)
@given(st.data())
def test_the_smallest_and_latest_set_of_false_turns_in_focdle_is_found(data: st.DataObject):
    rules = Focdle(7)
    answering = data.draw(st.lists(st.sampled_from(shortest()), min_size=1, max_size=3))
    strings = st.text("0123+-*%=", min_size=7, max_size=7)
    guesses = data.draw(
        st.lists(st.sampled_from(shortest()) | strings, min_size=2, max_size=4).filter(
            lambda made: not set(made) & set(answering)
        )
    )
    turns = [
        Turn(guess, rules.feedback(guess, data.draw(st.sampled_from(answering))))
        for guess in guesses
    ]
    assert verdict(rules, turns) == brute_force(rules, shortest(), turns)


@examples(4, 60)
@given(histories(FEW, 60, 72, 2))
def test_the_smallest_set_of_false_turns_is_found_in_very_long_histories(
    turns: list[Turn[Score]],
):
    assert verdict(FEW, turns) == brute_force(FEW, FEW.codes(), turns)


@pytest.mark.parametrize("at", [(0, 1), (3, 61), (5, 62), (61, 62), (62, 63), (0, 98), (97, 98)])
def test_a_pair_of_false_turns_is_found_anywhere_in_a_long_history(at: tuple[int, int]):
    turns = [Turn("YYYY", Score(0, 0))] * 99
    for place, bulls in zip(at, (1, 2), strict=True):
        turns[place] = Turn("RRRR", Score(bulls, 0))
    assert verdict(FEW, turns) == (at, at)


def test_the_latest_of_equally_small_sets_of_false_turns_is_named():
    turns = [Turn("YYYY", Score(0, 0))] * 70
    for place in (5, 64):
        turns[place] = Turn("RRRR", Score(1, 0))
    turns[66] = Turn("RRRR", Score(2, 0))
    assert verdict(FEW, turns) == ((64, 66), (66,))
    turns[3] = Turn("RRRR", Score(3, 0))
    assert verdict(FEW, turns) == ((64, 66), ())


@examples(7, 300)
@given(st.data())
def test_an_honest_player_is_never_told_of_a_contradiction(data: st.DataObject):
    rules = data.draw(st.sampled_from([rules for rules in TINY if rules.size > 20]))
    assert verdict(rules, data.draw(histories(rules, 0, 8, 1))) == FINE


@pytest.mark.parametrize(
    ("guess", "marks"),
    [
        ("1+1+1=4", (Mark.CORRECT,) * 7),
        ("=======", (Mark.ABSENT,) * 7),
        ("0123456", (Mark.CORRECT,) + (Mark.ABSENT,) * 6),
    ],
)
def test_a_single_turn_can_be_contradictory(guess: str, marks: tuple[Mark, ...]):
    rules, turn = Focdle(7), Turn(guess, marks)
    assert verdict(rules, [turn]) == ((0,), (0,))
    fine = answered(rules, "1+1+1=3", ["9*1-8=1", "2+2+2=6"])
    assert verdict(rules, [*fine, turn]) == ((2,), (2,))


def test_a_suggested_correction_makes_the_history_possible_again():
    rules = Mastermind()
    turns = answered(rules, "ROYG", ["RRRR", "OOBB", "YGPP"])
    turns[1] = Turn(turns[1].guess, Score(3, 0))
    _, repairs = verdict(rules, turns)
    assert 1 in repairs
    for repair in repairs:
        guess = turns[repair].guess
        possible = {
            answer
            for answer in rules.answers(guess)[:-1]
            if verdict(rules, [*turns[:repair], Turn(guess, answer), *turns[repair + 1 :]]) == FINE
        }
        rest = [turn for index, turn in enumerate(turns) if index != repair]
        explaining = consistent(rules, rules.codes(), rest)
        assert possible == {rules.feedback(guess, code) for code in explaining} - {Score(4, 0)}
        assert possible


def test_a_suggested_correction_can_make_only_the_last_guess_the_secret():
    rules = Mastermind(pegs=2, colours=2)
    turns = answered(rules, "RO", ["OO", "RR", "OR"])
    right = Turn("RO", Score(0, 2))
    # Either this answer is wrong or the last one: but the game would have ended with this guess.
    assert verdict(rules, [right, *turns])[1] == (3,)
    assert verdict(rules, [*turns, right])[1] == (3,)


def test_a_contradiction_of_ten_turns_is_found_among_six_copies_of_each():
    turns = [Turn(str(digit), Score(0, 0)) for _ in range(6) for digit in range(10)]
    named, repairs = verdict(BullsAndCows(1, max_guesses=99), turns)
    assert named == tuple(range(50, 60))
    assert repairs == ()


def test_codebreakers_of_every_strength_and_goal_find_the_same_contradiction():
    turns = [Turn("RRRR", Score(bulls, 0)) for bulls in (1, 2)]
    for strength in ("perfect", "sharp", "casual"):
        for allowed in ("any", "hard"):
            for goal in ("mean", "worst"):
                breaker = codebreaker(Mastermind(), strength, allowed, goal)
                with pytest.raises(InconsistentFeedback) as caught:
                    breaker.next_guess(turns)
                assert (caught.value.turns, caught.value.repairs) == ((0, 1), (0, 1))


@examples(7, 300)
@given(
    st.sampled_from([Mastermind(), BullsAndCows(3), FEW]),
    st.sampled_from(["mean", "worst"]),
    st.randoms(use_true_random=False),
)
def test_a_false_answer_is_reported_as_soon_as_no_code_is_possible(
    rules: Mastermind | BullsAndCows, goal: str, rng: Random
):
    breaker = codebreaker(rules, goal=goal)
    turns: list[Turn[Score]] = []
    left = list(rules.codes())
    while left:
        guess = breaker.next_guess(turns)
        turns.append(Turn(guess, rng.choice(rules.answers(guess)[:-1])))
        left = consistent(rules, left, turns[-1:])
    with pytest.raises(InconsistentFeedback) as caught:
        breaker.next_guess(turns)
    assert caught.value.turns[-1] == len(turns) - 1


def test_an_answer_forgotten_by_a_casual_codebreaker_still_counts_for_contradictions():
    turns = [Turn("YYYY", Score(0, 0))] * 6
    turns[0] = Turn("YYYY", Score(1, 0))
    with pytest.raises(InconsistentFeedback) as caught:
        codebreaker(FEW, "casual").next_guess(turns)
    assert (caught.value.turns, caught.value.repairs) == ((0, 5), (0,))

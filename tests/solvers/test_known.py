"""What is known after some turns, and the guesses that are best then, beside brute force."""

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BullsAndCows,
    Focdle,
    GameOverError,
    InconsistentFeedback,
    Mastermind,
    Shown,
    Turn,
    is_consistent,
    measure,
    play,
)
from engine.solvers import Allowed, codebreaker, known, openings, rank
from tests.engine.material import codes, tiny_games
from tests.support.effort import either, examples


@examples(20, 400)
@given(st.data())
def test_what_is_known_is_what_all_candidates_have_in_common(data: st.DataObject):
    rules = data.draw(tiny_games)
    secret = data.draw(codes(rules))
    guesses = data.draw(st.lists(codes(rules).filter(lambda c: c != secret), max_size=3))
    turns: list[Any] = [Turn(guess, rules.feedback(guess, secret)) for guess in guesses]
    turns += data.draw(st.sampled_from([[], [Shown(0, secret[0])]]))
    left = [code for code in rules.codes() if is_consistent(rules, code, turns)]
    found = known(rules, turns)
    for place, symbols in enumerate(found.places):
        assert symbols == "".join(s for s in rules.alphabet if any(c[place] == s for c in left))
    for symbol in rules.alphabet:
        counts = [code.count(symbol) for code in left]
        assert (found.least[symbol], found.most[symbol]) == (min(counts), max(counts))
    assert [*found.least] == [*found.most] == list(rules.alphabet)


def test_what_is_known_of_a_focdle_goes_beyond_its_marks():
    found = known(Focdle(), [Turn("72+31%6=73", "xygxyxxggg")])
    assert found.places[2] == "+"
    assert found.places[7:] == ("=", "7", "3")
    assert found.least["1"] == 1
    assert found.most["6"] == 0
    assert found.most["+"] == 2


@examples(10, 200)
@given(st.data())
def test_figures_of_ranked_guesses_agree_with_counting(data: st.DataObject):
    rules = data.draw(tiny_games)
    secret = data.draw(codes(rules))
    made = data.draw(st.lists(codes(rules).filter(lambda c: c != secret), max_size=2, unique=True))
    turns = [Turn(guess, rules.feedback(guess, secret)) for guess in made]
    left = [code for code in rules.codes() if is_consistent(rules, code, turns)]
    ranked = rank(rules, turns, most=5)
    assert ranked[0].guess == codebreaker(rules).next_guess(turns)
    assert len({prospect.guess for prospect in ranked}) == len(ranked) <= 5
    assert [p.loss.guesses for p in ranked] == sorted(p.loss.guesses for p in ranked)
    for prospect in ranked:
        parts = Counter(rules.feedback(prospect.guess, code) for code in left)
        wrong = [size for answer, size in parts.items() if not rules.solved(answer)]
        assert prospect.parts == len(parts)
        assert prospect.left == pytest.approx(sum(size * size for size in wrong) / len(left))
        assert prospect.largest == max(parts.values())
        assert prospect.promise.chance == (prospect.guess in left) / len(left)


def test_a_ranking_of_given_guesses_contains_no_other_guess():
    turns = [Turn("RROY", "●○")]
    among = ["RGRB", "PPPP", "RRRR"]
    ranked = rank(Mastermind(), turns, among)
    assert [prospect.guess for prospect in ranked] == ["RGRB", "RRRR", "PPPP"]
    assert [p.guess for p in rank(Mastermind(), turns, among, most=1)] == ["RGRB"]


def test_contradictory_feedback_gives_neither_knowledge_nor_a_ranking():
    impossible = [Turn("RRRR", "-"), Turn("RROO", "●●●")]
    for find in (known, rank):
        with pytest.raises(InconsistentFeedback):
            find(Mastermind(), impossible)
    solved = [Turn("RRRR", "●●●●")]
    assert known(Mastermind(), solved).places == ("R", "R", "R", "R")
    with pytest.raises(GameOverError):
        rank(Mastermind(), solved)


@pytest.mark.relabelled
class TestOpenings:
    """With a generator, a perfect Codebreaker begins each game with another guess as good."""

    @pytest.mark.parametrize(
        "rules",
        [Mastermind(pegs=3, colours=5), BullsAndCows(3), *either([], [Mastermind()])],
        ids=str,
    )
    def test_a_random_opening_takes_as_many_guesses_for_all_secrets_as_the_usual_one(
        self, rules: Mastermind | BullsAndCows
    ):
        total = measure(rules, codebreaker(rules)).guesses
        rng = Random(1)
        breaker = codebreaker(rules, rng=rng)
        firsts = {breaker.next_guess([]) for _ in range(60)}
        assert len(firsts) > 10
        for first in sorted(firsts)[:3]:
            made = 0
            for secret in rules.codes():
                guess, turns = first, [Turn(first, rules.feedback(first, secret))]
                while guess != secret:
                    guess = breaker.next_guess(turns)
                    turns.append(Turn(guess, rules.feedback(guess, secret)))
                made += len(turns)
            assert made == total

    def test_a_codebreaker_begins_a_focdle_with_one_of_the_shipped_openings(self):
        breaker = codebreaker(Focdle(7), allowed="form", rng=Random(1))
        firsts = {breaker.next_guess([]) for _ in range(100)}
        assert firsts == set(openings(Focdle(7), Allowed.FORM))
        game = play(Focdle(7, max_guesses=9), "1+2%6=3", breaker)
        assert game.guesses[-1] == "1+2%6=3"

    def test_after_an_opening_of_another_kind_a_random_codebreaker_plays_like_the_usual_one(self):
        rules, turns = Mastermind(), [Turn("RRRR", "●")]
        plain = codebreaker(rules).next_guess(turns)
        assert codebreaker(rules, rng=Random(1)).next_guess(turns) == plain

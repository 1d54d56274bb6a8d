"""Hard FoCdle: the guess after which playing on takes least, counted anew without arrays."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Code, Focdle, Marks, is_consistent
from engine.feedback import mark
from engine.solvers import codebreaker, solve
from engine.solvers.focdle.playing_out import safest_guess
from tests.solvers.material import SYMBOLS, answered, as_columns
from tests.support.effort import examples

TRIED, TOO_LATE = 32, 3


def parts(guess: Code, candidates: list[Code]) -> dict[Marks, list[Code]]:
    """Candidates by the marks that they give to a guess."""
    found: dict[Marks, list[Code]] = {}
    for code in candidates:
        found.setdefault(mark(guess, code), []).append(code)
    return found


def cost(guess: Code, candidates: list[Code], turn: int, left: int) -> int:
    """What candidates take if this one is guessed now, and then those with the most parts."""
    spent = turn + TOO_LATE * max(0, turn - left)
    for part in parts(guess, candidates).values():
        if part != [guess]:
            best = max(part, key=lambda code: len(parts(code, part)))
            spent += cost(best, part, turn + 1, left)
    return spent


def safest(candidates: list[Code], left: int) -> Code:
    """The candidate that takes least of the best by their parts, the first of equal ones."""
    tried = sorted(candidates, key=lambda code: -len(parts(code, candidates)))[:TRIED]
    if len(parts(tried[0], candidates)) == len(candidates):
        return tried[0]
    return min(tried, key=lambda guess: cost(guess, candidates, 1, left))


@examples(25, long=500)
@given(st.randoms(use_true_random=False), st.sampled_from([7, 8]), st.integers(-1, 5))
def test_the_guess_takes_least_of_those_that_are_played_out(
    rng: Random, length: int, left: int
) -> None:
    rules = Focdle(length, hard=True)
    breaker, secret = codebreaker(rules), rules.draw(rng)
    turns = answered(rules, secret, [rules.draw(rng)])
    candidates = breaker.candidates(turns, limit=60)
    if len(candidates) < 3:
        return
    found = safest_guess(as_columns(candidates), left)
    assert "".join(SYMBOLS[n] for n in found) == safest(candidates, left)


@pytest.mark.parametrize("secret", ["7+85%2=8", "6-2%79=4", "2+39%1=2", "3%58-1=2"])
def test_secrets_that_once_took_too_many_guesses_are_found_in_time(secret: str) -> None:
    rules = Focdle(8, hard=True)
    turns = solve(rules, secret)
    assert len(turns) <= rules.max_guesses
    for index, turn in enumerate(turns):
        assert is_consistent(rules, turn.guess, turns[:index])

"""Hard FoCdle: the guess after which playing on takes least, counted anew without arrays."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.solvers.measures import search
from benchmarks.solvers.report import Figure, Watch, now
from engine import Code, Focdle, Marks, is_consistent
from engine.feedback import mark
from engine.solvers import Allowed, codebreaker, solve
from engine.solvers.focdle.playouts import safest_guess
from tests.solvers.material import SYMBOLS, answered, as_columns, secrets_as_array
from tests.support.effort import examples

TRIED, LOOKED_INTO, RATED = 8, 8, 32
LOST, TOO_LATE = 10, 3


def parts(guess: Code, candidates: list[Code]) -> dict[Marks, list[Code]]:
    """Candidates by the marks that they give to a guess."""
    found: dict[Marks, list[Code]] = {}
    for code in candidates:
        found.setdefault(mark(guess, code), []).append(code)
    return found


def some(part: list[Code], most: int) -> list[Code]:
    """Members of a part, evenly spread."""
    number = min(len(part), most)
    return [part[rank * len(part) // number] for rank in range(number)]


def by_parts(guesses: list[Code], candidates: list[Code]) -> list[Code]:
    """Guesses, those first that make the most parts of the candidates."""
    return sorted(guesses, key=lambda code: -len(parts(code, candidates)))


def spent(turn: int, left: int) -> int:
    """What a candidate takes that is found with this guess."""
    late = turn - left
    return turn + (LOST + TOO_LATE * late if late > 0 else 0)


def cost(guess: Code, candidates: list[Code], turn: int, left: int) -> int:
    """What candidates take if this one is guessed now, then of some those with most parts."""
    return spent(turn, left) + sum(
        cost(by_parts(some(part, TRIED), part)[0], part, turn + 1, left)
        for part in parts(guess, candidates).values()
        if part != [guess]
    )


def looked_into(guess: Code, candidates: list[Code], left: int) -> int:
    """What they take if the best of several is guessed next in each part."""
    return spent(1, left) + sum(
        min(cost(after, part, 2, left) for after in by_parts(some(part, RATED), part)[:LOOKED_INTO])
        for part in parts(guess, candidates).values()
        if part != [guess]
    )


def safest(candidates: list[Code], left: int) -> Code:
    """The candidate that takes least, the one with most parts of equal ones."""
    tried = by_parts(candidates, candidates)
    if len(parts(tried[0], candidates)) == len(candidates):
        return tried[0]
    best = sorted(tried, key=lambda guess: cost(guess, candidates, 1, left))[:LOOKED_INTO]
    return min(best, key=lambda guess: looked_into(guess, candidates, left))


def check_safest(rng: Random, length: int, left: int) -> None:
    rules = Focdle(length, hard=True)
    breaker, secret = codebreaker(rules), rules.draw(rng)
    turns = answered(rules, secret, [rules.draw(rng)])
    candidates = breaker.candidates(turns, limit=64)
    if len(candidates) < 3:
        return
    found = safest_guess(as_columns(candidates), left)
    assert "".join(SYMBOLS[n] for n in found) == safest(candidates, left)


@examples(10, long=500)
@given(st.randoms(use_true_random=False), st.sampled_from([7, 8, 13]), st.integers(-1, 5))
def test_the_chosen_guess_costs_least_among_those_played_out(
    rng: Random, length: int, left: int
) -> None:
    check_safest(rng, length, left)


@pytest.mark.parametrize(
    ("seed", "length", "left"),
    [(270, 7, 2), (309, 8, 3), (272, 7, 3), (42, 7, 2), (83, 8, 4)],
    ids=["a lost game", "a guess too late", "few tried", "the second look", "those rated for it"],
)
def test_the_safest_guess_equals_a_plain_recomputation_in_rare_cases(
    seed: int, length: int, left: int
) -> None:
    check_safest(Random(seed), length, left)


def test_the_safest_of_many_candidates_is_always_the_same() -> None:
    columns = secrets_as_array(8)[:, ::9]
    guess = safest_guess(columns, 5)
    assert (columns == guess[:, None]).all(axis=0).any()
    assert (safest_guess(columns, 5) == guess).all()


def test_no_secret_of_the_shortest_length_takes_too_many_guesses() -> None:
    found = search(7, Allowed.HARD, 0, 0, Watch("", now()))
    assert found.distribution == {1: 1, 2: 404, 3: 3001, 4: 1019, 5: 91, 6: 2}
    assert found.figures[Figure.LOST] == 0


@pytest.mark.parametrize("secret", ["2+39%1=2", "5%94+3=8", "1%97+3=4"])
def test_secrets_that_once_took_too_many_guesses_are_found_within_the_limit(secret: str) -> None:
    rules = Focdle(8, hard=True)
    turns = solve(rules, secret)
    assert len(turns) <= rules.max_guesses
    for index, turn in enumerate(turns):
        assert is_consistent(rules, turn.guess, turns[:index])

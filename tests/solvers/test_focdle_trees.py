"""The trees of FoCdle are as good as they say, and what is proven of them is true."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import islice, product
from random import Random

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import Focdle, mark
from engine.choice import Allowed, Goal
from engine.solvers import codebreaker, solve
from engine.solvers.focdle.arrays import mark_numbers, mark_pairs
from engine.solvers.focdle.space import FocdleSpace
from engine.solvers.focdle.tree import FocdleTree
from engine.solvers.space import as_symbols
from engine.solvers.tree_files import DamagedTreeError
from engine.solvers.trees import tree_of
from tests.solvers.material import (
    SYMBOLS,
    answered,
    as_codes,
    as_columns,
    as_numbers,
    noise,
    secrets_as_array,
)
from tests.support.effort import either
from tools.trees.focdle_trees import (
    FOCDLE_STRATEGIES,
    Endgames,
    FocdleStrategy,
    Plan,
    Strings,
    amount,
    build,
    floor,
    parts_after,
)
from tools.trees.optimum import cheaper, told_apart

TOTALS = {"focdle-7-both.txt": (13113, 4), "focdle-8-both.txt": (208616, 4)}
SEVEN = FOCDLE_STRATEGIES[0]


def shipped(strategy: FocdleStrategy) -> str:
    return files("engine.solvers").joinpath("data", strategy.file_name).read_text(encoding="ascii")


@cache
def marks(guess: str, secret: str) -> int:
    """Marks as a number, the leftmost least, by the rules' own marking."""
    return sum(int(m) * 3**place for place, m in enumerate(mark(guess, secret)))


def courses(length: int, text: str) -> Iterator[list[tuple[str, int]]]:
    """The turns of every game that a file describes, read by its format's description."""
    guesses = iter(text.partition("\n")[2].split())
    secrets = [str(code) for code in as_codes(secrets_as_array(length))]
    level: list[tuple[list[tuple[str, int]], list[str]]] = [([], secrets)]
    while level:
        parts: list[tuple[list[tuple[str, int]], list[str]]] = []
        for turns, left in level:
            guess = next(guesses) if len(left) > 2 else left[0]
            found: dict[int, list[str]] = {}
            for secret in left:
                found.setdefault(marks(guess, secret), []).append(secret)
            parts += [([*turns, (guess, number)], found[number]) for number in sorted(found)]
        solved = [turns for turns, left in parts if turns[-1][0] == left[0]]
        yield from solved
        level = [(turns, left) for turns, left in parts if turns[-1][0] != left[0]]
    assert next(guesses, None) is None


@pytest.mark.parametrize("strategy", FOCDLE_STRATEGIES, ids=lambda strategy: strategy.file_name)
def test_a_focdle_tree_takes_as_many_guesses_as_its_header_says(strategy: FocdleStrategy):
    header = FocdleTree.read(Focdle(strategy.length), shipped(strategy)).header
    assert (header.total, header.most) == TOTALS[strategy.file_name]


@pytest.mark.parametrize(
    "strategy",
    [
        pytest.param(each, marks=[] if each is SEVEN else [pytest.mark.long(only=True)])
        for each in FOCDLE_STRATEGIES
    ],
    ids=lambda strategy: strategy.file_name,
)
def test_every_focdle_secret_is_found_in_as_many_guesses_as_its_tree_says(strategy: FocdleStrategy):
    text = shipped(strategy)
    tree = FocdleTree.read(Focdle(strategy.length), text)
    found: set[str] = set()
    lengths: Counter[int] = Counter()
    for course in courses(strategy.length, text):
        turns = [(tuple(as_numbers(guess)), number) for guess, number in course]
        assert tree.lookup(turns[:-1]) in {turns[-1][0], None}
        assert tree.lookup(turns) is None
        assert tree.lookup(turns[:1]) or len(course) < 4
        found.add(course[-1][0])
        lengths[len(course)] += 1
    secrets = Focdle(strategy.length).size
    assert len(found) == lengths.total() == secrets
    total = sum(length * count for length, count in lengths.items())
    assert (total, max(lengths)) == TOTALS[strategy.file_name]
    header = f"# focdle:{strategy.length} {strategy.goal} {total}/{secrets} max {max(lengths)}"
    assert text.splitlines()[0] == header == str(tree.header)
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize("goal", ["mean", "worst"])
def test_a_codebreaker_plays_the_tree_only_where_any_string_is_an_allowed_guess(goal: str):
    rules, text = Focdle(7), shipped(SEVEN)
    longest = {str(course[-1][0]): course for course in courses(7, text)}
    for secret in Random(7).sample(sorted(longest), either(20, 200)):
        played = [str(turn.guess) for turn in solve(rules, secret, goal=goal)]
        assert played == [guess for guess, _ in longest[secret]]
    for allowed in ("form", "true", "hard"):
        first = codebreaker(rules, allowed=allowed, goal=goal).next_guess([])
        assert first != SEVEN.opening
        rules.parse(first)
    hard = codebreaker(Focdle(7, hard=True), goal=goal)
    assert rules.is_true(hard.next_guess([]))


def test_a_player_who_leaves_the_tree_is_guided_by_the_search():
    tree = tree_of(Focdle(7), "mean")
    assert tree
    assert tree.header.mean == 13113 / 4518
    opening = tuple(as_numbers(SEVEN.opening))
    assert tree.lookup([]) == opening
    assert tree.lookup([(opening[::-1], 0)]) is None
    assert tree.lookup([(opening, 3**7 - 1)]) is None
    sizes = Counter(marks(SEVEN.opening, secret) for secret in as_codes(secrets_as_array(7)))
    for size in (1, 2):
        number = next(number for number in sizes if sizes[number] == size)
        assert tree.lookup([(opening, number)]) is None
    turns = answered(Focdle(7), "9*8%7=2", ["1+2+3=6", "9*8%5=2"])
    breaker = codebreaker(Focdle(7))
    searched = FocdleSpace(Focdle(7)).choose(
        as_columns(breaker.candidates(turns, 99)), Allowed.ANY, Goal.MEAN, 2
    )
    assert tuple(as_numbers(breaker.next_guess(turns))) == searched


def damaged(text: str) -> Iterator[str]:
    """The same file after some accidents."""
    header, *lines = text.splitlines()
    guesses = " ".join(lines).split()
    yield ""
    yield header
    yield "\n".join(lines)
    yield text.replace("13113", "13112")
    yield text.replace("max 4", "max 3")
    yield text.replace("focdle:7 ", "focdle:8 ")
    yield text.replace("/4518", "/4517")
    yield text[: len(text) // 2]
    yield f"{text} {guesses[-1]}"
    for changed in (
        guesses[1:],
        guesses[:-1],
        guesses[::-1],
        ["1+1+1=33", *guesses[1:]],
        ["1/1+1=2", *guesses[1:]],
        ["=======", *guesses[1:]],
    ):
        yield f"{header}\n{' '.join(changed)}"


def test_a_damaged_focdle_tree_is_refused():
    text = shipped(SEVEN)
    for other in damaged(text):
        with pytest.raises(DamagedTreeError):
            FocdleTree.read(Focdle(7), other)
    with pytest.raises(DamagedTreeError):
        FocdleTree.read(Focdle(8), text)


def test_marks_of_pairs_of_guess_and_secret_equal_the_marks_of_the_rules():
    rng = Random(8)
    secrets = as_codes(secrets_as_array(7)[:, ::9])
    guesses = [rng.choice([noise(rng, 7), rng.choice(secrets), secret]) for secret in secrets]
    found = mark_pairs(as_columns(guesses), as_columns(secrets)).tolist()
    assert found == [marks(guess, secret) for guess, secret in zip(guesses, secrets, strict=True)]


def small(rng: Random, places: tuple[int, ...], count: int) -> NDArray[np.uint8]:
    """Different candidates that are cut out of secrets."""
    secrets = secrets_as_array(7)
    cut = np.unique(secrets[list(places)], axis=1)
    near = rng.randrange(cut.shape[1])  # neighbours are harder to tell apart than strangers
    chosen = {(near + rng.choice([1, 1, 1, 40]) * step) % cut.shape[1] for step in range(count)}
    return np.ascontiguousarray(cut[:, sorted(chosen)])


@cache
def every_string(length: int) -> NDArray[np.intp]:
    return np.array(list(product(range(len(SYMBOLS)), repeat=length)), np.intp)


def divisions(columns: NDArray[np.uint8]) -> set[tuple[int, ...]]:
    """Every way in which any string divides candidates: for each the first that gives the same."""
    found: set[tuple[int, ...]] = set()
    for guess in every_string(len(columns)).tolist():
        numbers = mark_numbers(guess, columns).tolist()
        found.add(tuple(map(numbers.index, numbers)))
    return found


@pytest.mark.long(only=True)
@pytest.mark.parametrize("places", [(0, 1, 6), (0, 2, 4), (1, 2, 3), (4, 5, 6)])
def test_every_division_of_candidates_into_enough_parts_is_found(
    places: tuple[int, ...],
):
    rng = Random(str(places))
    for count in (3, 8, 20):
        columns = small(rng, places, count)
        every = divisions(columns)
        for least in range(1, count + 2):
            found = list(Strings(columns).making(least))
            said: list[list[int]] = [
                parts.tolist() for division in found for parts in division.parts
            ]
            assert {tuple(map(parts.index, parts)) for parts in said} == {
                way for way in every if len(set(way)) >= least
            }
            for division in found:
                assert division.counts.min() >= least
                guesses = zip(division.guesses, division.parts.tolist(), strict=True)
                for guess, parts in islice(guesses, 3):
                    numbers = mark_numbers(guess.tolist(), columns).tolist()
                    assert [*map(numbers.index, numbers)] == [*map(parts.index, parts)]


class Exhaustive:
    """What candidates take, by trying every string as every guess.

    Args:
        columns: the candidates.
    """

    def __init__(self, columns: NDArray[np.uint8]) -> None:
        secrets = [tuple(column) for column in columns.T.tolist()]
        guesses = every_string(len(columns)).tolist()
        # What a guess tells; it is no reply to be right.
        self._replies = {
            tuple(
                -1 if secret == tuple(guess) else number
                for secret, number in zip(
                    secrets, mark_numbers(guess, columns).tolist(), strict=True
                )
            )
            for guess in guesses
        }
        self.cost = cache(self._cost)

    def _cost(self, left: frozenset[int]) -> int:
        if len(left) < 3:
            return 2 * len(left) - 1
        ways = {self._parts(replies, left) for replies in self._replies} - {frozenset([left])}
        return len(left) + min(sum(map(self.cost, way)) for way in ways)

    @staticmethod
    def _parts(replies: tuple[int, ...], left: frozenset[int]) -> frozenset[frozenset[int]]:
        parts: dict[int, set[int]] = {}
        for index in left:
            if replies[index] >= 0:
                parts.setdefault(replies[index], set()).add(index)
        return frozenset(map(frozenset, parts.values()))


def played(plan: Plan, columns: NDArray[np.uint8], turn: int) -> int:
    """What candidates take that are played by a plan, this guess being the turn-th."""
    parts = parts_after(plan.guess, columns)
    left = sum(part.shape[1] for part in parts)
    total = turn * (columns.shape[1] - left)
    plans = iter(plan.after)
    for part in parts:
        count = part.shape[1]
        if count > 2:
            total += played(next(plans), part, turn + 1)
        else:
            total += turn * count + 2 * count - 1
    assert next(plans, None) is None
    return total


KINDS = ((0, 1, 6), (0, 2), (2, 4, 6), (1, 3, 4))


@pytest.mark.long(only=True)
@pytest.mark.parametrize(("places", "seed"), [*product(KINDS, range(either(2, 8)))])
def test_proven_costs_of_few_candidates_agree_with_brute_force(places: tuple[int, ...], seed: int):
    columns = small(Random(seed), places, 8)
    count = columns.shape[1]
    cost = Exhaustive(columns).cost(frozenset(range(count)))
    endgames, done = Endgames(), list[int]()
    assert endgames.solve(columns).cost == cost == played(endgames.plan(columns), columns, 1)
    climbing = Endgames(few=3)
    climbed = climbing.solve(columns).cost
    assert cost <= climbed == played(climbing.plan(columns), columns, 1) <= cost + 2
    assert 2 * count - 1 <= floor(columns) <= cost
    assert floor(columns, 2 * count) == min(floor(columns), 2 * count)
    assert not [*cheaper(columns, cost, done.append)]
    assert min(total for total, _ in cheaper(columns, cost + 4, done.append)) == cost
    best = [(total, as_symbols(guess)) for total, guess in cheaper(columns, cost + 1, done.append)]
    assert best
    for total, guess in best:
        after = sum(endgames.solve(part).cost for part in parts_after(guess, columns))
        assert count + after >= total == cost


@pytest.mark.long(only=True)
def test_parts_in_which_one_candidate_tells_all_others_apart_are_counted():
    columns = secrets_as_array(7)[:, ::30]
    replies = np.stack([mark_numbers(column.tolist(), columns) for column in columns.T])
    apart: Counter[bool] = Counter()
    for division in islice(Strings(columns).making(40), 3):
        counts = told_apart(division, replies.astype(np.uint16), 0).tolist()
        for count, parts in zip(counts, division.parts, strict=True):
            sets = [np.flatnonzero(parts == part) for part in range(parts.max() + 1)]
            said = [any(len(set(replies[i, each])) == len(each) for i in each) for each in sets]
            assert count == sum(said)
            apart.update(said)
        most = max(counts)
        fewer = told_apart(division, replies.astype(np.uint16), most)
        assert [count == most for count in counts] == (fewer >= most).tolist()
    assert min(apart[True], apart[False]) > 100


@pytest.mark.long(only=True)
def test_a_build_from_nothing_equals_the_shipped_focdle_tree():
    done: list[int] = []
    assert build(SEVEN, 1, done.append) == shipped(SEVEN)
    assert sum(done) == amount(SEVEN) == 4518

"""The shipped trees are as good as they say, and so is the search that finds them."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import combinations
from random import Random

import numpy as np
import pytest

from engine import BullsAndCows, CodeGame, EngineError, Focdle, Mastermind
from engine.solvers.tree_files import SMALLEST_INNER, DamagedTreeError, Header
from engine.solvers.trees import CodeTree, code_array, tree_of
from tests.support.effort import either
from tools.trees.sets import Bounds, Costs
from tools.trees.strategies import STRATEGIES, Strategy, amount, build
from tools.trees.tree_search import (
    IMPOSSIBLE,
    NO_LIMIT,
    Effort,
    TreeSearch,
    reply_matrix,
    representatives,
)

SMALL = Mastermind(pegs=3, colours=4)
LONG = Mastermind(pegs=5, colours=3)  # 20 kinds of replies


def shipped(strategy: Strategy) -> str:
    return files("engine.solvers").joinpath("data", strategy.file_name).read_text(encoding="ascii")


@cache
def reply(guess: str, secret: str) -> int:
    """Scores in the plainest way, sharing nothing with what is tested."""
    bulls = sum(a == b for a, b in zip(guess, secret, strict=True))
    shared = sum(min(guess.count(each), secret.count(each)) for each in set(guess))
    return bulls * (len(guess) + 1) + shared


def courses(rules: CodeGame, text: str) -> Iterator[list[tuple[str, int]]]:
    """The turns of every game that a file describes, read by its format's description."""
    solving = reply("0" * rules.length, "0" * rules.length)
    guesses = iter(text.partition("\n")[2].split())

    def walk(codes: list[str], turns: list[tuple[str, int]]) -> Iterator[list[tuple[str, int]]]:
        guess = next(guesses) if len(codes) > 2 else codes[0]
        parts: dict[int, list[str]] = {}
        for code in codes:
            parts.setdefault(reply(guess, code), []).append(code)
        for number in sorted(parts):
            course = [*turns, (guess, number)]
            if number == solving:
                yield course
            else:
                yield from walk(parts[number], course)

    yield from walk([str(code) for code in rules.codes()], [])
    assert next(guesses, None) is None


def is_large(strategy: Strategy) -> bool:
    return strategy.rules.size > 10_000


@pytest.mark.long
@pytest.mark.parametrize(
    "strategy",
    either([each for each in STRATEGIES if not is_large(each)][::3], STRATEGIES),
    ids=lambda strategy: strategy.file_name,
)
def test_every_code_is_found_in_as_many_guesses_as_its_tree_says(strategy: Strategy):
    rules, text = strategy.rules, shipped(strategy)
    tree = CodeTree.read(rules, text)
    found: set[str] = set()
    lengths: Counter[int] = Counter()
    for course in courses(rules, text):
        turns = [(tuple(map(rules.alphabet.index, guess)), number) for guess, number in course]
        assert tree.lookup(turns[:-1]) == turns[-1][0]
        assert tree.lookup(turns) is None
        found.add(course[-1][0])
        lengths[len(course)] += 1
    assert found == set(rules.codes())
    total = sum(length * secrets for length, secrets in lengths.items())
    game = rules.encode().partition("/")[0]
    header = f"# {game} {strategy.goal} {total}/{rules.size} max {max(lengths)}"
    assert text.splitlines()[0] == header == str(tree.header)
    assert max(map(len, text.splitlines())) <= 100


def test_a_tree_has_a_guess_only_for_unfinished_games_that_follow_it():
    rules = Mastermind(max_guesses=3)
    tree = tree_of(rules, "mean")
    assert tree
    opening = tree.lookup([])
    assert opening
    assert len(opening) == 4
    second = tree.lookup([(opening, 1)])
    assert second
    assert tree.lookup([(opening, 1), (second, 24)]) is None
    assert tree.lookup([(opening[::-1], 1)]) is None
    # No code gives three bulls and a cow.
    assert tree.lookup([(opening, 19)]) is None


@pytest.mark.parametrize(
    ("rules", "goal"),
    [
        (Focdle(), "mean"),
        (Mastermind(pegs=3, colours=3), "mean"),
        (Mastermind(pegs=5, colours=9), "worst"),
        (Mastermind(), "best"),
    ],
)
def test_no_tree_is_found_for_a_setting_or_goal_without_a_shipped_one(rules: object, goal: str):
    assert tree_of(rules, goal) is None


@pytest.mark.parametrize(
    ("rules", "same"),
    [
        (Mastermind(pegs=3, colours=10, repeats=False), BullsAndCows(3)),
        (Mastermind(pegs=4, colours=10, repeats=False), BullsAndCows(4)),
        (BullsAndCows(3, repeats=True), Mastermind(pegs=3, colours=10)),
    ],
)
def test_one_tree_serves_both_games_with_the_same_number_of_symbols(
    rules: Mastermind | BullsAndCows, same: Mastermind | BullsAndCows
):
    tree = tree_of(rules, "mean")
    assert tree is not None
    assert tree is tree_of(same, "mean")


def test_a_tree_that_is_optimal_for_both_goals_serves_both():
    rules = BullsAndCows()
    assert tree_of(rules, "mean")
    assert tree_of(rules, "mean") is tree_of(rules, "worst")
    assert tree_of(Mastermind(), "mean") is not tree_of(Mastermind(), "worst")


def damaged(text: str) -> Iterator[str]:
    """The same file after some accidents."""
    header, *lines = text.splitlines()
    guesses = " ".join(lines).split()
    yield ""
    yield "\n".join(lines)
    yield header
    yield text.replace("3575", "3574")
    yield text.replace("max 7", "max 6")
    yield text.replace("bulls:3 ", "bulls:4 ")
    yield text.replace("/720", "/721")
    yield f"{header}\n{text}"
    yield text[: len(text) // 2]
    yield f"{text} {guesses[-1]}"
    for changed in (guesses[1:], guesses[:-1], guesses[::-1], ["000", *guesses[1:]]):
        yield f"{header}\n{' '.join(changed)}"


def test_a_damaged_tree_is_refused():
    rules = BullsAndCows(3)
    text = shipped(Strategy(rules, "mean"))
    assert CodeTree.read(rules, text)
    for other in damaged(text):
        with pytest.raises(DamagedTreeError):
            CodeTree.read(rules, other)
    with pytest.raises(DamagedTreeError):
        CodeTree.read(BullsAndCows(4), text)


def test_a_tree_with_a_changed_guess_is_refused_unless_the_guess_is_as_good():
    rules = BullsAndCows(3)
    header, *lines = shipped(Strategy(rules, "mean")).splitlines()
    guesses = " ".join(lines).split()
    refused = 0
    for place in range(0, len(guesses) - 1, 3):
        swapped = guesses.copy()
        swapped[place : place + 2] = swapped[place : place + 2][::-1]
        text = f"{header}\n{' '.join(swapped)}"
        try:
            CodeTree.read(rules, text)
        except DamagedTreeError:
            refused += 1
        else:
            assert sum(map(len, courses(rules, text))) == 3575
    assert refused > 0.3 * len(guesses)


# The last is found to be one guess dearer than it is when it is played.
BUILT = [
    (Mastermind(repeats=False), 1446),
    (BullsAndCows(3), 3575),
    (Mastermind(pegs=4, colours=8, repeats=False), 7817),
]


@pytest.mark.long(only=True)
@pytest.mark.parametrize(("rules", "total"), BUILT[: either(2, 3)])
def test_a_tree_search_from_nothing_finds_the_optimum(rules: CodeGame, total: int):
    strategy = Strategy(rules, "mean")
    done: list[int] = []
    tree = CodeTree.read(rules, build(strategy, 1, done.append))
    assert tree.header.total == total
    assert sum(done) == amount(strategy)


def test_a_tree_keeps_its_limit_of_guesses_and_an_impossible_limit_is_refused():
    rules = BullsAndCows(2)

    def header(goal: str, limit: int) -> Header:
        return CodeTree.read(rules, build(Strategy(rules, goal, limit), 1, [0].append)).header

    assert header("mean", NO_LIMIT)[2:] == (451, 90, 7)
    assert header("worst", 6)[2:] == (451, 90, 6)
    with pytest.raises(EngineError, match="at most 3 guesses"):
        header("worst", 3)


def test_a_search_with_a_learning_pass_finds_the_lowest_total_and_reports_both_passes():
    strategy = Strategy(BullsAndCows(2), "mean", learns=True)
    done: list[int] = []
    tree = CodeTree.read(strategy.rules, build(strategy, 1, done.append))
    assert tree.header.total == 451
    assert sum(done) == amount(strategy) == 2 * amount(replace(strategy, learns=False))


@pytest.mark.long(only=True)
def test_the_computed_cost_of_a_plan_equals_the_cost_of_playing_it():
    rules = BullsAndCows(2)
    search = TreeSearch(code_array(rules), 10, Effort(), limited=False)
    everything = np.arange(rules.size)
    guess = search.first_guesses()[0]
    for part in search.parts(guess, everything):
        if len(part) < SMALLEST_INNER:
            continue
        node = search.node(part, NO_LIMIT, (guess,))
        cost, plan = search.cost(node), search.plan(node)
        solved = search.solved(part, iter(plan))
        assert solved[-1] == (len(part), cost)
        assert len(solved) == len(plan)
        assert all(2 * size - 1 <= taken for size, taken in solved)


def test_the_cost_of_solving_a_set_of_codes_is_estimated_from_sets_of_like_size():
    solved = [
        (3, 5),
        (3, 5),
        (3, 6),
        (40, 100),
        (41, 105),
        (44, 120),
        (5_000, 20_000),
        (9_000, 30_000),
    ]
    costs = Costs.learned(solved)
    expected = costs.expected(9_000)
    assert expected[:4] == pytest.approx([0, 1, 3, 16 / 3])
    assert expected[5_000] == pytest.approx(20_000)
    assert expected[9_000] == pytest.approx(36_000)  # larger sets do not cost less a code
    assert all(np.diff(expected) > 0)
    least = costs.least(9_000, 100, small=18)
    assert least[5_000] == 17_999
    assert least[18] == 35  # exact for so few: each answer may leave one


def test_no_two_first_guesses_of_a_search_are_renamings_of_each_other():
    mastermind = code_array(Mastermind())
    firsts = ["".join(map(str, mastermind[guess])) for guess in representatives(mastermind, 6, ())]
    assert firsts == ["0000", "0001", "0011", "0012", "0123"]
    digits = code_array(BullsAndCows())
    assert representatives(digits, 10, ()).tolist() == [0]
    assert len(representatives(digits, 10, (0,))) == 20


def test_the_matrix_of_replies_has_the_score_of_every_guess_and_secret():
    rules = Mastermind(pegs=4, colours=3)
    codes = [str(code) for code in rules.codes()]
    matrix = reply_matrix(code_array(rules))
    assert matrix.tolist() == [[reply(guess, secret) for secret in codes] for guess in codes]


@cache
def least(secrets: tuple[str, ...], guesses: tuple[str, ...]) -> int:
    """What a set costs, by trying everything."""
    if len(secrets) < 3:
        return 2 * len(secrets) - 1
    best = IMPOSSIBLE
    for guess in guesses:
        parts: dict[int, list[str]] = {}
        for secret in secrets:
            if secret != guess:
                parts.setdefault(reply(guess, secret), []).append(secret)
        if all(len(part) < len(secrets) for part in parts.values()):
            costs = (least(tuple(part), guesses) for part in parts.values())
            best = min(best, len(secrets) + sum(costs))
    return best


@pytest.mark.long(only=True)
@pytest.mark.parametrize(
    ("rules", "size"), [(SMALL, 3), (SMALL, 4), (LONG, 3), *either([], [(SMALL, 5)])]
)
def test_lower_bounds_of_small_sets_are_never_too_high_and_exact_if_called_exact(
    rules: CodeGame, size: int
):
    codes = tuple(str(code) for code in rules.codes())
    replies = reply_matrix(code_array(rules))
    numbers = np.unique(replies)
    kinds = np.searchsorted(numbers, replies).astype(np.uint8)
    some = Random(size).sample(range(len(codes)), min(len(codes), 64))
    sets = Random(size).sample([*combinations(sorted(some), size)], 240 // 3 ** (size - 2))
    floors, exact = Bounds(kinds, len(numbers)).of(np.array(sets, np.intp))
    for members, floor, sure in zip(sets, floors.tolist(), exact.tolist(), strict=True):
        cost = least(tuple(codes[index] for index in members), codes)
        assert floor == cost if sure else floor <= cost
    assert exact.mean() > 0.9


def test_a_search_finds_no_less_than_the_lowest_cost_and_with_a_higher_limit_exactly_that():
    search = TreeSearch(code_array(SMALL), 4, Effort(), limited=False)
    node = search.node(np.arange(SMALL.size), NO_LIMIT, ())
    cost = search.cost(node)
    search.forget()
    assert search.cost(node, cost) >= cost
    assert search.cost(node, cost + 1) == cost

"""Drawing: secrets are what the rules say, and equally likely."""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from functools import cache
from itertools import product
from random import Random

import pytest

from engine import Code, Focdle, NoSuchLengthError
from tests.engine.material import ARITHMETIC, LENGTHS, assert_plausible, chi_square, worth

NUMBERS_OF_SECRETS = {
    7: 4_518,
    8: 66_744,
    9: 471_380,
    10: 1_805_274,
    11: 4_536_641,
    12: 2_328_838,
    13: 2_272_799,
    14: 319_696,
    15: 394_613,
}
DRAWS = 2_500

Cell = tuple[str, str, tuple[int, int, int], str]
"""Both operators, how many digits each value has, and the result's first digit."""


def take_apart(secret: str) -> tuple[list[int], tuple[str, str], int]:
    match = re.fullmatch(
        r"([1-9]\d?)([-+*%])([1-9]\d?)([-+*%])([1-9]\d?)=([1-9]\d*)", secret, re.ASCII
    )
    assert match, secret
    a, left, b, right, c, result = match.groups()
    return [int(a), int(b), int(c)], (left, right), int(result)


@cache
def drawn(length: int) -> list[Code]:
    rng = Random(20_260_101 + length)
    rules = Focdle(length)
    return [rules.draw(rng) for _ in range(DRAWS)]


@cache
def shares() -> dict[int, Counter[Cell]]:
    """How many secrets there are, by length and cell, counted without drawing or spelling any."""
    shares: dict[int, Counter[Cell]] = {length: Counter() for length in LENGTHS}
    numbers = {1: dict.fromkeys(range(1, 10), 1), 2: dict.fromkeys(range(10, 100), 1)}
    for widths in product((1, 2), (1, 2), (1, 2)):
        a, b, c = (numbers[width] for width in widths)
        for left, right in product("+-*%", repeat=2):
            if left in "+-" and right in "*%":
                results = combined(left, a, combined(right, b, c))
            else:
                results = combined(right, combined(left, a, b), c)
            for result, ways in results.items():
                length = sum(widths) + len("++=") + len(str(result))
                if result > 0:
                    shares[length][left, right, widths, str(result)[0]] += ways
    return shares


def combined(symbol: str, left: Mapping[int, int], right: Mapping[int, int]) -> dict[int, int]:
    """In how many ways each number comes out of one operation."""
    operation = ARITHMETIC[symbol]
    ways: dict[int, int] = defaultdict(int)
    for a, a_ways in left.items():
        for b, b_ways in right.items():
            ways[operation(a, b)] += a_ways * b_ways
    return ways


@pytest.mark.parametrize("length", LENGTHS)
def test_a_random_secret_obeys_the_rules(length: int):
    for secret in drawn(length)[:200]:
        assert len(secret) == length
        assert Focdle(length).parse(secret) == secret
        assert Focdle(length).is_true(secret)
        values, _, result = take_apart(secret)
        assert all(1 <= value <= 99 for value in values)
        assert result == worth(secret.partition("=")[0]) >= 1


def test_random_secrets_have_every_value_in_every_place():
    values = [take_apart(secret)[0] for length in LENGTHS for secret in drawn(length)]
    for place in zip(*values, strict=True):
        assert set(place) == set(range(1, 100))


@pytest.mark.parametrize("length", [6, 16, 5, 0, -1, 100])
def test_a_length_without_secrets_is_refused(length: int):
    with pytest.raises(NoSuchLengthError) as caught:
        Focdle(length)
    assert caught.value.length == length
    assert (caught.value.shortest, caught.value.longest) == (7, 15)


@pytest.mark.parametrize("length", LENGTHS)
def test_the_same_seed_gives_the_same_random_secrets(length: int):
    rules = Focdle(length)
    one, other, third = Random(1), Random(1), Random(2)
    secrets = [rules.draw(one) for _ in range(5)]
    assert [rules.draw(other) for _ in range(5)] == secrets
    assert [rules.draw(third) for _ in range(5)] != secrets


@cache
def shortest() -> list[Code]:
    """Every secret of length 7: that leaves one character for each number."""
    expressions = [
        f"{a}{left}{b}{right}{c}"
        for a, b, c in product(range(1, 10), repeat=3)
        for left, right in product("+-*%", repeat=2)
    ]
    return [f"{e}={value}" for e in expressions if 1 <= (value := worth(e)) <= 9]


@cache
def drawn_shortest() -> list[Code]:
    rng, rules = Random(7), Focdle(7)
    return [rules.draw(rng) for _ in range(12 * NUMBERS_OF_SECRETS[7])]


def test_every_secret_of_the_shortest_length_can_come_up():
    assert len(shortest()) == NUMBERS_OF_SECRETS[7]
    assert set(drawn_shortest()) == set(shortest())


# Few parts show a slight slant that thousands of secrets would hide.
@pytest.mark.parametrize("part", [(0, 1, 2, 3, 4, 5, 6), (1, 3), (0,), (2,), (4,), (6,)], ids=str)
def test_secrets_of_the_shortest_length_come_up_equally_often(part: tuple[int, ...]):
    seen = Counter(tuple(secret[place] for place in part) for secret in drawn_shortest())
    ways = Counter(tuple(secret[place] for place in part) for secret in shortest())
    expected = {key: count * 12.0 for key, count in ways.items()}
    assert_plausible(chi_square(seen, expected), len(expected) - 1)


@pytest.mark.parametrize("length", LENGTHS)
def test_secrets_of_each_form_come_up_in_proportion_to_their_number(length: int):
    ways = shares()[length]
    assert ways.total() == NUMBERS_OF_SECRETS[length]

    seen: Counter[Cell | None] = Counter()
    expected: dict[Cell | None, float] = {None: 0.0}
    for cell, count in ways.items():
        share = DRAWS * count / ways.total()
        # The statistic needs a handful in each cell; the rare ones are taken together.
        kept = cell if share >= 5 else None
        expected[kept] = expected.get(kept, 0.0) + share
    for secret in drawn(length):
        values, (left, right), result = take_apart(secret)
        a, b, c = (len(str(value)) for value in values)
        cell = (left, right, (a, b, c), str(result)[0])
        assert ways[cell]
        seen[cell if cell in expected else None] += 1
    if not expected[None]:
        del expected[None]
    assert_plausible(chi_square(seen, expected), len(expected) - 1)

"""Arrays: every secret is there once, and feedback is what the rules say, for many at once."""

from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import product
from math import log2

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from engine import BullsAndCows, Focdle, Mark, Marks, Mastermind, Score, mark, score
from engine.solvers import Allowed, openings
from engine.solvers.code_games import Scorer, every_code, score_number, score_numbers
from engine.solvers.focdle.arrays import every_secret, mark_numbers, marks_of, matching, number_of
from engine.solvers.focdle.playouts import Packed, alike
from engine.solvers.focdle.search import Signatures
from tests.engine.material import ARITHMETIC, LENGTHS, SMALL, codes, small_games, worth
from tests.engine.test_draw import NUMBERS_OF_SECRETS, shortest, take_apart
from tests.engine.test_feedback import mark_by_places
from tests.solvers.material import (
    SYMBOLS,
    as_codes,
    as_columns,
    as_numbers,
    secrets_as_array,
)
from tests.support.effort import either, examples

# Few symbols make many copies, and copies are where marks go wrong.
alphabets = st.sampled_from(["1=", "12+", "0123+=", SYMBOLS])


def strings(alphabet: str, length: int) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=length, max_size=length)


@st.composite
def guess_and_candidates(draw: st.DrawFn, most: int = 12) -> tuple[str, list[str]]:
    """A guess, and candidates of its length; some are near the guess."""
    length = draw(st.integers(7, 15))
    alphabet = draw(alphabets)
    guess = draw(strings(alphabet, length))
    others = draw(st.lists(strings(alphabet, length), min_size=1, max_size=most))
    shuffled = draw(st.lists(st.permutations(guess).map("".join), max_size=2))
    return guess, [*others, *shuffled, *draw(st.sampled_from([[], [guess]]))]


def brute_force(length: int) -> set[str]:
    """The true equations of a length, found by trying all that could be."""
    found: set[str] = set()
    numbers = {1: range(1, 10), 2: range(10, 100)}
    for first, second, third in product((1, 2), repeat=3):
        width = length - first - second - third - len("++=")
        if width < 1:
            continue
        for a, b, c in product(numbers[first], numbers[second], numbers[third]):
            for left, right in product("+-*%", repeat=2):
                if left in "+-" and right in "*%":
                    value = ARITHMETIC[left](a, ARITHMETIC[right](b, c))
                else:
                    value = ARITHMETIC[right](ARITHMETIC[left](a, b), c)
                if value > 0 and len(str(value)) == width:
                    found.add(f"{a}{left}{b}{right}{c}={value}")
    return found


class TestSecrets:
    @pytest.mark.long
    @pytest.mark.parametrize("length", either([7, 10, 15], [*LENGTHS]))
    def test_the_array_of_secrets_has_each_true_equation_once(self, length: int):
        columns = every_secret(length)
        assert columns.shape == (length, NUMBERS_OF_SECRETS[length])
        assert columns.dtype == np.uint8
        assert columns.max() < len(SYMBOLS)
        spelled = np.zeros(columns.shape[1], np.uint64)
        for row in columns:
            spelled = spelled * np.uint64(len(SYMBOLS)) + row
        spelled.sort()
        assert (spelled[1:] != spelled[:-1]).all()
        rules = Focdle(length)
        assert rules.size == columns.shape[1]
        for secret in as_codes(columns[:, :: columns.shape[1] // 200]):
            assert rules.parse(secret) == secret
            assert rules.is_true(secret)
            values, _, result = take_apart(secret)
            assert all(1 <= value <= 99 for value in values)
            assert result == worth(secret.partition("=")[0])

    def test_secrets_of_the_shortest_length_agree_with_brute_force(self):
        assert set(as_codes(secrets_as_array(7))) == brute_force(7) == set(shortest())


class TestCodes:
    @pytest.mark.parametrize("rules", SMALL, ids=str)
    def test_the_array_of_codes_has_every_code_in_the_order_of_the_rules(
        self, rules: Mastermind | BullsAndCows
    ):
        assert as_codes(every_code(rules), rules.alphabet) == list(rules.codes())


class TestMarks:
    @examples(20, 800)
    @given(guess_and_candidates())
    def test_marks_of_many_guesses_equal_the_marks_of_each(self, case: tuple[str, list[str]]):
        guess, candidates = case
        numbers = mark_numbers(as_numbers(guess), as_columns(candidates))
        for candidate, number in zip(candidates, numbers, strict=True):
            marks = marks_of(int(number), len(guess))
            assert marks == mark(guess, candidate)
            assert list(marks) == mark_by_places(guess, candidate)

    @examples(20, 800)
    @given(guess_and_candidates(), st.data())
    def test_matching_secrets_are_exactly_those_with_the_same_marks(
        self, case: tuple[str, list[str]], data: st.DataObject
    ):
        guess, candidates = case
        real = [mark(guess, candidate) for candidate in candidates]
        invented = st.tuples(*[st.sampled_from(Mark)] * len(guess))
        marks = data.draw(st.sampled_from(real) | invented)
        expected = [c for c, m in zip(candidates, real, strict=True) if m == marks]
        found = matching(as_numbers(guess), number_of(marks), as_columns(candidates))
        assert as_codes(found) == expected

    @pytest.mark.parametrize("guess", ["11+11=22", "1*1+11=1", "79%7-1=6", "========"])
    def test_marks_are_the_same_when_computed_in_portions(self, guess: str):
        columns = secrets_as_array(8)
        numbers = mark_numbers(as_numbers(guess), columns)
        ends = as_codes(columns[:, -1_500:])
        assert [marks_of(int(n), 8) for n in numbers[-1_500:]] == [mark(guess, c) for c in ends]
        values, counts = np.unique(numbers, return_counts=True)
        assert counts.sum() == NUMBERS_OF_SECRETS[8]
        for number in (values[0], values[counts.argmax()], numbers[-1]):
            found = matching(as_numbers(guess), int(number), columns)
            assert np.array_equal(found, columns[:, numbers == number])

    @examples(25, 1000)
    @given(st.lists(st.sampled_from(Mark), min_size=1, max_size=15).map(tuple))
    @example((Mark.CORRECT,) * 15)
    def test_every_combination_of_marks_can_be_read_back_from_its_number(self, marks: Marks):
        assert marks_of(number_of(marks), len(marks)) == marks
        assert 0 <= number_of(marks) < 3 ** len(marks)
        assert (number_of(marks) == 3 ** len(marks) - 1) == (set(marks) == {Mark.CORRECT})

    def test_an_empty_array_has_no_matches(self):
        nothing = np.empty((7, 0), np.uint8)
        assert mark_numbers(as_numbers("1+1+1=3"), nothing).shape == (0,)
        assert matching(as_numbers("1+1+1=3"), 0, nothing).shape == (7, 0)


class TestScores:
    @examples(10, 400)
    @given(st.data())
    def test_scores_of_many_codes_equal_the_scores_of_each(self, data: st.DataObject):
        rules = data.draw(small_games)
        candidates = data.draw(st.lists(codes(rules), min_size=1, max_size=12))
        guesses = data.draw(st.lists(codes(rules), min_size=1, max_size=6))
        columns = as_columns(candidates, rules.alphabet)
        expected = [
            [score_number(score(guess, c), rules.length) for c in candidates] for guess in guesses
        ]
        numbers = [as_numbers(guess, rules.alphabet) for guess in guesses]
        assert [score_numbers(guess, columns).tolist() for guess in numbers] == expected

        scorer = Scorer(columns, len(rules.alphabet))
        rows = np.array(numbers, np.intp)
        assert scorer.numbers(rows).tolist() == expected
        sizes = scorer.sizes(rows)
        for row, scores in zip(sizes, expected, strict=True):
            assert {number: row[number] for number in np.flatnonzero(row)} == Counter(scores)

    @pytest.mark.parametrize("rules", SMALL, ids=str)
    def test_every_score_has_its_own_number_and_the_solving_one_is_last(
        self, rules: Mastermind | BullsAndCows
    ):
        code = next(rules.codes())
        numbers = [score_number(answer, rules.length) for answer in rules.answers(code)]
        assert len(set(numbers)) == len(numbers)
        assert score_number(Score(rules.length, 0), rules.length) == (rules.length + 1) ** 2 - 1
        assert max(numbers) == (rules.length + 1) ** 2 - 1

    def test_scores_are_the_same_when_computed_in_portions(self):
        rules = BullsAndCows(5, repeats=True)
        numbers = score_numbers(as_numbers("01123", rules.alphabet), every_code(rules))
        every = list(rules.codes())
        assert len(every) == len(numbers) == 100_000
        for index in [*range(65_400, 65_700), *range(99_700, 100_000)]:
            assert numbers[index] == score_number(score("01123", every[index]), 5)


class TestSignatures:
    @examples(20, 800)
    @given(guess_and_candidates())
    def test_two_signatures_are_equal_exactly_when_the_marks_are(self, case: tuple[str, list[str]]):
        guess, candidates = case
        signatures = Signatures(as_columns(candidates))
        row = signatures.of(np.array([as_numbers(guess)], np.intp))[0]
        assert_same_parts(row.tolist(), [mark(guess, c) for c in candidates])
        assert bool(signatures.is_candidate(row)) == (guess in candidates)

    @examples(7, 300)
    @given(guess_and_candidates(most=6), st.data())
    def test_signatures_of_neighbouring_secrets_are_equal_exactly_when_the_marks_are(
        self, case: tuple[str, list[str]], data: st.DataObject
    ):
        guess, candidates = case
        other = data.draw(st.sampled_from(candidates))
        place = data.draw(st.integers(0, len(guess) - 1))
        signatures = Signatures(as_columns(candidates))
        rows = np.array([as_numbers(guess), as_numbers(other)], np.intp)
        near = signatures.of_neighbours(rows, place)
        assert near.shape == (2, len(SYMBOLS), len(candidates))
        for start, found in zip((guess, other), near, strict=True):
            for symbol, row in zip(SYMBOLS, found, strict=True):
                changed = start[:place] + symbol + start[place + 1 :]
                assert_same_parts(row.tolist(), [mark(changed, c) for c in candidates])
                assert bool(signatures.is_candidate(row)) == (changed in candidates)

    def test_signatures_of_all_secrets_of_a_length_are_equal_exactly_when_the_marks_are(self):
        columns = secrets_as_array(7)
        signatures = Signatures(columns)
        for guess in ("1%2+354", "1111111", "9*9-9=9", "=======", "12+34=5"):
            row = signatures.of(np.array([as_numbers(guess)], np.intp))[0]
            assert_same_parts(row.tolist(), mark_numbers(as_numbers(guess), columns).tolist())


def assert_same_parts(some: Sequence[Hashable], others: Sequence[Hashable]) -> None:
    """Equal things in one list stand where equal things stand in the other."""
    assert len(set(some)) == len(set(others)) == len(set(zip(some, others, strict=True)))


class TestReplies:
    @examples(20, 800)
    @given(guess_and_candidates())
    def test_packed_replies_are_equal_exactly_when_the_marks_are(self, case: tuple[str, list[str]]):
        guess, candidates = case
        codes = [code for code in (guess, *candidates) if max(Counter(code).values()) <= 7]
        assume(codes)
        packed, every = Packed(as_columns(codes)), np.arange(len(codes))
        replies = packed.replies(every, np.tile(every, len(codes)), np.full_like(every, len(codes)))
        for asked, row in zip(codes, replies.reshape(len(codes), -1), strict=True):
            assert_same_parts(row.tolist(), [mark(asked, code) for code in codes])

    @examples(20, 800)
    @given(st.lists(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 3), min_size=1)))
    def test_replies_share_an_index_exactly_when_they_are_equal_and_in_the_same_group(
        self, stretches: list[list[int]]
    ):
        replies = np.array([reply for stretch in stretches for reply in stretch], np.uint64)
        like = alike(replies, np.array([*map(len, stretches)], np.intp))
        named = [(n, reply) for n, stretch in enumerate(stretches) for reply in stretch]
        assert_same_parts(like.tolist(), named)
        assert [named[place] for place in like] == named


class TestGoldenNumbers:
    @pytest.mark.parametrize(
        ("guess", "parts", "bits"),
        [
            ("7983%4512", 9_078, 11.620),
            ("59%3+41726", 29_307, 13.163),
            ("79%8+35=42", 19_642, 12.582),
        ],
    )
    def test_three_openings_tell_as_many_bits_as_were_measured(
        self, guess: str, parts: int, bits: float
    ):
        assert told(guess) == (parts, pytest.approx(bits, abs=0.0005))

    @pytest.mark.parametrize(
        ("length", "allowed", "bits"),
        [
            (7, "true", 7.816),
            (8, "any", 9.920),
            (8, "true", 9.102),
            (9, "any", 11.620),
            (9, "true", 10.960),
            (10, "any", 13.163),
            (10, "true", 12.582),
        ],
    )
    def test_each_opening_gives_nearly_as_many_bits_as_the_best_known_one(
        self, length: int, allowed: str, bits: float
    ):
        opening = openings(Focdle(length), Allowed(allowed))[0]
        assert told(opening)[1] >= bits - 0.02

    @pytest.mark.parametrize(
        ("rules", "guess", "expected"),
        [
            (
                Mastermind(),
                "RROO",
                {0: [256, 256, 96, 16, 1], 1: [256, 208, 36], 2: [114, 32, 4], 3: [20], 4: [1]},
            ),
            (
                BullsAndCows(),
                "0123",
                {0: [360, 1440, 1260, 264, 9], 1: [480, 720, 216, 8], 2: [180, 72, 6], 3: [24]},
            ),
        ],
        ids=str,
    )
    def test_each_score_of_a_guess_is_as_frequent_among_all_codes_as_published(
        self, rules: Mastermind | BullsAndCows, guess: str, expected: dict[int, list[int]]
    ):
        numbers = score_numbers(as_numbers(guess, rules.alphabet), every_code(rules))
        sizes = Counter(int(number) for number in numbers)
        for bulls, row in expected.items():
            found = [sizes[score_number(Score(bulls, cows), 4)] for cows in range(len(row))]
            assert found == row


def told(guess: str) -> tuple[int, float]:
    """How many parts a first guess makes, and its bits."""
    columns = secrets_as_array(len(guess))
    numbers = mark_numbers(as_numbers(guess), columns)
    counts: list[int] = np.unique(numbers, return_counts=True)[1].tolist()
    total = columns.shape[1]
    return len(counts), log2(total) - sum(n * log2(n) for n in counts) / total

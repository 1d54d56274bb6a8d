"""Codes: which there are, how they are drawn, and which scores they can give."""

import random
from collections import Counter
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    MOST_CODES,
    BullsAndCows,
    EngineError,
    ImpossibleRulesError,
    Mark,
    Mastermind,
    Score,
    TooManyCodesError,
    Turn,
)
from tests.engine.material import SMALL, TINY, assert_plausible, chi_square, small_games
from tests.engine.test_scores import score_by_removal
from tests.support.effort import examples

# The largest cannot even be printed.
ABSURD = [-(10**5_000), -1, 0, 100, 10**9, 10**5_000]


class TestCodes:
    @pytest.mark.parametrize("rules", SMALL, ids=str)
    def test_the_rules_list_each_code_once_in_order(self, rules: Mastermind | BullsAndCows):
        ranks = [[rules.alphabet.index(symbol) for symbol in code] for code in rules.codes()]
        assert len(ranks) == rules.size
        assert all(earlier < later for earlier, later in pairwise(ranks))

    @pytest.mark.parametrize("rules", TINY, ids=str)
    def test_the_listed_codes_are_exactly_the_strings_that_the_rules_allow(
        self, rules: Mastermind | BullsAndCows
    ):
        strings = map("".join, product(rules.alphabet, repeat=rules.length))
        allowed = [s for s in strings if rules.repeats or max(Counter(s).values()) == 1]
        assert list(rules.codes()) == allowed
        assert all(rules.is_code(code) for code in allowed)

    @pytest.mark.parametrize(
        "text", ["", "0", "123", "12345", "1223", "123x", "123٣", "12 3", " 1234"]
    )
    def test_a_string_that_breaks_the_rules_is_no_code(self, text: str):
        assert not BullsAndCows().is_code(text)
        assert BullsAndCows(repeats=True).is_code(text) == (text == "1223")

    def test_standard_settings_have_the_known_number_of_codes(self):
        sizes = [Mastermind().size, Mastermind(pegs=5, colours=8).size, BullsAndCows().size]
        assert sizes == [1296, 32768, 5040]
        assert BullsAndCows(6, repeats=True).size == MOST_CODES

    @pytest.mark.parametrize("rules", SMALL, ids=str)
    def test_any_code_may_be_the_first_guess(self, rules: Mastermind | BullsAndCows):
        for code in list(rules.codes())[:3]:
            rules.check(code, [])


class TestSureSymbols:
    @examples(25, 1000)
    @given(small_games, st.integers(), st.integers(0, 4))
    def test_a_symbol_is_sure_only_if_all_secrets_that_explain_the_turns_agree(
        self, rules: Mastermind | BullsAndCows, seed: int, made: int
    ):
        rng = random.Random(seed)
        secret, *guesses = (rules.draw(rng) for _ in range(made + 1))
        turns = [Turn(guess, rules.feedback(guess, secret)) for guess in guesses]
        left = [
            code
            for code in rules.codes()
            if all(rules.feedback(turn.guess, code) == turn.feedback for turn in turns)
        ]
        for symbol, mark in rules.sure(turns).items():
            assert {symbol in code for code in left} == {mark is Mark.PRESENT}

    def test_counting_over_several_turns_makes_more_symbols_sure(self):
        rules = Mastermind()
        turns = [Turn("RROO", Score(1, 1)), Turn("YYGG", Score(0, 2))]
        turns += [Turn("RYYR", Score(0, 0))]
        sure = {symbol: mark.name for symbol, mark in rules.sure(turns).items()}
        absent = dict.fromkeys("RYBP", "ABSENT")
        assert sure == absent | dict.fromkeys("OG", "PRESENT")
        assert rules.sure([]) == {}


class TestDrawing:
    @pytest.mark.parametrize("rules", TINY, ids=str)
    def test_random_codes_come_up_equally_often(self, rules: Mastermind | BullsAndCows):
        rng = random.Random(7)
        seen = Counter(rules.draw(rng) for _ in range(20 * rules.size))
        expected = dict.fromkeys(rules.codes(), 20.0)
        assert set(seen) <= set(expected)
        assert_plausible(chi_square(seen, expected), rules.size - 1)

    @examples(25, 1000)
    @given(small_games, st.integers())
    def test_the_same_seed_gives_the_same_random_code(
        self, rules: Mastermind | BullsAndCows, seed: int
    ):
        code = rules.draw(random.Random(seed))
        assert rules.is_code(code)
        assert rules.draw(random.Random(seed)) == code


class TestAnswers:
    @pytest.mark.parametrize("rules", TINY, ids=str)
    def test_the_possible_scores_of_a_guess_are_those_that_some_code_gives(
        self, rules: Mastermind | BullsAndCows
    ):
        for guess in rules.codes():
            given_scores = {score_by_removal(guess, code) for code in rules.codes()}
            assert rules.answers(guess) == tuple(sorted(given_scores)), guess

    @pytest.mark.parametrize("guess", ["", "RRR", "RRRRR", "RRRC", "0123", "rrrr"])
    def test_a_string_that_is_no_code_gets_no_score(self, guess: str):
        with pytest.raises(EngineError):
            Mastermind().answers(guess)


class TestSettings:
    @pytest.mark.parametrize("colours", range(12))
    def test_every_setting_of_mastermind_is_playable_or_refused(self, colours: int):
        for pegs, repeats in product(range(14), (False, True)):
            sensible = 2 <= colours <= 10 and 1 <= pegs <= (12 if repeats else colours)
            size = counted(colours, pegs, repeats=repeats)
            if sensible and size <= MOST_CODES:
                rules = Mastermind(pegs=pegs, colours=colours, repeats=repeats)
                assert (len(rules.alphabet), rules.length, rules.size) == (colours, pegs, size)
                continue
            with pytest.raises(ImpossibleRulesError) as caught:
                Mastermind(pegs=pegs, colours=colours, repeats=repeats)
            assert isinstance(caught.value, TooManyCodesError) == sensible
            if isinstance(caught.value, TooManyCodesError):
                assert (caught.value.codes, caught.value.most) == (size, MOST_CODES)

    @pytest.mark.parametrize(
        ("repeats", "possible"), [(False, range(1, 8)), (True, range(1, 7))], ids=str
    )
    def test_bulls_and_cows_allows_only_as_many_digits_as_can_be_searched(
        self, repeats: bool, possible: range
    ):
        for digits in range(1, 11):
            if digits in possible:
                assert BullsAndCows(digits, repeats).size == counted(10, digits, repeats=repeats)
                continue
            with pytest.raises(TooManyCodesError) as caught:
                BullsAndCows(digits, repeats)
            assert caught.value.codes == counted(10, digits, repeats=repeats)

    @pytest.mark.parametrize("number", ABSURD, ids=lambda number: number.bit_length())
    def test_absurdly_large_settings_are_refused_at_once(self, number: int):
        for absurd in (
            lambda: Mastermind(pegs=4, colours=number),
            lambda: Mastermind(pegs=number, colours=6),
            lambda: Mastermind(pegs=number, colours=number, repeats=False),
            lambda: BullsAndCows(number),
            lambda: BullsAndCows(number, repeats=True),
        ):
            with pytest.raises(ImpossibleRulesError):
                absurd()

    @pytest.mark.parametrize("number", ABSURD, ids=lambda number: number.bit_length())
    def test_a_game_with_no_or_unlimited_guesses_is_refused(self, number: int):
        with pytest.raises(ImpossibleRulesError):
            Mastermind(max_guesses=number)
        with pytest.raises(ImpossibleRulesError):
            BullsAndCows(max_guesses=number)


def counted(symbols: int, length: int, *, repeats: bool) -> int:
    """How many codes there are, place by place."""
    ways = 1
    for place in range(length):
        ways *= symbols if repeats else max(0, symbols - place)
    return ways

"""Codebreakers: exact counts, the same guesses everywhere, and refusals by name."""

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from random import Random
from threading import Barrier
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BullsAndCows,
    Code,
    EngineError,
    Focdle,
    ForeignGuessError,
    GameOverError,
    ImpossibleFeedbackError,
    InconsistentFeedback,
    Mark,
    Marks,
    Mastermind,
    Rules,
    Score,
    Turn,
    is_consistent,
    mark,
)
from engine.solvers import codebreaker
from engine.solvers.focdle.space import FocdleSpace
from tests.engine.material import codes, secrets, tiny_games
from tests.engine.test_draw import shortest
from tests.solvers.material import answered, consistent, draws, guesses_everywhere, noise, play
from tests.support.effort import examples

ROOT = Path(__file__).parents[2]
STRENGTHS = ["perfect", "sharp", "casual"]
CORRECT, PRESENT, ABSENT = Mark.CORRECT, Mark.PRESENT, Mark.ABSENT


class TestCounting:
    @examples(25, 1000)
    @given(st.data())
    def test_the_remaining_candidates_are_those_consistent_with_every_turn(
        self, data: st.DataObject
    ):
        rules = data.draw(tiny_games)
        secret = data.draw(codes(rules))
        turns = answered(rules, secret, data.draw(st.lists(codes(rules), max_size=4)))
        solved = [index for index, turn in enumerate(turns) if turn.guess == secret]
        turns = turns[: solved[0] + 1] if solved else turns
        expected = consistent(rules, rules.codes(), turns)
        breaker = codebreaker(rules)
        assert breaker.remaining(turns) == len(expected)
        assert sorted(breaker.candidates(turns, rules.size)) == sorted(expected)

    @examples(7, 150)
    @given(st.integers(), secrets(7), st.integers(1, 3))
    def test_the_remaining_secrets_of_focdle_are_those_consistent_with_every_turn(
        self, seed: int, secret: Code, count: int
    ):
        rules, rng = Focdle(7), Random(seed)
        made = [rng.choice([noise(rng, 7), rules.draw(rng)]) for _ in range(count)]
        turns = answered(rules, secret, [guess for guess in made if guess != secret])
        expected = consistent(rules, shortest(), turns)
        breaker = codebreaker(rules)
        assert breaker.remaining(turns) == len(expected)
        assert sorted(breaker.candidates(turns, 10_000)) == sorted(expected)

    def test_settings_with_and_without_repeats_are_not_confused(self):
        turn = Turn("ROY", Score(0, 2))
        with_repeats, without = (
            Mastermind(pegs=3, colours=4),
            Mastermind(pegs=3, colours=4, repeats=False),
        )
        for _ in range(2):
            for rules in (with_repeats, without):
                expected = consistent(rules, rules.codes(), [turn])
                assert codebreaker(rules).remaining([turn]) == len(expected)

    @pytest.mark.parametrize("limit", [-1, 0, 1, 2, 5, 10**9])
    def test_a_shorter_list_of_candidates_is_the_beginning_of_a_longer_one(self, limit: int):
        breaker = codebreaker(Focdle(7))
        turns = answered(Focdle(7), "1+1+1=3", ["9*1-8=1"])
        every = breaker.candidates(turns, 10_000)
        assert len(every) == breaker.remaining(turns) > 5
        assert breaker.candidates(turns, limit) == every[: max(0, limit)]
        assert len(set(every)) == len(every)


class TestStrengths:
    @pytest.mark.parametrize(
        ("rules", "games"), [(Focdle(7), 10), (Focdle(9), 2), (Mastermind(), 8)], ids=str
    )
    def test_a_sharp_codebreaker_makes_only_consistent_guesses(self, rules: Rules[Any], games: int):
        for secret in draws(rules, seed=1, count=games):
            turns = play(rules, codebreaker(rules, "sharp"), secret)
            for index, turn in enumerate(turns):
                assert is_consistent(rules, turn.guess, turns[:index])

    @pytest.mark.parametrize("rules", [Focdle(7), Mastermind(), BullsAndCows(3)], ids=str)
    def test_a_casual_codebreaker_remembers_only_the_last_three_answers(self, rules: Rules[Any]):
        forgotten = 0
        for secret in draws(rules, seed=2, count=25):
            turns = play(rules, codebreaker(rules, "casual"), secret)
            for index, turn in enumerate(turns):
                assert is_consistent(rules, turn.guess, turns[max(0, index - 3) : index])
                forgotten += not is_consistent(rules, turn.guess, turns[max(0, index - 4) : index])
            assert len({turn.guess for turn in turns}) == len(turns)
        assert forgotten > 0

    @pytest.mark.parametrize("strength", ["sharp", "casual"])
    def test_a_random_guess_may_be_any_consistent_code(self, strength: str):
        rules = Mastermind(pegs=3, colours=3)
        turns = answered(rules, "ROY", ["RRO"])
        seen = {
            codebreaker(rules, strength, rng=Random(seed)).next_guess(turns) for seed in range(200)
        }
        assert seen == set(consistent(rules, rules.codes(), turns))

    def test_a_casual_codebreaker_finds_the_last_code_that_it_has_not_tried(self):
        rules = Mastermind(pegs=3, colours=2, max_guesses=99)
        tried = [code for code in rules.codes() if code != "OOO"]
        turns = answered(rules, "OOO", tried)
        assert codebreaker(rules, "casual").next_guess(turns) == "OOO"


class TestTheLastGuess:
    @examples(10, 300)
    @given(st.data())
    def test_a_last_guess_is_the_best_of_those_that_can_be_right(self, data: st.DataObject):
        rules = data.draw(tiny_games)
        secret = data.draw(codes(rules))
        guesses = data.draw(st.lists(codes(rules), max_size=3, unique=True))
        turns = answered(rules, secret, [guess for guess in guesses if guess != secret])
        breaker = codebreaker(rules)
        last, best = breaker.next_guess(turns, is_last=True), breaker.next_guess(turns)
        assert is_consistent(rules, last, turns)
        assert last == best or not is_consistent(rules, best, turns)

    def test_a_last_guess_in_focdle_is_a_true_equation_even_where_a_probe_tells_more(self):
        # Seven differ in one digit.
        rules = Focdle(8, max_guesses=3)
        turns = answered(rules, "1%23+4=5", ["1%17+4=5", "1%66+4=5"])
        breaker = codebreaker(rules, allowed="form")
        assert not is_consistent(rules, breaker.next_guess(turns), turns)
        last = breaker.next_guess(turns, is_last=True)
        assert rules.is_true(last)
        assert is_consistent(rules, last, turns)


class TestDeterminism:
    def test_a_codebreaker_makes_the_same_guesses_in_every_process(self):
        program = "from tests.solvers.material import *; print(*guesses_everywhere(), sep=',')"
        run = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={"PYTHONHASHSEED": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout.strip().split(",") == guesses_everywhere()

    @pytest.mark.parametrize("strength", STRENGTHS)
    def test_the_same_turns_always_lead_to_the_same_guess(self, strength: str):
        rules = Focdle(7)
        turns = answered(rules, "1+1+1=3", ["9*1-8=1"])
        one, other = codebreaker(rules, strength), codebreaker(rules, strength)
        play(rules, other, "8-4-2=2")  # what it did before is of no matter
        guesses = {
            breaker.next_guess(given) for breaker in (one, other) for given in (turns, (*turns,))
        }
        assert len(guesses) == 1

    @pytest.mark.parametrize("strength", ["sharp", "casual"])
    def test_different_turns_lead_to_different_random_choices(self, strength: str):
        rules = Focdle(7)
        breaker = codebreaker(rules, strength)
        histories = [answered(rules, secret, ["1+2+3=6"]) for secret in draws(rules, 3, 40)]
        guesses = {breaker.next_guess(turns) for turns in histories}
        assert len(guesses) >= 20

    @pytest.mark.parametrize("strength", ["sharp", "casual"])
    def test_a_codebreaker_uses_the_random_generator_that_it_is_given(self, strength: str):
        rules = Focdle(7)

        def drawn(seed: int) -> list[Code]:
            breaker = codebreaker(rules, strength, rng=Random(seed))
            return [breaker.next_guess([]) for _ in range(5)]

        assert drawn(1) == drawn(1) != drawn(2)
        assert len(set(drawn(1))) > 1


class TestThreads:
    @pytest.mark.parametrize("strength", STRENGTHS)
    @pytest.mark.parametrize("rules", [Focdle(8), Mastermind(pegs=4, colours=4)], ids=str)
    def test_eight_threads_get_the_same_guesses_as_one(self, rules: Rules[Any], strength: str):
        breaker = codebreaker(rules, strength)
        games = draws(rules, seed=4, count=8)
        start = Barrier(8)

        def together(secret: Code) -> list[Turn[Any]]:
            start.wait()
            return play(rules, breaker, secret)

        with ThreadPoolExecutor(8) as pool:
            at_once = list(pool.map(together, games))
        assert at_once == [play(rules, codebreaker(rules, strength), game) for game in games]


def marks(initials: str) -> tuple[Mark, ...]:
    return tuple({"C": CORRECT, "P": PRESENT, "A": ABSENT}[initial] for initial in initials)


IMPOSSIBLE: list[tuple[Rules[Any], str, object]] = [
    (Focdle(7), "1+1+1=3", ()),
    (Focdle(7), "1+1+1=3", marks("AAAAAA")),
    (Focdle(7), "1+1+1=3", marks("AAAAAAAA")),
    (Focdle(7), "1+1+1=3", marks("CCCCCCP")),
    (Focdle(7), "1+1+1=3", marks("APPAAAA")),
    (Focdle(7), "1+1+1=3", marks("AAPCAAA")),
    (Focdle(7), "1+1+1=3", (0, 0, 0, 0, 0, 0, 0)),
    (Focdle(7), "1+1+1=3", (*marks("AAAAAA"), None)),
    (Focdle(7), "1+1+1=3", Score(3, 0)),
    (Focdle(7), "1+1+1=3", 0),
    (Focdle(7), "1+1+1=3", None),
    (Mastermind(), "ROYG", Score(3, 1)),
    (Mastermind(), "ROYG", Score(5, 0)),
    (Mastermind(), "ROYG", Score(-1, 0)),
    (Mastermind(), "ROYG", Score(2, 3)),
    (Mastermind(), "RRRR", Score(0, 1)),
    (Mastermind(), "ROYG", (1,)),
    (Mastermind(), "ROYG", marks("AAAA")),
    (Mastermind(), "ROYG", 0),
    (Mastermind(), "ROYG", None),
    (BullsAndCows(6), "012345", Score(0, 1)),
    (BullsAndCows(), "0123", Score(3, 1)),
]
FOREIGN: list[tuple[Rules[Any], str]] = [
    (Focdle(7), ""),
    (Focdle(7), "1+1+1=33"),
    (Focdle(7), "1+1+1="),
    (Focdle(7), "1+1/1=2"),
    (Focdle(7), "1+1+1=٣"),
    (Focdle(7), "1+1+1 3"),
    (Focdle(7), "ROYG"),
    (Mastermind(), ""),
    (Mastermind(), "ROYGB"),
    (Mastermind(), "RRRW"),
    (Mastermind(), "royg"),
    (Mastermind(), "0123"),
    (Mastermind(pegs=4, colours=6, repeats=False), "RRYG"),
    (BullsAndCows(), "0112"),
    (BullsAndCows(), "01 3"),
    (BullsAndCows(), "ROYG"),
]
SOLVED: list[tuple[Rules[Any], str, str]] = [
    (Mastermind(), "ROYG", "RRRR"),
    (Focdle(7), "1+1+1=3", "1+1+2=4"),
]
GAMES: list[Rules[Any]] = [Focdle(7), Mastermind(), BullsAndCows()]


def questions(rules: Rules[Any]) -> list[Callable[[list[Turn[Any]]], object]]:
    """All that can be asked of Codebreakers."""
    breaker = codebreaker(rules)
    guesses = [codebreaker(rules, strength).next_guess for strength in STRENGTHS]
    return [*guesses, breaker.remaining, lambda turns: breaker.candidates(turns, 1)]


@pytest.mark.parametrize("guess", ["1111111", "1+1+1+1", "11+2+11", "2211111"])
def test_marks_are_refused_exactly_when_no_string_could_get_them(guess: str):
    space = FocdleSpace(Focdle(7))
    possible = {mark(guess, "".join(s)) for s in product({*guess, "9"}, repeat=7)}
    accepted: set[Marks] = set()
    for feedback in product(Mark, repeat=7):
        try:
            space.number(guess, feedback)
        except ImpossibleFeedbackError:
            continue
        accepted.add(feedback)
    assert possible - accepted == set()
    assert accepted - possible == set()


class TestRefusals:
    @pytest.mark.parametrize(("rules", "guess", "feedback"), IMPOSSIBLE, ids=str)
    def test_impossible_feedback_is_refused(self, rules: Rules[Any], guess: str, feedback: object):
        for ask in questions(rules):
            with pytest.raises(ImpossibleFeedbackError) as caught:
                ask([Turn(guess, feedback)])
            assert caught.value.guess == guess
            assert caught.value.feedback == feedback

    @pytest.mark.parametrize(("rules", "guess"), FOREIGN, ids=str)
    def test_codebreakers_refuse_a_guess_that_is_no_code_of_the_game(
        self, rules: Rules[Any], guess: str
    ):
        for ask in questions(rules):
            with pytest.raises(ForeignGuessError) as caught:
                ask([Turn(guess, None)])
            assert caught.value.guess == guess

    @pytest.mark.parametrize("place", range(3))
    def test_an_invalid_turn_is_refused_at_any_position(self, place: int):
        turns = answered(Mastermind(), "ROYG", ["RRRR", "OOOO"])
        turns.insert(place, Turn("ROYG", Score(3, 1)))
        for ask in questions(Mastermind()):
            with pytest.raises(ImpossibleFeedbackError):
                ask(turns)

    @pytest.mark.parametrize(("rules", "secret", "other"), SOLVED, ids=str)
    def test_a_turn_after_the_solving_one_is_refused(
        self, rules: Rules[Any], secret: str, other: str
    ):
        for guesses in ([secret, other], [other, secret, other], [secret, secret]):
            for ask in questions(rules):
                with pytest.raises(GameOverError):
                    ask(answered(rules, secret, guesses))

    def test_a_history_without_a_consistent_secret_is_refused(self):
        turns = [Turn("RRRR", Score(n, 0)) for n in (1, 2)]
        for ask in questions(Mastermind()):
            with pytest.raises(InconsistentFeedback):
                ask(turns)


class TestOptions:
    @pytest.mark.parametrize("rules", GAMES, ids=str)
    def test_a_codebreaker_is_written_as_the_call_that_makes_it(self, rules: Rules[Any]):
        breaker = codebreaker(rules, "sharp", goal="worst")
        assert (breaker.rules, breaker.strength) == (rules, "sharp")
        assert repr(breaker) == f"codebreaker({rules!r}, 'sharp', 'any', 'worst')"

    @pytest.mark.parametrize("strength", STRENGTHS)
    def test_a_solved_history_leaves_no_guess_to_make(self, strength: str):
        for rules, secret, other in SOLVED:
            with pytest.raises(GameOverError):
                codebreaker(rules, strength).next_guess(answered(rules, secret, [other, secret]))

    @pytest.mark.parametrize("name", ["", "PERFECT", "best", "perfect ", None, 0, True])
    @pytest.mark.parametrize("option", ["strength", "allowed", "goal"])
    def test_an_unknown_option_of_a_codebreaker_is_refused(self, option: str, name: Any):
        for rules in GAMES:
            with pytest.raises(EngineError):
                codebreaker(rules, **{option: name})

    @pytest.mark.parametrize("allowed", ["form", "true"])
    @pytest.mark.parametrize("rules", [Mastermind(), BullsAndCows()], ids=str)
    def test_only_focdle_can_limit_the_allowed_guesses_to_equations(
        self, rules: Rules[Any], allowed: str
    ):
        with pytest.raises(EngineError):
            codebreaker(rules, allowed=allowed)

    @pytest.mark.parametrize("rules", [None, "focdle:10/6", 6, Focdle], ids=str)
    def test_a_codebreaker_for_an_unsupported_game_is_refused(self, rules: Any):
        with pytest.raises(EngineError):
            codebreaker(rules)

"""Whole games in one call, and feedback as text."""

from random import Random
from typing import Any

import pytest

from engine import (
    BullsAndCows,
    Focdle,
    ForeignGuessError,
    Mastermind,
    NotationError,
    Rules,
    Turn,
)
from engine.solvers import analyse, analyse_turns, answers, codebreaker, solve
from tests.solvers.material import play


class TestText:
    @pytest.mark.parametrize(
        ("rules", "secret"),
        [(Focdle(7), "1+2*3=7"), (Mastermind(), "ROYG"), (BullsAndCows(3), "012")],
        ids=str,
    )
    def test_codebreakers_and_analyses_read_feedback_written_as_text(
        self, rules: Rules[Any], secret: str
    ):
        breaker = codebreaker(rules)
        played = solve(rules, secret)
        spelled = [Turn(turn.guess, rules.write_feedback(turn.feedback)) for turn in played]
        for count in range(len(played)):
            known, said = played[:count], spelled[:count]
            guess = played[count].guess
            assert breaker.next_guess(said) == breaker.next_guess(known) == guess
            assert breaker.remaining(said) == breaker.remaining(known)
            assert breaker.candidates(said, 5) == breaker.candidates(known, 5)
            assert answers(rules, said, guess) == answers(rules, known, guess)
        assert analyse_turns(rules, spelled) == analyse(rules, secret, [t.guess for t in played])

    @pytest.mark.parametrize(
        ("rules", "guess", "text"),
        [(Focdle(7), "1+1+1=3", "AAAAAAA"), (Mastermind(), "ROYG", "111")],
        ids=str,
    )
    def test_text_that_is_not_feedback_is_refused(self, rules: Rules[Any], guess: str, text: str):
        for ask in (codebreaker(rules).remaining, codebreaker(rules).next_guess):
            with pytest.raises(NotationError):
                ask([Turn(guess, text)])
        with pytest.raises(NotationError):
            analyse_turns(rules, [Turn(guess, text)])


class TestSolve:
    @pytest.mark.parametrize("rules", [Focdle(7), Focdle(7, hard=True), Mastermind()], ids=str)
    def test_the_last_guess_of_a_solved_game_is_its_secret(self, rules: Rules[Any]):
        secret = rules.draw(Random(3))
        turns = solve(rules, secret)
        assert turns[-1].guess == secret
        assert all(turn.feedback == rules.feedback(turn.guess, secret) for turn in turns)
        assert list(turns) == play(rules, codebreaker(rules), secret)

    @pytest.mark.parametrize(
        ("rules", "secret"),
        [(Focdle(7), "1+2*3=8"), (Focdle(), "1+2*3=7"), (Mastermind(), "RYGW")],
        ids=str,
    )
    def test_a_game_with_an_invalid_secret_is_refused(self, rules: Rules[Any], secret: str):
        with pytest.raises(ForeignGuessError):
            solve(rules, secret)

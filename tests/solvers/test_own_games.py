"""Games of one's own, and the parts of all games, against a look at every secret."""

import pickle
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine import (
    BullsAndCows,
    Codes,
    Focdle,
    ForeignGuessError,
    Game,
    ImpossibleFeedbackError,
    ImpossibleRulesError,
    InconsistentFeedback,
    Mastermind,
    NotationError,
    Rules,
    Turn,
    decode,
    mark,
    measure,
    read_turn,
    register,
    score,
)
from engine.errors import EngineError
from engine.solvers import (
    analyse,
    answers,
    answers_to_each,
    candidates,
    codebreaker,
    explain,
    known,
    rank,
)
from tests.support.effort import either

NUMBERS = [f"{number:02}" for number in range(100)]
DEALT = ["".join(code) for code in product("ABCDE", repeat=4)]


def higher(guess: str, secret: str) -> int:
    return (secret > guess) - (secret < guess)


def higher_at_once(guess: str, secrets: "NDArray[np.str_]") -> "NDArray[np.intp]":
    return (secrets > guess).astype(int) - (secrets < guess)


def distances(guess: str, secret: str) -> str:
    """Far or near, symbol by symbol, as text."""
    return "".join(
        "=" if g == s else "~" if abs(ord(g) - ord(s)) == 1 else "."
        for g, s in zip(guess, secret, strict=True)
    )


def unhashable(guess: str, secret: str) -> list[str]:
    return [guess, secret]


def always_right(guess: str, secret: str) -> int:
    return len(guess) - len(secret)


def game(kind: str) -> Codes[Any]:
    chance = Random(kind)
    if kind == "numbers":
        return Codes(NUMBERS, feedback=higher, names={-1: "lower", 0: "right", 1: "higher"})
    if kind == "numbers at once":
        return Codes(NUMBERS, feedback=higher, at_once=higher_at_once)
    feedback: Callable[[str, str], Any] = {"marks": mark, "scores": score, "text": distances}[kind]
    return Codes(chance.sample(DEALT, 60), chance.sample(DEALT, 200), feedback=feedback)


KINDS = ["marks", "scores", "text", "numbers", "numbers at once"]


def explaining(rules: Rules[Any], turns: Sequence[Turn[Any]]) -> list[str]:
    return [
        code
        for code in rules.codes()
        if all(rules.feedback(turn.guess, code) == turn.feedback for turn in turns)
    ]


def position(rules: Codes[Any], chance: Random) -> list[Turn[Any]]:
    secret = rules.draw(chance)
    guesses = chance.sample(rules.every_guess, chance.randrange(3))
    return [Turn(guess, rules.feedback(guess, secret)) for guess in guesses]


@pytest.mark.parametrize("kind", KINDS)
class TestSolvers:
    def test_candidates_answers_and_what_is_known_are_those_of_every_secret(self, kind: str):
        rules, chance = game(kind), Random(1)
        for _ in range(either(15, 200)):
            turns = position(rules, chance)
            if turns and rules.solved(turns[0].feedback):
                continue
            left = explaining(rules, turns)
            assert codebreaker(rules).remaining(turns) == len(left)
            assert sorted(candidates(rules, turns)) == sorted(left)
            guess = chance.choice(rules.every_guess)
            found = answers(rules, turns, guess)
            assert found == Counter(rules.feedback(guess, code) for code in left)
            assert [*found.values()] == sorted(found.values(), reverse=True)
            for feedback, count in found.items():
                assert len(candidates(rules, turns, after=(guess, feedback))) == count
            sure = known(rules, turns)
            for place in range(rules.length):
                assert set(sure.places[place]) == {code[place] for code in left}

    def test_a_codebreaker_finds_every_secret_and_mostly_better_than_by_chance(self, kind: str):
        rules = game(kind)
        best, chance = (measure(rules, codebreaker(rules, how)) for how in ("perfect", "sharp"))
        assert best.games == chance.games == rules.size
        assert best.mean < chance.mean
        hard = measure(rules, codebreaker(rules, allowed="hard", goal="worst"))
        assert hard.worst >= best.worst

    def test_analyses_ranks_explanations_and_contradictions_agree_with_the_counts(self, kind: str):
        rules, chance = game(kind), Random(2)
        turns = position(rules, chance)
        while len(turns) < 2 or len(explaining(rules, turns)) < 2:
            turns = position(rules, chance)
        left = explaining(rules, turns)
        first, second = analyse(rules, left[0], [turn.guess for turn in turns])
        assert (first.before, second.after) == (rules.size, len(left))
        assert 0 <= first.skill <= 99
        for prospect in rank(rules, turns, most=5):
            assert prospect.parts == len(answers(rules, turns, prospect.guess))
            assert prospect.largest == max(answers(rules, turns, prospect.guess).values())
        for found in explain(rules, turns):
            claim = found.claim
            for code in left:
                here = code if claim.place is None else code[claim.place]
                assert (claim.symbol in here) == claim.is_so
            assert "no true equation" not in str(found)
        other = next(code for code in rules.codes() if code not in left)
        wrong = [*turns, Turn(other, rules.feedback(other, left[0]))]
        wrong[0] = Turn(turns[0].guess, rules.feedback(turns[0].guess, other))
        if not explaining(rules, wrong):
            with pytest.raises(InconsistentFeedback):
                codebreaker(rules).remaining(wrong)


def test_answers_of_games_that_come_with_the_engine_are_those_of_every_secret():
    games: list[Rules[Any]] = [Focdle(7), Mastermind(pegs=3), BullsAndCows(3)]
    for rules in games:
        guess, other = rules.draw(Random(3)), rules.draw(Random(4))
        turns = [Turn(guess, rules.feedback(guess, other))]
        left = [code for code in rules.codes() if rules.feedback(guess, code) == turns[0].feedback]
        found = answers_to_each(rules, turns, [guess, other])
        for each in (guess, other):
            assert found[each] == Counter(rules.feedback(each, code) for code in left)
        assert candidates(rules, turns, 2) == candidates(rules, turns)[:2]
        assert [*answers(rules, [], guess)][-1:] != [turns[0].feedback]


def test_guesses_that_are_no_secrets_are_made_where_they_tell_more():
    alone = Codes(["AX", "BX", "CX", "DX"], feedback=mark)
    helped = Codes(alone.secrets, ["AB"], feedback=mark)
    assert measure(alone, codebreaker(alone)).mean == 2.5
    assert measure(helped, codebreaker(helped)).mean == 2.25


class TestRules:
    def test_guesses_and_answers_are_typed_by_name_and_written_again(self):
        rules = game("numbers")
        assert rules.parse(" 4 2 ") == "42"
        assert read_turn(rules, "42 Higher") == Turn("42", 1)
        assert rules.write_feedback(-1) == "lower"
        with pytest.raises(NotationError, match="lower, right or higher"):
            rules.read_feedback("yes")
        letters = game("text")
        assert letters.parse(letters.secrets[0].lower()) == letters.secrets[0]
        for text, said in (
            ("", "Nothing"),
            ("AB", "2 symbols, 4 are"),
            ("ABCDZ", "only 4"),
            ("ZZZZ", "ZZZZ is no guess of this game"),
        ):
            with pytest.raises(NotationError, match=said):
                letters.parse(text)
        assert game("marks").read_feedback("gyxy") == mark("AABC", "ACAE")
        assert game("scores").write_feedback(score("AABC", "ACAE")) == "1B2C"

    def test_a_game_of_registered_rules_is_read_again(self):
        rules = Codes(NUMBERS, feedback=higher, name="higher")
        with pytest.raises(ImpossibleRulesError):
            decode(rules.encode())
        register(rules)
        game = Game(rules, "42").guess("50").guess("42")
        assert str(game) == "higher/6 42 50 42"
        assert Game.read(str(game)) == game
        assert decode("higher/9").max_guesses == 9
        with pytest.raises(ImpossibleRulesError, match="another game"):
            register(Mastermind())

    def test_rules_and_codebreakers_are_sent_to_other_processes(self):
        rules = game("scores")
        again = pickle.loads(pickle.dumps(rules))  # noqa: S301 - our own
        assert (again, hash(again)) == (rules, hash(rules))
        breaker = pickle.loads(pickle.dumps(codebreaker(rules, "sharp")))  # noqa: S301
        assert breaker.next_guess([]) == codebreaker(rules, "sharp").next_guess([])

    def test_impossible_rules_and_answers_are_refused_in_a_sentence(self):
        many = [f"{number:04}" for number in range(4000)]
        for said, make in {
            "There must be a secret": lambda: Codes([], feedback=mark),
            "one length: 'AB' and 'ABC' differ": lambda: Codes(["AB", "ABC"], feedback=mark),
            "from 1 to 99": lambda: Codes(["AB"], feedback=mark, max_guesses=0),
            "no single word": lambda: Codes(["AB"], feedback=mark, name="a b"),
            "16,000,000 pairs": lambda: Codes(many, feedback=higher),
            "same answer": lambda: Codes(["AB", "CD"], feedback=lambda guess, _: guess),
            "tuple rather than a list": lambda: Codes(["AB"], feedback=unhashable),
        }.items():
            with pytest.raises(ImpossibleRulesError, match=said):
                make()
        for code in ("100", "AB"):
            with pytest.raises(ForeignGuessError):
                Game(game("numbers"), code)
        with pytest.raises(ImpossibleFeedbackError):
            codebreaker(game("numbers")).remaining([Turn("99", 1)])
        alike = Codes(["AB", "CD"], feedback=always_right)
        with pytest.raises(EngineError, match="the answer of a right guess"):
            codebreaker(alike).next_guess([])
        nothing = Codes(many, feedback=higher, at_once=lambda _, secrets: secrets)
        with pytest.raises(EngineError, match="a whole number for each"):
            codebreaker(nothing).next_guess([])

"""Feedback and turns as text: what is written is read again, and plain text stands for either."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BullsAndCows,
    Code,
    ContradictionError,
    EngineError,
    Focdle,
    ForeignGuessError,
    Game,
    Mark,
    Mastermind,
    NotationError,
    Problem,
    Rules,
    Score,
    Turn,
    is_consistent,
    read_turn,
    replay,
    replay_duel,
)
from engine.duel import Mode
from tests.engine.material import Fault, codes, fault_of, lengths, secrets, small_games
from tests.support.effort import examples

EQUATION = Code("13+12-8=17")


class TestMarks:
    @examples(25, 1000)
    @given(lengths.flatmap(lambda n: st.lists(st.sampled_from(Mark), min_size=n, max_size=n)))
    def test_marks_are_read_as_they_are_written(self, marks: list[Mark]):
        rules = Focdle(len(marks))
        text = rules.write_feedback(tuple(marks))
        assert text == "".join({0: "x", 1: "y", 2: "g"}[m] for m in marks)
        assert rules.read_feedback(text) == tuple(marks)

    @pytest.mark.parametrize(
        "typed",
        [
            *("xygxyxxggg", "XYGXYXXGGG", "0120100222", "xyg xyxx\tggg", "-yg.y_0ggg"),
            *("⬛🟨🟩⬜🟨⬛⬛🟩🟩🟩", "⬛🟦🟧⬛🟦⬛⬛🟧🟧🟧", "⚫🟡🟢⚪🔵⚫⚫🟠🟢🟢"),
        ],
    )
    def test_marks_are_read_in_every_spelling(self, typed: str):
        assert Focdle().write_feedback(Focdle().read_feedback(typed)) == "xygxyxxggg"

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            (" ", Fault(Problem.EMPTY, 0)),
            ("xygxyzxggg", Fault(Problem.UNKNOWN_SYMBOL, 5, "z")),
            (" xyg", Fault(Problem.TOO_SHORT, 4, found=3, wanted=10)),
            ("xyg xyxxgggx", Fault(Problem.TOO_LONG, 11, found=11, wanted=10)),
        ],
    )
    def test_what_is_no_marks_is_refused_with_its_place(self, typed: str, expected: Fault):
        with pytest.raises(NotationError) as caught:
            Focdle().read_feedback(typed)
        assert fault_of(caught.value) == expected


def understood(rules: Mastermind | BullsAndCows, text: str) -> Score | NotationError:
    try:
        return rules.read_feedback(text)
    except NotationError as fault:
        return fault


class TestScores:
    @examples(50, 2000)
    @given(small_games, st.data())
    def test_every_score_is_read_as_either_game_writes_it(
        self, rules: Mastermind | BullsAndCows, data: st.DataObject
    ):
        answer = data.draw(st.sampled_from(rules.answers(data.draw(codes(rules)))))
        bulls, cows = answer
        assert rules.read_feedback(rules.write_feedback(answer)) == answer
        for typed in (f"{bulls}B{cows}C", f"{bulls} {cows}", "b" * bulls + "w" * cows or "0"):
            assert rules.read_feedback(typed) == answer

    def test_each_game_writes_scores_in_its_own_way(self):
        assert BullsAndCows().write_feedback(Score(2, 1)) == "2B1C"
        assert Mastermind().write_feedback(Score(2, 1)) == "●●○"
        assert Mastermind().write_feedback(Score(0, 0)) == "-"

    @pytest.mark.parametrize(
        "typed",
        [
            *("2B1C", "2b 1w", "1C2B", "21", "2 1", "2,1", "2 - 1", "BWB", "bbc", "2BC"),
            *("●●○", "○ ● ●", "⚫⚫⚪", "2 bulls and 1 cow", "1 white, 2 black", "２B１C"),
        ],
    )
    def test_scores_are_read_in_every_spelling(self, typed: str):
        assert Mastermind().read_feedback(typed) == BullsAndCows().read_feedback(typed) == (2, 1)

    @pytest.mark.parametrize("typed", ["-", "–", "0", "none", " Nothing ", "0B0C", "00", "0 0"])
    def test_neither_bulls_nor_cows_has_words_of_its_own(self, typed: str):
        assert Mastermind().read_feedback(typed) == (0, 0)

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("", Fault(Problem.EMPTY, 0)),
            ("2B?1C", Fault(Problem.UNKNOWN_SYMBOL, 2, "?")),
            ("3", Fault(Problem.TOO_SHORT, 1, found=1, wanted=2)),
            ("2B1", Fault(Problem.TOO_SHORT, 3, found=1, wanted=2)),
            ("2 1B", Fault(Problem.TOO_SHORT, 4, found=1, wanted=2)),
            ("1 2 3", Fault(Problem.TOO_LONG, 4, found=3, wanted=2)),
            ("3B2C", Fault(Problem.TOO_LONG, 0, found=5, wanted=4)),
        ],
    )
    def test_what_is_no_score_is_refused_with_its_place(self, typed: str, expected: Fault):
        with pytest.raises(NotationError) as caught:
            Mastermind().read_feedback(typed)
        assert fault_of(caught.value) == expected

    @examples(50, 2000)
    @given(small_games, st.text("0123456789BbCcWw●○ ,-xand") | st.text())
    def test_any_text_is_a_score_or_refused_at_a_place_in_it(
        self, rules: Mastermind | BullsAndCows, text: str
    ):
        answer = understood(rules, text)
        if isinstance(answer, NotationError):
            assert 0 <= answer.position <= len(text)
        else:
            assert 0 <= answer.bulls <= answer.bulls + answer.cows <= rules.length


class TestTurns:
    @pytest.mark.parametrize(
        ("rules", "typed", "guess", "feedback"),
        [
            (Focdle(), "13+12-8=17 xygxyxxggg", EQUATION, "xygxyxxggg"),
            (Focdle(), " 13 + 12 - 8 = 17  xyg xyxx ggg ", EQUATION, "xygxyxxggg"),
            (BullsAndCows(), "0123 2B1C", "0123", "2B1C"),
            (BullsAndCows(), "0 1 2 3 2 1", "0123", "2B1C"),
            (Mastermind(), "red green blue blue 2 black, 1 white", "RGBB", "●●○"),
            (Mastermind(), "rgbb -", "RGBB", "-"),
        ],
    )
    def test_a_turn_is_a_guess_and_its_feedback(
        self, rules: Rules[Any], typed: str, guess: str, feedback: str
    ):
        turn = read_turn(rules, typed)
        assert (turn.guess, rules.write_feedback(turn.feedback)) == (guess, feedback)

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("13+12-8=17", Fault(Problem.EMPTY, 10)),
            ("13+12-8=17 xyg", Fault(Problem.TOO_SHORT, 14, found=3, wanted=10)),
            ("13+12-8=17 xygxyzxggg", Fault(Problem.UNKNOWN_SYMBOL, 16, "z")),
            ("13+1z-8=17 xygxyxxggg", Fault(Problem.UNKNOWN_SYMBOL, 4, "z")),
            ("13+12", Fault(Problem.TOO_SHORT, 5, found=5, wanted=10)),
        ],
    )
    def test_the_part_that_is_wrong_is_refused_with_its_place(self, typed: str, expected: Fault):
        with pytest.raises(NotationError) as caught:
            read_turn(Focdle(), typed)
        assert fault_of(caught.value) == expected


class TestTextForFeedback:
    """Rules take text wherever they take feedback; the solvers' tests show theirs."""

    @examples(25, 500)
    @given(lengths.flatmap(lambda n: st.tuples(secrets(n), secrets(n), secrets(n))))
    def test_hard_mode_and_consistency_judge_by_text_as_by_marks(
        self, equations: tuple[Code, Code, Code]
    ):
        guess, secret, candidate = equations
        rules = Focdle(len(guess), hard=True)
        marks = rules.feedback(guess, secret)
        turn = Turn(guess, rules.write_feedback(marks))
        possible = rules.feedback(guess, candidate) == marks
        assert is_consistent(rules, candidate, [turn]) is possible
        assert rules.solved(turn.feedback) is (guess == secret)
        try:
            rules.check(candidate, [turn])
        except ContradictionError:
            assert not possible
        else:
            assert possible


@pytest.mark.parametrize(
    ("rules", "secret"),
    [
        (Focdle(), "25+4*12=74"),
        (Focdle(), "25+4*12=7x"),
        (Focdle(), "25+4×12=73"),
        (Focdle(), "1+2*3=7"),
        (Mastermind(), "RYGW"),
        (Mastermind(), "rygb"),
        (BullsAndCows(), "0012"),
        (BullsAndCows(), ""),
    ],
)
def test_no_game_has_a_secret_that_is_none(rules: Rules[Any], secret: str):
    for begin in (lambda: replay(rules, secret, []), lambda: Game(rules, Code(secret))):
        with pytest.raises(ForeignGuessError) as caught:
            begin()
        assert caught.value.guess == secret


def test_no_duel_has_either():
    with pytest.raises(EngineError):
        replay_duel(BullsAndCows(), ("0123", "0012"), Mode.EQUAL_TURNS)

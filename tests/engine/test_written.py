"""Feedback and turns as text: what is written is read again, and plain text stands for either."""

from itertools import product
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
from engine.game import Mode
from tests.engine.material import Fault, codes, fault_of, lengths, secrets, small_games
from tests.support.effort import examples

EQUATION = "13+12-8=17"


class TestMarks:
    @examples(25, 1000)
    @given(lengths.flatmap(lambda n: st.lists(st.sampled_from(Mark), min_size=n, max_size=n)))
    def test_written_marks_are_read_back(self, marks: list[Mark]):
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
    def test_a_text_that_gives_no_marks_is_refused_with_the_place_of_its_mistake(
        self, typed: str, expected: Fault
    ):
        with pytest.raises(NotationError) as caught:
            Focdle().read_feedback(typed)
        assert fault_of(caught.value) == expected


def understood(rules: Mastermind | BullsAndCows, text: str) -> Score | NotationError:
    try:
        return rules.read_feedback(text)
    except NotationError as fault:
        return fault


COUNTS = ("0", "1", "2")
NAMES = {"bulls": "bull", "A": "A", "B": "B", "r": "counted bull", "cow": "cow", "w": "cow"}


def all_scores_as_they_can_be_meant() -> dict[tuple[str, ...], Score]:
    """Of up to four words, written down from what is meant, not read."""
    meant: dict[tuple[str, ...], Score] = {
        ("0",): Score(0, 0),
        **{counts: Score(*map(int, counts)) for counts in product(COUNTS, repeat=2)},
    }
    bulls = [name for name, kind in NAMES.items() if kind.endswith("bull") or kind == "B"]
    cows = [name for name, kind in NAMES.items() if kind == "cow"]
    for names in [*product(bulls, cows), ("A", "B")]:
        for counts in product(COUNTS, repeat=2):
            said = dict(zip(names, counts, strict=True))
            score = Score(int(counts[0]), int(counts[1]))
            for first, second in (names, names[::-1]):
                meant[said[first], first, said[second], second] = score
                meant[first, said[first], second, said[second]] = score
    for name in NAMES:
        for count in COUNTS:
            number = int(count)
            score = Score(0, number) if name in cows else Score(number, 0)
            meant[count, name] = meant[name, count] = score
    for some_bulls, some_cows in ((["bulls", "B"], cows), (["A"], ["B"])):
        for size in range(1, 5):
            for names in product((*some_bulls, *some_cows), repeat=size):
                if some_bulls == ["A"] and "A" not in names:
                    continue
                meant[names] = Score(
                    sum(name in some_bulls for name in names),
                    sum(name in some_cows for name in names),
                )
    return {words: score for words, score in meant.items() if sum(score) <= BullsAndCows().digits}


class TestScores:
    @examples(50, 2000)
    @given(small_games, st.data())
    def test_a_score_is_read_in_the_notation_of_either_game(
        self, rules: Mastermind | BullsAndCows, data: st.DataObject
    ):
        answer = data.draw(st.sampled_from(rules.answers(data.draw(codes(rules)))))
        bulls, cows = answer
        assert rules.read_feedback(rules.write_feedback(answer)) == answer
        for typed in (f"{bulls}B{cows}C", f"{bulls} {cows}", "b" * bulls + "w" * cows or "0"):
            assert rules.read_feedback(typed) == answer

    def test_each_game_writes_scores_in_its_own_notation(self):
        assert BullsAndCows().write_feedback(Score(2, 1)) == "2B1C"
        assert Mastermind().write_feedback(Score(2, 1)) == "●●○"
        assert Mastermind().write_feedback(Score(0, 0)) == "-"

    @pytest.mark.parametrize(
        "typed",
        [
            *("2B1C", "2b 1w", "1C2B", "21", "2 1", "2,1", "2 - 1", "BWB", "bbc", "2.1", "(2, 1)"),
            *("●●○", "○ ● ●", "⚫⚫⚪", "2 bulls and 1 cow", "1 white, 2 black", "２B１C"),
            *("2A1B", "2a 1b", "1B 2A", "AAB", "A: 2, B: 1", "2R1W", "2 red 1 white", "2 black/1w"),
            *("Bulls: 2, Cows: 1", "cows=1 bulls=2", "B2W1", "B: 2 | C: 1", "2 Bulls\n1 Cow"),
            *("`2B1C`.", "two bulls, one cow", "2 bulls one cow", "2 B, 1 C."),
        ],
    )
    def test_scores_are_read_in_every_spelling(self, typed: str):
        assert Mastermind().read_feedback(typed) == BullsAndCows().read_feedback(typed) == (2, 1)

    @pytest.mark.parametrize("typed", ["-", "–", "0", "none", " Nothing ", "0B0C", "00", "0 0"])
    def test_zero_bulls_and_zero_cows_are_read_in_every_spelling(self, typed: str):
        assert Mastermind().read_feedback(typed) == (0, 0)

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("", Fault(Problem.EMPTY, 0)),
            (" , and ", Fault(Problem.EMPTY, 0)),
            ("2B?1C", Fault(Problem.UNKNOWN_SYMBOL, 2, "?")),
            ("2 buls 1 cow", Fault(Problem.UNKNOWN_SYMBOL, 2, "buls")),
            ("1234 2", Fault(Problem.UNKNOWN_SYMBOL, 0, "1234")),
            ("1A 2C", Fault(Problem.UNKNOWN_SYMBOL, 4, "c")),
            ("rbbr", Fault(Problem.UNKNOWN_SYMBOL, 0, "r")),
            ("bbbb -", Fault(Problem.UNKNOWN_SYMBOL, 5, "-")),
            ("-2 1", Fault(Problem.UNKNOWN_SYMBOL, 0, "-")),
            ("2\u00ad1", Fault(Problem.INVISIBLE, 1, "soft hyphen")),
            ("3", Fault(Problem.TOO_SHORT, 1, found=1, wanted=2)),
            ("2B1", Fault(Problem.TOO_SHORT, 3, found=1, wanted=2)),
            ("2 1B", Fault(Problem.TOO_SHORT, 4, found=1, wanted=2)),
            ("2BC", Fault(Problem.TOO_SHORT, 3, found=1, wanted=2)),
            ("B2W", Fault(Problem.TOO_SHORT, 3, found=1, wanted=2)),
            ("bulls 2 cow", Fault(Problem.TOO_SHORT, 11, found=1, wanted=2)),
            ("2 bulls cows 1", Fault(Problem.TOO_SHORT, 14, found=1, wanted=2)),
            ("1B 1 black", Fault(Problem.REPEATED_SYMBOL, 5, "black")),
            ("1 2 3", Fault(Problem.TOO_LONG, 4, found=3, wanted=2)),
            ("3B2C", Fault(Problem.TOO_LONG, 0, found=5, wanted=4)),
        ],
    )
    def test_a_text_that_is_no_score_is_refused_with_the_place_of_its_mistake(
        self, typed: str, expected: Fault
    ):
        with pytest.raises(NotationError) as caught:
            Mastermind().read_feedback(typed)
        assert fault_of(caught.value) == expected

    def test_exactly_the_meaningful_combinations_of_counts_and_names_are_read_as_scores(self):
        meant = all_scores_as_they_can_be_meant()
        read: dict[tuple[str, ...], Score] = {}
        for size in range(1, 5):
            for words in product((*COUNTS, *NAMES), repeat=size):
                answer = understood(BullsAndCows(), " ".join(words))
                if not isinstance(answer, NotationError):
                    read[words] = answer
        assert read == meant

    @examples(50, 2000)
    @given(small_games, st.text("0123456789BbCcWw●○ ,-xand") | st.text())
    def test_any_text_parses_as_a_score_or_is_refused_at_a_place_in_it(
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
            (BullsAndCows(), "0123 1A2B", "0123", "1B2C"),
            (BullsAndCows(), "0 1 2 3 Bulls: 2, Cows: 1", "0123", "2B1C"),
        ],
    )
    def test_a_written_turn_is_a_guess_and_its_feedback(
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
    def test_a_refused_turn_shows_its_mistake_in_the_guess_or_in_the_feedback(
        self, typed: str, expected: Fault
    ):
        with pytest.raises(NotationError) as caught:
            read_turn(Focdle(), typed)
        assert fault_of(caught.value) == expected

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("1123 1 1", Fault(Problem.REPEATED_SYMBOL, 1, "1")),
            ("12345 1 1", Fault(Problem.TOO_LONG, 4, found=5, wanted=4)),
            ("1 2 3 2 1", Fault(Problem.TOO_SHORT, 5, found=3, wanted=4)),
            ("12a4 2B1C", Fault(Problem.UNKNOWN_SYMBOL, 2, "a")),
            ("1234 bulls 2 cow", Fault(Problem.TOO_SHORT, 16, found=1, wanted=2)),
            ("1234 ", Fault(Problem.EMPTY, 4)),
            ("123 rubbish", Fault(Problem.TOO_SHORT, 3, found=3, wanted=4)),
        ],
    )
    def test_a_refused_turn_of_bulls_and_cows_shows_its_mistake_and_the_place(
        self, typed: str, expected: Fault
    ):
        with pytest.raises(NotationError) as caught:
            read_turn(BullsAndCows(), typed)
        assert fault_of(caught.value) == expected


class TestTextForFeedback:
    """Rules take text wherever they take feedback; the solvers' tests show theirs."""

    @examples(25, 500)
    @given(lengths.flatmap(lambda n: st.tuples(secrets(n), secrets(n), secrets(n))))
    def test_hard_mode_and_consistency_judge_written_marks_like_computed_ones(
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
def test_no_game_accepts_an_invalid_secret(rules: Rules[Any], secret: str):
    for begin in (lambda: replay(rules, secret, []), lambda: Game(rules, secret)):
        with pytest.raises(ForeignGuessError) as caught:
            begin()
        assert caught.value.guess == secret


def test_a_duel_with_an_invalid_secret_is_refused():
    with pytest.raises(EngineError):
        replay_duel(BullsAndCows(), ("0123", "0012"), Mode.EQUAL_TURNS)

"""What hints have shown, among the turns of a history: held to plain counting."""

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    Clue,
    Code,
    ContradictionError,
    Fact,
    Focdle,
    ForeignGuessError,
    InconsistentFeedback,
    Mastermind,
    Rules,
    Shown,
    Turn,
    is_consistent,
    next_hint,
)
from engine.feedback import check_consistent
from engine.solvers import Allowed, analyse_turns, codebreaker
from tests.engine.material import codes
from tests.engine.test_draw import shortest
from tests.solvers.material import answered, noise
from tests.support.effort import examples

SECRET = "25+4*12=73"
GUESSES = ["13+12-8=17", "72+31%6=73"]


def explains(rules: Rules[Any], code: Code, history: list[Fact[Any]]) -> bool:
    """Whether a code could be the secret, fact by fact."""
    return all(
        code[fact.place] == fact.symbol
        if isinstance(fact, Shown)
        else rules.feedback(fact.guess, code) == fact.feedback
        for fact in history
    )


def shuffled(rng: Random, secret: str, turns: list[Turn[Any]]) -> list[Fact[Any]]:
    """Turns, and two hints somewhere among them."""
    history: list[Fact[Any]] = [*turns]
    for place in rng.sample(range(len(secret)), 2):
        history.insert(rng.randint(0, len(history)), Shown(place, secret[place]))
    return history


def assert_counted(
    rules: Rules[Any], every: list[Code], history: list[Fact[Any]], allowed: str
) -> None:
    """Counts, candidates, guesses and analyses are those of the codes that explain all."""
    possible = [code for code in every if explains(rules, code, history)]
    assert possible == [code for code in every if is_consistent(rules, code, history)]
    breaker = codebreaker(rules, allowed=allowed)
    assert breaker.remaining(history) == len(possible)
    assert sorted(breaker.candidates(history, len(every))) == sorted(possible)
    for strength in ("sharp", "perfect"):
        one = codebreaker(rules, strength, Allowed.HARD)
        assert one.next_guess(history) in possible
    before, made = every, list[Fact[Any]]()
    found = iter(analyse_turns(rules, history, allowed))
    for fact in history:
        after = [code for code in before if explains(rules, code, [fact])]
        if not isinstance(fact, Shown):
            analysis = next(found)
            assert (analysis.before, analysis.after) == (len(before), len(after))
            is_possible = fact.guess in before
            assert analysis.promise.chance == pytest.approx(is_possible / len(before))
            assert analysis.choice == fact.guess or analysis.choice == breaker.next_guess(
                made, is_last=analysis.is_last
            )
        before = after
        made.append(fact)


@examples(15, 500)
@given(
    st.sampled_from(
        [
            Mastermind(pegs=4, colours=3),
            Mastermind(pegs=3, colours=4),
            Mastermind(pegs=5, colours=5, repeats=False),
        ]
    ),
    st.data(),
)
def test_candidates_with_shown_pegs_agree_with_counting(
    rules: Mastermind, data: st.DataObject
) -> None:
    secret = data.draw(codes(rules))
    others = codes(rules).filter(lambda code: code != secret)
    turns = answered(rules, secret, data.draw(st.lists(others, max_size=3)))
    history = shuffled(Random(data.draw(st.integers())), secret, turns)
    assert_counted(rules, list(rules.codes()), history, data.draw(st.sampled_from(["any", "hard"])))


@examples(4, 40)
@given(st.sampled_from(shortest()), st.integers(), st.integers(0, 2))
def test_candidates_with_shown_symbols_agree_with_counting(
    secret: Code, seed: int, count: int
) -> None:
    rules, rng = Focdle(7), Random(seed)
    guesses = [rng.choice([noise(rng, 7), rules.draw(rng)]) for _ in range(count)]
    turns = answered(rules, secret, [guess for guess in guesses if guess != secret])
    assert_counted(rules, shortest(), shuffled(rng, secret, turns), "any")


@pytest.mark.parametrize("strength", ["casual", "sharp", "perfect"])
def test_every_codebreaker_finds_a_code_with_shown_pegs(strength: str) -> None:
    rules, secret = Mastermind(), "RGGB"
    history: list[Fact[Any]] = [Shown(0, "R"), Shown(2, "G")]
    while not any(isinstance(fact, Turn) and rules.solved(fact.feedback) for fact in history):
        guess = codebreaker(rules, strength).next_guess(history)
        history += answered(rules, secret, [guess])
    assert len(history) < 2 + rules.max_guesses


def test_a_contradiction_suggests_no_correction_of_a_shown_symbol() -> None:
    rules = Mastermind()
    lie = Turn("RRRR", rules.read_feedback("0 0"))
    with pytest.raises(InconsistentFeedback) as refused:
        codebreaker(rules).remaining([Shown(0, "R"), lie])
    assert (refused.value.turns, refused.value.repairs) == ((0, 1), (1,))


@pytest.mark.parametrize("shown", [Shown(7, "1"), Shown(-1, "1"), Shown(0, "R"), Shown(0, "")])
def test_a_shown_symbol_that_no_secret_has_is_refused(shown: Shown) -> None:
    with pytest.raises(ForeignGuessError):
        codebreaker(Focdle(7)).remaining([shown])


def test_hard_mode_and_warnings_name_the_shown_symbol() -> None:
    rules, shown = Focdle(hard=True), Shown(1, "5")
    turns = answered(rules, SECRET, GUESSES[:1])
    rules.check("72+31%6=73", turns)
    for check in (rules.check, check_consistent):
        with pytest.raises(ContradictionError) as refused:
            check("72+31%6=73", [*turns, shown])
        assert refused.value.clue is Clue.SHOWN
        assert (refused.value.symbol, refused.value.position) == ("5", 1)
        check(SECRET, [*turns, shown])


class TestNextHint:
    def test_a_hint_is_the_leftmost_symbol_that_is_neither_green_nor_shown(self) -> None:
        rules = Focdle()
        assert next_hint(rules, SECRET, []) == Shown(0, "2")
        turns = answered(rules, SECRET, ["20+4*12=98"])
        assert next_hint(rules, SECRET, turns) == Shown(1, "5")
        assert next_hint(rules, SECRET, [Shown(1, "5"), *turns]) == Shown(8, "7")

    def test_no_hint_is_available_once_all_symbols_are_known(self) -> None:
        shown = [Shown(place, symbol) for place, symbol in enumerate(SECRET)]
        assert next_hint(Focdle(), SECRET, shown) is None

    def test_a_hint_in_mastermind_is_the_leftmost_peg_not_yet_shown(self) -> None:
        rules = Mastermind()
        turns = answered(rules, "RGGB", ["RGGY"])
        assert next_hint(rules, "RGGB", turns) == Shown(0, "R")
        assert next_hint(rules, "RGGB", [Shown(0, "R"), *turns]) == Shown(1, "G")

"""The scale of skill: what guesses lose, recounted by trying every way to play on."""

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BullsAndCows, Code, EngineError, Focdle, Mastermind, Rules, is_consistent
from engine.skill import Grade, Loss, grade_of, skill_of
from engine.solvers import TurnAnalysis, analyse, codebreaker
from tests.engine.material import codes
from tests.solvers.material import answered, consistent, draws
from tests.support.effort import either, examples

TINY = [
    Mastermind(pegs=2, colours=3),
    Mastermind(pegs=2, colours=4),
    BullsAndCows(1),
    *either([], [Mastermind(pegs=3, colours=3), Mastermind(pegs=3, colours=5, repeats=False)]),
]


@cache
def every(rules: Rules[Any]) -> frozenset[Code]:
    """All codes of a tiny game."""
    return frozenset(rules.codes())  # type: ignore[attr-defined]


@cache
def taken(rules: Rules[Any], left: frozenset[Code]) -> int:
    """How many guesses all these secrets together take, each way to play on tried."""
    if len(left) <= 1:
        return len(left)
    return len(left) + min(
        total for guess in every(rules) if (total := taken_after(rules, guess, left)) is not None
    )


@cache
def taken_after(rules: Rules[Any], guess: Code, left: frozenset[Code]) -> int | None:
    """How many they take after a guess; None if it tells nothing."""
    parts = defaultdict[Any, set[Code]](set)
    for code in left:
        parts[rules.feedback(guess, code)].add(code)
    if len(parts) == 1 and guess not in left:
        return None
    return sum(taken(rules, frozenset(part)) for part in parts.values() if part != {guess})


def last(rules: Rules[Any], secret: Code, guesses: Iterable[str]) -> TurnAnalysis[Any]:
    return analyse(rules, secret, guesses)[-1]


@st.composite
def positions(draw: st.DrawFn) -> tuple[Rules[Any], Code, list[Code]]:
    """A tiny game that is under way."""
    rules: Rules[Any] = draw(st.sampled_from(TINY))
    secret = draw(codes(rules))
    others = codes(rules).filter(lambda code: code != secret)
    return rules, secret, draw(st.lists(others, max_size=2))


class TestCosts:
    @examples(12, 300)
    @given(positions())
    def test_a_cost_called_exact_agrees_with_trying_every_way_to_play(
        self, position: tuple[Rules[Any], Code, list[Code]]
    ):
        rules, secret, earlier = position
        left = frozenset(consistent(rules, every(rules), answered(rules, secret, earlier)))
        for guess in sorted(every(rules))[:12]:
            loss = last(rules, secret, [*earlier, guess]).loss
            after = taken_after(rules, guess, left)
            cost = taken(rules, left) if after is None else after
            if loss.is_exact:
                best = taken(rules, left) - len(left)
                assert loss.guesses == Fraction(cost - best, len(left)), guess

    @pytest.mark.parametrize(
        ("rules", "secret", "first"),
        [
            (Mastermind(pegs=2, colours=3), "RO", "RR"),
            (Mastermind(pegs=3, colours=4), "ROY", "RRO"),
            (Mastermind(pegs=3, colours=3), "ROY", "RRO"),
        ],
        ids=str,
    )
    def test_the_cost_of_few_secrets_is_exact_for_every_guess(
        self, rules: Rules[Any], secret: str, first: str
    ):
        guesses = every(rules) - {secret}
        assert all(last(rules, secret, [first, guess]).loss.is_exact for guess in guesses)

    def test_a_guess_without_information_costs_one_guess(self):
        rules, secret = Mastermind(), "RGBY"
        again = last(rules, secret, ["RROO", "RROO"])
        assert abs(again.loss.guesses - 1) < Fraction(1, 5)
        assert last(rules, ("RO" * 2), ["RORO"]).loss.guesses < Fraction(1, 5)
        only = analyse(Mastermind(pegs=2, colours=3), "RO", ["OR", "YY"])[1]
        assert only.loss == Loss(Fraction(1), Fraction(), is_exact=True, candidates=Fraction())


class TestSkill:
    @examples(6, 100)
    @given(positions())
    def test_a_larger_loss_never_gives_a_higher_skill(
        self, position: tuple[Rules[Any], Code, list[Code]]
    ):
        rules, secret, earlier = position
        turns = answered(rules, secret, earlier)
        found = [last(rules, secret, [*earlier, guess]) for guess in sorted(every(rules))[:16]]
        assert len({analysis.loss.stake for analysis in found}) == 1
        found.sort(key=lambda analysis: analysis.loss.guesses)
        skills = [analysis.skill for analysis in found]
        assert skills == sorted(skills, reverse=True)
        assert all(0 <= skill <= 99 for skill in skills)
        assert all((a.skill == 99) == (not a.loss.guesses) for a in found)
        fits = [a for a in found if is_consistent(rules, a.turn.guess, turns)]
        others = [a for a in found if not is_consistent(rules, a.turn.guess, turns)]
        assert not any(
            other.skill > fit.skill
            for fit in fits
            for other in others
            if fit.loss.guesses < other.loss.guesses
        )

    @pytest.mark.parametrize(
        ("losses", "skill"),
        [
            ([("0", "1/3")], 99),
            ([("0", "0")], 99),
            ([("1", "0")], 0),
            ([("1/3", "1/3")], 49),
            ([("1/7", "2/7")], 66),  # two thirds of 99, on the dot
            ([("2/49", "1/49")], 33),
            ([("1/1000000", "1")], 98),
            # What is forced does not lift a game, and no turn counts by itself.
            ([("1/7", "2/7"), ("0", "0"), ("0", "0")], 66),
            ([("1/10", "0"), ("0", "1/10")], 49),
        ],
    )
    def test_the_skill_in_a_game_follows_from_the_sums_of_its_losses_and_stakes(
        self, losses: list[tuple[str, str]], skill: int
    ):
        found = [Loss(Fraction(lost), Fraction(stake), is_exact=True) for lost, stake in losses]
        assert skill_of(found) == skill

    def test_no_guess_has_no_skill(self):
        with pytest.raises(EngineError, match="nothing was guessed"):
            skill_of([])

    @pytest.mark.long
    @pytest.mark.parametrize("rules", [Mastermind(), BullsAndCows(3), Focdle(7)], ids=str)
    def test_a_game_of_random_consistent_guesses_has_about_average_skill(self, rules: Rules[Any]):
        lost = stake = Fraction()
        for secret in draws(rules, seed=5, count=either(6, 12)):
            fitting = list(random_game(rules, secret))
            for analysis in analyse(rules, secret, fitting, "any"):
                lost += analysis.loss.guesses
                stake += analysis.loss.stake
        assert Fraction(2, 5) < stake / (stake + lost) < Fraction(7, 10)


def random_game(rules: Rules[Any], secret: Code) -> list[Code]:
    """The guesses of a game in which each is drawn from what fits."""
    rng = Random(str(secret))
    breaker = codebreaker(rules, "sharp", rng=rng)
    guesses = [rules.draw(rng)]
    while guesses[-1] != secret:
        guesses.append(breaker.next_guess(answered(rules, secret, guesses)))
    return guesses


class TestGrades:
    @pytest.mark.parametrize(
        ("lost", "before", "is_possible", "grade"),
        [
            ("0", 9, True, "!"),
            ("1/20", 9, True, "!"),
            ("0.051", 9, True, ""),
            ("0", 2, True, ""),
            ("0", 1, True, ""),
            ("0.149", 9, False, ""),
            ("3/20", 9, True, "?!"),
            ("0.349", 9, False, "?!"),
            ("7/20", 9, True, "?"),
            ("7/20", 9, False, "??"),
            ("7/10", 9, True, "??"),
            ("1", 1, False, "??"),
        ],
    )
    def test_the_grade_of_a_guess_follows_from_its_loss(
        self, lost: str, before: int, is_possible: bool, grade: str
    ):
        loss = Loss(Fraction(lost), Fraction(1, 5), is_exact=True, candidates=Fraction())
        assert grade_of(loss, before, is_possible=is_possible) == grade

    @pytest.mark.parametrize(
        ("chance", "grade"),
        [
            ("0.049", ""),
            ("1/20", "?!"),
            ("0.149", "?!"),
            ("3/20", "?"),
            ("0.349", "?"),
            ("7/20", "??"),
        ],
    )
    def test_the_grade_of_a_hopeless_last_guess_follows_from_the_chance_it_gave_away(
        self, chance: str, grade: str
    ):
        loss = Loss(Fraction(chance), Fraction(1, 5), is_exact=True, candidates=Fraction())
        assert grade_of(loss, 9, is_possible=False, is_last=True) == grade

    def test_a_probe_that_is_much_better_than_every_candidate_is_graded_brilliant(self):
        # Seven differ in one digit: one of them after the other, or a probe of several.
        found = brilliant()
        assert found.grade is Grade.BRILLIANT
        assert found.promise.chance == 0
        candidates = found.loss.candidates
        assert candidates is not None
        assert candidates >= Fraction(3, 10)


def brilliant() -> TurnAnalysis[Any]:
    """The solver's choice where one digit is left to be found."""
    rules, secret = Focdle(8), "1%23+4=5"
    earlier = ["1%17+4=5", "1%66+4=5"]
    choice = codebreaker(rules, allowed="form").next_guess(answered(rules, secret, earlier))
    return analyse(rules, secret, [*earlier, choice], "form")[-1]

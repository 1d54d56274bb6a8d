"""What the coach finds in a game, recounted one by one without the solvers."""

import operator
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise
from math import log2
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.coach.analysis import examine, mark_of
from bot.coach.model import Analysis, CoachTurn, Insight, Observation
from bot.games.model import Hint, Record
from engine import (
    BullsAndCows,
    Code,
    Focdle,
    InconsistentFeedback,
    Mark,
    Mastermind,
    Rules,
    Score,
    Shown,
    Turn,
    is_consistent,
    next_hint,
)
from engine.deductions import Case, Fault
from engine.skill import Grade
from engine.solvers import codebreaker
from tests.engine.material import worth
from tests.engine.test_draw import shortest
from tests.solvers.material import play
from tests.support.effort import examples

SMALL = (Focdle(7), Focdle(7, hard=True), Mastermind(pegs=3, colours=4), BullsAndCows(3))


def record(rules: Rules[Any], secret: str, guesses: list[str], *, told: bool = True) -> Record:
    turns = tuple(Turn(g, rules.feedback(g, secret)) for g in guesses)
    return Record(rules, str(rules), secret if told else None, turns)


@cache
def every(rules: Rules[Any]) -> tuple[Code, ...]:
    """All secrets of a small game."""
    return tuple(shortest()) if isinstance(rules, Focdle) else tuple(rules.codes())  # type: ignore[attr-defined]


def drawn_game(rules: Rules[Any], seed: int, hints: int = 0) -> Record:
    """A game with guesses of all sorts: drawn, sensible, rearranged, false.

    It has so many hints at most, all after the first guess, and guesses that ignore them.
    """
    rng = Random(seed)
    secret = rules.draw(rng)
    guesses: list[str] = []
    possible = list(every(rules))
    for _ in range(rng.randrange(1, min(rules.max_guesses, 6) + 1)):
        ways = [possible] if getattr(rules, "hard", False) else [possible, every(rules), [secret]]
        guess = rng.choice(rng.choice(ways))
        if isinstance(rules, Focdle) and not rules.hard and rng.random() < 0.4:
            guess = rng.choice(variants(rules, rng.choice([secret, guess, *guesses])))
        if guess not in guesses:
            guesses.append(guess)
            turn = Turn(guess, rules.feedback(guess, secret))
            possible = [code for code in possible if is_consistent(rules, code, [turn])]
        if guess == secret:
            break
    game = record(rules, secret, guesses)
    for _ in range(hints if len(guesses) > 1 and not getattr(rules, "hard", False) else 0):
        shown = next_hint(rules, secret, game.before(1))
        if shown is not None:
            game = replace(game, hints=(*game.hints, Hint(1, shown.place, shown.symbol)))
    return game


def variants(rules: Focdle, guess: str) -> list[Code]:
    """What has the form of an equation and differs in one digit, or in the order of two."""
    changed = [guess[:p] + digit + guess[p + 1 :] for p in range(7) for digit in "123456789"]
    swapped = [
        guess[:p] + guess[q] + guess[p + 1 : q] + guess[p] + guess[q + 1 :]
        for p in range(7)
        for q in range(p + 1, 7)
    ]
    return [text for text in (*changed, *swapped) if is_form(rules, text)]


def is_form(rules: Focdle, text: str) -> bool:
    try:
        return rules.parse(text) == text
    except ValueError:
        return False


@dataclass(frozen=True)
class View:
    """A guess and all that follows from counting, one by one."""

    rules: Rules[Any]
    secret: str
    earlier: tuple[Turn[Any], ...]
    turn: CoachTurn
    before: list[Code]
    hints: tuple[Shown, ...] = ()

    @property
    def guess(self) -> str:
        return self.turn.guess

    @property
    def is_right(self) -> bool:
        return self.guess == self.secret

    @property
    def is_possible(self) -> bool:
        return self.guess in self.before

    @cached_property
    def groups(self) -> Counter[Any]:
        return self.groups_of(self.guess)

    @property
    def after(self) -> int:
        answer = self.rules.feedback(self.guess, self.secret)
        return self.groups[answer]

    def groups_of(self, guess: str) -> Counter[Any]:
        return Counter(self.rules.feedback(guess, code) for code in self.before)

    def worth(self, guess: str) -> float:
        """Bits that a guess promises, and the chance that it is right."""
        return self.bits(guess) + (guess in self.before) / len(self.before)

    def bits(self, guess: str) -> float:
        groups = self.groups if guess == self.guess else self.groups_of(guess)
        total = len(self.before)
        return sum(n / total * log2(total / n) for n in groups.values())

    def marks(self, turn: int, symbol: str) -> list[tuple[int, Mark]]:
        marked = zip(self.earlier[turn].guess, self.earlier[turn].feedback, strict=True)
        return [(place, m) for place, (s, m) in enumerate(marked) if s == symbol]

    def found(self, turn: int, symbol: str) -> int:
        return sum(m is not Mark.ABSENT for _, m in self.marks(turn, symbol))


def views(game: Record, analysis: Analysis) -> list[View]:
    assert game.secret is not None
    found: list[View] = []
    before = list(every(game.rules))
    for index, turn in enumerate(analysis.turns):
        before = [c for c in before if is_consistent(game.rules, c, game.before(index))]
        hints = tuple(fact for fact in game.before(index) if isinstance(fact, Shown))
        found.append(View(game.rules, game.secret, game.turns[:index], turn, before, hints))
    return found


def is_twin(one: str, other: str) -> bool:
    rules = Focdle(7)
    a, b = rules.equation(one), rules.equation(other)
    same = Counter(a.values) == Counter(b.values) and Counter(a.operators) == Counter(b.operators)
    return one != other and a.is_true and b.is_true and same and a.result == b.result


def is_ruled_out(view: View, said: Observation) -> bool:
    """Whether the named guess rules a symbol out by itself."""
    answer = view.earlier[said.turn].feedback
    if isinstance(answer, Score):
        return answer == (0, 0) and said.symbol in view.earlier[said.turn].guess
    return bool(view.marks(said.turn, said.symbol)) and not view.found(said.turn, said.symbol)


def probes(view: View, _said: Observation) -> bool:
    return not view.is_right and not view.is_possible and bool(view.earlier)


def numbers(view: View, said: Observation) -> bool:
    return (said.count, said.total) == (view.after, len(view.before))


# What each observation claims, by counting.
CLAIMS: dict[Insight, Callable[[View, Observation], bool]] = {
    Insight.FIRST_TRY: lambda v, o: v.is_right and not v.earlier and o.total == len(v.before),
    Insight.ONLY_LEFT: lambda v, _: v.is_right and v.before == [v.secret],
    Insight.COIN_WON: lambda v, _: v.is_right and len(v.before) == 2,
    Insight.HIT: lambda v, o: v.is_right and o.total == len(v.before) > 2,
    Insight.LAST_CHANCE: lambda v, _: v.is_right and len(v.earlier) + 1 == v.rules.max_guesses,
    Insight.TWIN: lambda v, _: is_twin(v.guess, v.secret),
    Insight.NEAR_MISS: lambda v, o: (
        not v.is_right
        and Counter(v.guess) == Counter(v.secret)
        and o.count == sum(g == s for g, s in zip(v.guess, v.secret, strict=True))
        and o.total == len(v.secret)
    ),
    Insight.LAST_WASTED: lambda v, o: (
        probes(v, o) and len(v.earlier) + 1 == v.rules.max_guesses and o.code in v.before
    ),
    Insight.LAST_SHOT: lambda v, o: (
        v.is_possible
        and not v.is_right
        and len(v.earlier) + 1 == v.rules.max_guesses
        and o.total == len(v.before) > 2
    ),
    Insight.ONLY_MISSED: lambda v, o: v.before == [v.secret] == [o.code] and not v.is_right,
    Insight.COIN_LOST: lambda v, _: len(v.before) == 2 and v.is_possible and not v.is_right,
    Insight.PAIR_UNUSED: lambda v, o: (
        len(v.before) == 2 and not v.is_possible and o.code in v.before
    ),
    Insight.UNTRUE: lambda v, o: (
        probes(v, o)
        and not Focdle(7).is_true(v.guess)
        and is_consistent(v.rules, v.guess, v.earlier)
    ),
    Insight.WASTED: lambda v, o: (
        probes(v, o) and len(v.groups) == 1 and o.total == len(v.before) > 2
    ),
    Insight.OLD_TWIN: lambda v, o: (
        probes(v, o) and is_twin(v.guess, o.code) and v.earlier[o.turn].guess == o.code
    ),
    Insight.DEAD_SYMBOL: lambda v, o: probes(v, o) and o.symbol in v.guess and is_ruled_out(v, o),
    Insight.DEAD_DEDUCED: lambda v, o: (
        probes(v, o) and o.symbol in v.guess and not any(o.symbol in code for code in v.before)
    ),
    Insight.CLUE_KEEP: lambda v, o: (
        (o.place, Mark.CORRECT) in v.marks(o.turn, o.symbol) and v.guess[o.place] != o.symbol
    ),
    Insight.CLUE_MOVE: lambda v, o: (
        v.guess[o.place] == o.symbol
        and any(p == o.place and m is not Mark.CORRECT for p, m in v.marks(o.turn, o.symbol))
    ),
    Insight.CLUE_USE: lambda v, o: v.guess.count(o.symbol) < o.count == v.found(o.turn, o.symbol),
    Insight.CLUE_DROP: lambda v, o: (
        v.guess.count(o.symbol) > o.count == v.found(o.turn, o.symbol) > 0
        and any(m is Mark.ABSENT for _, m in v.marks(o.turn, o.symbol))
    ),
    Insight.CLUE_SCORE: lambda v, o: (
        probes(v, o) and not is_consistent(v.rules, v.guess, [v.earlier[o.turn]])
    ),
    Insight.CLUE_SHOWN: lambda v, o: (
        Shown(o.place, o.symbol) in v.hints and v.guess[o.place] != o.symbol
    ),
    Insight.FORCED_PLACE: lambda v, o: (
        probes(v, o)
        and o.place not in {shown.place for shown in v.hints}
        and {code[o.place] for code in v.before} == {o.symbol}
        and v.guess[o.place] != o.symbol
    ),
    Insight.FORCED_SYMBOL: lambda v, o: (
        probes(v, o) and all(o.symbol in code for code in v.before) and o.symbol not in v.guess
    ),
    Insight.KNOWN_AGAIN: lambda v, o: (
        probes(v, o)
        and len(v.before) > 1
        and o.count == sum({code[p] for code in v.before} == {s} for p, s in enumerate(v.guess)) > 1
    ),
    Insight.SAFE_PROBE: lambda v, o: (
        probes(v, o) and len(v.groups) == len(v.before) == o.total and o.total > 2
    ),
    Insight.PURE_PROBE: lambda v, o: (
        probes(v, o)
        and v.worth(v.guess) >= 0.9 * v.worth(v.turn.choice) - 1e-9
        and (v.turn.choice not in v.before or v.bits(v.guess) > v.bits(v.turn.choice))
        and (o.count, o.total) == (len(v.groups), len(v.before))
    ),
    Insight.BOLD: lambda v, o: (
        v.is_possible
        and not v.is_right
        and o.code not in v.before
        and v.worth(o.code) > v.worth(v.guess)
        and o.total == len(v.before) > 2
    ),
    Insight.HALVES: lambda v, o: (
        len(v.groups) == 2 and max(v.groups.values()) <= 0.6 * o.total and numbers(v, o)
    ),
    Insight.LEFT_ONE: lambda v, o: v.after == 1 < o.total == len(v.before) and not v.is_right,
    Insight.OPENING: lambda v, o: (
        not v.earlier and v.worth(v.guess) >= 0.97 * v.worth(v.turn.choice) - 1e-9 and numbers(v, o)
    ),
    Insight.REPEATS: lambda v, o: not v.earlier and v.guess.count(o.symbol) == o.count > 1,
    Insight.PERFECT: lambda v, _: v.turn.choice == v.guess,
    Insight.AS_GOOD: lambda v, o: not v.turn.loss.guesses and v.guess != o.code == v.turn.choice,
    Insight.BIG_CUT: lambda v, o: 1 < 100 * v.after <= 100 * o.total / 100 and numbers(v, o),
    Insight.STEADY: numbers,
}


@examples(6, 250)
@example(BullsAndCows(digits=3, repeats=False), 3_107_378_551, 0)
@example(Mastermind(pegs=3, colours=4), 4, 0)
@example(Focdle(7), 11, 1)
@example(Focdle(7), 94, 0)
@given(st.sampled_from(SMALL), st.integers(0, 2**32), st.integers(0, 2))
def test_every_statement_of_an_analysis_agrees_with_a_count_of_the_candidates(
    rules: Rules[Any], seed: int, hints: int
) -> None:
    game = drawn_game(rules, seed, hints)
    for view in views(game, examine(game)):
        turn = view.turn
        assert (turn.before, turn.after) == (len(view.before), view.after)
        assert turn.observations
        for said in turn.observations:
            assert CLAIMS[said.kind](view, said), (game, turn.guess, said)
            if said.because:
                assert is_proved(view, said), (game, turn.guess, said)
            if said.case:
                assert is_shown(view, said.case), (game, turn.guess, said)


def is_proved(view: View, said: Observation) -> bool:
    """True if the answers that are named as the reason leave no code that is otherwise."""
    answers = [
        Shown(one.place, one.symbol) if one.kind is Insight.CLUE_SHOWN else view.earlier[one.turn]
        for one in said.because
    ]
    left = [code for code in every(view.rules) if is_consistent(view.rules, code, answers)]
    if said.kind is Insight.FORCED_PLACE:
        return all(code[said.place] == said.symbol for code in left)
    return all((said.symbol in code) is (said.kind is Insight.FORCED_SYMBOL) for code in left)


def is_shown(view: View, case: Case) -> bool:
    """True if all candidates have the form; or if its left side is at fault, or none has it.

    That no equation without the fact has another form is proved of the engine's reasons.
    """
    form = re.sub("_", r"\\d", re.escape(case.form))
    has = {re.fullmatch(form, code) is not None for code in view.before}
    if case.fault in {Fault.NONE, Fault.BARRED}:
        return has == {case.fault is Fault.NONE}
    compare = {Fault.IS: operator.eq, Fault.OVER: operator.gt, Fault.UNDER: operator.lt}
    return case.fault not in compare or compare[case.fault](worth(case.left), int(case.value))


@examples(7, 150)
@given(st.sampled_from(SMALL), st.integers(0, 2**32))
def test_every_analysis_is_consistent_and_can_be_stored_and_read_back(
    rules: Rules[Any], seed: int
) -> None:
    game = drawn_game(rules, seed)
    found = examine(game)
    assert [turn.guess for turn in found.turns] == [turn.guess for turn in game.turns]
    assert Analysis.decode(found.encode()) == found
    for earlier, later in pairwise(found.turns):
        assert later.before == earlier.after
    for view in views(game, found):
        turn = view.turn
        assert turn.before >= turn.after >= 1
        assert view.secret in view.before
        assert turn.is_possible == (turn.guess in view.before)
        assert turn.loss.guesses >= 0 <= turn.loss.stake
        assert_allowed(rules, turn.choice, view.earlier)
        answer = rules.feedback(turn.choice, view.secret)
        is_right = turn.choice == view.secret
        assert turn.best == (0 if is_right else view.groups_of(turn.choice)[answer])
        if not turn.is_last:
            assert_mark_agrees_with_what_was_left(turn)
    known = game.before(len(game.turns))
    left = [i for i, fact in enumerate(known, 1) if isinstance(fact, Shown)]
    assert found.hinted == tuple(
        sum(is_consistent(rules, code, known[:i]) for code in every(rules)) for i in left
    )


def assert_mark_agrees_with_what_was_left(turn: CoachTurn) -> None:
    is_blamed, is_praised = turn.grade.startswith("?"), turn.grade.startswith("!")
    is_wasted, best = turn.after == turn.before, max(turn.best or 0, 1)
    assert is_blamed <= (turn.loss.guesses > 0)
    assert is_blamed <= (is_wasted or turn.after >= 3 * best)
    assert is_praised <= (turn.before > 2 and turn.after < 3 * best)
    if turn.before > 2 and turn.after <= best and not is_wasted:
        assert is_praised


@pytest.mark.parametrize(
    ("lost", "before", "after", "best", "mark"),
    [
        ("??", 323, 4, 2, ""),  # what it cost on average shows in no figure
        ("??", 323, 2, 2, "!"),
        ("??", 323, 6, 2, "?!"),
        ("??", 323, 20, 2, "?"),
        ("??", 323, 60, 2, "??"),
        ("?!", 323, 60, 2, "?"),
        ("", 323, 60, 2, "?!"),
        ("", 323, 19, 2, ""),
        ("!", 323, 60, 2, ""),  # nobody could know that
        ("!", 323, 5, 2, "!"),
        ("!!", 323, 1, 2, "!!"),
        ("?!", 9, 2, 0, ""),
        ("?", 9, 9, 8, "?"),  # it told nothing: a guess is lost
        ("??", 1, 1, 0, "?"),
        ("??", 2, 1, 0, ""),
        ("", 2, 1, 1, ""),
        ("??", 9, 9, None, "??"),
    ],
)
def test_a_mark_goes_by_what_was_left_beside_what_the_best_guess_would_have_left(
    lost: str, before: int, after: int, best: int | None, mark: str
) -> None:
    assert mark_of(Grade(lost), before, after, best, is_last=False) == mark


@examples(5, 100)
@given(st.sampled_from(SMALL), st.integers(0, 2**32))
def test_the_solver_takes_as_many_guesses_as_it_makes_by_the_rules_of_players(
    rules: Rules[Any], seed: int
) -> None:
    game = drawn_game(rules, seed)
    assert game.secret is not None
    breaker = codebreaker(rules, allowed="form" if isinstance(rules, Focdle) else "any")
    assert examine(game).solvers == len(play(rules, breaker, game.secret))


@pytest.mark.parametrize(
    ("rules", "mean"), [(Mastermind(), 4.34), (BullsAndCows(), 5.21), (Focdle(7), 3.15)], ids=str
)
def test_an_analysis_has_the_solvers_mean(rules: Rules[Any], mean: float) -> None:
    game = record(rules, rules.draw(Random(1)), [rules.draw(Random(2))])
    assert round(examine(game).mean, 2) == mean


def assert_allowed(rules: Rules[Any], guess: str, earlier: tuple[Turn[Any], ...]) -> None:
    """Nothing is recommended that the player might not have played."""
    assert rules.parse(guess) == guess
    rules.check(guess, earlier)


# A guess of each kind: the game, and what is said of its last guess before everything else.
FOCDLE, LONGER, PEGS, DIGITS = Focdle(7), Focdle(8), Mastermind(pegs=3, colours=4), BullsAndCows(3)
BY_THE_FIRST = (Observation(Insight.CLUE_SCORE),)
BY_THE_FIRST_TWO = (*BY_THE_FIRST, Observation(Insight.CLUE_SCORE, turn=1))
FIRST_WORDS: list[tuple[Rules[Any], str, str, Observation]] = [
    (FOCDLE, "6%5+3=4", "6%5+3=4", Observation(Insight.FIRST_TRY, total=4518)),
    (FOCDLE, "1*1*2=2", "2*1*2=4 1*1*2=2", Observation(Insight.ONLY_LEFT)),
    (FOCDLE, "1*3+6=9", "1+5+3=9 1*3+6=9", Observation(Insight.COIN_WON)),
    (LONGER, "5%8%36=5", "4%52-2=2 5%8%36=5", Observation(Insight.HIT, total=1422)),
    (LONGER, "1*3+8=11", "1%49+7=8 1*8+3=11", Observation(Insight.TWIN)),
    (PEGS, "OYG", "YOG", Observation(Insight.NEAR_MISS, count=1, total=3)),
    (
        FOCDLE,
        "3%1+3=3",
        "2*6-3=9 5-6+9=8 2*6-4=9 2%8%4=2 4%1+3=3 2-3%2=1",
        Observation(Insight.LAST_WASTED, code="1%1+3=3", total=3),
    ),
    (
        FOCDLE,
        "3%1+3=3",
        "2*6-3=9 5-6+9=8 2*6-4=9 2%8%4=2 4%1+3=3 1%1+3=3",
        Observation(Insight.LAST_SHOT, total=3),
    ),
    (
        FOCDLE,
        "3%1+3=3",
        "2*6-3=9 5-6+9=8 2*6-4=9 2%8%4=2 4%1+3=3 3%1+3=3",
        Observation(Insight.LAST_CHANCE, total=3),
    ),
    (PEGS, "RYY", "OOG YRR GYG", Observation(Insight.ONLY_MISSED, code="RYY")),
    (FOCDLE, "2*2-1=3", "4%3+8=9 6*1-3=3 1*5-2=3", Observation(Insight.COIN_LOST)),
    (PEGS, "GYG", "GGY YYY", Observation(Insight.PAIR_UNUSED, code="YGG")),
    (FOCDLE, "3+2-3=2", "9-9+3=3 3+8-3=2", Observation(Insight.UNTRUE)),
    (FOCDLE, "8+6%3=8", "4+2%6=6 2+4%6=6", Observation(Insight.WASTED, total=37)),
    (FOCDLE, "5-4%6=1", "1*2+2=4 2*1+2=4", Observation(Insight.OLD_TWIN, code="1*2+2=4")),
    (FOCDLE, "1-3+4=2", "7%5*4=8 4*4%9=7", Observation(Insight.DEAD_SYMBOL, symbol="*")),
    (DIGITS, "356", "718 516", Observation(Insight.DEAD_SYMBOL, symbol="1")),
    (
        FOCDLE,
        "9*5%8=5",
        "9*4%5=1 3*2+2=8",
        Observation(
            Insight.DEAD_DEDUCED,
            symbol="+",
            because=(
                Observation(Insight.CLUE_KEEP, symbol="9", place=0),
                Observation(Insight.CLUE_KEEP, symbol="*", place=1),
            ),
            case=Case(Fault.OVER, "9*_+_=_", "9*1+1", "9"),
        ),
    ),
    (
        LONGER,
        "59%3%9=2",
        "8-58%1=8 3%9%59=3",
        Observation(Insight.CLUE_KEEP, symbol="%", place=4, count=1),
    ),
    (
        FOCDLE,
        "5*9%4=1",
        "3%4%5=3 8%6%6=2",
        Observation(Insight.CLUE_MOVE, symbol="%", place=1, count=1),
    ),
    (LONGER, "7%98%9=7", "89%5+1=5 6*67%7=3", Observation(Insight.CLUE_USE, symbol="8", count=1)),
    (LONGER, "7%35%5=2", "2*29%8=2 7%32%5=2", Observation(Insight.CLUE_DROP, symbol="2", count=1)),
    (BullsAndCows(), "2519", "7540 8097", Observation(Insight.CLUE_SCORE)),
    (
        PEGS,
        "OYG",
        "GGO ORY",
        Observation(Insight.FORCED_PLACE, symbol="G", place=2, because=BY_THE_FIRST),
    ),
    (
        PEGS,
        "GYY",
        "YOR OOO",
        Observation(Insight.FORCED_SYMBOL, symbol="G", because=BY_THE_FIRST),
    ),
    (FOCDLE, "2%5+7=9", "7%5+3=5 6%4%8=2", Observation(Insight.SAFE_PROBE, total=6)),
    (LONGER, "8-12+7=3", "2%64%5=2 7*82-3=9", Observation(Insight.PURE_PROBE, count=77, total=108)),
    (FOCDLE, "9%7+4=6", "9-6%9=3 9%4+5=6", Observation(Insight.BOLD, total=13, code="4%2+6=7")),
    (FOCDLE, "5%4%8=1", "7%4+5=8", Observation(Insight.LEFT_ONE, count=1, total=4518)),
    (FOCDLE, "2-1%6=1", "5%6+2=7", Observation(Insight.OPENING, count=40, total=4518)),
    (LONGER, "7*3+2=23", "7-65%1=7", Observation(Insight.REPEATS, symbol="7", count=2)),
    (FOCDLE, "1%3+4=5", "5-9+7=3", Observation(Insight.BIG_CUT, count=40, total=4518)),
    (FOCDLE, "5%4+3=4", "3+6-8=1", Observation(Insight.STEADY, count=48, total=4518)),
    (Mastermind(), "RBBR", "YYGG", Observation(Insight.STEADY, count=256, total=1296)),
    (
        LONGER,
        "4*6-23=1",
        "3+7+7=17 6*7%19=4 4*6-21=3",
        Observation(Insight.NEAR_MISS, 0, "", 0, 6, 8),
    ),
    (FOCDLE, "3+2%8=5", "7-2%4=5 5%6%6=5", Observation(Insight.FORCED_PLACE, symbol="+", place=1)),
]
# What is said where something else is said first.
FURTHER_WORDS: list[tuple[Rules[Any], str, str, Observation]] = [
    (PEGS, "OGO", "OYG RRR", Observation(Insight.HALVES, count=6, total=12)),
    (FOCDLE, "5*9%4=1", "3%4%5=3 8%6%6=2", Observation(Insight.KNOWN_AGAIN, count=2, total=7)),
    (FOCDLE, "9-1%1=9", "1%9*1=1 9-1%1=9", Observation(Insight.AS_GOOD, code="9+1%1=9")),
    (FOCDLE, "1*3+6=9", "1+5+3=9 1*3+6=9", Observation(Insight.PERFECT)),
]


def last_words(rules: Rules[Any], secret: str, guesses: str) -> tuple[Observation, ...]:
    return examine(record(rules, secret, guesses.split())).turns[-1].observations


def name(value: object) -> str:
    return value.kind if isinstance(value, Observation) else str(value)


@pytest.mark.parametrize(("rules", "secret", "guesses", "said"), FIRST_WORDS, ids=name)
def test_an_analysis_tells_the_most_telling_fact_first(
    rules: Rules[Any], secret: str, guesses: str, said: Observation
) -> None:
    assert last_words(rules, secret, guesses)[0] == said


@pytest.mark.parametrize(("rules", "secret", "guesses", "said"), FURTHER_WORDS, ids=name)
def test_an_analysis_tells_other_facts_after_the_most_telling_one(
    rules: Rules[Any], secret: str, guesses: str, said: Observation
) -> None:
    assert said in last_words(rules, secret, guesses)[1:]


# What looks like it and is not: the position makes the words wrong.
NOT_SAID: list[tuple[Rules[Any], str, str, Insight]] = [
    # One was left, or two: there is no crowd to tell apart.
    (PEGS, "RYY", "OOG YRR GYG", Insight.WASTED),
    (FOCDLE, "9+2-2=9", "7%2*7=7 7%7*7=7 7%7*7=3 6-3%9=3 6-3%9=5", Insight.WASTED),
    # All was known, so there was nothing to ask.
    (FOCDLE, "9-2%5=7", "9+2-6=5 9-2%9=7", Insight.KNOWN_AGAIN),
    # RORB might have been right and promised more.
    (Mastermind(), "RPRB", "RRGG RROB", Insight.PURE_PROBE),
]


@pytest.mark.parametrize(("rules", "secret", "guesses", "kind"), NOT_SAID, ids=str)
def test_the_coach_does_not_make_the_remark_that_would_be_wrong_in_an_example(
    rules: Rules[Any], secret: str, guesses: str, kind: Insight
) -> None:
    assert kind not in {said.kind for said in last_words(rules, secret, guesses)}


def test_the_examples_cover_each_kind_of_observation() -> None:
    told = {said.kind for *_, said in (*FIRST_WORDS, *FURTHER_WORDS)}
    assert told == set(Insight) - {Insight.CLUE_SHOWN}  # examples have no hints
    assert set(CLAIMS) == set(Insight)


def test_an_example_has_the_figures_and_observations_that_enumerating_all_equations_gave() -> None:
    # Counted by enumerating all 1,805,274 equations and marking them one by one.
    guesses = ["13+12-8=17", "72+31%6=73", "21+20*4=55", "25+4*12=73"]
    found = examine(record(Focdle(), guesses[-1], guesses))
    assert [(t.before, t.after) for t in found.turns] == [
        (1_805_274, 2_233),
        (2_233, 14),
        (14, 1),
        (1, 1),
    ]
    assert found.is_solved
    first, second, third, last = (turn.observations[0] for turn in found.turns)
    assert first == Observation(Insight.REPEATS, symbol="1", count=3)
    assert second == Observation(Insight.BIG_CUT, count=14, total=2_233)
    assert third == Observation(Insight.PURE_PROBE, count=12, total=14)
    assert last == Observation(Insight.ONLY_LEFT)


def test_an_analysis_without_the_secret_has_the_same_figures_but_none_of_the_solver() -> None:
    guesses = ["RRO", "RGY"]
    told = examine(record(PEGS, "RYG", guesses))
    untold = examine(record(PEGS, "RYG", guesses, told=False))
    assert untold.secret is None
    assert (untold.solvers, [turn.best for turn in untold.turns]) == (None, [None, None])
    assert [(t.before, t.after) for t in untold.turns] == [(t.before, t.after) for t in told.turns]


@pytest.mark.parametrize(
    ("guess", "said", "lost"),
    [
        ("346", Observation(Insight.LAST_SHOT, total=6), Fraction()),
        ("567", Observation(Insight.LAST_WASTED, code="341", total=6), Fraction(1, 6)),
    ],
)
def test_a_last_guess_is_judged_by_whether_it_could_still_be_right(
    guess: str, said: Observation, lost: Fraction
) -> None:
    # Six numbers differ in their last digit: a probe would tell most of them apart.
    turns = record(DIGITS, "345", ["340", "348", guess]).turns
    last = examine(Record(DIGITS, "", "345", turns, most=len(turns))).turns[-1]
    assert last.observations[0] == said
    assert (last.is_last, last.loss.guesses) == (True, lost)
    earlier = examine(Record(DIGITS, "", "345", turns)).turns[-1]
    assert not earlier.is_last
    assert (earlier.loss.guesses > 0) == (guess == "346")


def test_a_game_with_contradictory_answers_cannot_be_analysed() -> None:
    turns = (Turn("RRR", Score(0, 0)), Turn("RRO", Score(2, 0)))
    with pytest.raises(InconsistentFeedback):
        examine(Record(PEGS, "", None, turns))


def test_a_shown_symbol_narrows_the_candidates_from_the_next_guess_on() -> None:
    rules, hint = Focdle(7), Hint(1, 0, "1")
    guesses = ["2*3+4=8", "9-8*1=1", "1+2*3=7"]
    without = record(rules, "1+2*3=7", guesses)
    analysis = examine(replace(without, hints=(hint,)))
    for index, turn in enumerate(analysis.turns):
        known = [code for code in shortest() if not index or code[0] == "1"]
        before = [code for code in known if is_consistent(rules, code, without.turns[:index])]
        assert turn.before == len(before)
    assert analysis.turns[0] == examine(without).turns[0]


def test_an_observation_on_a_guess_against_a_hint_names_the_shown_symbol() -> None:
    shown = (Hint(1, 0, "O"),)
    game = replace(record(PEGS, "OYG", ["RRR", "YYY", "OYG"]), hints=shown)
    told = Observation(Insight.CLUE_SHOWN, symbol="O", place=0)
    assert told in examine(game).turns[1].observations


def test_a_true_equation_against_a_hint_is_not_called_false() -> None:
    guesses = ["9+2-5=6", "4%3+6=7", "6%3+1=1"]
    game = replace(record(FOCDLE, guesses[-1], guesses), hints=(Hint(1, 0, "6"),))
    said = examine(game).turns[1].observations
    assert said[0] == Observation(Insight.CLUE_SHOWN, symbol="6")
    assert Observation(Insight.UNTRUE) not in said


def test_the_clues_behind_a_forced_symbol_are_named_even_after_ten_guesses() -> None:
    guesses = "487 647 532 421 942 418 571 569 937 784"
    told = Observation(Insight.FORCED_PLACE, symbol="6", because=BY_THE_FIRST_TWO)
    assert told in last_words(DIGITS, "690", guesses)

"""Explanations: the fewest clues that decide a place or a symbol.

Clues decide a claim if they rule out all secrets that it is false for.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.code_games import CodeGame
from engine.deductions import MOST_LEFT, MOST_TOLD, Case, Claim, Deduction, Told, is_plain
from engine.errors import Clue, EngineError
from engine.feedback import Fact, Mark, Marks, Score, Shown, Turn, mark, score
from engine.focdle import Focdle
from engine.rules import Rules, read_history
from engine.solvers.codebreaker import space_of
from engine.solvers.consistency import Met, candidates_after, fewest_clues, hitting, violations
from engine.solvers.focdle.reasons import Reasons
from engine.solvers.space import Columns, History, Space

F = TypeVar("F")


class _Rule(NamedTuple):
    """A clue with the function that tells which columns meet it."""

    told: Told
    is_met: Met


def explain(
    rules: Rules[F], turns: Iterable[Fact[F]], claims: Iterable[Claim] | None = None
) -> tuple[Deduction, ...]:
    """Explain what these turns decide: for places and symbols, the fewest clues that prove it.

    A clue of FoCdle is what a turn tells of one symbol: its place, a place where it is not, its
    least or most copies. In the other games, a clue is a whole turn. If a turn has nothing in its
    right place, what this says of one symbol is a clue, too. Every hint is a clue. Of sets with
    equally few clues, one about the place or symbol of the claim is preferred.

    Args:
        rules: those of any game.
        turns: guesses with their answers, and hints.
        claims: what to explain; None for all. What the turns do not decide is left out.

    Raises:
        EngineError: as `Codebreaker.remaining`, or what is asked is no `Claim`.
    """
    claims = claims if claims is None else list(claims)
    for claim in claims or ():
        if not isinstance(claim, Claim):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EngineError(f"{claim!r} is no Claim.")
    facts = read_history(rules, turns)
    space = space_of(rules)
    history = space.history(facts)
    left = candidates_after(space, history)
    decided = _decided(space, left)
    asked = decided if claims is None else [claim for claim in claims if claim in decided]
    if not asked:
        return ()
    clues = _Clues(space, _rules_of(space, facts, history))
    noun = "true equation" if isinstance(rules, Focdle) else "code"
    count = left.shape[1]
    few = tuple(map(space.write, left.T)) if count <= MOST_LEFT else ()
    found: list[Deduction] = []
    for claim in asked:
        fewest = clues.fewest(claim)
        cases, is_of_all = clues.cases(claim, fewest)
        found.append(Deduction(claim, fewest, noun, count, few, cases, is_of_all))
    return tuple(found)


def _decided(space: Space[Any], left: Columns) -> list[Claim]:
    """All claims that hold for every candidate: first on places, then on symbols in any place."""
    symbols = range(len(space.alphabet))
    counts = [np.bincount(row, minlength=len(symbols)) for row in left]
    anywhere = np.array([(left == symbol).any(axis=0).sum() for symbol in symbols])
    return [
        Claim(symbol, place, is_so=bool(having))
        for place, here in [*enumerate(counts), (None, anywhere)]
        for symbol, having in zip(space.alphabet, here.tolist(), strict=True)
        if having in {0, left.shape[1]}
    ]


class _Clues:
    """The clues of a position, and which of them each secret violates."""

    def __init__(self, space: Space[Any], rules: Sequence[_Rule]) -> None:
        self._alphabet = space.alphabet
        self._told = [rule.told for rule in rules]
        self._reasons = (
            Reasons(self._told, space.length) if isinstance(space.rules, Focdle) else None
        )
        self._columns = space.everything()
        self._violations = violations([rule.is_met for rule in rules], self._columns)

    def fewest(self, claim: Claim) -> tuple[Told, ...]:
        """The fewest clues that rule out all secrets against a claim; none if no secret is."""
        symbol = self._alphabet.index(claim.symbol)
        if claim.place is None:
            is_there = (self._columns == symbol).any(axis=0)
        else:
            is_there = self._columns[claim.place] == symbol
        others = ~is_there if claim.is_so else is_there
        if not others.any():
            return ()
        for told in self._told:
            if told.says(claim):
                return (told,)
        violated = self._violations.take(np.flatnonzero(others), axis=1)
        ranks = [not told.is_about(claim) for told in self._told]
        fewest = fewest_clues(violated, partial(hitting, ranks=ranks))
        return tuple(self._told[clue] for clue in sorted(fewest))

    def cases(self, claim: Claim, fewest: tuple[Told, ...]) -> tuple[tuple[Case, ...], bool]:
        """The fewest cases that show why clues decide a claim; true if they are of all clues.

        None are looked for where the claim is plain, or follows from a single clue.
        """
        if not self._reasons or len(fewest) <= 1 or is_plain(claim, fewest):
            return (), False
        found = [self._reasons.cases(claim)]
        if len(fewest) <= MOST_TOLD:
            found.insert(0, Reasons(fewest, self._reasons.length).cases(claim))
        best = min(filter(None, found), key=len, default=())
        return best, bool(best) and best is found[-1]


def _rules_of(
    space: Space[Any], facts: Sequence[Turn[Any] | Shown], history: History
) -> list[_Rule]:
    """The clues in the order of play, each only once, from the first turn or hint that gave it."""
    found: dict[Told, _Rule] = {}
    turn = 0
    for fact, step in zip(facts, history, strict=True):
        if isinstance(fact, Shown):
            told = Told(Clue.SHOWN, None, fact.symbol, fact.place)
            rules = [_Rule(told, partial(space.explains, step))]
        elif isinstance(space.rules, Focdle) or space.rules.feedback is mark:
            rules = [_rule(told, space.alphabet) for told in _of_marks(turn, fact)]
        else:
            rules = [_Rule(Told(None, turn), partial(space.explains, step))]
            if isinstance(space.rules, CodeGame) or space.rules.feedback is score:
                rules[:0] = [_rule(told, space.alphabet) for told in _of_score(turn, fact)]
        for rule in rules:
            told = rule.told
            found.setdefault(told if told.clue is None else replace(told, turn=None), rule)
        turn += isinstance(fact, Turn)
    return list(found.values())


def _of_score(turn: int, fact: Turn[Score]) -> Iterator[Told]:
    if fact.feedback.bulls:
        return
    for place, symbol in enumerate(fact.guess):
        if fact.feedback.cows:
            yield Told(Clue.MOVE, turn, symbol, place)
        else:
            yield Told(Clue.DROP, turn, symbol)


def _of_marks(turn: int, fact: Turn[Marks]) -> Iterator[Told]:
    marked = list(zip(fact.guess, fact.feedback, strict=True))
    for place, (symbol, m) in enumerate(marked):
        if m is Mark.CORRECT:
            yield Told(Clue.KEEP, turn, symbol, place)
        elif (symbol, Mark.PRESENT) in marked or (symbol, Mark.CORRECT) in marked:
            yield Told(Clue.MOVE, turn, symbol, place)
    for symbol in dict.fromkeys(fact.guess):
        marks = [m for each, m in marked if each == symbol]
        copies = sum(m is not Mark.ABSENT for m in marks)
        if Mark.PRESENT in marks or marks.count(Mark.CORRECT) > 1:
            yield Told(Clue.USE, turn, symbol, copies=copies)
        if Mark.ABSENT in marks:
            yield Told(Clue.DROP, turn, symbol, copies=copies)


def _rule(told: Told, alphabet: str) -> _Rule:
    """The rule of a clue about a symbol: in a place or not, or at least or at most so often."""
    symbol = alphabet.index(told.symbol)

    def is_met(columns: Columns) -> NDArray[np.bool_]:
        if told.place is not None:
            return (columns[told.place] == symbol) == (told.clue is Clue.KEEP)
        copies = (columns == symbol).sum(axis=0, dtype=np.uint8)
        return copies >= told.copies if told.clue is Clue.USE else copies <= told.copies

    return _Rule(told, is_met)

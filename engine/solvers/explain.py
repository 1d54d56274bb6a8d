"""Explanations: the fewest clues that decide a place or a symbol.

A clue rules out the secrets that violate it. Clues decide a claim if each secret that is otherwise
violates one of them: if they hit the violated clues of every such secret. So the fewest are a
minimum hitting set. It is sought for a few of these secrets, and one that it does not hit is
added, until it hits all: what is smallest for some, and does for all, is smallest for all.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.code_games import CodeGame
from engine.deductions import MOST_LEFT, MOST_TOLD, Case, Claim, Deduction, Told, is_plain
from engine.errors import Clue, EngineError
from engine.feedback import Fact, Mark, Marks, Score, Shown, Turn, mark, score
from engine.focdle import Focdle
from engine.rules import Rules, read_history
from engine.solvers.codebreaker import space_of
from engine.solvers.contradictions import candidates_after
from engine.solvers.reasons import Reasons
from engine.solvers.space import Columns, History, Space

F = TypeVar("F")

_Violations = NDArray[np.uint8]
"""The clues that each secret (column) violates, a bit a clue, shape (bytes, N)."""

_BITS: Final = 8
# Columns handled at a time, so that a step's data fit the processor's cache.
_CHUNK: Final = 1 << 16
_SAMPLE: Final = 1 << 10


class _Rule(NamedTuple):
    """A clue with the function that tells which columns meet it."""

    told: Told
    is_met: Callable[[Columns], NDArray[np.bool_]]


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
        self._violations = _violations(rules, self._columns)

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
        violations = self._violations.take(np.flatnonzero(others), axis=1)
        ranks = [not told.is_about(claim) for told in self._told]
        return tuple(self._told[clue] for clue in sorted(_fewest_hitting(violations, ranks)))

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


def _violations(rules: Sequence[_Rule], columns: Columns) -> _Violations:
    found = np.zeros((-(-len(rules) // _BITS), columns.shape[1]), np.uint8)
    for start in range(0, columns.shape[1], _CHUNK):
        part, chunk = columns[:, start : start + _CHUNK], found[:, start : start + _CHUNK]
        for clue, rule in enumerate(rules):
            violated = (~rule.is_met(part)).view(np.uint8)
            chunk[clue // _BITS] |= violated << np.uint8(clue % _BITS)
    return found


def _fewest_hitting(violations: _Violations, ranks: Sequence[int]) -> list[int]:
    """The fewest clues such that every column violates one; those of low rank are tried first.

    Every column of `violations` has to violate some clue.
    """
    chosen: list[int] = []
    sets: list[frozenset[int]] = []
    # Most of what matters shows in a few columns, which are looked at much faster.
    for columns in (violations[:, :: 1 + violations.shape[1] // _SAMPLE], violations):
        while (missed := _missed(columns, chosen)).shape[1]:
            # Of the clues of the missed column with the fewest, one has to be chosen.
            column = missed[:, np.bitwise_count(missed).sum(axis=0).argmin()]
            bits = np.unpackbits(column, bitorder="little")
            sets.append(frozenset(np.flatnonzero(bits).tolist()))
            sizes = count(max(1, len(chosen)))
            chosen = next(filter(None, (_hitting(sets, size, ranks) for size in sizes)))
    return chosen


def _missed(violations: _Violations, chosen: Sequence[int]) -> _Violations:
    """The columns (secrets) that violate none of the chosen clues."""
    masks = np.zeros(len(violations), np.uint8)
    for clue in chosen:
        masks[clue // _BITS] |= 1 << clue % _BITS
    hit = np.zeros(violations.shape[1], np.uint8)
    for row, mask in zip(violations, masks, strict=True):
        if mask:
            hit |= row & mask
    return violations.take(np.flatnonzero(hit == 0), axis=1)


def _hitting(sets: Sequence[frozenset[int]], most: int, ranks: Sequence[int]) -> list[int] | None:
    """At most `most` clues that hit all sets; None if so few cannot."""
    if not sets:
        return []
    if _apart(sets) > most:
        return None
    tried: set[int] = set()  # no solution has one of these
    for clue in sorted(min(sets, key=len), key=lambda each: (ranks[each], each)):
        rest = _hitting([each - tried for each in sets if clue not in each], most - 1, ranks)
        if rest is not None:
            return [clue, *rest]
        tried.add(clue)
    return None


def _apart(sets: Sequence[frozenset[int]]) -> int:
    """Count sets without a common clue, small ones first: a lower bound of the clues needed."""
    taken: set[int] = set()
    found = 0
    for each in sorted(sets, key=len):
        if taken.isdisjoint(each):
            taken |= each
            found += 1
    return found


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
            rules = [*_of_marks(space.alphabet, turn, fact)]
        else:
            rules = [_Rule(Told(None, turn), partial(space.explains, step))]
            if isinstance(space.rules, CodeGame) or space.rules.feedback is score:
                rules = [*_of_score(space.alphabet, turn, fact), *rules]
        for rule in rules:
            told = rule.told
            found.setdefault(told if told.clue is None else replace(told, turn=None), rule)
        turn += isinstance(fact, Turn)
    return list(found.values())


def _of_score(alphabet: str, turn: int, fact: Turn[Score]) -> Iterator[_Rule]:
    if fact.feedback.bulls:
        return
    for place, symbol in enumerate(fact.guess):
        number = alphabet.index(symbol)
        if fact.feedback.cows:
            yield _Rule(Told(Clue.MOVE, turn, symbol, place), _not_at(place, number))
        else:
            yield _Rule(Told(Clue.DROP, turn, symbol), _at_most(0, number))


def _of_marks(alphabet: str, turn: int, fact: Turn[Marks]) -> Iterator[_Rule]:
    marked = list(zip(fact.guess, fact.feedback, strict=True))
    for place, (symbol, m) in enumerate(marked):
        number = alphabet.index(symbol)
        if m is Mark.CORRECT:
            yield _Rule(Told(Clue.KEEP, turn, symbol, place), _at(place, number))
        elif (symbol, Mark.PRESENT) in marked or (symbol, Mark.CORRECT) in marked:
            yield _Rule(Told(Clue.MOVE, turn, symbol, place), _not_at(place, number))
    for symbol in dict.fromkeys(fact.guess):
        marks = [m for each, m in marked if each == symbol]
        copies = sum(m is not Mark.ABSENT for m in marks)
        number = alphabet.index(symbol)
        if Mark.PRESENT in marks or marks.count(Mark.CORRECT) > 1:
            yield _Rule(Told(Clue.USE, turn, symbol, copies=copies), _at_least(copies, number))
        if Mark.ABSENT in marks:
            yield _Rule(Told(Clue.DROP, turn, symbol, copies=copies), _at_most(copies, number))


def _at(place: int, symbol: int) -> Callable[[Columns], NDArray[np.bool_]]:
    return lambda columns: columns[place] == symbol


def _not_at(place: int, symbol: int) -> Callable[[Columns], NDArray[np.bool_]]:
    return lambda columns: columns[place] != symbol


def _at_least(copies: int, symbol: int) -> Callable[[Columns], NDArray[np.bool_]]:
    return lambda columns: (columns == symbol).sum(axis=0, dtype=np.uint8) >= copies


def _at_most(copies: int, symbol: int) -> Callable[[Columns], NDArray[np.bool_]]:
    return lambda columns: (columns == symbol).sum(axis=0, dtype=np.uint8) <= copies

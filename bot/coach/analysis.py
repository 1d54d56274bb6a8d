"""The coach's analysis with a solver. It is slow, so the pool's processes run it."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Final

import numpy as np

from bot.coach.model import (
    BAD_GRADES,
    Analysis,
    CoachTurn,
    Insight,
    KnownBefore,
    Observation,
    Weighed,
)
from bot.games.model import Record
from engine import (
    Clue,
    Code,
    ContradictionError,
    Focdle,
    Mark,
    Rules,
    Score,
    Shown,
    Turn,
    is_consistent,
    is_same_symbols,
)
from engine.deductions import Case, Claim, Deduction, Fault, Told
from engine.feedback import check_consistent
from engine.skill import Grade, Prospect, grade_of
from engine.solvers import Allowed, TurnAnalysis, analyse_turns, codebreaker, explain, rank
from engine.solvers.codebreaker import space_of
from engine.solvers.costs import GUESS, Estimates
from engine.solvers.focdle.difficulty import difficulty

_PAIR: Final = 2
_MOST_TO_PONDER: Final = 50
"""The most candidates that a person can still weigh against each other."""
# Shares of what the solver's choice promises.
_GOOD: Final = 0.91
_STRONG: Final = 0.979
_ROUNDING: Final = 1e-9
"""The most bits by which two sums of the same terms differ."""
_DOUBTFUL: Final = Fraction(15, 100)
"""Probes and first guesses that lose so much, in guesses, are not praised."""
_BIG: Final = 100
_MOST_OF_TWO: Final = 0.6
_MOST_KEPT: Final = 5
# How many times as many candidates a guess leaves as the solver's choice, to get a bad mark.
_SLIP: Final = 3
_MISTAKE: Final = 10
_BIG_MISTAKE: Final = 30

_CLUES: Final = {
    Clue.KEEP: Insight.CLUE_KEEP,
    Clue.MOVE: Insight.CLUE_MOVE,
    Clue.USE: Insight.CLUE_USE,
    Clue.DROP: Insight.CLUE_DROP,
    Clue.SHOWN: Insight.CLUE_SHOWN,
    None: Insight.CLUE_SCORE,
}


@dataclass(frozen=True, slots=True)
class Scene:
    """A guess with the position before it.

    Attributes:
        secret: None where only its player knows it.
    """

    rules: Rules[Any]
    secret: str | None
    history: tuple[Turn[Any] | Shown, ...]
    analysis: TurnAnalysis[Any]
    known: KnownBefore

    @property
    def guess(self) -> Code:
        return self.analysis.turn.guess

    @property
    def earlier(self) -> tuple[Turn[Any], ...]:
        return tuple(fact for fact in self.history if not isinstance(fact, Shown))

    @property
    def lost(self) -> Fraction:
        """The cost of the guess against the solver's choice, in guesses."""
        return self.analysis.loss.guesses

    @property
    def promised(self) -> float:
        """What the guess promised, divided by what the solver's choice promised.

        A promise is the expected bits plus the chance to be right.
        """
        best = sum(self.analysis.choice_promise)
        return sum(self.analysis.promise) / best if best else 1.0

    @property
    def is_fine_probe(self) -> bool:
        """True for a probe that was nearly as good as the solver's choice.

        Ask this only of a probe, a guess that could not be right.
        """
        mine, best = self.analysis.promise, self.analysis.choice_promise
        # It promised more bits than the solver's choice, or that could be no hit either.
        is_worth_a_guess = best.chance == 0 or mine.bits - best.bits > _ROUNDING
        return is_worth_a_guess and self.promised >= _GOOD and self.lost < _DOUBTFUL

    @property
    def is_solved(self) -> bool:
        return self.rules.solved(self.analysis.turn.feedback)

    @property
    def is_possible(self) -> bool:
        """True if the guess was a candidate."""
        return self.analysis.promise.chance > 0

    @property
    def is_last(self) -> bool:
        return self.analysis.is_last


def observe(scene: Scene) -> tuple[Observation, ...]:
    """Observations about a guess, most telling first; at least one."""
    said = list(_hits(scene) if scene.is_solved else _misses(scene))
    if scene.is_last:
        return (*said[:_MOST_KEPT], _steady(scene))  # all candidates were equally good
    if scene.analysis.choice == scene.guess:
        said.append(Observation(Insight.PERFECT))
    elif not scene.lost and scene.analysis.choice != scene.secret:
        said.append(Observation(Insight.AS_GOOD, code=scene.analysis.choice))
    return (*said[:_MOST_KEPT], _steady(scene))


def _steady(scene: Scene) -> Observation:
    return Observation(Insight.STEADY, count=scene.analysis.after, total=scene.analysis.before)


def _hits(scene: Scene) -> Iterator[Observation]:
    before = scene.analysis.before
    if not scene.earlier:
        yield Observation(Insight.FIRST_TRY, total=before)
    elif before == 1:
        yield Observation(Insight.ONLY_LEFT)
    elif before == _PAIR:
        yield Observation(Insight.COIN_WON)
    elif scene.is_last:
        yield Observation(Insight.LAST_CHANCE, total=before)
    else:
        yield Observation(Insight.HIT, total=before)


def _misses(scene: Scene) -> Iterator[Observation]:
    # Of a last guess it matters first whether it could win; of others, how close they came.
    first, second = _close_calls, _endgame
    for find in (second, first) if scene.is_last else (first, second):
        yield from find(scene)
    if not scene.is_possible and scene.earlier:
        yield from _probe(scene)
    yield from _candidate(scene)
    if not scene.earlier:
        yield from _opening(scene)
    if not scene.is_last:
        yield from _results(scene)


def _close_calls(scene: Scene) -> Iterator[Observation]:
    feedback, guess = scene.analysis.turn.feedback, scene.guess
    if isinstance(feedback, Score):
        if sum(feedback) == len(guess):
            yield Observation(Insight.NEAR_MISS, count=feedback.bulls, total=len(guess))
        return
    if _are_twins(scene.rules, guess, scene.secret):
        yield Observation(Insight.TWIN)
    if is_same_symbols(feedback):
        found = sum(m is Mark.CORRECT for m in feedback)
        yield Observation(Insight.NEAR_MISS, count=found, total=len(guess))


def _endgame(scene: Scene) -> Iterator[Observation]:
    before = scene.analysis.before
    one = scene.known.some[0] if scene.known.some else ""
    if before == 1:
        yield Observation(Insight.ONLY_MISSED, code=one)
    elif before == _PAIR and not scene.is_possible:
        yield Observation(Insight.PAIR_UNUSED, code=one)
    elif before == _PAIR:
        yield Observation(Insight.COIN_LOST)
    elif scene.is_last and scene.is_possible:
        yield Observation(Insight.LAST_SHOT, total=before)
    elif scene.is_last and one:
        yield Observation(Insight.LAST_WASTED, code=one, total=before)


def _probe(scene: Scene) -> Iterator[Observation]:
    analysis = scene.analysis
    if not scene.is_last:
        if analysis.before > _PAIR and analysis.largest == 1:
            yield Observation(Insight.SAFE_PROBE, total=analysis.before)
        elif scene.is_fine_probe:
            yield Observation(Insight.PURE_PROBE, count=analysis.parts, total=analysis.before)
        if analysis.before > _PAIR and analysis.parts == 1:
            yield Observation(Insight.WASTED, total=analysis.before)
    if not scene.lost:
        return
    yield from _ignored_hint(scene)
    for index, turn in enumerate(scene.earlier):
        if _are_twins(scene.rules, scene.guess, turn.guess):
            yield Observation(Insight.OLD_TWIN, turn=index, code=turn.guess)
            break
    yield from _dead_symbols(scene)
    yield from _deduced(scene)
    yield from _contradictions(scene)
    again = sum(scene.guess[place] == symbol for place, symbol in scene.known.fixed.items())
    if again > 1 and analysis.before > 1:
        yield Observation(Insight.KNOWN_AGAIN, count=again, total=len(scene.guess))


def _ignored_hint(scene: Scene) -> Iterator[Observation]:
    for fact in scene.history:
        if isinstance(fact, Shown) and scene.guess[fact.place] != fact.symbol:
            yield Observation(Insight.CLUE_SHOWN, symbol=fact.symbol, place=fact.place)
            return


def _dead_symbols(scene: Scene) -> Iterator[Observation]:
    for symbol in dict.fromkeys(scene.guess):
        for index, turn in enumerate(scene.earlier):
            if _ruled_out(turn, symbol):
                yield Observation(Insight.DEAD_SYMBOL, turn=index, symbol=symbol)
                return


def _ruled_out(turn: Turn[Any], symbol: str) -> bool:
    """True if a turn says by itself that a symbol is not in the secret."""
    if isinstance(turn.feedback, Score):
        return symbol in turn.guess and sum(turn.feedback) == 0
    marks = [m for s, m in zip(turn.guess, turn.feedback, strict=True) if s == symbol]
    return bool(marks) and all(m is Mark.ABSENT for m in marks)


def _deduced(scene: Scene) -> Iterator[Observation]:
    """Yield a fact of each kind that the guess overlooked: one that has a reason, if any has."""
    overlooked = list(_overlooked(scene))
    if not overlooked:
        return
    found = explain(scene.rules, scene.history, [claim for _, claim in overlooked])
    proofs = {deduction.claim: deduction for deduction in found}
    told: dict[Insight, Observation] = {}
    for observation, claim in overlooked:
        because, case = _proof(proofs[claim])
        kept = told.get(observation.kind)
        if not kept or (case and not kept.case) or (because and not (kept.because or kept.case)):
            told[observation.kind] = replace(observation, because=because, case=case)
    yield from told.values()


def _proof(deduction: Deduction) -> tuple[tuple[Observation, ...], Case | None]:
    """The clues that prove a deduction, unless there are many, and its case, if it is the only one.

    Clues are not told beside a case that takes all of them, nor one that says what they say.
    """
    case = deduction.cases[0] if len(deduction.cases) == 1 else None
    because = () if case and deduction.is_of_all else _because(deduction.clues)
    return because, None if case and case.fault is Fault.OPERATORS else case


def _overlooked(scene: Scene) -> Iterator[tuple[Observation, Claim]]:
    """Yield facts that the guess overlooked, each with the claim that `explain` is to prove.

    A symbol is absent, has a certain place, or is certain.
    """
    if next(_dead_symbols(scene), None) is None:
        for symbol in dict.fromkeys(scene.guess):
            if symbol in scene.known.absent:
                dead = Observation(Insight.DEAD_DEDUCED, symbol=symbol)
                yield dead, Claim(symbol, is_so=False)
    told = [
        (place, symbol, mark)
        for turn in scene.earlier
        if not isinstance(turn.feedback, Score)
        for place, (symbol, mark) in enumerate(zip(turn.guess, turn.feedback, strict=True))
    ]
    placed = {place for place, _, mark in told if mark is Mark.CORRECT}
    placed |= {fact.place for fact in scene.history if isinstance(fact, Shown)}
    for place, symbol in scene.known.fixed.items():
        if scene.guess[place] != symbol and place not in placed:
            forced = Observation(Insight.FORCED_PLACE, symbol=symbol, place=place)
            yield forced, Claim(symbol, place)
    found = {symbol for _, symbol, mark in told if mark is not Mark.ABSENT}
    found |= {fact.symbol for fact in scene.history if isinstance(fact, Shown)}
    for symbol in sorted(scene.known.certain - set(scene.guess) - found):
        yield Observation(Insight.FORCED_SYMBOL, symbol=symbol), Claim(symbol)


def _because(clues: tuple[Told, ...]) -> tuple[Observation, ...]:
    """One observation for each clue; none at all if there are more than two clues."""
    if len(clues) > _PAIR:
        return ()
    return tuple(
        Observation(
            Insight.DEAD_SYMBOL
            if told.clue is Clue.DROP and not told.copies
            else _CLUES[told.clue],
            turn=told.turn or 0,
            symbol=told.symbol,
            place=told.place or 0,
            count=told.copies,
        )
        for told in clues
    )


def _contradictions(scene: Scene) -> Iterator[Observation]:
    if isinstance(scene.analysis.turn.feedback, Score):
        for index, turn in enumerate(scene.earlier):
            if scene.rules.feedback(turn.guess, scene.guess) != turn.feedback:
                yield Observation(Insight.CLUE_SCORE, turn=index)
                return
        return
    try:
        check_consistent(scene.guess, scene.earlier)
    except ContradictionError as error:
        if error.clue is not Clue.DROP or error.copies:
            yield Observation(
                _CLUES[error.clue],
                turn=error.turn,
                symbol=error.symbol,
                place=error.position,
                count=error.copies,
            )
    else:
        if is_consistent(scene.rules, scene.guess, scene.history):  # and with the hints, too
            yield Observation(Insight.UNTRUE)


def _candidate(scene: Scene) -> Iterator[Observation]:
    """Yield up to two observations: a gamble on a candidate, and candidates cut about in half.

    The gamble is told only if the solver chose a probe and the guess lost something.
    """
    analysis = scene.analysis
    is_ponderable = _PAIR < analysis.before <= _MOST_TO_PONDER
    mine, best = analysis.promise, analysis.choice_promise
    is_gamble = scene.is_possible and best.chance == 0 and best.bits > mine.bits + mine.chance
    if is_gamble and is_ponderable and scene.lost:
        yield Observation(Insight.BOLD, total=analysis.before, code=analysis.choice)
    is_even = analysis.largest <= _MOST_OF_TWO * analysis.before
    if is_even and analysis.parts == _PAIR and analysis.before > _PAIR + 1:
        yield Observation(Insight.HALVES, count=analysis.after, total=analysis.before)


def _opening(scene: Scene) -> Iterator[Observation]:
    analysis = scene.analysis
    symbol, copies = Counter(scene.guess).most_common(1)[0]
    if scene.promised >= _STRONG and scene.lost < _DOUBTFUL:
        yield Observation(Insight.OPENING, count=analysis.after, total=analysis.before)
    elif scene.promised < _GOOD and copies > 1:
        yield Observation(Insight.REPEATS, symbol=symbol, count=copies)


def _results(scene: Scene) -> Iterator[Observation]:
    analysis = scene.analysis
    told = partial(Observation, count=analysis.after, total=analysis.before)
    if analysis.after == 1 < analysis.before and not scene.is_solved:
        yield told(Insight.LEFT_ONE)
    if analysis.after * _BIG <= analysis.before and analysis.after > 1:
        yield told(Insight.BIG_CUT)


def _are_twins(rules: Rules[Any], guess: str, other: str | None) -> bool:
    """True if two true equations have the same numbers, operators and result in another order."""
    if not isinstance(rules, Focdle) or other is None or guess == other:
        return False
    first, second = rules.equation(guess), rules.equation(other)
    return (
        first.is_true
        and second.is_true
        and first.result == second.result
        and sorted(first.values) == sorted(second.values)
        and sorted(first.operators) == sorted(second.operators)
    )


_SOME: Final = 3


def examine(record: Record) -> Analysis:
    """Analyse a game.

    Raises:
        InconsistentFeedback: no secret explains all turns.
    """
    allowed = allowed_to_players(record.rules)
    found = analyse_turns(record.rules, record.before(len(record.turns)), allowed, record.most)
    turns = tuple(
        _coach_turn(
            Scene(
                record.rules,
                record.secret,
                record.before(index),
                analysis,
                _known(record.rules, record.before(index)),
            )
        )
        for index, analysis in enumerate(found)
    )
    return Analysis(
        rules=record.notation,
        secret=record.secret,
        is_solved=record.rules.solved(record.turns[-1].feedback),
        turns=turns,
        hinted=tuple(_hinted(record)),
        solvers=_solvers(record.rules, record.secret, allowed),
        mean=_mean(record.rules, allowed),
    )


def weigh_guesses(record: Record, guesses: tuple[str, ...]) -> tuple[Weighed, ...]:
    """Compare guesses with the solver's choice in the position after all turns of a record."""
    known = record.before(len(record.turns))
    allowed = allowed_to_players(record.rules)
    found = rank(record.rules, known, guesses, most=len(guesses), allowed=allowed)
    weighed = {prospect.guess: _weighed(record, known, prospect) for prospect in found}
    return tuple(weighed[guess] for guess in guesses)


def _weighed(record: Record, known: tuple[Turn[Any] | Shown, ...], found: Prospect) -> Weighed:
    left = _left_by(record.rules, record.secret, known, found.guess) or 0
    best = _left_by(record.rules, record.secret, known, found.choice)
    is_possible = found.promise.chance > 0
    grade = grade_of(found.loss, found.before, is_possible=is_possible, is_last=found.is_last)
    return Weighed(
        guess=found.guess,
        choice=found.choice,
        lost=found.loss.guesses,
        left=left,
        best=best or 0,
        grade=mark_of(grade, found.before, left, best, is_last=found.is_last),
        is_last=found.is_last,
    )


def mark_of(grade: Grade, before: int, after: int, best: int | None, *, is_last: bool) -> Grade:
    """The coach's mark of a guess: what it cost on average, held against what it left.

    A guess is blamed only if a better one could be known, and only as far as it left more than the
    solver's choice would have, or cost a whole guess; it is praised if it left no more.

    Args:
        grade: the engine's grade, by what the guess cost on average.
        best: what the solver's choice would have left; None if the secret is unknown.
    """
    if best is None:
        return grade
    if is_last:
        return Grade.BAD if grade is Grade.BLUNDER else grade
    is_wasted = after == before  # all candidates would have answered the same
    times = after / max(best, 1)
    is_bad, is_fine = grade in BAD_GRADES, grade in {Grade.GOOD, Grade.BRILLIANT}
    if is_bad and (is_wasted or times >= _MISTAKE):
        is_big = times >= _BIG_MISTAKE and grade is not Grade.DOUBTFUL
        return Grade.BLUNDER if is_big else Grade.BAD
    if not is_fine and times >= (_SLIP if is_bad else _MISTAKE):
        return Grade.DOUBTFUL
    if before <= _PAIR or times > 1:
        return grade if is_fine and times < _SLIP else Grade.PLAIN
    return Grade.BRILLIANT if grade is Grade.BRILLIANT else Grade.GOOD


def allowed_to_players(rules: Rules[Any]) -> Allowed:
    """The kind of guesses that players may make; solvers narrow it themselves in hard mode."""
    return Allowed.FORM if isinstance(rules, Focdle) else Allowed.ANY


def hundredths(length: int, secret: str) -> int:
    """The difficulty of a secret for people, in hundredths of a guess."""
    return difficulty(Focdle(length), secret).hundredths


def _coach_turn(scene: Scene) -> CoachTurn:
    analysis: TurnAnalysis[Any] = scene.analysis
    best = _left_by(scene.rules, scene.secret, scene.history, analysis.choice)
    before, after = analysis.before, analysis.after
    return CoachTurn(
        guess=analysis.turn.guess,
        feedback=tuple(int(part) for part in analysis.turn.feedback),
        before=before,
        after=after,
        choice=analysis.choice,
        loss=analysis.loss,
        grade=mark_of(analysis.grade, before, after, best, is_last=analysis.is_last),
        best=best,
        is_last=analysis.is_last,
        is_possible=scene.is_possible,
        observations=observe(scene),
    )


def _known(rules: Rules[Any], history: tuple[Turn[Any] | Shown, ...]) -> KnownBefore:
    """The facts that follow from a history; all empty without turns and hints."""
    if not history:
        return KnownBefore()
    space = space_of(rules)
    columns = space.after(space.history(history))
    symbols = range(len(space.alphabet))
    present = [(columns == symbol).any(axis=0) for symbol in symbols]
    first = columns[:, 0]
    is_fixed = (columns == first[:, None]).all(axis=1)
    return KnownBefore(
        absent=frozenset(space.alphabet[s] for s in symbols if not present[s].any()),
        certain=frozenset(space.alphabet[s] for s in symbols if present[s].all()),
        fixed={int(p): space.alphabet[int(first[p])] for p in np.flatnonzero(is_fixed)},
        some=tuple(space.write(column) for column in columns[:, :_SOME].T),
    )


def _left_by(
    rules: Rules[Any], secret: str | None, history: tuple[Turn[Any] | Shown, ...], guess: Code
) -> int | None:
    """How many candidates a guess leaves: 0 if it is right; None if the secret is unknown."""
    if secret is None:
        return None
    answer = rules.feedback(guess, secret)
    return 0 if guess == secret else _count(rules, (*history, Turn(guess, answer)))


def _hinted(record: Record) -> Iterator[int]:
    """How many candidates each hint left."""
    known = record.before(len(record.turns))
    for index, fact in enumerate(known, 1):
        if isinstance(fact, Shown):
            yield _count(record.rules, known[:index])


def _count(rules: Rules[Any], history: tuple[Turn[Any] | Shown, ...]) -> int:
    space = space_of(rules)
    return int(space.after(space.history(history)).shape[1])


def _solvers(rules: Rules[Any], secret: str | None, allowed: Allowed) -> int | None:
    """How many guesses the solver takes at a secret; None if it is unknown."""
    if secret is None:
        return None
    breaker = codebreaker(rules, allowed=allowed)
    turns: list[Turn[Any]] = []
    while not turns or turns[-1].guess != secret:
        guess = breaker.next_guess(turns)
        turns.append(Turn(guess, rules.feedback(guess, secret)))
    return len(turns)


def _mean(rules: Rules[Any], allowed: Allowed) -> float:
    """How many guesses the solver takes on average."""
    size = np.array([space_of(rules).everything().shape[1]])
    kind = space_of(rules).permitted(allowed)
    return float(Estimates(rules, kind).totals(size)[0] / (GUESS * size[0]))

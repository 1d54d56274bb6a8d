"""Analysis of the guesses of a finished game."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed
from engine.codes import Code
from engine.errors import GameOverError
from engine.feedback import Fact, Shown, Turn
from engine.rules import Rules, read_history
from engine.skill import Grade, Loss, Promise, Prospect, grade_of, skill_of
from engine.solvers.codebreaker import Codebreaker, codebreaker, space_of
from engine.solvers.costs import FEW, GUESS, Estimates, Few
from engine.solvers.space import Columns, Parts, Space, Symbols, parts_of

F = TypeVar("F")

BEST: Final = 99
"""The best luck."""


@dataclass(frozen=True, slots=True)
class TurnAnalysis(Generic[F]):
    """The worth of one guess.

    Attributes:
        before: the exact number of candidates before the guess, at least 1.
        after: the number of candidates after the guess.
        promise: the expectations of the guess.
        parts: the number of different answers that the guess could get.
        largest: the candidates that the most frequent answer would have left.
        choice: the solver's choice.
        choice_promise: the expectations of the choice.
        loss: the cost against the choice, in guesses; see `Loss`.
        luck: 0 to 99: the percentage of candidates with which the guess would have left more
            candidates; those that would have left as many count half. A hit leaves least. 50
            (rounded) is neither good nor bad luck.
        is_last: whether no further guess could follow. Then all candidates are equally good, and
            the choice is the guess itself if it is one.
    """

    turn: Turn[F]
    before: int
    after: int
    promise: Promise
    parts: int
    largest: int
    choice: Code
    choice_promise: Promise
    loss: Loss
    luck: int
    is_last: bool = False

    @property
    def skill(self) -> int:
        """The skill, 0 to 99: see `skill_of`; 99 only if it cost no more than the choice."""
        return skill_of([self.loss])

    @property
    def grade(self) -> Grade:
        is_possible = self.promise.chance > 0
        return grade_of(self.loss, self.before, is_possible=is_possible, is_last=self.is_last)

    @property
    def gained(self) -> float:
        """The information that the guess gave, in bits: log2 of before over after."""
        return math.log2(self.before / self.after)


def analyse(
    rules: Rules[F], secret: str, guesses: Iterable[str], allowed: str = Allowed.ANY
) -> tuple[TurnAnalysis[F], ...]:
    """Analyse the guesses of a game, in order; all counts are exact.

    Expected information is the entropy of the answers (Shannon 1948, as Neuwirth 1982 used it for
    Mastermind); scales of 0 to 99 for skill and luck follow the New York Times' WordleBot, with
    definitions of our own, see `TurnAnalysis` and `skill_of`. With the last guess that the rules
    allow, only being right counts.

    Args:
        rules: the game.
        secret: the secret.
        guesses: canonical guesses, any that the game knows.
        allowed: the guesses that player and solver could make: see `Allowed`.

    Raises:
        ForeignGuessError: the secret is none, or a guess is none, of this game.
        GameOverError: a guess follows the secret.
        EngineError: no solver for these rules and guesses.
    """
    space = space_of(rules)
    answer = space.write(space.read_secret(secret)[:, 0])
    analyst = _Analyst(rules, allowed)
    for guess in map(Code, guesses):
        space.read(guess)
        analyst.add(Turn(guess, rules.feedback(guess, answer)))
    return analyst.found


def analyse_turns(
    rules: Rules[F],
    turns: Iterable[Fact[F]],
    allowed: str = Allowed.ANY,
    most: int | None = None,
) -> tuple[TurnAnalysis[F], ...]:
    """Analyse the guesses of a game with an unknown secret, by the answers alone.

    Args:
        rules: the game.
        turns: canonical guesses with their answers, which may be text, and hints in between.
        allowed: as for `analyse`.
        most: the number of guesses, as far as the player knew before the last one; None for that
            of the rules.

    Raises:
        InconsistentFeedback: no secret explains all turns.
        ForeignGuessError, ImpossibleFeedbackError: a turn is none of this game.
        NotationError: a turn's feedback is text that is none of this game.
        GameOverError: a turn follows one that solved the game.
        EngineError: no solver for these rules and guesses.
    """
    said = read_history(rules, turns)
    codebreaker(rules, allowed=allowed).remaining(said)
    analyst = _Analyst(rules, allowed, most)
    for fact in said:
        analyst.add(fact)
    return analyst.found


def weigh(
    rules: Rules[F],
    turns: Iterable[Turn[F] | Shown],
    guesses: Iterable[str],
    allowed: str = Allowed.ANY,
) -> tuple[Prospect, ...]:
    """Weigh possible next guesses after these turns.

    Args:
        rules: the game.
        turns: guesses with their answers, and hints.
        guesses: canonical guesses, any of which could be the next.
        allowed: as for `analyse`.

    Raises:
        EngineError: as `analyse_turns`.
    """
    analyst = _Analyst(rules, allowed)
    for fact in turns:
        analyst.go_on(fact)
    return tuple(analyst.weigh(Code(guess)) for guess in guesses)


class _Analyst(Generic[F]):
    """The state of an analysis, turn by turn."""

    def __init__(self, rules: Rules[F], allowed: str, most: int | None = None) -> None:
        self._rules = rules
        self._most = rules.max_guesses if most is None else most
        self._space: Space[F] = space_of(rules)
        self._breaker: Codebreaker[F] = codebreaker(rules, allowed=allowed)
        self._allowed = self._space.permitted(Allowed(allowed))
        self._columns = self._space.everything()
        self._history: list[Turn[F] | Shown] = []
        self._choice: Code | None = None  # for the position after this history
        self._found: list[TurnAnalysis[F]] = []

    @property
    def found(self) -> tuple[TurnAnalysis[F], ...]:
        return tuple(self._found)

    def go_on(self, fact: Turn[F] | Shown) -> None:
        """Add the next turn or hint without analysing it."""
        if isinstance(fact, Shown):
            (step,) = self._space.history([fact])
            self._take(fact, self._space.explaining(step, self._columns))
        else:
            self._take(fact, self._explaining(fact, self._numbers(fact.guess)))

    def weigh(self, guess: Code) -> Prospect:
        return self._prospect(guess, parts_of(self._numbers(guess), self._space.bins))

    def add(self, fact: Turn[F] | Shown) -> None:
        """Analyse the next turn; a hint is only added."""
        if self._found and self._rules.solved(self._found[-1].turn.feedback):
            raise GameOverError
        if isinstance(fact, Shown):
            self.go_on(fact)
        else:
            self._look_at(fact)

    def _look_at(self, turn: Turn[F]) -> None:
        numbers = self._numbers(turn.guess)
        parts = parts_of(numbers, self._space.bins)
        prospect = self._prospect(turn.guess, parts)
        self._take(turn, self._explaining(turn, numbers))
        number = self._space.number(turn.guess, turn.feedback)
        self._found.append(
            TurnAnalysis(
                turn=turn,
                before=prospect.before,
                after=parts.size(number),
                promise=prospect.promise,
                parts=len(parts.sizes),
                largest=parts.largest,
                choice=prospect.choice,
                choice_promise=prospect.choice_promise,
                loss=prospect.loss,
                luck=_luck(parts, number, self._space.solving),
                is_last=prospect.is_last,
            )
        )

    def _numbers(self, guess: Code) -> NDArray[np.int32]:
        """The feedback numbers of all candidates for a guess."""
        return self._space.numbers(self._space.read(guess), self._columns)

    def _explaining(self, turn: Turn[F], numbers: NDArray[np.int32]) -> Columns:
        """The candidates that explain a turn, by their feedback numbers."""
        return self._columns[:, numbers == self._space.number(turn.guess, turn.feedback)]

    def _take(self, fact: Turn[F] | Shown, left: Columns) -> None:
        self._columns = left
        self._history.append(fact)
        self._choice = None

    def _prospect(self, guess: Code, parts: Parts) -> Prospect:
        solving, columns = self._space.solving, self._columns
        promise = _promise(parts, solving)
        made = sum(isinstance(fact, Turn) for fact in self._history)
        is_last = made + 1 == self._most
        choice = guess
        if not is_last or not promise.chance:
            choice = self._choice = self._choice or self._breaker.next_guess(
                self._history, is_last=is_last
            )
        best = self._parts_of_choice(choice, columns)
        return Prospect(
            guess=guess,
            before=columns.shape[1],
            promise=promise,
            choice=choice,
            choice_promise=_promise(best, solving),
            loss=loss_of_last(parts, solving)
            if is_last
            else self._loss(guess, parts, choice, best, columns),
            is_last=is_last,
        )

    def _parts_of_choice(self, choice: Code, columns: Columns) -> Parts:
        if not self._history:
            return _opening_parts(self._rules, choice)
        return parts_of(self._space.numbers(self._space.read(choice), columns), self._space.bins)

    def _loss(self, guess: Code, parts: Parts, choice: Code, best: Parts, columns: Columns) -> Loss:
        space, allowed = self._space, self._allowed
        if columns.shape[1] <= FEW:
            return loss_of_few(space, space.read(guess), space.read(choice), columns, allowed)
        if self._history:
            mean = mean_of_candidates(space, columns, allowed)
        else:
            mean = _mean_of_openings(self._rules, allowed)
        return loss_of_many(space, parts, best, mean, allowed)


@lru_cache(maxsize=64)
def _mean_of_openings(rules: Rules[Any], allowed: Allowed) -> Fraction:
    """The mean cost of first guesses: constant, and the most expensive to compute."""
    space = space_of(rules)
    return mean_of_candidates(space, space.everything(), allowed)


@lru_cache(maxsize=64)
def _opening_parts(rules: Rules[Any], guess: Code) -> Parts:
    """The parts of a first guess: constant, and the most expensive to compute."""
    space = space_of(rules)
    return parts_of(space.numbers(space.read(guess), space.everything()), space.bins)


def _promise(parts: Parts, solving: int) -> Promise:
    return Promise(parts.bits, parts.size(solving) / parts.total)


def _luck(parts: Parts, number: int, solving: int) -> int:
    # Candidates still to be told apart: all of a part; none after the right guess.
    left = np.where(parts.numbers == solving, 0, parts.sizes)
    mine = 0 if number == solving else parts.size(number)
    worse = int(parts.sizes[left > mine].sum())
    equal = int(parts.sizes[left == mine].sum())
    return round(BEST * (worse + equal / 2) / parts.total)


_LEAST_STAKE: Final = Fraction(1, 100)
"""The least stake. Without one, a mistake among equal guesses would decide a whole game's skill."""
_MOST_TRIED: Final = 16
_FEWEST_TRIED: Final = 3
_BUDGET: Final = 160_000
_BUDGET_OF_OPENINGS: Final = 10_000_000
"""Comparisons of candidates with others to find the stake.

The first guess's stake is computed only once, with more.
"""


def loss_of_few(
    space: Space[Any], guess: Symbols, choice: Symbols, columns: Columns, allowed: Allowed
) -> Loss:
    """The loss of a guess with few candidates, all of which are tried."""
    count = columns.shape[1]
    few = Few(space, columns, allowed)
    mine, best = few.of(guess), few.of(choice)
    tried = few.of_candidates()
    mean = Fraction(sum(tried), len(tried))
    return Loss(
        guesses=_share(max(0, mine.total - best.total), count),
        stake=_stake(_share(mean - best.total, count), count),
        is_exact=mine.is_exact and best.is_exact and best.total == few.least(),
        candidates=_share(max(0, min(tried) - best.total), count),
    )


def loss_of_many(
    space: Space[Any], mine: Parts, best: Parts, mean: Fraction, allowed: Allowed
) -> Loss:
    """The loss of a guess by its parts and those of the solver's choice.

    `mean` is the mean cost of candidates, see `mean_of_candidates`.
    """
    count = mine.total
    estimates = Estimates(space.rules, allowed)
    cost, least = (estimates.of_parts(parts, space.solving) for parts in (mine, best))
    return Loss(
        guesses=_share(max(0, cost.total - least.total), count),
        stake=_stake(_share(mean - least.total, count), count),
        is_exact=False,
    )


def loss_of_last(mine: Parts, solving: int) -> Loss:
    """The loss of the last guess: the chance to be right, if it had none.

    All candidates are equally likely, so the stake is 0.
    """
    is_possible = mine.size(solving) > 0
    chance = Fraction() if is_possible else Fraction(1, mine.total)
    return Loss(guesses=chance, stake=Fraction(), is_exact=True)


def mean_of_candidates(space: Space[Any], columns: Columns, allowed: Allowed) -> Fraction:
    """The mean cost of a sample of candidates, evenly spread, in thousandths of a guess."""
    estimates = Estimates(space.rules, allowed)
    count = columns.shape[1]
    is_opening = count == space.everything().shape[1]
    budget = _BUDGET_OF_OPENINGS if is_opening else _BUDGET
    tried = max(_FEWEST_TRIED, min(_MOST_TRIED, budget // count))
    places = (2 * np.arange(tried) + 1) * count // (2 * tried)
    guesses = [tuple(columns[:, place].tolist()) for place in places]
    parts = [parts_of(space.numbers(guess, columns), space.bins) for guess in guesses]
    costs = [estimates.of_parts(each, space.solving).total for each in parts]
    return Fraction(sum(costs), tried)


def _share(total: int | Fraction, count: int) -> Fraction:
    """The cost of all candidates together as guesses per candidate."""
    return Fraction(total) / (GUESS * count)


def _stake(lost: Fraction, count: int) -> Fraction:
    return max(lost, _LEAST_STAKE) if count > 1 else Fraction()

"""Analysis of the guesses of a game, ranks of possible guesses, and what is certain."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed
from engine.codes import Code
from engine.errors import EngineError, GameOverError
from engine.feedback import Fact, Shown, Turn
from engine.rules import Rules, read_history, understood
from engine.skill import Grade, Loss, Promise, Prospect, grade_of, skill_of
from engine.solvers.codebreaker import Codebreaker, codebreaker, space_of
from engine.solvers.consistency import candidates_after
from engine.solvers.costs import FEW, GUESS, Estimates, Few
from engine.solvers.space import Columns, Parts, Space, Symbols, parts_of, spread

F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class TurnAnalysis(Generic[F]):
    """The worth of one guess.

    Attributes:
        before: the exact number of candidates before the guess, at least 1.
        after: the number of candidates after the guess.
        promise: the information and the chance that the guess promised.
        parts: the number of different answers that the guess could get.
        largest: how many candidates the most frequent answer would have left.
        choice: the solver's choice.
        choice_promise: the information and the chance that the choice promised.
        loss: what the guess cost more than the choice, in guesses.
        is_last: whether no further guess could follow. Then all candidates are equally good, and
            the choice is the guess itself if it is a candidate.
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
    is_last: bool = False

    @property
    def skill(self) -> int:
        """The skill by `skill_of`, 0 to 99; 99 only if the guess cost no more than the choice."""
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
    Mastermind); the scale of 0 to 99 for skill follows the New York Times' WordleBot, with a
    definition of our own, see `skill_of`. Of the last guess that the rules allow, only the chance
    to be right counts.

    >>> from engine import Mastermind
    >>> first, second = analyse(Mastermind(), "RYGB", ["RROY", "RYGB"])
    >>> first.before, first.after, first.choice, second.skill, second.choice
    (1296, 230, 'RROY', 42, 'RGRB')

    Args:
        guesses: guesses of the game in canonical notation, whether `allowed` or not.
        allowed: the guesses that player and solver could make: see `Allowed`.

    Raises:
        ForeignGuessError: the secret, or a guess, is not of this game.
        GameOverError: a guess follows the secret.
        EngineError: no solver for these rules and guesses.
    """
    space = space_of(rules)
    answer = space.write(space.read_secret(secret)[:, 0])
    analyst = _Analyst(rules, allowed)
    for guess in guesses:
        space.read(guess)
        analyst.add(Turn(guess, rules.feedback(guess, answer)))
    return analyst.found


def analyse_turns(
    rules: Rules[F],
    turns: Iterable[Fact[F]],
    allowed: str = Allowed.ANY,
    most: int | None = None,
) -> tuple[TurnAnalysis[F], ...]:
    """Analyse the guesses of a game with an unknown secret, only by the answers.

    Args:
        turns: canonical guesses with their answers, which may be text, and hints in between.
        allowed: as for `analyse`.
        most: the limit of guesses, as the player knew it before the last guess; None if it was
            the limit of the rules.

    Raises:
        InconsistentFeedback: no secret explains all turns.
        ForeignGuessError, ImpossibleFeedbackError: a turn is not of this game.
        NotationError: the text of a turn's feedback cannot be parsed.
        GameOverError: a turn follows one that solved the game.
        EngineError: no solver for these rules and guesses.
    """
    said = read_history(rules, turns)
    codebreaker(rules, allowed=allowed).remaining(said)
    analyst = _Analyst(rules, allowed, most)
    for fact in said:
        analyst.add(fact)
    return analyst.found


def rank(
    rules: Rules[F],
    turns: Iterable[Fact[F]],
    among: Iterable[str] | None = None,
    *,
    most: int = 10,
    allowed: str = Allowed.ANY,
) -> tuple[Prospect, ...]:
    """Rank possible next guesses, and say what each of them leaves.

    >>> from engine import Mastermind
    >>> for guess in rank(Mastermind(), [Turn("RROY", "●○")], ["RGRB", "RRRR"]):
    ...     print(guess.guess, guess.parts, round(guess.left, 1))
    RGRB 14 27.2
    RRRR 4 86.8

    Args:
        turns: guesses with their answers, which may be text, and hints in between.
        among: canonical guesses, whether `allowed` or not. None stands for the solver's choice and
            the candidates; of more than about a thousand, for an even sample.
        most: the number of guesses to return.
        allowed: as for `analyse`.

    Returns:
        The guesses with the least loss, best first: of equals the solver's choice, then the
        guesses that can get more different answers.

    Raises:
        GameOverError: a turn has solved the game.
        ForeignGuessError: a guess in `among` is not of this game.
        EngineError: as `analyse_turns`, or `most` is below 0.
    """
    if most < 0:
        raise EngineError(f"{most} is no number of guesses.")
    said = read_history(rules, turns)
    codebreaker(rules, allowed=allowed).remaining(said)
    analyst = _Analyst(rules, allowed)
    for fact in said:
        analyst.go_on(fact)
    guesses = {analyst.choice, *analyst.sample()} if among is None else set(among)
    found = sorted(
        map(analyst.weigh, guesses),
        key=lambda prospect: (
            prospect.loss.guesses,
            prospect.guess != prospect.choice,
            -prospect.parts,
            prospect.guess,
        ),
    )
    return tuple(found[:most])


def answers(rules: Rules[F], turns: Sequence[Fact[F]], guess: str) -> dict[F, int]:
    """Count the candidates after these turns by their answers to a guess, the most frequent first.

    >>> from engine import Mastermind
    >>> found = answers(Mastermind(), [Turn("RROY", "●○")], "RRRR")
    >>> [(score.bulls, count) for score, count in found.items()]
    [(1, 116), (0, 72), (2, 36), (3, 6)]

    Among equally frequent ones, that of the right guess comes last.

    Args:
        turns: guesses with their answers, which may be text, and hints in between.
        guess: a guess of the game, in canonical notation.

    Raises:
        InconsistentFeedback: no secret explains all turns.
        ForeignGuessError, ImpossibleFeedbackError: a turn, or the guess, is not of this game.
        NotationError: the text of a turn's feedback cannot be parsed.
    """
    return answers_to_each(rules, turns, [guess])[guess]


def answers_to_each(
    rules: Rules[F], turns: Sequence[Fact[F]], guesses: Iterable[str]
) -> dict[str, dict[F, int]]:
    """For each of many guesses, what `answers` counts; the turns are read only once."""
    space = space_of(rules)
    columns = candidates_after(space, space.history(turns))
    found: dict[str, dict[F, int]] = {}
    for guess in guesses:
        symbols = space.read(guess)
        numbers, sizes = parts_of(space.numbers(symbols, columns), space.bins)
        order = np.lexsort((numbers, numbers == space.solving, -sizes))
        feedbacks = space.feedbacks(symbols, numbers[order])
        found[guess] = dict(zip(feedbacks, sizes[order].tolist(), strict=True))
    return found


def candidates(
    rules: Rules[F],
    turns: Sequence[Fact[F]],
    most: int | None = None,
    *,
    after: tuple[str, F | str] | None = None,
) -> list[Code]:
    """The secrets that explain these turns, in an order that never changes.

    >>> from engine import Mastermind
    >>> candidates(Mastermind(), [Turn("RROY", "●○")], 3, after=("RRRR", "●●"))
    ['RGRG', 'RGRB', 'RGRP']

    Args:
        turns: guesses with their answers, which may be text, and hints in between.
        most: the number of candidates to return; None for all.
        after: a guess and its answer, as one more turn.

    Raises:
        EngineError: as `answers`.
    """
    said = list(turns)
    if after is not None:
        guess, feedback = after
        said.append(Turn(guess, understood(rules, feedback)))
    return codebreaker(rules).candidates(said, rules.size if most is None else most)


@dataclass(frozen=True, slots=True)
class Known:
    """The facts about a secret that are certain.

    Attributes:
        places: the symbols that are possible at each place, in the order of the alphabet.
        least: for each symbol of the alphabet, the fewest copies that the secret can have.
        most: the most copies that it can have.
    """

    places: tuple[str, ...]
    least: Mapping[str, int]
    most: Mapping[str, int]


def known(rules: Rules[F], turns: Sequence[Fact[F]]) -> Known:
    """Find what all secrets that explain these turns have in common.

    >>> from engine import Mastermind
    >>> sure = known(Mastermind(), [Turn("RRGG", "●●"), Turn("RYYB", "-")])
    >>> sure.places, sure.least["G"], sure.most["B"]
    (('OGP', 'OGP', 'G', 'G'), 2, 0)

    Args:
        turns: guesses with their answers, which may be text, and hints in between.

    Raises:
        EngineError: as `answers`.
    """
    space = space_of(rules)
    columns = candidates_after(space, space.history(turns))
    occurs = [np.bincount(row, minlength=len(space.alphabet)) > 0 for row in columns]
    copies = {
        symbol: (columns == number).sum(axis=0, dtype=np.uint8)
        for number, symbol in enumerate(space.alphabet)
    }
    return Known(
        places=tuple(space.write(np.flatnonzero(symbols).tolist()) for symbols in occurs),
        least={symbol: int(counts.min()) for symbol, counts in copies.items()},
        most={symbol: int(counts.max()) for symbol, counts in copies.items()},
    )


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
        # What belongs to the position after this history is found once.
        self._choice: Code | None = None
        self._few: Few | None = None
        self._mean: Fraction | None = None
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

    @property
    def choice(self) -> Code:
        """The guess that the solver makes in the present position."""
        if self._choice is None:
            self._choice = self._breaker.next_guess(self._history, is_last=self._is_last)
        return self._choice

    @property
    def _is_last(self) -> bool:
        return sum(isinstance(fact, Turn) for fact in self._history) + 1 == self._most

    def sample(self) -> Iterator[Code]:
        """The present candidates; if there are many, an evenly spread sample of them."""
        count = self._columns.shape[1]
        tried = min(count, max(_FEWEST_TRIED, _BUDGET_OF_RANKING // count))
        return map(self._space.write, self._columns[:, spread(count, tried)].T)

    def weigh(self, guess: Code) -> Prospect:
        return self._prospect(guess, parts_of(self._numbers(guess), self._space.bins))

    def add(self, fact: Turn[F] | Shown) -> None:
        """Analyse the next turn, or add a hint; raises GameOverError if the game is solved."""
        if self._found and self._rules.solved(self._found[-1].turn.feedback):
            raise GameOverError
        if isinstance(fact, Shown):
            self.go_on(fact)
            return
        numbers = self._numbers(fact.guess)
        parts = parts_of(numbers, self._space.bins)
        prospect = self._prospect(fact.guess, parts)
        self._take(fact, self._explaining(fact, numbers))
        number = self._space.number(fact.guess, fact.feedback)
        self._found.append(
            TurnAnalysis(
                turn=fact,
                before=prospect.before,
                after=parts.size(number),
                promise=prospect.promise,
                parts=prospect.parts,
                largest=prospect.largest,
                choice=prospect.choice,
                choice_promise=prospect.choice_promise,
                loss=prospect.loss,
                is_last=prospect.is_last,
            )
        )

    def _numbers(self, guess: Code) -> NDArray[np.int32]:
        return self._space.numbers(self._space.read(guess), self._columns)

    def _explaining(self, turn: Turn[F], numbers: NDArray[np.int32]) -> Columns:
        """The candidates that explain a turn; `numbers` has every candidate's answer to it."""
        number = self._space.number(turn.guess, turn.feedback)
        return self._columns.compress(numbers == number, axis=1)

    def _take(self, fact: Turn[F] | Shown, left: Columns) -> None:
        self._columns = left
        self._history.append(fact)
        self._choice = self._few = self._mean = None

    def _prospect(self, guess: Code, parts: Parts) -> Prospect:
        solving, is_last = self._space.solving, self._is_last
        promise = _promise(parts, solving)
        choice = guess if is_last and promise.chance else self.choice
        if self._history:
            best = parts_of(self._numbers(choice), self._space.bins)
        else:
            best = _opening_parts(self._rules, choice)
        left = parts.sizes[parts.numbers != solving]
        return Prospect(
            guess=guess,
            before=self._columns.shape[1],
            promise=promise,
            choice=choice,
            choice_promise=_promise(best, solving),
            loss=loss_of_last(parts, solving)
            if is_last
            else self._loss(guess, parts, choice, best),
            is_last=is_last,
            parts=len(parts.sizes),
            left=int((left * left).sum()) / parts.total,
            largest=parts.largest,
        )

    def _loss(self, guess: Code, parts: Parts, choice: Code, best: Parts) -> Loss:
        space, columns, allowed = self._space, self._columns, self._allowed
        if columns.shape[1] <= FEW:
            self._few = self._few or Few(space, columns, allowed)
            return loss_of_few(self._few, space.read(guess), space.read(choice))
        if not self._history:
            self._mean = _mean_of_openings(self._rules, allowed)
        self._mean = self._mean or mean_of_candidates(space, columns, allowed)
        return loss_of_many(space, parts, best, self._mean, allowed)


@lru_cache(maxsize=64)
def _mean_of_openings(rules: Rules[Any], allowed: Allowed) -> Fraction:
    space = space_of(rules)
    return mean_of_candidates(space, space.everything(), allowed)


@lru_cache(maxsize=64)
def _opening_parts(rules: Rules[Any], guess: Code) -> Parts:
    space = space_of(rules)
    return parts_of(space.numbers(space.read(guess), space.everything()), space.bins)


def _promise(parts: Parts, solving: int) -> Promise:
    return Promise(parts.bits, parts.size(solving) / parts.total)


_LEAST_STAKE: Final = Fraction(1, 100)
"""The least stake. Without one, a mistake among equal guesses would decide a whole game's skill."""
_MOST_TRIED: Final = 16
_FEWEST_TRIED: Final = 3
_BUDGET: Final = 160_000
_BUDGET_OF_OPENINGS: Final = 10_000_000
"""Comparisons of candidates with others to find a stake, the mean loss of a candidate.

There are more for the first guess, whose stake is found only once.
"""
_BUDGET_OF_RANKING: Final = 1_000_000
"""Comparisons of candidates with others to rank them: with more, a sample is ranked."""


def loss_of_few(few: Few, guess: Symbols, choice: Symbols) -> Loss:
    """The loss of a guess while few candidates are left; each of them is tried as well."""
    mine, best, tried = few.of(guess), few.of(choice), few.of_candidates
    count = len(tried)
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
    """Estimate a guess's loss by its parts (`mine`) and those of the solver's choice (`best`).

    `mean` is the mean cost of guessing a candidate, see `mean_of_candidates`.
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
    """The loss of the last guess: 0 if it is a candidate, else the chance of any candidate.

    All candidates are equally likely to be right, so the stake is 0.
    """
    is_possible = mine.size(solving) > 0
    chance = Fraction() if is_possible else Fraction(1, mine.total)
    return Loss(guesses=chance, stake=Fraction(), is_exact=True)


def mean_of_candidates(space: Space[Any], columns: Columns, allowed: Allowed) -> Fraction:
    """Estimate the mean cost of a candidate as the guess, by an even sample of the candidates.

    The cost is in thousandths of a guess, and summed over all candidates as secrets.
    """
    estimates = Estimates(space.rules, allowed)
    count = columns.shape[1]
    is_opening = count == space.everything().shape[1]
    budget = _BUDGET_OF_OPENINGS if is_opening else _BUDGET
    tried = max(_FEWEST_TRIED, min(_MOST_TRIED, budget // count))
    guesses = [tuple(columns[:, place].tolist()) for place in spread(count, tried)]
    parts = [parts_of(space.numbers(guess, columns), space.bins) for guess in guesses]
    costs = [estimates.of_parts(each, space.solving).total for each in parts]
    return Fraction(sum(costs), tried)


def _share(total: int | Fraction, count: int) -> Fraction:
    """Convert a total cost in thousandths of a guess to guesses per candidate."""
    return Fraction(total) / (GUESS * count)


def _stake(lost: Fraction, count: int) -> Fraction:
    return max(lost, _LEAST_STAKE) if count > 1 else Fraction()

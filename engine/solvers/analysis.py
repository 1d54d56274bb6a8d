"""What each guess of a finished game was worth."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Generic, NamedTuple, TypeVar

import numpy as np

from engine.codes import Code
from engine.errors import GameOverError
from engine.feedback import Turn
from engine.rules import Rules
from engine.solvers.choice import Allowed
from engine.solvers.codebreaker import Codebreaker, codebreaker, space_of
from engine.solvers.parts import Parts, parts_of
from engine.solvers.space import Columns, Space, Symbols

F = TypeVar("F")

BEST: Final = 99
"""The best skill, and the best luck."""
_EQUAL: Final = 1e-9


class Promise(NamedTuple):
    """What a guess promises before it is answered.

    Attributes:
        bits: the information it is expected to give: the entropy of its answers, when all
            secrets that are still possible are equally likely.
        chance: the probability that it is the secret.
    """

    bits: float
    chance: float

    @property
    def worth(self) -> float:
        """Bits, and the chance of being right, which saves a guess that gives no more bits."""
        return self.bits + self.chance


@dataclass(frozen=True, slots=True)
class TurnAnalysis(Generic[F]):
    """What one guess was worth.

    Attributes:
        turn: the guess and its feedback.
        before: how many secrets were possible before it; exact, at least 1.
        after: how many were after it.
        promise: what the guess promised.
        parts: how many different answers it could get.
        largest: how many secrets the most frequent of them would have left.
        choice: what the solver would have guessed.
        choice_promise: what that promised.
        skill: 0 to 99: how much the guess promised of what the solver's choice did; 99 just
            if it promised no less. The choice is for few guesses, not for many bits, so other
            guesses may promise a little more.
        luck: 0 to 99: the part of the secrets possible before it with which the guess would
            have left more possibilities, those that would have left as many counted half.
            Being right leaves least. 50 (rounded) is neither good nor bad luck.
    """

    turn: Turn[F]
    before: int
    after: int
    promise: Promise
    parts: int
    largest: int
    choice: Code
    choice_promise: Promise
    skill: int
    luck: int

    @property
    def gained(self) -> float:
        """The information that the guess gave, in bits: log2 of before over after."""
        return math.log2(self.before / self.after)


def analyse(
    rules: Rules[F], secret: str, guesses: Iterable[str], allowed: str = Allowed.ANY
) -> tuple[TurnAnalysis[F], ...]:
    """What each guess of a game was worth, in order; all counts are exact.

    Expected information is the entropy of the answers (Shannon 1948, as Neuwirth 1982 used
    it for Mastermind); scales of 0 to 99 for skill and luck follow the New York Times'
    WordleBot, with definitions of our own, see `TurnAnalysis`.

    Args:
        rules: the game.
        secret: what was to be found.
        guesses: canonical guesses, any that the game knows.
        allowed: which guesses the player could have made, and so the solver: see `Allowed`.

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
    rules: Rules[F], turns: Iterable[Turn[F]], allowed: str = Allowed.ANY
) -> tuple[TurnAnalysis[F], ...]:
    """What each guess of a game was worth whose secret is not known, by the answers alone.

    Args:
        rules: the game.
        turns: canonical guesses and what was answered.
        allowed: as for `analyse`.

    Raises:
        InconsistentFeedback: no secret explains all turns.
        ForeignGuessError, ImpossibleFeedbackError: a turn is none of this game.
        GameOverError: a turn follows one that solved the game.
        EngineError: no solver for these rules and guesses.
    """
    turns = tuple(turns)
    codebreaker(rules, allowed=allowed).remaining(turns)
    analyst = _Analyst(rules, allowed)
    for turn in turns:
        analyst.add(turn)
    return analyst.found


class _Analyst(Generic[F]):
    """Looks at the turns of one game, one after the other."""

    def __init__(self, rules: Rules[F], allowed: str) -> None:
        self._rules = rules
        self._space: Space[F] = space_of(rules)
        self._breaker: Codebreaker[F] = codebreaker(rules, allowed=allowed)
        self._columns = self._space.everything()
        self._found: list[TurnAnalysis[F]] = []

    @property
    def found(self) -> tuple[TurnAnalysis[F], ...]:
        """What was found."""
        return tuple(self._found)

    def add(self, turn: Turn[F]) -> None:
        """Look at the next turn."""
        turns = [analysis.turn for analysis in self._found]
        if turns and self._rules.solved(turns[-1].feedback):
            raise GameOverError
        columns = self._columns
        numbers = self._space.numbers(self._space.read(turn.guess), columns)
        parts = parts_of(numbers, self._space.bins)
        promise = _promise(parts, self._space.solving)
        number = self._space.number(turn.guess, turn.feedback)
        choice = self._breaker.next_guess(turns)
        choice_promise = self._choice_promise(turns, choice, columns)
        self._columns = columns[:, numbers == number]
        self._found.append(
            TurnAnalysis(
                turn=turn,
                before=columns.shape[1],
                after=parts.size(number),
                promise=promise,
                parts=len(parts.sizes),
                largest=parts.largest,
                choice=choice,
                choice_promise=choice_promise,
                skill=_skill(promise, choice_promise),
                luck=_luck(parts, number, self._space.solving),
            )
        )

    def _choice_promise(self, turns: list[Turn[F]], choice: Code, columns: Columns) -> Promise:
        if not turns:
            return _opening_promise(self._rules, choice)
        return _promise_of(self._space, self._space.read(choice), columns)


@lru_cache(maxsize=64)
def _opening_promise(rules: Rules[F], guess: Code) -> Promise:
    """What a first guess promises: always the same, and the dearest to work out."""
    space = space_of(rules)
    return _promise_of(space, space.read(guess), space.everything())


def _promise_of(space: Space[F], guess: Symbols, columns: Columns) -> Promise:
    return _promise(parts_of(space.numbers(guess, columns), space.bins), space.solving)


def _promise(parts: Parts, solving: int) -> Promise:
    return Promise(parts.bits, parts.size(solving) / parts.total)


def _skill(promise: Promise, best: Promise) -> int:
    if promise.worth >= best.worth - _EQUAL:
        return BEST
    return min(BEST - 1, int(BEST * promise.worth / best.worth))


def _luck(parts: Parts, number: int, solving: int) -> int:
    # What is left to find: all of a part; nothing more after the right guess.
    left = np.where(parts.numbers == solving, 0, parts.sizes)
    mine = 0 if number == solving else parts.size(number)
    worse = int(parts.sizes[left > mine].sum())
    equal = int(parts.sizes[left == mine].sum())
    return round(BEST * (worse + equal / 2) / parts.total)

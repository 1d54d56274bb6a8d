"""What solvers need to know of a game: its secrets as an array, its feedback as numbers.

Codes are columns of symbol numbers in arrays of shape (length, N), feedback is one
integer, and both games look the same from here on.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.code_games import MOST_GUESSES
from engine.codes import Code
from engine.errors import EngineError, ForeignGuessError, GameOverError
from engine.feedback import Fact, Shown
from engine.game import Rules, understood
from engine.solvers.shelf import Shelf

F = TypeVar("F")

Columns = NDArray[np.uint8]
"""Secrets or candidates, shape (length, N): column i is one code. One row is one place, so
what looks at a place of all codes reads memory in order."""

Guesses = NDArray[np.intp]
"""Guesses to be tried, shape (G, length): one row is one guess."""

Symbols = tuple[int, ...]
"""A guess as symbol numbers."""

_SHELF: Final = Shelf(most_bytes=128 * 2**20, idle=300)


class Reply(NamedTuple):
    """A turn in numbers."""

    guess: Symbols
    number: int


class Sight(NamedTuple):
    """What a hint shows, in numbers."""

    place: int
    symbol: int


History = tuple[Reply | Sight, ...]


class Space(ABC, Generic[F]):
    """A game as solvers see it; cheap to make, all arrays are on a shelf.

    Attributes:
        rules: the game.
        bins: feedback numbers are less than this.
        solving: the feedback number of the secret itself.
    """

    rules: Rules[F]
    bins: int
    solving: int

    @property
    @abstractmethod
    def key(self) -> Hashable:
        """What tells the set of secrets apart from others."""

    @property
    @abstractmethod
    def alphabet(self) -> str:
        """The symbols, in the order of their numbers."""

    @property
    @abstractmethod
    def length(self) -> int:
        """Symbols in a code."""

    @abstractmethod
    def is_guess(self, text: str) -> bool:
        """Whether a canonical string of the right length and symbols may be guessed."""

    @abstractmethod
    def is_secret(self, guess: str) -> bool:
        """Whether a guess may be the secret."""

    @abstractmethod
    def number(self, guess: Code, feedback: F) -> int:
        """The number of this feedback.

        Raises:
            ImpossibleFeedbackError: no code could give it to this guess.
        """

    @abstractmethod
    def numbers(self, guess: Symbols, columns: Columns) -> NDArray[np.int32]:
        """The feedback numbers of a guess against every column."""

    @abstractmethod
    def matching(self, reply: Reply, columns: Columns) -> Columns:
        """The columns that give just this reply."""

    @abstractmethod
    def permitted(self, allowed: Allowed) -> Allowed:
        """What is meant by these guesses under these rules.

        Raises:
            EngineError: this game does not know such guesses.
        """

    @abstractmethod
    def opening(self, allowed: Allowed, goal: Goal) -> Symbols:
        """The best first guess."""

    @abstractmethod
    def choose(self, columns: Columns, allowed: Allowed, goal: Goal, made: int) -> Symbols:
        """The best guess that a search finds when these are the candidates.

        Args:
            columns: the candidates.
            allowed: which guesses may be made.
            goal: what to minimise.
            made: how many guesses were made before.
        """

    @abstractmethod
    def _build(self) -> Columns: ...

    def everything(self) -> Columns:
        """All secrets, shape (length, N)."""
        return _SHELF.get(self.key, self._build)

    def explains(self, step: Reply | Sight, columns: Columns) -> NDArray[np.bool_]:
        """Which columns explain one step of a history."""
        if isinstance(step, Sight):
            return columns[step.place] == step.symbol
        return self.numbers(step.guess, columns) == step.number

    def explaining(self, step: Reply | Sight, columns: Columns) -> Columns:
        """The columns that explain one step of a history."""
        if isinstance(step, Sight):
            return columns[:, self.explains(step, columns)]
        return self.matching(step, columns)

    def after(self, history: History) -> Columns:
        """The secrets that explain every step of a history; perhaps none."""
        if not history:
            return self.everything()
        return _SHELF.get(
            (self.key, history), lambda: self.explaining(history[-1], self.after(history[:-1]))
        )

    def read(self, guess: str) -> Symbols:
        """A guess as symbol numbers.

        Raises:
            ForeignGuessError: it is no guess of this game.
        """
        if (  # callers without a type checker may pass anything
            not isinstance(guess, str)  # pyright: ignore[reportUnnecessaryIsInstance]
            or len(guess) != self.length
            or not set(guess) <= set(self.alphabet)
            or not self.is_guess(guess)
        ):
            raise ForeignGuessError(guess)
        return tuple(self.alphabet.index(symbol) for symbol in guess)

    def read_secret(self, secret: str) -> Columns:
        """A secret as a column, shape (length, 1).

        Raises:
            ForeignGuessError: it is no secret of this game.
        """
        column = np.array(self.read(secret), np.uint8)[:, None]
        if not self.is_secret(secret):
            raise ForeignGuessError(secret)
        return column

    def write(self, symbols: Sequence[int] | NDArray[np.uint8]) -> Code:
        """The code that these symbol numbers spell."""
        return Code("".join(self.alphabet[symbol] for symbol in symbols))

    def history(self, facts: Sequence[Fact[F]]) -> History:
        """Turns, and what hints have shown, in numbers.

        Raises:
            ForeignGuessError, ImpossibleFeedbackError: a turn, or a shown symbol, is none of this
                game.
            NotationError: a turn's feedback is text that is none of this game.
            GameOverError: a turn follows one that solved the game.
            EngineError: more turns than a game can have.
        """
        history = tuple(map(self._step, facts))
        turns = len(replies_in(history))
        if turns > MOST_GUESSES:
            raise EngineError(f"{turns} turns are more than {MOST_GUESSES}")
        if any(self.is_solved(history[:made]) for made in range(len(history))):
            raise GameOverError
        return history

    def is_solved(self, history: History) -> bool:
        """Whether a history ends with the turn that solved the game."""
        last = history[-1] if history else None
        return isinstance(last, Reply) and last.number == self.solving

    def _step(self, fact: Fact[F]) -> Reply | Sight:
        if not isinstance(fact, Shown):
            guess = self.read(fact.guess)
            return Reply(guess, self.number(fact.guess, understood(self.rules, fact.feedback)))
        if fact.place not in range(self.length) or fact.symbol not in list(self.alphabet):
            raise ForeignGuessError(fact.symbol)
        return Sight(fact.place, self.alphabet.index(fact.symbol))


def replies_in(history: History) -> tuple[Reply, ...]:
    """The turns of a history, without what hints have shown."""
    return tuple(step for step in history if isinstance(step, Reply))


def as_symbols(guess: NDArray[np.intp]) -> Symbols:
    """A row of symbol numbers as plain integers."""
    return tuple(int(symbol) for symbol in guess)

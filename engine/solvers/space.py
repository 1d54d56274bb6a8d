"""What solvers need to know of a game: its secrets as an array, its feedback as numbers.

Codes are columns of symbol numbers in arrays of shape (length, N), feedback is one
integer, and both games look the same from here on.
"""

import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.code_games import MOST_GUESSES
from engine.codes import Code
from engine.errors import EngineError, ForeignGuessError, GameOverError
from engine.feedback import Fact, Shown
from engine.game import Rules, understood

Array = NDArray[np.uint8]


@dataclass(slots=True)
class _Kept:
    array: Array
    size: int
    used: float


class Shelf:
    """Keeps what was used last, up to a size, and nothing once it is idle. Thread-safe.

    Args:
        most_bytes: how much is kept; the newest array is kept even if it is larger.
        idle: seconds after which an unused array is given up.
    """

    def __init__(self, most_bytes: int, idle: float) -> None:
        self._most_bytes = most_bytes
        self._idle = idle
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._held = 0
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def get(self, key: Hashable, make: Callable[[], Array]) -> Array:
        """The array of this key, read-only; made if it is not there, once however many ask."""
        with self._lock:
            if (array := self._find(key)) is not None:
                return array
            making = self._making.setdefault(key, threading.Lock())
        with making:  # only who asks for this array waits for it
            with self._lock:
                if (array := self._find(key)) is not None:
                    return array
            try:
                array = make()
                array.setflags(write=False)
                with self._lock:
                    self._keep(key, array)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return array

    @property
    def held_bytes(self) -> int:
        """How much is kept now."""
        return self._held

    def _find(self, key: Hashable) -> Array | None:
        kept = self._kept.get(key)
        if kept is None:
            return None
        kept.used = time.monotonic()
        self._kept.move_to_end(key)
        return kept.array

    def _keep(self, key: Hashable, array: Array) -> None:
        if key in self._kept:  # made twice, after the first to make it had failed
            self._give_up(key)
        self._kept[key] = _Kept(array, array.nbytes, time.monotonic())
        self._held += self._kept[key].size
        while self._held > self._most_bytes and len(self._kept) > 1:
            self._give_up(next(iter(self._kept)))
        self._watch()

    def _give_up(self, key: Hashable) -> None:
        self._held -= self._kept.pop(key).size

    def _watch(self) -> None:
        if self._timer is None and self._kept:
            oldest = min(kept.used for kept in self._kept.values())
            wait = oldest + self._idle - time.monotonic()
            self._timer = threading.Timer(max(0, wait), self._give_up_idle)
            self._timer.daemon = True
            self._timer.start()

    def _give_up_idle(self) -> None:
        with self._lock:
            latest = time.monotonic() - self._idle
            for key in [key for key, kept in self._kept.items() if kept.used <= latest]:
                self._give_up(key)
            self._timer = None
            self._watch()


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


_CHUNK: Final = 1 << 18
# Counting in bins is fastest, unless there are very many, or more than candidates.
_MOST_BINS: Final = 1 << 21


class Parts(NamedTuple):
    """The answers that candidates give to a guess, and how many give each.

    Attributes:
        numbers: the feedback numbers that occur, ascending.
        sizes: how many candidates give each of them, at least 1.
    """

    numbers: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @property
    def total(self) -> int:
        """How many candidates there are."""
        return int(self.sizes.sum())

    @property
    def largest(self) -> int:
        """How many candidates the guess leaves at worst."""
        return int(self.sizes.max())

    @property
    def bits(self) -> float:
        """The expected information: the entropy of the answers (Shannon 1948)."""
        total = self.total
        return float((self.sizes * np.log2(total / self.sizes)).sum()) / total

    def size(self, number: int) -> int:
        """How many candidates give this feedback number; 0 for one that does not occur."""
        return int(self.sizes[self.numbers == number].sum())


def parts_of(numbers: NDArray[np.int32], bins: int) -> Parts:
    """The parts that feedback numbers, one a candidate, make; all are less than `bins`."""
    if bins > min(_MOST_BINS, len(numbers)):
        values, counts = np.unique(numbers, return_counts=True)
        return Parts(values.astype(np.int64), counts.astype(np.int64))
    sizes = np.zeros(bins, np.int64)
    for start in range(0, len(numbers), _CHUNK):
        sizes += np.bincount(numbers[start : start + _CHUNK], minlength=bins)
    values = np.flatnonzero(sizes)
    return Parts(values, sizes[values])

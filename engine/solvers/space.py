"""The view of a game that solvers need: secrets as an array, feedback as numbers.

Codes are columns of symbol numbers in arrays of shape (length, N), feedback is one integer, and all
games look the same from here on.
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
from engine.codes import Code
from engine.errors import EngineError, ForeignGuessError, GameOverError
from engine.feedback import Fact, Shown
from engine.rules import MOST_GUESSES, Rules, understood

Array = NDArray[np.uint8]


@dataclass(slots=True)
class _Entry:
    array: Array
    size: int
    used: float


class ArrayCache:
    """A thread-safe cache: least recently used arrays are evicted, and idle ones expire.

    Args:
        most_bytes: the capacity; the newest array is kept even if it is larger.
        idle: seconds after which an unused array expires.
    """

    def __init__(self, most_bytes: int, idle: float) -> None:
        self._most_bytes = most_bytes
        self._idle = idle
        self._entries: OrderedDict[Hashable, _Entry] = OrderedDict()
        self._held = 0
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def get(self, key: Hashable, make: Callable[[], Array]) -> Array:
        """Return the read-only array of a key; if it is missing, one caller makes it for all."""
        with self._lock:
            if (array := self._find(key)) is not None:
                return array
            making = self._making.setdefault(key, threading.Lock())
        with making:  # only callers of the same key wait
            with self._lock:
                if (array := self._find(key)) is not None:
                    return array
            try:
                array = make()
                array.setflags(write=False)
                with self._lock:
                    self._add(key, array)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return array

    @property
    def held_bytes(self) -> int:
        return self._held

    def _find(self, key: Hashable) -> Array | None:
        kept = self._entries.get(key)
        if kept is None:
            return None
        kept.used = time.monotonic()
        self._entries.move_to_end(key)
        return kept.array

    def _add(self, key: Hashable, array: Array) -> None:
        if key in self._entries:  # made twice, after the first attempt had failed
            self._evict(key)
        self._entries[key] = _Entry(array, array.nbytes, time.monotonic())
        self._held += self._entries[key].size
        while self._held > self._most_bytes and len(self._entries) > 1:
            self._evict(next(iter(self._entries)))
        self._schedule_eviction()

    def _evict(self, key: Hashable) -> None:
        self._held -= self._entries.pop(key).size

    def _schedule_eviction(self) -> None:
        if self._timer is None and self._entries:
            oldest = min(kept.used for kept in self._entries.values())
            wait = oldest + self._idle - time.monotonic()
            self._timer = threading.Timer(max(0, wait), self._evict_idle)
            self._timer.daemon = True
            self._timer.start()

    def _evict_idle(self) -> None:
        with self._lock:
            latest = time.monotonic() - self._idle
            for key in [key for key, kept in self._entries.items() if kept.used <= latest]:
                self._evict(key)
            self._timer = None
            self._schedule_eviction()


F = TypeVar("F")

Columns = NDArray[np.uint8]
"""Secrets or candidates, shape (length, N): column i is one code.

A row is one place of all codes, so that looking at a place reads memory in order. `compress` and
`take` keep that, an index does not: `columns[:, chosen]` is laid out code by code.
"""

Guesses = NDArray[np.intp]
"""Guesses to be tried, shape (G, length): one row is one guess."""

Symbols = tuple[int, ...]
"""A guess as symbol numbers."""

PAIR: Final = 2
"""So many candidates need no search: either is best, as it is right, or the other is."""

_CACHE: Final = ArrayCache(most_bytes=128 * 2**20, idle=300)
_CHUNK: Final = 1 << 18


class Reply(NamedTuple):
    """A turn: symbol numbers of its guess, and the number of its feedback."""

    guess: Symbols
    number: int


class HintStep(NamedTuple):
    place: int
    symbol: int


History = tuple[Reply | HintStep, ...]


class Space(ABC, Generic[F]):
    """A game as solvers see it; cheap to make, since all arrays are cached.

    Attributes:
        rules: the game.
        bins: a bound: every feedback number is 0 or more and below it.
        solving: the feedback number that only the secret itself gets.
    """

    rules: Rules[F]
    bins: int
    solving: int

    @property
    @abstractmethod
    def key(self) -> Hashable:
        """The key under which the array of all secrets is cached."""

    @property
    def alphabet(self) -> str:
        """The symbols, in the order of their numbers."""
        return self.rules.alphabet

    @property
    def length(self) -> int:
        return self.rules.length

    @abstractmethod
    def is_guess(self, text: str) -> bool:
        """True if a string is a guess of this game; its length and symbols have been checked."""

    @abstractmethod
    def number(self, guess: Code, feedback: F) -> int:
        """The number of this feedback.

        Raises:
            ImpossibleFeedbackError: no code could give it to this guess.
        """

    @abstractmethod
    def numbers(self, guess: Symbols, columns: Columns) -> NDArray[np.int32]:
        """The feedback numbers of a guess against every column."""

    def matching(self, reply: Reply, columns: Columns) -> Columns:
        """The columns that give the reply's feedback to its guess."""
        return columns.compress(self.numbers(reply.guess, columns) == reply.number, axis=1)

    @abstractmethod
    def feedbacks(self, guess: Symbols, numbers: NDArray[np.int64]) -> list[F]:
        """The feedback to a guess that has each of these numbers."""

    def permitted(self, allowed: Allowed) -> Allowed:
        """The kind of guesses that a solver may make when `allowed` is asked for.

        Raises:
            EngineError: this game does not know such guesses.
        """
        if allowed not in {Allowed.ANY, Allowed.HARD}:
            raise EngineError(f"Only FoCdle knows {allowed.value!r} guesses.")
        return allowed

    @abstractmethod
    def opening(self, allowed: Allowed, goal: Goal) -> Symbols:
        """The first guess, for the case that no tree has one."""

    @abstractmethod
    def choose(self, columns: Columns, allowed: Allowed, goal: Goal, made: int) -> Symbols:
        """The best guess that a search finds for one or more candidates.

        `made` is the number of earlier guesses.
        """

    @abstractmethod
    def _build(self) -> Columns: ...

    def everything(self) -> Columns:
        """All secrets, shape (length, N)."""
        return _CACHE.get(self.key, self._build)

    def explains(self, step: Reply | HintStep, columns: Columns) -> NDArray[np.bool_]:
        """Whether each column explains one step of a history, shape (N,)."""
        if isinstance(step, HintStep):
            return columns[step.place] == step.symbol
        return self.numbers(step.guess, columns) == step.number

    def explaining(self, step: Reply | HintStep, columns: Columns) -> Columns:
        """The columns that explain one step of a history."""
        if isinstance(step, HintStep):
            return columns.compress(self.explains(step, columns), axis=1)
        return self.matching(step, columns)

    def after(self, history: History) -> Columns:
        """The secrets that explain every step of a history; none if it contradicts itself."""
        if not history:
            return self.everything()
        return _CACHE.get(
            (self.key, history), lambda: self.explaining(history[-1], self.after(history[:-1]))
        )

    def read(self, guess: str) -> Symbols:
        """Convert a guess to symbol numbers.

        Raises:
            ForeignGuessError: the string is no guess of this game.
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
        """Convert a secret to a column, shape (length, 1).

        Raises:
            ForeignGuessError: the string is no secret of this game.
        """
        column = np.array(self.read(secret), np.uint8)[:, None]
        self.rules.check_secret(secret)
        return column

    def write(self, symbols: Sequence[int] | NDArray[np.uint8]) -> Code:
        """Convert symbol numbers to a code."""
        return "".join(self.alphabet[symbol] for symbol in symbols)

    def write_all(self, columns: Columns) -> list[Code]:
        """Convert columns to codes, many at once."""
        letters = np.array(list(self.alphabet), "U1")
        codes: list[Code] = []
        for start in range(0, columns.shape[1], _CHUNK):
            rows = np.ascontiguousarray(letters[columns[:, start : start + _CHUNK].T])
            codes += rows.view(f"U{self.length}")[:, 0].tolist()
        return codes

    def history(self, facts: Sequence[Fact[F]]) -> History:
        """Convert turns and hints to numbers.

        Raises:
            ForeignGuessError, ImpossibleFeedbackError: a turn, or a shown symbol, is not of this
                game.
            NotationError: the text of a turn's feedback cannot be parsed.
            GameOverError: a turn follows one that solved the game.
            EngineError: more turns than a game can have.
        """
        history = tuple(map(self._step, facts))
        turns = len(replies_in(history))
        if turns > MOST_GUESSES:
            raise EngineError(f"{turns} turns are more than {MOST_GUESSES}.")
        if any(self.is_solved(history[:made]) for made in range(len(history))):
            raise GameOverError
        return history

    def is_solved(self, history: History) -> bool:
        """True if a history's last step is a turn that solved the game."""
        last = history[-1] if history else None
        return isinstance(last, Reply) and last.number == self.solving

    def _step(self, fact: Fact[F]) -> Reply | HintStep:
        if not isinstance(fact, Shown):
            guess = self.read(fact.guess)
            return Reply(guess, self.number(fact.guess, understood(self.rules, fact.feedback)))
        if fact.place not in range(self.length) or fact.symbol not in list(self.alphabet):
            raise ForeignGuessError(fact.symbol)
        return HintStep(fact.place, self.alphabet.index(fact.symbol))


def replies_in(history: History) -> tuple[Reply, ...]:
    """The turns of a history, without hints."""
    return tuple(step for step in history if isinstance(step, Reply))


def spread(count: int, most: int) -> NDArray[np.intp]:
    """Choose at most so many indices below `count`, evenly spread."""
    chosen = min(count, most)
    return (2 * np.arange(chosen) + 1) * count // (2 * max(1, chosen))


def as_symbols(guess: NDArray[np.intp]) -> Symbols:
    return tuple(int(symbol) for symbol in guess)


# Counting in bins is fastest, unless there are very many, or more than candidates.
_MOST_BINS: Final = 1 << 21


class Parts(NamedTuple):
    """The answers of the candidates to a guess, with their frequencies.

    Attributes:
        numbers: the feedback numbers that occur, ascending.
        sizes: the number of candidates that give each of them, at least 1.
    """

    numbers: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @property
    def total(self) -> int:
        """The number of candidates."""
        return int(self.sizes.sum())

    @property
    def largest(self) -> int:
        return int(self.sizes.max())

    @property
    def bits(self) -> float:
        """The expected information: the entropy of the answers (Shannon 1948)."""
        total = self.total
        return float((self.sizes * np.log2(total / self.sizes)).sum()) / total

    def size(self, number: int) -> int:
        """The number of candidates that give this feedback number; 0 if none does."""
        return int(self.sizes[self.numbers == number].sum())


def parts_of(numbers: NDArray[np.int32], bins: int) -> Parts:
    """Count the parts of candidates, given each one's feedback number, which is below `bins`."""
    if bins > min(_MOST_BINS, len(numbers)):
        values, counts = np.unique(numbers, return_counts=True)
        return Parts(values.astype(np.int64), counts.astype(np.int64))
    sizes = np.zeros(bins, np.int64)
    for start in range(0, len(numbers), _CHUNK):
        sizes += np.bincount(numbers[start : start + _CHUNK], minlength=bins)
    values = np.flatnonzero(sizes)
    return Parts(values, sizes[values])

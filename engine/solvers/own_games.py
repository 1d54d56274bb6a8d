"""Games of one's own as solvers see them: answers by number, and a search through all guesses."""

import threading
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.codes import Code
from engine.errors import EngineError, ImpossibleFeedbackError
from engine.feedback import mark, score
from engine.own_games import Codes
from engine.solvers.code_games import Scorer, part_costs
from engine.solvers.focdle.arrays import mark_pairs
from engine.solvers.space import PAIR, Columns, Space, Symbols, spread

F = TypeVar("F")

Indices = NDArray[np.intp]
Table = NDArray[np.int32]
"""Numbers of answers: a guess by row, a secret by column."""

_SOLVING: Final = np.iinfo(np.int32).max
_LONGEST_MARKED: Final = 19
"""The most symbols whose marks have a number of 32 bits."""
_SAMPLE: Final = 1_000
_MOST_AT_ONCE: Final = 1 << 19
_FEW: Final = 64
"""The most candidates among which the search looks one guess further."""
_FINALISTS: Final = 16
_SECONDS: Final = 200
_MOST_CHOSEN: Final = 10_000
"""How many positions are remembered with the guess that was chosen in them."""


class CodesSpace(Space[F]):
    """A game of one's own; secrets are numbered as in its rules, and so are guesses."""

    def __init__(self, rules: Codes[F]) -> None:
        self.rules = rules
        self.bins = _SOLVING + 1
        self.solving = _SOLVING
        self._game = rules
        self._alphabet = rules.alphabet
        self._numbers = {code: number for number, code in enumerate(rules.every_guess)}
        symbols = {symbol: number for number, symbol in enumerate(self._alphabet)}
        codes = [[symbols[symbol] for symbol in code] for code in rules.every_guess]
        self._codes: Columns = np.array(codes, np.uint8).T
        self._texts = np.array(rules.secrets)
        self._order = np.argsort(self._named(self.everything()))
        self._ordered = self._named(self.everything())[self._order]
        self._answer, self._most_pairs = self._way()
        self._rows: dict[int, Table] = {}
        self._known: dict[F, int] = {rules.right: _SOLVING}
        self._chosen: dict[tuple[bytes, Allowed, Goal], Symbols] = {}
        self._lock = threading.Lock()

    def _way(self) -> tuple[Callable[[Indices, Indices], Table], int]:
        """How answers are found, and of how many pairs when a guess is chosen."""
        if self._game.at_once is not None:
            return partial(self._all, self._game.at_once), 1_000_000
        if self._game.feedback is mark and self.length <= _LONGEST_MARKED:
            return self._marks, 4_000_000
        if self._game.feedback is score:
            return self._scores, 4_000_000
        return self._one_by_one, 200_000

    @property
    def key(self) -> Hashable:
        return self._game

    @property
    def alphabet(self) -> str:
        return self._alphabet

    def is_guess(self, text: str) -> bool:
        return text in self._numbers

    def number(self, guess: Code, feedback: F) -> int:
        """The number of an answer; raises ImpossibleFeedbackError if no secret gives it."""
        numbers = np.unique(self._answers_to(guess))
        found = self.feedbacks(self.read(guess), numbers.astype(np.int64))
        if feedback in found:
            return int(numbers[found.index(feedback)])
        raise ImpossibleFeedbackError(guess, feedback)

    def feedbacks(self, guess: Symbols, numbers: NDArray[np.int64]) -> list[F]:
        game, code = self._game, self.write(guess)
        known: list[int] = numbers.tolist()
        return [
            game.right if number == _SOLVING else game.feedback(code, game.secrets[number])
            for number in known
        ]

    def numbers(self, guess: Symbols, columns: Columns) -> NDArray[np.int32]:
        return self._answers_to(self.write(guess))[self._indices(columns)]

    def _answers_to(self, guess: Code) -> NDArray[np.int32]:
        """The number of each secret's answer: that of the first secret which gives it."""
        row = self._table(np.array([self._numbers[guess]]), np.arange(self._game.size))[0]
        _, firsts, answers = np.unique(row, return_index=True, return_inverse=True)
        return np.where(row == _SOLVING, row, firsts[answers].astype(np.int32))

    def opening(self, allowed: Allowed, goal: Goal) -> Symbols:
        return self.choose(self.everything(), allowed, goal, 0)

    def choose(self, columns: Columns, allowed: Allowed, goal: Goal, made: int) -> Symbols:
        """Choose by what the parts of a guess will cost: of equals, a candidate.

        Where there are very many, an even sample of guesses is tried on one of candidates.
        """
        indices = self._indices(columns)
        key = (indices.tobytes(), allowed, goal)
        if key not in self._chosen:
            if len(self._chosen) >= _MOST_CHOSEN:
                self._chosen.clear()
            self._chosen[key] = self._best(indices, allowed, goal)
        return self._chosen[key]

    def _best(self, candidates: Indices, allowed: Allowed, goal: Goal) -> Symbols:
        sample = candidates[spread(len(candidates), _SAMPLE)]
        most = max(PAIR, self._most_pairs // len(sample))
        tried = candidates[spread(len(candidates), most)]
        if allowed is Allowed.ANY and len(candidates) > PAIR:
            others = np.setdiff1d(np.arange(len(self._numbers)), candidates)
            tried = np.append(tried, others[spread(len(others), most - len(tried))])
        chunk = max(1, _MOST_AT_ONCE // len(sample))
        starts = range(0, len(tried), chunk)
        tables = [self._table(tried[start : start + chunk], sample) for start in starts]
        costs = np.concatenate([_costs(table, goal) for table in tables])
        best = costs.argmin()
        if PAIR < len(candidates) <= _FEW and goal is Goal.MEAN:
            best = _best_ahead(np.concatenate(tables), costs)
        return tuple(self._codes[:, tried[best]].tolist())

    def _build(self) -> Columns:
        return np.ascontiguousarray(self._codes[:, : self._game.size])

    def _named(self, columns: Columns) -> NDArray[np.bytes_]:
        """Each column as one string of bytes, none of them 0."""
        return np.ascontiguousarray(columns.T + np.uint8(1)).view(f"S{self.length}")[:, 0]

    def _indices(self, columns: Columns) -> Indices:
        """The numbers of these secrets."""
        if columns.shape[1] == self._game.size:
            return np.arange(self._game.size)
        return self._order[np.searchsorted(self._ordered, self._named(columns))]

    def _table(self, guesses: Indices, secrets: Indices) -> Table:
        table = self._answer(guesses, secrets)
        table[guesses[:, None] == secrets] = _SOLVING
        return table

    def _marks(self, guesses: Indices, secrets: Indices) -> Table:
        return mark_pairs(self._codes[:, guesses, None], self._codes[:, None, secrets])

    def _scores(self, guesses: Indices, secrets: Indices) -> Table:
        scorer = Scorer(self._codes[:, secrets], len(self._alphabet))
        return scorer.numbers(self._codes[:, guesses].T.astype(np.intp)).astype(np.int32)

    def _all(self, at_once: Callable[[str, Any], Any], guesses: Indices, secrets: Indices) -> Table:
        asked = self._texts[secrets]
        codes = [self._game.every_guess[int(number)] for number in guesses]
        rows = [np.asarray(at_once(code, asked)) for code in codes]
        if any(row.shape != asked.shape or row.dtype.kind not in "biu" for row in rows):
            raise EngineError("at_once must give a whole number for each secret.")
        return np.array(rows, np.int32)

    def _one_by_one(self, guesses: Indices, secrets: Indices) -> Table:
        with self._lock:
            return np.array([self._row(number, secrets) for number in guesses.tolist()], np.int32)

    def _row(self, number: int, secrets: Indices) -> NDArray[np.int32]:
        """The answers to one guess, of which each is asked for only once."""
        guess, texts = self._game.every_guess[number], self._game.secrets
        row = self._rows.setdefault(number, np.full(len(texts), -1, np.int32))
        new: list[int] = secrets[row[secrets] < 0].tolist()
        for secret in new:
            answer = self._game.feedback(guess, texts[secret])
            if answer == self._game.right and secret != number:
                raise EngineError(f"{texts[secret]} gives {guess} the answer of a right guess.")
            row[secret] = self._known.setdefault(answer, len(self._known) - 1)
        return row[secrets]


def _costs(table: Table, goal: Goal) -> NDArray[np.float64]:
    """Estimate what guesses (rows) cost for all candidates (columns): lower is better."""
    count = table.shape[1]
    ordered = np.sort(table, axis=1)
    is_first = np.ones(table.shape, np.bool_)
    is_first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    starts = np.flatnonzero(is_first)
    sizes = np.diff(starts, append=table.size)
    cost = part_costs(count)
    costs = np.bincount(starts // count, weights=cost[sizes], minlength=len(table))
    costs -= ordered[:, -1] == _SOLVING  # the right guess needs no further one
    if goal is Goal.WORST:
        largest = np.zeros(len(table), np.intp)
        np.maximum.at(largest, starts // count, sizes)
        costs += largest * cost[-1]
    return costs


def _best_ahead(table: Table, costs: NDArray[np.float64]) -> np.intp:
    """The row with the least cost after a good second guess. The first rows are candidates."""
    order = np.argsort(costs, kind="stable")
    seconds = np.concatenate([table[: table.shape[1]], table[order[:_SECONDS]]])
    found: list[float] = []
    for row in table[order[:_FINALISTS]]:
        parts = [row == number for number in np.unique(row) if number != _SOLVING]
        found.append(sum(part.sum() + _costs(seconds[:, part], Goal.MEAN).min() for part in parts))
    return order[np.argmin(found)]

"""Mastermind and Bulls and Cows as solvers see them."""

from collections.abc import Hashable
from typing import cast

import numpy as np
from numpy.typing import NDArray

from engine.choice import Allowed, Goal
from engine.code_games import CodeGame
from engine.codes import Code
from engine.errors import EngineError, ImpossibleFeedbackError
from engine.feedback import Score
from engine.solvers.code_games.scores import every_code, score_number, score_numbers
from engine.solvers.code_games.search import best_code, best_opening
from engine.solvers.space import Columns, Reply, Space, Symbols, as_symbols


class CodeSpace(Space[Score]):
    """Mastermind or Bulls and Cows; guesses are the codes of the rules."""

    def __init__(self, rules: CodeGame) -> None:
        self.rules = rules
        self._game = rules
        self.bins = (rules.length + 1) ** 2
        self.solving = self.bins - 1

    @property
    def key(self) -> Hashable:
        """Alphabet, length and repeats: the number of guesses does not change the codes."""
        return (self._game.alphabet, self._game.length, self._game.repeats)

    @property
    def alphabet(self) -> str:
        """The colours or digits in play."""
        return self._game.alphabet

    @property
    def length(self) -> int:
        """Pegs or digits in a code."""
        return self._game.length

    def is_guess(self, text: str) -> bool:
        """The codes of the rules."""
        return self._game.is_code(text)

    def is_secret(self, guess: str) -> bool:
        """All codes."""
        return True

    def number(self, guess: Code, feedback: Score) -> int:
        """See `scores.score_number`; raises ImpossibleFeedbackError."""
        if not _is_pair(feedback) or feedback not in self._game.answers(guess):
            raise ImpossibleFeedbackError(guess, feedback)
        return score_number(Score(*feedback), self.length)

    def numbers(self, guess: Symbols, columns: Columns) -> NDArray[np.int32]:
        """The scores of a guess against every column."""
        return score_numbers(guess, columns)

    def matching(self, reply: Reply, columns: Columns) -> Columns:
        """The columns that give just this score."""
        return columns[:, score_numbers(reply.guess, columns) == reply.number]

    def permitted(self, allowed: Allowed) -> Allowed:
        """ANY or HARD; raises EngineError for what only equations can be."""
        if allowed not in {Allowed.ANY, Allowed.HARD}:
            raise EngineError(f"only FoCdle knows {allowed.value!r} guesses")
        return allowed

    def opening(self, allowed: Allowed, goal: Goal) -> Symbols:
        """See `search.best_opening`."""
        return best_opening(self._game, goal)

    def choose(self, columns: Columns, allowed: Allowed, goal: Goal, made: int) -> Symbols:
        """See `search.best_code`."""
        return as_symbols(best_code(self._game, columns, self.everything(), allowed, goal))

    def _build(self) -> Columns:
        return every_code(self._game)


def _is_pair(feedback: object) -> bool:
    if not isinstance(feedback, tuple):
        return False
    counts = cast("tuple[object, ...]", feedback)
    return len(counts) == len(Score._fields) and all(type(count) is int for count in counts)

"""What every game of this family has in common."""

import random
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from engine.codes import Code
from engine.feedback import Turn

F = TypeVar("F")


class Rules(Protocol[F]):
    """The rules of one game at one setting; hashable and immutable.

    `F` is the kind of feedback a guess gets.
    """

    @property
    def max_guesses(self) -> int:
        """How many guesses a Codebreaker has."""
        ...

    def parse(self, text: str) -> Code:
        """Read a guess as a person types it; raises NotationError."""
        ...

    def check(self, code: Code, turns: Sequence[Turn[F]]) -> None:
        """Accept a guess that may follow these turns; raises IllegalGuessError."""
        ...

    def feedback(self, guess: Code, secret: Code) -> F:
        """What the guess learns about the secret."""
        ...

    def solved(self, feedback: F) -> bool:
        """Whether this feedback means that the guess was the secret."""
        ...

    def draw(self, rng: random.Random) -> Code:
        """A secret, uniformly from all there are."""
        ...


def is_consistent(rules: Rules[F], candidate: str, turns: Iterable[Turn[F]]) -> bool:
    """Whether `candidate` could be the secret: it explains every turn's feedback.

    A candidate of another length than a guess explains nothing.
    """
    code = Code(candidate)
    return all(
        len(turn.guess) == len(code) and rules.feedback(turn.guess, code) == turn.feedback
        for turn in turns
    )

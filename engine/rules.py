"""What every game of this family has in common."""

import random
from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

from engine.codes import Code
from engine.feedback import AnyTurn, Turn

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

    def check(self, code: Code, turns: Sequence[AnyTurn[F]]) -> None:
        """Accept a guess that may follow these turns; raises IllegalGuessError."""
        ...

    def is_secret(self, text: str) -> bool:
        """Whether a string may be the secret, in canonical notation."""
        ...

    def feedback(self, guess: Code, secret: Code) -> F:
        """What the guess learns about the secret."""
        ...

    def read_feedback(self, text: str) -> F:
        """Read feedback as a person types it; raises NotationError."""
        ...

    def write_feedback(self, feedback: F) -> str:
        """Feedback as a short string, which `read_feedback` reads again."""
        ...

    def solved(self, feedback: F | str) -> bool:
        """Whether this feedback, or its text, means that the guess was the secret."""
        ...

    def draw(self, rng: random.Random) -> Code:
        """A secret, uniformly from all there are."""
        ...


def read_turns(rules: Rules[F], turns: Iterable[AnyTurn[F]]) -> tuple[Turn[F], ...]:
    """Turns with their feedback read, where it is text.

    Raises:
        NotationError: a text is no feedback of this game.
    """
    return tuple(Turn(turn.guess, understood(rules, turn.feedback)) for turn in turns)


def understood(rules: Rules[F], feedback: F | str) -> F:
    """Feedback, read if it is text; raises NotationError."""
    return rules.read_feedback(feedback) if isinstance(feedback, str) else feedback


def is_consistent(rules: Rules[F], candidate: str, turns: Iterable[AnyTurn[F]]) -> bool:
    """Whether `candidate` could be the secret: it explains every turn's feedback.

    A candidate of another length than a guess explains nothing.

    Raises:
        NotationError: a turn's feedback is text that is none of this game.
    """
    code = Code(candidate)
    return all(
        len(turn.guess) == len(code)
        and rules.feedback(turn.guess, code) == understood(rules, turn.feedback)
        for turn in turns
    )

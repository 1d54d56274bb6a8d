"""What all games' rules have in common, and what follows from any."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from engine.codes import Code
from engine.feedback import Fact, Shown, Turn

F = TypeVar("F")

MOST_GUESSES: Final = 99
"""The most guesses that any rules allow."""


class Rules(Protocol[F]):
    """The rules of one game at one setting; hashable and immutable.

    `F` is the type of feedback.
    """

    @property
    def alphabet(self) -> str:
        """The symbols of codes, in their canonical order."""
        ...

    @property
    def length(self) -> int:
        """The number of symbols in a code."""
        ...

    @property
    def size(self) -> int:
        """The number of secrets."""
        ...

    @property
    def max_guesses(self) -> int: ...

    def codes(self) -> Iterator[Code]:
        """All secrets, each once, always in the same order."""
        ...

    def parse(self, text: str) -> Code:
        """Parse a typed guess; raises NotationError."""
        ...

    def check(self, code: Code, history: Sequence[Fact[F]]) -> None:
        """Accept a guess that may follow this history; raises IllegalGuessError."""
        ...

    def is_secret(self, text: str) -> bool:
        """True if a string may be the secret, in canonical notation."""
        ...

    def feedback(self, guess: Code, secret: Code) -> F: ...

    def read_feedback(self, text: str) -> F:
        """Parse typed feedback; raises NotationError."""
        ...

    def write_feedback(self, feedback: F) -> str:
        """Write feedback as a short string, which `read_feedback` parses again."""
        ...

    def places_found(self, feedback: F) -> frozenset[int]:
        """The 0-based places of the guess where the feedback says that its symbol is right."""
        ...

    def solved(self, feedback: F | str) -> bool:
        """True if this feedback, which may be text, means that the guess was the secret."""
        ...

    def draw(self, rng: random.Random) -> Code:
        """Draw a secret, uniformly from all."""
        ...

    def encode(self) -> str:
        """Encode the rules as a short string, which `engine.decode` decodes."""
        ...


def read_history(rules: Rules[F], history: Iterable[Fact[F]]) -> tuple[Turn[F] | Shown, ...]:
    """Return a history in which feedback that was text is parsed.

    Raises:
        NotationError: a text is no feedback of this game.
    """
    return tuple(
        fact if isinstance(fact, Shown) else Turn(fact.guess, understood(rules, fact.feedback))
        for fact in history
    )


def understood(rules: Rules[F], feedback: F | str) -> F:
    """Parse feedback if it is text; raises NotationError."""
    return rules.read_feedback(feedback) if isinstance(feedback, str) else feedback


def next_hint(rules: Rules[F], secret: str, history: Iterable[Turn[F] | Shown]) -> Shown | None:
    """The leftmost symbol of the secret that is neither found nor shown; None if all are."""
    known: set[int] = set()
    for fact in history:
        known |= {fact.place} if isinstance(fact, Shown) else rules.places_found(fact.feedback)
    hidden = (place for place in range(len(secret)) if place not in known)
    return next((Shown(place, secret[place]) for place in hidden), None)


def is_consistent(rules: Rules[F], candidate: str, history: Iterable[Fact[F]]) -> bool:
    """True if `candidate` could be the secret: it explains every turn and every hint.

    A candidate that is not as long as a guess is not consistent with it.

    >>> from engine import Mastermind, Turn
    >>> [is_consistent(Mastermind(), code, [Turn("RRGG", "●○")]) for code in ("RGYY", "YYRR")]
    [True, False]

    Raises:
        NotationError: a turn's feedback is text that is none of this game.
    """
    code = Code(candidate)
    return all(
        code[fact.place : fact.place + 1] == fact.symbol
        if isinstance(fact, Shown)
        else len(fact.guess) == len(code)
        and rules.feedback(fact.guess, code) == understood(rules, fact.feedback)
        for fact in history
    )

"""The protocol that the rules of all games have, and functions for any rules."""

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Protocol, TypeVar

from engine.codes import Code
from engine.errors import ImpossibleRulesError
from engine.feedback import Fact, Shown, Turn

F = TypeVar("F")

MOST_GUESSES: Final = 99
"""The most guesses that any rules allow."""


def check_limit(guesses: object) -> None:
    """Refuse a limit of guesses that rules cannot have, by ImpossibleRulesError."""
    if type(guesses) is not int or not 1 <= guesses <= MOST_GUESSES:
        raise ImpossibleRulesError(f"Guesses go from 1 to {MOST_GUESSES}.")


class Rules(Protocol[F]):
    """The rules of one game at one setting; hashable and immutable.

    `F` is the type of feedback.
    """

    @property
    def alphabet(self) -> str:
        """The symbols that codes are made of, in their canonical order."""
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
        """Parse a typed guess; raises NotationError for any other text."""
        ...

    def check(self, code: Code, history: Sequence[Fact[F]]) -> None:
        """Refuse a guess that may not follow, by IllegalGuessError or ForeignGuessError."""
        ...

    def check_secret(self, text: str) -> None:
        """Refuse a string that is no secret in canonical notation, by ForeignGuessError."""
        ...

    def feedback(self, guess: Code, secret: Code, /) -> F: ...

    def read_feedback(self, text: str) -> F:
        """Parse typed feedback; raises NotationError for any other text."""
        ...

    def write_feedback(self, feedback: F) -> str:
        """Write feedback as a short string, which `read_feedback` parses again."""
        ...

    def places_found(self, feedback: F) -> frozenset[int]:
        """The 0-based places that the feedback marks as right; a score marks none."""
        ...

    def solved(self, feedback: F | str) -> bool:
        """True if feedback means that the guess was the secret; text is parsed first."""
        ...

    def draw(self, rng: random.Random) -> Code:
        """Draw a secret; all are equally likely."""
        ...

    def encode(self) -> str:
        """Encode the rules as a short string, which `engine.decode` decodes."""
        ...


def read_history(rules: Rules[F], history: Iterable[Fact[F]]) -> tuple[Turn[F] | Shown, ...]:
    """Return the same history; feedback that was text is parsed.

    Raises:
        NotationError: a text is no feedback of this game.
    """
    return tuple(
        fact if isinstance(fact, Shown) else Turn(fact.guess, understood(rules, fact.feedback))
        for fact in history
    )


def understood(rules: Rules[F], feedback: F | str) -> F:
    """Parse feedback that is text (or raise NotationError); return other feedback as it is."""
    return rules.read_feedback(feedback) if isinstance(feedback, str) else feedback


def next_hint(rules: Rules[F], secret: str, history: Iterable[Turn[F] | Shown]) -> Shown | None:
    """The leftmost symbol of the secret that no turn found in its place and no hint showed.

    None if there is no such symbol. Scores are ignored: they do not say which symbols are right.
    """
    known: set[int] = set()
    for fact in history:
        known |= {fact.place} if isinstance(fact, Shown) else rules.places_found(fact.feedback)
    hidden = (place for place in range(len(secret)) if place not in known)
    return next((Shown(place, secret[place]) for place in hidden), None)


def is_consistent(rules: Rules[F], candidate: str, history: Iterable[Fact[F]]) -> bool:
    """True if `candidate` explains every turn and every hint, so that it could be the secret.

    Whether it is a secret of this game is not checked, only that it is as long as each guess.

    >>> from engine import Mastermind, Turn
    >>> [is_consistent(Mastermind(), code, [Turn("RRGG", "●○")]) for code in ("RGYY", "YYRR")]
    [True, False]

    Raises:
        NotationError: the text of a turn's feedback cannot be parsed.
    """
    code = candidate
    return all(
        code[fact.place : fact.place + 1] == fact.symbol
        if isinstance(fact, Shown)
        else len(fact.guess) == len(code)
        and rules.feedback(fact.guess, code) == understood(rules, fact.feedback)
        for fact in history
    )

"""The protocol of all games' rules, and a game of one Codebreaker with one secret."""

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Generic, Protocol, TypeVar

from engine.codes import Code
from engine.errors import ForeignGuessError, GameOverError, RepeatedGuessError
from engine.feedback import Fact, Shown, Turn

F = TypeVar("F")


class Rules(Protocol[F]):
    """The rules of one game at one setting; hashable and immutable.

    `F` is the type of feedback.
    """

    @property
    def max_guesses(self) -> int: ...

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
        """The 0-based places where the feedback says that the guess is right."""
        ...

    def solved(self, feedback: F | str) -> bool:
        """True if this feedback, or its text, means that the guess was the secret."""
        ...

    def draw(self, rng: random.Random) -> Code:
        """Draw a secret, uniformly from all."""
        ...


def read_history(rules: Rules[F], history: Iterable[Fact[F]]) -> tuple[Turn[F] | Shown, ...]:
    """Parse the textual feedback in a history.

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
    """The symbol that the next hint shows: the leftmost one neither found nor shown."""
    known: set[int] = set()
    for fact in history:
        known |= {fact.place} if isinstance(fact, Shown) else rules.places_found(fact.feedback)
    hidden = (place for place in range(len(secret)) if place not in known)
    return next((Shown(place, secret[place]) for place in hidden), None)


def is_consistent(rules: Rules[F], candidate: str, history: Iterable[Fact[F]]) -> bool:
    """True if `candidate` could be the secret: it explains every turn and every hint.

    A candidate of another length than a guess explains nothing.

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


class Outcome(Enum):
    SOLVED = "solved"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Game(Generic[F]):
    """The state of a game; `guess` returns the next state.

    Attributes:
        rules: the game and its setting.
        secret: the secret to be found.
        turns: guesses and feedback so far, in order.
        is_given_up: whether its Codebreaker ended it with guesses left.

    Raises:
        ForeignGuessError: the secret is none of this game.
    """

    rules: Rules[F]
    secret: Code
    turns: tuple[Turn[F], ...] = ()
    is_given_up: bool = False

    def __post_init__(self) -> None:
        if not _is_secret(self.rules, self.secret):
            raise ForeignGuessError(self.secret)

    @property
    def outcome(self) -> Outcome | None:
        """The result; None while the game goes on."""
        if self.turns and self.rules.solved(self.turns[-1].feedback):
            return Outcome.SOLVED
        return Outcome.LOST if self.is_given_up or self.guesses_left == 0 else None

    @property
    def guesses_left(self) -> int:
        return self.rules.max_guesses - len(self.turns)

    def guess(self, code: Code) -> "Game[F]":
        """The game after one more guess. `code` is a guess as `rules.parse` returned it.

        Raises:
            GameOverError: the game has ended.
            RepeatedGuessError: this guess was made before.
            IllegalGuessError: the rules do not allow it now.
        """
        if self.outcome is not None:
            raise GameOverError
        for index, turn in enumerate(self.turns):
            if turn.guess == code:
                raise RepeatedGuessError(code, index)
        self.rules.check(code, self.turns)
        turn = Turn(code, self.rules.feedback(code, self.secret))
        return replace(self, turns=(*self.turns, turn))

    def give_up(self) -> "Game[F]":
        """The game, lost with guesses left.

        Raises:
            GameOverError: the game has ended.
        """
        if self.outcome is not None:
            raise GameOverError
        return replace(self, is_given_up=True)


# A game makes many, each with the same secret.
@lru_cache(maxsize=256)
def _is_secret(rules: Rules[F], secret: str) -> bool:
    return rules.is_secret(secret)


def replay(rules: Rules[F], secret: str, guesses: Iterable[str]) -> Game[F]:
    """Replay a game from its canonical guesses.

    Raises:
        ForeignGuessError: the secret, or a guess, is none of this game.
        GameOverError, IllegalGuessError: as `Game.guess`.
    """
    game = Game(rules, Code(secret))
    for guess in guesses:
        game = game.guess(Code(guess))
    return game

"""What all games of this family have in common, and a game of one Codebreaker with one secret."""

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

    `F` is the kind of feedback a guess gets.
    """

    @property
    def max_guesses(self) -> int:
        """How many guesses a Codebreaker has."""
        ...

    def parse(self, text: str) -> Code:
        """Read a guess as a person types it; raises NotationError."""
        ...

    def check(self, code: Code, history: Sequence[Fact[F]]) -> None:
        """Accept a guess that may follow this history; raises IllegalGuessError."""
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

    def places_found(self, feedback: F) -> frozenset[int]:
        """The places of which this feedback tells that the guess is right there."""
        ...

    def solved(self, feedback: F | str) -> bool:
        """Whether this feedback, or its text, means that the guess was the secret."""
        ...

    def draw(self, rng: random.Random) -> Code:
        """A secret, uniformly from all there are."""
        ...


def read_history(rules: Rules[F], history: Iterable[Fact[F]]) -> tuple[Turn[F] | Shown, ...]:
    """A history with its turns' feedback read, where it is text.

    Raises:
        NotationError: a text is no feedback of this game.
    """
    return tuple(
        fact if isinstance(fact, Shown) else Turn(fact.guess, understood(rules, fact.feedback))
        for fact in history
    )


def understood(rules: Rules[F], feedback: F | str) -> F:
    """Feedback, read if it is text; raises NotationError."""
    return rules.read_feedback(feedback) if isinstance(feedback, str) else feedback


def next_hint(rules: Rules[F], secret: str, history: Iterable[Turn[F] | Shown]) -> Shown | None:
    """What a hint shows: the leftmost symbol in a place that is neither found nor shown.

    None where all are.
    """
    known: set[int] = set()
    for fact in history:
        known |= {fact.place} if isinstance(fact, Shown) else rules.places_found(fact.feedback)
    hidden = (place for place in range(len(secret)) if place not in known)
    return next((Shown(place, secret[place]) for place in hidden), None)


def is_consistent(rules: Rules[F], candidate: str, history: Iterable[Fact[F]]) -> bool:
    """Whether `candidate` could be the secret: it explains every turn, and has what is shown.

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
    """How a game ended."""

    SOLVED = "solved"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Game(Generic[F]):
    """The state of a game; `guess` returns the next one.

    Attributes:
        rules: the game and its setting.
        secret: what is to be found.
        turns: what has been guessed so far, with its feedback, in order.
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
        """How the game ended; None while it goes on."""
        if self.turns and self.rules.solved(self.turns[-1].feedback):
            return Outcome.SOLVED
        return Outcome.LOST if self.is_given_up or self.guesses_left == 0 else None

    @property
    def guesses_left(self) -> int:
        """How many guesses may still be made, were none of them right."""
        return self.rules.max_guesses - len(self.turns)

    def guess(self, code: Code) -> "Game[F]":
        """The game after one more guess.

        Args:
            code: a guess as `rules.parse` returned it.

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
    """The game that these canonical guesses, in order, lead to.

    Raises:
        ForeignGuessError: the secret, or a guess, is none of this game.
        GameOverError, IllegalGuessError: as `Game.guess`.
    """
    game = Game(rules, Code(secret))
    for guess in guesses:
        game = game.guess(Code(guess))
    return game

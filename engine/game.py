"""A game of one Codebreaker against one secret; a guess makes a new game, and changes none."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Generic, TypeVar

from engine.codes import Code
from engine.errors import ForeignGuessError, GameOverError, RepeatedGuessError
from engine.feedback import Turn
from engine.rules import Rules

F = TypeVar("F")


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

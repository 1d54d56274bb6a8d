"""A game with one secret, and a duel of two such games; immutable."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any, Final, Generic, TypeVar

from engine.codes import Code
from engine.errors import (
    EngineError,
    GameOverError,
    NotYourTurnError,
    RepeatedGuessError,
)
from engine.feedback import Score, Turn
from engine.notation import decode
from engine.rules import Rules

F = TypeVar("F")

_GIVEN_UP: Final = "given-up"
"""In the notation of a game that was given up, the last word."""


class Outcome(StrEnum):
    SOLVED = "solved"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Game(Generic[F]):
    """The state of a game; `guess` returns the next state, `str` its notation.

    >>> from engine import Mastermind
    >>> game = Game(Mastermind(), "RYGB").guess("RROO").guess("RYGB")
    >>> str(game), game.outcome
    ('mastermind:4x6r/12 RYGB RROO RYGB', <Outcome.SOLVED: 'solved'>)
    >>> Game.read(str(game)) == game
    True

    Attributes:
        rules: the rules of the game.
        secret: the secret to be found, in canonical notation.
        turns: guesses and feedback so far, in order.
        is_given_up: whether the player ended the game with guesses left.

    Raises:
        ForeignGuessError: `secret` is no secret of this game.
    """

    rules: Rules[F]
    secret: Code
    turns: tuple[Turn[F], ...] = ()
    is_given_up: bool = False

    def __post_init__(self) -> None:
        _check_secret(self.rules, self.secret)

    @classmethod
    def read(cls, text: str) -> "Game[Any]":
        """Parse the notation of a game: rules, secret and guesses, separated by spaces.

        A game that was given up ends with the word ``given-up``.

        Raises:
            ImpossibleRulesError: the text does not begin with the rules of a game.
            ForeignGuessError: the secret is missing, or the secret or a guess is not of this game.
            IllegalGuessError, GameOverError: a guess, or giving up, was not possible.
        """
        rules, *codes = text.split() or [""]
        is_given_up = codes[-1:] == [_GIVEN_UP]
        guesses = codes[1:-1] if is_given_up else codes[1:]
        game: Game[Any] = replay(decode(rules), "".join(codes[:1]), guesses)
        return game.give_up() if is_given_up else game

    def __str__(self) -> str:
        end = [_GIVEN_UP] if self.is_given_up else []
        return " ".join([self.rules.encode(), self.secret, *self.guesses, *end])

    @property
    def guesses(self) -> tuple[Code, ...]:
        return tuple(turn.guess for turn in self.turns)

    @property
    def outcome(self) -> Outcome | None:
        """SOLVED or LOST (also by giving up); None while the game goes on."""
        if self.turns and self.rules.solved(self.turns[-1].feedback):
            return Outcome.SOLVED
        return Outcome.LOST if self.is_given_up or self.guesses_left == 0 else None

    @property
    def guesses_left(self) -> int:
        return self.rules.max_guesses - len(self.turns)

    def guess(self, code: Code) -> "Game[F]":
        """The game after one more guess. `code` is a guess as `rules.parse` returned it.

        In hard mode the guess must fit the earlier turns. Hints do not count: a game has none.

        Raises:
            GameOverError: the game has ended.
            RepeatedGuessError: this guess was made before.
            IllegalGuessError: the rules do not allow the guess now.
            ForeignGuessError: `code` is no guess of this game.
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
        """The game after its player gives up: lost, with guesses left.

        Raises:
            GameOverError: the game has ended.
        """
        if self.outcome is not None:
            raise GameOverError
        return replace(self, is_given_up=True)


# A game makes many, each with the same secret.
@lru_cache(maxsize=256)
def _check_secret(rules: Rules[F], secret: str) -> None:
    rules.check_secret(secret)


def replay(rules: Rules[F], secret: str, guesses: Iterable[str]) -> Game[F]:
    """Play a game again from its secret and its guesses, all in canonical notation.

    Raises:
        ForeignGuessError: the secret, or a guess, is not of this game.
        GameOverError, IllegalGuessError: as `Game.guess`.
    """
    game = Game(rules, secret)
    for guess in guesses:
        game = game.guess(guess)
    return game


PLAYERS: Final = (0, 1)


class Mode(StrEnum):
    """The rules of a duel about who guesses when, and who wins."""

    EQUAL_TURNS = "equal"
    """Players guess in turn; after the first mover has solved, the second has a last chance."""
    CLASSIC = "classic"
    """Players guess in turn; the first to solve wins at once."""


class DuelEnding(StrEnum):
    """The reason why a duel is over."""

    SOLVED = "solved"
    """One player has won: the other did not solve, or needed more guesses."""
    BOTH_SOLVED = "both_solved"
    """A draw: both players solved, with equally many guesses."""
    OUT_OF_GUESSES = "out_of_guesses"
    """A draw: neither player solved in all their guesses."""


@dataclass(frozen=True, slots=True)
class DuelOutcome:
    """The result of a duel; `winner` is 0 or 1, None for a draw."""

    winner: int | None
    ending: DuelEnding


@dataclass(frozen=True, slots=True)
class Duel:
    """The state of a duel; `guess` returns the next state.

    Player 0 moves first, player 1 second.

    Attributes:
        games: for each player, the game in which they guess.
        mode: who guesses when, and who wins.

    Raises:
        EngineError: the games have different rules, or the numbers of guesses do not come from
            guessing in turn.
    """

    games: tuple[Game[Score], Game[Score]]
    mode: Mode = Mode.EQUAL_TURNS

    def __post_init__(self) -> None:
        first, second = self.games
        if first.rules != second.rules:
            raise EngineError("A duel is played by the same rules.")
        if len(first.turns) - len(second.turns) not in {0, 1}:
            raise EngineError("Players guess in turn.")

    @property
    def outcome(self) -> DuelOutcome | None:
        """The result, as soon as no guess can change it; None before."""
        solvers = [player for player in PLAYERS if self.games[player].outcome is Outcome.SOLVED]
        if not solvers:
            is_lost = all(game.outcome is Outcome.LOST for game in self.games)
            return DuelOutcome(None, DuelEnding.OUT_OF_GUESSES) if is_lost else None
        winner = min(solvers, key=lambda player: len(self.games[player].turns))
        needed, made = (len(self.games[player].turns) for player in (winner, 1 - winner))
        if len(solvers) == len(PLAYERS) and made == needed:
            return DuelOutcome(None, DuelEnding.BOTH_SOLVED)
        is_decided = self.mode is Mode.CLASSIC or made >= needed
        return DuelOutcome(winner, DuelEnding.SOLVED) if is_decided else None

    @property
    def to_move(self) -> int | None:
        """The player who may guess now; None at the end."""
        if self.outcome is not None:
            return None
        first, second = self.games
        return len(first.turns) - len(second.turns)

    def has_one_guess(self, player: int) -> bool:
        """True if a player may guess now, and for the last time.

        Either the rules allow one more guess, or the opponent has already found the number and has
        made one guess more than the player.
        """
        if player != self.to_move:
            return False
        mine, theirs = self.games[player], self.games[1 - player]
        return mine.guesses_left == 1 or theirs.outcome is Outcome.SOLVED

    def guess(self, player: int, code: Code) -> "Duel":
        """The duel after one more guess.

        Args:
            player: the player who guesses, 0 or 1.
            code: a guess as `rules.parse` returned it.

        Raises:
            GameOverError: the duel has ended.
            NotYourTurnError: the other player is to move.
            RepeatedGuessError: this player has made this guess before.
            ForeignGuessError: `code` is no guess of this game.
        """
        if self.outcome is not None:
            raise GameOverError
        if player != self.to_move:
            raise NotYourTurnError(code, player)
        first, second = self.games
        if player == 0:
            return replace(self, games=(first.guess(code), second))
        return replace(self, games=(first, second.guess(code)))


def replay_duel(
    rules: Rules[Score],
    secrets: tuple[str, str],
    mode: Mode,
    moves: Iterable[tuple[int, str]] = (),
) -> Duel:
    """Play a duel again from its moves; without moves, begin a new one.

    Args:
        rules: the rules of both players' games.
        secrets: the secret for player 0 to find, then the one for player 1.
        mode: who guesses when, and who wins.
        moves: for each guess, in order, the player (0 or 1) and the canonical guess.

    Raises:
        EngineError: as `Game`, `Duel` and `Duel.guess` raise it.
    """
    first, second = secrets
    duel = Duel((Game(rules, first), Game(rules, second)), mode)
    for player, guess in moves:
        duel = duel.guess(player, guess)
    return duel

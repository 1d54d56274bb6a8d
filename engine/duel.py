"""A duel of two Codebreakers, move by move; immutable."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from engine.codes import Code
from engine.errors import EngineError, GameOverError, NotYourTurnError
from engine.feedback import Score
from engine.game import Game, Outcome, Rules

PLAYERS: Final = (0, 1)


class Mode(Enum):
    """The order of guesses, and the rule of winning."""

    EQUAL_TURNS = "equal"
    """In turns; when the first mover solves, the second still answers that round."""
    CLASSIC = "classic"
    """In turns; the first to solve wins at once."""
    RACE = "race"
    """Both at the same secret, each at their own speed; fewer guesses win."""


class DuelEnding(Enum):
    """The reason why a duel is over."""

    SOLVED = "solved"
    """A win: one player solved, the other did not or needed more guesses."""
    BOTH_SOLVED = "both_solved"
    """A draw: both players solved with as many guesses."""
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
        games: each player's game: at the opponent's secret, or in a race both at the same.
        mode: the order of guesses, and the rule of winning.

    Raises:
        EngineError: the games have different rules, have not been played in turn, or are a race for
            two secrets.
    """

    games: tuple[Game[Score], Game[Score]]
    mode: Mode = Mode.EQUAL_TURNS

    def __post_init__(self) -> None:
        first, second = self.games
        if first.rules != second.rules:
            raise EngineError("a duel is played by the same rules")
        if self.mode is Mode.RACE:
            if first.secret != second.secret:
                raise EngineError("a race is for the same secret")
        elif len(first.turns) - len(second.turns) not in {0, 1}:
            raise EngineError("players guess in turn")

    @property
    def outcome(self) -> DuelOutcome | None:
        """The result; None while somebody can still change it."""
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
        """The only player who may guess; None when the duel is over, or in a race both may."""
        able = [player for player in PLAYERS if self.may_guess(player)]
        return able[0] if len(able) == 1 else None

    def may_guess(self, player: int) -> bool:
        """True if a player may guess now.

        Raises:
            EngineError: there is no such player.
        """
        if player not in PLAYERS:
            raise EngineError(f"a duel has no player {player}")
        if self.outcome is not None:
            return False
        if self.mode is Mode.RACE:
            return self.games[player].outcome is None
        first, second = self.games
        return player == len(first.turns) - len(second.turns)

    def has_one_guess(self, player: int) -> bool:
        """True if a player has one guess left, so that only a possible secret can help.

        That is the last guess of the rules, or the answer to the opponent's right guess.

        Raises:
            EngineError: there is no such player.
        """
        if not self.may_guess(player):
            return False
        mine, theirs = self.games[player], self.games[1 - player]
        left = len(theirs.turns) - len(mine.turns)
        return mine.guesses_left == 1 or (theirs.outcome is Outcome.SOLVED and left == 1)

    def guess(self, player: int, code: Code) -> "Duel":
        """The duel after one more guess.

        Args:
            player: who guesses.
            code: a guess as `rules.parse` returned it.

        Raises:
            GameOverError: the duel has ended, or in a race this player's own game.
            NotYourTurnError: the other player is to move.
            RepeatedGuessError: this player has made this guess before.
            EngineError: there is no such player.
        """
        if not self.may_guess(player):
            if self.outcome is not None or self.mode is Mode.RACE:
                raise GameOverError
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
    """Replay a duel from its moves; without moves a new one.

    Args:
        rules: the game and its setting.
        secrets: the secret for player 0 to find, then the one for player 1.
        mode: the order of guesses, and the rule of winning.
        moves: players and their canonical guesses, in order.

    Raises:
        EngineError: as `Duel` and `Duel.guess`.
    """
    first, second = secrets
    duel = Duel((Game(rules, Code(first)), Game(rules, Code(second))), mode)
    for player, guess in moves:
        duel = duel.guess(player, Code(guess))
    return duel

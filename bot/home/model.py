"""Finished games of all kinds."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Any, Final, Self

from bot.duels.model import Ending as DuelEnding
from bot.mastermind.model import Ending, Kind
from bot.races.model import Rules
from engine import BullsAndCows, Focdle, Mastermind, Mode, Strength, decode


@dataclass(frozen=True, slots=True)
class FinishedPlay:
    """A finished FoCdle.

    Attributes:
        number: the daily's number; None for a practice and for a set equation.
        on_date: whether it was a daily finished on its date.
        is_set: whether it was a set equation.
    """

    id: int
    finished_at: datetime
    number: int | None
    rules: Focdle
    is_solved: bool
    on_date: bool
    guesses: int
    hints: int
    is_set: bool = False

    @classmethod
    def stored(cls, *, rules: str, hard: bool, **rest: Any) -> Self:
        return cls(rules=replace(Focdle.decode(rules), hard=hard), **rest)


@dataclass(frozen=True, slots=True)
class FinishedMastermind:
    """A finished Mastermind that was begun: by a guess, or by accepting the challenge.

    Attributes:
        codebreaker_id: the player who guessed; None for the bot.
        sealed: whether the bot broke a code that the player had sealed before.
        guesses: the number of answered guesses.
    """

    id: int
    finished_at: datetime
    kind: Kind
    rules: Mastermind
    owner_id: int
    codebreaker_id: int | None
    ending: Ending
    sealed: bool
    guesses: int
    hints: int

    @classmethod
    def stored(cls, *, kind: str, rules: str, ending: str, **rest: Any) -> Self:
        return cls(kind=Kind(kind), rules=Mastermind.decode(rules), ending=Ending(ending), **rest)


class Result(Enum):
    """How a duel ended for one of its players."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


_RESULTS: Final = {True: Result.WON, None: Result.DRAWN, False: Result.LOST}


@dataclass(frozen=True, slots=True)
class FinishedDuel:
    """A finished duel, as one of its players lists it.

    Attributes:
        strength: the strength of the bot; None between players.
        opponent_id: the other player; None for the bot.
        result: how it ended for the player who lists it.
        guesses: the winner's number of guesses; after a draw, that of seat 0.
    """

    id: int
    finished_at: datetime
    rules: BullsAndCows
    mode: Mode
    strength: Strength | None
    opponent_id: int | None
    ending: DuelEnding
    result: Result
    guesses: int

    @classmethod
    def stored(
        cls,
        *,
        rules: str,
        mode: str,
        strength: str | None,
        ending: str,
        result: bool | None,
        **rest: Any,
    ) -> Self:
        """Make a duel of a stored row.

        `result` is true for a win, None for a draw, false for a loss; `rest` are the other fields.
        """
        return cls(
            rules=BullsAndCows.decode(rules),
            mode=Mode(mode),
            strength=None if strength is None else Strength(strength),
            ending=DuelEnding(ending),
            result=_RESULTS[result],
            **rest,
        )


@dataclass(frozen=True, slots=True)
class FinishedRace:
    """A finished race in which the player who lists it has guessed.

    Attributes:
        place: the player's place; None if they have not solved the puzzle.
        players: the number of players who have guessed.
        guesses: the player's own number of guesses.
    """

    id: int
    finished_at: datetime
    rules: Rules
    place: int | None
    players: int
    guesses: int

    @classmethod
    def stored(cls, *, rules: str, **rest: Any) -> Self:
        return cls(rules=decode(rules), **rest)


FinishedGame = FinishedPlay | FinishedMastermind | FinishedDuel | FinishedRace

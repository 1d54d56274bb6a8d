"""What a game of any kind is asked for by."""

from dataclasses import dataclass
from enum import StrEnum


class Source(StrEnum):
    """What kind of game it is, as it is stored."""

    PLAY = "play"
    """FoCdle."""
    MASTERMIND = "mastermind"
    DUEL = "duel"


@dataclass(frozen=True, slots=True)
class GameName:
    """A game that can be looked at.

    Attributes:
        source: what kind of game.
        id: which one.
        seat: in a duel, whose guesses; None for the own ones.
    """

    source: Source
    id: int
    seat: int | None = None

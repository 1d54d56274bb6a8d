"""A board that is text alone: blocks, and the mood of its frame."""

from dataclasses import dataclass
from enum import Enum


class Mood(Enum):
    """What the frame of a page says at a glance."""

    PLAYING = "playing"
    WAITING = "waiting"
    """Somebody has to answer before anything is played."""
    SOLVED = "solved"
    LOST = "lost"
    CALM = "calm"
    """Nothing is won or lost here."""
    ALARM = "alarm"
    """What follows cannot be undone."""


@dataclass(frozen=True, slots=True)
class TextBoard:
    """The texts of a board, top to bottom.

    Attributes:
        mood: what its frame says.
        texts: its blocks, none of them empty.
        face_at: which of them a face stands beside, if there is one.
        foot: small print below its buttons; may be empty.
    """

    mood: Mood
    texts: tuple[str, ...]
    face_at: int = 0
    foot: str = ""

    @classmethod
    def of(cls, mood: Mood, *texts: str) -> "TextBoard":
        """A board of the blocks that are not empty."""
        return cls(mood, tuple(filter(None, texts)))

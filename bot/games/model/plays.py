"""Plays: one player's one game of one FoCdle puzzle."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A play that goes on.

    Attributes:
        play_id: what buttons call it by.
        number: the daily's number; None for a practice.
        length: its length in symbols.
        turns: guesses made.
        is_today: whether its date is today, where it was opened.
    """

    play_id: int
    number: int | None
    length: int
    turns: int
    is_today: bool

"""Feedback as coloured squares."""

from typing import Final

from engine import Mark, Marks

# White, not black, for absent: black squares vanish on Discord's dark background.
SQUARES: Final = {Mark.CORRECT: "🟩", Mark.PRESENT: "🟨", Mark.ABSENT: "⬜"}


def row(marks: Marks) -> str:
    """The feedback of one guess, a square a symbol."""
    return "".join(SQUARES[mark] for mark in marks)

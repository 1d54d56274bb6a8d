"""Options of Codebreakers: allowed guesses, goal, strength; without importing a solver."""

from enum import StrEnum


class Allowed(StrEnum):
    """The guesses that a Codebreaker may make."""

    ANY = "any"
    """Any code of the game; in FoCdle any string of the right symbols and length."""
    FORM = "form"
    """In FoCdle, what a player may type: three values, two operators, a result."""
    TRUE = "true"
    """In FoCdle, true equations."""
    HARD = "hard"
    """Candidates only."""


class Goal(StrEnum):
    """The quantity that a Codebreaker minimises."""

    MEAN = "mean"
    """The expected number of guesses."""
    WORST = "worst"
    """First the greatest number of guesses, by an exhaustive search where a tree is shipped.

    Elsewhere the largest part, which is a good heuristic, but not proven.
    """


class Strength(StrEnum):
    """The strength of a Codebreaker."""

    PERFECT = "perfect"
    """The best play known."""
    SHARP = "sharp"
    """A random candidate."""
    CASUAL = "casual"
    """A random code that explains the last three answers."""

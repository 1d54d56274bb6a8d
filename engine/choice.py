"""Options of a Codebreaker: allowed guesses, goal, strength. No solver is imported for them."""

from enum import StrEnum


class Allowed(StrEnum):
    """The guesses that a Codebreaker may make; games other than FoCdle have only ANY and HARD."""

    ANY = "any"
    """Any code of the game; in FoCdle any string of the right symbols and length."""
    FORM = "form"
    """What a player of FoCdle may type: three values, two operators, a result; true or not."""
    TRUE = "true"
    """True equations."""
    HARD = "hard"
    """Candidates only: codes that explain all feedback so far."""


class Goal(StrEnum):
    """The quantity that a Codebreaker minimises."""

    MEAN = "mean"
    """The expected number of guesses."""
    WORST = "worst"
    """First the greatest number of guesses; proven only where a tree comes with the engine.

    Elsewhere each guess keeps its largest part small, which is a good heuristic.
    """


class Strength(StrEnum):
    """The strength of a Codebreaker."""

    PERFECT = "perfect"
    """The best play known."""
    SHARP = "sharp"
    """Each guess is a random candidate."""
    CASUAL = "casual"
    """Each guess is a random code that explains the last three answers."""

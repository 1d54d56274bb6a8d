"""What a Codebreaker may guess, what it minimises, how well it plays; to name takes no solver."""

from enum import StrEnum


class Allowed(StrEnum):
    """Which guesses a Codebreaker may make."""

    ANY = "any"
    """Any code of the game; in FoCdle any string of the right symbols and length."""
    FORM = "form"
    """In FoCdle, what a player may type: three values, two operators, a result."""
    TRUE = "true"
    """In FoCdle, true equations."""
    HARD = "hard"
    """What can still be the secret."""


class Goal(StrEnum):
    """What a Codebreaker minimises."""

    MEAN = "mean"
    """The expected number of guesses."""
    WORST = "worst"
    """First the greatest number of guesses, by a search where a tree is shipped. Elsewhere the
    largest part that an answer may leave, which is a good rule, but not proven."""


class Strength(StrEnum):
    """How well a Codebreaker plays."""

    PERFECT = "perfect"
    """As well as is known."""
    SHARP = "sharp"
    """A random code that explains everything."""
    CASUAL = "casual"
    """A random code that explains the last three answers."""

"""How well a Codebreaker plays: to name that takes none of what breaks codes."""

from enum import StrEnum


class Strength(StrEnum):
    """How well a Codebreaker plays."""

    PERFECT = "perfect"
    """As well as is known."""
    SHARP = "sharp"
    """A random code that explains everything."""
    CASUAL = "casual"
    """A random code that explains the last three answers."""

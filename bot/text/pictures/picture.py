"""A picture as it is shown."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Picture:
    """A chart, and the same in words for who cannot see it.

    Attributes:
        name: of its file.
        png: the file.
        description: at most 1,024 characters.
    """

    name: str
    png: bytes
    description: str

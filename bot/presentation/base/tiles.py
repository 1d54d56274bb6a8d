"""Feedback as tiles: Unicode squares, or emojis of our own with the symbol in them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import product
from typing import Final

from engine import SYMBOLS, Mark, Marks

# Told apart by shape as well as by colour. White, not black, for absent: black squares vanish on
# Discord's dark background.
SQUARES: Final = {Mark.CORRECT: "🟩", Mark.PRESENT: "🟡", Mark.ABSENT: "⬜"}

BLANK_NAME: Final = "bl"
"""The name of the tile without a symbol: an empty cell."""


class Palette(Enum):
    """How tiles tell states apart: by Wordle's colours, or by shapes for the colour-blind."""

    STANDARD = "standard"
    SHAPES = "shapes"


class State(Enum):
    """What a tile says about its symbol."""

    CORRECT = "correct"
    PRESENT = "present"
    ABSENT = "absent"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, mark: Mark | None) -> "State":
        """The state that feedback puts a symbol in; without any it is unknown."""
        return cls.UNKNOWN if mark is None else cls[mark.name]


# Two characters a name, because a board of fifteen columns is near Discord's limit of characters.
# Letters differ in more than case, which Discord may not tell apart.
_SYMBOL_LETTERS: Final = {
    **{symbol: symbol for symbol in SYMBOLS if symbol.isdigit()},
    "+": "p",
    "-": "m",
    "*": "t",
    "%": "r",
    "=": "e",
}
_STATE_LETTERS: Final = {
    (Palette.STANDARD, State.CORRECT): "c",
    (Palette.STANDARD, State.PRESENT): "p",
    (Palette.STANDARD, State.ABSENT): "a",
    (Palette.STANDARD, State.UNKNOWN): "u",
    # These letters look like the shapes: square, disc, cross; h is smaller, and bright.
    (Palette.SHAPES, State.CORRECT): "s",
    (Palette.SHAPES, State.PRESENT): "o",
    (Palette.SHAPES, State.ABSENT): "x",
    (Palette.SHAPES, State.UNKNOWN): "h",
}


def tile_name(symbol: str, state: State, palette: Palette) -> str:
    """The name of a tile's emoji: two characters.

    Raises:
        KeyError: there is no such symbol.
    """
    return _SYMBOL_LETTERS[symbol] + _STATE_LETTERS[palette, state]


def every_tile() -> Iterable[tuple[str, State, Palette]]:
    """All tiles but the blank."""
    return product(SYMBOLS, State, Palette)


@dataclass(frozen=True, slots=True)
class Tiles:
    """The complete set of tiles as emojis.

    Attributes:
        markup: what Discord shows as an emoji, ``<:name:id>``, by the emoji's name.
    """

    markup: Mapping[str, str]

    @property
    def blank(self) -> str:
        """The empty cell."""
        return self.markup[BLANK_NAME]

    def symbol(self, symbol: str, state: State, palette: Palette) -> str:
        """One symbol in a state.

        Raises:
            KeyError: there is no such symbol.
        """
        return self.markup[tile_name(symbol, state, palette)]

    def row(self, guess: str, marks: Marks, palette: Palette) -> str:
        """A guess and its feedback, a tile a symbol."""
        return "".join(
            self.symbol(symbol, State.of(mark), palette)
            for symbol, mark in zip(guess, marks, strict=True)
        )


def row(marks: Marks) -> str:
    """The feedback of one guess, a square a symbol."""
    return "".join(SQUARES[mark] for mark in marks)


def samples(tiles: Tiles | None, palette: Palette = Palette.STANDARD) -> dict[str, str]:
    """A tile of each mark, by its name: what a legend shows."""
    if tiles is None:
        return {mark.name.lower(): square for mark, square in SQUARES.items()}
    return {
        mark.name.lower(): tiles.symbol(symbol, State.of(mark), palette)
        for mark, symbol in zip(SQUARES, "123", strict=True)
    }

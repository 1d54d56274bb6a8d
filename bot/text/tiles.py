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

MARK_NAMES: Final = {Mark.CORRECT: "bc", Mark.PRESENT: "bp", Mark.ABSENT: "ba"}
"""The names of the tiles that show a mark and no symbol."""


class Palette(Enum):
    """How tiles tell states apart: by Wordle's colours, or by shapes for the colour-blind."""

    STANDARD = "standard"
    SHAPES = "shapes"


# For elsewhere, in the squares that Wordle has made known, or in the player's shapes.
_PLAIN: Final = {
    Palette.STANDARD: {Mark.CORRECT: "🟩", Mark.PRESENT: "🟨", Mark.ABSENT: "⬛"},
    Palette.SHAPES: {Mark.CORRECT: "🟦", Mark.PRESENT: "🟠", Mark.ABSENT: "✖️"},
}


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

    def marks(self, marks: Marks) -> str:
        """The feedback of one guess without its symbols; shapes tell it as well as colours."""
        return "".join(self.markup[MARK_NAMES[mark]] for mark in marks)


def row(marks: Marks) -> str:
    """The feedback of one guess, a square a symbol."""
    return "".join(SQUARES[mark] for mark in marks)


def plain_row(marks: Marks, palette: Palette) -> str:
    """The feedback of one guess in what every app can show."""
    return "".join(_PLAIN[palette][mark] for mark in marks)


def samples(tiles: Tiles | None, palette: Palette = Palette.STANDARD) -> dict[str, str]:
    """A tile of each mark, by its name: what a legend shows."""
    if tiles is None:
        return {mark.name.lower(): square for mark, square in SQUARES.items()}
    return {
        mark.name.lower(): tiles.symbol(symbol, State.of(mark), palette)
        for mark, symbol in zip(SQUARES, "123", strict=True)
    }

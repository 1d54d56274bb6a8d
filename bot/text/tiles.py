"""Feedback as tiles and pegs, in emojis of our own, Unicode or words; moods of pages."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from typing import Final

from bot.text.language import N_, _, ngettext
from engine import SYMBOLS, Mark, Marks, Score

# Shapes differ as well as colours. Absent is white: black squares vanish on Discord's dark
# background.
SQUARES: Final = {Mark.CORRECT: "🟩", Mark.PRESENT: "🟡", Mark.ABSENT: "⬜"}

BLANK_NAME: Final = "bl"
"""The name of the tile of an empty cell."""


class Palette(Enum):
    """The look of tiles: green and yellow, or shapes for the colour-blind."""

    STANDARD = "standard"
    SHAPES = "shapes"


# For other apps: squares that are well known, or the player's shapes.
_PLAIN: Final = {
    Palette.STANDARD: {Mark.CORRECT: "🟩", Mark.PRESENT: "🟨", Mark.ABSENT: "⬛"},
    Palette.SHAPES: {Mark.CORRECT: "🟦", Mark.PRESENT: "🟠", Mark.ABSENT: "✖️"},
}


class TileState(Enum):
    """What a tile tells about its symbol."""

    CORRECT = "correct"
    PRESENT = "present"
    ABSENT = "absent"
    UNKNOWN = "unknown"

    @classmethod
    def of(cls, mark: Mark | None) -> "TileState":
        return cls.UNKNOWN if mark is None else cls[mark.name]


# Two characters a name, because a board of fifteen columns is near Discord's limit. Letters differ
# in more than case, which Discord may not tell apart.
_SYMBOL_LETTERS: Final = {
    **{symbol: symbol for symbol in SYMBOLS if symbol.isdigit()},
    "+": "p",
    "-": "m",
    "*": "t",
    "%": "r",
    "=": "e",
}
_STATE_LETTERS: Final = {
    (Palette.STANDARD, TileState.CORRECT): "c",
    (Palette.STANDARD, TileState.PRESENT): "p",
    (Palette.STANDARD, TileState.ABSENT): "a",
    (Palette.STANDARD, TileState.UNKNOWN): "u",
    # The letters look like the shapes: square, disc, cross; h is smaller, and bright.
    (Palette.SHAPES, TileState.CORRECT): "s",
    (Palette.SHAPES, TileState.PRESENT): "o",
    (Palette.SHAPES, TileState.ABSENT): "x",
    (Palette.SHAPES, TileState.UNKNOWN): "h",
}


def tile_name(symbol: str, state: TileState, palette: Palette) -> str:
    """Name a tile's emoji, in two characters."""
    return _SYMBOL_LETTERS[symbol] + _STATE_LETTERS[palette, state]


def mark_name(mark: Mark, palette: Palette = Palette.STANDARD) -> str:
    """Name the tile that shows a mark and no symbol."""
    return "b" + _STATE_LETTERS[palette, TileState.of(mark)]


def every_tile() -> Iterable[tuple[str, TileState, Palette]]:
    """List symbol, state and palette of all tiles that show a symbol."""
    return product(SYMBOLS, TileState, Palette)


@dataclass(frozen=True, slots=True)
class Tiles:
    """The complete set of tiles as emojis.

    `markup` maps each emoji's name to the text by which Discord shows it, ``<:name:id>``.
    """

    markup: Mapping[str, str]

    @property
    def blank(self) -> str:
        return self.markup[BLANK_NAME]

    def symbol(self, symbol: str, state: TileState, palette: Palette) -> str:
        return self.markup[tile_name(symbol, state, palette)]

    def row(self, guess: str, marks: Marks, palette: Palette) -> str:
        return "".join(
            self.symbol(symbol, TileState.of(mark), palette)
            for symbol, mark in zip(guess, marks, strict=True)
        )

    def marks(self, marks: Marks) -> str:
        """Write a guess's marks as tiles without symbols, which differ in more than colour."""
        return "".join(self.markup[mark_name(mark)] for mark in marks)


def row(marks: Marks) -> str:
    """Write a guess's marks in Unicode emojis."""
    return "".join(SQUARES[mark] for mark in marks)


def plain_row(marks: Marks, palette: Palette) -> str:
    """Write a guess's marks in signs that every app can show."""
    return "".join(_PLAIN[palette][mark] for mark in marks)


def samples(tiles: Tiles | None, palette: Palette = Palette.STANDARD) -> dict[str, str]:
    """Map each mark's name to an emoji that shows it without a symbol, for a legend."""
    if tiles is None:
        return {mark.name.lower(): square for mark, square in SQUARES.items()}
    return {mark.name.lower(): tiles.markup[mark_name(mark, palette)] for mark in Mark}


EMPTY_NAME: Final = "e0"
"""The name of the emoji of a place without a peg."""
MOST_KEY_PEGS: Final = 6

# Used where Discord does not have our emojis.
CIRCLES: Final = {
    "R": "🔴",
    "O": "🟠",
    "Y": "🟡",
    "G": "🟢",
    "B": "🔵",
    "P": "🟣",
    "C": "🩵",
    "K": "🩷",
    "N": "🟤",
    "W": "⚪",
}
_PLACE: Final = "▫️"
_WORD: Final = re.compile(r"[^\W\d_]+")
_MARKUP: Final = re.compile(r"<:(\w\w):\d+>")

_COLOUR_NAMES: Final = {
    "R": N_("red"),
    "O": N_("orange"),
    "Y": N_("yellow"),
    "G": N_("green"),
    "B": N_("blue"),
    "P": N_("purple"),
    "C": N_("cyan"),
    "K": N_("pink"),
    "N": N_("brown"),
    "W": N_("white"),
}


def colour_name(letter: str) -> str:
    return _(_COLOUR_NAMES[letter])


def in_letters(text: str) -> str:
    """Put a colour's letter where a text has its name in the current language."""
    letters = {colour_name(letter): letter for letter in _COLOUR_NAMES}
    return _WORD.sub(lambda word: letters.get(word[0].casefold(), word[0]), text)


def peg_name(letter: str) -> str:
    """Name a peg's emoji: its letter and a zero, which ends no tile's name."""
    return letter.lower() + "0"


def letter_of(name: str) -> str:
    return name[0].upper()


def without_emojis(text: str) -> str:
    """Replace our emojis of pegs and key pegs in a text by Unicode and words."""
    return _MARKUP.sub(lambda found: _plain(found[1]) or found[0], text)


def _plain(name: str) -> str:
    """Write an emoji of Mastermind, given by its name, as plain text; empty for other emojis."""
    if name == EMPTY_NAME:
        return _PLACE
    if name.isdecimal():
        return score_in_words(Score(*map(int, name)))
    letter = letter_of(name)
    return CIRCLES.get(letter, "") if name == peg_name(letter) else ""


def key_name(score: Score) -> str:
    """Name the emoji of a score's key pegs: the number of black ones, then of white ones."""
    return f"{score.bulls}{score.cows}"


def every_key() -> tuple[Score, ...]:
    """List the scores that any row of up to six pegs can have.

    The list has an impossible one, too: five black and one white.
    """
    return tuple(
        Score(blacks, whites)
        for blacks in range(MOST_KEY_PEGS + 1)
        for whites in range(MOST_KEY_PEGS + 1 - blacks)
    )


@dataclass(frozen=True, slots=True)
class Pegs:
    """Writes pegs and key pegs, as our emojis or in Unicode and words.

    `markup` maps each emoji's name to the text by which Discord shows it; without it, Unicode and
    words are written.
    """

    markup: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def has_letters(self) -> bool:
        return bool(self.markup)

    @property
    def empty(self) -> str:
        return self.markup.get(EMPTY_NAME, _PLACE)

    def peg(self, letter: str) -> str:
        return self.markup.get(peg_name(letter), CIRCLES[letter])

    def row(self, code: str, places: int = 0) -> str:
        """Write pegs in a row, filled up with empty ones to `places`."""
        return "".join(map(self.peg, code)) + self.empty * (places - len(code))

    def lettered_row(self, code: str) -> str:
        """Write pegs in a row, and behind it their letters if the pegs are in Unicode."""
        return self.row(code) if self.has_letters else f"{self.row(code)} `{code}`"

    def key(self, score: Score) -> str:
        return self.markup.get(key_name(score)) or score_in_words(score)


PLAIN: Final = Pegs()
"""Pegs in Unicode and words."""


def score_in_words(score: Score) -> str:
    if score == Score(0, 0):
        return _("none")
    blacks, whites = blacks_in_words(score.bulls), whites_in_words(score.cows)
    return ", ".join(words for words, count in zip((blacks, whites), score, strict=True) if count)


def blacks_in_words(count: int) -> str:
    return ngettext("{count} black", "{count} black", count).format(count=count)


def whites_in_words(count: int) -> str:
    return ngettext("{count} white", "{count} white", count).format(count=count)


class Mood(Enum):
    """What the colour of a page's frame says."""

    PLAYING = "playing"
    WAITING = "waiting"
    """The other player has to answer before the game starts."""
    SOLVED = "solved"
    LOST = "lost"
    CALM = "calm"
    """Nothing is won or lost."""
    ALARM = "alarm"
    """A warning before what cannot be undone."""


@dataclass(frozen=True, slots=True)
class TextBoard:
    """A board's texts, top to bottom; the one with index `face_at` has an avatar beside it."""

    mood: Mood
    texts: tuple[str, ...]
    face_at: int = 0

    @classmethod
    def of(cls, mood: Mood, *texts: str) -> "TextBoard":
        return cls(mood, tuple(filter(None, texts)))

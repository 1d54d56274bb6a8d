"""Feedback as tiles and pegs: emojis of our own, Unicode, or a board of text."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from itertools import product
from typing import Final

from bot.text.language import N_, ngettext
from bot.text.language import gettext as _
from engine import COLOURS, SYMBOLS, Mark, Marks, Score

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


EMPTY_NAME: Final = "e0"
"""The name of the emoji for a place without a peg."""
MOST_KEY_PEGS: Final = 6

# Where Discord does not have our emojis.
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
    """A colour in words.

    Raises:
        KeyError: there is no such colour.
    """
    return _(_COLOUR_NAMES[letter])


def peg_name(letter: str) -> str:
    """The name of a peg's emoji: its letter and a zero, which no tile's name ends in."""
    return letter.lower() + "0"


def letter_of(name: str) -> str:
    """The letter of the peg whose emoji has this name."""
    return name[0].upper()


def without_emojis(text: str) -> str:
    """A text in which Unicode and words stand for our emojis of pegs and key pegs."""
    return _MARKUP.sub(lambda found: _plain(found[1]) or found[0], text)


def _plain(name: str) -> str:
    """What stands for an emoji; empty if it is none of Mastermind's."""
    if name == EMPTY_NAME:
        return _PLACE
    if name.isdecimal():
        return score_in_words(Score(*map(int, name)))
    letter = letter_of(name)
    return CIRCLES.get(letter, "") if name == peg_name(letter) else ""


def key_name(score: Score) -> str:
    """The name of the emoji with these key pegs: how many are black, then how many white."""
    return f"{score.bulls}{score.cows}"


def every_key() -> tuple[Score, ...]:
    """What the key pegs of a row of up to six can be, and one that nobody gets."""
    return tuple(
        Score(blacks, whites)
        for blacks in range(MOST_KEY_PEGS + 1)
        for whites in range(MOST_KEY_PEGS + 1 - blacks)
    )


@dataclass(frozen=True, slots=True)
class Pegs:
    """How pegs are shown.

    Attributes:
        markup: what Discord shows as an emoji, ``<:name:id>``, by the emoji's name;
            empty for Unicode and words.
    """

    markup: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def has_letters(self) -> bool:
        """Whether the letters stand on the pegs."""
        return bool(self.markup)

    @property
    def empty(self) -> str:
        """A place without a peg."""
        return self.markup.get(EMPTY_NAME, _PLACE)

    def peg(self, letter: str) -> str:
        """One peg.

        Raises:
            KeyError: there is no such colour.
        """
        return self.markup.get(peg_name(letter), CIRCLES[letter])

    def row(self, code: str, places: int = 0) -> str:
        """Pegs in a row, and empty places after them if there are fewer than places."""
        return "".join(map(self.peg, code)) + self.empty * (places - len(code))

    def lettered_row(self, code: str) -> str:
        """Pegs in a row, and their letters where they do not stand on the pegs."""
        return self.row(code) if self.has_letters else f"{self.row(code)} `{code}`"

    def key(self, score: Score) -> str:
        """The key pegs of a row."""
        return self.markup.get(key_name(score)) or score_in_words(score)


PLAIN: Final = Pegs()
"""Unicode and words."""


def score_in_words(score: Score) -> str:
    """Key pegs in words."""
    if score == Score(0, 0):
        return _("none")
    blacks, whites = blacks_in_words(score.bulls), whites_in_words(score.cows)
    return ", ".join(words for words, count in zip((blacks, whites), score, strict=True) if count)


def blacks_in_words(count: int) -> str:
    """How many key pegs are black."""
    return ngettext("{count} black", "{count} black", count).format(count=count)


def whites_in_words(count: int) -> str:
    """How many key pegs are white."""
    return ngettext("{count} white", "{count} white", count).format(count=count)


def every_name() -> tuple[str, ...]:
    """The names of all emojis of Mastermind."""
    return (*map(peg_name, COLOURS), EMPTY_NAME, *map(key_name, every_key()))


class Mood(Enum):
    """What the frame of a page says at a glance."""

    PLAYING = "playing"
    WAITING = "waiting"
    """Somebody has to answer before anything is played."""
    SOLVED = "solved"
    LOST = "lost"
    CALM = "calm"
    """Nothing is won or lost here."""
    ALARM = "alarm"
    """What follows cannot be undone."""


@dataclass(frozen=True, slots=True)
class TextBoard:
    """The texts of a board, top to bottom.

    Attributes:
        mood: what its frame says.
        texts: its blocks, none of them empty.
        face_at: which of them a face stands beside, if there is one.
        foot: small print below its buttons; may be empty.
    """

    mood: Mood
    texts: tuple[str, ...]
    face_at: int = 0
    foot: str = ""

    @classmethod
    def of(cls, mood: Mood, *texts: str) -> "TextBoard":
        """A board of the blocks that are not empty."""
        return cls(mood, tuple(filter(None, texts)))

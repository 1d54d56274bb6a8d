"""Mastermind's pegs and key pegs: emojis of our own with letters on them, or Unicode and words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from bot.text.language import N_, ngettext
from bot.text.language import gettext as _
from engine import COLOURS, Score

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

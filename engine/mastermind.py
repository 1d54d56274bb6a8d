"""Mastermind: guess a row of coloured pegs from its black and white key pegs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from engine.code_games import SEPARATORS, CodeGame, is_whole
from engine.codes import Code, Symbol, bare, fold
from engine.errors import ImpossibleRulesError, NotationError, Problem
from engine.feedback import Score, write_pegs

COLOURS: Final = "ROYGBPCKNW"
"""Red, orange, yellow, green, blue, purple, cyan, pink, brown, white."""
FEWEST_COLOURS: Final = 2
MOST_PEGS: Final = 12

_ENCODED: Final = re.compile(
    r"mastermind:(?P<pegs>[1-9]\d?)x(?P<colours>[1-9]\d?)(?P<repeats>r?)/(?P<guesses>[1-9]\d?)",
    re.ASCII,
)

_SHORTEST_NAME: Final = 3
_NEAR: Final = 0.7
"""The least similarity, as `difflib` measures it, of a misspelt name to a colour's."""

_BROWN: Final = "brown"
_WORDS: Final[dict[str, str]] = {
    "red": "R",
    "orange": "O",
    "yellow": "Y",
    "green": "G",
    "blue": "B",
    "purple": "P",
    "cyan": "C",
    "pink": "K",
    _BROWN: "N",
    "white": "W",
}
_PICTURES: Final[dict[str, str]] = {
    **dict.fromkeys("🔴🟥❤♥", "R"),
    **dict.fromkeys("🟠🟧🧡", "O"),
    **dict.fromkeys("🟡🟨💛", "Y"),
    **dict.fromkeys("🟢🟩💚", "G"),
    **dict.fromkeys("🔵🟦💙", "B"),
    **dict.fromkeys("🟣🟪💜", "P"),
    **dict.fromkeys("🩵", "C"),
    **dict.fromkeys("🩷", "K"),
    **dict.fromkeys("🟤🟫🤎", "N"),
    **dict.fromkeys("⚪⬜🤍", "W"),
}


@dataclass(frozen=True, slots=True)
class Mastermind(CodeGame):
    """The rules of Mastermind at one setting.

    Attributes:
        colours: the number of colours, 2 to 10: the first of `COLOURS`.
        pegs: pegs of a code, 1 to 12.
        repeats: whether a colour may occur more than once.
        max_guesses: 1 to 99.

    Raises:
        TooManyCodesError: there are more than `MOST_CODES` codes.
        ImpossibleRulesError: a value is out of range, or too few colours to go without repeats.
    """

    colours: int = 6
    pegs: int = 4
    repeats: bool = True
    max_guesses: int = 12

    def __post_init__(self) -> None:
        if not is_whole(self.colours, FEWEST_COLOURS, len(COLOURS)):
            raise ImpossibleRulesError(f"colours go from {FEWEST_COLOURS} to {len(COLOURS)}")
        if not is_whole(self.pegs, 1, MOST_PEGS):
            raise ImpossibleRulesError(f"pegs go from 1 to {MOST_PEGS}")
        self._require_playable()

    @property
    def alphabet(self) -> str:
        """The letters of the colours in play, in the order of `COLOURS`."""
        return COLOURS[: self.colours]

    @property
    def length(self) -> int:
        return self.pegs

    def parse(self, text: str) -> Code:
        """Parse a typed guess: letters, English words, coloured emoji, any spaces.

        Pegs may also be emojis that are named by their letter and a zero, as copied from a board:
        ``:r0:``, ``<:r0:123>``.

        Raises:
            NotationError: the text is no guess; says what is wrong, and where.
        """
        text = bare(text)
        letters = "".join(symbol.text for symbol in self._read(text, _SPELLED))
        if self.is_code(letters):
            return Code(letters)
        symbols = self._read(text, _NAMED)
        for place, symbol in enumerate(symbols):
            if symbol.text not in self.alphabet:
                raise NotationError(
                    Problem.COLOUR_NOT_IN_PLAY, symbol.position, symbol=symbol.text, place=place
                )
        return self._code_from(symbols, end=len(text))

    def _read(self, text: str, tokens: re.Pattern[str]) -> list[Symbol]:
        """Read the colours of a typed text.

        Raises:
            NotationError: UNKNOWN_SYMBOL.
        """
        symbols: list[Symbol] = []
        for token in tokens.finditer(_fold_all(text)):
            colour = _colour(token.group())
            if not colour:
                raise self._unknown(text, token.start(), symbols)
            symbols.append(Symbol(colour, token.start()))
        return symbols

    def _unknown(self, text: str, position: int, before: Sequence[Symbol]) -> NotationError:
        """The error for an unknown word or character at a position; it may suggest a colour."""
        folded = _fold_all(text)
        start, end = _word_around(folded, position)
        names = [name for name, letter in _WORDS.items() if letter in self.alphabet]
        near = get_close_matches(folded[start:end].lower(), names, n=1, cutoff=_NEAR)
        if not near and not _is_spelled_out(folded, start, end):
            start, end = position, position + 1
        return NotationError(
            Problem.UNKNOWN_SYMBOL,
            start,
            symbol=text[start:end],
            meant="".join(near),
            place=sum(symbol.position < start for symbol in before),
        )

    def write_feedback(self, feedback: Score) -> str:
        """Write a score as key pegs, the black ones first: ``●●○``; ``-`` for none."""
        return write_pegs(feedback)

    def encode(self) -> str:
        """Encode the rules as a short string: ``mastermind:4x6r/12``, without repeats no ``r``."""
        repeats = "r" if self.repeats else ""
        return f"mastermind:{self.pegs}x{self.colours}{repeats}/{self.max_guesses}"

    @classmethod
    def decode(cls, text: str) -> "Mastermind":
        """Decode the string of `encode`.

        Raises:
            ImpossibleRulesError: the string describes no rules.
        """
        match = _ENCODED.fullmatch(text)
        if match is None:
            raise ImpossibleRulesError(f"not the rules of a Mastermind: {text!r}")
        return cls(
            int(match["colours"]), int(match["pegs"]), bool(match["repeats"]), int(match["guesses"])
        )


# Pegs as on boards; a lone name is what copying one from a board gives.
_EMOJI: Final = f"<:[{COLOURS}]0:[0-9]+>|:[{COLOURS}]0:"


def _tokens(*words: str) -> re.Pattern[str]:
    """A pattern of these words, and of any other character but separators."""
    single = f"[^ {re.escape(SEPARATORS)}]"
    return re.compile("|".join((_EMOJI, *words, single)), re.ASCII | re.IGNORECASE)


_LETTERS: Final = re.compile("[a-z]+", re.ASCII | re.IGNORECASE)
_NAMES: Final = re.compile("|".join(_WORDS), re.ASCII | re.IGNORECASE)
_NAMED: Final = _tokens(*_WORDS)
# "brown" also spells five pegs: blue, red, orange, white and brown.
_SPELLED: Final = _tokens(*(word for word in _WORDS if word != _BROWN))


def _fold_all(text: str) -> str:
    """The typed text with folded characters, each at its position."""
    # Folding gives one character at most.
    return "".join(fold(character) or " " for character in text)


def _word_around(folded: str, position: int) -> tuple[int, int]:
    """Start and end of the letters around a position, up to colours spelled on both sides.

    A colour right before the position is included: "redd" is a word. Empty without letters.
    """
    start, end = position, position
    for run in _LETTERS.finditer(folded):
        if run.start() <= position < run.end():
            start, end = run.span()
    for colour in _NAMES.finditer(folded, start, end):
        if colour.end() < position:
            start = colour.end()
        elif colour.start() > position:
            return start, colour.start()
    return start, end


def _is_spelled_out(folded: str, start: int, end: int) -> bool:
    """True if these letters are a word of their own, rather than the letters of a code."""
    return end - start >= _SHORTEST_NAME and len(_LETTERS.findall(folded)) > 1


def _colour(token: str) -> str:
    """The letter of the colour that a token means; empty if it means none."""
    if token in _PICTURES:
        return _PICTURES[token]
    if token.endswith((":", ">")) and len(token) > 1:
        return token.strip("<:")[0].upper()
    if token.lower() in _WORDS:
        return _WORDS[token.lower()]
    return token.upper() if token.upper() in COLOURS else ""

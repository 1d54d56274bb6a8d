"""Bulls and Cows: guess a number from how many of its digits are right."""

import re
from dataclasses import dataclass
from typing import Final

from engine.code_games import SEPARATORS, CodeGame, is_whole
from engine.codes import Code, Symbol, bare, fold
from engine.errors import ImpossibleRulesError, NotationError, Problem
from engine.feedback import Score, write_counts

DIGITS: Final = "0123456789"

_ENCODED: Final = re.compile(
    r"bulls:(?P<digits>[1-9]\d?)(?P<repeats>r?)/(?P<guesses>[1-9]\d?)", re.ASCII
)


@dataclass(frozen=True, slots=True)
class BullsAndCows(CodeGame):
    """The rules of Bulls and Cows at one setting.

    Attributes:
        digits: digits of a code, 1 to 10; the first may be 0.
        repeats: whether a digit may occur more than once.
        max_guesses: 1 to 99.

    Raises:
        TooManyCodesError: there are more than `MOST_CODES` codes.
        ImpossibleRulesError: a value is out of range.
    """

    digits: int = 4
    repeats: bool = False
    max_guesses: int = 30

    def __post_init__(self) -> None:
        if not is_whole(self.digits, 1, len(DIGITS)):
            raise ImpossibleRulesError(f"digits go from 1 to {len(DIGITS)}")
        self._require_playable()

    @property
    def alphabet(self) -> str:
        return DIGITS

    @property
    def length(self) -> int:
        return self.digits

    def parse(self, text: str) -> Code:
        """Parse a typed guess: any spaces and separators, fullwidth or keycap digits.

        Raises:
            NotationError: the text is no guess; says what is wrong, and where.
        """
        text = bare(text)
        symbols = [
            Symbol(digit, position)
            for position, character in enumerate(text)
            if (digit := fold(character)) and digit not in SEPARATORS
        ]
        for symbol in symbols:
            if symbol.text not in DIGITS:
                position = symbol.position
                raise NotationError(Problem.UNKNOWN_SYMBOL, position, symbol=text[position])
        return self._code_from(symbols, end=len(text))

    def write_feedback(self, feedback: Score) -> str:
        """Write a score as two counts: ``2B1C``."""
        return write_counts(feedback)

    def encode(self) -> str:
        """Encode the rules as a short string: ``bulls:4/30``, with repeats ``bulls:4r/30``."""
        return f"bulls:{self.digits}{'r' if self.repeats else ''}/{self.max_guesses}"

    @classmethod
    def decode(cls, text: str) -> "BullsAndCows":
        """Decode the string of `encode`.

        Raises:
            ImpossibleRulesError: the string describes no rules.
        """
        match = _ENCODED.fullmatch(text)
        if match is None:
            raise ImpossibleRulesError(f"not the rules of a Bulls and Cows: {text!r}")
        return cls(int(match["digits"]), bool(match["repeats"]), int(match["guesses"]))

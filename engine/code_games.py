"""Base of Mastermind and Bulls and Cows: codes of a fixed length, scored by counts."""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import permutations, product
from typing import Final

from engine.codes import Code, Symbol
from engine.errors import (
    ForeignGuessError,
    ImpossibleRulesError,
    NotationError,
    Problem,
    TooManyCodesError,
)
from engine.feedback import Fact, Score, read_score, score

MOST_CODES: Final = 1_000_000
"""The most codes of a setting, so that all of them can be enumerated."""
MOST_GUESSES: Final = 99


def is_whole(number: object, lowest: int, highest: int) -> bool:
    """True if a value is an integer within these bounds, neither a boolean nor a float."""
    return type(number) is int and lowest <= number <= highest


SEPARATORS: Final = ",;.-_–—"
"""Characters that people type between symbols, besides spaces."""


class CodeGame(ABC):
    """The rules of a game whose secrets are all codes of one length over one alphabet.

    Attributes:
        repeats: whether a symbol may occur more than once in a code.
        max_guesses: 1 to 99.
    """

    __slots__ = ()

    repeats: bool
    max_guesses: int

    @property
    @abstractmethod
    def alphabet(self) -> str:
        """The symbols in play, in their canonical order."""

    @property
    @abstractmethod
    def length(self) -> int: ...

    @abstractmethod
    def parse(self, text: str) -> Code:
        """Parse a typed guess; raises NotationError."""

    @abstractmethod
    def encode(self) -> str:
        """Encode the rules as a short string."""

    @property
    def size(self) -> int:
        symbols = len(self.alphabet)
        return symbols**self.length if self.repeats else math.perm(symbols, self.length)

    def codes(self) -> Iterator[Code]:
        """All codes, in lexicographic order of the alphabet."""
        if self.repeats:
            symbols = product(self.alphabet, repeat=self.length)
        else:
            symbols = permutations(self.alphabet, self.length)
        return (Code("".join(code)) for code in symbols)

    def is_code(self, text: str) -> bool:
        """True if a string is a code of these rules, in canonical notation."""
        return (
            len(text) == self.length
            and set(text) <= set(self.alphabet)
            and (self.repeats or len(set(text)) == len(text))
        )

    def draw(self, rng: random.Random) -> Code:
        """Draw a secret, uniformly from all codes."""
        if self.repeats:
            return Code("".join(rng.choice(self.alphabet) for _ in range(self.length)))
        return Code("".join(rng.sample(self.alphabet, self.length)))

    def is_secret(self, text: str) -> bool:
        """True if a string is a code of these rules: every code may be the secret."""
        return self.is_code(text)

    def check(self, code: Code, history: Sequence[Fact[Score]]) -> None:
        """Accept every code of these rules, since no turn forbids another guess.

        Raises:
            ForeignGuessError: the string is no code of these rules.
        """
        if not self.is_code(code):
            raise ForeignGuessError(code)

    def feedback(self, guess: Code, secret: Code) -> Score:
        """Score a guess; see `engine.score`."""
        return score(guess, secret)

    def places_found(self, feedback: Score) -> frozenset[int]:
        """Always empty: a score does not say which symbols are in place."""
        return frozenset()

    def solved(self, feedback: Score | str) -> bool:
        """True if every symbol is in its place; raises NotationError for text that is no score."""
        said = self.read_feedback(feedback) if isinstance(feedback, str) else feedback
        return said.bulls == self.length

    def read_feedback(self, text: str) -> Score:
        """Read a score as people type it, in either game's way; see `engine.feedback.read_score`.

        Raises:
            NotationError: the text is no score; says what is wrong, and where.
        """
        return read_score(text, self.length)

    @abstractmethod
    def write_feedback(self, feedback: Score) -> str:
        """Write a score in the game's own notation."""

    def answers(self, guess: Code) -> tuple[Score, ...]:
        """Every score that some code gives to this guess, by bulls, then by cows.

        Raises:
            ForeignGuessError: the guess is no code of these rules.
        """
        if not self.is_code(guess):
            raise ForeignGuessError(guess)
        if not self.repeats:
            return _scores_without_repeats(self.length, len(self.alphabet) - self.length)
        return _scores_with_repeats(tuple(sorted(guess.count(s) for s in self.alphabet)))

    def _require_playable(self) -> None:
        """Validate the setting, once alphabet and length are known to be sensible."""
        if not is_whole(self.max_guesses, 1, MOST_GUESSES) or type(self.repeats) is not bool:
            raise ImpossibleRulesError(f"guesses go from 1 to {MOST_GUESSES}")
        if not self.repeats and self.length > len(self.alphabet):
            raise ImpossibleRulesError("too few symbols for a code without repeats")
        if self.size > MOST_CODES:
            raise TooManyCodesError(self.size, MOST_CODES)

    def _code_from(self, symbols: Sequence[Symbol], end: int) -> Code:
        """Make a code of symbols.

        Args:
            symbols: symbols of the alphabet, with their positions in the text.
            end: the position to report if symbols are missing at the end.

        Raises:
            NotationError: EMPTY, TOO_SHORT, TOO_LONG or REPEATED_SYMBOL.
        """
        if not symbols:
            raise NotationError(Problem.EMPTY, 0)
        if len(symbols) != self.length:
            short = len(symbols) < self.length
            raise NotationError(
                Problem.TOO_SHORT if short else Problem.TOO_LONG,
                end if short else symbols[self.length].position,
                found=len(symbols),
                wanted=self.length,
            )
        code = "".join(symbol.text for symbol in symbols)
        for place, symbol in enumerate(symbols):
            if not self.repeats and symbol.text in code[:place]:
                raise NotationError(
                    Problem.REPEATED_SYMBOL, symbol.position, symbol=symbol.text, place=place
                )
        return Code(code)


@cache
def _scores_with_repeats(counts: tuple[int, ...]) -> tuple[Score, ...]:
    """Every possible score of a guess with these numbers of copies of each symbol.

    Let `missed` be the copies that are no bulls, and the secret fill their places. By Hall's
    theorem every copy can be put beside its own places as long as no symbol has more copies than
    there are places of others. That bounds the cows above. For the fewest, one symbol fills all
    places of others and a second one its own: that makes twice as many cows as the first was
    missed. As copies can be exchanged one by one, every number between occurs.
    """
    possible: set[Score] = set()
    for missed in product(*(range(copies + 1) for copies in counts)):
        places = sum(missed)
        most = sum(min(copies, places - copies) for copies in missed)
        bulls = sum(counts) - places
        possible.update(Score(bulls, cows) for cows in range(2 * min(missed), most + 1))
    return tuple(sorted(possible))


@cache
def _scores_without_repeats(length: int, unused: int) -> tuple[Score, ...]:
    """Every possible score of a guess without repeats that leaves out `unused` symbols."""
    return tuple(
        Score(length - places, cows)
        for places in range(length, -1, -1)
        for cows in range(max(0, places - unused), places + 1)
        if (places, cows) != (1, 1)  # a single symbol has no other place to be in
    )

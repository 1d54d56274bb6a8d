"""Bulls and Cows and Mastermind, and their base; the renaming of their symbols and places."""

import math
import random
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import permutations, product
from typing import Final

from engine.codes import Code, Symbol, bare, fold
from engine.colours import MOST_NAMES, SEPARATORS, check_names, letters_of, read_names
from engine.errors import (
    COLOURS_HELP,
    DIGITS_HELP,
    ForeignGuessError,
    ImpossibleRulesError,
    NotationError,
    Problem,
    TooManyCodesError,
)
from engine.feedback import Fact, Mark, Score, Turn, read_score, score, write_counts, write_pegs
from engine.rules import check_limit, understood

MOST_CODES: Final = 1_000_000
"""The most codes that rules may have, so that all of them can be enumerated."""


def is_whole(number: object, lowest: int, highest: int) -> bool:
    """True if a value is an integer within these bounds (both included); False for a boolean."""
    return type(number) is int and lowest <= number <= highest


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
        """Parse a typed guess; raises NotationError for any other text."""

    @abstractmethod
    def encode(self) -> str:
        """Encode the rules as a short string, which `engine.decode` decodes."""

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
        return ("".join(code) for code in symbols)

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
            return "".join(rng.choice(self.alphabet) for _ in range(self.length))
        return "".join(rng.sample(self.alphabet, self.length))

    def check_secret(self, text: str) -> None:
        """Refuse a string that is no code of these rules, by ForeignGuessError."""
        self.check(text, ())

    def check(self, code: Code, history: Sequence[Fact[Score]]) -> None:
        """Accept every code of these rules, whatever the history.

        Raises:
            ForeignGuessError: `code` is no code of these rules.
        """
        if not self.is_code(code):
            raise ForeignGuessError(code)

    def feedback(self, guess: Code, secret: Code) -> Score:
        return score(guess, secret)

    def places_found(self, feedback: Score) -> frozenset[int]:
        """Always empty: a score names no places, not even one that means that all are right."""
        return frozenset()

    def solved(self, feedback: Score | str) -> bool:
        """True if a score means that every symbol is right; raises NotationError for other text."""
        return understood(self, feedback).bulls == self.length

    def read_feedback(self, text: str) -> Score:
        """Parse a score as people type it in any game; see `engine.read_score`.

        Raises:
            NotationError: the text is no score; says what is wrong, and where.
        """
        return read_score(text, self.length)

    @abstractmethod
    def write_feedback(self, feedback: Score) -> str:
        """Write a score in the game's own notation, which `read_feedback` parses."""

    def answers(self, guess: Code) -> tuple[Score, ...]:
        """Every score that some code gives to this guess; ascending by bulls, then by cows.

        Raises:
            ForeignGuessError: the guess is no code of these rules.
        """
        if not self.is_code(guess):
            raise ForeignGuessError(guess)
        if not self.repeats:
            return _scores_without_repeats(self.length, len(self.alphabet) - self.length)
        return _scores_with_repeats(tuple(sorted(guess.count(s) for s in self.alphabet)))

    def sure(self, turns: Sequence[Turn[Score]]) -> dict[str, Mark]:
        """Find the symbols that are PRESENT in the secret or ABSENT from it, as counting shows.

        >>> from engine import Mastermind, Score, Turn
        >>> sure = Mastermind().sure([Turn("RROO", Score(0, 0))])
        >>> [symbol for symbol, mark in sure.items() if mark is Mark.ABSENT]
        ['R', 'O']

        Places are not compared, so more may be certain.
        """
        least = dict.fromkeys(self.alphabet, 0)
        most = dict.fromkeys(self.alphabet, self.length if self.repeats else 1)
        counted = [(Counter(turn.guess), sum(turn.feedback)) for turn in turns]
        counted.append((Counter(self.alphabet * self.length), self.length))  # the secret itself
        before: object = None
        while before != (now := ({**least}, {**most})):
            before = now
            for copies, found in counted:
                high = sum(min(n, most[symbol]) for symbol, n in copies.items())
                low = sum(min(n, least[symbol]) for symbol, n in copies.items())
                for symbol, n in copies.items():
                    left = found - low + min(n, least[symbol])
                    least[symbol] = max(least[symbol], found - high + min(n, most[symbol]))
                    if left < n:
                        most[symbol] = min(most[symbol], left)
        marks = {symbol: Mark.PRESENT for symbol in self.alphabet if least[symbol]}
        return marks | {symbol: Mark.ABSENT for symbol in self.alphabet if not most[symbol]}

    def _require_playable(self) -> None:
        """Refuse an impossible setting.

        Before the call, a subclass has checked its number of symbols and the length of codes.
        """
        check_limit(self.max_guesses)
        if type(self.repeats) is not bool:
            raise ImpossibleRulesError(f"Repeats are True or False, not {self.repeats!r}.")
        if not self.repeats and self.length > len(self.alphabet):
            raise ImpossibleRulesError("There are too few symbols for a code without repeats.")
        if self.size > MOST_CODES:
            raise TooManyCodesError(self.size, MOST_CODES)

    def _code_from(self, symbols: Sequence[Symbol], end: int) -> Code:
        """Join the symbols of a typed text to a code, or say why they are none.

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
        return code


@cache
def _scores_with_repeats(counts: tuple[int, ...]) -> tuple[Score, ...]:
    """Every possible score of a guess; `counts` has its copies of each symbol of the alphabet.

    `missed` is, for each symbol, the number of its copies that are no bulls. In the places of these
    copies, its missed places, the secret has other symbols. By Hall's theorem all missed copies can
    be cows, with one limit: a symbol has no more cows than the others have missed places. For the
    fewest cows, the symbol with the fewest missed copies fills all missed places of the others, and
    a second symbol fills the missed places of the first. This gives twice as many cows as the first
    symbol has missed copies. As copies can be exchanged one by one, every number between occurs.
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
    """Every possible score in games without repeats, whose guesses leave out `unused` symbols."""
    return tuple(
        Score(length - places, cows)
        for places in range(length, -1, -1)
        for cows in range(max(0, places - unused), places + 1)
        if (places, cows) != (1, 1)  # a single symbol has no other place to be in
    )


DIGITS: Final = "0123456789"

# `re` compiles a pattern when it is first needed: all at once would take a third of the import.
_BULLS: Final = r"bulls:(?P<digits>[1-9][0-9]?)(?P<repeats>r?)/(?P<guesses>[1-9][0-9]?)"


@dataclass(frozen=True, slots=True)
class BullsAndCows(CodeGame):
    """The rules of Bulls and Cows at one setting.

    Attributes:
        digits: the number of digits of a code, 1 to 10; the first digit may be 0.
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
            raise ImpossibleRulesError(f"Digits go from 1 to {len(DIGITS)}.")
        self._require_playable()

    @property
    def alphabet(self) -> str:
        return DIGITS

    @property
    def length(self) -> int:
        return self.digits

    def parse(self, text: str) -> Code:
        """Parse a typed guess, with spaces and `SEPARATORS` anywhere, fullwidth or keycap digits.

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
                raise NotationError(
                    Problem.UNKNOWN_SYMBOL, position, symbol=text[position], known=DIGITS_HELP
                )
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
        match = re.fullmatch(_BULLS, text)
        if match is None:
            raise ImpossibleRulesError(f"These are not the rules of a Bulls and Cows: {text!r}.")
        return cls(int(match["digits"]), bool(match["repeats"]), int(match["guesses"]))


COLOURS: Final = "ROYGBPCKNW"
"""Red, orange, yellow, green, blue, purple, cyan, pink, brown, white."""
FEWEST_COLOURS: Final = 2
MOST_PEGS: Final = 12

_MASTERMIND: Final = (
    r"mastermind:(?P<pegs>[1-9][0-9]?)x((?P<colours>[1-9][0-9]?)|\[(?P<names>[^\]]+)\])(?P<repeats>r?)"
    r"/(?P<guesses>[1-9][0-9]?)"
)

_SHORTEST_NAME: Final = 3
_NEAR: Final = 0.7
"""How similar a misspelt word must be to a colour's name, as `difflib` measures it, 0 to 1."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Mastermind(CodeGame):
    """The rules of Mastermind at one setting.

    Values are given by keyword only, as these numbers are easily swapped.

    Attributes:
        pegs: the number of pegs of a code, 1 to 12.
        colours: the number of colours, 2 to 10, which are the first of `COLOURS`; or the names of 2
            to 52 colours of one's own, each with a letter that codes are written in.
        repeats: whether a colour may occur more than once.
        max_guesses: 1 to 99.

    Raises:
        TooManyCodesError: there are more than `MOST_CODES` codes.
        ImpossibleRulesError: a value is out of range, or without repeats colours are too few.
    """

    pegs: int = 4
    colours: int | Sequence[str] = 6
    repeats: bool = True
    max_guesses: int = 12

    def __post_init__(self) -> None:
        count, most = self.colours, len(COLOURS)
        if isinstance(self.colours, Sequence):
            object.__setattr__(self, "colours", tuple(self.colours))
            check_names(self.names)
            count, most = len(self.names), MOST_NAMES
        if not is_whole(count, FEWEST_COLOURS, most):
            raise ImpossibleRulesError(f"Colours go from {FEWEST_COLOURS} to {most}.")
        if not is_whole(self.pegs, 1, MOST_PEGS):
            raise ImpossibleRulesError(f"Pegs go from 1 to {MOST_PEGS}.")
        self._require_playable()

    @property
    def alphabet(self) -> str:
        """The letters of the game's colours, in the order of `COLOURS` or of their names."""
        return COLOURS[: self.colours] if isinstance(self.colours, int) else letters_of(self.names)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the game's colours, in the order of `alphabet`."""
        if isinstance(self.colours, int):
            return tuple(_WORDS)[: self.colours]
        return tuple(self.colours)

    def spell(self, code: Code) -> str:
        """Write a code for people: in colours of one's own, by their names."""
        names = dict(zip(self.alphabet, self.names, strict=True))
        return code if isinstance(self.colours, int) else ", ".join(names[peg] for peg in code)

    @property
    def length(self) -> int:
        return self.pegs

    def parse(self, text: str) -> Code:
        """Parse a typed guess: letters, English names or emojis of colours, spaces anywhere.

        The bot's own emojis, as copied from a board, are accepted, too. Their names are a colour's
        letter and a zero: ``:r0:``, ``<:r0:123>``. Of colours of one's own, a peg is a name, the
        beginning of just one, or a number from 1.

        Raises:
            NotationError: the text is no guess; says what is wrong, and where.
        """
        text = bare(text)
        if not isinstance(self.colours, int):
            code = text.strip() if self.is_code(text.strip()) else text.strip().upper()
            if self.is_code(code):
                return code
            return self._code_from(read_names(text, self.names), end=len(text))
        letters = "".join(symbol.text for symbol in self._read(text, _SPELLED))
        if self.is_code(letters):
            return letters
        symbols = self._read(text, _NAMED)
        for place, symbol in enumerate(symbols):
            if symbol.text not in self.alphabet:
                raise NotationError(
                    Problem.COLOUR_NOT_IN_PLAY,
                    symbol.position,
                    symbol=symbol.text,
                    place=place,
                    known=self._known,
                )
        return self._code_from(symbols, end=len(text))

    def _read(self, text: str, tokens: str) -> list[Symbol]:
        """Parse a typed text as letters of colours, whether or not these are in play.

        `tokens` is the pattern of one peg as typed.

        Raises:
            NotationError: UNKNOWN_SYMBOL.
        """
        symbols: list[Symbol] = []
        for token in re.finditer(tokens, _fold_all(text), _TYPED):
            colour = _colour(token.group())
            if not colour:
                raise self._unknown(text, token.start(), symbols)
            symbols.append(Symbol(colour, token.start()))
        return symbols

    def _unknown(self, text: str, position: int, before: Sequence[Symbol]) -> NotationError:
        """Build the error for the text at `position`, with a colour that was perhaps meant."""
        folded = _fold_all(text)
        start, end = _word_around(folded, position)
        names = [name for name, letter in _WORDS.items() if letter in self.alphabet]
        near: list[str] = import_module("difflib").get_close_matches(
            folded[start:end].lower(), names, n=1, cutoff=_NEAR
        )
        # One word of a text, rather than the letters of a code.
        is_word = end - start >= _SHORTEST_NAME and len(re.findall(_LETTERS, folded, _TYPED)) > 1
        if not near and not is_word:
            start, end = position, position + 1
        return NotationError(
            Problem.UNKNOWN_SYMBOL,
            start,
            symbol=text[start:end],
            meant="".join(near),
            place=sum(symbol.position < start for symbol in before),
            known=self._known,
        )

    @property
    def _known(self) -> str:
        return COLOURS_HELP.format(letters=" ".join(self.alphabet))

    def write_feedback(self, feedback: Score) -> str:
        """Write a score as key pegs, the black ones first: ``●●○``; ``-`` for none."""
        return write_pegs(feedback)

    def encode(self) -> str:
        """Encode the rules as a short string: ``mastermind:4x6r/12``; ``r`` stands for repeats.

        Colours of one's own are written by name: ``mastermind:4x[red,dark_blue]r/12``.
        """
        own, repeats = ",".join(self.names).replace(" ", "_"), "r" if self.repeats else ""
        colours = self.colours if isinstance(self.colours, int) else f"[{own}]"
        return f"mastermind:{self.pegs}x{colours}{repeats}/{self.max_guesses}"

    @classmethod
    def decode(cls, text: str) -> "Mastermind":
        """Decode the string of `encode`.

        Raises:
            ImpossibleRulesError: the string describes no rules.
        """
        match = re.fullmatch(_MASTERMIND, text)
        if match is None:
            raise ImpossibleRulesError(f"These are not the rules of a Mastermind: {text!r}.")
        names = (match["names"] or "").replace("_", " ").split(",")
        return cls(
            pegs=int(match["pegs"]),
            colours=names if match["names"] else int(match["colours"]),
            repeats=bool(match["repeats"]),
            max_guesses=int(match["guesses"]),
        )


# Pegs as on boards; a lone name is what copying one from a board gives.
_EMOJI: Final = f"<:[{COLOURS}]0:[0-9]+>|:[{COLOURS}]0:"


_TYPED: Final = re.ASCII | re.IGNORECASE


def _tokens(*words: str) -> str:
    """The pattern of one peg as typed: our emoji, one of these words, or a single character."""
    single = f"[^ {re.escape(SEPARATORS)}]"
    return "|".join((_EMOJI, *words, single))


_LETTERS: Final = "[a-z]+"
_NAMES: Final = "|".join(_WORDS)
_NAMED: Final = _tokens(*_WORDS)
# "brown" also spells five pegs: blue, red, orange, white and brown.
_SPELLED: Final = _tokens(*(word for word in _WORDS if word != _BROWN))


def _fold_all(text: str) -> str:
    # Folding gives one character at most.
    return "".join(fold(character) or " " for character in text)


def _word_around(folded: str, position: int) -> tuple[int, int]:
    """The start and end of the unknown word around a position; both equal if no letter is there.

    A colour's name that adjoins it without a space is left out. Only a name that ends right before
    the position belongs to the word: "redd" is one word.
    """
    start, end = position, position
    for run in re.finditer(_LETTERS, folded, _TYPED):
        if run.start() <= position < run.end():
            start, end = run.span()
    for colour in re.compile(_NAMES, _TYPED).finditer(folded, start, end):
        if colour.end() < position:
            start = colour.end()
        elif colour.start() > position:
            return start, colour.start()
    return start, end


def _colour(token: str) -> str:
    """The letter of the colour that an emoji, word or letter means; empty if it means none."""
    if token in _PICTURES:
        return _PICTURES[token]
    if token.endswith((":", ">")) and len(token) > 1:
        return token.strip("<:")[0].upper()
    if token.lower() in _WORDS:
        return _WORDS[token.lower()]
    return token.upper() if token.upper() in COLOURS else ""


# Other names for symbols and places, so that no two games of a solver begin alike. The rules know
# neither: whatever is done with both renamed is worth just as much.

_BETWEEN: Final = "/"


@dataclass(frozen=True, slots=True)
class Relabelling:
    """A renaming of a solver's symbols and places to those of one game.

    Attributes:
        symbols: the game's name for each symbol of the alphabet, in the alphabet's order.
        places: for each place of the game, the solver's place for it; both count from 0.
    """

    symbols: str
    places: tuple[int, ...]

    @classmethod
    def none(cls, rules: CodeGame) -> "Relabelling":
        """The relabelling that renames nothing."""
        return cls(rules.alphabet, tuple(range(rules.length)))

    @classmethod
    def draw(cls, rules: CodeGame, rng: random.Random) -> "Relabelling":
        """Draw a random relabelling; all are equally likely."""
        symbols = rng.sample(rules.alphabet, len(rules.alphabet))
        return cls("".join(symbols), tuple(rng.sample(range(rules.length), rules.length)))

    @classmethod
    def between(cls, rules: CodeGame, solvers: Code, games: Code) -> "Relabelling | None":
        """A relabelling by which the solver's code becomes the game's; None if there is none."""
        before, after = (
            sorted(rules.alphabet, key=lambda symbol: (-code.count(symbol), code.find(symbol)))
            for code in (solvers, games)
        )
        names = dict(zip(before, after, strict=True))
        symbols = "".join(names[symbol] for symbol in rules.alphabet)
        free = list(range(rules.length))
        places: list[int] = []
        for symbol in games:
            place = next((place for place in free if names[solvers[place]] == symbol), None)
            if place is None:
                return None
            free.remove(place)
            places.append(place)
        return cls(symbols, tuple(places))

    @classmethod
    def decode(cls, rules: CodeGame, stored: str | None) -> "Relabelling":
        """Decode the string of `encode`; None stands for renaming nothing."""
        if stored is None:
            return cls.none(rules)
        symbols, _, places = stored.partition(_BETWEEN)
        return cls(symbols, tuple(map(int, places)))

    def encode(self) -> str:
        """Encode the symbols, a slash, and a digit for each place; only ten places have a digit."""
        return f"{self.symbols}{_BETWEEN}{''.join(map(str, self.places))}"

    def to_game(self, rules: CodeGame, code: Code) -> Code:
        """Convert a code from the solver's names of symbols and places to the game's."""
        return "".join(self.symbols[rules.alphabet.index(code[n])] for n in self.places)

    def to_solver(self, rules: CodeGame, code: Code) -> Code:
        """Convert a code from the game's names of symbols and places to the solver's."""
        symbols = dict(zip(self.places, code, strict=True))
        named = (rules.alphabet[self.symbols.index(symbols[n])] for n in range(rules.length))
        return "".join(named)

    def turn_to_solver(self, rules: CodeGame, turn: Turn[Score]) -> Turn[Score]:
        """Convert a turn's guess from the game's names to the solver's; its score is the same."""
        return Turn(self.to_solver(rules, turn.guess), turn.feedback)

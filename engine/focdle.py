"""FoCdle: guess a true equation from the marks of its symbols."""

import random
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from engine.codes import Code
from engine.equations import (
    SYMBOLS,
    Equation,
    Shape,
    complete,
    evaluate,
    read_equation,
    read_symbols,
    refuse_power,
    refuse_second_equals,
    shapes_of,
    spell,
)
from engine.errors import (
    FalseEquationError,
    ForeignGuessError,
    ImpossibleRulesError,
    NoSuchLengthError,
    NotationError,
    Problem,
)
from engine.feedback import (
    Fact,
    Mark,
    Marks,
    check_consistent,
    mark,
    read_marks,
    write_marks,
)
from engine.rules import check_limit, read_history, understood

SHORTEST: Final = 7
LONGEST: Final = 15
DEFAULT_LENGTH: Final = 10
DEFAULT_GUESSES: Final = 6

# Counted once, over all triples of values; a test counts them again.
_SECRETS: Final = {
    7: 4_518,
    8: 66_744,
    9: 471_380,
    10: 1_805_274,
    11: 4_536_641,
    12: 2_328_838,
    13: 2_272_799,
    14: 319_696,
    15: 394_613,
}
_ENCODED: Final = r"focdle:(?P<length>[1-9][0-9]?)/(?P<guesses>[1-9][0-9]?)(?P<hard>h?)"


@dataclass(frozen=True, slots=True)
class Focdle:
    """The rules of FoCdle at one length.

    Attributes:
        length: the number of symbols of a code, 7 to 15.
        max_guesses: 1 to 99.
        hard: whether hard mode is on. Then `check` requires true guesses that fit the history.

    Raises:
        NoSuchLengthError: no secret has this length.
        ImpossibleRulesError: the number of guesses is out of range.
    """

    length: int = DEFAULT_LENGTH
    max_guesses: int = DEFAULT_GUESSES
    hard: bool = False

    def __post_init__(self) -> None:
        if type(self.length) is not int:
            raise ImpossibleRulesError(f"{self.length!r} is no length.")
        if not SHORTEST <= self.length <= LONGEST:
            raise NoSuchLengthError(self.length, SHORTEST, LONGEST)
        check_limit(self.max_guesses)

    def parse(self, text: str) -> Code:
        """Parse a typed guess, with spaces anywhere, look-alikes such as ×, Markdown around it.

        A guess has the form of a secret; it need not be true. A result that is missing is computed.

        Raises:
            NotationError: the text is no guess; says what is wrong, and where.
        """
        symbols = read_symbols(text)
        # Checked first: these mistakes also make a guess too long.
        refuse_second_equals(symbols)
        refuse_power(symbols)
        completed = complete(symbols)
        if completed is not None:
            code = str(completed)
            if len(code) != self.length:
                found, wanted = len(code), self.length
                raise NotationError(
                    Problem.OTHER_LENGTH, len(text), symbol=code, found=found, wanted=wanted
                )
            return code
        if len(symbols) != self.length:
            short = len(symbols) < self.length
            raise NotationError(
                Problem.TOO_SHORT if short else Problem.TOO_LONG,
                len(text) if short else symbols[self.length].position,
                found=len(symbols),
                wanted=self.length,
            )
        return str(read_equation(symbols, end=len(text)))

    def check(self, code: Code, history: Sequence[Fact[Marks]]) -> None:
        """Accept a guess that may follow this history.

        Outside hard mode the history does not matter, and any string of the symbols is allowed:
        programs learn more from strings that `parse` refuses, as they are no equations.

        Raises:
            ForeignGuessError: `code` has other symbols or another length, or in hard mode has not
                the form of an equation.
            FalseEquationError, ContradictionError: hard mode does not allow the guess.
            NotationError: a turn's feedback is text that is no marks.
        """
        if len(code) != self.length or not set(code) <= set(SYMBOLS):
            raise ForeignGuessError(code)
        if self.hard:
            if not self._is_guess(code):
                raise ForeignGuessError(code)
            self.check_true(code)
            check_consistent(code, read_history(self, history))

    def check_secret(self, text: str) -> None:
        """Refuse what is no secret; of a false equation, say what its left-hand side is.

        Raises:
            ForeignGuessError: the string is no secret.
        """
        if not self._is_guess(text):
            raise ForeignGuessError(text)
        try:
            self.check_true(text)
        except FalseEquationError as error:
            raise ForeignGuessError(text, str(error)) from None

    def _is_guess(self, code: str) -> bool:
        try:
            return self.parse(code) == code
        except NotationError:
            return False

    def check_true(self, code: Code) -> None:
        """Refuse an equation that is not true.

        Raises:
            FalseEquationError: the two sides differ.
        """
        equation = self.equation(code)
        if not equation.is_true:
            raise FalseEquationError(code, equation.value, equation.result)

    def feedback(self, guess: Code, secret: Code) -> Marks:
        return mark(guess, secret)

    def places_found(self, feedback: Marks) -> frozenset[int]:
        """The 0-based places of symbols that are marked CORRECT."""
        return frozenset(place for place, m in enumerate(feedback) if m is Mark.CORRECT)

    def solved(self, feedback: Marks | str) -> bool:
        """True if all marks are CORRECT; raises NotationError for text that is no marks."""
        return all(m is Mark.CORRECT for m in understood(self, feedback))

    def read_feedback(self, text: str) -> Marks:
        """Parse marks as people type or paste them; see `engine.read_marks`.

        Raises:
            NotationError: the text is not one mark a symbol; says what is wrong, and where.
        """
        return read_marks(text, self.length)

    def write_feedback(self, feedback: Marks) -> str:
        """Write marks as letters, left to right: ``xygxyxxggg``."""
        return write_marks(feedback)

    def equation(self, code: Code) -> Equation:
        """Parse a code that has the form of an equation; raises NotationError for any other."""
        return read_equation(read_symbols(code), end=len(code))

    def is_true(self, code: Code) -> bool:
        return self.equation(code).is_true

    @property
    def alphabet(self) -> str:
        return SYMBOLS

    @property
    def size(self) -> int:
        return _SECRETS[self.length]

    def codes(self) -> Iterator[Code]:
        """All secrets, in an order that never changes; those of length 10 take a dozen seconds.

        >>> next(Focdle(7).codes()), sum(1 for code in Focdle(7).codes())
        ('1+1+1=3', 4518)
        """
        for shape in shapes_of(self.length)[0]:
            for way in range(shape.ways):
                code = self._secret(shape, way)
                if code is not None:
                    yield code

    def _secret(self, shape: Shape, way: int) -> Code | None:
        values = shape.fill(way)
        result = evaluate(values, shape.operators)
        if result > 0 and len(str(result)) == shape.result_width:
            return spell(values, shape.operators, result)
        return None

    def draw(self, rng: random.Random) -> Code:
        """Draw a secret; all of this length are equally likely.

        Each try calls `rng.randrange` once, to choose a `Shape` and the values in it. If the values
        do not give a result of the shape's width, there is another try. On average it takes two to
        five tries, depending on the length.
        """
        possible, ends = shapes_of(self.length)
        while True:
            way = rng.randrange(ends[-1])
            index = bisect_right(ends, way)
            shape = possible[index]
            code = self._secret(shape, way - (ends[index] - shape.ways))
            if code is not None:
                return code

    def encode(self) -> str:
        """Encode the rules as a short string: ``focdle:10/6``, in hard mode ``focdle:10/6h``."""
        return f"focdle:{self.length}/{self.max_guesses}{'h' if self.hard else ''}"

    @classmethod
    def decode(cls, text: str) -> "Focdle":
        """Decode the string of `encode`.

        Raises:
            ImpossibleRulesError: the string describes no rules.
        """
        match = re.fullmatch(_ENCODED, text)
        if match is None:
            raise ImpossibleRulesError(f"These are not the rules of a FoCdle: {text!r}.")
        return cls(int(match["length"]), int(match["guesses"]), bool(match["hard"]))

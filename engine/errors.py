"""Errors of the games: each has its facts as attributes, and says them in a sentence.

EngineError (ValueError)
├── NotationError        the text is not a guess of this game
│   └── FeedbackError    the text is not feedback of this game
├── IllegalGuessError    a guess of this game, but not one that may be played now
│   ├── RepeatedGuessError      it was played before
│   ├── FalseEquationError      its two sides differ, and only true ones may be played
│   ├── ContradictionError      it cannot be the secret, and only candidates may be played
│   └── NotYourTurnError        in a duel, the other player is to move
├── ForeignGuessError    a string that is no guess of this game at all
├── ImpossibleFeedbackError     no secret could give this feedback to this guess
├── InconsistentFeedback no secret explains all turns together
├── GameOverError        the game takes no more guesses
└── ImpossibleRulesError no such rules
    ├── NoSuchLengthError    no FoCdle has this length
    └── TooManyCodesError    more secrets than can be enumerated
"""

from collections.abc import Iterable
from enum import StrEnum, auto
from typing import Final


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: ``1 code``, ``1,296 codes``; the plural is in ``s`` if not given."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(things: Iterable[object], last: str = "and") -> str:
    """Join things for a sentence: ``1, 2 and 3``; `last` is the word between the last two."""
    *before, end = map(str, things)
    return f"{', '.join(before)} {last} {end}" if before else end


class EngineError(ValueError):
    """Base of all errors that the rules and solvers raise on purpose.

    The text of an error is a sentence in which places and turns count from 1; its attributes count
    from 0. Copies and pickles have both.
    """

    def __reduce__(self) -> tuple[object, ...]:
        # The default would call the class with only the text.
        return type(self).__new__, (type(self), *self.args), vars(self)


class Problem(StrEnum):
    """The fault of a text that is no guess, or no feedback."""

    EMPTY = auto()
    UNKNOWN_SYMBOL = auto()
    UNKNOWN_CODE = auto()
    INVISIBLE = auto()
    DIVISION = auto()
    POWER = auto()
    TOO_SHORT = auto()
    TOO_LONG = auto()
    NO_EQUALS = auto()
    SECOND_EQUALS = auto()
    TOO_FEW_OPERATORS = auto()
    TOO_MANY_OPERATORS = auto()
    OPERATOR_AFTER_EQUALS = auto()
    MISSING_VALUE = auto()
    LEADING_ZERO = auto()
    ZERO_VALUE = auto()
    VALUE_TOO_LARGE = auto()
    ZERO_RESULT = auto()
    RESULT_BELOW_ONE = auto()
    OTHER_LENGTH = auto()
    COLOUR_NOT_IN_PLAY = auto()
    REPEATED_SYMBOL = auto()


SYMBOLS_HELP: Final = "0-9, + - * % and ="
DIGITS_HELP: Final = "the digits 0-9"
COLOURS_HELP: Final = "{letters}, or the colours' names"
MARKS_HELP: Final = "a letter for each symbol: g right place, y elsewhere, x not (so often) there"
SCORE_HELP: Final = "two counts, right place and elsewhere: 2B1C, 2 1 or BBC; - for none"
"""These five say in words what may be typed."""

_MISTAKES: Final[dict[Problem, str]] = {
    Problem.EMPTY: "Nothing was typed there.",
    Problem.UNKNOWN_SYMBOL: "{symbol} at place {at} is no symbol of this game. Use {known}.",
    Problem.UNKNOWN_CODE: "{symbol} is no guess of this game.",
    Problem.INVISIBLE: "Something invisible stands at place {at} ({symbol}). Type it anew.",
    Problem.DIVISION: (
        "There is no division here ({symbol} at place {at}). % is the remainder: 17%5 is 2."
    ),
    Problem.POWER: "There are no powers here (** at place {at}). One * multiplies.",
    Problem.TOO_SHORT: "That has {symbols}, {wanted} are needed: {difference} missing.",
    Problem.TOO_LONG: "That has {symbols}, only {wanted} are wanted: {difference} too many.",
    Problem.NO_EQUALS: "That has no =. Put it and a result after the third number.",
    Problem.SECOND_EQUALS: ("That has a second = at place {at}. Use it once, before the result."),
    Problem.TOO_FEW_OPERATORS: (
        "That has {found} of + - * % before its =, and needs {wanted}: three numbers go there."
    ),
    Problem.TOO_MANY_OPERATORS: "That has {found} of + - * %, and needs {wanted}.",
    Problem.OPERATOR_AFTER_EQUALS: (
        "{symbol} at place {at} stands after the =. Only the result may follow it."
    ),
    Problem.MISSING_VALUE: (
        "A number is missing before {symbol} at place {at}. Numbers have no sign of their own."
    ),
    Problem.LEADING_ZERO: (
        "The number {symbol} at place {at} starts with a zero. Write it without."
    ),
    Problem.ZERO_VALUE: "{symbol} at place {at} is too small: numbers go from 1 to 99.",
    Problem.VALUE_TOO_LARGE: "{symbol} at place {at} is too large: numbers go from 1 to 99.",
    Problem.ZERO_RESULT: "The result at place {at} must be at least 1.",
    Problem.RESULT_BELOW_ONE: "That is {symbol}, and a result is at least 1.",
    Problem.OTHER_LENGTH: "{symbol} has {symbols}, and {wanted} are needed.",
    Problem.COLOUR_NOT_IN_PLAY: "{symbol}, peg {peg}, is not in play. Use {known}.",
    Problem.REPEATED_SYMBOL: "{symbol} stands there twice, and repeats are not allowed here.",
}


class NotationError(EngineError):
    """A text that is not a guess of this game.

    Attributes:
        problem: the kind of fault.
        position: 0-based index of the fault in the typed text; the text's length if something is
            missing at its end.
        symbol: the symbol, number or word that is at fault, or the name of an invisible character;
            empty where the fault is no symbol's.
        meant: the name of the colour that was probably meant; empty for none.
        place: the 0-based place in the code of the symbol at fault; 0 where it is not known.
        found: the number of symbols or operators that were typed, if their number is the fault.
        wanted: the number of symbols or operators that would be right.
        known: in words, what may be typed instead; empty where the problem tells enough.
    """

    def __init__(  # noqa: PLR0913 - a fact each
        self,
        problem: Problem,
        position: int,
        *,
        symbol: str = "",
        meant: str = "",
        place: int = 0,
        found: int = 0,
        wanted: int = 0,
        known: str = "",
    ) -> None:
        super().__init__(problem.name, position)
        self.problem = problem
        self.position = position
        self.symbol = symbol
        self.meant = meant
        self.place = place
        self.found = found
        self.wanted = wanted
        self.known = known

    def __str__(self) -> str:
        if self.meant:
            return f"{self.symbol} is no colour. Did you mean {self.meant}?"
        return _MISTAKES[self.problem].format(
            at=self.position + 1,
            peg=self.place + 1,
            symbols=counted(self.found, "symbol"),
            difference=abs(self.found - self.wanted),
            **vars(self),
        )


class FeedbackError(NotationError):
    """A text that is not feedback of this game.

    Attributes:
        noun: what was typed too often or too rarely, such as ``mark``; empty for other faults.
    """

    def __init__(
        self,
        problem: Problem,
        position: int,
        *,
        known: str,
        symbol: str = "",
        noun: str = "",
        found: int = 0,
        wanted: int = 0,
    ) -> None:
        super().__init__(problem, position, symbol=symbol, found=found, wanted=wanted, known=known)
        self.noun = noun

    def __str__(self) -> str:
        said = {
            Problem.EMPTY: "The answer is missing.",
            Problem.UNKNOWN_SYMBOL: f"{self.symbol} says nothing here.",
            Problem.REPEATED_SYMBOL: f"{self.symbol} is counted twice.",
        }.get(self.problem)
        if said is None:
            said = f"That is {counted(self.found, self.noun)}; it takes {self.wanted}."
        return f"{said} Type {self.known}."


class IllegalGuessError(EngineError):
    """A guess of this game that may not be played now."""

    def __init__(self, guess: str, reason: str) -> None:
        super().__init__(reason)
        self.guess = guess


class RepeatedGuessError(IllegalGuessError):
    """The guess was played before; `turn` is its 0-based index."""

    def __init__(self, guess: str, turn: int) -> None:
        super().__init__(guess, f"{guess} was guess {turn + 1} already.")
        self.turn = turn


class FalseEquationError(IllegalGuessError):
    """The guess's two sides differ.

    Attributes:
        value: the value of the left-hand side.
        result: the right-hand side.
    """

    def __init__(self, guess: str, value: int, result: int) -> None:
        super().__init__(guess, f"{guess.partition('=')[0]} is {value}, not {result}.")
        self.value = value
        self.result = result


class Clue(StrEnum):
    """What kind of thing a turn's feedback, or a hint, says of a symbol in the secret."""

    KEEP = auto()
    """The symbol stands at the place where it was guessed."""
    MOVE = auto()
    """The symbol does not stand at the place where it was guessed."""
    USE = auto()
    """The secret has at least as many copies of the symbol as the turn has found."""
    DROP = auto()
    """The secret has no more copies of the symbol than the turn has found, perhaps none."""
    SHOWN = auto()
    """A hint has shown the symbol and its place."""


class ContradictionError(IllegalGuessError):
    """The guess contradicts an earlier turn, or a hint.

    Attributes:
        turn: 0-based index of that turn, hints not counted; 0 if a hint is contradicted.
        clue: what kind of clue the guess contradicts.
        symbol: the symbol that the clue is about.
        position: 0-based place of the symbol in that turn's guess, or where the hint has shown it.
        copies: how many copies of the symbol that turn has found; 1 for a hint.
    """

    def __init__(
        self, guess: str, turn: int, clue: Clue, *, symbol: str, position: int, copies: int
    ) -> None:
        many = symbol if copies == 1 else f"{copies} of {symbol}"
        use = "it" if copies == 1 else "as many"
        no_more = f"only {copies} of {symbol}" if copies else f"no {symbol}"
        said = {
            Clue.KEEP: f"Guess {turn + 1} found {symbol} in place {position + 1}: keep it there.",
            Clue.MOVE: f"Guess {turn + 1} showed that {symbol} is not in place {position + 1}.",
            Clue.USE: f"Guess {turn + 1} found {many}: use {use}.",
            Clue.DROP: f"Guess {turn + 1} showed that there is {no_more}.",
            Clue.SHOWN: f"A hint has shown {symbol} in place {position + 1}.",
        }[clue]
        super().__init__(guess, f"{said} In hard mode every guess must agree with all clues.")
        self.turn = turn
        self.clue = clue
        self.symbol = symbol
        self.position = position
        self.copies = copies


class NotYourTurnError(IllegalGuessError):
    """A guess by `player` (0 or 1) of a duel in which the other player is to move."""

    def __init__(self, guess: str, player: int) -> None:
        super().__init__(guess, f"Player {player} is not to move.")
        self.player = player


class ForeignGuessError(EngineError):
    """A string that is no guess, or no secret, of the game; `reason` may say why not."""

    def __init__(self, guess: str, reason: str = "") -> None:
        super().__init__(
            f"{guess!r} is no secret: {reason}" if reason else f"{guess!r} is no code of this game."
        )
        self.guess = guess


class ImpossibleFeedbackError(EngineError):
    """Feedback that no secret gives to this guess, or that is of another game."""

    def __init__(self, guess: str, feedback: object) -> None:
        super().__init__(f"No secret gives that answer to {guess}. Count again.")
        self.guess = guess
        self.feedback = feedback


class InconsistentFeedback(EngineError):  # noqa: N818 - it names what is wrong, as solvers of the field do
    """No secret explains all turns of a history.

    Attributes:
        turns: ascending 0-based indices in the history: the smallest set of turns and hints that no
            secret explains together. Of several smallest sets, it is the lexicographically last.
        repairs: indices of turns. Other feedback for any one of them, with the rest unchanged,
            would make the history possible. Empty if several turns must be wrong.
    """

    def __init__(self, turns: tuple[int, ...], repairs: tuple[int, ...]) -> None:
        numbers = [turn + 1 for turn in turns]
        if len(numbers) == 1:
            said = f"Answer {numbers[0]} cannot be true."
        else:
            said = f"Answers {listed(numbers)} cannot all be true."
        if repairs:
            one = listed([turn + 1 for turn in repairs], "or")
            said = f"{said} If just one is a slip, it is {one}."
        else:
            said = f"{said} More than one is a slip."
        super().__init__(said)
        self.turns = turns
        self.repairs = repairs


class GameOverError(EngineError):
    """The game is solved or lost, or the duel is decided: nothing can follow."""

    def __init__(self) -> None:
        super().__init__("The game is over.")


class ImpossibleRulesError(EngineError):
    """Values, or an encoded string, of rules by which nobody can play."""


class NoSuchLengthError(ImpossibleRulesError):
    """No FoCdle has this length; they have `shortest` to `longest` symbols."""

    def __init__(self, length: int, shortest: int, longest: int) -> None:
        super().__init__(
            f"There is no FoCdle with {counted(length, 'symbol')}, only with {shortest} to "
            f"{longest}."
        )
        self.length = length
        self.shortest = shortest
        self.longest = longest


class TooManyCodesError(ImpossibleRulesError):
    """The rules would have more codes than `most`; `codes` is how many."""

    def __init__(self, codes: int, most: int) -> None:
        super().__init__(f"That makes {codes:,} codes; {most:,} are the most.")
        self.codes = codes
        self.most = most

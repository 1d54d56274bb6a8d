"""Texts of the program: refusals, counts, lists."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from engine.code_games import COLOURS, CodeGame, Mastermind
from engine.errors import (
    Clue,
    ContradictionError,
    EngineError,
    FalseEquationError,
    ImpossibleFeedbackError,
    NoSuchLengthError,
    NotationError,
    Problem,
    RepeatedGuessError,
    TooManyCodesError,
)
from engine.focdle import Focdle
from engine.game import Rules

NAMES: Final = (
    *("red", "orange", "yellow", "green", "blue"),
    *("purple", "cyan", "pink", "brown", "white"),
)
"""The colours' names, in the order of `COLOURS`."""

_MARKS_HELP: Final = "a letter for each symbol: g right place, y elsewhere, x not (so often) there"
_SCORE_HELP: Final = "two counts, right place and elsewhere: 2B1C, 2 1 or BBC; - for none"


GOODBYE: Final = "Until next time."


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number with its noun: ``1 guess``, ``1,296 codes``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(things: Iterable[object], last: str = "and") -> str:
    """Things in a sentence: ``1, 2 and 3``."""
    *before, end = map(str, things)
    return f"{', '.join(before)} {last} {end}" if before else end


def missing(error: ModuleNotFoundError) -> str:
    """The advice to install numpy; re-raises the error if another module is missing."""
    if error.name is None or error.name.partition(".")[0] != "numpy":
        raise error
    return "Solving needs numpy, which is not installed here: python -m pip install numpy"


def noun_of(rules: Rules[Any]) -> str:
    return "equation" if isinstance(rules, Focdle) else "code"


def described(rules: Rules[Any]) -> str:
    if isinstance(rules, Focdle):
        return (
            f"{rules.length} symbols: three numbers from 1 to 99, two of + - * % between them "
            "(% is the remainder), = and a result"
        )
    if isinstance(rules, Mastermind):
        colours = listed(f"{COLOURS[n]} {NAMES[n]}" for n in range(rules.colours))
        return f"{counted(rules.pegs, 'peg')}: {colours}; {_repeats(rules)}"
    assert isinstance(rules, CodeGame)  # noqa: S101 - there is no other game
    return f"{counted(rules.length, 'digit')} from 0 to 9; {_repeats(rules)}"


def _repeats(rules: CodeGame) -> str:
    return "repeats are allowed" if rules.repeats else "none twice"


def answer_help(rules: Rules[Any]) -> str:
    return _MARKS_HELP if isinstance(rules, Focdle) else _SCORE_HELP


def refusal(error: EngineError, rules: Rules[Any] | None = None, text: str = "") -> str:
    """The refusal in a sentence or two.

    Args:
        error: the engine's error.
        rules: the game, if a guess or feedback was typed.
        text: the typed text.
    """
    match error:
        case NotationError():
            said = _mistake(error, rules, text.strip())
        case RepeatedGuessError():
            said = f"{error.guess} was your guess {error.turn + 1} already. Try another one."
        case FalseEquationError():
            left = error.guess.partition("=")[0]
            said = f"{left} is {error.value}, not {error.result}."
        case ContradictionError():
            said = _clue(error)
        case NoSuchLengthError():
            said = (
                f"There is no FoCdle with {counted(error.length, 'symbol')}, only with "
                f"{error.shortest} to {error.longest}."
            )
        case TooManyCodesError():
            said = f"That makes {error.codes:,} codes; {error.most:,} are the most."
        case ImpossibleFeedbackError():
            said = f"No secret gives that answer to {error.guess}. Count again."
        case _:
            said = f"That is not possible: {error}."
    return said


def feedback_refusal(error: EngineError, rules: Rules[Any]) -> str:
    if not isinstance(error, NotationError):
        return refusal(error, rules)
    match error.problem:
        case Problem.INVISIBLE:
            return _mistake(error, rules, "")
        case Problem.UNKNOWN_SYMBOL:
            said = f"{error.symbol} says nothing here."
        case Problem.EMPTY:
            said = "The answer is missing."
        case Problem.REPEATED_SYMBOL:
            said = f"{error.symbol} is counted twice."
        case _ if isinstance(rules, Focdle) or error.problem is Problem.TOO_LONG:
            said = f"That is {counted(error.found, _kind(error, rules))}; it takes {error.wanted}."
        case _:
            said = "That is one count of two."
    return f"{said} Type {answer_help(rules)}."


def _kind(error: NotationError, rules: Rules[Any]) -> str:
    """The noun for what there are too many or too few of."""
    if isinstance(rules, CodeGame):
        return "symbol" if error.wanted == rules.length else "count"
    return "mark"


def _mistake(error: NotationError, rules: Rules[Any] | None, text: str) -> str:
    facts = vars(error) | {
        "text": text,
        "place": error.position + 1,
        "peg": error.place + 1,
        "symbols": counted(error.found, "symbol"),
        "known": "0-9, + - * % and =" if isinstance(rules, Focdle) else _alphabet(rules),
        "difference": abs(error.found - error.wanted),
    }
    problem = error.problem
    if problem is Problem.UNKNOWN_SYMBOL and error.meant:
        return "{symbol} is no colour. Did you mean {meant}?".format_map(facts)
    return _MISTAKES[problem].format_map(facts)


def _alphabet(rules: Rules[Any] | None) -> str:
    if isinstance(rules, Mastermind):
        return " ".join(rules.alphabet) + ", or the colours' names"
    return "the digits 0-9"


_MISTAKES: Final[dict[Problem, str]] = {
    Problem.EMPTY: "Nothing was typed there.",
    Problem.UNKNOWN_SYMBOL: "{symbol} at place {place} is no symbol of this game. Use {known}.",
    Problem.INVISIBLE: "Something invisible stands at place {place} ({symbol}). Type it anew.",
    Problem.DIVISION: (
        "There is no division here ({symbol} at place {place}). % is the remainder: 17%5 is 2."
    ),
    Problem.POWER: "There are no powers here (** at place {place}). One * multiplies.",
    Problem.TOO_SHORT: "{text} has {symbols}, {wanted} are needed: {difference} missing.",
    Problem.TOO_LONG: "{text} has {symbols}, only {wanted} are wanted: {difference} too many.",
    Problem.NO_EQUALS: "{text} has no =. Put it and a result after the third number.",
    Problem.SECOND_EQUALS: (
        "{text} has a second = at place {place}. Use it once, before the result."
    ),
    Problem.TOO_FEW_OPERATORS: (
        "{text} has {found} of + - * % before its =, and needs {wanted}: three numbers go there."
    ),
    Problem.TOO_MANY_OPERATORS: "{text} has {found} of + - * %, and needs {wanted}.",
    Problem.OPERATOR_AFTER_EQUALS: (
        "{symbol} at place {place} stands after the =. Only the result may follow it."
    ),
    Problem.MISSING_VALUE: (
        "A number is missing before {symbol} at place {place}. Numbers have no sign of their own."
    ),
    Problem.LEADING_ZERO: (
        "The number {symbol} at place {place} starts with a zero. Write it without."
    ),
    Problem.ZERO_VALUE: "{symbol} at place {place} is too small: numbers go from 1 to 99.",
    Problem.VALUE_TOO_LARGE: "{symbol} at place {place} is too large: numbers go from 1 to 99.",
    Problem.ZERO_RESULT: "The result at place {place} must be at least 1.",
    Problem.RESULT_BELOW_ONE: "{text} is {symbol}, and a result is at least 1.",
    Problem.OTHER_LENGTH: "{symbol} has {symbols}, and {wanted} are needed.",
    Problem.COLOUR_NOT_IN_PLAY: "{symbol}, peg {peg}, is not in play. Use {known}.",
    Problem.REPEATED_SYMBOL: "{symbol} stands there twice, and repeats are not allowed here.",
}


def _clue(error: ContradictionError) -> str:
    turn, symbol, place = error.turn + 1, error.symbol, error.position + 1
    says: dict[Clue, Callable[[], str]] = {
        Clue.KEEP: lambda: f"Guess {turn} found {symbol} in place {place}: keep it there.",
        Clue.MOVE: lambda: f"Guess {turn} showed that {symbol} is not in place {place}.",
        Clue.USE: lambda: f"Guess {turn} found {_copies(error)}: use {_pronoun(error)}.",
        Clue.DROP: lambda: f"Guess {turn} showed that there is {_no_more(error)}.",
        Clue.SHOWN: lambda: f"A hint has shown {symbol} in place {place}.",
    }
    return f"{says[error.clue]()} In hard mode every guess must agree with all clues."


def _copies(error: ContradictionError) -> str:
    return error.symbol if error.copies == 1 else f"{error.copies} of {error.symbol}"


def _pronoun(error: ContradictionError) -> str:
    return "it" if error.copies == 1 else "as many"


def _no_more(error: ContradictionError) -> str:
    return f"only {error.copies} of {error.symbol}" if error.copies else f"no {error.symbol}"

"""What FoCdle refuses, in words: guesses, puzzles that do not exist, boards of other players."""

from typing import Final

from bot.focdle.model import errors
from bot.focdle.pages import labels
from bot.focdle.pages.board import example
from bot.refused import HardModeMidGameError, NoSuchDailyLengthError
from bot.text import counts
from bot.text.language import N_, ngettext, say
from bot.text.language import gettext as _
from bot.text.markup import code, small
from bot.text.refusals import Mistakes, Sentences, mistake, written
from engine import (
    Clue,
    ContradictionError,
    FalseEquationError,
    GameOverError,
    NoSuchLengthError,
    Problem,
    RepeatedGuessError,
)


def _guess_refused(error: errors.GuessRefusedError) -> str:
    cause, rules = error.cause, error.play.rules
    if isinstance(cause, GameOverError):
        return _("This puzzle is finished.")
    if isinstance(cause, FalseEquationError):
        fact, rule = _false(cause), _("In hard mode every guess must be true.")
    elif isinstance(cause, ContradictionError):
        fact, rule = _contradiction(cause), _("In hard mode every guess must fit all clues.")
    else:
        return _unspent(mistake(error, _MISTAKES, example=code(example(rules.length))))
    if rules.hard:
        return _unspent(f"{fact} {rule}")
    return f"{fact} {_('Spend a guess on it anyway?')}"


def _unspent(sentence: str) -> str:
    return f"{sentence}\n{small(_('No guess was spent.'))}"


def _false(error: FalseEquationError) -> str:
    left, _equals, _result = error.guess.partition("=")
    return say(N_("{left} is {value}, not {result}."), left=code(left), **written(error))


def _contradiction(error: ContradictionError) -> str:
    facts = written(error) | {
        "turn": str(error.turn + 1),
        "position": str(error.position + 1),
    }
    cannot = _("{guess} cannot win.").format(guess=code(error.guess))
    return f"{cannot} {_clue(error).format(**facts)}"


def _clue(error: ContradictionError) -> str:
    match error.clue:
        case Clue.KEEP:
            return _("Guess {turn} found {symbol} in place {position}: keep it there.")
        case Clue.MOVE:
            return _("Guess {turn} says that {symbol} is not in place {position}.")
        case Clue.USE:
            return ngettext(
                "Guess {turn} found {symbol}: use it.",
                "Guess {turn} found {copies} of {symbol}: use as many.",
                error.copies,
            )
        case Clue.DROP if error.copies:
            return ngettext(
                "Guess {turn} says that there is only one {symbol}.",
                "Guess {turn} says that there are only {copies} of {symbol}.",
                error.copies,
            )
        case Clue.DROP:
            return _("Guess {turn} says that there is no {symbol}.")
        case Clue.SHOWN:
            return _("A hint showed {symbol} in place {position}.")


_MISTAKES: Final[Mistakes] = {
    RepeatedGuessError: N_("{guess} was guess {turn} already."),
    Problem.TOO_SHORT: lambda difference: ngettext(
        "{text} has {found} of {wanted} symbols. Add one.",
        "{text} has {found} of {wanted} symbols. Add {difference}, as in {example}.",
        difference,
    ),
    Problem.TOO_LONG: lambda difference: ngettext(
        "{text} has {found} symbols, this puzzle {wanted}. Take one out.",
        "{text} has {found} symbols, this puzzle {wanted}. Take {difference} out.",
        difference,
    ),
    Problem.EMPTY: N_("Type an equation such as {example}."),
    Problem.UNKNOWN_SYMBOL: N_(
        "{text}: no {symbol} here (place {position}). Use `0`–`9`, `+ - * %` and `=`."
    ),
    Problem.DIVISION: N_(
        "{text}: no division here ({symbol} at place {position}). `%` is the remainder."
    ),
    Problem.POWER: N_("{text}: no powers here ({symbol} at place {position})."),
    Problem.NO_EQUALS: N_("{text} has no `=`. Put it after the third number."),
    Problem.SECOND_EQUALS: N_("{text} has a second `=` at place {position}."),
    Problem.TOO_FEW_OPERATORS: N_("{text} needs three numbers before the `=`, as in {example}."),
    Problem.TOO_MANY_OPERATORS: N_("{text} has {found} operators, and needs {wanted}."),
    Problem.OPERATOR_AFTER_EQUALS: N_(
        "{text}: after the `=` comes only the result, not {symbol} (place {position})."
    ),
    Problem.MISSING_VALUE: N_("{text}: a number is missing before {symbol} at place {position}."),
    Problem.LEADING_ZERO: N_(
        "{text}: no number starts with a zero ({symbol} at place {position})."
    ),
    Problem.ZERO_VALUE: N_(
        "{text}: {symbol} at place {position} is too small. Numbers go from 1 to 99."
    ),
    Problem.VALUE_TOO_LARGE: N_(
        "{text}: {symbol} at place {position} is too large. Numbers go from 1 to 99."
    ),
    Problem.ZERO_RESULT: N_("{text}: a result is at least 1."),
    Problem.RESULT_BELOW_ONE: N_("{text} is {symbol}, and a result is at least 1."),
    Problem.OTHER_LENGTH: N_("{symbol} has {symbols}, this puzzle {wanted}."),
}


def _no_such_length(error: NoSuchLengthError) -> str:
    message = N_("FoCdles have {shortest} to {symbols}, none has {length}.")
    return say(message, symbols=counts.symbols(error.longest), **written(error))


SENTENCES: Final[Sentences] = {
    errors.GuessRefusedError: _guess_refused,
    errors.UnreadablePuzzleError: N_(
        "{text} names no puzzle. Type a number (`12`, `#12/9`) or a date (`2026-01-12`)."
    ),
    errors.WhichPuzzleError: labels.WHICH,
    errors.NoSuchPuzzleError: N_("Puzzles begin with number 1 on {first_day}. Today's is {today}."),
    errors.FuturePuzzleError: N_("Puzzle {number} opens {opens_at}, on {day}. Today's is {today}."),
    errors.SpentDailyError: N_(
        "You opened puzzle {number} before you deleted your data. It opens again {again_at}; the "
        "next day's is open to you."
    ),
    NoSuchDailyLengthError: N_("Dailies have {shortest} to {symbols}, none has {length}."),
    NoSuchLengthError: _no_such_length,
    HardModeMidGameError: N_("Finish today's puzzle, number {number}, first."),
    errors.NoSuchPlayError: N_("That game is gone. Type `/focdle` for today's."),
    errors.NotYourPlayError: N_("That board is somebody else's. Yours: `/focdle`."),
}

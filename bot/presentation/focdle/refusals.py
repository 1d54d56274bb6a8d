"""What FoCdle refuses, in words: guesses, puzzles that do not exist, boards of other players."""

from collections.abc import Callable
from typing import Any, Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, long_date, ngettext
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import code, mention, relative_time, small
from bot.presentation.focdle.board import example
from bot.services.base.errors import HardModeMidGameError, NoSuchDailyLengthError
from bot.services.focdle.errors import (
    AlreadySharedError,
    BeingSharedError,
    FuturePuzzleError,
    GuessRefusedError,
    NoSuchPlayError,
    NoSuchPuzzleError,
    NotFinishedError,
    NotYourPlayError,
    UnreadablePuzzleError,
)
from engine import (
    Clue,
    ContradictionError,
    FalseEquationError,
    GameOverError,
    NoSuchLengthError,
    NotationError,
    Problem,
    RepeatedGuessError,
)


def _guess_refused(error: GuessRefusedError) -> str:
    cause = error.cause
    if isinstance(cause, GameOverError):
        return _("This puzzle is finished; no more guesses count.")
    if isinstance(cause, NotationError):
        sentence = _notation(error.text, cause, error.play.rules.length)
    elif isinstance(cause, RepeatedGuessError):
        sentence = _("You have played {guess} already, as guess {turn}. Try another one.").format(
            guess=code(cause.guess), turn=cause.turn + 1
        )
    elif isinstance(cause, FalseEquationError):
        sentence = _false(cause, hard=error.play.rules.hard)
    elif isinstance(cause, ContradictionError):
        sentence = _contradiction(cause)
    else:  # the engine has no other refusals; a new one must be worded here
        raise TypeError(f"no words for {type(cause).__name__}") from cause
    return f"{sentence}\n{small(_('This cost no guess.'))}"


def _false(error: FalseEquationError, *, hard: bool) -> str:
    left, _equals, _result = error.guess.partition("=")
    advice = _("You may still play it, to probe for symbols.")
    if hard:
        advice = _("In hard mode every guess must be true.")
    fact = _("{left} is {value}, not {result}.").format(
        left=code(left), value=error.value, result=error.result
    )
    return f"{fact} {advice}"


def _contradiction(error: ContradictionError) -> str:
    sentences = {
        Clue.KEEP: _("Guess {turn} found {symbol} in place {place}: keep it there."),
        Clue.MOVE: _("Guess {turn} showed that {symbol} is not in place {place}."),
        Clue.USE: ngettext(
            "Guess {turn} found {symbol}: use it.",
            "Guess {turn} found {copies} of {symbol}: use as many.",
            error.copies,
        ),
        Clue.DROP: _("Guess {turn} showed that there is no {symbol}."),
    }
    if error.clue is Clue.DROP and error.copies:
        sentences[Clue.DROP] = ngettext(
            "Guess {turn} showed that there is only one {symbol}.",
            "Guess {turn} showed that there are only {copies} of {symbol}.",
            error.copies,
        )
    sentence = sentences[error.clue].format(
        turn=error.turn + 1,
        symbol=code(error.symbol),
        place=error.position + 1,
        copies=error.copies,
    )
    rule = _("In hard mode every guess must agree with all clues.")
    return f"{sentence} {rule}"


def _notation(text: str, error: NotationError, length: int) -> str:
    facts = {
        "text": code(text),
        "symbol": code(error.symbol),
        "place": error.position + 1,
        "found": error.found,
        "wanted": error.wanted,
        "difference": abs(error.found - error.wanted),
        "length": length,
        "example": code(example(length)),
    }
    return _notation_sentence(error).format(**facts)


def _notation_sentence(error: NotationError) -> str:
    difference = abs(error.found - error.wanted)
    if error.problem is Problem.TOO_SHORT:
        return ngettext(
            "{text} has {found} of {wanted} symbols: one is missing.",
            "{text} has {found} of {wanted} symbols: {difference} are missing.",
            difference,
        )
    if error.problem is Problem.TOO_LONG:
        return ngettext(
            "{text} has {found} symbols, this puzzle has {wanted}: one too many.",
            "{text} has {found} symbols, this puzzle has {wanted}: {difference} too many.",
            difference,
        )
    return _(_NOTATION[error.problem])


_NOTATION: Final = {
    Problem.EMPTY: N_("Nothing was typed. Type an equation such as {example}."),
    Problem.UNKNOWN_SYMBOL: N_(
        "{text}: {symbol} at place {place} is not a FoCdle symbol. Use `0`–`9`, `+ - * %` and `=`."
    ),
    Problem.DIVISION: N_(
        "{text}: there is no division here ({symbol} at place {place}). "
        "`%` is the remainder: `17%5` is 2."
    ),
    Problem.NO_EQUALS: N_("{text} has no `=`. Put `=` and a result after the third number."),
    Problem.SECOND_EQUALS: N_(
        "{text} has a second `=` at place {place}. Use it once, before the result."
    ),
    Problem.TOO_FEW_OPERATORS: N_(
        "{text} has too few of `+ - * %` before the `=`: {found} instead of {wanted}. "
        "Put three numbers there, as in {example}."
    ),
    Problem.TOO_MANY_OPERATORS: N_(
        "{text} has too many of `+ - * %` before the `=`: {found} instead of {wanted}. "
        "{symbol} at place {place} is the first to go."
    ),
    Problem.OPERATOR_AFTER_EQUALS: N_(
        "{text}: {symbol} at place {place} stands after the `=`. Only the result may follow it."
    ),
    Problem.MISSING_VALUE: N_(
        "{text}: a number is missing before {symbol} at place {place}. "
        "Numbers have no sign of their own."
    ),
    Problem.MISSING_RESULT: N_("{text} ends with its `=`. Put the result after it."),
    Problem.LEADING_ZERO: N_(
        "{text}: the number {symbol} at place {place} starts with a zero. Write it without."
    ),
    Problem.ZERO_VALUE: N_(
        "{text}: {symbol} at place {place} is too small. The three numbers go from 1 to 99."
    ),
    Problem.VALUE_TOO_LARGE: N_(
        "{text}: {symbol} at place {place} is too large. The three numbers go from 1 to 99."
    ),
    Problem.ZERO_RESULT: N_("{text}: the result at place {place} must be at least 1."),
}


def _unreadable_puzzle(error: UnreadablePuzzleError) -> str:
    return _(
        "{text} names no puzzle. Type a number such as `12`, a date such as `2026-01-12`, "
        "or either with a length, such as `12/9`; leave it out for today's."
    ).format(text=code(error.text))


def _no_such_puzzle(error: NoSuchPuzzleError) -> str:
    return _(
        "There is no such puzzle: they begin with number 1 on {day}. Today's is number {today}."
    ).format(day=long_date(error.first_day), today=error.today_number)


def _future_puzzle(error: FuturePuzzleError) -> str:
    return _("Puzzle {number} opens {when}, on {day}. Today's is number {today}.").format(
        number=error.number,
        when=relative_time(error.opens_at),
        day=long_date(error.day),
        today=error.today_number,
    )


def _no_such_daily_length(error: NoSuchDailyLengthError) -> str:
    return _("Dailies have {shortest} to {symbols}, none has {length}.").format(
        shortest=error.shortest, symbols=counts.symbols(error.longest), length=error.length
    )


def _no_such_length(error: NoSuchLengthError) -> str:
    return _("FoCdles have {shortest} to {symbols}, none has {length}.").format(
        shortest=error.shortest, symbols=counts.symbols(error.longest), length=error.length
    )


def _hard_mode_mid_game(error: HardModeMidGameError) -> str:
    return _(
        "You are in the middle of today's puzzle, number {number}, and a game keeps its rules to "
        "the end. Finish it, then switch hard mode."
    ).format(number=error.number)


def _no_such_play(_error: NoSuchPlayError) -> str:
    return _("That game is no longer stored. Type `/focdle` to play today's.")


def _not_your_play(error: NotYourPlayError) -> str:
    return _("That board is {owner}'s. Type `/focdle` to play on your own.").format(
        owner=mention(error.owner_id)
    )


def _not_finished(_error: NotFinishedError) -> str:
    return _("You can share your result when the puzzle is finished.")


def _already_shared(_error: AlreadySharedError) -> str:
    return _("You have shared this result in this channel already.")


def _being_shared(error: BeingSharedError) -> str:
    return _(
        "You have just shared this result in this channel. If it has not appeared, press **Share** "
        "again {when}."
    ).format(when=relative_time(error.until))


FOCDLE_WORDS: Final[dict[type[Exception], Callable[[Any], str]]] = {
    GuessRefusedError: _guess_refused,
    UnreadablePuzzleError: _unreadable_puzzle,
    NoSuchPuzzleError: _no_such_puzzle,
    FuturePuzzleError: _future_puzzle,
    NoSuchDailyLengthError: _no_such_daily_length,
    NoSuchLengthError: _no_such_length,
    HardModeMidGameError: _hard_mode_mid_game,
    NoSuchPlayError: _no_such_play,
    NotYourPlayError: _not_your_play,
    NotFinishedError: _not_finished,
    AlreadySharedError: _already_shared,
    BeingSharedError: _being_shared,
}

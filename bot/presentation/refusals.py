"""Every typed error as one precise sentence that says what to do."""

from collections.abc import Callable
from typing import Any, Final

from bot.presentation.boards import example
from bot.presentation.language import N_, long_date, ngettext
from bot.presentation.language import gettext as _
from bot.presentation.markup import code, mention, relative_time, small
from bot.services.errors import (
    AlreadySharedError,
    FuturePuzzleError,
    GuessRefusedError,
    NoSuchDailyLengthError,
    NoSuchPlayError,
    NoSuchPuzzleError,
    NotFinishedError,
    NotYourPlayError,
    UnreadablePuzzleError,
)
from bot.storage.errors import ClosingError, StorageBusyError
from engine import GameOverError, IllegalGuessError, NotationError, Problem


def refusal(error: Exception) -> str | None:
    """What to tell the player; None for errors that are nobody's mistake but ours."""
    word = _WORDS.get(type(error))
    return None if word is None else word(error)


def breakdown(reference: str) -> str:
    """What to tell the player when something of ours broke."""
    return _(
        "Something went wrong on our side; your game is safe. If it happens again, "
        "tell the people who run this bot: reference {reference}."
    ).format(reference=code(reference))


def _guess_refused(error: GuessRefusedError) -> str:
    cause = error.cause
    if isinstance(cause, NotationError):
        sentence = _notation(error.text, cause, error.play.rules.length)
    elif isinstance(cause, IllegalGuessError):
        sentence = _("You have played {guess} already, as guess {turn}. Try another one.").format(
            guess=code(cause.guess), turn=cause.turn + 1
        )
    elif isinstance(cause, GameOverError):
        return _("This puzzle is finished; no more guesses count.")
    else:  # the engine has no other refusals; a new one must be worded here
        raise TypeError(f"no words for {type(cause).__name__}") from cause
    return f"{sentence}\n{small(_('This cost no guess.'))}"


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
            "{text} has {found} symbols, this puzzle has {wanted}: one is missing.",
            "{text} has {found} symbols, this puzzle has {wanted}: {difference} are missing.",
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
    return _("Dailies have {shortest} to {longest} symbols, none has {length}.").format(
        shortest=error.shortest, longest=error.longest, length=error.length
    )


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


def _busy(_error: StorageBusyError) -> str:
    return _("The bot is very busy. Nothing was lost; please try again in a moment.")


def _closing(_error: ClosingError) -> str:
    return _("The bot is restarting. Nothing was lost; please try again in a minute.")


_WORDS: Final[dict[type[Exception], Callable[[Any], str]]] = {
    GuessRefusedError: _guess_refused,
    UnreadablePuzzleError: _unreadable_puzzle,
    NoSuchPuzzleError: _no_such_puzzle,
    FuturePuzzleError: _future_puzzle,
    NoSuchDailyLengthError: _no_such_daily_length,
    NoSuchPlayError: _no_such_play,
    NotYourPlayError: _not_your_play,
    NotFinishedError: _not_finished,
    AlreadySharedError: _already_shared,
    StorageBusyError: _busy,
    ClosingError: _closing,
}


def outdated() -> str:
    """What to tell the player about a button or form that this version does not know."""
    return _("That is from an older version of this bot. Type `/focdle` for a fresh board.")

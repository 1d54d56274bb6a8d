"""Finds the puzzle that a typed text means."""

import re
from datetime import date
from typing import Final

from bot.model.dailies import (
    FIRST_DAY,
    LONGEST_DAILY,
    SHORTEST_DAILY,
    PuzzleName,
    day_of,
    number_of,
)
from bot.services.base.clock import start_of
from bot.services.base.errors import NoSuchDailyLengthError
from bot.services.focdle.errors import FuturePuzzleError, NoSuchPuzzleError, UnreadablePuzzleError

_NUMBER: Final = re.compile(r"#?\s*(\d{1,9})", re.ASCII)
_DATE: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_LENGTH: Final = re.compile(r"\d{1,9}", re.ASCII)


def name_puzzle(text: str | None, *, today: date, zone: str, length: int) -> PuzzleName:
    """The puzzle a player means: today's, or ``318``, ``#318``, ``2026-11-14``, ``318/9``.

    Args:
        text: what the player typed; None or blank means today's.
        today: the date where the player is.
        zone: the IANA zone that date is in.
        length: the length if the text names none.

    Raises:
        UnreadablePuzzleError, NoSuchPuzzleError, FuturePuzzleError,
        NoSuchDailyLengthError: there is no such puzzle to play.
    """
    today_number = number_of(today)
    if today_number < 1:
        raise NoSuchPuzzleError(first_day=FIRST_DAY, today=today_number)
    if text is None or not text.strip():
        return PuzzleName(today_number, length)
    which, slash, typed_length = (part.strip() for part in text.partition("/"))
    if slash:
        length = _read_length(typed_length, text)
    number = _read_number(which, text) if which else today_number
    if number < 1:
        raise NoSuchPuzzleError(first_day=FIRST_DAY, today=today_number)
    if number > today_number:
        raise _future(number, zone, today_number)
    return PuzzleName(number, length)


def is_number(text: str) -> bool:
    """Whether a text can be the number of a puzzle."""
    return _LENGTH.fullmatch(text) is not None


def split_length(typed: str, usual: int) -> tuple[str, int]:
    """Split a typed text into the puzzle and the length at its end, if dailies have that length."""
    which, _slash, digits = (part.strip() for part in typed.partition("/"))
    if is_number(digits) and SHORTEST_DAILY <= int(digits) <= LONGEST_DAILY:
        return which, int(digits)
    return which, usual


def _read_length(digits: str, text: str) -> int:
    if not _LENGTH.fullmatch(digits):
        raise UnreadablePuzzleError(text=text)
    length = int(digits)
    if not SHORTEST_DAILY <= length <= LONGEST_DAILY:
        raise NoSuchDailyLengthError(length=length, shortest=SHORTEST_DAILY, symbols=LONGEST_DAILY)
    return length


def _read_number(which: str, text: str) -> int:
    if match := _NUMBER.fullmatch(which):
        return int(match[1])
    if match := _DATE.fullmatch(which):
        try:
            return number_of(date(int(match[1]), int(match[2]), int(match[3])))
        except ValueError:  # no such day in the calendar
            raise UnreadablePuzzleError(text=text) from None
    raise UnreadablePuzzleError(text=text)


def _future(number: int, zone: str, today_number: int) -> FuturePuzzleError | UnreadablePuzzleError:
    try:
        day = day_of(number)
        return FuturePuzzleError(
            number=number, day=day, opens_at=start_of(day, zone), today=today_number
        )
    except OverflowError:  # beyond the calendar's last year
        return UnreadablePuzzleError(text=str(number))

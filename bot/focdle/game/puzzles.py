"""Finds the puzzle that a typed text means."""

import re
from datetime import date, timedelta
from typing import Final

from bot.clock import start_of
from bot.dailies import FIRST_DAY, LONGEST_DAILY, SHORTEST_DAILY, PuzzleName, day_of, number_of
from bot.focdle.model.errors import (
    FuturePuzzleError,
    NoSuchPuzzleError,
    UnreadablePuzzleError,
    WhichPuzzleError,
)
from bot.refused import NoSuchDailyLengthError

_NUMBER: Final = re.compile(r"#?\s*(\d{1,9})", re.ASCII)
_ISO_DATE: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_DOTTED_DATE: Final = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.?(?:\s*(\d{4}))?", re.ASCII)
_SLASHED_DATE: Final = re.compile(r"(\d{1,2})\s*/\s*(\d{1,2})(?:\s*/\s*(\d{4}))?", re.ASCII)
_LENGTH: Final = re.compile(r"\d{1,9}", re.ASCII)
_DAYS_AGO: Final = {"today": 0, "yesterday": 1}


def name_puzzle(
    text: str | None, *, today: date, zone: str, length: int, day_first: bool
) -> PuzzleName:
    """The puzzle a player means: today's, ``318``, ``#318/9``, ``2026-11-14``, ``14.11.``.

    Without ``#``, ``11/9`` is a date, if it can be one of the past, and else a number and a length.

    Args:
        text: what the player typed; None or blank means today's.
        today: the date where the player is.
        zone: the IANA zone that date is in.
        length: the length if the text names none.
        day_first: whether the day stands before the month in the player's language.

    Raises:
        UnreadablePuzzleError, NoSuchPuzzleError, FuturePuzzleError,
        NoSuchDailyLengthError: there is no such puzzle to play.
        WhichPuzzleError: it can be a date as well as a number and a length.
    """
    today_number = number_of(today)
    if today_number < 1:
        raise NoSuchPuzzleError(first_day=FIRST_DAY, today=today_number)
    text = (text or "").strip()
    day = _slashed_day(text, today, day_first=day_first)
    if day is not None:
        of_date, (which, other) = PuzzleName(number_of(day), length), split_length(text, 0)
        if other and 1 <= int(which) <= today_number:
            raise WhichPuzzleError(of_date=of_date, of_number=PuzzleName(int(which), other))
        return of_date
    which, slash, typed_length = (part.strip() for part in text.partition("/"))
    if slash:
        length = _read_length(typed_length, text)
    number = _read_number(which, text, today) if which else today_number
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


def _read_number(which: str, text: str, today: date) -> int:
    if match := _NUMBER.fullmatch(which):
        return int(match[1])
    if which.lower() in _DAYS_AGO:
        return number_of(today - timedelta(days=_DAYS_AGO[which.lower()]))
    day = None
    if match := _ISO_DATE.fullmatch(which):
        day = _day(match[1], match[2], match[3])
    elif match := _DOTTED_DATE.fullmatch(which):
        year = match[3] or _latest_year(match[2], match[1], today)
        day = _day(year, match[2], match[1])
    if day is None:
        raise UnreadablePuzzleError(text=text)
    return number_of(day)


def _slashed_day(text: str, today: date, *, day_first: bool) -> date | None:
    """The day of the past that ``a/b`` or ``a/b/2026`` is; None for none."""
    match = _SLASHED_DATE.fullmatch(text)
    if match is None:
        return None
    month, day = (match[2], match[1]) if day_first else (match[1], match[2])
    found = _day(match[3] or _latest_year(month, day, today), month, day)
    return found if found and FIRST_DAY <= found <= today else None


def _latest_year(month: str, day: str, today: date) -> int:
    """The last year in which this day has come."""
    return today.year - ((int(month), int(day)) > (today.month, today.day))


def _day(year: str | int, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:  # no such day in the calendar
        return None


def _future(number: int, zone: str, today_number: int) -> FuturePuzzleError | UnreadablePuzzleError:
    try:
        day = day_of(number)
        return FuturePuzzleError(
            number=number, day=day, opens_at=start_of(day, zone), today=today_number
        )
    except OverflowError:  # beyond the calendar's last year
        return UnreadablePuzzleError(text=str(number))

"""Which puzzle a typed text means: numbers, lengths, and dates as people write them."""

from datetime import date
from functools import partial

import pytest

from bot.clock import PuzzleName, number_of
from bot.focdle.model import (
    FuturePuzzleError,
    NoSuchPuzzleError,
    UnreadablePuzzleError,
    WhichPuzzleError,
)
from bot.focdle.plays import name_puzzle
from bot.refused import Refused
from bot.text.language import in_language, is_day_first

TODAY = date(2026, 11, 25)


def meant(text: str, *, day_first: bool, today: date = TODAY) -> PuzzleName:
    read = partial(name_puzzle, text, today=today, zone="UTC", length=10)
    return in_language("en-GB" if day_first else "en-US", read)


def on(month: int, day: int, length: int = 10, year: int = 2026) -> PuzzleName:
    return PuzzleName(number_of(date(year, month, day)), length)


@pytest.mark.parametrize(
    ("text", "month_first", "day_first"),
    [
        ("", on(11, 25), on(11, 25)),
        ("/9", on(11, 25, 9), on(11, 25, 9)),
        ("12", PuzzleName(12, 10), PuzzleName(12, 10)),
        (" # 12 / 9 ", PuzzleName(12, 9), PuzzleName(12, 9)),
        ("#6/9", PuzzleName(6, 9), PuzzleName(6, 9)),
        ("2026-11-24", on(11, 24), on(11, 24)),
        ("2026-9-4/12", on(9, 4, 12), on(9, 4, 12)),
        ("Yesterday", on(11, 24), on(11, 24)),
        ("today/13", on(11, 25, 13), on(11, 25, 13)),
        ("24.11.", on(11, 24), on(11, 24)),
        ("4.3", on(3, 4), on(3, 4)),
        ("4. 3. 2026/9", on(3, 4, 9), on(3, 4, 9)),
        ("4/3", on(4, 3), on(3, 4)),
        ("4/3/2026", on(4, 3), on(3, 4)),
        ("10/24", on(10, 24), None),  # no length either
        ("24/10", PuzzleName(24, 10), WhichPuzzleError),
        ("11/25", on(11, 25), None),
        ("12/9", PuzzleName(12, 9), WhichPuzzleError),  # December has not come
        ("9/12", WhichPuzzleError, PuzzleName(9, 12)),
        ("31/9", PuzzleName(31, 9), PuzzleName(31, 9)),  # September has thirty days
        ("325/9", PuzzleName(325, 9), PuzzleName(325, 9)),
        ("26.11.", NoSuchPuzzleError, NoSuchPuzzleError),  # the last one was in 2025
        ("26.11.2026", FuturePuzzleError, FuturePuzzleError),
        ("30.2.", UnreadablePuzzleError, UnreadablePuzzleError),
        ("32.1.", UnreadablePuzzleError, UnreadablePuzzleError),
        ("tomorrow", UnreadablePuzzleError, UnreadablePuzzleError),
        ("1/2/3", UnreadablePuzzleError, UnreadablePuzzleError),
    ],
)
def test_a_written_date_is_read_with_the_day_first_or_with_the_month_first(
    text: str,
    month_first: PuzzleName | type[Refused],
    day_first: PuzzleName | type[Refused] | None,
) -> None:
    for expected, is_first in ((month_first, False), (day_first, True)):
        if isinstance(expected, PuzzleName):
            assert meant(text, day_first=is_first) == expected
        else:
            with pytest.raises(expected or Refused):
                meant(text, day_first=is_first)


def test_an_ambiguous_name_of_a_puzzle_offers_both_meanings() -> None:
    with pytest.raises(WhichPuzzleError) as asked:
        meant("12/9", day_first=True)
    assert asked.value.of_date == on(9, 12)
    assert asked.value.of_number == PuzzleName(12, 9)


def test_a_date_without_a_year_is_the_most_recent_one() -> None:
    today = date(2027, 2, 1)
    assert meant("24.11.", day_first=False, today=today) == on(11, 24)
    assert meant("1/2", day_first=True, today=today) == on(2, 1, year=2027)
    assert meant("2/2", day_first=True, today=today) == on(2, 2)


def test_a_language_decides_whether_day_or_month_comes_first() -> None:
    month_first = ("en-US", "ja", "zh-CN", "hu", "nonsense")
    assert [tag for tag in month_first if in_language(tag, is_day_first)] == []
    assert [
        tag for tag in ("en-GB", "de", "fr", "pt-BR") if not in_language(tag, is_day_first)
    ] == []

"""What cannot be seen: between two symbols it is refused by its name, at the ends it is nothing."""

import re
import sys
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from engine import BullsAndCows, Focdle, Mastermind, NotationError, Problem, read_turn

READ: list[tuple[Callable[[str], Any], str, str]] = [
    (Focdle().parse, "1", "2+3+45=60"),
    (Focdle().parse, "12+3+45 ", " =60"),
    (Focdle().parse, "**12 mo", "d 5*45=90**."),
    (Focdle().read_feedback, "xyg xy", "xxggg"),
    (Mastermind().parse, "red, yel", "low, green, blue"),
    (Mastermind().parse, "🔴🟡 ", "🟢🔵"),
    (Mastermind().parse, "<:r", "0:11><:y0:22><:g0:333><:b0:4>"),
    (Mastermind().read_feedback, "● ", "○"),
    (BullsAndCows().parse, "04,", "27"),
    (BullsAndCows().read_feedback, "2B", "1C"),
    (lambda text: read_turn(BullsAndCows(), text), "04", "27 2 1"),
    (lambda text: read_turn(BullsAndCows(), text), "0427 2B", "1C"),
]
# Phones put them in: marks of direction, but for overrides, and how the symbol before them looks.
UNNOTICED = {
    c
    for c in map(chr, range(sys.maxunicode + 1))
    if unicodedata.bidirectional(c) in {"LRE", "RLE", "PDF", "LRI", "RLI", "FSI", "PDI"}
    or re.fullmatch(
        r"(LEFT-TO-RIGHT|RIGHT-TO-LEFT|ARABIC LETTER) MARK|VARIATION SELECTOR-\d+",
        unicodedata.name(c, ""),
    )
}
NAMED = re.compile(
    r"MONGOLIAN.*VARIATION SELECTOR.*|(HALFWIDTH )?HANGUL .*FILLER|COMBINING GRAPHEME JOINER"
    r"|KHMER VOWEL INHERENT A[AQ]|BRAILLE PATTERN BLANK"
)


def invisible() -> list[str]:
    found = [
        c
        for c in map(chr, range(sys.maxunicode + 1))
        if (unicodedata.category(c) in {"Cf", "Cc"} and not c.isspace())
        or NAMED.fullmatch(unicodedata.name(c, ""))
    ]
    return [c for c in found if c not in UNNOTICED]


INVISIBLE = invisible()


@pytest.mark.parametrize(("read", "before", "after"), READ)
def test_an_invisible_character_between_symbols_is_refused_by_its_name(
    read: Callable[[str], Any], before: str, after: str
):
    assert len(INVISIBLE) > 200
    for character in INVISIBLE:
        with pytest.raises(NotationError) as caught:
            read(before + character + after)
        name = unicodedata.name(character, "").lower() or f"U+{ord(character):04X}"
        fault = caught.value
        assert (fault.problem, fault.position) == (Problem.INVISIBLE, len(before)), repr(character)
        assert fault.symbol == name


@pytest.mark.parametrize(("read", "before", "after"), READ)
def test_an_invisible_character_at_the_ends_is_ignored(
    read: Callable[[str], Any], before: str, after: str
):
    for character in {*INVISIBLE, *UNNOTICED}:
        assert read(f"{character} {before}{after}{character}") == read(before + after)


@pytest.mark.parametrize(("read", "before", "after"), READ)
def test_direction_marks_and_variation_selectors_from_phones_are_ignored(
    read: Callable[[str], Any], before: str, after: str
):
    assert len(UNNOTICED) == 266
    if before[-1].isalpha() and after[0].isalnum():
        return  # it would stand in a word
    for character in UNNOTICED:
        assert read(before + character + after) == read(before + after)

"""Bulls and Cows: what typed digits are understood as."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import BullsAndCows, Code, NotationError, Problem
from tests.engine.material import SMALL, Fault, codes, fault_of
from tests.support.effort import examples

GAMES = [rules for rules in SMALL if isinstance(rules, BullsAndCows)]
LONG = BullsAndCows(6, repeats=True)


def wide(text: str) -> str:
    """The fullwidth forms, as an East Asian keyboard makes them."""
    return "".join(chr(ord(symbol) + 0xFEE0) for symbol in text)


def understood(rules: BullsAndCows, text: str) -> Code | NotationError:
    try:
        return rules.parse(text)
    except NotationError as fault:
        return fault


@pytest.mark.parametrize(
    "typed",
    [
        "0427",
        " 0 4 2 7\n",
        "0,4,2,7",
        "0.4-2_7",
        "0;4–2—7",
        wide("0427"),
        wide("0,4") + "27",
        "0️⃣4️⃣2️⃣7️⃣",
        "0\u20e34\u20e327",
        "\u200e\ufeff0427\u200f\u2060",
        "04\\_27",
        "||**0427**||",
        "`0427`.",
        "04\u00a02\u202f7\u3000",
        "٠٤२７",
    ],
)
def test_a_guess_is_read_in_every_spelling(typed: str):
    assert BullsAndCows().parse(typed) == "0427"


@examples(25, 1000)
@given(st.data())
def test_a_code_is_read_in_any_mix_of_spellings(data: st.DataObject):
    code = data.draw(codes(LONG))
    between = st.sampled_from(["", " ", ",", "-", "\ufe0f\u20e3"])
    typed = "".join(
        data.draw(st.sampled_from([digit, wide(digit)])) + data.draw(between) for digit in code
    )
    assert LONG.parse(typed) == code


FAULTS = [
    (BullsAndCows(), "", Fault(Problem.EMPTY, 0)),
    (BullsAndCows(), " - \u200b\ufe0f", Fault(Problem.EMPTY, 0)),
    (BullsAndCows(), "12\u200b34", Fault(Problem.INVISIBLE, 2, "zero width space")),
    (BullsAndCows(), "\u200b1\u3164234", Fault(Problem.INVISIBLE, 2, "hangul filler")),
    (BullsAndCows(), "12a4", Fault(Problem.UNKNOWN_SYMBOL, 2, "a")),
    (BullsAndCows(), "  12 3²", Fault(Problem.UNKNOWN_SYMBOL, 6, "²")),
    (BullsAndCows(), "123⁴", Fault(Problem.UNKNOWN_SYMBOL, 3, "⁴")),
    (BullsAndCows(), "1️⃣ ②", Fault(Problem.UNKNOWN_SYMBOL, 4, "②")),
    (BullsAndCows(), "➀234", Fault(Problem.UNKNOWN_SYMBOL, 0, "➀")),
    (BullsAndCows(), "12" + wide("a"), Fault(Problem.UNKNOWN_SYMBOL, 2, wide("a"))),
    (BullsAndCows(), "112x3", Fault(Problem.UNKNOWN_SYMBOL, 3, "x")),
    (BullsAndCows(), "123", Fault(Problem.TOO_SHORT, 3, found=3, wanted=4)),
    (BullsAndCows(), " 1-1 ", Fault(Problem.TOO_SHORT, 5, found=2, wanted=4)),
    (BullsAndCows(), "12345", Fault(Problem.TOO_LONG, 4, found=5, wanted=4)),
    (BullsAndCows(), "1️⃣1️⃣1️⃣1️⃣1️⃣1️⃣", Fault(Problem.TOO_LONG, 12, found=6, wanted=4)),
    (BullsAndCows(), "1231", Fault(Problem.REPEATED_SYMBOL, 3, "1")),
    (BullsAndCows(), " 0, 1, 1, 0", Fault(Problem.REPEATED_SYMBOL, 7, "1")),
]


@pytest.mark.parametrize(("rules", "typed", "expected"), FAULTS)
def test_a_refused_text_shows_its_mistake_and_the_place(
    rules: BullsAndCows, typed: str, expected: Fault
):
    with pytest.raises(NotationError) as caught:
        rules.parse(typed)
    assert fault_of(caught.value) == expected


texts = st.one_of(st.text(), st.text("0123456789" + wide("09") + "²٤ ,.-_–\ufe0f\u20e3\u200bx"))


@examples(75, 5000)
@given(st.sampled_from([*GAMES, LONG]), texts)
@example(LONG, "1" * 4000)
@example(LONG, "-" * 4000)
def test_any_text_parses_as_a_number_or_is_refused_at_a_place_in_it(rules: BullsAndCows, text: str):
    answer = understood(rules, text)
    if isinstance(answer, NotationError):
        assert 0 <= answer.position <= len(text)
        return
    assert rules.is_code(answer)
    assert rules.parse(answer) == answer

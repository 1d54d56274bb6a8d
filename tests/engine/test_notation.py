"""Rules as short strings: what is written can be read, and nothing else."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    BullsAndCows,
    Focdle,
    ImpossibleRulesError,
    Mastermind,
    NoSuchLengthError,
    TooManyCodesError,
    decode,
)

AnyRules = Focdle | Mastermind | BullsAndCows


def every_setting() -> list[AnyRules]:
    """All there are, at a few numbers of guesses."""
    found: list[AnyRules] = [
        Focdle(length, guesses, hard)
        for length, guesses, hard in product(range(7, 16), (1, 6, 99), (False, True))
    ]
    for repeats, guesses in product((False, True), (1, 9, 10, 99)):
        for colours, pegs in product(range(2, 11), range(1, 13)):
            if (repeats and colours**pegs <= 10**6) or (not repeats and pegs <= min(colours, 7)):
                found.append(
                    Mastermind(pegs=pegs, colours=colours, repeats=repeats, max_guesses=guesses)
                )
        found += [BullsAndCows(n, repeats, guesses) for n in range(1, 7 if repeats else 8)]
    return found


def test_all_rules_have_different_notations_and_are_read_back_from_them():
    settings = every_setting()
    for rules in settings:
        assert decode(rules.encode()) == rules
        assert type(rules).decode(rules.encode()) == rules
    assert len({rules.encode() for rules in settings}) == len(settings) > 500


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (Focdle(), "focdle:10/6"),
        (Focdle(hard=True), "focdle:10/6h"),
        (Mastermind(), "mastermind:4x6r/12"),
        (Mastermind(pegs=3, colours=10, repeats=False, max_guesses=7), "mastermind:3x10/7"),
        (BullsAndCows(), "bulls:4/30"),
        (BullsAndCows(3, repeats=True, max_guesses=9), "bulls:3r/9"),
    ],
)
def test_rules_have_the_notation_that_stored_games_use(rules: AnyRules, text: str):
    assert rules.encode() == text
    assert decode(text) == rules


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":",
        "bulls",
        "bulls:",
        "bulls:4",
        "bulls:4/",
        "bulls:/30",
        "bulls:0/30",
        "bulls:04/30",
        "bulls:4/030",
        "bulls:4/0",
        "bulls:4/100",
        "bulls:11/30",
        "bulls:4R/30",
        "bulls:4rr/30",
        "bulls:4/30r",
        "bulls:4/30\n",
        " bulls:4/30",
        "bulls:٤/30",
        "bulls:4/3٠",
        "bulls:-4/30",
        "BULLS:4/30",
        "cows:4/30",
        "mastermind:4/30",
        "mastermind:4x6r",
        "mastermind:4x6r/",
        "mastermind:4X6r/12",
        "mastermind:4x6rr/12",
        "mastermind:4x6r/1٢",
        "mastermind:4x6r/12\n",
        "mastermind:04x6r/12",
        "mastermind:4x1r/12",
        "mastermind:4x11r/12",
        "mastermind:13x2r/12",
        "mastermind:7x6/12",
        "mastermind:4x6r/100",
        "mastermind:" + "9" * 5000 + "x6r/12",
        "bulls:10/6h",
        "focdle:4x6r/12",
        "focdle",
        "focdle:",
        "focdle:10",
        "focdle:10/",
        "focdle:/6",
        "focdle:10/0",
        "focdle:010/6",
        "focdle:10/06",
        "focdle:-10/6",
        "focdle:10/6/1",
        "focdle:10/6\n",
        " focdle:10/6",
        "focdle:1๐/6",
        "FOCDLE:10/6",
        "focdle:16/6",
        "focdle:100/6",
    ],
)
def test_a_text_that_describes_impossible_rules_is_refused(text: str):
    for read in (decode, Focdle.decode, Mastermind.decode, BullsAndCows.decode):
        with pytest.raises(ImpossibleRulesError):
            read(text)


@pytest.mark.parametrize("text", ["mastermind:12x10r/12", "bulls:8/30", "bulls:7r/30"])
def test_a_notation_with_too_many_codes_is_refused_for_that_reason(text: str):
    with pytest.raises(TooManyCodesError):
        decode(text)


def test_a_notation_of_a_length_without_secrets_is_refused_for_that_reason():
    with pytest.raises(NoSuchLengthError):
        decode("focdle:16/6")


@given(st.text() | st.text("bulsmaterindfoc:0123456789xrh/"))
def test_any_text_that_is_no_notation_is_refused(text: str):
    try:
        rules = decode(text)
    except ImpossibleRulesError:
        return
    assert rules.encode() == text

"""Mastermind: what typed colours are understood as."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import COLOURS, Code, Mastermind, NotationError, Problem
from tests.engine.material import SMALL, Fault, codes, fault_of
from tests.support.effort import examples

GAMES = [rules for rules in SMALL if isinstance(rules, Mastermind)]
ALL = Mastermind(pegs=5, colours=10)
DISTINCT = Mastermind(pegs=4, colours=6, repeats=False)

# Each colour's letter, name and pictures.
SPELLINGS = {
    "R": ["r", "red", "Red", "RED", "🔴", "🟥", "❤", "❤️", "♥️", "ｒ", "ＲＥＤ"],
    "O": ["o", "orange", "Orange", "🟠", "🟧", "🧡"],
    "Y": ["y", "yellow", "YELLOW", "🟡", "🟨", "💛"],
    "G": ["g", "green", "Green", "🟢", "🟩", "💚", "🟢\ufe0f"],
    "B": ["b", "blue", "bLuE", "🔵", "🟦", "💙"],
    "P": ["p", "purple", "Purple", "🟣", "🟪", "💜"],
    "C": ["c", "cyan", "Cyan", "🩵"],
    "K": ["k", "pink", "Pink", "🩷"],
    "N": ["n", "brown", "BROWN", "🟤", "🟫", "🤎"],
    "W": ["w", "white", "White", "⚪", "⚪️", "⬜", "⬜️", "🤍"],
}


def understood(rules: Mastermind, text: str) -> Code | NotationError:
    try:
        return rules.parse(text)
    except NotationError as fault:
        return fault


def test_every_colour_has_its_letter():
    assert "".join(SPELLINGS) == COLOURS
    assert Mastermind().alphabet == "ROYGBP"
    assert ALL.alphabet == COLOURS


@pytest.mark.parametrize("rules", GAMES, ids=str)
def test_every_code_parses_to_itself_in_either_case(rules: Mastermind):
    for code in rules.codes():
        assert rules.parse(code) == code
        assert rules.parse(code.lower()) == code


def test_the_word_brown_is_one_peg_unless_only_its_letters_form_the_guess():
    assert ALL.parse("BROWN") == "BROWN"
    assert Mastermind(pegs=6, colours=10, repeats=False).parse("brownc") == "BROWNC"
    assert ALL.parse("brown brown brown brown brown") == "NNNNN"
    assert Mastermind(pegs=4, colours=10).parse("brown red red blue") == "NRRB"
    assert Mastermind(pegs=1, colours=10).parse("brown") == "N"


@pytest.mark.parametrize(
    "typed",
    [
        "rygb",
        "R Y G B",
        "r,y,g,b",
        "R, Y; G. B",
        "r-y_g–b",
        "red yellow green blue",
        "Red, Yellow, Green, Blue",
        "redyellowgreenblue",
        "🔴🟡🟢🔵",
        "🟥 🟨 🟩 🟦",
        "❤️💛💚💙",
        "red Y 🟢 b",
        "ｒｙｇｂ",
        "\u200b R\u00a0YG\u3000B\n\u2060",
        "\\r\\y\\g\\b",
        "**`rygb`**.",
        "||red yellow green blue.||",
    ],
)
def test_a_guess_is_read_in_every_spelling(typed: str):
    assert Mastermind().parse(typed) == "RYGB"


@examples(25, 1000)
@given(st.data())
def test_a_code_is_read_in_any_mix_of_spellings(data: st.DataObject):
    code = data.draw(codes(ALL))
    between = st.sampled_from([" ", ", ", "\u00a0", "-"])
    typed = "".join(
        data.draw(st.sampled_from(SPELLINGS[colour])) + data.draw(between) for colour in code
    )
    assert ALL.parse(typed) == code


@pytest.mark.parametrize(
    "typed", ["<:r0:1><:y0:22><:g0:333><:b0:4>", ":r0::y0: :g0:,:b0:", "<:R0:1> y 🟢 :B0:"]
)
def test_pegs_copied_from_a_board_are_read(typed: str):
    assert Mastermind().parse(typed) == "RYGB"


PLACES = [
    (Mastermind(), "red blue x", 2),
    (Mastermind(), "red blue gren red", 2),
    (Mastermind(), "r🔴bleu", 2),
    (Mastermind(), "<:r0:1><:y0:22>?", 2),
    (Mastermind(), "red, blue, white, pink", 2),
    (DISTINCT, "red blue :g0: red", 3),
    (Mastermind(), "<:e0:1>", 0),
]


@pytest.mark.parametrize(("rules", "typed", "place"), PLACES)
def test_a_refused_code_locates_its_mistake_by_peg_and_not_by_character(
    rules: Mastermind, typed: str, place: int
):
    with pytest.raises(NotationError) as caught:
        rules.parse(typed)
    assert caught.value.place == place


FAULTS = [
    (Mastermind(), "", Fault(Problem.EMPTY, 0)),
    (Mastermind(), " ,-\u200b\ufe0f ", Fault(Problem.EMPTY, 0)),
    (Mastermind(), "ry\u00adgb", Fault(Problem.INVISIBLE, 2, "soft hyphen")),
    (Mastermind(), "❤️💛\u200d💚💙", Fault(Problem.INVISIBLE, 3, "zero width joiner")),
    (Mastermind(), "RYGX", Fault(Problem.UNKNOWN_SYMBOL, 3, "X")),
    (Mastermind(), "r y 1", Fault(Problem.UNKNOWN_SYMBOL, 4, "1")),
    (Mastermind(), "red yelow blue", Fault(Problem.UNKNOWN_SYMBOL, 4, "yelow")),
    (Mastermind(), "red gray blue blue", Fault(Problem.UNKNOWN_SYMBOL, 4, "gray")),
    (Mastermind(), "redyelowblue", Fault(Problem.UNKNOWN_SYMBOL, 3, "yelow")),
    (Mastermind(), "redd", Fault(Problem.UNKNOWN_SYMBOL, 0, "redd")),
    (Mastermind(), "red rr gx", Fault(Problem.UNKNOWN_SYMBOL, 8, "x")),
    (Mastermind(), "ｇｒｅｎ", Fault(Problem.UNKNOWN_SYMBOL, 0, "ｇｒｅｎ")),
    (Mastermind(), "🔴⚫🔴🔴", Fault(Problem.UNKNOWN_SYMBOL, 1, "⚫")),
    (Mastermind(), "🔴🖤", Fault(Problem.UNKNOWN_SYMBOL, 1, "🖤")),
    (Mastermind(), "RRRß", Fault(Problem.UNKNOWN_SYMBOL, 3, "ß")),
    (Mastermind(), "RRR\u212a", Fault(Problem.UNKNOWN_SYMBOL, 3, "\u212a")),
    (Mastermind(), "p\u0131nk", Fault(Problem.UNKNOWN_SYMBOL, 1, "\u0131")),
    (Mastermind(), "ＲＲＲＸ", Fault(Problem.UNKNOWN_SYMBOL, 3, "Ｘ")),
    (Mastermind(), "WRRX", Fault(Problem.UNKNOWN_SYMBOL, 3, "X")),
    (Mastermind(), "RYGC", Fault(Problem.COLOUR_NOT_IN_PLAY, 3, "C")),
    (Mastermind(), "  white red", Fault(Problem.COLOUR_NOT_IN_PLAY, 2, "W")),
    (Mastermind(), "❤️🩷", Fault(Problem.COLOUR_NOT_IN_PLAY, 2, "K")),
    (Mastermind(pegs=5, colours=2), "brown", Fault(Problem.COLOUR_NOT_IN_PLAY, 0, "N")),
    (Mastermind(), "RY", Fault(Problem.TOO_SHORT, 2, found=2, wanted=4)),
    (Mastermind(), " red yellow ", Fault(Problem.TOO_SHORT, 12, found=2, wanted=4)),
    (Mastermind(pegs=4, colours=10), "brown", Fault(Problem.TOO_SHORT, 5, found=1, wanted=4)),
    (Mastermind(), "RYGBR", Fault(Problem.TOO_LONG, 4, found=5, wanted=4)),
    (Mastermind(), "red red red red blue red", Fault(Problem.TOO_LONG, 16, found=6, wanted=4)),
    (DISTINCT, "RYGR", Fault(Problem.REPEATED_SYMBOL, 3, "R")),
    (DISTINCT, " red red blue blue", Fault(Problem.REPEATED_SYMBOL, 5, "R")),
    (DISTINCT, "🔴🟢💚🟥", Fault(Problem.REPEATED_SYMBOL, 2, "G")),
]


@pytest.mark.parametrize(("rules", "typed", "expected"), FAULTS)
def test_a_refused_code_shows_its_mistake_and_the_place(
    rules: Mastermind, typed: str, expected: Fault
):
    with pytest.raises(NotationError) as caught:
        rules.parse(typed)
    assert fault_of(caught.value) == expected


@pytest.mark.parametrize(
    ("rules", "typed", "meant"),
    [
        (Mastermind(), "gren", "green"),
        (Mastermind(), "red BLEU blue red", "blue"),
        (Mastermind(), "purpel, oragne", "purple"),
        (Mastermind(), "oragne, purpel", "orange"),
        (Mastermind(), "redyelowblue", "yellow"),
        (Mastermind(), "red bluex", "blue"),
        (Mastermind(), "redbluex", "blue"),
        (Mastermind(), "red grey blue blue", ""),  # neither green nor red
        (Mastermind(), "whit red red red", ""),  # not in play
        (Mastermind(pegs=4, colours=10), "whit red red red", "white"),
        (Mastermind(), "red gray blue blue", ""),
        (Mastermind(), "RYGX", ""),
        (Mastermind(), "🔴⚫🔴🔴", ""),
    ],
)
def test_a_misspelt_colour_is_recognised(rules: Mastermind, typed: str, meant: str):
    with pytest.raises(NotationError) as caught:
        rules.parse(typed)
    assert caught.value.problem is Problem.UNKNOWN_SYMBOL
    assert caught.value.meant == meant


texts = st.one_of(
    st.text(),
    st.text("royGBPcknwRxX ,;-\\\ufe0f\u200b🔴🟩❤ﬁİſ\u212a", max_size=12),
    st.lists(st.sampled_from([s for each in SPELLINGS.values() for s in each])).map("".join),
)


@examples(125, 5000)
@given(st.sampled_from([*GAMES, ALL]), texts)
@example(ALL, "R" * 4000)
@example(ALL, "brown" * 800)
def test_any_text_parses_as_a_code_or_is_refused_at_a_place_in_it(rules: Mastermind, text: str):
    answer = understood(rules, text)
    if isinstance(answer, NotationError):
        assert 0 <= answer.position <= len(text)
        return
    assert rules.is_code(answer)
    assert rules.parse(answer) == answer

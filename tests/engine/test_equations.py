"""Equations: what typed text is understood as, and what an equation is worth."""

import re

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from engine import Code, Equation, Focdle, NotationError, Problem
from tests.engine.material import LENGTHS, SYMBOLS, Fault, fault_of, lengths, secrets, worth
from tests.support.effort import examples

values = st.integers(1, 99)
operators = st.sampled_from("+-*%")
results = st.integers(1, 6).flatmap(lambda width: st.integers(10 ** (width - 1), 10**width - 1))
equations = st.builds(
    Equation, st.tuples(values, values, values), st.tuples(operators, operators), results
)


def wide(text: str) -> str:
    """The fullwidth forms, as an East Asian keyboard makes them."""
    return "".join(chr(ord(symbol) + 0xFEE0) for symbol in text)


def understood(length: int, text: str) -> Code | NotationError:
    try:
        return Focdle(length).parse(text)
    except NotationError as fault:
        return fault


class TestWorth:
    @examples(75, 3000)
    @given(equations)
    def test_an_equation_has_the_value_that_python_computes(self, equation: Equation):
        assert equation.value == worth(str(equation).partition("=")[0])

    @examples(25, 1000)
    @given(equations)
    def test_an_equation_is_true_when_its_left_side_has_the_value_of_its_result(
        self, equation: Equation
    ):
        value = worth(str(equation).partition("=")[0])
        assert equation.is_true == (value == equation.result)
        assert Equation(equation.values, equation.operators, value).is_true


class TestNotation:
    @examples(25, 1000)
    @given(lengths.flatmap(secrets), st.sampled_from(["", "=", " = ", ":"]))
    def test_an_omitted_result_is_computed(self, secret: Code, end: str):
        typed = secret.partition("=")[0] + end
        assert understood(len(secret), typed) == secret
        others = [understood(length, typed) for length in LENGTHS if length != len(secret)]
        assert all(isinstance(other, NotationError) for other in others)
        assert {other.symbol for other in others if isinstance(other, NotationError)} == {secret}

    @examples(25, 1000)
    @given(equations)
    @example(Equation((9, 9, 9), ("*", "*"), 999_999_999))
    @example(Equation((99, 99, 99), ("*", "*"), 970_299))
    def test_any_true_or_false_equation_parses_to_itself(self, equation: Equation):
        rules = Focdle(len(str(equation)))
        code = rules.parse(str(equation))
        assert code == str(equation)
        assert rules.equation(code) == equation

    @pytest.mark.parametrize(
        "typed",
        [
            *(f"25+4{sign}12=73" for sign in "xX×·•∙⋅∗✕✖⨉⨯хХ﹡" + wide("*xX")),
            *(f"25{sign}4*12=73" for sign in "﹢➕" + wide("+")),
            *(f"25+4*12{sign}73" for sign in "﹦⁼" + wide("=")),
            wide("25+4*12=73"),
            "  25 + 4 * 12 = 73\n",
            "25\u00a0+\u00a04\u202f*\u300012\t=73",
            "\u200e\ufeff25+4*12=73\u200f\u00ad",
            " \u200b**\u2060 25+4*12=73 \u200b**\u2060.",
            "2️⃣5️⃣➕4️⃣✖️1️⃣2️⃣=7️⃣3️⃣",
            "25+4*️⃣12=73",
            "25⁺4*12⁼73",
            "25₊4*12₌73.",
            "25&4*12:73",
            "25+4*12 ： 73",
            "25+4*12",
            "25 + 4*12 =",
            "25+4*12:",
            "٢٥+٤*١٢=٧٣",
            "२५+४*१२=७३",
            "𝟚𝟝+𝟰*１２=73",
            "25\ufe0f+\u200e4*\u206612\u2069=73\u200f",
            "25+4*12=73。",
            "`25+4*12=73`",
            "25\\+4\\*12\\=73",
            "**25+4*12=73**.",
            "||25+4*12=73.||",
            " ||**`` 25 + 4*12 = 73 ``**|| ",
            "```\n25+4*12=73\n```",
        ],
    )
    def test_plus_times_and_equals_are_read_in_every_spelling(self, typed: str):
        assert Focdle().parse(typed) == "25+4*12=73"

    @pytest.mark.parametrize("sign", "−–—‐‑‒―﹣➖⁻₋˗⁃ー" + wide("-"))
    def test_minus_is_read_in_every_spelling(self, sign: str):
        assert Focdle().parse(f"13+12{sign}8=17") == "13+12-8=17"

    @pytest.mark.parametrize(
        "sign",
        [
            *("﹪", "٪", wide("%"), "mod", "MOD", " Mod ", "\tmOd"),
            *("modulo", " Modulo ", wide("MODULO")),
        ],
    )
    def test_the_remainder_is_read_in_every_spelling(self, sign: str):
        assert Focdle().parse(f"72+31{sign}6=73") == "72+31%6=73"

    @examples(25, 1000)
    @given(st.data())
    def test_a_secret_is_read_in_any_mix_of_spellings(self, data: st.DataObject):
        spellings = {"+": "+➕", "-": "-−–", "*": "*×xX·", "%": ["%", "mod"]}
        secret = data.draw(lengths.flatmap(secrets))
        gaps, ends = st.sampled_from(["", " ", "\u00a0"]), st.sampled_from(["", "\u200b", "\ufe0f"])
        typed = "".join(
            data.draw(st.sampled_from([*spellings.get(symbol, symbol), wide(symbol)]))
            + data.draw(gaps)
            for symbol in secret
        )
        typed = data.draw(ends) + typed + data.draw(ends)
        assert Focdle(len(secret)).parse(typed) == secret


FAULTS = [
    (10, "", Fault(Problem.EMPTY, 0)),
    (10, " \u200b\ufe0f ", Fault(Problem.EMPTY, 0)),
    (10, "25+4*12=7E", Fault(Problem.UNKNOWN_SYMBOL, 9, "E")),
    (10, "  25+a*12=73", Fault(Problem.UNKNOWN_SYMBOL, 5, "a")),
    (10, "2²+4*12=73", Fault(Problem.UNKNOWN_SYMBOL, 1, "²")),
    (10, "25 mod 4 mo 12", Fault(Problem.UNKNOWN_SYMBOL, 9, "m")),
    (10, "1️⃣ 🙂", Fault(Problem.UNKNOWN_SYMBOL, 4, "🙂")),
    (10, "25+4*12=73!", Fault(Problem.UNKNOWN_SYMBOL, 10, "!")),
    (10, "25+4*1²=73", Fault(Problem.UNKNOWN_SYMBOL, 6, "²")),
    (10, "25+4*12=7₃", Fault(Problem.UNKNOWN_SYMBOL, 9, "₃")),
    (10, "72 moduloo 31", Fault(Problem.UNKNOWN_SYMBOL, 9, "o")),
    (10, "25+4*12.=73.", Fault(Problem.UNKNOWN_SYMBOL, 7, ".")),
    (10, "25+4*12=73..", Fault(Problem.UNKNOWN_SYMBOL, 10, ".")),
    (10, "`25+4*12=7`3", Fault(Problem.UNKNOWN_SYMBOL, 0, "`")),
    (10, "||25+4*12=73|", Fault(Problem.UNKNOWN_SYMBOL, 0, "|")),
    (10, "**25+`4*12=7`**", Fault(Problem.UNKNOWN_SYMBOL, 5, "`")),
    (10, "****", Fault(Problem.EMPTY, 0)),
    (10, "1**2+3=4", Fault(Problem.POWER, 1, "**")),
    (10, "25+4**12=73", Fault(Problem.POWER, 4, "**")),
    (10, "**1 × x 2+3=4**", Fault(Problem.POWER, 4, "**")),
    (10, "**25+4*12=73", Fault(Problem.POWER, 0, "**")),
    (10, "25/4*12=73", Fault(Problem.DIVISION, 2, "/")),
    (10, "  25÷4", Fault(Problem.DIVISION, 4, "÷")),
    (10, "1\u00ad2+3+45=60", Fault(Problem.INVISIBLE, 1, "soft hyphen")),
    (10, " **25+4\u200b*12=73**", Fault(Problem.INVISIBLE, 7, "zero width space")),
    (10, "25\u202e+4*12=73", Fault(Problem.INVISIBLE, 2, "right-to-left override")),
    (10, "25+4*12=\x007", Fault(Problem.INVISIBLE, 8, "U+0000")),
    (10, "1\\2+3+45=60", Fault(Problem.DIVISION, 1, "\\")),
    (10, "2️⃣/4", Fault(Problem.DIVISION, 3, "/")),
    (10, "1+2*3=7", Fault(Problem.TOO_SHORT, 7, found=7, wanted=10)),
    (7, " 1 mod 2 ", Fault(Problem.TOO_SHORT, 9, found=3, wanted=7)),
    (7, "25+4*12=73", Fault(Problem.TOO_LONG, 7, found=10, wanted=7)),
    (7, "  1 mod 2 * 3 = 3 7", Fault(Problem.TOO_LONG, 18, found=8, wanted=7)),
    (7, "1+2*3+7", Fault(Problem.NO_EQUALS, 7)),
    (7, "  1+2*3-7 ", Fault(Problem.NO_EQUALS, 10)),
    (7, "1+2=3=7", Fault(Problem.SECOND_EQUALS, 5, found=2, wanted=1)),
    (10, "25+4*12==73", Fault(Problem.SECOND_EQUALS, 8, found=2, wanted=1)),
    (10, "12+34=46=", Fault(Problem.SECOND_EQUALS, 8, found=2, wanted=1)),
    (7, " =======", Fault(Problem.SECOND_EQUALS, 2, found=7, wanted=1)),
    (7, "12+3=15", Fault(Problem.TOO_FEW_OPERATORS, 4, found=1, wanted=2)),
    (7, "  12=3456", Fault(Problem.TOO_FEW_OPERATORS, 4, found=0, wanted=2)),
    (9, "1+2*3+4=9", Fault(Problem.TOO_MANY_OPERATORS, 5, "+", found=3, wanted=2)),
    (11, " 1+2-3×4%5=9", Fault(Problem.TOO_MANY_OPERATORS, 6, "*", found=4, wanted=2)),
    (9, "1+2*3=4+3", Fault(Problem.OPERATOR_AFTER_EQUALS, 7, "+")),
    (8, " 1-2*3=−5", Fault(Problem.OPERATOR_AFTER_EQUALS, 7, "-")),
    (7, "+1+2=33", Fault(Problem.MISSING_VALUE, 0, "+")),
    (8, " 1+-23=24", Fault(Problem.MISSING_VALUE, 3, "-")),
    (8, "1+2+ =333", Fault(Problem.MISSING_VALUE, 5, "=")),
    (7, "=123456", Fault(Problem.MISSING_VALUE, 0, "=")),
    (9, "12+34-5", Fault(Problem.OTHER_LENGTH, 7, "12+34-5=41", found=10, wanted=9)),
    (7, " 1+2+33= ", Fault(Problem.OTHER_LENGTH, 9, "1+2+33=36", found=9, wanted=7)),
    (7, "12-34-5", Fault(Problem.RESULT_BELOW_ONE, 6, "-27")),
    (7, " 1-1*1 =", Fault(Problem.RESULT_BELOW_ONE, 7, "0")),
    (10, "100+2*3", Fault(Problem.TOO_SHORT, 7, found=7, wanted=10)),
    (10, "25+4*12773", Fault(Problem.NO_EQUALS, 10)),
    (10, "12+34-", Fault(Problem.TOO_SHORT, 6, found=6, wanted=10)),
    (10, "25:4*12=73", Fault(Problem.DIVISION, 2, ":")),
    (10, "25+4:12=73", Fault(Problem.DIVISION, 4, ":")),
    (10, "25+4*12：7:", Fault(Problem.DIVISION, 7, ":")),
    (10, "25:4*12", Fault(Problem.DIVISION, 2, ":")),
    (8, " 1+02*3=7", Fault(Problem.LEADING_ZERO, 3, "02")),
    (8, "1+2*3=07", Fault(Problem.LEADING_ZERO, 6, "07")),
    (7, "0+2*3=6", Fault(Problem.ZERO_VALUE, 0, "0")),
    (8, " 1+2*00=1", Fault(Problem.ZERO_VALUE, 5, "00")),
    (9, "100+2*3=6", Fault(Problem.VALUE_TOO_LARGE, 0, "100")),
    (9, "  1+2*1 00=2", Fault(Problem.VALUE_TOO_LARGE, 6, "100")),
    (7, "1-1*1=0", Fault(Problem.ZERO_RESULT, 6, "0")),
    (8, " 1-1*1=00", Fault(Problem.ZERO_RESULT, 7, "00")),
    (7, "**`1-1*1=0`**", Fault(Problem.ZERO_RESULT, 9, "0")),
    (8, "`1+2*3`", Fault(Problem.OTHER_LENGTH, 7, "1+2*3=7", found=7, wanted=8)),
]


class TestFaults:
    @pytest.mark.parametrize(("length", "typed", "expected"), FAULTS)
    def test_a_refused_equation_shows_its_mistake_and_the_place(
        self, length: int, typed: str, expected: Fault
    ):
        with pytest.raises(NotationError) as caught:
            Focdle(length).parse(typed)
        assert fault_of(caught.value) == expected

    @pytest.mark.parametrize("sign", "/÷∕⁄➗" + wide("/"))
    def test_division_is_refused_in_every_spelling(self, sign: str):
        fault = understood(10, f" 25+4{sign}12=73")
        assert isinstance(fault, NotationError)
        assert (fault.problem, fault.position, fault.symbol) == (Problem.DIVISION, 5, sign)


def with_a_slip(secret: str, at: int, slip: str) -> str:
    return secret[:at] + slip + secret[at + 1 :]


def repeated(text: str, times: int) -> str:
    return (text * times)[:4000]


slips = st.builds(
    with_a_slip, lengths.flatmap(secrets), st.integers(0, 15), st.sampled_from([*SYMBOLS, "", "x"])
)
hostile = st.text("*_~`|>#\\[]()<@!&:/0123456789+-%=modx× \u200b\u202e\u2067\ufe0f\u20e3אש")
texts = st.one_of(st.text(), st.text(SYMBOLS), hostile, slips)
long_texts = st.builds(repeated, texts, st.integers(2, 1000))


ENCLOSED = re.compile(r"(`|\*\*|\|\|)(.*)\1")


def peeled(text: str) -> str:
    """What Markdown encloses, layer by layer, and what a sentence's full stop follows."""
    inner, stops = text.strip(), 1
    while True:
        if stops and inner.endswith("."):
            inner, stops = inner[:-1].strip(), 0
        elif layer := ENCLOSED.fullmatch(inner):
            inner = layer[2].strip()
        else:
            return inner


class TestMarkdown:
    @examples(50, 2000)
    @given(lengths.flatmap(secrets), st.lists(st.sampled_from(["`", "**", "||", " "]), max_size=8))
    def test_a_guess_is_read_inside_quotes_and_other_enclosures(
        self, secret: Code, layers: list[str]
    ):
        typed = "".join(layers) + secret + "".join(reversed(layers))
        for text in (typed, f"{typed}."):
            assert Focdle(len(secret)).parse(text) == secret

    @examples(100, 4000)
    @given(st.text("`*|. 1+=", max_size=14), slips)
    @example("**1+2*3=7**", "")
    @example("1**2+3=4", "")
    def test_markdown_around_a_guess_is_ignored(self, ends: str, slip: str):
        typed = ends + slip + ends[::-1]
        assume(not peeled(typed).endswith("."))
        for length in LENGTHS:
            bare, dressed = understood(length, peeled(typed)), understood(length, typed)
            if isinstance(bare, NotationError):
                assert isinstance(dressed, NotationError)
                assert dressed.problem == bare.problem
                assert dressed.symbol == bare.symbol
            else:
                assert dressed == bare


class TestAnyText:
    @examples(125, 5000)
    @given(lengths, texts | long_texts)
    @example(7, "1" * 4000)
    @example(15, "mo" * 2000)
    @example(15, "\u202e" * 4000)
    def test_any_text_parses_as_a_guess_or_is_refused_at_a_place_in_it(
        self, length: int, text: str
    ):
        answer = understood(length, text)
        if isinstance(answer, NotationError):
            assert 0 <= answer.position <= len(text)
            return
        assert len(answer) == length
        assert set(answer) <= set(SYMBOLS)
        assert understood(length, answer) == answer

    @examples(25, 1000)
    @given(slips)
    def test_no_text_parses_as_a_guess_at_two_lengths(self, text: str):
        answers = [understood(length, text) for length in LENGTHS]
        assert sum(isinstance(answer, str) for answer in answers) <= 1

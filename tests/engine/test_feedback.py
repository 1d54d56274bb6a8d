"""Marks: how a guess is scored, and what is remembered of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import EngineError, Mark, Marks, Turn, best_marks, mark
from tests.engine.material import SYMBOLS
from tests.support.effort import examples

SECRET = "25+4*12=73"

# Few symbols make many copies, and copies are where marks go wrong.
columns = st.sampled_from(["1=", "12+", "0123+=", SYMBOLS]).flatmap(
    lambda symbols: st.lists(
        st.tuples(st.sampled_from(symbols), st.sampled_from(symbols)), max_size=15
    )
)
pairs = columns.map(lambda both: ("".join(g for g, _ in both), "".join(s for _, s in both)))


def initials(marks: Marks) -> str:
    """CORRECT, PRESENT and ABSENT as C, P and A."""
    return "".join(m.name[0] for m in marks)


def mark_by_places(guess: str, secret: str) -> list[Mark]:
    """Score each place for itself, by counting the copies that no green has taken."""
    columns = list(zip(guess, secret, strict=True))
    marks: list[Mark] = []
    for place, (symbol, there) in enumerate(columns):
        so_far = sum(g == symbol != s for g, s in columns[: place + 1])
        to_find = sum(s == symbol != g for g, s in columns)
        missed = Mark.PRESENT if so_far <= to_find else Mark.ABSENT
        marks.append(Mark.CORRECT if symbol == there else missed)
    return marks


@pytest.mark.parametrize(
    ("guess", "secret", "expected"),
    [
        ("1-4+7=4", "1+2*3=7", "CAAPPCA"),
        ("1***3*+", "1+2*3=7", "CAACCAP"),
        ("13+12-8=17", SECRET, "PPCAPAACAP"),
        ("72+31%6=73", SECRET, "APCAPAACCC"),
        ("21+20*4=55", SECRET, "CPCPAPPCPA"),
    ],
)
def test_the_assignments_examples_get_the_marks_it_states(guess: str, secret: str, expected: str):
    assert initials(mark(guess, secret)) == expected


@examples(50, 2000)
@given(pairs)
def test_marks_agree_with_counting_place_by_place(pair: tuple[str, str]):
    guess, secret = pair
    assert list(mark(guess, secret)) == mark_by_places(guess, secret)


@pytest.mark.parametrize(
    ("guess", "secret"), [("", "1"), ("1", ""), (SECRET, SECRET[:-1]), (SECRET[1:], SECRET)]
)
def test_strings_of_different_lengths_cannot_be_marked(guess: str, secret: str):
    with pytest.raises(EngineError):
        mark(guess, secret)


def test_marks_are_ordered_by_how_much_they_tell():
    assert Mark.ABSENT < Mark.PRESENT < Mark.CORRECT
    assert sorted(Mark) == [Mark.ABSENT, Mark.PRESENT, Mark.CORRECT]


def test_the_best_mark_of_each_symbol_survives_later_guesses():
    guesses = ["13+12-8=17", "72+31%6=73", "21+20*4=55"]
    turns = [Turn(guess, mark(guess, SECRET)) for guess in guesses]
    best = {
        **dict.fromkeys("2+3=7", Mark.CORRECT),
        **dict.fromkeys("145*", Mark.PRESENT),
        **dict.fromkeys("068-%", Mark.ABSENT),
    }
    assert best_marks(turns) == best
    assert best_marks(reversed(turns)) == best

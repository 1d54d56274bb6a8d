"""Mastermind in colours of any name and number."""

import random
from dataclasses import replace

import pytest

from engine import (
    Game,
    ImpossibleRulesError,
    Mastermind,
    NotationError,
    decode,
    read_turn,
    replay,
)
from engine.errors import Problem
from engine.solvers import codebreaker, explain, solve

CITIES = [
    *("Paris blue", "London green", "Berlin black"),
    *("Vienna yellow", "Frankfurt red", "Hamburg brown"),
]
RULES = Mastermind(colours=CITIES)


@pytest.mark.parametrize(
    "text",
    [
        "Paris blue London green Berlin black Paris blue",
        "paris, lon, b, PARIS BLUE",
        "p l b p",
        "plbp",
        "1 2 3 1",
        "1231",
        "paris bl, 2 ber p",
    ],
)
def test_a_peg_is_typed_as_a_name_its_beginning_or_its_number(text: str):
    assert RULES.parse(text) == "PLBP"


@pytest.mark.parametrize(
    ("text", "symbol", "position", "said"),
    [
        ("1 2 rose 4", "rose", 4, "rose at place 5 is no symbol"),
        ("1 2 3 7", "7", 6, "1 Paris blue, 2 London green"),
        ("re ro", "ro", 3, "Did you mean rose or royal blue"),
    ],
)
def test_what_means_no_colour_or_several_is_refused_where_it_stands(
    text: str, symbol: str, position: int, said: str
):
    two = Mastermind(pegs=2, colours=["red", "rose", "royal blue"])
    rules = two if symbol == "ro" else RULES
    with pytest.raises(NotationError, match=said) as caught:
        rules.parse(text)
    error = caught.value
    assert (error.problem, error.symbol, error.position) == (
        Problem.UNKNOWN_SYMBOL,
        symbol,
        position,
    )


def test_colours_have_letters_of_their_names_however_they_begin():
    rules = Mastermind(pegs=2, colours=["red", "rose", "Rot", "r", "ред"])
    assert rules.alphabet == "ROTAB"
    many = Mastermind(pegs=2, colours=[f"colour {'x' * n}" for n in range(1, 53)])
    assert len(set(many.alphabet)) == 52
    assert many.parse("1 52") == many.alphabet[0] + many.alphabet[51]
    assert rules.parse("r red") == "AR"
    assert rules.spell("AR") == "r, red"


def test_a_game_in_own_colours_is_written_and_read_again_and_solved_as_any_other():
    game = replay(RULES, "PLBP", ["PLVV"])
    assert str(game) == (
        "mastermind:4x[Paris_blue,London_green,Berlin_black,Vienna_yellow,Frankfurt_red,"
        "Hamburg_brown]r/12 PLBP PLVV"
    )
    assert Game.read(str(game)) == game
    assert decode(RULES.encode()) == RULES
    usual = [turn.feedback for turn in solve(Mastermind(), "RYGB")]
    secret = "".join(RULES.alphabet["ROYGBP".index(letter)] for letter in "RYGB")
    assert [turn.feedback for turn in solve(RULES, secret)] == usual
    RULES.check_secret(codebreaker(RULES, rng=random.Random(1)).next_guess([]))


def test_an_explanation_names_colours_as_people_do():
    turns = [read_turn(RULES, "1 1 2 2 0 0"), read_turn(RULES, "3 3 4 4 4 0")]
    names = dict(zip(RULES.alphabet, RULES.names, strict=True))
    for found in explain(RULES, turns[:1]):
        said = found.in_words(names)
        assert names[found.claim.symbol] in said
        back = said
        for letter, name in names.items():
            back = back.replace(name, letter)
        assert back == str(found)
    many = [replace(each, clues=each.clues * 4) for each in explain(RULES, turns) if each.clues]
    ends = {each.in_words(names).partition(": ")[2] for each in many}
    assert "only Berlin black, Berlin black, Vienna yellow, Vienna yellow is left." in ends


@pytest.mark.parametrize(
    ("colours", "said"),
    [
        (["red"], "Colours go from 2 to 52"),
        (["red", "Red"], "Red is there twice"),
        (["red", "blue, dark"], "'blue, dark' is no name"),
        (["red", ""], "'' is no name"),
        (["red", 7], "7 is no name"),
    ],
)
def test_names_that_cannot_be_typed_are_refused(colours: list[str], said: str):
    with pytest.raises(ImpossibleRulesError, match=said):
        Mastermind(colours=colours)

"""Boards fit Discord's limits and say what is true."""

import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.presentation import boards
from bot.presentation.help import Topic, help_text
from bot.services.errors import GuessRefusedError
from bot.services.play import Play, PuzzleName
from cogs.ui.focdle import FocdleBoard, GuessForm, SharedResult
from engine import Code, Focdle, NotationError, Problem, mark, replay
from engine.focdle import LONGEST, SHORTEST

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
LENGTHS = range(SHORTEST, LONGEST + 1)


def a_play(length: int, turns: int) -> Play:
    """A play that has gone on for some turns, with a secret and guesses of this length."""
    rules, rng = Focdle(length), random.Random(length)
    drawn: list[Code] = []
    while len(drawn) < turns + 1:
        code = rules.draw(rng)
        if code not in drawn:
            drawn.append(code)
    secret, *guesses = drawn
    return Play(
        id=2**31,
        player_id=2**63,
        puzzle=PuzzleName(99999, length),
        rules=rules,
        game=replay(rules, secret, guesses),
        is_today=False,
        next_puzzle_at=NOON + timedelta(hours=12),
    )


def size(components: list[dict[str, Any]]) -> tuple[int, int]:
    """Characters shown and components used, as Discord counts them."""
    characters = count = 0
    for component in components:
        inside = size(component.get("components", []))
        characters += len(component.get("content", "")) + inside[0]
        count += 1 + inside[1]
    return characters, count


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("turns", range(7))
async def test_every_board_fits_a_message(length: int, turns: int) -> None:
    play = a_play(length, turns)
    cause = NotationError(Problem.TOO_MANY_OPERATORS, 99, symbol="-", found=99, wanted=2)
    refused = GuessRefusedError(play, "🟩`" * 2000, cause)
    view = FocdleBoard(play, refused=refused)
    characters, components = size(view.to_components())
    assert characters <= 3600
    assert components <= 38
    if turns:
        assert size(SharedResult(play).to_components())[0] <= 3600


@pytest.mark.parametrize("length", LENGTHS)
async def test_every_form_fits(length: int) -> None:
    form = GuessForm(a_play(length, 5), draft="1" * 70)
    assert len(form.title) <= 45
    assert len(form.custom_id) <= 100
    for child in form.to_components():
        assert len(child.get("label", "")) <= 45
        assert len(child.get("description", "")) <= 100


@pytest.mark.parametrize("length", LENGTHS)
def test_the_example_of_a_length_is_true(length: int) -> None:
    rules = Focdle(length)
    assert rules.is_true(rules.parse(boards.example(length)))


def test_the_example_is_never_the_days_secret_for_long() -> None:
    play = a_play(10, 0)
    assert boards.example(10) in boards.board(play).status
    assert boards.example(10) not in boards.board(a_play(10, 1)).status


def test_a_running_board_never_shows_the_secret() -> None:
    for length in LENGTHS:
        for turns in range(6):
            play = a_play(length, turns)
            board = boards.board(play)
            shown = board.title + board.rows + board.keyboard + board.status
            assert play.game.secret not in shown + boards.form_reminder(play)


def test_the_keyboard_names_each_symbol_once() -> None:
    for turns in range(6):
        keyboard = boards.board(a_play(10, turns)).keyboard
        listed = "".join(line.split("`")[1] for line in keyboard.splitlines())
        assert sorted(listed.replace(" ", "")) == sorted("0123456789+-*%=")


@pytest.mark.parametrize("topic", Topic)
def test_help_fits_a_message(topic: Topic) -> None:
    assert sum(len(block) for block in help_text(topic)) <= 3600


def test_the_worked_example_says_what_the_marks_say() -> None:
    page = "\n".join(help_text(Topic.FOCDLE))
    squares = {2: "🟩", 1: "🟨", 0: "⬜"}
    for guess in ("13+12-8=17", "72+31%6=73", "21+20*4=55", "25+4*12=73"):
        row = "".join(squares[m] for m in mark(guess, "25+4*12=73"))
        assert f"{row} `{guess}`" in page
    assert not Focdle().is_true(Code("21+20*4=55"))

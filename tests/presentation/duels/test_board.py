"""Boards of duels fit Discord's limits, say what is true, and help nobody who only watches."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from bot.model.ratings import Rating
from bot.presentation.duels.board import duel_board
from bot.presentation.duels.endings import result
from bot.presentation.duels.help import GUESSES, HIDDEN
from bot.presentation.help import Topic, help_text
from bot.services.duels.errors import DuelRefusedError
from bot.services.duels.model import DuelGame, Notebook, Pace
from bot.services.duels.transitions import Ending, State
from cogs.base.pages import Page
from cogs.duels.challenge import challenge_form
from cogs.duels.moves import guess_form, secret_form
from cogs.duels.pages import board_page, notebook_page, thread_page
from engine import BullsAndCows, Code, Mode, NotationError, Problem, Strength, score
from tests.support.duel_boards import a_duel
from tests.support.plays import NOON, size

LARGEST = BullsAndCows(6, repeats=True)
SMALLEST = BullsAndCows(3)
LATER = NOON + timedelta(minutes=2)


def games(rules: BullsAndCows = LARGEST) -> Iterator[DuelGame]:
    """A duel at every stage, with as much on its board as there can be."""
    for mode, pace, state in product(Mode, Pace, State):
        ends: list[Ending | None] = list(Ending) if state is State.OVER else [None]
        for ending, offer in product(ends, (None, 0, 1)):
            yield a_duel(rules, mode, pace, state=state, ending=ending, draw_offered_by=offer)


def within_limits(page: Page) -> None:
    characters, components = size(page.to_components())
    assert characters <= 3600
    assert components <= 38
    assert all(len(i) <= 100 for i in ids(page.to_components()))


def ids(components: list[dict[str, Any]]) -> list[str]:
    """The ids in a page."""
    found: list[str] = []
    for component in components:
        found += [component["custom_id"]] if "custom_id" in component else []
        found += ids(component.get("components", []))
    return found


def text(game: DuelGame) -> str:
    return "\n".join(duel_board(game).texts)


async def test_thirty_rounds_fit_a_message() -> None:
    for game in games():
        within_limits(board_page(game))
        within_limits(thread_page(game))
        refused = DuelRefusedError(
            game=game,
            text="🟩`" * 999,
            cause=NotationError(Problem.REPEATED_SYMBOL, 99, symbol="1"),
        )
        for seat in (0, 1):
            own = Code("123456") if game.mode is not Mode.RACE else None
            page = notebook_page(
                Notebook(game, seat, game.seats[seat].turns, "0123456789", 10**6, own, False),
                refused,
                "a note",
            )
            within_limits(page)


async def test_against_the_bot_too() -> None:
    for mode, state in product(Mode, (State.SETTING, State.PLAYING, State.OVER)):
        ending = Ending.OUT_OF_GUESSES if state is State.OVER else None
        game = a_duel(LARGEST, mode, state=state, ending=ending, strength=Strength.PERFECT)
        for is_proven in (False, True):
            notebook = Notebook(game, 0, game.seats[0].turns, "01", 10**6, None, is_proven)
            within_limits(notebook_page(notebook))


def test_the_bot_begins_a_sentence_with_a_capital() -> None:
    boards = [
        text(a_duel(mode=mode, state=state, ending=ending, strength=Strength.SHARP, winner=winner))
        for mode in Mode
        for state, ending, winner in (
            (State.PLAYING, None, None),
            (State.OVER, Ending.SOLVED, 0),
            (State.OVER, Ending.SOLVED, 1),
            (State.OVER, Ending.RESIGNED, 1),
        )
    ]
    assert any("🏆 **The bot wins**: " in board for board in boards)
    assert any("The bot is racing." in board for board in boards)
    for board in boards:
        assert re.search(r"(^|[.!] )\W*the bot", board, re.MULTILINE) is None, board


@pytest.mark.parametrize("rules", [SMALLEST, BullsAndCows(), BullsAndCows(5), LARGEST])
def test_two_columns_fit_a_phone(rules: BullsAndCows) -> None:
    board = text(a_duel(rules, state=State.PLAYING))
    lines = board.split("```")[1].splitlines()[1:]
    assert len(lines) == 29
    assert max(map(len, lines)) <= 23
    halves = {re.fullmatch(r"(.*\d+B\dC +)\d+ \dB\dC", line) for line in lines[9:]}
    assert None not in halves
    assert len({half and len(half[1]) for half in halves}) == 1  # the second column is one


def test_what_is_hidden_is_on_no_board() -> None:
    for game in games():
        numbers = {"012345", "543210"}
        shown = text(game) + "".join(ids(board_page(game).to_components()))
        if game.state is State.OVER and game.playing_at is not None:
            continue
        assert not any(number in shown for number in numbers)
        assert "possible" not in shown
        if game.mode is Mode.RACE:
            assert "```" not in shown  # no guesses


def test_nothing_in_a_live_race_tells_that_somebody_has_finished() -> None:
    for pace in Pace:
        game = a_duel(mode=Mode.RACE, pace=pace, state=State.PLAYING)
        first, second = game.seats
        racing = replace(first, is_done=False, guesses=3, deadline_at=LATER)
        finished = replace(first, is_done=True, guesses=7, deadline_at=None)
        boards = [text(replace(game, seats=(seat, second))) for seat in (racing, finished)]
        assert (boards[0] == boards[1]) == (pace is Pace.LIVE)


@pytest.mark.parametrize("state", [State.INVITED, State.SETTING])
@pytest.mark.parametrize("mode", Mode)
def test_the_order_of_play_is_not_seen_before_it(state: State, mode: Mode) -> None:
    one = a_duel(mode=mode, state=state)
    other = replace(one, seats=(one.seats[1], one.seats[0]), challenger=1 - one.challenger)
    assert text(one) == text(other)


@pytest.mark.parametrize("played", [4, 5])
def test_a_rating_that_is_hardly_known_is_called_new(played: int) -> None:
    game = a_duel(state=State.INVITED)
    known = replace(game.seats[1], rating=Rating(1500.0, 400.0, played))
    other = replace(game.seats[0], rating=Rating(1500.0, 400.0, 5))
    invitation = text(replace(game, seats=(other, known)))
    assert (" is rated 1500 (new)" in invitation) == (played < 5)
    assert ("-# New: fewer than five rated duels so far." in invitation) == (played < 5)


def test_every_ending_is_told_like_no_other() -> None:
    played = [e for e in Ending if e not in {Ending.DECLINED, Ending.WITHDRAWN, Ending.LAPSED}]
    told = {result(a_duel(state=State.OVER, ending=ending)) for ending in played}
    assert len(told) == len(played)
    early = a_duel(state=State.OVER, ending=Ending.LAPSED, playing_at=None, accepted_at=None)
    for ending in (Ending.DECLINED, Ending.WITHDRAWN, Ending.LAPSED):
        for accepted_at in (None, NOON):
            told.add(result(replace(early, ending=ending, accepted_at=accepted_at)))
    told.add(result(a_duel(mode=Mode.RACE, state=State.OVER, ending=Ending.LAPSED)))
    told.add(result(a_duel(state=State.OVER, ending=Ending.TIMED_OUT, winner=None)))
    # Who has declined has not accepted.
    assert len(told) == len(played) + 5 + 2
    assert not any("{" in sentence for sentence in told)


async def test_forms_are_within_discords_limits() -> None:
    game = a_duel(LARGEST, state=State.PLAYING)
    turns = game.seats[0].turns
    notebook = Notebook(game, 0, turns, "0123456789", 10**6, None, False)
    forms = [
        secret_form(game),
        guess_form(notebook, "9" * 70),
        guess_form(replace(notebook, turns=())),
        challenge_form(2**63, "N" * 32),
    ]
    for form in forms:
        assert len(form.title) <= 45
        data = form.to_dict()
        assert len(data["components"]) <= 5
        for part in data["components"]:
            assert len(part.get("label", "")) <= 45
            assert len(part.get("description", "") or "") <= 100
            for option in part.get("component", {}).get("options", ()):
                assert len(option["label"]) <= 100
                assert len(option.get("description") or "") <= 100


def test_the_help_scores_as_the_game_does() -> None:
    words = "\n".join(help_text(Topic.DUELS))
    for guess in GUESSES:
        found = score(guess, HIDDEN)
        assert f"{guess}  {found.bulls}B{found.cows}C" in words
    assert len(words) <= 3600

"""Boards of duels fit Discord's limits, say what is true, and help nobody who only watches."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from bot.duels.board_words import at_stake, duel_board, turn_status
from bot.duels.model import DuelRefusedError, DuelView, Ending, Friendly, Move, State
from bot.duels.moves import Notebook
from bot.duels.round_words import DuelTiles, result
from bot.duels.words import BOT_FINDS, GUESSES, HELP_TOPIC, HIDDEN, guess_form_title
from bot.games.model import SharedDailies
from bot.home.words import help_text
from bot.ratings.model import HeadToHead, Rating, Stake
from bot.text.language import say
from cogs.duels.moves import guess_form
from cogs.duels.pages import (
    board_page,
    change_form,
    notebook_page,
    number_form,
)
from cogs.ui.pages import Page
from engine import BullsAndCows, Mode, NotationError, Problem, Strength, score
from tests.support.duel_boards import a_duel, changed, turned
from tests.support.effort import either
from tests.support.mastermind_boards import PEGS
from tests.support.plays import NOON, TILES, assert_fits

LARGEST = BullsAndCows(6, repeats=True)
SMALLEST = BullsAndCows(3)
LATER = NOON + timedelta(minutes=2)
DUEL_TILES = DuelTiles(TILES, PEGS)
EVERY_RULES = [SMALLEST, BullsAndCows(), BullsAndCows(5), LARGEST]


def games(rules: BullsAndCows = LARGEST) -> Iterator[DuelView]:
    """A duel at every stage, with as much on its board as there can be."""
    for mode, state in product(Mode, (State.INVITED, State.PLAYING, State.OVER)):
        ends: list[Ending | None] = list(Ending) if state is State.OVER else [None]
        for ending, offer in product(ends, (None, 0, 1)):
            yield a_duel(rules, mode, state=state, ending=ending, draw_offered_by=offer)


def within_limits(page: Page) -> None:
    assert_fits(page)
    assert all(len(i) <= 100 for i in ids(page.to_components()))


def ids(components: list[dict[str, Any]]) -> list[str]:
    """The ids in a page."""
    found: list[str] = []
    for component in components:
        found += [component["custom_id"]] if "custom_id" in component else []
        found += ids(component.get("components", []))
    return found


def text(game: DuelView, tiles: DuelTiles | None = None) -> str:
    return "\n".join(duel_board(game, tiles).texts)


def drawn_rows(shown: str) -> list[str]:
    """The lines of a board that have tiles."""
    return [line for line in shown.splitlines() if line.count("<:") > 3]


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "tiles"), [(LARGEST, None), (LARGEST, DUEL_TILES), (BullsAndCows(), DUEL_TILES)]
)
async def test_a_board_of_thirty_rounds_fits_a_message(
    rules: BullsAndCows, tiles: DuelTiles | None
) -> None:
    for game in [*games(rules)][:: either(11, 1)]:
        within_limits(board_page(game, tiles))
        refused = DuelRefusedError(
            view=game,
            text="🟩`" * 999,
            cause=NotationError(Problem.REPEATED_SYMBOL, 99, symbol="1"),
        )
        for seat in (0, 1):
            notebook = Notebook(game, seat, "0123456789", 10**6, is_bot_proven=False)
            page = notebook_page(notebook, tiles, refused, "a note")
            within_limits(page)


async def test_boards_of_duels_with_the_bot_fit_discords_limits() -> None:
    for mode, state in product(Mode, (State.SETTING, State.PLAYING, State.OVER)):
        ending = Ending.OUT_OF_GUESSES if state is State.OVER else None
        game = a_duel(LARGEST, mode, state=state, ending=ending, strength=Strength.PERFECT)
        for is_proven in (False, True):
            notebook = Notebook(game, 0, "01", 10**6, is_proven)
            within_limits(notebook_page(notebook))
            within_limits(notebook_page(notebook, DUEL_TILES))


def test_a_sentence_beginning_with_the_bot_has_a_capital_letter() -> None:
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
    for board in boards:
        assert re.search(r"(^|[.!] )\W*the bot", board, re.MULTILINE) is None, board


@pytest.mark.parametrize(("rules", "rows"), [*zip(EVERY_RULES, (10, 8, 14, 12), strict=True)])
def test_a_board_shows_the_last_rounds_as_tiles_and_earlier_ones_as_letters(
    rules: BullsAndCows, rows: int
) -> None:
    game = a_duel(rules, state=State.PLAYING)
    shown = text(game, DUEL_TILES)
    drawn = drawn_rows(shown)
    assert len(drawn) == rows
    sides = 2 if rules.digits <= 4 else 1
    assert {row.count("<:") for row in drawn} == {sides * (rules.digits + 1)}
    earlier = shown.split("```")[1].splitlines()[1:]
    assert len(earlier) == 29 - rows * sides // 2
    assert shown.index("```") < shown.index(drawn[0])
    first, second = ("".join(name[0] for name in names_of(row)) for row in (drawn[0], drawn[-1]))
    oldest, newest = game.seats[0].turns[len(earlier)], game.seats[1].turns[-1]
    assert first.startswith(oldest.guess)
    assert second[-rules.digits - 1 :].startswith(newest.guess)


def names_of(row: str) -> list[str]:
    """The names of the emojis in a row."""
    return re.findall(r"<:(\w+):", row)


def test_a_first_guess_stands_beside_the_empty_row_of_the_other_player() -> None:
    game = a_duel(state=State.PLAYING, rounds=1)
    begun = changed(game, moves=game.duel.moves[:1])
    (row,) = drawn_rows(text(begun, DUEL_TILES))
    left, right = names_of(row)[:5], names_of(row)[5:]
    assert "".join(name[0] for name in left[:4]) == begun.seats[0].turns[0].guess
    assert len(right) == 5
    assert len({*right}) == 1


def test_a_found_number_is_green_on_the_board() -> None:
    game = a_duel(state=State.PLAYING)
    *_, last = drawn_rows(text(game, DUEL_TILES))
    assert [name[1] for name in names_of(last)[:4]] == ["u"] * 4
    moves = (*game.duel.moves, Move(0, "0123", LATER))
    *_, last = drawn_rows(text(changed(game, moves=moves), DUEL_TILES))
    assert [name[1] for name in names_of(last)[:4]] == ["c"] * 4


@pytest.mark.parametrize("rules", EVERY_RULES)
def test_a_board_with_two_columns_fits_a_phone(rules: BullsAndCows) -> None:
    board = text(a_duel(rules, state=State.PLAYING))
    lines = board.split("```")[1].splitlines()[1:]
    assert len(lines) == 29
    assert max(map(len, lines)) <= 23
    halves = {re.fullmatch(r"(.*\d+B\dC +)\d+ \dB\dC", line) for line in lines[9:]}
    assert None not in halves
    assert len({half and len(half[1]) for half in halves}) == 1  # the second column is one


_NOT_WORDS = re.compile(r"<[^>]*>|```.*?```|`[^`]*`|[^A-Za-z'\s]|\b[A-Z]\b", re.DOTALL)


def words(shown: str) -> int:
    """How many words there are besides tiles, names, numbers and times."""
    return len(_NOT_WORDS.sub(" ", shown).split())


def test_a_challenge_has_at_most_35_words_and_a_rematch_25_with_their_buttons() -> None:
    for rules, mode, why in product(EVERY_RULES, Mode, (None, *Friendly)):
        for is_rematch, most in ((False, 35), (True, 25)):
            card = a_duel(rules, mode, state=State.INVITED, is_rematch=is_rematch)
            page = board_page(replace(card, friendly=why)).to_components()[0]["components"]
            *told, row = page
            labels = [one["label"] for one in row["components"]]
            assert len(labels) == 3
            shown = "\n".join([*(one.get("content", "") for one in told), *labels])
            assert words(shown) <= most, shown


def test_the_board_of_a_duel_has_at_most_forty_words() -> None:
    for rules, offer, tiles in product(EVERY_RULES, (None, 0), (None, DUEL_TILES)):
        board = duel_board(a_duel(rules, state=State.PLAYING, draw_offered_by=offer), tiles)
        shown = "\n".join(board.texts)
        assert words(shown) <= 40, shown


@pytest.mark.long
def test_a_running_duel_has_at_most_two_rows_of_three_buttons() -> None:
    for game in [*games()][:: either(5, 1)]:
        if game.duel.state is State.OVER:
            continue
        pages = [board_page(game)]
        for seat in (0, 1):
            notebook = Notebook(game, seat, "", 1, is_bot_proven=False)
            pages.append(notebook_page(notebook))
        for page in pages:
            rows = [p for p in page.to_components()[0]["components"] if p["type"] == 1]
            assert len(rows) <= 2
            assert all(len(row["components"]) <= 3 for row in rows)


@pytest.mark.long
def test_no_board_of_a_running_duel_shows_a_hidden_number() -> None:
    for game in [*games()][:: either(5, 1)]:
        numbers = {"012345", "543210"}
        shown = text(game) + "".join(ids(board_page(game).to_components()))
        if game.duel.state is State.OVER and game.duel.playing_at is not None:
            continue
        assert not any(number in shown for number in numbers)
        assert "possible" not in shown


@pytest.mark.parametrize("mode", Mode)
def test_a_challenge_hides_the_order_of_play(mode: Mode) -> None:
    one = a_duel(mode=mode, state=State.INVITED)
    assert text(one) == text(turned(one))


def test_more_of_a_challenge_says_how_a_win_and_a_loss_would_change_ratings() -> None:
    game = a_duel(state=State.INVITED)
    known = replace(
        game.seats[0], rating=Rating(1499.6, 40.0, 5, opponents=3, dates=5), stake=Stake(7, 4)
    )
    other = replace(
        game.seats[1], rating=Rating(1540, 40.0, 5, opponents=3, dates=5), stake=Stake(4, 7)
    )
    game = replace(game, seats=(known, other))
    assert "-# Rated." in text(game)
    assert "win" not in text(game)
    lines = at_stake(game).splitlines()
    assert f"-# <@{known.player_id}>: 1500 · win +7 · loss −4" in lines
    assert f"-# <@{other.player_id}>: 1540 · win +4 · loss −7" in lines


def test_a_challenge_says_in_six_words_why_it_is_not_rated() -> None:
    game, told = a_duel(state=State.INVITED), set[str]()
    for why in Friendly:
        shown = text(replace(game, friendly=why))
        (line,) = re.findall(r"^-# (Friendly: [^.]*)", shown, re.MULTILINE)
        assert len(line.split()) <= 6
        told.add(line)
    assert len(told) == 3


def test_a_board_tells_how_many_rounds_there_are_only_from_the_twentieth_on() -> None:
    for made, words in ((18, "guess 19."), (19, "guess 20 of 30."), (29, "guess 30 of 30.")):
        assert f"to move**: {words}" in turn_status(a_duel(state=State.PLAYING, rounds=made))
    duel = a_duel(state=State.PLAYING).duel
    assert guess_form_title(duel, 18) == "Your guess no. 19"
    assert guess_form_title(duel, 19) == "Your guess 20 of 30"


def test_every_ending_of_a_duel_has_its_own_words() -> None:
    played = [e for e in Ending if e not in {Ending.DECLINED, Ending.WITHDRAWN, Ending.LAPSED}]
    told = {result(a_duel(state=State.OVER, ending=ending)) for ending in played}
    assert len(told) == len(played)
    early = a_duel(state=State.OVER, ending=Ending.LAPSED, playing_at=None, accepted_at=None)
    for ending in (Ending.DECLINED, Ending.WITHDRAWN, Ending.LAPSED):
        for accepted_at in (None, NOON):
            told.add(result(changed(early, ending=ending, accepted_at=accepted_at)))
    # Those who have declined have not accepted, and what has lapsed neither.
    assert len(told) == len(played) + 4
    assert not any("{" in sentence for sentence in told)


async def test_forms_of_duels_are_within_discords_limits() -> None:
    game = a_duel(LARGEST, state=State.PLAYING)
    notebook = Notebook(game, 0, "0123456789", 10**6, is_bot_proven=False)
    at_first = replace(notebook, view=a_duel(LARGEST, state=State.PLAYING, rounds=0))
    forms = [
        number_form("du:form:secret:1", LARGEST, say(BOT_FINDS)),
        guess_form(notebook, "9" * 70),
        guess_form(at_first),
        change_form(game.duel),
        change_form(a_duel(LARGEST, state=State.SETTING, strength=Strength.PERFECT).duel),
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


def test_the_examples_in_the_help_of_duels_are_scored_correctly() -> None:
    words = "\n".join(help_text(HELP_TOPIC))
    for guess in GUESSES:
        found = score(guess, HIDDEN)
        assert f"{guess}  {found.bulls}B{found.cows}C" in words
    assert len(words) <= 3600


def test_more_of_a_challenge_shows_the_record_of_the_two_players() -> None:
    record, shared = HeadToHead(4, 1, 2), SharedDailies(18, 11, 4)
    game = a_duel(state=State.INVITED, head_to_head=record, shared=shared, challenger_id=2**63 + 1)
    one, other = (f"<@{game.seats[seat].player_id}>" for seat in (1, 0))
    lines = at_stake(game).splitlines()
    assert f"-# Head to head: {one} 4 – 2 {other} · 1 draw" in lines
    assert f"-# 18 puzzles in common: {one} ahead in 61%, {other} in 22%" in lines
    first = replace(game, head_to_head=HeadToHead(0, 0, 0), shared=None)
    assert "Head to head" not in at_stake(first)
    assert "puzzles" not in at_stake(first)

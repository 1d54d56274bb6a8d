"""Boards fit Discord's limits and say what is true."""

import io
from dataclasses import replace
from datetime import date, timedelta

import pytest
from PIL import Image

from bot.focdle import ending_words, words
from bot.focdle.ending_words import copied
from bot.focdle.model import EXAMPLES, GuessRefusedError, Play, PlayEnding
from bot.focdle.words import HELP_TOPIC
from bot.games.model import Hint
from bot.home.words import help_text
from bot.people.model import Choices
from bot.streaks.model import Missed, PlayedDates, Streak, work_out
from bot.text.pictures.boards import Flame, draw_card, draw_ending
from bot.text.pictures.tile_art import draw_rows
from bot.text.tiles import Palette, Tiles, TileState
from cogs.focdle.page import focdle_page, guess_form
from cogs.focdle.sharing import result_page
from engine import (
    SYMBOLS,
    EngineError,
    FalseEquationError,
    Focdle,
    NotationError,
    Problem,
    Shown,
    best_marks,
    mark,
    replay,
)
from engine.focdle import LONGEST, SHORTEST
from engine.skill import Grade
from engine.solvers.analysis import analyse
from tests.support.effort import either
from tests.support.plays import TILES, a_play, assert_fits, size, with_ending

LENGTHS = range(SHORTEST, LONGEST + 1)


def shared(play: Play, guild_id: int | None = None, tiles: Tiles | None = None) -> list[str]:
    """The lines of a shared play."""
    return "\n".join(ending_words.shared(play, guild_id, tiles)).splitlines()


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("turns", range(7))
@pytest.mark.parametrize("tiles", [None, TILES])
async def test_every_focdle_board_fits_a_message(
    length: int, turns: int, tiles: Tiles | None
) -> None:
    play = with_ending(a_play(length, turns, on_date=True), closed_in=(7, 8))
    cause = NotationError(Problem.TOO_MANY_OPERATORS, 99, symbol="-", found=99, wanted=2)
    refused = GuessRefusedError(play=play, text="🟩`" * 2000, cause=cause)
    assert_fits(focdle_page(play, tiles, None, refused))
    if turns:
        assert size(result_page(play, 7).to_components())[0] <= 3600


async def test_after_a_refused_guess_the_blue_button_is_edit() -> None:
    play = a_play(10, 2)
    hard = replace(play, rules=replace(play.rules, hard=True))
    false = FalseEquationError("12+34-5=42", 41, 42)
    other = NotationError(Problem.TOO_MANY_OPERATORS, 9, symbol="-", found=9, wanted=2)
    others = ["Hint", "More"]
    assert rows_of(play, "") == [["GUESS", *others]]
    assert rows_of(play, "", other) == [["GUESS", *others]]
    assert rows_of(play, "1-2", other) == [["EDIT", *others]]
    assert rows_of(play, "12+34-5=42", false) == [["EDIT", "Play it anyway", *others]]
    assert rows_of(hard, "12+34-5=42", false) == [["EDIT", "More"]]


def rows_of(play: Play, text: str, cause: EngineError | None = None) -> list[list[str]]:
    """The buttons of a board, row by row; blue ones in capitals."""
    refused = None if cause is None else GuessRefusedError(play=play, text=text, cause=cause)
    page = focdle_page(play, None, None, refused).to_components()
    rows = [part["components"] for part in page[0]["components"] if part["type"] == 1]
    return [
        [button["label"].upper() if button["style"] == 1 else button["label"] for button in row]
        for row in rows
    ]


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("palette", Palette)
def test_rows_too_long_for_a_phone_are_drawn_as_a_picture(length: int, palette: Palette) -> None:
    assert words.is_drawn(a_play(length, 3), TILES) == (length > 10)
    for turns in (0, 6):
        play = a_play(length, turns)
        assert words.is_drawn(play) == (length > 10)
        assert words.is_drawn(play, TILES) == (length > 10 or turns == 6)
        with Image.open(io.BytesIO(draw_rows(play.game, palette))) as picture:
            assert picture.width / length == pytest.approx(picture.height / 6, rel=0.02)
        description = words.picture_description(play)
        assert 1 <= len(description) <= 1024
        assert all(turn.guess in description for turn in play.game.turns)


def test_a_picture_shows_hints_while_the_play_goes_on_and_its_streak_at_the_end() -> None:
    begun, over = a_play(13, 2).game, a_play(13, 6).game
    assert len({draw_rows(begun, Palette.STANDARD, hints) for hints in ((), (Shown(3, "4"),))}) == 2
    flames = (None, Flame(6, 0), Flame(7, 1))
    assert len({draw_ending(over, Palette.STANDARD, flame) for flame in flames}) == 3


def test_a_board_with_a_picture_has_no_rows_in_its_text() -> None:
    play = a_play(13, 6)
    board = words.board(play, TILES, drawn=True)
    assert board.rows == ""


def test_the_keyboard_shows_each_symbol_as_a_tile_in_its_known_state() -> None:
    play = a_play(10, 3)
    keyboard = words.board(play, TILES).keyboard
    assert keyboard.count("<:") == 15
    best = best_marks(play.game.turns)
    for symbol in SYMBOLS:
        state = TileState.of(best.get(symbol))
        assert TILES.symbol(symbol, state, Palette.STANDARD) in keyboard


def test_a_board_is_drawn_with_the_players_tiles() -> None:
    play = replace(a_play(10, 1), choices=Choices(palette="shapes"))
    turn = play.game.turns[0]
    first, *rest = words.board(play, TILES).rows.splitlines()
    assert first == TILES.row(turn.guess, turn.feedback, Palette.SHAPES)
    assert rest == [TILES.blank * 10] * 5


@pytest.mark.parametrize("length", [7, 8, 9])
def test_rows_of_short_boards_stand_as_close_together_as_those_of_long_ones(length: int) -> None:
    rows = words.board(a_play(length, 1), TILES).rows.splitlines()
    assert len(rows) == 6
    assert all(row.startswith("<:") for row in rows)  # headings would have gaps between them


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("turns", [1, 6])
def test_the_card_of_a_result_has_a_row_for_each_guess_and_space_for_figures(
    length: int, turns: int
) -> None:
    play = a_play(length, turns)
    with Image.open(io.BytesIO(draw_card(play.game, Focdle(length, hard=True)))) as card:
        assert card.width == 720
        assert 100 <= card.height <= 344
        assert extremes(card.getchannel("A").crop((0, 40, 1, 60))) == (255, 255)
        shown = card.convert("L")
        assert extremes(shown.crop((700, 0, 720, card.height)))[1] < 64  # no figure is cut off
        assert extremes(shown.crop((530, 28, 700, card.height - 28)))[1] > 128


def extremes(picture: Image.Image) -> tuple[int, int]:
    """The darkest and the brightest value of a channel."""
    values = picture.tobytes()
    return min(values), max(values)


def test_a_shared_result_shows_the_tiles_of_the_board() -> None:
    play = a_play(10, 6)
    lines = shared(play, None, TILES)
    assert lines[1:] == [TILES.marks(turn.feedback) for turn in play.game.turns]
    assert ending_words.shared(play, None, TILES, drawn=True) == [lines[0]]


def test_a_shared_result_shows_hints_and_the_streak() -> None:
    streak = Streak(length=12, best=12)
    rules = Focdle()
    game = replay(rules, "66%65%72=1", ["12+34-5=41", "66%65%72=1"])
    play = replace(
        a_play(10, 2, on_date=True),
        game=game,
        ending=PlayEnding(streak=streak),
    )
    assert shared(play)[1] == "-# 12-day streak"
    assert "FoCdle #99999 2/6 · 12-day streak" in copied(play)
    hints = (Hint(1, 0, "6"), Hint(1, 1, "6"))
    assert "FoCdle #99999 2/6 · 2 hints · 12-day streak" in copied(replace(play, hints=hints))
    later = replace(play, seen_at=play.seen_at + timedelta(days=1))
    assert "streak" not in "".join(shared(later))
    assert "streak" not in "".join(shared(with_ending(play, streak=replace(streak, length=1))))


@pytest.mark.parametrize("palette", Palette)
def test_a_text_to_copy_uses_the_players_palette(palette: Palette) -> None:
    play = replace(a_play(10, 6), choices=Choices(palette=palette.value))
    text = copied(play)
    assert ("🟩" in text or "🟨" in text or "⬛" in text) == (palette is Palette.STANDARD)
    assert "<" not in text


@pytest.mark.parametrize("length", LENGTHS)
async def test_the_guess_form_of_each_length_fits_discords_limits(length: int) -> None:
    form = guess_form(a_play(length, 5), TILES, draft="1" * 70)
    assert size(form.to_components())[0] <= 3600
    assert len(form.title) <= 45
    assert len(form.custom_id) <= 100
    for child in form.to_components():
        assert len(child.get("label", "")) <= 45
        assert len(child.get("description", "")) <= 100
    field = form.to_components()[-1]
    assert field["label"] == f"Your equation: {length} symbols"
    typed = field["component"]
    assert (typed["max_length"], typed["value"]) == (3 * length, "1" * 3 * length)


@pytest.mark.parametrize("length", LENGTHS)
def test_the_example_equation_of_each_length_is_true(length: int) -> None:
    rules = Focdle(length)
    assert rules.is_true(rules.parse(EXAMPLES[length]))


def test_a_board_shows_the_example_equation_only_before_the_first_guess() -> None:
    play = a_play(10, 0)
    assert EXAMPLES[10] in words.board(play).status
    assert EXAMPLES[10] not in words.board(a_play(10, 1)).status


def test_a_running_focdle_board_never_shows_the_secret() -> None:
    for length in LENGTHS:
        for turns in range(6):
            play = a_play(length, turns)
            board = words.board(play)
            shown = board.title + board.rows + board.keyboard + board.status
            assert play.game.secret not in shown + words.form_reminder(play)


def test_the_keyboard_names_each_symbol_once() -> None:
    for turns in range(6):
        keyboard = words.board(a_play(10, turns)).keyboard
        listed = "".join(line.split("`")[1] for line in keyboard.splitlines())
        assert sorted(listed.replace(" ", "")) == sorted("0123456789+-*%=")


@pytest.mark.parametrize(
    ("opened_in", "closed_in", "said"),
    [
        (7, (), None),
        (7, (7, 8), "You played it too late to count on this server's boards."),
        (None, (7,), "You played it too late to count on another server's boards."),
        (9, (7, 8), "You played it too late to count on another server's boards."),
    ],
)
def test_a_board_says_in_which_servers_the_date_had_ended_before_the_play_did(
    opened_in: int | None, closed_in: tuple[int, ...], said: str | None
) -> None:
    rules = Focdle()
    game = replay(rules, "66%65%72=1", ["66%65%72=1"])
    play = replace(a_play(10, 1, on_date=True), game=game, guild_id=opened_in)
    play = with_ending(play, closed_in=closed_in)
    status = words.board(play).status
    assert ("too late" in status) == (said is not None)
    assert (said or "") in status
    assert ("Your points and streak still count." in status) == (said is not None)
    for reader in (7, 9, None):
        last = shared(play, reader)[-1]
        is_over = "-# You played it too late to count on this server's boards."
        assert (last == is_over) == (reader in closed_in)


@pytest.mark.long
@pytest.mark.parametrize("length", range(7, 14, either(3, 1)))
def test_the_coach_blames_no_example_guess(length: int) -> None:
    example = EXAMPLES[length]
    (turn,) = analyse(Focdle(length), example, [example])
    assert turn.grade in {Grade.BRILLIANT, Grade.GOOD, Grade.PLAIN}


def test_the_coach_does_not_blame_the_first_guess_in_the_help() -> None:
    first, *_ = analyse(Focdle(), "25+4*12=73", ["48-25+7=30", "25+4*12=73"])
    assert first.grade in {Grade.BRILLIANT, Grade.GOOD, Grade.PLAIN}


def test_the_marks_of_the_worked_example_agree_with_its_text() -> None:
    page = "\n".join(help_text(HELP_TOPIC))
    squares = {2: "🟩", 1: "🟡", 0: "⬜"}
    for guess in ("48-25+7=30", "25+4*12=73"):
        row = "".join(squares[m] for m in mark(guess, "25+4*12=73"))
        assert f"{row} `{guess}`" in page
        assert Focdle().is_true(guess)


def test_the_help_gives_a_correct_example_of_streaks() -> None:
    first = date(2026, 1, 1)
    solved = frozenset(first + timedelta(days=n) for n in (0, 1, 2, 3, 4, 5, 6, 8))
    over = first + timedelta(days=9)
    streak = work_out(PlayedDates(solved, over, {over: Missed.LOST}))
    lengths = [change.after for change in streak.changes]
    assert lengths[6:] == [7, 7, 8, 0]


def twisted(length: int) -> Play:
    """A play whose first guesses have all the right symbols in other places."""
    play = a_play(length, 0)
    rules = play.rules
    secret = "83*71*73=430189"
    turned = ["73*83*71=430189", "71*73*83=430189", "83*73*71=430189", "71*83*73=430189"]
    return replace(play, rules=rules, game=replay(rules, secret, turned))


def test_a_drawn_board_describes_its_picture_in_words() -> None:
    play = twisted(15)
    board = words.board(play, TILES, drawn=True)
    assert board.rows == ""
    assert board.status.count("same symbols, different order") == 1
    described = words.picture_description(play).splitlines()
    assert [line.endswith(" · same symbols, different order") for line in described] == [True] * 4


def test_a_row_with_all_symbols_in_another_order_is_marked_beside_its_tiles() -> None:
    plain, marked = (
        Image.open(io.BytesIO(draw_rows(play.game, Palette.STANDARD)))
        for play in (a_play(15, 4), twisted(15))
    )
    beside = marked.crop((plain.width, 0, marked.width, marked.height))
    tall = beside.height // 6
    rows = [beside.crop((0, y * tall, beside.width, (y + 1) * tall)) for y in range(6)]
    assert [row.getbbox() is not None for row in rows] == [True] * 4 + [False] * 2


def test_the_description_of_a_picture_never_exceeds_discords_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def in_a_wordy_language(text: str) -> str:
        return text if "{" in text else "an einer anderen Stelle"

    monkeypatch.setattr(words, "_", in_a_wordy_language)
    assert len(words.picture_description(twisted(15))) == 1024

"""The group picture: as many as there are, in rows, whatever they are called."""

import io

import pytest
from PIL import Image

from bot.text.pictures.boards import (
    AVATAR,
    MOST,
    Portrait,
    Standing,
    described,
    draw_face,
    draw_group,
    draw_podium,
)
from engine import Focdle
from engine.focdle import LONGEST, SHORTEST
from tests.support.plays import a_play

RED = bytes((255, 0, 0)) * AVATAR * AVATAR


def a_portrait(
    player: int, name: str = "Ann", *, length: int = 10, turns: int = 3, avatar: bytes | None = None
) -> Portrait:
    game = a_play(length, turns).game
    marks = [turn.feedback for turn in game.turns]
    return Portrait(player, name, marks, 6, is_solved=True, is_hard=False, avatar=avatar)


def picture(*portraits: Portrait) -> Image.Image:
    return Image.open(io.BytesIO(draw_group(portraits))).convert("RGB")


@pytest.mark.parametrize(
    ("players", "columns", "rows"),
    [(1, 1, 1), (2, 2, 1), (3, 3, 1), (4, 2, 2), (5, 3, 2), (8, 4, 2), (9, 3, 3), (24, 4, 6)],
)
def test_players_of_a_card_are_drawn_in_rows(players: int, columns: int, rows: int) -> None:
    """A red face is where each stands, and nowhere else."""
    shown = picture(*(a_portrait(n, avatar=RED) for n in range(players)))
    lefts, tops = set[int](), set[int]()
    for x in range(0, shown.width, 2):
        for y in range(0, shown.height, 2):
            if shown.getpixel((x, y)) == (255, 0, 0):
                lefts.add(x)
                tops.add(y)
    assert runs(lefts) == columns
    assert runs(tops) == rows
    assert shown.height < 1.4 * shown.width


def runs(places: set[int]) -> int:
    """How many stretches of even numbers there are."""
    return sum(place - 2 not in places for place in places)


@pytest.mark.parametrize("players", [1, 2, 3, 5])
@pytest.mark.parametrize("red", [0, 1, 2])
def test_the_best_of_an_evening_stand_the_higher_the_better_they_are(
    players: int, red: int
) -> None:
    """Where the red face of one of them is."""
    found = [
        Standing(min(n + 1, 3), n, "Ann", 9 - n, RED if n == red else None) for n in range(players)
    ]
    podium = Image.open(io.BytesIO(draw_podium(found))).convert("RGB")
    is_red = [
        (x, y)
        for x in range(0, podium.width, 4)
        for y in range(0, podium.height, 4)
        if podium.getpixel((x, y)) == (255, 0, 0)
    ]
    assert bool(is_red) == (red < min(players, 3))
    assert draw_podium(found) == draw_podium(found[:3])
    if is_red:
        top = min(y for _, y in is_red)
        assert [top < 40, 60 < top < 90, top > 100] == [red == 0, red == 1, red == 2]
    if is_red and players >= 3:
        third = podium.width / 3
        assert {int(x // third) for x, _ in is_red} == {(1, 0, 2)[red]}


def test_a_card_with_too_many_players_shows_the_first_ones() -> None:
    portraits = [a_portrait(n, str(n)) for n in range(MOST + 1)]
    assert draw_group(portraits) == draw_group(portraits[:MOST])
    assert described(portraits) == described(portraits[:MOST])


@pytest.mark.parametrize("length", [SHORTEST, 9, LONGEST])
def test_the_last_mark_of_every_row_is_inside_the_picture(length: int) -> None:
    """The marks end as far from the right border as they begin from the left, less a tile."""
    shown = picture(*(a_portrait(n, length=length, turns=6) for n in range(3)))
    grid = shown.crop((0, shown.height - 28 - 30, shown.width, shown.height - 28))
    left, _, right, _ = (
        Image.eval(grid.convert("L"), lambda v: 255 * (v > 60)).getbbox() or (0,) * 4
    )
    assert left == 28
    assert 0 <= shown.width - 28 - right <= (right - left) / (3 * length)


def test_a_name_of_any_script_and_length_does_not_affect_the_rest_of_a_card() -> None:
    sizes = {
        picture(a_portrait(1, name), a_portrait(2)).size
        for name in ("", "安娜", "W" * 128, "🎈", "a\u0301" * 64, "\u202eAnn")
    }
    assert len(sizes) == 1
    cut, longer = (picture(a_portrait(1, "W" * length)) for length in (20, 21))
    assert cut.tobytes() == longer.tobytes()
    last = cut.crop((cut.width - 28 - 4, 28, cut.width - 28, 60))  # of the line with the name
    assert len(last.getcolors() or ()) == 1


def test_a_player_without_an_avatar_is_drawn_as_a_disc() -> None:
    def face(avatar: bytes | None) -> tuple[int, ...] | float | None:
        return draw_face(avatar, 0, "", 64).getpixel((32, 2))

    assert face(RED) == (255, 0, 0, 255)
    assert face(None) != face(RED)


def test_the_description_of_a_card_has_names_and_scores() -> None:
    rules, secret = Focdle(), "66%65%72=1"
    marks = [rules.feedback("12+34-5=41", secret)] * 6
    lost = Portrait(2, "Ben\n*", marks, 6, is_solved=False, is_hard=True)
    assert described([a_portrait(1), lost, a_portrait(3, "")]) == "Ann 3/6 · Ben * X/6* · 3/6"
    longest = described([a_portrait(n, "W" * 200) for n in range(MOST)])
    assert len(longest) < 1024

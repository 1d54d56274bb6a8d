"""Pictures of boards are drawn once for each state, and no more of them are kept than fit."""

import asyncio

import pytest

from bot.text.pictures.boards import Flame
from bot.text.tiles import Palette
from cogs.ui.host import BoardPictures, draw_picture
from engine import Game, Marks, Shown
from tests.support.plays import a_play

FRESH, BEGUN, OVER = (a_play(13, turns).game for turns in (0, 2, 6))


class Studio:
    """Draws as ever, and counts."""

    def __init__(self) -> None:
        self.drawn: list[tuple[Game[Marks], Palette]] = []

    def draw(
        self, game: Game[Marks], palette: Palette, flame: Flame | None, shown: tuple[Shown, ...]
    ) -> bytes:
        self.drawn.append((game, palette))
        return draw_picture(game, palette, flame, shown)


@pytest.fixture
def studio() -> Studio:
    return Studio()


async def test_each_state_of_a_board_is_drawn_once_however_often_it_is_requested(
    studio: Studio,
) -> None:
    pictures = BoardPictures(studio.draw)
    plain, shapes = Palette
    states = [(FRESH, plain), (BEGUN, plain), (BEGUN, shapes)]
    looks = [await asyncio.gather(*(pictures.find(*s) for s in states for _ in range(3)))]
    looks += [await asyncio.gather(*(pictures.find(*s) for s in states for _ in range(3)))]
    right = [picture for state in states for picture in [draw_picture(*state, None, ())] * 3]
    assert looks == [right, right]
    assert len(studio.drawn) == len(states)


async def test_empty_boards_of_different_lengths_have_different_pictures(studio: Studio) -> None:
    pictures = BoardPictures(studio.draw)
    one, other = (a_play(length, 0).game for length in (12, 13))
    plain = Palette.STANDARD
    assert await pictures.find(one, plain) != await pictures.find(other, plain)


async def test_the_picture_of_a_running_board_shows_its_hints(
    studio: Studio,
) -> None:
    pictures, plain, shown = BoardPictures(studio.draw), Palette.STANDARD, (Shown(3, "4"),)
    assert await pictures.find(BEGUN, plain, None, shown) != await pictures.find(BEGUN, plain)
    assert await pictures.find(OVER, plain, None, shown) == await pictures.find(OVER, plain)
    assert len(studio.drawn) == 3


async def test_the_least_recently_used_picture_is_dropped_first(studio: Studio) -> None:
    plain = Palette.STANDARD
    pictures = BoardPictures(studio.draw, most_bytes=200_000)
    for game in (FRESH, BEGUN, FRESH, OVER):
        assert len(await pictures.find(game, plain)) < 180_000
    assert len(studio.drawn) == 3
    await pictures.find(FRESH, plain)
    assert len(studio.drawn) == 3
    await pictures.find(BEGUN, plain)
    assert len(studio.drawn) == 4


async def test_a_picture_that_could_not_be_drawn_is_drawn_again() -> None:
    fails = [True]

    def draw(
        game: Game[Marks], palette: Palette, flame: Flame | None, shown: tuple[Shown, ...]
    ) -> bytes:
        if fails.pop():
            raise MemoryError
        return draw_picture(game, palette, flame, shown)

    pictures = BoardPictures(draw)
    with pytest.raises(MemoryError):
        await pictures.find(FRESH, Palette.STANDARD)
    fails.append(False)
    assert await pictures.find(FRESH, Palette.STANDARD)


async def test_a_longer_streak_gets_a_new_picture(studio: Studio) -> None:
    pictures = BoardPictures(studio.draw)
    flames = (None, Flame(6, 0), Flame(7, 1))
    drawn = {await pictures.find(OVER, Palette.STANDARD, flame) for flame in flames}
    assert len(drawn) == len(studio.drawn) == 3

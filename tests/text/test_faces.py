"""Discs with initials: legible on our pictures' ground, whatever somebody is called."""

import unicodedata
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib.ft2font import FT2Font
from PIL import Image, ImageColor

from bot.text.pictures.boards import COLOURS, WHITE, colour_of, draw_disc
from bot.text.pictures.drawing import GROUND, drawable, initial
from tests.text.test_pegs import rgb
from tests.text.test_tiles import contrast

SIZE = 64


@pytest.mark.parametrize("colour", COLOURS)
def test_initials_contrast_with_their_discs_and_discs_with_the_background(colour: str) -> None:
    assert contrast(rgb(colour), rgb(WHITE)) >= 4.5
    assert contrast(rgb(colour), rgb(GROUND)) >= 3


def ink_of(disc: Image.Image) -> set[tuple[int, int]]:
    """Where a disc is white."""
    found = (divmod(n, disc.width) for n in range(disc.width * disc.height))
    return {(x, y) for y, x in found if disc.getpixel((x, y)) == (255, 255, 255, 255)}


def test_a_disc_is_round_with_an_initial_in_its_middle() -> None:
    disc = draw_disc(7, "Ann", SIZE)
    ink = ink_of(disc)
    assert len(ink) > SIZE
    assert abs(sum(x for x, _ in ink) / len(ink) - SIZE / 2) < 2
    assert min(y for _, y in ink) + max(y for _, y in ink) in range(SIZE - 4, SIZE + 3)
    assert disc.getpixel((0, 0)) == (0, 0, 0, 0)
    assert disc.getpixel((SIZE // 2, 3)) == (*ImageColor.getrgb(colour_of(7)), 255)


def test_the_colour_of_a_disc_depends_on_the_player_and_the_initial_on_the_name() -> None:
    def drawn(player: int, name: str) -> bytes:
        return draw_disc(player, name, SIZE).tobytes()

    assert drawn(1, "Ann") == drawn(1, "Anna")
    for step in (1, 1 << 22):  # by count, and by time
        players = range(7 << 50, (7 << 50) + 60 * step, step)
        assert {colour_of(player) for player in players} == set(COLOURS)
    assert len({drawn(player, "Ann") for player in range(60)}) == len(COLOURS)
    assert len({drawn(1, name) for name in ("Ann", "Ben", "安娜")}) == 3
    assert drawn(1, "安娜") == drawn(1, "🎈") == drawn(1, "")


@pytest.mark.parametrize(
    ("name", "letter", "written"),
    [
        ("ann", "A", "ann"),
        ("__x__", "X", "__x__"),
        ("e\u0301lodie", "É", "élodie"),
        ("ß", "ß", "ß"),
        ("Михаил", "М", "Михаил"),
        ("אבא", "א", ""),
        ("安 Ann", "A", "Ann"),
        ("🎈 party", "P", "party"),
        ("\u202e\u200b", "", ""),
        ("a" + "\u0301" * 40, "Á", "á\u0301\u0301"),
    ],
)
def test_a_name_is_drawn_as_far_as_the_font_has_its_letters(
    name: str, letter: str, written: str
) -> None:
    assert initial(name) == letter
    assert drawable(name) == written


def test_initials_use_exactly_the_capital_letters_that_the_font_contains() -> None:
    file = Path(mpl.get_data_path(), "fonts", "ttf", "DejaVuSans-Bold.ttf")
    known = frozenset(FT2Font(str(file)).get_charmap())
    capitals = [chr(n) for n in range(0x21, 0x2FFF) if chr(n).isupper()]
    letters = [ord(c) for c in capitals if unicodedata.normalize("NFC", c) == c]
    drawn = {n for n in letters if initial(chr(n)) == chr(n)}
    assert drawn == known.intersection(letters)
    assert 300 < len(drawn) < len(letters)

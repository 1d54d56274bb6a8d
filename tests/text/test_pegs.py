"""The pegs can be told apart: by name, by letter and lightness, on every ground of Discord's."""

import re
from io import BytesIO
from itertools import combinations, pairwise

import pytest
from PIL import Image

from bot.text.language import speak
from bot.text.pictures import tile_art
from bot.text.pictures.boards import draw_codes
from bot.text.pictures.drawing import GROUND, SIZE
from bot.text.pictures.tile_art import draw_peg
from bot.text.tiles import EMPTY_NAME, Pegs, every_key, in_letters, key_name, peg_name
from engine import COLOURS, Code, Score, Turn
from engine import score as scored
from tests.text.test_tiles import GROUNDS, Colour, colours, contrast


@pytest.fixture(scope="module")
def pictures() -> dict[str, Image.Image]:
    return {
        name: Image.open(BytesIO(draw_peg(name))).convert("RGBA") for name in tile_art.peg_names()
    }


def rgb(text: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue


def test_every_name_of_a_peg_is_two_characters_that_no_tile_uses() -> None:
    names = tile_art.peg_names()
    assert len(names) == 10 + 1 + 28 == len(set(names))
    assert all(re.fullmatch(r"[a-z0-9]{2}", name) for name in names)
    assert not set(names) & {name.lower() for name in tile_art.tile_names()}


def test_every_picture_of_a_peg_is_a_small_unique_png(pictures: dict[str, Image.Image]) -> None:
    files = {name: draw_peg(name) for name in pictures}
    assert len(set(files.values())) == len(files)
    assert all(len(file) < 10_000 for file in files.values())
    assert {picture.size for picture in pictures.values()} == {(SIZE, SIZE)}
    with pytest.raises(KeyError):
        draw_peg("zz")


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
def test_every_picture_of_a_peg_contrasts_with_discords_backgrounds(
    ground: Colour, pictures: dict[str, Image.Image]
) -> None:
    for name, picture in pictures.items():
        seen = sum(n for c, n in colours(picture).items() if contrast(c, ground) >= 3)
        assert seen / SIZE**2 > (0.08 if name == EMPTY_NAME else 0.15), name


def test_every_letter_contrasts_with_its_peg(pictures: dict[str, Image.Image]) -> None:
    for letter in COLOURS:
        two = sorted(colours(pictures[peg_name(letter)]).items(), key=lambda item: -item[1])
        fill = two[0][0]
        inks = [c for c, n in two if c in (rgb("#ffffff"), rgb("#1b1b1f")) and n > 500]
        assert max(contrast(ink, fill) for ink in inks) >= 4.5, letter


def test_no_two_pegs_have_similar_colours(pictures: dict[str, Image.Image]) -> None:
    fills = [
        max(colours(pictures[peg_name(x)]).items(), key=lambda item: item[1])[0] for x in COLOURS
    ]
    for one, other in combinations(fills, 2):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 > 75


def test_the_picture_of_key_pegs_shows_their_number(pictures: dict[str, Image.Image]) -> None:
    for score in every_key():
        found = colours(pictures[key_name(score)])
        each = found.get(rgb("#0c0c0f"), 0), found.get(rgb("#ffffff"), 0)
        for count, pixels in zip(score, each, strict=True):
            assert (count == 0) == (pixels == 0), score
        if all(score):
            assert each[0] / each[1] == pytest.approx(score.bulls / score.cows, rel=0.1)


def test_fewer_key_pegs_are_drawn_larger(pictures: dict[str, Image.Image]) -> None:
    sizes = [
        colours(pictures[key_name(Score(blacks, 0))])[rgb("#0c0c0f")] / blacks
        for blacks in (1, 2, 4, 6)
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 2 * sizes[2]


def test_a_row_without_key_pegs_shows_a_dash(pictures: dict[str, Image.Image]) -> None:
    nothing = colours(pictures[key_name(Score(0, 0))])
    plate, dash = sorted(nothing, key=lambda colour: -nothing[colour])[:2]
    assert nothing[dash] > 500
    assert contrast(plate, dash) >= 3


@pytest.mark.parametrize("made", [1, 13])
@pytest.mark.parametrize("found", [True, False])
def test_a_finished_code_is_drawn_with_all_rows_however_many(made: int, found: bool) -> None:
    secret, wrong = Code("RRGGBB"), Code("YYYYYY")
    guesses = [wrong] * (made - found) + [secret] * found
    turns = [Turn(guess, scored(guess, secret)) for guess in guesses]
    heads = [(1, "W" * 32, None), (2, "安" * 32, None)]
    picture = Image.open(BytesIO(draw_codes(turns, secret, "13/13", heads))).convert("RGB")
    assert picture.height <= 1.5 * picture.width
    before = made - found
    columns = [before] if before <= 6 else [before - before // 2, before // 2]
    for place, rows in enumerate(columns):  # below the heads, above the last or its band
        assert lit(picture, 30 + place * picture.width // 2) == 1 + rows + 1


def lit(picture: Image.Image, x: int) -> int:
    """How many things stand above each other at `x`."""
    lines = (picture.crop((x, y, x + 40, y + 1)) for y in range(picture.height))
    shown = [line.getcolors() != [(40, rgb(GROUND))] for line in lines]
    return sum(after and not before for before, after in pairwise(shown))


async def test_colours_can_be_typed_by_their_names_in_the_current_language() -> None:
    speak("pt-BR")
    assert in_letters("Vermelho, AZULvermelho roxo🔴 rygb") == "R, AZULvermelho P🔴 rygb"


def test_every_peg_has_its_emoji_markup() -> None:
    pegs = Pegs({name: f"<:{name}:1>" for name in tile_art.peg_names()})
    assert pegs.row("RW", 3) == "<:r0:1><:w0:1><:e0:1>"
    assert pegs.key(Score(0, 0)) == "<:00:1>"
    assert pegs.key(Score(2, 1)) == "<:21:1>"

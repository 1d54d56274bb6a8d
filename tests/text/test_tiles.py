"""The tiles can be told apart: by name, by shape, on every ground that Discord puts them on."""

import re
from io import BytesIO
from itertools import combinations

import pytest
from PIL import Image, ImageChops

from bot.text.pictures import tile_art
from bot.text.pictures.tile_art import SIZE, draw_tile
from bot.text.tiles import BLANK_NAME, Palette, Tiles, TileState, mark_name, samples, tile_name
from engine import SYMBOLS, Mark, mark

Colour = tuple[int, int, int]

GROUNDS: dict[str, Colour] = {
    "light": (0xFF, 0xFF, 0xFF),
    "dark": (0x31, 0x33, 0x38),
    "midnight": (0x1A, 0x1A, 0x1E),
}
LOOKS = [(state, palette) for palette in Palette for state in TileState]
# What an edge covers that is one pixel wide where Discord shows 22.
EDGE_SHARE = 0.15


@pytest.fixture(scope="module")
def files() -> dict[str, bytes]:
    return {name: draw_tile(name) for name in tile_art.tile_names()}


@pytest.fixture(scope="module")
def pictures(files: dict[str, bytes]) -> dict[str, Image.Image]:
    return {name: Image.open(BytesIO(file)) for name, file in files.items()}


def luminance(colour: Colour) -> float:
    """The relative luminance of WCAG 2."""
    linear = [
        v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
        for v in (channel / 255 for channel in colour)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of WCAG 2."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def on_ground(picture: Image.Image, ground: Colour) -> Image.Image:
    seen = Image.new("RGB", picture.size, ground)
    seen.paste(picture, mask=picture.getchannel("A"))
    return seen


def colours(picture: Image.Image, mask: Image.Image | None = None) -> dict[Colour, int]:
    """How many pixels have each colour."""
    counted: dict[Colour, int] = {}
    picture = picture.convert("RGBA")
    if mask is not None:
        picture.putalpha(mask)
    for count, colour in picture.getcolors(SIZE * SIZE) or []:
        assert isinstance(colour, tuple)
        red, green, blue, alpha = colour
        if alpha == 255:
            counted[red, green, blue] = counted.get((red, green, blue), 0) + count
    return counted


def share_that_stands_out(picture: Image.Image, ground: Colour, mask: Image.Image) -> float:
    seen = colours(on_ground(picture, ground), mask)
    return sum(n for c, n in seen.items() if contrast(c, ground) >= 3) / SIZE**2


def without_symbols(pictures: list[Image.Image]) -> Image.Image:
    """A mask of where all pictures are the same: the tile itself."""
    same = Image.new("L", (SIZE, SIZE), 255)
    for picture in pictures[1:]:
        for band in ImageChops.difference(pictures[0], picture).split():
            same = ImageChops.subtract(same, saturated(band))
    return same


def saturated(mask: Image.Image) -> Image.Image:
    """White wherever there is anything."""
    return ImageChops.add(mask, mask, scale=1 / 255)


def silhouette(picture: Image.Image) -> Image.Image:
    """White where a picture is more opaque than not."""
    half = Image.new("L", picture.size, 127)
    return saturated(ImageChops.subtract(picture.getchannel("A"), half))


def pixel(picture: Image.Image, x: int, y: int) -> Colour:
    colour = picture.getpixel((x, y))
    assert isinstance(colour, tuple)
    red, green, blue = colour
    return red, green, blue


def test_every_name_of_a_tile_is_two_characters_that_discord_allows() -> None:
    names = tile_art.tile_names()
    assert len(names) == 15 * 4 * 2 + 3 * 2 + 1 == len({name.lower() for name in names})
    assert all(re.fullmatch(r"[A-Za-z0-9_]{2}", name) for name in names)
    tiles = {tile_name(s, *look) for s in SYMBOLS for look in LOOKS}
    marks = {mark_name(mark, palette) for mark in Mark for palette in Palette}
    assert tiles | {BLANK_NAME} | marks == set(names)


def test_a_row_of_tiles_shows_the_guess_and_its_feedback() -> None:
    tiles = Tiles({name: f"<:{name}:1>" for name in tile_art.tile_names()})
    guess, secret = "21+20*4=55", "25+4*12=73"
    names = ["2c", "1p", "pc", "2p", "0a", "tp", "4p", "ec", "5p", "5a"]
    marks = mark(guess, secret)
    assert tiles.row(guess, marks, Palette.STANDARD) == "".join(f"<:{n}:1>" for n in names)
    shapes = str.maketrans("cpa", "sox")
    names = [name[0] + name[1].translate(shapes) for name in names]
    assert tiles.row(guess, marks, Palette.SHAPES) == "".join(f"<:{n}:1>" for n in names)
    assert tiles.symbol("%", TileState.UNKNOWN, Palette.SHAPES) == "<:rh:1>"
    assert tiles.blank == f"<:{BLANK_NAME}:1>"
    assert tiles.marks(marks[:5]) == "<:bc:1><:bp:1><:bc:1><:bp:1><:ba:1>"
    legend = {"correct": "<:bs:1>", "present": "<:bo:1>", "absent": "<:bx:1>"}
    assert samples(tiles, Palette.SHAPES) == legend
    with pytest.raises(ValueError, match="zip"):
        tiles.row(guess, marks[1:], Palette.STANDARD)


def test_each_mark_gives_a_symbol_its_own_state_and_no_mark_leaves_it_unknown() -> None:
    states = [TileState.of(m) for m in (Mark.CORRECT, Mark.PRESENT, Mark.ABSENT, None)]
    assert states == [TileState.CORRECT, TileState.PRESENT, TileState.ABSENT, TileState.UNKNOWN]


def test_every_picture_of_a_tile_is_a_small_square_png(
    files: dict[str, bytes], pictures: dict[str, Image.Image]
) -> None:
    for name, picture in pictures.items():
        assert (picture.format, picture.mode, picture.size) == ("PNG", "RGBA", (128, 128)), name
        assert len(files[name]) < 10_000, name  # Discord takes 256 KiB


def test_no_two_pictures_of_tiles_are_the_same(files: dict[str, bytes]) -> None:
    assert len(set(files.values())) == len(files)


def test_a_tile_is_drawn_identically_every_time(files: dict[str, bytes]) -> None:
    assert all(draw_tile(name) == files[name] for name in ("8c", "3o", "rx", BLANK_NAME))


def test_a_tile_with_an_unknown_name_cannot_be_drawn() -> None:
    with pytest.raises(KeyError):
        draw_tile("zz")


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize(("state", "palette"), LOOKS)
def test_every_tile_contrasts_with_discords_backgrounds(
    state: TileState, palette: Palette, ground: str, pictures: dict[str, Image.Image]
) -> None:
    tiles = [pictures[tile_name(symbol, state, palette)] for symbol in SYMBOLS]
    tile = without_symbols(tiles)
    assert share_that_stands_out(tiles[0], GROUNDS[ground], tile) > EDGE_SHARE


@pytest.mark.parametrize("ground", GROUNDS)
def test_the_blank_tile_contrasts_with_discords_backgrounds(
    ground: str, pictures: dict[str, Image.Image]
) -> None:
    blank, everywhere = pictures[BLANK_NAME], Image.new("L", (SIZE, SIZE), 255)
    assert share_that_stands_out(blank, GROUNDS[ground], everywhere) > EDGE_SHARE


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize(("state", "palette"), LOOKS)
def test_every_symbol_contrasts_with_its_tile(
    state: TileState, palette: Palette, ground: str, pictures: dict[str, Image.Image]
) -> None:
    seen = on_ground(pictures[tile_name("=", state, palette)], GROUNDS[ground])
    upper_bar, between, lower_bar = (pixel(seen, SIZE // 2, y) for y in (52, 64, 76))
    assert upper_bar == lower_bar
    # An outline's symbol has all three grounds to stand out on.
    is_outline = (state, palette) == (TileState.UNKNOWN, Palette.SHAPES)
    assert contrast(upper_bar, between) >= (3 if is_outline else 4.5)


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_shapes_distinguish_the_states_of_tiles_without_colour(
    symbol: str, pictures: dict[str, Image.Image]
) -> None:
    shapes = [silhouette(pictures[tile_name(symbol, state, Palette.SHAPES)]) for state in TileState]
    for one, other in combinations(shapes, 2):
        different = ImageChops.difference(one, other).histogram()[255]
        assert different / SIZE**2 > 0.1

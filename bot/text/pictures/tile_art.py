"""Pictures of tiles and pegs, and rows of them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from itertools import product
from typing import Final

from PIL import Image, ImageChops, ImageDraw

from bot.text.counts import ALIKE
from bot.text.pictures.drawing import MIDDLE, SIZE, Line, Pen, Point, arc, disc, font, png, strokes
from bot.text.tiles import (
    BLANK_NAME,
    EMPTY_NAME,
    Palette,
    TileState,
    every_key,
    every_tile,
    key_name,
    mark_name,
    peg_name,
    tile_name,
)
from engine import Game, Mark, Marks, Score, Shown, Turn, is_same_symbols

# Tiles: a symbol in round strokes on a shape with an edge. Discord shows them 22 pixels high, on
# grounds from white to nearly black. So strokes are bold, and an edge contrasts with a ground that
# is close to the fill.

_MARGIN: Final = 2

# Sizes in a picture of rows, in pixels.
_ROW_TILE: Final = 64
_ROW_GAP: Final = 6
# Discord rounds the corners of pictures; the tiles there must keep theirs.
_ROW_MARGIN: Final = 8
_ALIKE_SIZE: Final = 28
_ALIKE_WIDTH: Final = 26

_Shape = Callable[[float], Image.Image]


@dataclass(frozen=True, slots=True)
class _Look:
    """The look of a state's tiles.

    `shape` draws the silhouette as a mask; its argument says by how much the mask is smaller on
    each side. Without a `fill` the tile is transparent inside its edge. An `edge_width` of 6 is
    about a pixel where Discord shows the tile.
    """

    shape: _Shape
    edge: str
    fill: str | None
    ink: str
    scale: float = 1.0
    edge_width: float = 6.0


def tile_names() -> tuple[str, ...]:
    """List the names of all tiles: with a symbol, with only a mark, and the blank."""
    return tuple(_TILES)


def draw_tile(name: str) -> bytes:
    """Draw a tile as a PNG; reproducible with the same version of Pillow."""
    symbol, look = _TILES[name]
    silhouette, inside = look.shape(0), look.shape(look.edge_width)
    ink = strokes(SYMBOL_LINES[symbol], look.scale)
    # The transparent border has the edge's colour too, so that no other shines through.
    picture = Image.new("RGB", silhouette.size, look.edge)
    if look.fill is None:
        silhouette = ImageChops.subtract(silhouette, inside)
    else:
        picture.paste(look.fill, mask=inside)
    picture.paste(look.ink, mask=ink)
    picture.putalpha(ImageChops.lighter(silhouette, ink))
    return png(picture)


@lru_cache(maxsize=40)  # some 4 MB
def draw_rows(game: Game[Marks], palette: Palette, shown: Sequence[Shown] = ()) -> bytes:
    """Draw a board as a transparent PNG, with a row for each guess.

    A running game has rows for the guesses that are left, too; the first of them has the hinted
    symbols. The PNG is for lengths whose emojis would wrap on a phone.
    """
    rows = [names_of(turn, palette) for turn in game.turns]
    if game.outcome is None:
        following = [BLANK_NAME] * len(game.secret)
        for each in shown:
            following[each.place] = tile_name(each.symbol, TileState.CORRECT, palette)
        rows += [following, *[[BLANK_NAME] * len(game.secret)] * (game.guesses_left - 1)]
    step = _ROW_TILE + _ROW_GAP
    width, height = (n * step - _ROW_GAP + 2 * _ROW_MARGIN for n in (len(game.secret), len(rows)))
    is_alike = any(is_same_symbols(turn.feedback) for turn in game.turns)
    picture = Image.new("RGBA", (width + is_alike * _ALIKE_WIDTH, height))
    for y, turn in enumerate(game.turns):
        put_alike(picture, turn, (width, _ROW_MARGIN + y * step + _ROW_TILE // 2))
    for y, row in enumerate(rows):
        for x, name in enumerate(row):
            picture.paste(tile(name, _ROW_TILE), (_ROW_MARGIN + x * step, _ROW_MARGIN + y * step))
    buffer = BytesIO()
    picture.save(buffer, format="PNG")
    return buffer.getvalue()


def put_alike(picture: Image.Image, turn: Turn[Marks], at: tuple[int, int]) -> None:
    """Mark a row that has all symbols of the secret, at the middle of its right end."""
    if is_same_symbols(turn.feedback):
        drawing = ImageDraw.Draw(picture)
        drawing.text(at, ALIKE, fill=_GREY, font=font(_ALIKE_SIZE), anchor="lm")


def names_of(turn: Turn[Marks], palette: Palette) -> list[str]:
    marks = zip(turn.guess, turn.feedback, strict=True)
    return [tile_name(symbol, TileState.of(mark), palette) for symbol, mark in marks]


@cache
def tile(name: str, size: int) -> Image.Image:
    """Draw a tile `size` pixels wide; the result is cached, so callers must not change it."""
    return _resized(draw_tile(name), size)


def _resized(file: bytes, size: int) -> Image.Image:
    with Image.open(BytesIO(file)) as picture:
        return picture.convert("RGBA").resize((size, size), Image.Resampling.LANCZOS)


def code_row(guess: str, score: Score | None, size: int) -> Image.Image:
    """Draw pegs or digits, then the key pegs of a score; found digits are green."""
    gap, key_gap = 4, 8
    is_found = score is None or score.bulls == len(guess)
    state = TileState.CORRECT if is_found else TileState.UNKNOWN
    step = size + gap
    row = Image.new("RGBA", (len(guess) * step + key_gap + size, size))
    for place, symbol in enumerate(guess):
        if symbol.isalpha():
            drawn = peg_picture(peg_name(symbol), size)
        else:
            drawn = tile(tile_name(symbol, state, Palette.STANDARD), size)
        row.alpha_composite(drawn, (place * step, 0))
    if score is not None:
        key = peg_picture(key_name(score), size)
        row.alpha_composite(key, (len(guess) * step + key_gap, 0))
    return row


def draw_marks(turns: Sequence[Marks], size: int, gap: int) -> Image.Image:
    """Draw the marks of each guess as a row of tiles without symbols, on a transparent ground.

    Sizes of tiles and gaps are in pixels.
    """
    step = size + gap
    drawn = Image.new("RGBA", (len(turns[0]) * step - gap, len(turns) * step - gap))
    for y, marks in enumerate(turns):
        for x, mark in enumerate(marks):
            drawn.paste(tile(mark_name(mark), size), (x * step, y * step))
    return drawn


def _square(inset: float) -> Image.Image:
    pen = Pen()
    pen.rounded_square(_MARGIN + inset, 26 - inset)
    return pen.mask()


def _small_square(inset: float) -> Image.Image:
    pen = Pen()
    pen.rounded_square(_MARGIN + 11 + inset, 22 - inset)
    return pen.mask()


def _disc(inset: float) -> Image.Image:
    return disc(MIDDLE - _MARGIN / 2 - inset)


def _cross(inset: float) -> Image.Image:
    """Draw a square with a notch in every side, which leaves a broad X."""
    rounding, depth, half_width = 10, 18, 36
    # Insets the corners so that every side moves by the same distance.
    inset += rounding
    slant = math.hypot(1, depth / half_width)
    start = half_width * (1 + inset * (slant - 1) / depth)
    near, end = _MARGIN + inset, _MARGIN + depth + inset * slant
    side = [(near, near), (MIDDLE - start, near), (MIDDLE, end), (MIDDLE + start, near)]
    corners: list[Point] = []
    for _ in range(4):
        corners += side
        side = [(SIZE - y, x) for x, y in side]
    pen = Pen()
    pen.polygon(corners)
    pen.line((*corners, corners[0]), 2 * rounding)
    return pen.mask()


# The centre lines of strokes. Digits span 30 to 98.
SYMBOL_LINES: Final[dict[str, tuple[Line, ...]]] = {
    "0": (arc((64, 64), (21, 34), 0, 360),),
    "1": (((53, 44), (70, 30), (70, 98)),),
    "2": ((*arc((64, 50), (20, 20), 190, 390), (45, 98), (85, 98)),),
    "3": (arc((63, 47.5), (19, 17.5), 200, 450), arc((63, 81), (21, 17), -90, 155)),
    "4": (((72, 98), (72, 30), (42, 78), (88, 78)),),
    "5": (((80, 30), (50, 30), (47, 60), *arc((62, 76), (22, 22), 225, 510)),),
    "6": (arc((64, 76), (21, 22), 0, 360), arc((75, 68), (32, 38), 175, 255)),
    "7": (((44, 30), (85, 30), (58, 98)),),
    "8": (arc((64, 46), (18, 16), 0, 360), arc((64, 80), (21, 18), 0, 360)),
    "9": (arc((64, 52), (21, 22), 0, 360), arc((53, 60), (32, 38), -5, 75)),
    "+": (((64, 36), (64, 92)), ((36, 64), (92, 64))),
    "-": (((37, 64), (91, 64)),),
    "*": (((64, 33), (64, 95)), ((37, 48.5), (91, 79.5)), ((37, 79.5), (91, 48.5))),
    "%": (((86, 34), (42, 94)), arc((43, 45), (6, 6), 0, 360), arc((85, 83), (6, 6), 0, 360)),
    "=": (((38, 50), (90, 50)), ((38, 78), (90, 78))),
    "✓": (((36, 66), (56, 86), (92, 44)),),
    "•": (arc((64, 64), (9, 9), 0, 360),),
    "": (),
}
# Signs in place of a symbol, for those who cannot tell the colours apart.
_SIGNS: Final = {Mark.CORRECT: "✓", Mark.PRESENT: "•", Mark.ABSENT: ""}

_BRIGHT: Final = "#ffffff"
_DARK: Final = "#1b1b1f"
_GREY: Final = "#7d8590"
_LOOKS: Final = {
    (Palette.STANDARD, TileState.CORRECT): _Look(_square, "#5cc98a", "#1f7a43", _BRIGHT),
    (Palette.STANDARD, TileState.PRESENT): _Look(_square, "#a86e00", "#f0b429", _DARK),
    (Palette.STANDARD, TileState.ABSENT): _Look(_square, "#9aa1ad", "#5c636e", _BRIGHT),
    (Palette.STANDARD, TileState.UNKNOWN): _Look(_square, _GREY, "#f3f4f6", _DARK),
    # Okabe and Ito's blue, orange and sky blue, which the colour-blind can tell apart.
    (Palette.SHAPES, TileState.CORRECT): _Look(_square, "#56b4e9", "#0072b2", _BRIGHT),
    (Palette.SHAPES, TileState.PRESENT): _Look(_disc, "#8a5a00", "#e69f00", _DARK, edge_width=7),
    (Palette.SHAPES, TileState.ABSENT): _Look(_cross, "#9aa1ad", "#5c636e", _BRIGHT, scale=0.86),
    # Bright to catch the eye; smaller, so that the shape differs, too.
    (Palette.SHAPES, TileState.UNKNOWN): _Look(
        _small_square, _GREY, "#f3f4f6", _DARK, scale=0.9, edge_width=8
    ),
}
_TILES: Final = {
    BLANK_NAME: ("", _Look(_square, _GREY, None, _GREY)),
    **{
        mark_name(mark, palette): (_SIGNS[mark], _LOOKS[palette, TileState.of(mark)])
        for mark, palette in product(Mark, Palette)
    },
    **{tile_name(*tile): (tile[0], _LOOKS[tile[2], tile[1]]) for tile in every_tile()},
}


# Pegs: a letter on a disc; key pegs are small discs. Discord shows them 22 pixels high, on grounds
# from white to nearly black. The colours differ in lightness as well as in hue, and every peg has
# its letter, for those who cannot tell hues apart. An edge contrasts with a ground that is close to
# the fill.

_RADIUS: Final = 62
_EDGE: Final = 7
_LETTER_SCALE: Final = 0.92
# A highlight at the upper left makes a peg look round.
_SHINE: Final = 0.22
_SHINE_RADIUS: Final = 46


@dataclass(frozen=True, slots=True)
class _LookPegs:
    fill: str
    edge: str
    ink: str


_PEG_LOOKS: Final = {
    "R": _LookPegs("#d92332", "#ff8f8f", _BRIGHT),
    "O": _LookPegs("#ff8c1a", "#9a4a00", _DARK),
    "Y": _LookPegs("#ffe04a", "#8a6d00", _DARK),
    "G": _LookPegs("#12803a", "#6fdc97", _BRIGHT),
    "B": _LookPegs("#1f5fd6", "#93bcff", _BRIGHT),
    "P": _LookPegs("#6d28b0", "#cfa3ff", _BRIGHT),
    "C": _LookPegs("#37cdea", "#0d6678", _DARK),
    "K": _LookPegs("#ff9ed2", "#a8306f", _DARK),
    "N": _LookPegs("#6f4420", "#d9ad7c", _BRIGHT),
    "W": _LookPegs("#f7f8fa", "#6b7280", _DARK),
}

# The centre lines of strokes; letters span 30 to 98.
_LETTERS: Final[dict[str, tuple[Line, ...]]] = {
    "R": (
        ((46, 98), (46, 30), (62, 30), *arc((64, 48), (20, 18), -90, 90), (46, 66)),
        ((66, 66), (86, 98)),
    ),
    "O": (arc((64, 64), (25, 34), 0, 360),),
    "Y": (((41, 30), (64, 64), (87, 30)), ((64, 64), (64, 98))),
    "G": ((*arc((65, 64), (25, 34), -50, -360), (66, 64)),),
    "B": (
        ((46, 30), (62, 30), *arc((63, 46.5), (18, 16.5), -90, 90), (46, 63)),
        ((62, 63), *arc((64, 80.5), (21, 17.5), -90, 90), (46, 98), (46, 30)),
    ),
    "P": (((46, 98), (46, 30), (62, 30), *arc((64, 49), (21, 19), -90, 90), (46, 68)),),
    "C": (arc((66, 64), (25, 34), -50, -310),),
    "K": (((46, 30), (46, 98)), ((86, 30), (48, 68)), ((59, 58), (87, 98))),
    "N": (((43, 98), (43, 30), (85, 98), (85, 30)),),
    "W": (((36, 30), (49, 98), (64, 48), (79, 98), (92, 30)),),
}

# Layouts of key pegs for up to one, two, four and six, each with its radius. Few are larger, so
# that they can be counted on a phone.
_PLACES: Final[tuple[tuple[tuple[Point, ...], int], ...]] = (
    (((64, 64),), 38),
    (((35, 64), (93, 64)), 26),
    (((37, 37), (91, 37), (37, 91), (91, 91)), 23),
    (((25, 40), (64, 40), (103, 40), (25, 88), (64, 88), (103, 88)), 16),
)
_DASH: Final[Line] = ((40, 64), (88, 64))
_DASH_WIDTH: Final = 14
_DASH_COLOUR: Final = "#2b2f36"
_PLATE: Final = "#858c98"
_PLATE_MARGIN: Final = 2
_PLATE_ROUNDING: Final = 26
_BLACK_PEG: Final = "#0c0c0f"
_WHITE_PEG: Final = "#ffffff"


def peg_names() -> tuple[str, ...]:
    return (*_PEGS, EMPTY_NAME, *_KEYS)


def draw_peg(name: str) -> bytes:
    """Draw a peg, an empty place or key pegs as a PNG; reproducible with the same Pillow."""
    if name in _KEYS:
        return png(_key(_KEYS[name]))
    if name == EMPTY_NAME:
        ring = Image.new("RGB", (SIZE, SIZE), _GREY)
        ring.putalpha(ImageChops.subtract(disc(_RADIUS - 8), disc(_RADIUS - 18)))
        return png(ring)
    return png(_peg(_PEGS[name]))


@cache
def peg_picture(name: str, size: int) -> Image.Image:
    """Draw as `draw_peg` does, `size` pixels wide; it is cached, so callers must not change it."""
    return _resized(draw_peg(name), size)


def _peg(letter: str) -> Image.Image:
    look = _PEG_LOOKS[letter]
    picture = Image.new("RGB", (SIZE, SIZE), look.edge)
    picture.paste(look.fill, mask=disc(_RADIUS - _EDGE))
    shine = Pen()
    shine.line(arc((MIDDLE, MIDDLE), (_SHINE_RADIUS, _SHINE_RADIUS), 190, 290), 9)
    picture.paste(_BRIGHT, mask=shine.mask().point([round(v * _SHINE) for v in range(256)]))
    picture.paste(look.ink, mask=strokes(_LETTERS[letter], _LETTER_SCALE))
    picture.putalpha(disc(_RADIUS))
    return picture


def _key(score: Score) -> Image.Image:
    picture = Image.new("RGB", (SIZE, SIZE), _PLATE)
    pegs = [_BLACK_PEG] * score.bulls + [_WHITE_PEG] * score.cows
    places, radius = next(fit for fit in _PLACES if len(pegs) <= len(fit[0]))
    for colour, place in zip(pegs, places, strict=False):
        pen = Pen()
        pen.disc(*place, radius)
        picture.paste(colour, mask=pen.mask())
    if not pegs:  # an empty plate would look like one that waits for its answer
        dash = Pen()
        dash.line(_DASH, _DASH_WIDTH)
        picture.paste(_DASH_COLOUR, mask=dash.mask())
    plate = Pen()
    plate.rounded_square(_PLATE_MARGIN, _PLATE_ROUNDING)
    picture.putalpha(plate.mask())
    return picture


_PEGS: Final = {peg_name(letter): letter for letter in _PEG_LOOKS}
_KEYS: Final = {key_name(score): score for score in every_key()}

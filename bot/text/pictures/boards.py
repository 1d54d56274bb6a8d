"""Boards as pictures: a result card, a finished board, avatars, a group of players."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from typing import Final
from zlib import crc32

from PIL import Image, ImageDraw

from bot.text import counts
from bot.text.counts import HARD_MARK, score
from bot.text.markup import LONGEST, clip, visible
from bot.text.pictures.drawing import (
    BLUE,
    GROUND,
    INK,
    MIDDLE,
    SIZE,
    Pen,
    Point,
    drawable,
    fitting,
    font,
    initial,
    png,
    strokes,
)
from bot.text.pictures.tile_art import SYMBOL_LINES, code_row, draw_marks, names_of, put_alike, tile
from bot.text.tiles import Palette, TileState, tile_name
from engine import Focdle, Game, Marks, Outcome, Score, Turn

# The card of a shared result: marks without symbols, and the number of guesses. It has a ground of
# its own, so that it looks the same in every theme; its figures are strokes like the tiles',
# without a font. Discord shows it at most 550 pixels wide, on a phone 235.

_WIDTH: Final = 720
PADDING: Final = 28
ROUNDING: Final = 28
SOLVED: Final = "#5cc98a"
LOST: Final = "#9aa1ad"

_TILE: Final = 44
_GAP: Final = 4
_WIDEST_GRID: Final = 480
"""The most pixels of a card's width that the marks take; the rest is for the figures."""

_FIGURES: Final = {
    **SYMBOL_LINES,
    "/": (((80, 30), (48, 98)),),
    "X": (((44, 30), (84, 98)), ((84, 30), (44, 98))),
}
# The figures are centred in the space beside the grid, at most four of them.
_FIGURE_SCALE: Final = 0.68
_STAR_SCALE: Final = 0.45
_FIGURE_WIDTH: Final = 40
_FIGURE_HEIGHT: Final = 60


def draw_card(game: Game[Marks], rules: Focdle) -> bytes:
    """Draw a finished FoCdle as a PNG to share: marks without symbols, a result such as `3/6`."""
    size = min(_TILE, _WIDEST_GRID // len(game.secret) - _GAP)
    grid = draw_marks([turn.feedback for turn in game.turns], size, _GAP)
    height = max(grid.height, _FIGURE_HEIGHT) + 2 * PADDING
    card = Image.new("RGBA", (_WIDTH, height))
    ground = ImageDraw.Draw(card)
    ground.rounded_rectangle((0, 0, _WIDTH - 1, height - 1), ROUNDING, fill=GROUND)
    card.alpha_composite(grid, (PADDING, (height - grid.height) // 2))

    is_solved = game.outcome is Outcome.SOLVED
    figures = _figures(
        score(len(game.turns), rules.max_guesses, is_solved=is_solved, is_hard=rules.hard)
    )
    left = (PADDING + grid.width + _WIDTH - figures.width) // 2
    ink = Image.new("RGB", figures.size, SOLVED if is_solved else LOST)
    card.paste(ink, (left, (height - figures.height) // 2), figures)
    return png(card)


def _figures(text: str) -> Image.Image:
    """Draw a result such as `3/6*` or `X/6` as a mask."""
    mask = Image.new("L", (len(text) * _FIGURE_WIDTH, _FIGURE_HEIGHT))
    left, top = (SIZE - _FIGURE_WIDTH) // 2, (SIZE - _FIGURE_HEIGHT) // 2
    for place, figure in enumerate(text):
        scale = _STAR_SCALE if figure == HARD_MARK else _FIGURE_SCALE
        drawn = strokes(_FIGURES[figure], scale)
        part = drawn.crop((left, top, SIZE - left, SIZE - top))
        mask.paste(part, (place * _FIGURE_WIDTH, 0))
    return mask


# The picture of a finished board: its rows, the last one on a band, and the streak's flame. Discord
# shows it at most 550 pixels wide, on a phone 235.

_NARROWEST: Final = 540
_ENDING_TILE: Final = 64
_ENDING_GAP: Final = 6
_ALIKE_GAP: Final = 3
_BAND: Final = 14
"""The margin of the coloured band above and below a board's last row."""
_LOST_BAND: Final = "#3a3c42"
_SOLVED_BANDS: Final = {Palette.STANDARD: "#17512f", Palette.SHAPES: "#0a4468"}
_FOOT: Final = 96
_ENDING_FIGURES: Final = 52
_SIGN: Final = 60
_BESIDE: Final = 10

# Sizes of signs, in pixels of a tile.
_ROUND: Final = 6
_THIN: Final = 9
_ARM: Final = 54
_FORK: Final = 30
_TWIG: Final = 50
_TURN: Final = math.radians(24)

_OUTER: Final = "#ff8a3d"
_INNER: Final = "#ffd166"
_FLAME: Final[tuple[Point, ...]] = (
    *((60, 6), (74, 24), (80, 40), (82, 54)),
    *((88, 50), (92, 44), (93, 38)),
    *((105, 56), (110, 74), (107, 92), (98, 108), (82, 118), (64, 121)),
    *((46, 118), (30, 108), (21, 92), (19, 74), (28, 58), (44, 42), (54, 26), (60, 6)),
)
_HEART: Final[tuple[Point, ...]] = (
    *((66, 64), (78, 78), (86, 90), (84, 104), (76, 113), (64, 116)),
    *((52, 113), (44, 104), (43, 92), (52, 80), (66, 64)),
)


@dataclass(frozen=True, slots=True)
class Flame:
    """A streak as it is drawn: its days and freezes."""

    days: int
    freezes: int


@lru_cache(maxsize=40)  # some 4 MB
def draw_ending(game: Game[Marks], palette: Palette, flame: Flame | None = None) -> bytes:
    """Draw a player's finished FoCdle as a PNG, with the streak if given; to be called in a thread.

    A lost game has its secret as the last row.
    """
    is_solved = game.outcome is Outcome.SOLVED
    names = [names_of(turn, palette) for turn in game.turns]
    if not is_solved:
        names.append([tile_name(symbol, TileState.UNKNOWN, palette) for symbol in game.secret])
    step = _ENDING_TILE + _ENDING_GAP
    grid = len(game.secret) * step - _ENDING_GAP
    width = max(grid + 2 * PADDING, _NARROWEST)
    rows = [Image.new("RGBA", (grid, _ENDING_TILE)) for _ in names]
    for row, line in zip(rows, names, strict=True):
        for x, name in enumerate(line):
            row.paste(tile(name, _ENDING_TILE), (x * step, 0))
    band = _SOLVED_BANDS[palette] if is_solved else _LOST_BAND
    picture = _banded(rows, (width, PADDING, _FOOT), (width - grid) // 2, band)
    for y, turn in enumerate(game.turns):
        end = (width + grid) // 2 + _ALIKE_GAP
        put_alike(picture, turn, (end, PADDING + y * step + _ENDING_TILE // 2))
    result = score(len(game.turns), game.rules.max_guesses, is_solved=is_solved, is_hard=False)
    middle, colour = picture.height - _FOOT // 2, SOLVED if is_solved else LOST
    pen, type_ = ImageDraw.Draw(picture), font(_ENDING_FIGURES)
    pen.text((PADDING, middle), result, fill=colour, font=type_, anchor="lm")
    if flame is not None:
        _put_flame(picture, flame, middle)
    return png(picture)


def _banded(
    rows: Sequence[Image.Image], size: tuple[int, int, int], left: int, colour: str
) -> Image.Image:
    """Draw rows, the last one on a band; `size` is the width, and the heights above and below."""
    width, above, below = size
    step = rows[0].height + _ENDING_GAP
    band = above + (len(rows) - 1) * step
    foot = band + rows[0].height + 2 * _BAND
    picture = Image.new("RGBA", (width, foot + below))
    ground = ImageDraw.Draw(picture)
    ground.rounded_rectangle((0, 0, width - 1, foot + below - 1), ROUNDING, fill=GROUND)
    ground.rectangle((0, band, width - 1, foot - 1), fill=colour)
    for y, row in enumerate(rows):
        picture.alpha_composite(row, (left, above + y * step + (y == len(rows) - 1) * _BAND))
    return picture


def _put_flame(picture: Image.Image, flame: Flame, middle: int) -> None:
    days = str(flame.days)
    length = round(font(_ENDING_FIGURES).getlength(days))
    left = picture.width - PADDING - length - (flame.freezes + 1) * (_SIGN + _BESIDE)
    top = middle - _SIGN // 2
    _put(picture, _shape(_FLAME), _OUTER, (left, top))
    _put(picture, _shape(_HEART), _INNER, (left, top))
    left += _SIGN + _BESIDE
    drawing = ImageDraw.Draw(picture)
    drawing.text((left, middle), days, fill=INK, font=font(_ENDING_FIGURES), anchor="lm")
    left += length + _BESIDE
    for _ in range(flame.freezes):
        _put(picture, _snowflake(), BLUE, (left, top))
        left += _SIGN + _BESIDE


def _put(picture: Image.Image, mask: Image.Image, colour: str, place: tuple[int, int]) -> None:
    sign = Image.new("RGBA", (_SIGN, _SIGN), colour)
    sign.putalpha(mask.resize((_SIGN, _SIGN), Image.Resampling.LANCZOS))
    picture.alpha_composite(sign, place)


def _shape(points: tuple[Point, ...]) -> Image.Image:
    pen = Pen()
    pen.polygon(points)
    pen.line(points, _ROUND)
    return pen.mask()


def _snowflake() -> Image.Image:
    pen = Pen()
    for arm in range(6):
        angle = math.radians(60 * arm - 90)
        pen.line([(MIDDLE, MIDDLE), _at(angle, _ARM)], _THIN)
        for side in (-1, 1):
            twig = _at(angle, _FORK), _at(angle + side * _TURN, _TWIG)
            pen.line(twig, _THIN)
    return pen.mask()


def _at(angle: float, distance: float) -> Point:
    return MIDDLE + distance * math.cos(angle), MIDDLE + distance * math.sin(angle)


# Discs with an avatar or an initial. A disc's colour follows from its player's id; it contrasts
# with our dark ground and with white letters.

COLOURS: Final = (
    "#d43643",
    "#b6581a",
    "#89710f",
    "#2c8342",
    "#17807d",
    "#2a74c8",
    "#6666d3",
    "#9e51c5",
    "#cc338c",
)
WHITE: Final = "#ffffff"

AVATAR: Final = 64
"""The width and height of avatars, in pixels."""
Avatar = bytes
"""An avatar's pixels: red, green, blue, row by row."""

# A file that claims to be larger would cost memory and time before it is found to be none.
_WIDEST: Final = 2 * AVATAR
# Drawn larger, then reduced: Pillow has no anti-aliasing.
_OVERSAMPLING: Final = 4
_LETTER: Final = 0.56
"""The height of an initial's font, relative to its disc's width."""


def colour_of(player_id: int) -> str:
    """Choose the colour of a player's disc by a hash of the id."""
    return COLOURS[crc32(str(player_id).encode()) % len(COLOURS)]


def draw_disc(player_id: int, name: str, size: int) -> Image.Image:
    """Draw a player's disc with their initial or, if the font has none, with a silhouette."""
    large = size * _OVERSAMPLING
    disc = Image.new("RGB", (large, large), colour_of(player_id))
    drawing = ImageDraw.Draw(disc)
    if letter := initial(name):
        type_ = font(round(large * _LETTER))
        left, top, right, bottom = type_.getbbox(letter)
        place = (large - left - right) / 2, (large - top - bottom) / 2
        drawing.text(place, letter, fill=WHITE, font=type_)
    else:
        # A head above shoulders, which the disc cuts off.
        for radius, top in ((0.19 * large, 0.2 * large), (0.34 * large, 0.64 * large)):
            box = (large / 2 - radius, top, large / 2 + radius, top + 2 * radius)
            drawing.ellipse(box, fill=WHITE)
    return rounded(disc, size)


def disc_file(player_id: int, name: str, size: int) -> bytes:
    return png(draw_disc(player_id, name, size))


def draw_face(avatar: Avatar | None, player_id: int, name: str, size: int) -> Image.Image:
    if avatar is None:
        return draw_disc(player_id, name, size)
    return rounded(Image.frombytes("RGB", (AVATAR, AVATAR), avatar), size)


def decode_avatar(file: bytes) -> Avatar | None:
    """Decode an avatar on our dark ground; None if the file is not a small PNG."""
    try:
        with Image.open(BytesIO(file), formats=["PNG"]) as picture:
            if max(picture.size) > _WIDEST:
                return None
            seen = picture.convert("RGBA")
    except Exception:  # noqa: BLE001 - whatever is wrong with it, it is no picture
        return None
    ground = Image.new("RGBA", seen.size, GROUND)
    ground.alpha_composite(seen)
    fitting = ground.convert("RGB").resize((AVATAR, AVATAR), Image.Resampling.BICUBIC)
    return fitting.tobytes()


def encode_avatar(avatar: Avatar) -> bytes:
    return png(Image.frombytes("RGB", (AVATAR, AVATAR), avatar))


def rounded(picture: Image.Image, size: int) -> Image.Image:
    """Resize a square picture, and cut it to a disc."""
    found = picture.convert("RGBA").resize((size, size), Image.Resampling.LANCZOS)
    ground = Image.new("RGBA", (size, size))
    ground.paste(found, (0, 0), _mask(size))
    return ground


@cache
def _mask(size: int) -> Image.Image:
    large = size * _OVERSAMPLING
    mask = Image.new("L", (large, large))
    ImageDraw.Draw(mask).ellipse((0, 0, large - 1, large - 1), fill=255)
    return mask.reduce(_OVERSAMPLING)


_CODE_TILE: Final = 48
_MOST_CODES: Final = 6
"""The most rows above each other, besides the last: more stand in two columns."""
_COLUMNS_APART: Final = 40
_CODE_FIGURES: Final = 44
_HEAD: Final = 56
_HEAD_NAME: Final = 28


Head = tuple[int, str, Avatar | None]
"""A player above a finished game of codes: id, name, avatar."""


def draw_codes(
    turns: Sequence[Turn[Score]], secret: str, result: str, heads: Sequence[Head] = ()
) -> bytes:
    """Draw a codebreaker's finished game as a PNG, below `heads`; to be called in a thread.

    A secret that was not found is the last row.
    """
    is_solved = bool(turns) and turns[-1].guess == secret
    drawn = [code_row(turn.guess, turn.feedback, _CODE_TILE) for turn in turns]
    last = drawn.pop() if is_solved else code_row(secret, None, _CODE_TILE)
    width = _NARROWEST
    if len(drawn) > _MOST_CODES:
        drawn = _in_two_columns(drawn)
        width = max(width, drawn[0].width + 2 * PADDING)
    above = PADDING + bool(heads) * (_HEAD + _BELOW_FACE)
    band = _SOLVED_BANDS[Palette.STANDARD] if is_solved else _LOST_BAND
    picture = _banded([*drawn, last], (width, above, PADDING), PADDING, band)
    pen = ImageDraw.Draw(picture)
    end = width - PADDING, picture.height - PADDING - _BAND - _CODE_TILE // 2
    colour = SOLVED if is_solved else LOST
    pen.text(end, result, fill=colour, font=font(_CODE_FIGURES), anchor="rm")
    half = width // 2
    for place, (player_id, name, avatar) in enumerate(heads):
        left = PADDING + place * (half - PADDING)
        picture.alpha_composite(draw_face(avatar, player_id, name, _HEAD), (left, PADDING))
        room = half - PADDING - _HEAD - 2 * _BESIDE_FACE
        called, at = fitting(drawable(name), room, _HEAD_NAME), left + _HEAD + _BESIDE_FACE
        middle = PADDING + _HEAD // 2
        pen.text((at, middle), called, fill=INK, font=font(_HEAD_NAME), anchor="lm")
    return png(picture)


def _in_two_columns(rows: Sequence[Image.Image]) -> list[Image.Image]:
    """Put the second half of the rows beside the first."""
    half, width = -(-len(rows) // 2), rows[0].width
    joined: list[Image.Image] = []
    for place in range(half):
        both = Image.new("RGBA", (2 * width + _COLUMNS_APART, rows[0].height))
        for column, row in enumerate(rows[place::half]):
            both.paste(row, (column * (width + _COLUMNS_APART), 0))
        joined.append(both)
    return joined


# Today's card as a picture: avatar, name and marks of each player. Discord shows it at most 550
# pixels wide, on a phone 235; an avatar is then 20 pixels wide.

MOST: Final = 24
"""The most players in a group picture."""


@dataclass(frozen=True, slots=True)
class _Cell:
    """Sizes of what a group picture shows of one player, in pixels."""

    width: int
    face: int = 62
    name: int = 27
    score: int = 25


_CELLS: Final = {1: _Cell(400), 2: _Cell(316), 3: _Cell(206), 4: _Cell(150, 50, 23, 23)}
"""Sizes by the number of players side by side in a group picture."""
_PAIRS: Final = 4
_SMALL: Final = 6
_MEDIUM: Final = 9
_BETWEEN: Final = 23
_ROWS_APART: Final = 30
_BESIDE_FACE: Final = 12
_BELOW_FACE: Final = 14
_WIDEST_TILE: Final = 36
_TILE_GAP: Final = 2
_RING: Final = "#f0b429"
_RING_WIDTH: Final = 4


@dataclass(frozen=True, slots=True)
class Portrait:
    """A player in a group picture; `is_best` draws a ring around the avatar."""

    player_id: int
    name: str
    turns: Sequence[Marks]
    max_guesses: int
    is_solved: bool
    is_hard: bool
    is_best: bool = False
    avatar: Avatar | None = None

    @property
    def score(self) -> str:
        made, most = len(self.turns), self.max_guesses
        return counts.score(made, most, is_solved=self.is_solved, is_hard=self.is_hard)


def draw_group(portraits: Sequence[Portrait]) -> bytes:
    """Draw the first `MOST` players, each with marks, as a PNG; to be called in a thread."""
    shown = portraits[:MOST]
    columns = _columns(len(shown))
    cells = [_cell(portrait, _CELLS[columns]) for portrait in shown]
    rows = [cells[n : n + columns] for n in range(0, len(cells), columns)]
    heights = [max(cell.height for cell in row) for row in rows]
    width = columns * _CELLS[columns].width + (columns - 1) * _BETWEEN + 2 * PADDING
    height = sum(heights) + (len(rows) - 1) * _ROWS_APART + 2 * PADDING
    picture = Image.new("RGBA", (width, height))
    ground = ImageDraw.Draw(picture)
    ground.rounded_rectangle((0, 0, width - 1, height - 1), ROUNDING, fill=GROUND)
    top = PADDING
    for row, tallest in zip(rows, heights, strict=True):
        for column, cell in enumerate(row):
            place = PADDING + column * (_CELLS[columns].width + _BETWEEN), top
            picture.alpha_composite(cell, place)
        top += tallest + _ROWS_APART
    return png(picture)


def described(portraits: Sequence[Portrait]) -> str:
    """Describe a group picture for screen readers: names and numbers of guesses."""
    shown = portraits[:MOST]
    return " · ".join(f"{clip(visible(p.name), LONGEST)} {p.score}".strip() for p in shown)


def _columns(players: int) -> int:
    """Choose how many players stand side by side in a group picture; four are two pairs."""
    if players == _PAIRS:
        return 2
    if players <= _SMALL or players == _MEDIUM:
        return min(players, 3)
    return max(_CELLS)


def _cell(portrait: Portrait, look: _Cell) -> Image.Image:
    """Draw one player of a group picture: avatar, name and number of guesses above the marks."""
    size = min(_WIDEST_TILE, look.width // len(portrait.turns[0]) - _TILE_GAP)
    grid = draw_marks(portrait.turns, size, _TILE_GAP)
    top = look.face + _BELOW_FACE
    cell = Image.new("RGBA", (look.width, top + grid.height))
    inset = 0
    if portrait.is_best:
        inset = 2 * _RING_WIDTH
        for color, margin in ((_RING, 0), (GROUND, _RING_WIDTH)):
            disc = Image.new("RGB", (look.face, look.face), color)
            cell.alpha_composite(rounded(disc, look.face - 2 * margin), (margin, margin))
    face = draw_face(portrait.avatar, portrait.player_id, portrait.name, look.face - 2 * inset)
    cell.alpha_composite(face, (inset, inset))
    drawing = ImageDraw.Draw(cell)
    left, middle = look.face + _BESIDE_FACE, look.face / 2
    colour = SOLVED if portrait.is_solved else LOST
    name = fitting(drawable(portrait.name), look.width - left, look.name)
    if name:
        drawing.text((left, middle - 3), name, fill=INK, font=font(look.name), anchor="ls")
    # Without a drawable name the score is centred.
    below = middle + (look.score if name else look.score / 2 - 3)
    drawing.text((left, below), portrait.score, fill=colour, font=font(look.score), anchor="ls")
    cell.alpha_composite(grid, (0, top))
    return cell


# The podium of an evening, as wide as a card: the winner in the middle, the highest.

_STEP: Final = 200
_STEPS_APART: Final = 32
_STEP_HEIGHTS: Final = {1: 190, 2: 140, 3: 100}
_STEP_COLOURS: Final = {1: "#8a6a14", 2: "#5c6370", 3: "#7a4a26"}
_STANDING_FACE: Final = 104
_NAME_BELOW: Final = 52
_NAME_SIZE: Final = 34
_POINTS_SIZE: Final = 64


@dataclass(frozen=True, slots=True)
class Standing:
    """A player on a podium, who may share the place."""

    place: int
    player_id: int
    name: str
    points: int
    avatar: Avatar | None = None


def draw_podium(standings: Sequence[Standing]) -> bytes:
    """Draw the best three players, or fewer, as a PNG; to be called in a thread."""
    shown = standings[:3]
    above = PADDING + _STANDING_FACE + _NAME_BELOW
    height = above + _STEP_HEIGHTS[1]
    picture = Image.new("RGBA", (_WIDTH, height))
    drawing = ImageDraw.Draw(picture)
    drawing.rounded_rectangle((0, 0, _WIDTH - 1, height - 1), ROUNDING, fill=GROUND)
    steps = [shown[1], shown[0], *shown[2:]] if len(shown) > 1 else [*shown]
    left = (_WIDTH - len(steps) * (_STEP + _STEPS_APART) + _STEPS_APART) // 2
    for one in steps:
        top, middle = height - _STEP_HEIGHTS[one.place], left + _STEP // 2
        box = (left, top, left + _STEP - 1, height - 1)
        corners = (True, True, False, False)
        colour = _STEP_COLOURS[one.place]
        drawing.rounded_rectangle(box, ROUNDING // 2, fill=colour, corners=corners)
        points = middle, (top + height) // 2
        drawing.text(points, str(one.points), fill=WHITE, font=font(_POINTS_SIZE), anchor="mm")
        if name := fitting(drawable(one.name), _STEP + _STEPS_APART // 2, _NAME_SIZE):
            place = middle, top - _NAME_BELOW // 2
            drawing.text(place, name, fill=INK, font=font(_NAME_SIZE), anchor="mm")
        face = draw_face(one.avatar, one.player_id, one.name, _STANDING_FACE)
        at = middle - _STANDING_FACE // 2, top - _NAME_BELOW - _STANDING_FACE
        picture.alpha_composite(face, at)
        left += _STEP + _STEPS_APART
    return png(picture)


def podium_described(standings: Sequence[Standing]) -> str:
    """Describe a podium for screen readers: places, names and points."""
    told = (f"{s.place}. {clip(visible(s.name), LONGEST)}: {s.points}" for s in standings[:3])
    return " · ".join(told)

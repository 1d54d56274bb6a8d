"""The picture of a board that is over: its rows, the last one on a band, and the streak's flame.

It has the look of the card. Discord shows it at most 550 pixels wide, on a phone 235.
"""

import math
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from bot.text.counts import score
from bot.text.pictures.card import LOST, PADDING, ROUNDING, SOLVED
from bot.text.pictures.drawing import MIDDLE, Pen, Point, png
from bot.text.pictures.lettering import font
from bot.text.pictures.palette import BLUE, GROUND, INK
from bot.text.pictures.tiles import names_of, tile
from bot.text.tiles import Palette, State, tile_name
from engine import Game, Marks, Outcome

_NARROWEST: Final = 540
_TILE: Final = 64
_GAP: Final = 6
_BAND: Final = 14
"""What of the band is above its row, and below."""
_LOST_BAND: Final = "#3a3c42"
_SOLVED_BANDS: Final = {Palette.STANDARD: "#17512f", Palette.SHAPES: "#0a4468"}
_FOOT: Final = 96
_FIGURES: Final = 52
_SIGN: Final = 60
_BESIDE: Final = 10

# Of signs, in pixels of a tile.
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
    """A streak as it is drawn: its days, and the freezes that are held."""

    days: int
    freezes: int


def draw_ending(game: Game[Marks], palette: Palette, flame: Flame | None = None) -> bytes:
    """The picture of a game that is over as a PNG; to be drawn in a worker thread.

    Args:
        game: the game; one that was lost has its secret as the last row.
        palette: the tiles its player wants.
        flame: the streak, if it belongs to one.
    """
    is_solved = game.outcome is Outcome.SOLVED
    rows = [names_of(turn, palette) for turn in game.turns]
    if not is_solved:
        rows.append([tile_name(symbol, State.UNKNOWN, palette) for symbol in game.secret])
    step = _TILE + _GAP
    grid = len(game.secret) * step - _GAP
    width = max(grid + 2 * PADDING, _NARROWEST)
    band = PADDING + (len(rows) - 1) * step
    foot = band + _TILE + 2 * _BAND
    picture = Image.new("RGBA", (width, foot + _FOOT))
    ground = ImageDraw.Draw(picture)
    ground.rounded_rectangle((0, 0, width - 1, foot + _FOOT - 1), ROUNDING, fill=GROUND)
    ground.rectangle(
        (0, band, width - 1, foot - 1), fill=_SOLVED_BANDS[palette] if is_solved else _LOST_BAND
    )
    for y, row in enumerate(rows):
        top = PADDING + y * step + (_BAND if y == len(rows) - 1 else 0)
        for x, name in enumerate(row):
            picture.alpha_composite(tile(name, _TILE), ((width - grid) // 2 + x * step, top))
    result = score(len(game.turns), game.rules.max_guesses, is_solved=is_solved, is_hard=False)
    middle = foot + _FOOT // 2
    ground.text(
        (PADDING, middle),
        result,
        fill=SOLVED if is_solved else LOST,
        font=font(_FIGURES),
        anchor="lm",
    )
    if flame is not None:
        _put_flame(picture, flame, middle)
    return png(picture)


def _put_flame(picture: Image.Image, flame: Flame, middle: int) -> None:
    """Put the flame with its days, and a snowflake for each freeze, at the right of the foot."""
    days = str(flame.days)
    length = round(font(_FIGURES).getlength(days))
    left = picture.width - PADDING - length - (flame.freezes + 1) * (_SIGN + _BESIDE)
    top = middle - _SIGN // 2
    _put(picture, _shape(_FLAME), _OUTER, (left, top))
    _put(picture, _shape(_HEART), _INNER, (left, top))
    left += _SIGN + _BESIDE
    drawing = ImageDraw.Draw(picture)
    drawing.text((left, middle), days, fill=INK, font=font(_FIGURES), anchor="lm")
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
    """Six arms, each with two twigs."""
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

"""Drawing tools: shapes, letters, colours."""

import math
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.text.markup import letters, visible


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG with its file name, and a description for screen readers."""

    name: str
    png: bytes
    description: str


GROUND: Final = "#232428"
INK: Final = "#f2f3f5"
FAINT: Final = "#b5bac1"
LINES: Final = "#4e5058"
# Okabe and Ito's palette, which nearly everybody can tell apart.
BLUE: Final = "#56b4e9"
ORANGE: Final = "#e69f00"
VERMILION: Final = "#e8702a"


# Emojis are round strokes and discs, as smooth masks: no font of the machine's is needed, and the
# same Pillow draws the same bytes.

SIZE: Final = 128
"""The width and height of the picture of an emoji, in pixels."""
MIDDLE: Final = SIZE / 2
STROKE: Final = 17
"""The width of a symbol's strokes at scale 1."""

Point = tuple[float, float]
Line = tuple[Point, ...]

# Pillow draws without anti-aliasing: masks are drawn larger, then reduced.
_OVERSAMPLING: Final = 4
_OPAQUE: Final = 255


class Pen:
    """Draws a mask as large as an emoji; all measures are in pixels of the emoji."""

    def __init__(self) -> None:
        self._large = Image.new("L", (SIZE * _OVERSAMPLING, SIZE * _OVERSAMPLING))
        self._draw = ImageDraw.Draw(self._large)

    def mask(self) -> Image.Image:
        """Return what was drawn, as a mask with smooth borders."""
        return self._large.reduce(_OVERSAMPLING)

    def rounded_square(self, margin: float, radius: float) -> None:
        """Draw a centred square with round corners, `margin` away from the border."""
        box = self._box(MIDDLE, MIDDLE, MIDDLE - margin)
        self._draw.rounded_rectangle(box, radius * _OVERSAMPLING, fill=_OPAQUE)

    def disc(self, x: float, y: float, radius: float) -> None:
        self._draw.ellipse(self._box(x, y, radius), fill=_OPAQUE)

    def line(self, points: Iterable[Point], width: float) -> None:
        """Draw a line with round ends and corners."""
        points = tuple(points)
        for x, y in points:
            self.disc(x, y, width / 2)
        self._draw.line(self._enlarged(points), fill=_OPAQUE, width=round(width * _OVERSAMPLING))

    def polygon(self, points: Iterable[Point]) -> None:
        self._draw.polygon(self._enlarged(points), fill=_OPAQUE)

    @staticmethod
    def _enlarged(points: Iterable[Point]) -> list[Point]:
        return [(x * _OVERSAMPLING, y * _OVERSAMPLING) for x, y in points]

    @staticmethod
    def _box(x: float, y: float, radius: float) -> tuple[float, float, float, float]:
        # Pillow's boxes include their last pixel.
        left, top, right, bottom = (
            v * _OVERSAMPLING for v in (x - radius, y - radius, x + radius, y + radius)
        )
        return (left, top, right - 1, bottom - 1)


def strokes(lines: Iterable[Line], scale: float) -> Image.Image:
    """Draw a symbol's strokes as a mask, `scale` times as large, the middle staying in place."""
    pen = Pen()
    for line in lines:
        points = ((MIDDLE + (x - MIDDLE) * scale, MIDDLE + (y - MIDDLE) * scale) for x, y in line)
        pen.line(points, STROKE * scale)
    return pen.mask()


def disc(radius: float) -> Image.Image:
    """Draw a centred disc as a mask."""
    pen = Pen()
    pen.disc(MIDDLE, MIDDLE, radius)
    return pen.mask()


def arc(center: Point, radii: Point, start: float, end: float) -> Line:
    """Compute points of an arc of an ellipse; angles are degrees clockwise from the right."""
    angles = (math.radians(start + (end - start) * n / 32) for n in range(33))
    return tuple(
        (center[0] + radii[0] * math.cos(a), center[1] + radii[1] * math.sin(a)) for a in angles
    )


def png(picture: Image.Image) -> bytes:
    file = BytesIO()
    # Optimising harder takes ten times as long and saves a tenth.
    picture.save(file, "PNG", compress_level=6)
    return file.getvalue()


_LIBRARY: Final = "matplotlib"
_FONT: Final = ("mpl-data", "fonts", "ttf", "DejaVuSans-Bold.ttf")
# The size at which characters are compared with a missing one.
_SMALL: Final = 12
_NONE: Final = "\uffff"
_RIGHT_TO_LEFT: Final = frozenset({"R", "AL"})


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_file(), size, layout_engine=ImageFont.Layout.BASIC)


def drawable(name: str) -> str:
    """Keep what can be drawn of a name: left-to-right scripts that the font has.

    >>> drawable("Ann 安"), drawable("安娜")
    ('Ann', '')
    """
    found = (
        c
        for c in unicodedata.normalize("NFC", visible(name))
        if _is_known(c) and unicodedata.bidirectional(c) not in _RIGHT_TO_LEFT
    )
    return visible("".join(found))


def initial(name: str) -> str:
    """Find a name's first letter or digit that the font has, as a capital; empty if there is none.

    >>> initial("_zoë"), initial("安 9"), initial("🎈")
    ('Z', '9', '')
    """
    for letter in letters(unicodedata.normalize("NFC", visible(name))):
        if letter[0].isalnum() and _is_known(letter[0]):
            capital = letter[0].upper()
            return capital if len(capital) == 1 and _is_known(capital) else letter[0]
    return ""


def fitting(text: str, width: int, size: int) -> str:
    """Cut a text that is too wide to a width in pixels, with an ellipsis; `size` is the font's."""
    shown, kept = text, list(letters(text))
    while kept and font(size).getlength(shown) > width:
        kept.pop()
        shown = "".join(kept).rstrip() + "…"
    return shown


def _is_known(c: str) -> bool:
    """Return true if the font has a character: all missing ones look alike."""
    return _look(c) != _look(_NONE)


@lru_cache(1_000)
def _look(c: str) -> tuple[bytes, float]:
    picture = Image.new("L", (2 * _SMALL, 2 * _SMALL))
    ImageDraw.Draw(picture).text((0, 0), c, fill=255, font=font(_SMALL))
    return picture.tobytes(), font(_SMALL).getlength(c)


@cache
def _file() -> Path:
    """Find the font's file without importing its library, which would take time and memory."""
    library = find_spec(_LIBRARY)
    if library is None or library.origin is None:
        raise ModuleNotFoundError(name=_LIBRARY)
    return Path(library.origin).with_name(_FONT[0]).joinpath(*_FONT[1:])

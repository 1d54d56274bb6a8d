"""Tools to draw the pictures of emojis: round strokes and discs, as smooth masks.

No font of the machine's is needed, and the same Pillow draws the same bytes.
"""

import math
from collections.abc import Iterable
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

SIZE: Final = 128
"""The width and height of every picture, in pixels."""
MIDDLE: Final = SIZE / 2
STROKE: Final = 17
"""The width of a symbol's strokes at full size."""

Point = tuple[float, float]
Line = tuple[Point, ...]

# Pillow draws without anti-aliasing: masks are drawn larger, then reduced.
_OVERSAMPLING: Final = 4
_OPAQUE: Final = 255


class Pen:
    """Draws a mask, in pixels of the picture."""

    def __init__(self) -> None:
        self._large = Image.new("L", (SIZE * _OVERSAMPLING, SIZE * _OVERSAMPLING))
        self._draw = ImageDraw.Draw(self._large)

    def mask(self) -> Image.Image:
        """What was drawn, opaque, with smooth borders."""
        return self._large.reduce(_OVERSAMPLING)

    def rounded_square(self, margin: float, radius: float) -> None:
        """A square with round corners, so far from the border."""
        box = self._box(MIDDLE, MIDDLE, MIDDLE - margin)
        self._draw.rounded_rectangle(box, radius * _OVERSAMPLING, fill=_OPAQUE)

    def disc(self, x: float, y: float, radius: float) -> None:
        """A disc around a point."""
        self._draw.ellipse(self._box(x, y, radius), fill=_OPAQUE)

    def line(self, points: Iterable[Point], width: float) -> None:
        """A line with round ends and corners."""
        points = tuple(points)
        for x, y in points:
            self.disc(x, y, width / 2)
        self._draw.line(self._enlarged(points), fill=_OPAQUE, width=round(width * _OVERSAMPLING))

    def polygon(self, points: Iterable[Point]) -> None:
        """What a closed line encloses."""
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
    """A symbol as a mask, from the middles of its strokes."""
    pen = Pen()
    for line in lines:
        points = ((MIDDLE + (x - MIDDLE) * scale, MIDDLE + (y - MIDDLE) * scale) for x, y in line)
        pen.line(points, STROKE * scale)
    return pen.mask()


def disc(radius: float) -> Image.Image:
    """A disc in the middle, as a mask."""
    pen = Pen()
    pen.disc(MIDDLE, MIDDLE, radius)
    return pen.mask()


def arc(center: Point, radii: Point, start: float, end: float) -> Line:
    """Part of an ellipse between two angles, in degrees clockwise from the right."""
    angles = (math.radians(start + (end - start) * n / 32) for n in range(33))
    return tuple(
        (center[0] + radii[0] * math.cos(a), center[1] + radii[1] * math.sin(a)) for a in angles
    )


def png(picture: Image.Image) -> bytes:
    """A picture as a file."""
    file = BytesIO()
    # Optimising harder takes ten times as long and saves a tenth.
    picture.save(file, "PNG", compress_level=6)
    return file.getvalue()

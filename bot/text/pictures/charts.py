"""The look of all charts: legible on any ground, also for who cannot tell colours apart.

A chart brings its own dark ground, so it is the same on light and on dark screens. Its type is
large, because a phone shows it at a third of its width.
"""

import io
from collections.abc import Callable
from threading import Lock
from typing import Any, Final, Literal, cast

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bot.text.pictures.drawing import FAINT, GROUND

# The library's own types are incomplete.
Sheet = Any
"""A figure of matplotlib's."""
Axes = Any
"""Axes of matplotlib's."""

WIDTH: Final = 800
"""The width of every chart, in pixels."""
MARGIN: Final = 32
"""What stays free at its borders."""
TITLE: Final = 26
TYPE: Final = 23
"""Sizes of type, in points; a pixel of the chart is 0.72 of them."""

_DPI: Final = 100
# The fonts that matplotlib ships, whatever this machine has or its settings say.
_STYLE: Final = {"font.family": ["DejaVu Sans"], "axes.unicode_minus": True}
ONE_AT_A_TIME: Final = Lock()
"""Whoever draws holds it: any thread may, but matplotlib's fonts and caches are shared."""


def draw_chart(
    height: int,
    draw: Callable[[Sheet], None],
    *,
    width: int = WIDTH,
    dpi: int = _DPI,
    layout: Literal["constrained"] | None = None,
) -> bytes:
    """A PNG that a function has drawn on; takes about 50 ms.

    Args:
        height: in pixels.
        draw: draws on the sheet.
        width: in pixels.
        dpi: pixels per inch, by which sizes of type in points are understood.
        layout: what finds the places for what is drawn; None if it says its places itself.
    """
    with ONE_AT_A_TIME, cast("Any", mpl).rc_context(_STYLE):
        size = (width / dpi, height / dpi)
        sheet: Sheet = Figure(figsize=size, dpi=dpi, facecolor=GROUND, layout=layout)
        FigureCanvasAgg(sheet)
        draw(sheet)
        file = io.BytesIO()
        sheet.savefig(file, format="png")
        return file.getvalue()


def add_axes(sheet: Sheet, left: int, top: int, width: int, height: int) -> Axes:
    """Axes without a frame, at a place in pixels from the chart's upper left."""
    whole = sheet.get_figheight() * _DPI
    box = (left / WIDTH, 1 - (top + height) / whole, width / WIDTH, height / whole)
    axes = sheet.add_axes(box, facecolor=GROUND)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.tick_params(length=0, labelsize=TYPE, labelcolor=FAINT, pad=8)
    return axes


def write(
    sheet: Sheet, left: float, top: float, text: str, *, size: float = TYPE, colour: str = FAINT
) -> None:
    """Text whose upper left is at a place in pixels from the chart's upper left."""
    whole = sheet.get_figheight() * _DPI
    sheet.text(left / WIDTH, 1 - top / whole, text, fontsize=size, color=colour, va="top")

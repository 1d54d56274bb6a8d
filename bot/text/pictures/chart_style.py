"""The style of all charts: legible on any ground, and without telling colours apart.

A chart has a dark ground of its own, so it is the same in light and dark themes. Its type is large,
because a phone shows it at a third of its width.
"""

import io
from collections.abc import Callable
from threading import Lock
from typing import Any, Final, cast

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from bot.text.pictures.drawing import FAINT, GROUND

# matplotlib's own types are incomplete.
Sheet = Any
"""A chart, as a figure of matplotlib's."""
Axes = Any

WIDTH: Final = 800
"""The width of a chart, in pixels."""
MARGIN: Final = 32
"""The free space at a chart's borders, in pixels."""
TITLE: Final = 30
TYPE: Final = 28
"""`TITLE` and `TYPE` are sizes of type in points, of which a chart's pixel has 0.72."""

_DPI: Final = 100
# matplotlib's own fonts, whatever the machine has.
_STYLE: Final = {"font.family": ["DejaVu Sans"], "axes.unicode_minus": True}
ONE_AT_A_TIME: Final = Lock()
"""A lock to hold while drawing: threads share matplotlib's fonts and caches."""


def draw_chart(height: int, draw: Callable[[Sheet], None]) -> bytes:
    """Make a PNG of what `draw` draws on an empty chart; takes about 50 ms."""
    with ONE_AT_A_TIME, cast("Any", mpl).rc_context(_STYLE):
        size = (WIDTH / _DPI, height / _DPI)
        sheet: Sheet = Figure(figsize=size, dpi=_DPI, facecolor=GROUND)
        FigureCanvasAgg(sheet)
        draw(sheet)
        file = io.BytesIO()
        sheet.savefig(file, format="png")
        return file.getvalue()


def add_axes(sheet: Sheet, left: int, top: int, width: int, height: int) -> Axes:
    """Add axes without a frame; pixels count from the upper left of the chart."""
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
    """Write text; pixels count from the upper left of a chart of the usual width."""
    whole = sheet.get_figheight() * _DPI
    sheet.text(left / WIDTH, 1 - top / whole, text, fontsize=size, color=colour, va="top")

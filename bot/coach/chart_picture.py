"""The picture of a chart: how many candidates were left after each guess."""

from functools import partial
from typing import Final

from matplotlib.ticker import FixedFormatter, FixedLocator, MaxNLocator, NullLocator

from bot.coach.model import Chart
from bot.text.pictures import charts
from bot.text.pictures.charts import Axes, Sheet
from bot.text.pictures.drawing import BLUE, GROUND, INK, ORANGE

_GRID: Final = "#3f4147"
_PURPLE: Final = "#cc79a7"
# Sizes in pixels, at 250 an inch: as small as on a phone, so that letters are large enough there.
_WIDTH: Final = 900
_HEIGHT: Final = 550
_DPI: Final = 250
_LETTERS: Final = 11


def draw_chart(chart: Chart) -> bytes:
    """Draw a chart as a PNG. Slow: run it in the drawing process."""
    return charts.draw_chart(
        _HEIGHT, partial(_draw, chart), width=_WIDTH, dpi=_DPI, layout="constrained"
    )


def _draw(chart: Chart, sheet: Sheet) -> None:
    axes = sheet.add_subplot()
    styles = ((ORANGE, "o", "-", 2.4), (BLUE, "s", "-", 1.6), (_PURPLE, "^", "--", 1.6))
    for series, (colour, mark, dash, width) in zip(chart.series, styles, strict=False):
        axes.plot(
            range(len(series.left)),
            series.left,
            label=series.name,
            color=colour,
            marker=mark,
            linestyle=dash,
            linewidth=width,
            markersize=6,
            clip_on=False,
            # The reviewed player's line is on top.
            zorder=5 if series is chart.series[0] else 3,
        )
    _dress(axes, chart)
    sheet.legend(
        loc="outside upper center",
        ncols=len(chart.series),
        fontsize=_LETTERS,
        frameon=False,
        labelcolor=INK,
        columnspacing=0.9,
        handlelength=1.2,
        handletextpad=0.4,
    )


def _dress(axes: Axes, chart: Chart) -> None:
    axes.set_facecolor(GROUND)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.7)
    axes.yaxis.set_major_locator(FixedLocator(list(chart.ticks)))
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(FixedFormatter(list(chart.ticks.values())))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    axes.grid(visible=True, color=_GRID, linewidth=0.8)
    axes.tick_params(colors=INK, labelsize=_LETTERS, length=0)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.set_xlabel(chart.along, color=INK, fontsize=_LETTERS)
    axes.set_ylabel(chart.up, color=INK, fontsize=_LETTERS)

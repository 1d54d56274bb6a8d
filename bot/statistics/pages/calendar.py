"""Weeks of on-date plays as a chart: a column each, a row for each weekday, by guesses."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Final

import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap
from numpy.typing import NDArray

from bot.statistics.game.records import CalendarDay
from bot.text.language import gettext as _
from bot.text.language import month_name, weekday_name
from bot.text.pictures.charts import MARGIN, TYPE, WIDTH, Axes, Sheet, add_axes
from bot.text.pictures.palette import FAINT, GROUND, VERMILION

CELL: Final = 25
WEEKDAYS: Final = 7
ABOVE: Final = 30
"""What the names of months take above the cells."""
KEY: Final = 2 * CELL + 14
"""The height of what the colours mean."""

_LEFT: Final = 104
_MOST_POINTS: Final = 6
# No play, a lost one, and one point to six, ever lighter.
_CELLS: Final = (
    "#36383f",
    VERMILION,
    "#1f4e79",
    "#2b6ca3",
    "#3f8cc5",
    "#6aaedb",
    "#a3d0ec",
    "#e3f2fb",
)
_UNPLAYED: Final = -1


def draw_weeks(
    sheet: Sheet, top: int, calendar: Mapping[date, CalendarDay], first: date, last: date
) -> None:
    """Draw the dates between two, the months above them; cells begin at this height."""
    monday = first - timedelta(days=first.weekday())
    points = _points(calendar, monday, first, last)
    weeks = points.shape[1]
    axes = add_axes(sheet, _LEFT, top, CELL * weeks, CELL * WEEKDAYS)
    bounds = np.arange(_UNPLAYED - 0.5, _MOST_POINTS + 1)
    axes.pcolormesh(
        np.ma.masked_invalid(points),
        cmap=ListedColormap(_CELLS),
        norm=BoundaryNorm(bounds, len(_CELLS)),
        edgecolors=GROUND,
        linewidth=3,
    )
    for day, week in zip(*np.nonzero(points == 0), strict=True):  # in more than its colour
        _cross(axes, week + 0.5, day + 0.5)
    axes.set_ylim(WEEKDAYS, 0)
    axes.set_yticks([0.5, 2.5, 4.5], [weekday_name(n) for n in (0, 2, 4)])
    axes.xaxis.tick_top()
    months = _months(monday, weeks)
    axes.set_xticks([week for week, _name in months], [name for _week, name in months], ha="left")
    axes.tick_params(labelsize=TYPE - 3, pad=6)


def draw_key(sheet: Sheet, top: int) -> None:
    """Draw what the colours mean, in two lines: a phone shows a third of their size."""
    axes = add_axes(sheet, _LEFT, top, WIDTH - _LEFT - MARGIN, KEY)
    axes.set_xlim(0, WIDTH - _LEFT - MARGIN)
    axes.set_ylim(0, KEY)
    axes.set_xticks([])
    axes.set_yticks([])
    upper, half = KEY - CELL, (WIDTH - _LEFT - MARGIN) / 2
    for x, y, words, colours in (
        (0, upper, _("1 to 6 points"), _CELLS[2:]),
        (0, 0, _("not solved"), _CELLS[1:2]),
        (half, 0, _("not played"), _CELLS[:1]),
    ):
        axes.bar(
            [x + CELL * (n + 0.5) for n in range(len(colours))],
            CELL - 3,
            width=CELL - 3,
            bottom=y + 1.5,
            color=colours,
        )
        if colours == _CELLS[1:2]:
            _cross(axes, x + CELL / 2, y + CELL / 2)
        after = x + CELL * len(colours) + 8
        axes.text(after, y + CELL / 2, words, color=FAINT, fontsize=TYPE, va="center_baseline")


def _cross(axes: Axes, x: float, y: float) -> None:
    axes.plot([x], [y], marker="x", markersize=8, markeredgewidth=2.5, color=GROUND)


def _points(
    calendar: Mapping[date, CalendarDay], monday: date, first: date, last: date
) -> NDArray[np.float64]:
    """Points of each weekday and week; nothing for dates before the first and after the last."""
    before, count = (first - monday).days, (last - first).days + 1
    cells = np.full(-(-(before + count) // WEEKDAYS) * WEEKDAYS, np.nan)
    days = [calendar.get(first + timedelta(days=n)) for n in range(count)]
    cells[before : before + count] = [_value(day) for day in days]
    return cells.reshape(-1, WEEKDAYS).T


def _value(day: CalendarDay | None) -> int:
    if day is None:
        return _UNPLAYED
    return max(1, day.points) if day.solved else 0


def _months(first: date, weeks: int) -> list[tuple[int, str]]:
    """The weeks in which a month begins that has room for its name."""
    mondays = [first + timedelta(weeks=n) for n in range(weeks)]
    begun = [n for n in range(1, weeks - 1) if mondays[n].month != mondays[n - 1].month]
    return [(n, month_name(mondays[n].month)) for n in begun]

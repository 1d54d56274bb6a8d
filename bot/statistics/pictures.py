"""A player's statistics and year as pictures."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Final

import numpy as np
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.ticker import MaxNLocator
from numpy.typing import NDArray

from bot.ratings.model import Rating
from bot.statistics.model import CalendarDay, Chart, Stats, YearReview
from bot.text import counts
from bot.text.language import _, month_name, ngettext, number, pgettext, weekday
from bot.text.pictures.chart_style import (
    MARGIN,
    TITLE,
    TYPE,
    WIDTH,
    Axes,
    Sheet,
    add_axes,
    draw_chart,
    write,
)
from bot.text.pictures.drawing import BLUE, FAINT, GROUND, INK, LINES, ORANGE, VERMILION, Picture

CELL: Final = 25
WEEKDAYS: Final = 7
ABOVE: Final = 38
"""The height of the space above the cells, for the names of the months."""
_KEY_LINE: Final = 46
KEY: Final = 2 * _KEY_LINE
"""The height of the legend."""

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
    """Draw the dates `first` to `last` as columns of weeks, with names of months above them.

    The cells begin `top` pixels from the upper edge.
    """
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
    for day, week in zip(*np.nonzero(points == 0), strict=True):  # not only by colour
        _cross(axes, week + 0.5, day + 0.5)
    axes.set_ylim(WEEKDAYS, 0)
    axes.set_yticks([0.5, 2.5, 4.5], [weekday(day, short=True) for day in (1, 3, 5)])
    axes.xaxis.tick_top()
    months = _months(monday, weeks)
    axes.set_xticks([week for week, _name in months], [name for _week, name in months], ha="left")
    axes.tick_params(labelsize=TYPE - 3, pad=6)


def draw_key(sheet: Sheet, top: int) -> None:
    """Draw the legend, in two lines: a phone shows it at a third of its size."""
    axes = add_axes(sheet, _LEFT, top, WIDTH - _LEFT - MARGIN, KEY)
    axes.set_xlim(0, WIDTH - _LEFT - MARGIN)
    axes.set_ylim(0, KEY)
    axes.set_xticks([])
    axes.set_yticks([])
    upper, half = _KEY_LINE, (WIDTH - _LEFT - MARGIN) / 2
    for x, y, words, colours in (
        (0, upper, _("1 to 6 points"), _CELLS[2:]),
        (0, 0, pgettext("of puzzles", "not solved"), _CELLS[1:2]),
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
    """Fill a grid with a row for each weekday and a column for each week, from `monday` on.

    Cells outside of `first` to `last` are NaN.
    """
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
    """List the weeks that begin with the first Monday of a month, each with that month's name.

    `first` is the Monday of week 0. The first and the last week are left out.
    """
    mondays = [first + timedelta(weeks=n) for n in range(weeks)]
    begun = [n for n in range(1, weeks - 1) if mondays[n].month != mondays[n - 1].month]
    return [(n, month_name(mondays[n].month)) for n in begun]


Bar = tuple[str, int, int]
"""The label of a bar, and how many plays without hard mode and with it the bar stands for."""


_TITLE_HEIGHT: Final = 94
_BAR: Final = 46
_LETTER: Final = 23  # the approximate width of a letter
_WEEKS_TOP: Final = _TITLE_HEIGHT + ABOVE + 10
_KEY_TOP: Final = _WEEKS_TOP + CELL * WEEKDAYS + 18
_RATING_HEIGHT: Final = 260


def _guesses(stats: Stats) -> Picture:
    plain, hard = stats.focdle, stats.hard
    bars = [(str(n), plain.distribution[n], hard.distribution[n]) for n in plain.distribution]
    bars.append((pgettext("of puzzles", "not solved"), plain.lost, hard.lost))
    png = draw_chart(_TITLE_HEIGHT + _BAR * len(bars) + MARGIN, partial(_draw_guesses, bars))
    told = ", ".join(f"{label}: {number(first + second)}" for label, first, second in bars)
    words = _("Dailies by number of guesses: {counts}.").format(counts=told)
    if hard.played:
        words += " " + _("{count} of them in hard mode.").format(count=number(hard.played))
    return Picture("guesses.png", png, words)


def _draw_guesses(bars: Sequence[Bar], sheet: Sheet) -> None:
    has_hard = any(hard for _label, _plain, hard in bars)
    title = _("Guesses (* hard mode)") if has_hard else _("Guesses")
    write(sheet, MARGIN, MARGIN, title, size=TITLE, colour=INK)
    counts = [
        f"{number(plain)} + {number(hard)}*" if hard else number(plain)
        for _label, plain, hard in bars
    ]
    left, room = 250, _LETTER * max(map(len, counts))
    width, height = WIDTH - left - MARGIN - room, _BAR * len(bars)
    axes = add_axes(sheet, left, _TITLE_HEIGHT, width, height)
    places = range(len(bars))
    plain = [bar[1] for bar in bars]
    hard = [bar[2] for bar in bars]
    colours = [BLUE] * (len(bars) - 1) + [FAINT]
    axes.barh(places, plain, color=colours, height=0.74)
    # Hatched, so that it differs not only by colour.
    axes.barh(places, hard, left=plain, color=ORANGE, height=0.74, hatch="//", edgecolor=GROUND)
    most = max(1, *(first + second for first, second in zip(plain, hard, strict=True)))
    for place, count in enumerate(counts):
        end = plain[place] + hard[place] + most * 0.02
        axes.text(end, place, count, color=INK, fontsize=TYPE, va="center_baseline")
    axes.set_xlim(0, most)
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xticks([])
    axes.set_yticks(list(places), [label for label, _plain, _hard in bars])


def _half_a_year(stats: Stats) -> Picture:
    def draw(sheet: Sheet) -> None:
        write(sheet, MARGIN, MARGIN, _("The last 26 weeks"), size=TITLE, colour=INK)
        draw_weeks(sheet, _WEEKS_TOP, stats.calendar, *stats.calendar_days)
        draw_key(sheet, _KEY_TOP)

    days = stats.calendar.values()
    words = _("The last 26 weeks: {days} played, {solved} of them solved.").format(
        days=counts.days(len(days)), solved=number(sum(day.solved for day in days))
    )
    return Picture("calendar.png", draw_chart(_KEY_TOP + KEY + MARGIN, draw), words)


def _rating(stats: Stats) -> Picture:
    history = stats.rating_history
    ratings = [history[0].before, *(change.after for change in history)]
    png = draw_chart(_TITLE_HEIGHT + _RATING_HEIGHT + 66, partial(_draw_rating, ratings))
    words = ngettext(
        "The rating over {count} rated duel: from {begin} to {end}.",
        "The rating over {count} rated duels: from {begin} to {end}.",
        len(history),
    ).format(count=number(len(history)), begin=ratings[0].points, end=ratings[-1].points)
    return Picture("rating.png", png, words)


def _draw_rating(ratings: Sequence[Rating], sheet: Sheet) -> None:
    write(sheet, MARGIN, MARGIN, _("Rating after each rated duel"), size=TITLE, colour=INK)
    left = 144
    axes = add_axes(sheet, left, _TITLE_HEIGHT, WIDTH - left - MARGIN - 12, _RATING_HEIGHT)
    means = np.array([rating.mu for rating in ratings])
    duels = np.arange(len(ratings))
    axes.plot(duels, means, color=BLUE, linewidth=4, solid_capstyle="round")
    axes.plot(duels[-1:], means[-1:], "o", color=INK, markersize=11, clip_on=False)
    axes.set_xlim(0, len(ratings) - 1)
    axes.grid(axis="y", color=LINES, linewidth=1.5)
    axes.set_axisbelow(True)
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.tick_params(labelsize=TYPE - 2)


_PICTURES: Final = {
    Chart.GUESSES: _guesses,
    Chart.CALENDAR: _half_a_year,
    Chart.RATING: _rating,
}


def draw_stats(stats: Stats, chart: Chart) -> Picture:
    return _PICTURES[chart](stats)


Figure = tuple[str, str]
"""A figure, and its label."""

_WEEKS_HEIGHT: Final = ABOVE + CELL * WEEKDAYS + 22
_KEY_HEIGHT: Final = KEY + 34
_FIGURE_HEIGHT: Final = 116
_MOST_COLUMNS: Final = 2
_LARGE: Final = 40
_LABEL: Final = 27


def draw_year(year: YearReview) -> Picture:
    halves, figures = list(_halves(year)), list(_figures(year))
    key_top = MARGIN + _WEEKS_HEIGHT * len(halves)
    figures_top = key_top + _KEY_HEIGHT if halves else MARGIN
    rows = -(-len(figures) // _MOST_COLUMNS)
    columns = -(-len(figures) // max(rows, 1))
    height = figures_top + _FIGURE_HEIGHT * rows

    def draw(sheet: Sheet) -> None:
        for place, (first, last) in enumerate(halves):
            top = MARGIN + ABOVE + _WEEKS_HEIGHT * place
            draw_weeks(sheet, top, year.calendar, first, last)
        if halves:
            draw_key(sheet, key_top)
        for place, (amount, label) in enumerate(figures):
            row, column = divmod(place, columns)
            left = MARGIN + column * (WIDTH - MARGIN) // columns
            top = figures_top + _FIGURE_HEIGHT * row
            write(sheet, left, top, amount, size=_LARGE, colour=INK)
            write(sheet, left, top + 62, label, size=_LABEL)

    told = ", ".join(f"{label}: {amount}" for amount, label in figures)
    words = _("Calendar for {year}, by number of guesses. {figures}.")
    return Picture("year.png", draw_chart(height, draw), words.format(year=year.year, figures=told))


def _halves(year: YearReview) -> Iterator[tuple[date, date]]:
    """Yield the first and last date of each half: a phone can show no more weeks side by side."""
    if not year.calendar:
        return
    first, last = year.days
    middle = date(year.year, 7, 1)
    yield first, min(last, date(year.year, 6, 30))
    if last >= middle:
        yield middle, last


def _figures(year: YearReview) -> Iterator[Figure]:
    if year.calendar:
        yield f"{number(year.solved)}/{number(len(year.calendar))}", _("days solved")
    if year.best is not None:
        yield number(year.best), _("fewest guesses")
    if year.calendar:
        yield number(year.best_streak), _("best streak")
    won, solved = year.duels[1], year.masterminds[1]
    if solved:
        yield number(solved), ngettext("code broken", "codes broken", solved)
    if won:
        yield number(won), ngettext("duel won", "duels won", won)

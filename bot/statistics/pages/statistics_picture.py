"""A player's statistics as pictures: guesses, the last half year, and the rating."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
from matplotlib.ticker import MaxNLocator

from bot.ratings.model.ratings import Rating
from bot.statistics.game.records import Chart, FocdleRecord, Stats
from bot.statistics.pages.calendar import ABOVE, CELL, KEY, WEEKDAYS, draw_key, draw_weeks
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.language import ngettext, number
from bot.text.pictures.charts import MARGIN, TITLE, TYPE, WIDTH, Sheet, add_axes, draw_chart, write
from bot.text.pictures.palette import BLUE, FAINT, GROUND, INK, LINES, ORANGE
from bot.text.pictures.picture import Picture

Bar = tuple[str, int, int]
"""A number of guesses in words, and how many plays took it without hard mode, and with it."""


_TITLE_HEIGHT: Final = 88
_BAR: Final = 40
_LETTER: Final = 19  # the width of one, near enough
_WEEKS_TOP: Final = _TITLE_HEIGHT + ABOVE
_KEY_TOP: Final = _WEEKS_TOP + CELL * WEEKDAYS + 18
_RATING_HEIGHT: Final = 260


def draw_stats(stats: Stats, chart: Chart) -> Picture:
    """One of the pictures that have something to show."""
    return _PICTURES[chart](stats)


def _guesses(stats: Stats) -> Picture:
    bars = _bars(stats.focdle, stats.hard)
    png = draw_chart(_TITLE_HEIGHT + _BAR * len(bars) + MARGIN, partial(_draw_guesses, bars))
    return Picture("guesses.png", png, _described_guesses(bars, stats.hard))


def _half_a_year(stats: Stats) -> Picture:
    png = draw_chart(_KEY_TOP + KEY + MARGIN, partial(_draw_calendar, stats))
    return Picture("calendar.png", png, _described_calendar(stats))


def _course(stats: Stats) -> Picture:
    ratings = _ratings(stats)
    png = draw_chart(_TITLE_HEIGHT + _RATING_HEIGHT + 66, partial(_draw_rating, ratings))
    return Picture("rating.png", png, _described_rating(ratings))


_PICTURES: Final = {
    Chart.GUESSES: _guesses,
    Chart.CALENDAR: _half_a_year,
    Chart.RATING: _course,
}


def _described_guesses(bars: Sequence[Bar], hard: FocdleRecord) -> str:
    counts = ", ".join(f"{label}: {number(first + second)}" for label, first, second in bars)
    words = _("Dailies by guesses: {counts}.").format(counts=counts)
    if not hard.played:
        return words
    return words + " " + _("{count} of them in hard mode.").format(count=number(hard.played))


def _described_calendar(stats: Stats) -> str:
    days = stats.calendar.values()
    return _("The last 26 weeks: {days} played, {solved} of them solved.").format(
        days=counts.days(len(days)), solved=number(sum(day.solved for day in days))
    )


def _described_rating(ratings: Sequence[Rating]) -> str:
    duels = len(ratings) - 1
    words = ngettext(
        "The rating over {count} rated duel: from {begin} to {end}.",
        "The rating over {count} rated duels: from {begin} to {end}.",
        duels,
    )
    return words.format(count=number(duels), begin=ratings[0].points, end=ratings[-1].points)


def _bars(plain: FocdleRecord, hard: FocdleRecord) -> list[Bar]:
    solved = [(str(n), plain.distribution[n], hard.distribution[n]) for n in plain.distribution]
    return [*solved, (_("not solved"), plain.lost, hard.lost)]


def _draw_guesses(bars: Sequence[Bar], sheet: Sheet) -> None:
    has_hard = any(hard for _label, _plain, hard in bars)
    title = _("Guesses (* hard mode)") if has_hard else _("Guesses")
    write(sheet, MARGIN, MARGIN, title, size=TITLE, colour=INK)
    counts = [
        f"{number(plain)} + {number(hard)}*" if hard else number(plain)
        for _label, plain, hard in bars
    ]
    left, room = 205, _LETTER * max(map(len, counts))
    width, height = WIDTH - left - MARGIN - room, _BAR * len(bars)
    axes = add_axes(sheet, left, _TITLE_HEIGHT, width, height)
    places = range(len(bars))
    plain = [bar[1] for bar in bars]
    hard = [bar[2] for bar in bars]
    colours = [BLUE] * (len(bars) - 1) + [FAINT]
    axes.barh(places, plain, color=colours, height=0.74)
    # Hatched, so that it differs in more than its colour.
    axes.barh(places, hard, left=plain, color=ORANGE, height=0.74, hatch="//", edgecolor=GROUND)
    most = max(1, *(first + second for first, second in zip(plain, hard, strict=True)))
    for place, count in enumerate(counts):
        end = plain[place] + hard[place] + most * 0.02
        axes.text(end, place, count, color=INK, fontsize=TYPE, va="center_baseline")
    axes.set_xlim(0, most)
    axes.set_ylim(len(bars) - 0.5, -0.5)
    axes.set_xticks([])
    axes.set_yticks(list(places), [label for label, _plain, _hard in bars])


def _draw_calendar(stats: Stats, sheet: Sheet) -> None:
    write(sheet, MARGIN, MARGIN, _("The last 26 weeks"), size=TITLE, colour=INK)
    draw_weeks(sheet, _WEEKS_TOP, stats.calendar, *stats.calendar_days)
    draw_key(sheet, _KEY_TOP)


def _ratings(stats: Stats) -> list[Rating]:
    """The rating before the first rated duel, and after each."""
    history = stats.rating_history
    return [history[0].before, *(change.after for change in history)]


def _draw_rating(ratings: Sequence[Rating], sheet: Sheet) -> None:
    write(sheet, MARGIN, MARGIN, _("Rating, by rated duels"), size=TITLE, colour=INK)
    left = 128
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

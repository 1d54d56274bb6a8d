"""A player's year as a picture: its dates by guesses, and its figures."""

from collections.abc import Iterator
from datetime import date
from typing import Final

from bot.statistics.game.records import Year
from bot.statistics.pages.calendar import ABOVE, CELL, KEY, WEEKDAYS, draw_key, draw_weeks
from bot.text.language import gettext as _
from bot.text.language import ngettext, number
from bot.text.pictures.charts import MARGIN, WIDTH, Sheet, draw_chart, write
from bot.text.pictures.palette import INK
from bot.text.pictures.picture import Picture

Figure = tuple[str, str]
"""How much, and what that is."""

_WEEKS_HEIGHT: Final = ABOVE + CELL * WEEKDAYS + 22
_KEY_HEIGHT: Final = KEY + 34
_FIGURE_HEIGHT: Final = 100
_MOST_COLUMNS: Final = 3
_LARGE: Final = 36
_LABEL: Final = 20


def draw_year(year: Year) -> Picture:
    """The picture of a year with dailies in it."""
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
        for place, figure in enumerate(figures):
            row, column = divmod(place, columns)
            left = MARGIN + column * (WIDTH - MARGIN) // columns
            _draw_figure(sheet, figure, left, figures_top + _FIGURE_HEIGHT * row)

    return Picture("year.png", draw_chart(height, draw), _described(year, figures))


def _halves(year: Year) -> Iterator[tuple[date, date]]:
    """The year in two, as a phone can show no more weeks in a row; only as far as it has come."""
    if not year.calendar:
        return
    first, last = year.days
    middle = date(year.year, 7, 1)
    yield first, min(last, date(year.year, 6, 30))
    if last >= middle:
        yield middle, last


def _figures(year: Year) -> Iterator[Figure]:
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


def _draw_figure(sheet: Sheet, figure: Figure, left: int, top: int) -> None:
    amount, label = figure
    write(sheet, left, top, amount, size=_LARGE, colour=INK)
    write(sheet, left, top + 56, label, size=_LABEL)


def _described(year: Year, figures: list[Figure]) -> str:
    told = ", ".join(f"{label}: {amount}" for amount, label in figures)
    return _("The calendar of {year}, by guesses. {figures}.").format(year=year.year, figures=told)

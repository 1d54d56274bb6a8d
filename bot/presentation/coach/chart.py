"""How many secrets were possible after each guess, as a picture."""

from dataclasses import dataclass
from functools import partial
from typing import Final

from matplotlib.ticker import FixedFormatter, FixedLocator, MaxNLocator, NullLocator

from bot.presentation.base.language import gettext as _
from bot.presentation.base.language import ngettext, number
from bot.presentation.pictures import charts
from bot.presentation.pictures.charts import BLUE, GROUND, INK, ORANGE, Axes, Sheet
from bot.services.coach.model import Review, Role

_LONGEST_DESCRIPTION: Final = 1024

_GRID: Final = "#3f4147"
_PURPLE: Final = "#cc79a7"
# As small as it is on a phone, so that letters are large enough there: in pixels, 250 an inch.
_WIDTH: Final = 900
_HEIGHT: Final = 550
_DPI: Final = 250
_LETTERS: Final = 11
_MOST_TICKS: Final = 5


@dataclass(frozen=True, slots=True)
class Series:
    """One line of the chart: its name, and what was left before and after each guess."""

    name: str
    left: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn, in words and numbers.

    Attributes:
        series: whose guesses these are first; the solver's, and the server's, if there are any.
        along: what is counted to the right.
        up: what is counted upwards.
        ticks: how numbers upwards are written.
        description: the same for who cannot see it; at most 1,024 characters.
    """

    series: tuple[Series, ...]
    along: str
    up: str
    ticks: dict[int, str]
    description: str


def chart_of(review: Review) -> Chart:
    """The chart of a review, in the current language."""
    analysis = review.analysis
    start = analysis.turns[0].before
    names = {Role.OWN: _("you"), Role.OTHER: _("the player"), Role.BOT: _("the bot")}
    series = [Series(names[review.role], (start, *(turn.after for turn in analysis.turns)))]
    if review.role is not Role.BOT and analysis.line:
        series.append(Series(_("the solver"), (start, *(step.after for step in analysis.line))))
    if review.field is not None and review.field.remaining:
        others = ngettext("{count} other here", "{count} others here", review.field.seen)
        name = others.format(count=review.field.seen)
        series.append(Series(name, (start, *review.field.remaining)))
    return Chart(
        series=tuple(series),
        along=_("guesses"),
        up=_("still possible"),
        ticks={power: number(power) for power in _powers(start)},
        description=_description(series),
    )


def draw_chart(chart: Chart) -> bytes:
    """A PNG. Slow: for a worker thread."""
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
            # Whose guesses these are is on top.
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


def _powers(start: int) -> list[int]:
    """Powers of ten up to the first at least as large; every other one if there are many."""
    powers = [1]
    while powers[-1] < start:
        powers.append(powers[-1] * 10)
    return powers if len(powers) <= _MOST_TICKS else powers[::2]


def _description(series: list[Series]) -> str:
    lines = [
        _("{name}: {numbers}").format(
            name=one.name, numbers=" → ".join(number(round(left)) for left in one.left)
        )
        for one in series
    ]
    title = _("How many were still possible after each guess.")
    return "\n".join([title, *lines])[:_LONGEST_DESCRIPTION]

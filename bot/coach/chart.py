"""How many secrets were possible after each guess, in words and numbers that can be drawn."""

from dataclasses import dataclass
from typing import Final

from bot.coach.model import Review, Role
from bot.pool.worker import Named
from bot.text.language import gettext as _
from bot.text.language import ngettext, number

_LONGEST_DESCRIPTION: Final = 1024
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


DRAW_CHART: Final[Named[[Chart], bytes]] = Named("bot.coach.chart_picture", "draw_chart")
"""Draws it, as a PNG."""


def chart_of(review: Review) -> Chart:
    """The chart of a review, in the current language."""
    analysis = review.analysis
    start = analysis.turns[0].before
    names = {Role.OWN: _("you"), Role.OTHER: _("the player"), Role.BOT: _("the bot")}
    series = [Series(names[review.role], (start, *(turn.after for turn in analysis.turns)))]
    if review.role is not Role.BOT and analysis.line:
        series.append(Series(_("the coach"), (start, *(step.after for step in analysis.line))))
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

"""A player's year in words, beside its picture."""

from collections.abc import Iterator
from typing import Final

from bot.pool.named import Named
from bot.statistics.game.records import Year
from bot.text import counts
from bot.text.language import gettext as _
from bot.text.language import ngettext, number
from bot.text.markup import code, heading
from bot.text.names import player_name
from bot.text.pictures.picture import Picture

DRAW_YEAR: Final[Named[[Year], Picture]] = Named("bot.statistics.pages.year_picture", "draw_year")
"""Draws the picture of a year that is not empty."""


def year_button(year: int) -> str:
    """Opens one's own year; at most 80 characters."""
    return _("My year {year}").format(year=year)


def title(year: Year) -> str:
    """Which year it is, and whether it goes on."""
    _first, last = year.days
    is_over = (last.month, last.day) == (12, 31)
    words = _("Your {year}") if is_over else _("Your {year} so far")
    return heading(words.format(year=year.year))


def is_drawn(year: Year) -> bool:
    """Whether a picture shows more than words would: some dates of the calendar."""
    return bool(year.calendar)


def nothing(year: Year) -> str:
    """Instead of a picture, where there is nothing to show."""
    if year.others and year.year < max(year.others):
        return _("A quiet year.")
    return _("Nothing here yet. `/focdle` is a fine beginning.")


def highlights(year: Year) -> str:
    """What a picture cannot say as well; all that there is, where none is drawn."""
    lines = list[str]() if is_drawn(year) else list(_figures(year))
    return "\n".join([*lines, *_lines(year)])


def _figures(year: Year) -> Iterator[str]:
    """What a picture would show of a year without dailies."""
    played, won = year.duels
    if played:
        words = ngettext("⚔️ {duels}, {won} won", "⚔️ {duels}, {won} won", won)
        yield words.format(duels=counts.duels(played), won=number(won))
    games, solved = year.masterminds
    if games:
        words = ngettext(
            "🔴 Mastermind: {games}, {n} code broken",
            "🔴 Mastermind: {games}, {n} codes broken",
            solved,
        )
        yield words.format(games=counts.games(games), n=number(solved))


def _lines(year: Year) -> Iterator[str]:
    if year.feat is not None:
        yield _("✨ Rarest feat: #{number} in {guesses}, par {par}").format(
            number=year.feat.number,
            guesses=counts.guesses(year.feat.guesses),
            par=number(year.feat.par, 1),
        )
    if year.opening is not None:
        guess, times = year.opening
        yield _("🎲 Favourite opening: {guess}, {times}").format(
            guess=code(guess), times=counts.times(times)
        )
    if year.opponent is not None:
        yield _("⚔️ Most duels with {player}: {duels}").format(
            player=player_name(year.opponent.name, year.opponent.player_id),
            duels=number(year.opponent.duels),
        )

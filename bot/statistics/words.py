"""A player's statistics and year in words."""

from collections.abc import Iterator
from typing import Final

from bot.duels.round_words import STRENGTH_NAMES
from bot.features import TALLIES
from bot.focdle.ending_words import change_line
from bot.leaderboards.words import GAP
from bot.mastermind.words import setting
from bot.pool.worker import Named
from bot.ratings.model import HeadToHead
from bot.statistics.model import Chart, FocdleRecord, Stats, YearReview
from bot.text import counts
from bot.text.language import N_, _, ngettext, number, say
from bot.text.markup import code, heading, player_name, small
from bot.text.pictures.drawing import Picture

#: Posts one's own statistics to the channel.
SHOW_BUTTON: Final = N_("Show the channel")
#: Instead of a bot's statistics.
BOT_PLAYER: Final = N_("Bots have no statistics. Choose a member.")

CHART_BUTTONS: Final = {
    Chart.GUESSES: N_("Guesses"),
    Chart.CALENDAR: N_("Half a year"),
    Chart.RATING: N_("Rating"),
}

DRAW_STATS: Final[Named[[Stats, Chart], Picture]] = Named("bot.statistics.pictures", "draw_stats")
"""Draws a chart, which `charts_of` must list."""

#: What to do in another channel, where the member may not write.
SHOW_IN: Final = N_("To show it, type `/stats` in {place}.")


def stats_blocks(stats: Stats, *, own: bool) -> list[str]:
    """Write the statistics in blocks, title first; `own` says that only the player reads them."""
    title, nothing = _("Your statistics"), _("Nothing yet. Start with `/focdle`.")
    if not own:
        name = player_name(stats.name, stats.player_id)
        title, nothing = _("Statistics of {name}").format(name=name), _("Nothing yet.")
    shown = _games(stats, own=own) or [nothing]
    if own and stats.is_hidden:
        shown.append(small(_("You're hidden: only you can see this.")))
    return [heading(title), *shown]


def has_games(stats: Stats) -> bool:
    return bool(_games(stats, own=False))


def charts_of(stats: Stats) -> list[Chart]:
    has = {
        Chart.GUESSES: stats.focdle.played or stats.hard.played,
        Chart.CALENDAR: stats.calendar,
        Chart.RATING: stats.rating_history,
    }
    return [chart for chart in Chart if has[chart]]


_SECTIONS: Final = {tally.noun: tally.section for tally in TALLIES}


def _games(stats: Stats, *, own: bool) -> list[str]:
    blocks = (_focdle(stats, own=own), _duels(stats), _mastermind(stats))
    more = (_SECTIONS[type(found)](found) for found in stats.tallies)
    return [block for block in (*blocks, *more) if block]


def _focdle(stats: Stats, *, own: bool) -> str:
    lines: list[str] = []
    kinds = (
        (_("Hard mode: {record}"), stats.hard),
        (_("With hints: {record}"), stats.assisted),
        (_("Archive: {record}"), stats.archive),
    )
    others = [words.format(record=_record(kind)) for words, kind in kinds if kind.played]
    if stats.focdle.played or others or stats.streak.log:
        parts = [_("**FoCdle**: {points}").format(points=counts.points(stats.points))]
        if stats.focdle.played:
            parts.append(_record(stats.focdle))
        lines.append(GAP.join(parts))
    if others:
        lines.append(small(GAP.join(others)))
    shared = stats.viewers_dailies
    if shared is not None:
        words = _("Of {dailies} in common, you were ahead in {fewer}% and they in {more}%")
        lines.append(
            words.format(
                dailies=counts.of_puzzles(shared.dailies),
                fewer=shared.percent_fewer,
                more=shared.percent_more,
            )
        )
    return "\n".join([*lines, *_streak(stats, own=own)])


def _mean(guesses: float) -> str:
    return _("{mean} on average").format(mean=number(guesses, 1))


def _record(record: FocdleRecord) -> str:
    words = ngettext("{solved} of {played} solved", "{solved} of {played} solved", record.played)
    told = words.format(solved=number(record.solved), played=number(record.played))
    return told if record.mean is None else f"{told}, {_mean(record.mean)}"


def _streak(stats: Stats, *, own: bool) -> list[str]:
    streak = stats.streak
    if not streak.log:
        return []
    length = _("🔥 No streak")
    if streak.length:
        length = _("🔥 Streak: **{days}**").format(days=counts.days(streak.length))
    parts = [length]
    if streak.assisted:
        parts.append(counts.without_hints(streak.length - streak.assisted))
    parts.append(_("best {best}").format(best=number(streak.best)))
    if streak.freezes:
        parts.append(f"❄️ {counts.freezes(streak.freezes)}")
    told = streak.log if own else streak.log[:1]
    return [GAP.join(parts), *(small(change_line(change)) for change in told)]


def _duels(stats: Stats) -> str:
    lines, parts = list[str](), list[str]()
    if played := _duels_played(stats.duels):
        parts.append(_("**Duels**: {record}").format(record=played))
    if stats.rating.games:
        parts.append(_("rating {rating}").format(rating=stats.rating.points))
        if stats.rating.is_new:
            parts.append(_("no rank yet"))
    if parts:
        lines.append(GAP.join(parts))
    if stats.viewers_duels and _duels_played(stats.viewers_duels):
        lines.append(_between(stats.viewers_duels, player_name(stats.name, stats.player_id)))
    lines += [
        _("Duels, {bot}: {record}").format(
            bot=say(STRENGTH_NAMES[one]), record=_duels_played(record)
        )
        for one, record in stats.bot_duels
    ]
    return "\n".join(lines)


def _between(record: HeadToHead, name: str) -> str:
    """Write how many duels viewer and player have won of each other, the leader's number first."""
    words = _("You and {player}: {most} – {least}")
    if record.won > record.lost:
        words = _("You lead {player} {most} – {least}")
    elif record.won < record.lost:
        words = _("{player} leads you {most} – {least}")
    least, most = sorted((record.won, record.lost))
    score = words.format(player=name, most=number(most), least=number(least))
    if not record.drawn:
        return score
    return GAP.join((score, counts.draws(record.drawn)))


def _duels_played(duels: HeadToHead) -> str:
    """Write how duels ended; empty without any."""
    parts = (
        (ngettext("{n} won", "{n} won", duels.won), duels.won),
        (ngettext("{n} drawn", "{n} drawn", duels.drawn), duels.drawn),
        (ngettext("{n} lost", "{n} lost", duels.lost), duels.lost),
    )
    return GAP.join(words.format(n=number(count)) for words, count in parts if count)


def _mastermind(stats: Stats) -> str:
    if not stats.mastermind:
        return ""
    record, *others = stats.mastermind
    parts = [counts.games(record.games), counts.solved(record.solved)]
    if record.mean is not None and record.best is not None:
        parts += [_mean(record.mean), _("best {best}").format(best=record.best)]
    line = _("**Mastermind**: {record}").format(record=GAP.join(parts))
    if not others:
        return line
    words = ngettext("and {count} more setting", "and {count} more settings", len(others))
    more = words.format(count=number(len(others)))
    return f"{line}\n{small(GAP.join((setting(record.rules), more)))}"


DRAW_YEAR: Final[Named[[YearReview], Picture]] = Named("bot.statistics.pictures", "draw_year")
"""Draws the picture of a year that has one: see `is_drawn`."""


def year_button(year: int) -> str:
    return _("My year {year}").format(year=year)


def title(year: YearReview) -> str:
    _first, last = year.days
    is_over = (last.month, last.day) == (12, 31)
    words = _("Your {year}") if is_over else _("Your {year} so far")
    return heading(words.format(year=year.year))


def is_drawn(year: YearReview) -> bool:
    """Return true if a year has a picture: it needs a date with an on-date play."""
    return bool(year.calendar)


def nothing(year: YearReview) -> str:
    if year.others and year.year < max(year.others):
        return _("A quiet year.")
    return _("Nothing here yet. Start with `/focdle`.")


def highlights(year: YearReview) -> str:
    """Write what the year's picture does not show, or everything if there is no picture."""
    lines = list[str]() if is_drawn(year) else list(_figures(year))
    if year.opening is not None:
        guess, times = year.opening
        words = _("🎲 Favourite opening: {guess}, {times}")
        lines.append(words.format(guess=code(guess), times=counts.times(times)))
    if year.opponent is not None:
        words = _("⚔️ Most duels with {player}: {duels}")
        player = player_name(year.opponent.name, year.opponent.player_id)
        lines.append(words.format(player=player, duels=number(year.opponent.duels)))
    return "\n".join(lines)


def _figures(year: YearReview) -> Iterator[str]:
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

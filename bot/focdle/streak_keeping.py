"""Recomputation of a player's streak from plays of dailies, by the rules of `bot.streaks.model`."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from itertools import accumulate
from typing import Final

from bot.clock import GRACE, date_in, day_of, start_of
from bot.db.database import Transaction
from bot.effects import DateEffect
from bot.leaderboards import game as leaderboards_game
from bot.leaderboards.game import Sheet
from bot.outages import Outage
from bot.people import store as people_store
from bot.people.model import ZoneChange
from bot.people.zones import DEFAULT_ZONE, Skip, skips, zone_at
from bot.shards.game import find_outages
from bot.streaks import store as streaks_store
from bot.streaks.model import (
    ENDED,
    FROZEN,
    Missed,
    PlayedDates,
    Streak,
    StreakChange,
    is_excused_by,
    met_by,
    work_out,
)
from bot.streaks.store import DailyRow, StreakRow

_DAY: Final = timedelta(days=1)
# Time after a player's last visit for which a server can still delay the end of their dates.
_REMEMBERED: Final = timedelta(days=30)
# Time after which an unsolved date's result is final: the date is over in all zones, and the bot's
# outages are known.
_SETTLED: Final = timedelta(days=7)
# The default of players without a stored streak, so that viewing writes nothing.
_NONE_YET: Final = StreakRow(length=0, best=0, freezes=0)
_VERDICTS: Final = frozenset({DateEffect.EXCUSED_OUTAGE, DateEffect.EXCUSED_ZONE}) | FROZEN | ENDED


def refresh(tx: Transaction, player_id: int, now: datetime, sheet: Sheet | None = None) -> Streak:
    """Recompute a player's streak from the plays, and store what has changed.

    `sheet` has the player's leaderboard rows, and is written in any case. Without it, the rows are
    read and written only if the streak's figures have changed.
    """
    known = _read(tx, player_id)
    over = _last_date_over(known, now)
    record = _record(tx, known, now, over)
    streak = work_out(record)
    kept, stored = set(streak.changes), set(known.stored)
    changed = [change for change in streak.changes if change not in stored]
    gone = {change.day for change in known.stored if change not in kept}
    settles_at = _settles_at(known, record, now) if streak.length else None
    row = StreakRow(streak.length, streak.best, streak.freezes, settles_at, streak.assisted)
    before = streaks_store.stored.get(tx, player_id) or _NONE_YET
    if changed or gone or before != row:
        streaks_store.put(tx, player_id, row, changed, gone)
    if (before.length, before.best, before.assisted) != (row.length, row.best, row.assisted):
        sheet = sheet or Sheet.read(tx, player_id, now)
        steps = [(change.day, change.reason) for change in streak.changes]
        leaderboards_game.put_streak(sheet, steps)
    if sheet is not None:
        sheet.write()
    return streak


@dataclass(frozen=True, slots=True)
class Risk:
    """A date that ends a streak unless it is solved.

    Attributes:
        ends_at: when the date ends in the place that `guild_id` names.
        guild_id: the server where the date ends last, of those where the player was recently; None
            for direct messages.
        length: the streak's length.
        is_own_date: whether the date is today in the player's own zone.
    """

    day: date
    ends_at: datetime
    guild_id: int | None
    length: int
    is_own_date: bool


def at_risk(tx: Transaction, player_id: int, now: datetime) -> Risk | None:
    """Find the first date still to be solved; None if missing it would not end the streak."""
    known = _read(tx, player_id)
    over = _last_date_over(known, now)
    record = _record(tx, known, now, over)
    day = over + _DAY
    while day in record.solved:
        day += _DAY
    passed = work_out(_record(tx, known, now, day))
    if not any(change.day == day and change.reason in ENDED for change in passed.changes):
        return None
    where = {guild_id: start_of(day + _DAY, zone) for guild_id, zone in _recent_places(known, now)}
    guild_id = max(where, key=lambda place: where[place])
    own = zone_at(known.zones[None], now)
    length = work_out(record).length
    return Risk(day, where[guild_id], guild_id, length, is_own_date=date_in(own, now) == day)


@dataclass(frozen=True, slots=True)
class _Known:
    """The stored facts that a player's streak is computed from.

    Attributes:
        rows: the player's plays of dailies, in the order in which they were opened.
        zones: the changes of zone of every server that the player has played in; under None the
            player's own.
        stored: the changes of the streak as they were computed last.
    """

    player_id: int
    rows: Sequence[DailyRow]
    zones: Mapping[int | None, Sequence[ZoneChange]]
    stored: Sequence[StreakChange]


def _read(tx: Transaction, player_id: int) -> _Known:
    rows = streaks_store.get_dailies(tx, player_id)
    guild_ids = {row.guild_id for row in rows if row.guild_id is not None}
    zones = people_store.get_zones_around(tx, player_id, guild_ids)
    stored = streaks_store.get_changes(tx, player_id)
    return _Known(player_id, rows, zones, stored)


def _record(tx: Transaction, known: _Known, now: datetime, over: date) -> PlayedDates:
    """Make the input of a streak's computation; dates up to `over` count as over.

    A date solved with hints lengthens the streak.
    """
    solves = [row for row in known.rows if row.on_date and row.outcome == "solved"]
    solved = frozenset(day_of(row.number) for row in solves)
    helped = solved - {day_of(row.number) for row in solves if not row.is_assisted}
    if not solved:
        return PlayedDates(solved, over)
    first = min(solved)
    days = (first + timedelta(days=n) for n in range((over - first).days + 1))
    unsolved = {day for day in days if day not in solved}
    settled = {
        change.day: change.reason
        for change in known.stored
        if change.day <= over - _SETTLED and change.day in unsolved and change.reason in _VERDICTS
    }
    unsettled = unsolved - settled.keys()
    whereabouts = _Places(known.rows)
    skipped = {day for day, reason in settled.items() if reason is DateEffect.EXCUSED_ZONE}
    skipped |= {skip.day for skip in _excusing_skips(known, whereabouts) if skip.day in unsettled}
    down = frozenset(d for d, reason in settled.items() if reason is DateEffect.EXCUSED_OUTAGE)
    record = PlayedDates(solved, over, _missed(known.rows), down, frozenset(skipped), helped)
    return replace(record, down=down | _down(tx, record, whereabouts, unsettled, now))


def _down(
    tx: Transaction, record: PlayedDates, whereabouts: "_Places", days: Set[date], now: datetime
) -> set[date]:
    """Find the dates among `days` that outages excuse.

    Dates before the first one that the player would otherwise miss are left out.
    """
    # Without a streak no date is missed.
    changes = work_out(record).changes
    missed = [c.day for c in changes if c.day in days and c.reason in FROZEN | ENDED]
    if not missed:
        return set()
    days = {day for day in days if day >= missed[0]}
    since, until = (start_of(day, DEFAULT_ZONE) for day in (min(days) - _DAY, max(days) + 2 * _DAY))
    found = find_outages(tx, since, until, now, with_brief=False)
    return set(_outage_dates(found, whereabouts, days))


class _Places:
    """Where a player was on each date: the place where they had last opened a daily."""

    def __init__(self, rows: Sequence[DailyRow]) -> None:
        self._rows = rows
        # The minimum of all dates from each row on: it ascends, so that a date can be bisected even
        # where the player travelled west and back in dates.
        dates = [date_in(row.zone, row.opened_at) for row in rows]
        self._least = list(accumulate(reversed(dates), min))[::-1]

    def on(self, day: date) -> DailyRow:
        """Find the last play opened on this date or earlier, by the play's own zone.

        Without one, return the player's first play.
        """
        return self._rows[max(bisect_right(self._least, day) - 1, 0)]

    def before(self, instant: datetime) -> DailyRow | None:
        after = bisect_left(self._rows, instant, key=lambda row: row.opened_at)
        return self._rows[after - 1] if after else None


def _outage_dates(
    outages: Sequence[Outage], whereabouts: _Places, unsolved: Set[date]
) -> Iterator[date]:
    """The dates, among `unsolved`, on which outages were too long where the player was."""
    touched: dict[date, list[Outage]] = {}
    for outage in outages:
        # No zone is more than a date away from UTC.
        day, last = outage.began_at.date() - _DAY, outage.ended_at.date() + _DAY
        while day <= last:
            if day in unsolved:
                touched.setdefault(day, []).append(outage)
            day += _DAY
    for day, of_the_day in touched.items():
        place = whereabouts.on(day)
        if is_excused_by(met_by(of_the_day, place.guild_id), day, place.zone):
            yield day


def _excusing_skips(known: _Known, whereabouts: _Places) -> Iterator[Skip]:
    """Yield the dates that are excused because a change of zone skipped them.

    The player was in the place of that zone then, and when the change was chosen, and has not
    opened the date's daily. The correction of a first choice excuses nothing.
    """
    opened: Set[date] | None = None
    for place, history in known.zones.items():
        for skip in skips(history):
            last = whereabouts.before(skip.chosen_at)
            is_theirs = last is not None and last.guild_id == place
            if skip.is_correction or not is_theirs or whereabouts.on(skip.day).guild_id != place:
                continue
            opened = _opened_today(known.rows) if opened is None else opened
            if skip.day not in opened:
                yield skip


def _opened_today(rows: Sequence[DailyRow]) -> set[date]:
    """The dates whose daily the player opened on the date itself, in the play's zone."""
    days = ((day_of(row.number), date_in(row.zone, row.opened_at)) for row in rows)
    return {day for day, today in days if day == today}


def _last_date_over(known: _Known, now: datetime) -> date:
    """The last date that can no longer be solved in any place where the player was recently."""
    where = {zone for _, zone in _recent_places(known, now)}
    today = min(date_in(zone, now - GRACE) for zone in where or {DEFAULT_ZONE})
    return today - timedelta(days=1)


def _recent_places(known: _Known, now: datetime) -> set[tuple[int | None, str]]:
    """The servers where a player was recently (None: direct messages), each with its zone now."""
    recent = [row for row in known.rows if row.opened_at > now - _REMEMBERED] or known.rows[-1:]
    return {(row.guild_id, zone_at(known.zones[row.guild_id], now)) for row in recent}


def _settles_at(known: _Known, record: PlayedDates, now: datetime) -> datetime:
    """The earliest time at which a streak may change without a play.

    That is the end of the first unsolved date in any zone of the player's or of their servers. It
    is earlier if such a zone changes before, or if a play becomes too old for its server to count.
    """
    day = record.over + _DAY
    while day in record.solved:
        day += _DAY
    moments = [row.opened_at + _REMEMBERED for row in known.rows]
    for history in known.zones.values():
        moments += [row.effective_at for row in history]
        moments.append(start_of(day + _DAY, zone_at(history, now)) + GRACE)
    return min(moment for moment in moments if moment > now)


def _missed(rows: Sequence[DailyRow]) -> dict[date, Missed]:
    """Map dates to a loss on date or, without a loss, to a play that was begun on the date.

    Solved dates may be among them.
    """
    missed: dict[date, Missed] = {}
    for row in rows:
        day = day_of(row.number)
        if row.on_date and row.outcome == "lost":
            missed[day] = Missed.LOST
        elif row.has_guesses and date_in(row.zone, row.opened_at) == day:
            missed.setdefault(day, Missed.UNFINISHED)
    return missed

"""Keeps streaks: gathers what they follow from, and stores what they come to."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Final

from bot.services.clock import date_in, start_of
from bot.services.heartbeat import find_outages
from bot.services.play import GRACE, day_of
from bot.services.streaks import (
    Change,
    Missed,
    Outage,
    Reason,
    Record,
    Streak,
    changes_since,
    is_excused_by,
    work_out,
)
from bot.services.zones import DEFAULT_ZONE, skipped_dates, zone_at
from bot.storage import places, streaks
from bot.storage.database import Transaction
from bot.storage.places import ZoneRow
from bot.storage.streaks import ChangeRow, DailyRow, StreakRow

# A server in which nobody has seen a player for so long does not delay the end of their dates.
_REMEMBERED: Final = timedelta(days=30)


async def refresh(tx: Transaction, player_id: int, now: datetime) -> Streak:
    """A player's streak at an instant, worked out anew from the plays, and stored."""
    rows = await streaks.get_dailies(tx, player_id)
    zones = await _zone_histories(tx, player_id, rows)
    streak = work_out(await _record(tx, rows, zones, now))
    stored = [_change(row) for row in await streaks.get_changes(tx, player_id)]
    changed = [_row(change) for change in changes_since(streak, stored)]
    row = StreakRow(streak.length, streak.best, streak.freezes)
    if changed or await streaks.get(tx, player_id) != row:
        await streaks.put(tx, player_id, row, changed)
    return streak


async def _record(
    tx: Transaction,
    rows: Sequence[DailyRow],
    zones: Mapping[int | None, Sequence[ZoneRow]],
    now: datetime,
) -> Record:
    solved = {day_of(row.number) for row in rows if row.on_date and row.outcome == "solved"}
    over = _last_date_over(rows, zones, now)
    if not solved:
        return Record(frozenset(), over)
    first = min(solved)
    outages = await find_outages(tx, start_of(first, DEFAULT_ZONE) - timedelta(days=1), now)
    unsolved = [
        first + timedelta(days=n)
        for n in range((over - first).days + 1)
        if first + timedelta(days=n) not in solved
    ]
    skipped = set[date]().union(*(skipped_dates(history) for history in zones.values()))
    excused = {day: Reason.EXCUSED_ZONE for day in unsolved if day in skipped}
    excused |= {
        day: Reason.EXCUSED_OUTAGE
        for day in unsolved
        if day not in skipped and _was_down(outages, rows, day)
    }
    return Record(frozenset(solved), over, _missed(rows), excused)


async def _zone_histories(
    tx: Transaction, player_id: int, rows: Sequence[DailyRow]
) -> dict[int | None, list[ZoneRow]]:
    """The zones of every server a player has played in, and under None their own."""
    guild_ids = {row.guild_id for row in rows if row.guild_id is not None}
    histories: dict[int | None, list[ZoneRow]] = {
        guild_id: await places.get_zones(tx, "guild", guild_id) for guild_id in guild_ids
    }
    histories[None] = await places.get_zones(tx, "player", player_id)
    return histories


def _last_date_over(
    rows: Sequence[DailyRow], zones: Mapping[int | None, Sequence[ZoneRow]], now: datetime
) -> date:
    """The last date that can no longer be solved anywhere the player has been of late."""
    recent = [row for row in rows if row.opened_at > now - _REMEMBERED] or rows[-1:]
    where = {zone_at(zones[row.guild_id], now) for row in recent}
    today = min(date_in(zone, now - GRACE) for zone in where or {DEFAULT_ZONE})
    return today - timedelta(days=1)


def _missed(rows: Sequence[DailyRow]) -> dict[date, Missed]:
    """How the dates went that were played on their day; a loss tells more than a game left."""
    missed: dict[date, Missed] = {}
    for row in rows:
        day = day_of(row.number)
        if row.on_date and row.outcome == "lost":
            missed[day] = Missed.LOST
        elif row.has_guesses and date_in(row.zone, row.opened_at) == day:
            missed.setdefault(day, Missed.UNFINISHED)
    return missed


def _was_down(outages: Sequence[Outage], rows: Sequence[DailyRow], day: date) -> bool:
    """Whether the bot was down for too much of a date, in the zone the player last played with."""
    if not outages:
        return False
    zone = rows[0].zone
    for row in rows:
        if row.opened_at < start_of(day + timedelta(days=1), row.zone):
            zone = row.zone
    return is_excused_by(outages, day, zone)


def _change(row: ChangeRow) -> Change:
    return Change(row.day, Reason(row.reason), row.before, row.after, row.freezes)


def _row(change: Change) -> ChangeRow:
    return ChangeRow(change.day, change.reason.value, change.before, change.after, change.freezes)

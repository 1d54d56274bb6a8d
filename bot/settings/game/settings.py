"""What servers choose."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from bot.clock import Clock, date_in
from bot.dailies import LONGEST_DAILY, SHORTEST_DAILY, number_of
from bot.db.database import Database, Transaction
from bot.focdle.store import plays
from bot.leaderboards.game.rebuild import rebuild_some
from bot.leaderboards.store import rebuilds
from bot.people.game.places import ZONE_REST, length_on, take_back
from bot.people.game.zones import find_zone, next_midnight, no_repeat, zone_at
from bot.people.model.choices import LengthChange, ZoneChange
from bot.people.store import places
from bot.posts.game.beginning_anew import is_remembered
from bot.posts.game.first_day import is_first_day
from bot.posts.game.post_planning import plan_next, start_over
from bot.posts.model.errors import ServerZoneTooSoonError
from bot.refused import NoSuchDailyLengthError
from bot.streaks.store import streaks

log = logging.getLogger(__name__)

CORRECTABLE: Final = timedelta(hours=48)
"""How long after it took hold a server's zone can be corrected, once."""


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """A server's choices.

    Attributes:
        channel_id: where the bot posts; None for nowhere.
        zone: the zone that says what today is there.
        next_zone: the zone that follows, and from when on; None if none is coming.
        zone_again_at: when the zone can be changed again; None if it can be now.
        correctable_until: until when its last change can be corrected, once; None if it need not
            be, or cannot.
        length: the length of today's puzzle.
        next_length: the length that follows, and from which date on.
        duel_threads: whether each duel gets a thread of its own.
    """

    channel_id: int | None
    zone: str
    next_zone: tuple[str, datetime] | None
    length: int
    next_length: tuple[int, date] | None
    duel_threads: bool
    zone_again_at: datetime | None = None
    correctable_until: datetime | None = None


@dataclass(frozen=True, slots=True)
class _NextChange:
    """What the next change of a server's zone would be.

    Attributes:
        again_at: when it can be; None if it can be now.
        corrects_until: until when it is the correction of the last one; None if it is none.
    """

    again_at: datetime | None = None
    corrects_until: datetime | None = None


class ServerSettings:
    """Use cases around a server's choices; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def view(self, guild_id: int) -> GuildSettings:
        """A server's choices as they are."""
        async with self._database.reading() as tx:
            return await self._view(tx, guild_id)

    async def change(
        self,
        guild_id: int,
        *,
        channel_id: int | None = None,
        zone: str | None = None,
        length: int | None = None,
    ) -> GuildSettings:
        """Choose some of them, all or nothing; what is None stays.

        Zone and length hold from the next midnight on, so that nobody's running
        date changes. On a server's first day, while nobody has opened today's daily
        there, they hold at once; posts go by a zone that is chosen on it in any case.
        Choosing what holds takes back what was to follow.

        A zone follows another at most once in `ZONE_REST`, counted from when the last one took
        hold. Free of that are a change that does not hold yet, any while no daily has been
        finished there, and one correction within `CORRECTABLE` of the first choice or of a change.
        A server that has deleted its data of late counts as one that was played in.

        Raises:
            UnknownZoneError: the text names no zone.
            ServerZoneTooSoonError: the last change is less than a week old.
            NoSuchDailyLengthError: dailies do not have that length.
        """
        found = None if zone is None else find_zone(zone)
        if length is not None and not SHORTEST_DAILY <= length <= LONGEST_DAILY:
            raise NoSuchDailyLengthError(
                length=length, shortest=SHORTEST_DAILY, symbols=LONGEST_DAILY
            )
        async with self._database.transaction() as tx:
            now = self._clock.now()
            is_new = await is_first_day(tx, guild_id, now)
            if found is not None:
                await self._set_zone(tx, guild_id, found, is_new=is_new)
            if length is not None:
                await self._set_length(tx, guild_id, length, is_new=is_new)
            if channel_id is not None:
                await places.put_channel(tx, guild_id, channel_id)
                await start_over(tx, guild_id, now, on=True)
            elif found is not None and is_new:
                await start_over(tx, guild_id, now)
            elif found is not None:
                await plan_next(tx, guild_id, now)
            view = await self._view(tx, guild_id)
        if length is not None or found is not None:
            await self._rebuild_some()
        return view

    async def _rebuild_some(self) -> None:
        """The first few rows at once; the others, and what fails, wait for the upkeep."""
        try:
            async with self._database.transaction() as tx:
                await rebuild_some(tx, self._clock.now())
        except Exception:
            log.exception("rows of a changed length or zone were not worked out at once")

    async def set_duel_threads(self, guild_id: int, *, on: bool) -> GuildSettings:
        """Give each duel that is accepted from now on a thread of its own, or none."""
        async with self._database.transaction() as tx:
            await places.put_duel_threads(tx, guild_id, on=on)
            return await self._view(tx, guild_id)

    async def leave_channel(self, guild_id: int) -> GuildSettings:
        """Post nowhere from now on."""
        async with self._database.transaction() as tx:
            await places.put_channel(tx, guild_id, None)
            await start_over(tx, guild_id, self._clock.now())
            return await self._view(tx, guild_id)

    async def _set_zone(self, tx: Transaction, guild_id: int, zone: str, *, is_new: bool) -> None:
        now = self._clock.now()
        rows = await places.get_zones(tx, "guild", guild_id)
        current = zone_at(rows, now)
        if zone == current:
            await take_back(tx, "guild", guild_id, rows, now)
            return
        change = await _next_change(tx, guild_id, rows, now)
        if change.again_at is not None:
            raise ServerZoneTooSoonError(again_at=change.again_at)
        is_correction = change.corrects_until is not None
        effective_at = next_midnight(current, now)
        if is_correction:  # what it has closed stays closed
            effective_at = no_repeat(current, zone, now)
        elif is_new and not await _is_opened(tx, guild_id, date_in(current, now)):
            effective_at = now
            if not rows:  # what has ended by a zone that nobody chose is open again
                await rebuilds.since(tx, guild_id, number_of(date_in(current, now)) - 1)
        await take_back(tx, "guild", guild_id, rows, now)
        row = ZoneChange(zone, effective_at, now, is_correction)
        await places.put_zone(tx, "guild", guild_id, row)
        await streaks.hasten(tx, effective_at, guild_id=guild_id)

    async def _set_length(
        self, tx: Transaction, guild_id: int, length: int, *, is_new: bool
    ) -> None:
        now = self._clock.now()
        today = date_in(zone_at(await places.get_zones(tx, "guild", guild_id), now), now)
        tomorrow = today + timedelta(days=1)
        if length == length_on(await places.get_lengths(tx, guild_id), today):
            since = tomorrow
            await places.drop_lengths(tx, guild_id, since=since)
        else:
            at_once = is_new and not await _is_opened(tx, guild_id, today)
            since = today if at_once else tomorrow
            await places.put_length(tx, guild_id, LengthChange(length, since))
        # Members may have played those dates already, where it is later or before they came.
        await rebuilds.since(tx, guild_id, number_of(since))

    async def _view(self, tx: Transaction, guild_id: int) -> GuildSettings:
        now = self._clock.now()
        zones = await places.get_zones(tx, "guild", guild_id)
        lengths = await places.get_lengths(tx, guild_id)
        today = date_in(zone_at(zones, now), now)
        coming_zones = [row for row in zones if row.effective_at > now]
        change = await _next_change(tx, guild_id, zones, now)
        coming_lengths = [row for row in lengths if row.from_day > today]
        return GuildSettings(
            channel_id=await places.get_channel(tx, guild_id),
            zone=zone_at(zones, now),
            next_zone=(coming_zones[0].zone, coming_zones[0].effective_at)
            if coming_zones
            else None,
            length=length_on(lengths, today),
            next_length=(coming_lengths[0].length, coming_lengths[0].from_day)
            if coming_lengths
            else None,
            duel_threads=await places.has_duel_threads(tx, guild_id),
            zone_again_at=change.again_at,
            correctable_until=change.corrects_until,
        )


async def _is_opened(tx: Transaction, guild_id: int, day: date) -> bool:
    """Whether anybody has opened a date's daily in a server, at whatever length."""
    return await plays.has_daily(tx, guild_id, number=number_of(day))


async def _next_change(
    tx: Transaction, guild_id: int, rows: Sequence[ZoneChange], now: datetime
) -> _NextChange:
    held = [row for row in rows if row.effective_at <= now]
    if not held:
        return _NextChange()
    was_played = await plays.has_daily(tx, guild_id, is_finished=True)
    is_old = await is_remembered(tx, guild_id, now)
    if not was_played and not is_old:
        return _NextChange()
    last, correctable_until = held[-1], held[-1].effective_at + CORRECTABLE
    # What follows by a deletion was chosen by nobody, and gives no right to choose.
    if (coming := rows[len(held) :]) and not is_old:
        return _NextChange(None, correctable_until if coming[0].is_correction else None)
    again_at = last.effective_at + ZONE_REST
    if now >= again_at:
        return _NextChange()
    if now < correctable_until and not last.is_correction:
        return _NextChange(None, correctable_until)
    return _NextChange(again_at)

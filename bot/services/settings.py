"""What servers choose."""

import logging
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from bot.services.clock import Clock, date_in
from bot.services.errors import NoSuchDailyLengthError
from bot.services.places import length_on
from bot.services.play import number_of
from bot.services.posts.planning import plan_next, start_over
from bot.services.preferences import next_midnight, take_back
from bot.services.puzzles import LONGEST_DAILY, SHORTEST_DAILY
from bot.services.standings.rebuilding import rebuild_queued
from bot.services.zones import find_zone, zone_at
from bot.storage import places, plays, standings, streaks
from bot.storage.database import Database, Transaction
from bot.storage.places import LengthRow, ZoneRow

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GuildSettings:
    """A server's choices.

    Attributes:
        channel_id: where the bot posts; None for nowhere.
        zone: the zone that says what today is there.
        next_zone: the zone that follows, and from when on; None if none is coming.
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


class ServerSettings:
    """Use cases around a server's choices; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def view(self, guild_id: int) -> GuildSettings:
        """A server's choices as they are."""
        async with self._database.transaction() as tx:
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
        date changes; at once in a server where nobody has played yet. Choosing
        what holds takes back what was to follow.

        Raises:
            UnknownZoneError: the text names no zone.
            NoSuchDailyLengthError: dailies do not have that length.
        """
        found = None if zone is None else find_zone(zone)
        if length is not None and not SHORTEST_DAILY <= length <= LONGEST_DAILY:
            raise NoSuchDailyLengthError(length, SHORTEST_DAILY, LONGEST_DAILY)
        async with self._database.transaction() as tx:
            fresh = not await plays.has_any(tx, guild_id=guild_id)
            if found is not None:
                await self._set_zone(tx, guild_id, found, at_once=fresh)
            if length is not None:
                await self._set_length(tx, guild_id, length, at_once=fresh)
            if channel_id is not None:
                await places.put_channel(tx, guild_id, channel_id)
                await start_over(tx, guild_id, self._clock.now())
            elif found is not None:
                await plan_next(tx, guild_id, self._clock.now())
            view = await self._view(tx, guild_id)
        if length is not None or found is not None:
            await self._rebuild_some()
        return view

    async def _rebuild_some(self) -> None:
        """The first few rows at once; the others, and what fails, wait for the upkeep."""
        try:
            async with self._database.transaction() as tx:
                await rebuild_queued(tx, self._clock.now())
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

    async def _set_zone(self, tx: Transaction, guild_id: int, zone: str, *, at_once: bool) -> None:
        now = self._clock.now()
        rows = await places.get_zones(tx, "guild", guild_id)
        current = zone_at(rows, now)
        if zone == current:
            await take_back(tx, "guild", guild_id, rows, now)
            return
        if at_once and not rows:  # what the zone before it has closed is open again
            yesterday = number_of(date_in(current, now)) - 1
            await standings.queue_since(tx, guild_id, yesterday)
        effective_at = now if at_once else next_midnight(current, now)
        await places.put_zone(tx, "guild", guild_id, ZoneRow(zone, effective_at, now))
        await streaks.hasten(tx, effective_at, guild_id=guild_id)

    async def _set_length(
        self, tx: Transaction, guild_id: int, length: int, *, at_once: bool
    ) -> None:
        now = self._clock.now()
        today = date_in(zone_at(await places.get_zones(tx, "guild", guild_id), now), now)
        tomorrow = today + timedelta(days=1)
        if length == length_on(await places.get_lengths(tx, guild_id), today):
            since = tomorrow
            await places.drop_lengths(tx, guild_id, since=since)
        else:
            since = today if at_once else tomorrow
            await places.put_length(tx, guild_id, LengthRow(length, since))
        # Members may have played those dates already, where it is later or before they came.
        await standings.queue_since(tx, guild_id, number_of(since))

    async def _view(self, tx: Transaction, guild_id: int) -> GuildSettings:
        now = self._clock.now()
        zones = await places.get_zones(tx, "guild", guild_id)
        lengths = await places.get_lengths(tx, guild_id)
        today = date_in(zone_at(zones, now), now)
        coming_zones = [row for row in zones if row.effective_at > now]
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
        )

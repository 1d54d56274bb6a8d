"""A server that deletes its data begins anew: what zone and length become, and what is remembered.

They become what they are where nobody has chosen any, but only as any choice would: from a midnight
on, and the zone not before it may change again. What was before stays for some days, since members'
streaks follow from it. For thirty days the server is known, by a digest, to be no new one: there,
changes would hold at once.
"""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Final

from bot.clock import date_in
from bot.dailies import number_of
from bot.db.database import Transaction
from bot.leaderboards.store import rebuilds
from bot.people.game.places import DEFAULT_LENGTH, ZONE_REST, length_on, take_back
from bot.people.game.zones import DEFAULT_ZONE, next_midnight, zone_at
from bot.people.model.choices import LengthChange, ZoneChange
from bot.people.store import places
from bot.posts.store import kept_servers
from bot.posts.store.kept_servers import KeptServerRow
from bot.streaks.store import streaks

HISTORY_KEPT_FOR: Final = timedelta(days=10)
"""How long it is kept which zones and lengths there were: by then, streaks are settled."""

REMEMBERED_FOR: Final = timedelta(days=30)
"""How long a server that has deleted its data is no new one."""

_DAY: Final = timedelta(days=1)


async def begin_anew(tx: Transaction, guild_id: int, now: datetime) -> None:
    """Let a server's zone and length become what they are without a choice, and remember it."""
    rows = await places.get_zones(tx, "guild", guild_id)
    zone = zone_at(rows, now)
    await take_back(tx, "guild", guild_id, rows, now)
    if zone != DEFAULT_ZONE:
        last = max(row.effective_at for row in rows if row.effective_at <= now)
        effective_at = next_midnight(zone, max(now, last + ZONE_REST))
        await places.put_zone(tx, "guild", guild_id, ZoneChange(DEFAULT_ZONE, effective_at, now))
        await streaks.hasten(tx, effective_at, guild_id=guild_id)
    today = date_in(zone, now)
    await places.drop_lengths(tx, guild_id, since=today + _DAY)
    if length_on(await places.get_lengths(tx, guild_id), today) != DEFAULT_LENGTH:
        await places.put_length(tx, guild_id, LengthChange(DEFAULT_LENGTH, today + _DAY))
    # Members may have played tomorrow's daily already, where it is later.
    await rebuilds.since(tx, guild_id, number_of(today + _DAY))
    await _remember(tx, guild_id, now)


async def end_history(
    tx: Transaction, guild_id: int, began_at: datetime, now: datetime
) -> datetime | None:
    """Forget a server's zones and lengths from before its data were deleted, but what holds.

    Returns:
        When to look again, if what holds now has followed not long ago; None if all is done.
    """
    rows = await places.get_zones(tx, "guild", guild_id)
    held = [row for row in rows if row.effective_at <= now]
    keeps = bool(held) and not (held[-1].zone == DEFAULT_ZONE and held[-1].set_at <= began_at)
    if keeps and len(held) > 1 and (again := held[-1].effective_at + HISTORY_KEPT_FOR) > now:
        return again
    for row in held[:-1] if keeps else held:
        await places.drop_zone(tx, "guild", guild_id, row.effective_at)
    today = date_in(zone_at(rows, now), now)
    lengths = [row for row in await places.get_lengths(tx, guild_id) if row.from_day <= today]
    if lengths and lengths[-1].length != DEFAULT_LENGTH:
        lengths.pop()
    for row in lengths:
        await places.drop_length(tx, guild_id, row.from_day)
    if held or lengths:
        await rebuilds.since(tx, guild_id, 1)
    return None


async def is_remembered(tx: Transaction, guild_id: int, now: datetime) -> bool:
    """Whether a server has deleted its data of late: it is no new one."""
    return any(row.kept_until > now for row in await _rows_of(tx, guild_id))


async def purge(tx: Transaction, now: datetime) -> None:
    """Remember nothing longer than it is needed."""
    await kept_servers.purge(tx, now)


async def _remember(tx: Transaction, guild_id: int, now: datetime) -> None:
    for row in await _rows_of(tx, guild_id):
        await kept_servers.drop(tx, row.digest)
    salt = secrets.token_hex(16)
    row = KeptServerRow(_digest(salt, guild_id), salt, now + REMEMBERED_FOR)
    await kept_servers.add(tx, row)


async def _rows_of(tx: Transaction, guild_id: int) -> list[KeptServerRow]:
    rows = await kept_servers.everything(tx)
    return [row for row in rows if row.digest == _digest(row.salt, guild_id)]


def _digest(salt: str, guild_id: int) -> str:
    return hashlib.sha256(f"{salt}:{guild_id}".encode()).hexdigest()

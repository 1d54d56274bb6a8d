"""What servers and players have set: zones, lengths of the daily, the channel."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, Literal

from sqlalchemy import bindparam, delete, insert, or_, select, update

from bot.storage.database import Transaction
from bot.storage.schema import guild_lengths, guilds, zones

Subject = Literal["guild", "player"]


@dataclass(frozen=True, slots=True)
class ZoneRow:
    """A zone that holds from an instant on."""

    zone: str
    effective_at: datetime
    set_at: datetime


@dataclass(frozen=True, slots=True)
class LengthRow:
    """A length of the daily that holds from a date on."""

    length: int
    from_day: date


async def get_zones(tx: Transaction, subject: Subject, subject_id: int) -> list[ZoneRow]:
    """All zones that a server or player has had or will have, in order."""
    query = (
        select(zones.c.zone, zones.c.effective_at, zones.c.set_at)
        .where(zones.c.subject == subject, zones.c.subject_id == subject_id)
        .order_by(zones.c.effective_at)
    )
    return [ZoneRow(**row) for row in (await tx.execute(query)).mappings()]


async def get_zones_of_guilds(
    tx: Transaction, guild_ids: Collection[int]
) -> dict[int, list[ZoneRow]]:
    """All zones that these servers have had or will have, in order, by server."""
    query = (
        select(zones.c.subject_id, zones.c.zone, zones.c.effective_at, zones.c.set_at)
        .where(zones.c.subject == "guild", zones.c.subject_id.in_(guild_ids))
        .order_by(zones.c.effective_at)
    )
    found: dict[int, list[ZoneRow]] = {guild_id: [] for guild_id in guild_ids}
    for guild_id, zone, effective_at, set_at in await tx.execute(query):
        found[guild_id].append(ZoneRow(zone, effective_at, set_at))
    return found


_ZONES_AROUND: Final = (
    select(zones.c.subject, zones.c.subject_id, zones.c.zone, zones.c.effective_at, zones.c.set_at)
    .where(
        or_(
            (zones.c.subject == "player") & (zones.c.subject_id == bindparam("player")),
            (zones.c.subject == "guild")
            & zones.c.subject_id.in_(bindparam("guilds", expanding=True)),
        )
    )
    .order_by(zones.c.effective_at)
)


async def get_zones_around(
    tx: Transaction, player_id: int, guild_ids: Collection[int]
) -> dict[int | None, list[ZoneRow]]:
    """All zones of a player, under None, and of these servers, in order."""
    values = {"player": player_id, "guilds": list(guild_ids)}
    found: dict[int | None, list[ZoneRow]] = {None: [], **{guild_id: [] for guild_id in guild_ids}}
    for subject, subject_id, *row in await tx.execute(_ZONES_AROUND, values):
        found[subject_id if subject == "guild" else None].append(ZoneRow(*row))
    return found


async def put_zone(tx: Transaction, subject: Subject, subject_id: int, row: ZoneRow) -> None:
    """Let a zone hold from an instant on, in place of any that was to hold from then or later."""
    await drop_zones(tx, subject, subject_id, since=row.effective_at)
    values = {
        "subject": subject,
        "subject_id": subject_id,
        "zone": row.zone,
        "effective_at": row.effective_at,
        "set_at": row.set_at,
    }
    await tx.execute(insert(zones).values(values))


async def drop_zones(
    tx: Transaction, subject: Subject, subject_id: int, *, since: datetime
) -> None:
    """Forget the zones that hold from an instant or later."""
    await tx.execute(
        delete(zones).where(
            zones.c.subject == subject,
            zones.c.subject_id == subject_id,
            zones.c.effective_at >= since,
        )
    )


async def get_lengths(tx: Transaction, guild_id: int) -> list[LengthRow]:
    """All lengths that a server's daily has had or will have, in order."""
    query = (
        select(guild_lengths.c.length, guild_lengths.c.from_day)
        .where(guild_lengths.c.guild_id == guild_id)
        .order_by(guild_lengths.c.from_day)
    )
    return [LengthRow(**row) for row in (await tx.execute(query)).mappings()]


async def get_lengths_of_guilds(
    tx: Transaction, guild_ids: Collection[int]
) -> dict[int, list[LengthRow]]:
    """All lengths that these servers' dailies have had or will have, in order, by server."""
    query = (
        select(guild_lengths.c.guild_id, guild_lengths.c.length, guild_lengths.c.from_day)
        .where(guild_lengths.c.guild_id.in_(guild_ids))
        .order_by(guild_lengths.c.from_day)
    )
    found: dict[int, list[LengthRow]] = {guild_id: [] for guild_id in guild_ids}
    for guild_id, length, from_day in await tx.execute(query):
        found[guild_id].append(LengthRow(length, from_day))
    return found


async def put_length(tx: Transaction, guild_id: int, row: LengthRow) -> None:
    """Let a length hold from a date on, in place of any that was to hold from then or later."""
    await drop_lengths(tx, guild_id, since=row.from_day)
    values = {"guild_id": guild_id, "from_day": row.from_day, "length": row.length}
    await tx.execute(insert(guild_lengths).values(values))


async def drop_lengths(tx: Transaction, guild_id: int, *, since: date) -> None:
    """Forget the lengths that hold from a date or later."""
    await tx.execute(
        delete(guild_lengths).where(
            guild_lengths.c.guild_id == guild_id, guild_lengths.c.from_day >= since
        )
    )


async def get_channel(tx: Transaction, guild_id: int) -> int | None:
    """The channel that a server wants the bot to post in."""
    return await tx.scalar(select(guilds.c.channel_id).where(guilds.c.guild_id == guild_id))


async def put_channel(tx: Transaction, guild_id: int, channel_id: int | None) -> None:
    """Note the channel to post in; None for nowhere."""
    await put_guild(tx, guild_id, channel_id=channel_id)


async def has_duel_threads(tx: Transaction, guild_id: int) -> bool:
    """Whether a server wants a thread for each duel."""
    query = select(guilds.c.duel_threads).where(guilds.c.guild_id == guild_id)
    return bool(await tx.scalar(query))


async def put_duel_threads(tx: Transaction, guild_id: int, *, on: bool) -> None:
    """Note whether a server wants a thread for each duel."""
    await put_guild(tx, guild_id, duel_threads=on)


async def put_guild(tx: Transaction, guild_id: int, **values: object) -> None:
    """Note some of a server's choices; the others stay."""
    change = update(guilds).where(guilds.c.guild_id == guild_id).values(values)
    if not (await tx.execute(change)).rowcount:
        await tx.execute(insert(guilds).values(guild_id=guild_id, **values))

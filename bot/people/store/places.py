"""What servers and players have set: zones, lengths of the daily, the channel."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from datetime import date, datetime
from operator import attrgetter
from typing import Any, Final, Literal

from sqlalchemy import (
    ColumnElement,
    Select,
    bindparam,
    delete,
    insert,
    null,
    or_,
    select,
    type_coerce,
    union_all,
)

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.once import once
from bot.db.tables import guild_lengths, guilds, zones
from bot.people.model.choices import Calendar, LengthChange, ZoneChange

Subject = Literal["guild", "player"]


_ZONE_COLUMNS: Final = columns_of(ZoneChange, zones)
_LENGTH_COLUMNS: Final = columns_of(LengthChange, guild_lengths)


async def get_zones(tx: Transaction, subject: Subject, subject_id: int) -> list[ZoneChange]:
    """All zones that a server or player has had or will have, in order."""
    return [ZoneChange(*row) for row in await tx.execute(*_zones(subject, subject_id))]


@once
def _zones(subject: Subject, subject_id: int) -> Select[*tuple[Any, ...]]:
    return (
        select(*_ZONE_COLUMNS)
        .where(zones.c.subject == subject, zones.c.subject_id == subject_id)
        .order_by(zones.c.effective_at)
    )


_ZONES_AROUND: Final = (
    select(zones.c.subject, zones.c.subject_id, *_ZONE_COLUMNS)
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
) -> dict[int | None, list[ZoneChange]]:
    """All zones of a player, under None, and of these servers, in order."""
    values = {"player": player_id, "guilds": list(guild_ids)}
    found: dict[int | None, list[ZoneChange]] = {
        None: [],
        **{guild_id: [] for guild_id in guild_ids},
    }
    rows: Sequence[Any] = (await tx.execute(_ZONES_AROUND, values)).all()
    for subject, subject_id, *row in rows:
        found[subject_id if subject == "guild" else None].append(ZoneChange(*row))
    return found


async def put_zone(tx: Transaction, subject: Subject, subject_id: int, row: ZoneChange) -> None:
    """Let a zone hold from an instant on, in place of any that was to hold from then or later."""
    await drop_zones(tx, subject, subject_id, since=row.effective_at)
    values = {"subject": subject, "subject_id": subject_id, **asdict(row)}
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


async def drop_zone(
    tx: Transaction, subject: Subject, subject_id: int, effective_at: datetime
) -> None:
    """Forget the zone that holds from an instant."""
    await tx.execute(
        delete(zones).where(
            zones.c.subject == subject,
            zones.c.subject_id == subject_id,
            zones.c.effective_at == effective_at,
        )
    )


async def get_lengths(tx: Transaction, guild_id: int) -> list[LengthChange]:
    """All lengths that a server's daily has had or will have, in order."""
    return [LengthChange(*row) for row in await tx.execute(*_lengths(guild_id))]


@once
def _lengths(guild_id: int) -> Select[*tuple[Any, ...]]:
    return (
        select(*_LENGTH_COLUMNS)
        .where(guild_lengths.c.guild_id == guild_id)
        .order_by(guild_lengths.c.from_day)
    )


def _nulls(columns: Iterable[ColumnElement[Any]]) -> list[ColumnElement[Any]]:
    return [type_coerce(null(), column.type).label(column.key) for column in columns]


_CALENDARS: Final = union_all(
    select(zones.c.subject_id.label("guild_id"), *_ZONE_COLUMNS, *_nulls(_LENGTH_COLUMNS)).where(
        zones.c.subject == "guild", zones.c.subject_id.in_(bindparam("guilds", expanding=True))
    ),
    select(guild_lengths.c.guild_id, *_nulls(_ZONE_COLUMNS), *_LENGTH_COLUMNS).where(
        guild_lengths.c.guild_id.in_(bindparam("guilds", expanding=True))
    ),
)


async def get_calendars(tx: Transaction, guild_ids: Collection[int]) -> dict[int, Calendar]:
    """All zones and lengths that these servers have had or will have, in order, by server."""
    zone_changes: dict[int, list[ZoneChange]] = {guild_id: [] for guild_id in guild_ids}
    length_changes: dict[int, list[LengthChange]] = {guild_id: [] for guild_id in guild_ids}
    rows: Sequence[Any] = (await tx.execute(_CALENDARS, {"guilds": list(guild_ids)})).all()
    for guild_id, *zone, length, from_day in rows:
        if length is None:
            zone_changes[guild_id].append(ZoneChange(*zone))
        else:
            length_changes[guild_id].append(LengthChange(length, from_day))
    return {
        guild_id: Calendar(
            sorted(zone_changes[guild_id], key=attrgetter("effective_at")),
            sorted(length_changes[guild_id], key=attrgetter("from_day")),
        )
        for guild_id in guild_ids
    }


async def put_length(tx: Transaction, guild_id: int, row: LengthChange) -> None:
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


async def drop_length(tx: Transaction, guild_id: int, from_day: date) -> None:
    """Forget the length that holds from a date."""
    theirs = (guild_lengths.c.guild_id == guild_id, guild_lengths.c.from_day == from_day)
    await tx.execute(delete(guild_lengths).where(*theirs))


async def get_channel(tx: Transaction, guild_id: int) -> int | None:
    """The channel that a server wants the bot to post in."""
    return await tx.scalar(select(guilds.c.channel_id).where(guilds.c.guild_id == guild_id))


async def put_channel(tx: Transaction, guild_id: int, channel_id: int | None) -> None:
    """Note the channel to post in; None for nowhere."""
    await put_guild(tx, guild_id, channel_id=channel_id)


async def was_asked_to_post(tx: Transaction, guild_id: int) -> bool:
    """Whether a server's manager was asked for the daily post, or has chosen a channel."""
    is_settled = guilds.c.asked_to_post | guilds.c.channel_id.is_not(None)
    return bool(await tx.scalar(select(is_settled).where(guilds.c.guild_id == guild_id)))


async def has_duel_threads(tx: Transaction, guild_id: int) -> bool:
    """Whether a server wants a thread for each duel."""
    query = select(guilds.c.duel_threads).where(guilds.c.guild_id == guild_id)
    return bool(await tx.scalar(query))


async def put_duel_threads(tx: Transaction, guild_id: int, *, on: bool) -> None:
    """Note whether a server wants a thread for each duel."""
    await put_guild(tx, guild_id, duel_threads=on)


async def put_guild(tx: Transaction, guild_id: int, **values: object) -> None:
    """Note some of a server's choices; the others stay."""
    await keyed.put(tx, guilds, {"guild_id": guild_id}, values)

"""Places: which date is today in a server or for a player, and how long the daily is there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from bot.clock import date_in
from bot.db import facts
from bot.db.database import Transaction
from bot.people.game.zones import zone_at
from bot.people.model.choices import LengthChange, ZoneChange
from bot.people.store import places
from bot.people.store.places import Subject

DEFAULT_LENGTH: Final = 10

ZONE_REST: Final = timedelta(days=7)
_FAIR_SINCE: Final = "fair_since"


@dataclass(frozen=True, slots=True)
class Place:
    """A server, or a player's own conversations where the bot is no member.

    Attributes:
        guild_id: the Discord server; None where the bot is no member of one.
        zone: the IANA zone that says what today is.
        length: the length of the daily there, in symbols.
    """

    guild_id: int | None
    zone: str
    length: int


async def find_place(
    tx: Transaction, *, player_id: int, guild_id: int | None, now: datetime
) -> Place:
    """The place as it is at an instant: the server's, or else the player's own."""
    if guild_id is None:
        zone = zone_at(await places.get_zones(tx, "player", player_id), now)
        return Place(None, zone, DEFAULT_LENGTH)
    zone = zone_at(await places.get_zones(tx, "guild", guild_id), now)
    length = length_on(await places.get_lengths(tx, guild_id), date_in(zone, now))
    return Place(guild_id, zone, length)


def length_on(rows: Sequence[LengthChange], day: date) -> int:
    """The length of the daily on a date."""
    held = [row.length for row in rows if row.from_day <= day]
    return held[-1] if held else DEFAULT_LENGTH


async def fair_since(tx: Transaction) -> date:
    """The first date for which the rules against winning without playing hold.

    A database that was played on before there were such rules keeps the date of its upgrade, so
    that no earlier streak or board changes. In any other they hold for all dates.
    """
    if _FAIR_SINCE not in tx.info:  # of the connection, since no transaction changes it
        tx.info[_FAIR_SINCE] = await facts.get(tx, _FAIR_SINCE)
    stored: str | None = tx.info[_FAIR_SINCE]
    return date.min if stored is None else date.fromisoformat(stored)


async def take_back(
    tx: Transaction, subject: Subject, subject_id: int, rows: Sequence[ZoneChange], now: datetime
) -> None:
    """Forget the zones that were to follow the one that holds."""
    coming = [row.effective_at for row in rows if row.effective_at > now]
    if coming:
        await places.drop_zones(tx, subject, subject_id, since=coming[0])

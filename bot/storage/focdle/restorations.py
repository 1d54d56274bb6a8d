"""Dates that managers of servers have excused after a streak had ended."""

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Final

from sqlalchemy import bindparam, insert, select

from bot.storage.database import Transaction
from bot.storage.schema import streak_restorations


@dataclass(frozen=True, slots=True)
class RestorationRow:
    """A date that was excused, where, by whom and why."""

    day: date
    guild_id: int
    restored_by: int
    reason: str
    restored_at: datetime


_OF_PLAYER: Final = (
    select(
        streak_restorations.c.day,
        streak_restorations.c.guild_id,
        streak_restorations.c.restored_by,
        streak_restorations.c.reason,
        streak_restorations.c.restored_at,
    )
    .where(streak_restorations.c.player_id == bindparam("player"))
    .order_by(streak_restorations.c.day)
)


async def get(tx: Transaction, player_id: int) -> list[RestorationRow]:
    """The dates of a player that were excused, in order."""
    return [RestorationRow(*row) for row in await tx.execute(_OF_PLAYER, {"player": player_id})]


async def servers_of(
    tx: Transaction, player_ids: Collection[int], *, since: date
) -> dict[int, dict[date, int]]:
    """Of these players those with dates that were excused from a date on, and in which server."""
    columns = (streak_restorations.c.player_id, streak_restorations.c.day)
    query = select(*columns, streak_restorations.c.guild_id).where(
        streak_restorations.c.player_id.in_(player_ids), streak_restorations.c.day >= since
    )
    found: dict[int, dict[date, int]] = {}
    for player_id, day, guild_id in await tx.execute(query):
        found.setdefault(player_id, {})[day] = guild_id
    return found


async def add(tx: Transaction, player_id: int, rows: Iterable[RestorationRow]) -> None:
    """Excuse dates of a player."""
    values = [{"player_id": player_id, **asdict(row)} for row in rows]
    await tx.execute(insert(streak_restorations), values)

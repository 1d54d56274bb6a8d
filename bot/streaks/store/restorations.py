"""Dates that managers of servers have excused after a streak had ended."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import Any, Final

from sqlalchemy import bindparam, select

from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables import streak_restorations
from bot.streaks.model.streaks import Restored

_OF_PLAYER: Final = (
    select(
        streak_restorations.c.day,
        *columns_of(Restored, streak_restorations, by=streak_restorations.c.restored_by),
    )
    .where(streak_restorations.c.player_id == bindparam("player"))
    .order_by(streak_restorations.c.day)
)


async def get(tx: Transaction, player_id: int) -> dict[date, Restored]:
    """The dates of a player that were excused, in order, by whom and why."""
    rows: Sequence[Any] = (await tx.execute(_OF_PLAYER, {"player": player_id})).all()
    return {day: Restored(*restored) for day, *restored in rows}


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

"""The changes of a date to the streaks of a server's members, hidden members left out."""

from collections.abc import Collection
from datetime import date

from sqlalchemy import ColumnElement, func, or_, select

from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables import members, preferences, streak_changes
from bot.streaks.model.streaks import Reason, StreakEvent


async def count(tx: Transaction, guild_id: int, day: date, reasons: Collection[Reason]) -> int:
    """How many members' streaks grew for these reasons on a date; the first day of one is none."""
    query = select(func.count()).select_from(_CHANGES).where(*_grown(guild_id, day, reasons))
    return await tx.scalar(query) or 0


async def grown(
    tx: Transaction, guild_id: int, day: date, reasons: Collection[Reason], *, most: int
) -> list[StreakEvent]:
    """Members whose streaks grew for these reasons on a date; the longest first."""
    query = (
        select(*columns_of(StreakEvent, members, streak_changes))
        .select_from(_CHANGES)
        .where(*_grown(guild_id, day, reasons))
        .order_by(streak_changes.c.after.desc(), streak_changes.c.player_id)
        .limit(most)
    )
    return [StreakEvent(*row) for row in await tx.execute(query)]


_CHANGES = members.join(
    streak_changes, streak_changes.c.player_id == members.c.player_id
).outerjoin(preferences, preferences.c.player_id == members.c.player_id)


def _grown(
    guild_id: int, day: date, reasons: Collection[Reason]
) -> tuple[ColumnElement[bool], ...]:
    not_hidden = or_(preferences.c.hidden.is_(None), preferences.c.hidden.is_(False))
    return (
        members.c.guild_id == guild_id,
        not_hidden,
        streak_changes.c.day == day,
        streak_changes.c.reason.in_(reasons),
        streak_changes.c.after > 1,
    )

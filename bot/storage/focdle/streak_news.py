"""The changes of a date to the streaks of a server's members, hidden members left out."""

from collections.abc import Collection
from datetime import date

from sqlalchemy import ColumnElement, func, or_, select

from bot.model.streaks import Reason, StreakEvent
from bot.storage.database import Transaction
from bot.storage.keyed import columns_of
from bot.storage.schema import members, preferences, streak_changes


async def count(tx: Transaction, guild_id: int, day: date, reasons: Collection[Reason]) -> int:
    """How many members' streaks changed for these reasons on a date."""
    query = (
        select(func.count())
        .select_from(_CHANGES)
        .where(*_shown(guild_id), streak_changes.c.day == day, streak_changes.c.reason.in_(reasons))
    )
    return await tx.scalar(query) or 0


async def grown(
    tx: Transaction,
    guild_id: int,
    day: date,
    reasons: Collection[Reason],
    *,
    lengths: Collection[int] | None,
    most: int,
) -> list[StreakEvent]:
    """Members whose streaks came to one of these lengths, or any, on a date; the longest first."""
    conditions = [streak_changes.c.reason.in_(reasons), streak_changes.c.after > 1]
    if lengths is not None:
        conditions.append(streak_changes.c.after.in_(lengths))
    order = streak_changes.c.after.desc()
    return await _find(tx, guild_id, day, *conditions, order=order, most=most)


async def ended(
    tx: Transaction,
    guild_id: int,
    day: date,
    reasons: Collection[Reason],
    *,
    shortest: int,
    most: int,
) -> list[StreakEvent]:
    """Members whose streaks of at least this length ended on a date, the longest first."""
    conditions = (streak_changes.c.reason.in_(reasons), streak_changes.c.before >= shortest)
    order = streak_changes.c.before.desc()
    return await _find(tx, guild_id, day, *conditions, order=order, most=most)


_CHANGES = members.join(
    streak_changes, streak_changes.c.player_id == members.c.player_id
).outerjoin(preferences, preferences.c.player_id == members.c.player_id)


def _shown(guild_id: int) -> tuple[ColumnElement[bool], ...]:
    not_hidden = or_(preferences.c.hidden.is_(None), preferences.c.hidden.is_(False))
    return (members.c.guild_id == guild_id, not_hidden)


async def _find(
    tx: Transaction,
    guild_id: int,
    day: date,
    *conditions: ColumnElement[bool],
    order: ColumnElement[int],
    most: int,
) -> list[StreakEvent]:
    query = (
        select(*columns_of(StreakEvent, members, streak_changes))
        .select_from(_CHANGES)
        .where(*_shown(guild_id), streak_changes.c.day == day, *conditions)
        .order_by(order, streak_changes.c.player_id)
        .limit(most)
    )
    return [StreakEvent(*row) for row in await tx.execute(query)]

"""Finishers' threads, and who belongs into them."""

from datetime import date, datetime
from typing import Final

from sqlalchemy import delete, insert, select, update

from bot.db.database import Transaction
from bot.db.keyed import Keyed, columns_of
from bot.db.sharded import is_served
from bot.db.tables import finishers, finishers_threads
from bot.outages import ShardRange
from bot.posts.model.posts import DueThread, FinishersThread

threads: Final = Keyed[FinishersThread, int, date](FinishersThread, finishers_threads)
"""A date's thread in a server."""


async def change_thread(tx: Transaction, guild_id: int, day: date, **values: object) -> None:
    """Note what became of a date's thread."""
    await tx.execute(
        update(finishers_threads)
        .where(finishers_threads.c.guild_id == guild_id, finishers_threads.c.day == day)
        .values(values)
    )


async def threads_to_close(
    tx: Transaction, now: datetime, shards: ShardRange, *, most: int
) -> list[DueThread]:
    """Threads whose time is over, in servers of these shards."""
    query = (
        select(*columns_of(DueThread, finishers_threads))
        .where(finishers_threads.c.closes_at <= now, finishers_threads.c.closed_at.is_(None))
        .where(is_served(finishers_threads.c.guild_id, shards))
        .order_by(finishers_threads.c.closes_at, *finishers_threads.primary_key)
        .limit(most)
    )
    return [DueThread(*row) for row in await tx.execute(query)]


async def open_in(tx: Transaction, guild_id: int) -> list[int]:
    """The channels in which a server has threads that are not closed yet."""
    query = (
        select(finishers_threads.c.channel_id)
        .where(finishers_threads.c.guild_id == guild_id, finishers_threads.c.closed_at.is_(None))
        .distinct()
        .order_by(finishers_threads.c.channel_id)
    )
    return list((await tx.scalars(query)).all())


async def find_thread(tx: Transaction, thread_id: int, guild_id: int) -> date | None:
    """The date that a server's thread belongs to."""
    return await tx.scalar(
        select(finishers_threads.c.day).where(
            finishers_threads.c.guild_id == guild_id, finishers_threads.c.thread_id == thread_id
        )
    )


async def ask(
    tx: Transaction, guild_id: int, day: date, player_id: int, *, asked_at: datetime
) -> None:
    """Note that a player belongs into a date's thread; twice is once."""
    is_known = await tx.scalar(
        select(finishers.c.player_id).where(
            finishers.c.guild_id == guild_id,
            finishers.c.day == day,
            finishers.c.player_id == player_id,
        )
    )
    if is_known is None:
        values = {"guild_id": guild_id, "day": day, "player_id": player_id, "asked_at": asked_at}
        await tx.execute(insert(finishers).values(values))


async def ask_again(tx: Transaction, guild_id: int, day: date, player_id: int) -> None:
    """Let a player be added once more, who may have left the thread."""
    await _change(tx, guild_id, day, player_id, added_at=None)


async def added(
    tx: Transaction, guild_id: int, day: date, player_id: int, *, added_at: datetime
) -> None:
    """Note that a player is in the thread, or cannot be added."""
    await _change(tx, guild_id, day, player_id, added_at=added_at)


async def _change(
    tx: Transaction, guild_id: int, day: date, player_id: int, *, added_at: datetime | None
) -> None:
    await tx.execute(
        update(finishers)
        .where(
            finishers.c.guild_id == guild_id,
            finishers.c.day == day,
            finishers.c.player_id == player_id,
        )
        .values(added_at=added_at)
    )


async def waiting(
    tx: Transaction, now: datetime, shards: ShardRange, *, most: int
) -> list[tuple[int, date]]:
    """Servers and dates with players who are not in the thread yet, longest waiting first."""
    query = (
        select(finishers_threads.c.guild_id, finishers_threads.c.day)
        .where(finishers_threads.c.look_at <= now)
        .where(is_served(finishers_threads.c.guild_id, shards))
        .order_by(finishers_threads.c.look_at, finishers_threads.c.guild_id)
        .limit(most)
    )
    return [(row.guild_id, row.day) for row in await tx.execute(query)]


async def waiting_for(tx: Transaction, guild_id: int, day: date, *, most: int) -> list[int]:
    """Players who are not in a date's thread yet."""
    query = (
        select(finishers.c.player_id)
        .where(
            finishers.c.guild_id == guild_id,
            finishers.c.day == day,
            finishers.c.added_at.is_(None),
        )
        .order_by(finishers.c.asked_at, finishers.c.player_id)
        .limit(most)
    )
    return list((await tx.scalars(query)).all())


async def waits(tx: Transaction, guild_id: int, day: date, player_id: int) -> bool:
    """Whether a player is not in a date's thread yet and is to be."""
    query = select(finishers.c.player_id).where(
        finishers.c.guild_id == guild_id,
        finishers.c.day == day,
        finishers.c.player_id == player_id,
        finishers.c.added_at.is_(None),
    )
    return await tx.scalar(query) is not None


async def wait_no_more(tx: Transaction, player_id: int) -> None:
    """Forget all threads that a player is not in yet and was to be added to."""
    await tx.execute(
        delete(finishers).where(finishers.c.player_id == player_id, finishers.c.added_at.is_(None))
    )


async def forget(tx: Transaction, guild_id: int, day: date) -> None:
    """Forget who belonged into a date's thread: nobody waits for it."""
    await tx.execute(
        delete(finishers).where(finishers.c.guild_id == guild_id, finishers.c.day == day)
    )
    await change_thread(tx, guild_id, day, look_at=None)

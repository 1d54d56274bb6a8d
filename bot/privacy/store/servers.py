"""Servers that have removed the bot, and taking them out of the database."""

from collections.abc import Collection
from datetime import datetime
from functools import cache

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Table,
    and_,
    delete,
    insert,
    select,
    tuple_,
    union,
    update,
)

from bot.db import tables as schema
from bot.db.database import Transaction
from bot.db.tables import departed_guilds, duels, zones
from bot.leaderboards.store import leaderboards
from bot.privacy.store.declared import DECLARED, Held

_NOWHERE = 0


async def known(tx: Transaction) -> set[int]:
    """All servers of which anything is stored."""
    return {guild_id for guild_id in await tx.scalars(_all_guilds()) if guild_id}


@cache
def _all_guilds() -> CompoundSelect[int]:
    columns = [
        select(table.c[name].label("guild_id")).where(_is_guild(table))
        for table, held in DECLARED.items()
        if (name := _guild_column(held)) is not None
    ]
    return union(*columns)


async def departed(tx: Transaction) -> set[int]:
    """The servers that have removed the bot."""
    return set((await tx.scalars(select(departed_guilds.c.guild_id))).all())


async def note_departure(tx: Transaction, guild_ids: Collection[int], left_at: datetime) -> None:
    """Note that servers have removed the bot; those noted before keep their instant."""
    rows = [
        {"guild_id": guild_id, "left_at": left_at}
        for guild_id in sorted(set(guild_ids) - await departed(tx))
    ]
    if rows:
        await tx.execute(insert(departed_guilds), rows)


async def note_return(tx: Transaction, guild_ids: Collection[int]) -> None:
    """Note that the bot is a member of servers."""
    back = sorted(set(guild_ids) & await departed(tx))
    await tx.execute(delete(departed_guilds).where(departed_guilds.c.guild_id.in_(back)))


async def left_by(tx: Transaction, instant: datetime) -> list[int]:
    """The servers that had removed the bot by then and have not added it since."""
    query = select(departed_guilds.c.guild_id).where(departed_guilds.c.left_at <= instant)
    return list((await tx.scalars(query.order_by(departed_guilds.c.guild_id))).all())


async def forget_some(tx: Transaction, guild_id: int, most: int) -> bool:
    """Delete some of a server's rows; in those of players and games it is named no more.

    Args:
        tx: the transaction.
        guild_id: the server.
        most: how many rows at most.

    Returns:
        Whether there may be more; that it has removed the bot is known until there are not.
    """
    left = most
    for table in reversed(schema.metadata.sorted_tables):
        if table is departed_guilds or _guild_column(DECLARED[table]) is None:
            continue
        if table is schema.standings:
            left -= await leaderboards.remove_some(tx, guild_id, left)
        else:
            left -= await forget_rows(tx, table, guild_id, left)
        if not left:
            return True
    await note_return(tx, [guild_id])
    return False


async def forget_rows(
    tx: Transaction,
    table: Table,
    guild_id: int,
    most: int,
    which: Collection[ColumnElement[bool]] = (),
) -> int:
    """Delete or empty some of a server's rows in a table; how many.

    Args:
        tx: the transaction.
        table: any but that of leaderboards' rows, whose levels are counted beside them.
        guild_id: the server.
        most: how many rows at most.
        which: what the rows must fulfil besides.
    """
    held = DECLARED[table]
    theirs = and_(table.c[_guild_column(held) or ""] == guild_id, _is_guild(table), *which)
    key = list(table.primary_key.columns)
    some = tuple_(*key).in_(select(*key).where(theirs).limit(most))
    if held.guild is not None:
        return (await tx.execute(delete(table).where(some))).rowcount
    empty = {name: None if table.c[name].nullable else _NOWHERE for name in held.place}
    if table is duels:
        empty |= {"stale_at": None, "nudge_at": None}  # its board is out of reach
    return (await tx.execute(update(table).where(some).values(empty))).rowcount


def _guild_column(held: Held) -> str | None:
    return held.guild or next(iter(held.place), None)


def _is_guild(table: Table) -> ColumnElement[bool]:
    """Which rows of a table are of servers, where it has others, too."""
    column = _guild_column(DECLARED[table])
    if table is zones:
        return zones.c.subject == "guild"
    return table.c[column or ""] != _NOWHERE

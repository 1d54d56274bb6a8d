"""Takes a server out of the database that goes on with the bot: what comes later stays.

What there is little of goes in one transaction; the rest goes bit by bit, each row only if it is
older than the deletion, since members may play there meanwhile.
"""

from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Table, and_, delete, exists, or_, select

from bot.db import keyed
from bot.db import tables as schema
from bot.db.database import Transaction
from bot.db.keyed import Agenda
from bot.db.tables import duels, guild_erasures, masterminds, members, plays
from bot.db.tables import standings as rows
from bot.leaderboards.store import leaderboards
from bot.privacy.store.declared import DECLARED
from bot.privacy.store.servers import forget_rows

agenda: Final = Agenda(guild_erasures.c.look_at)
"""The servers of which some is still to be deleted, to look at now."""

CALENDARS: Final = frozenset({schema.zones, schema.guild_lengths})
"""What dates follow from, which have an end of their own."""
LATER: Final = frozenset({members, rows, schema.standing_levels})
"""What is the server's and goes bit by bit."""
_KEPT: Final = frozenset({guild_erasures, schema.departed_guilds})

# Games of two go on where they are; their boards are at Discord until they are over.
_GOES_ON: Final[dict[Table, ColumnElement[bool]]] = {
    masterminds: and_(
        masterminds.c.kind == "challenge",
        or_(
            masterminds.c.finished_at.is_(None),
            and_(
                masterminds.c.message_id.is_not(None),
                masterminds.c.shown < masterminds.c.revision,
            ),
        ),
    ),
    duels: and_(
        duels.c.strength.is_(None),
        or_(
            duels.c.finished_at.is_(None),
            and_(duels.c.message_id.is_not(None), duels.c.stale_at.is_not(None)),
        ),
    ),
}


async def begin(tx: Transaction, guild_id: int, now: datetime) -> None:
    """Delete a server's settings, posts and lists of results, and note that the rest is to go."""
    await keyed.put(tx, guild_erasures, {"guild_id": guild_id}, {"began_at": now, "look_at": now})
    for table in reversed(schema.metadata.sorted_tables):
        column = DECLARED[table].guild
        if column is not None and table not in CALENDARS | LATER | _KEPT:
            await tx.execute(delete(table).where(table.c[column] == guild_id))


async def began_at(tx: Transaction, guild_id: int) -> datetime | None:
    """When a server's data were deleted of which some may be left."""
    query = select(guild_erasures.c.began_at).where(guild_erasures.c.guild_id == guild_id)
    return await tx.scalar(query)


async def done(tx: Transaction, guild_id: int) -> None:
    """Note that nothing is left."""
    await tx.execute(delete(guild_erasures).where(guild_erasures.c.guild_id == guild_id))


async def erase_some(
    tx: Transaction, guild_id: int, began_at: datetime, played_by: datetime, most: int
) -> int:
    """Delete some of a server's memberships and boards; in games it is named no more.

    Games that go on stay where they are.

    Args:
        tx: the transaction.
        guild_id: the server.
        began_at: when its data were deleted; what came later stays.
        played_by: plays that were opened later stay the server's.
        most: how many rows at most.

    Returns:
        How many there were.
    """
    restorations = schema.streak_restorations
    left = most - await forget_rows(tx, members, guild_id, most, [members.c.seen_at <= began_at])
    # Who was seen there since has a row again, worked out anew.
    if left:
        left -= await leaderboards.remove_some(tx, guild_id, left, [~_IS_MEMBER])
    for table, which in (
        (restorations, [restorations.c.restored_at <= began_at]),
        (plays, [plays.c.opened_at <= played_by]),
        (masterminds, [masterminds.c.opened_at <= began_at, ~_GOES_ON[masterminds]]),
        (duels, [duels.c.opened_at <= began_at, ~_GOES_ON[duels]]),
    ):
        if left:
            left -= await forget_rows(tx, table, guild_id, left, which)
    return most - left


_IS_MEMBER: Final = exists().where(
    members.c.guild_id == rows.c.guild_id, members.c.player_id == rows.c.player_id
)


async def waits_for_games(tx: Transaction, guild_id: int, began_at: datetime) -> bool:
    """Whether games go on there that began before the server's data were deleted."""
    for table, goes_on in _GOES_ON.items():
        there = (table.c.guild_id == guild_id, table.c.opened_at <= began_at, goes_on)
        if await tx.scalar(select(table.c.id).where(*there).limit(1)) is not None:
            return True
    return False

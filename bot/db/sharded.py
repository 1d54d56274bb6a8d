"""What is in servers of some shards only."""

from sqlalchemy import Column, ColumnElement, func, true

from bot.outages import ID_BITS, ShardRange


def is_served(guild_id: Column[int], shards: ShardRange) -> ColumnElement[bool]:
    """Whether a row's server is on one of these shards; direct messages are, where it has none.

    Args:
        guild_id: the column that names the server.
        shards: those of a process.
    """
    if shards.is_all:
        return true()
    number = func.coalesce(guild_id, 0) // 2**ID_BITS % shards.count
    return number.between(shards.first, shards.last)

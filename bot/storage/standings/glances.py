"""What a page of a leaderboard tells besides its rows: ranks on another, and who is not ranked."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import Select, func, select

from bot.storage.database import Transaction
from bot.storage.once import once
from bot.storage.schema import standing_levels
from bot.storage.schema import standings as rows
from bot.storage.standings.leaderboards import LEVEL_BITS

_THERE: Final = rows.alias("there")
_LEVEL_OF: Final = rows.c.sort_key.bitwise_rshift(LEVEL_BITS)
_LEVELS_BEFORE: Final = (
    select(func.coalesce(func.sum(standing_levels.c.players), 0))
    .where(
        standing_levels.c.guild_id == rows.c.guild_id,
        standing_levels.c.slot == rows.c.slot,
        standing_levels.c.level < _LEVEL_OF,
    )
    .correlate(rows)
    .scalar_subquery()
)
_BEFORE_IN_LEVEL: Final = (
    select(func.count())
    .select_from(_THERE)
    .where(
        _THERE.c.guild_id == rows.c.guild_id,
        _THERE.c.slot == rows.c.slot,
        _THERE.c.sort_key >= _LEVEL_OF.bitwise_lshift(LEVEL_BITS),
        _THERE.c.sort_key < rows.c.sort_key,
    )
    .correlate(rows)
    .scalar_subquery()
)


async def ranks_of(
    tx: Transaction, guild_id: int, slot: str, player_ids: Collection[int]
) -> dict[int, int]:
    """The ranks of some players on a leaderboard, of those who have one."""
    found = await tx.execute(*_ranks(guild_id, slot, player_ids))
    return {player_id: 1 + levels + within for player_id, levels, within in found}


@once
def _ranks(guild_id: int, slot: str, player_ids: Collection[int]) -> Select[int, int, int]:
    return select(rows.c.player_id, _LEVELS_BEFORE, _BEFORE_IN_LEVEL).where(
        rows.c.guild_id == guild_id,
        rows.c.slot == slot,
        rows.c.player_id.in_(player_ids),
        rows.c.sort_key.is_not(None),
    )


async def unranked(tx: Transaction, guild_id: int, slot: str, most: int) -> dict[int, str]:
    """The figures of some players whose rows on a leaderboard are not ranked yet."""
    found = await tx.execute(*_unranked(guild_id, slot, most))
    return {row.player_id: row.figures for row in found}


@once
def _unranked(guild_id: int, slot: str, most: int) -> Select[int, str]:
    return (
        select(rows.c.player_id, rows.c.figures)
        .where(rows.c.guild_id == guild_id, rows.c.slot == slot, rows.c.sort_key.is_(None))
        .limit(most)
    )

"""One player's rank on a leaderboard, and how many are on it, in one statement."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import Integer, bindparam, func, literal, select

from bot.storage.database import Transaction
from bot.storage.schema import standing_levels
from bot.storage.schema import standings as rows
from bot.storage.standings.leaderboards import LEVEL_BITS


@dataclass(frozen=True, slots=True)
class RankRow:
    """A player's rank, and how many are ranked."""

    rank: int
    players: int


_mine: Final = rows.alias("mine")
_BITS: Final = literal(LEVEL_BITS, Integer)  # which PostgreSQL does not take for another bigint
_LEVEL: Final = _mine.c.sort_key.bitwise_rshift(_BITS)
_LEVELS: Final = select(func.coalesce(func.sum(standing_levels.c.players), 0)).where(
    standing_levels.c.guild_id == _mine.c.guild_id, standing_levels.c.slot == _mine.c.slot
)
_WITHIN: Final = select(func.count()).where(
    rows.c.guild_id == _mine.c.guild_id,
    rows.c.slot == _mine.c.slot,
    rows.c.sort_key >= _LEVEL.bitwise_lshift(_BITS),
    rows.c.sort_key < _mine.c.sort_key,
)
_RANK: Final = select(
    1
    + _LEVELS.where(standing_levels.c.level < _LEVEL).scalar_subquery()
    + _WITHIN.scalar_subquery(),
    _LEVELS.scalar_subquery(),
).where(
    _mine.c.player_id == bindparam("player"),
    _mine.c.guild_id == bindparam("guild"),
    _mine.c.slot == bindparam("of_slot"),
    _mine.c.sort_key.is_not(None),
)


async def find(tx: Transaction, player_id: int, guild_id: int, slot: str) -> RankRow | None:
    """A player's rank on a leaderboard, as its pages count it; None if they are not on it."""
    values = {"player": player_id, "guild": guild_id, "of_slot": slot}
    row = (await tx.execute(_RANK, values)).one_or_none()
    return None if row is None else RankRow(*row)

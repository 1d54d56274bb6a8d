"""Players' ranks on a leaderboard, whom somebody is ahead of, and who is not ranked yet."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Integer, bindparam, func, literal, select

from bot.db.database import Transaction
from bot.db.tables import members, standing_levels
from bot.db.tables import standings as rows
from bot.leaderboards.store.leaderboards import LEVEL_BITS, NO_RANK


@dataclass(frozen=True, slots=True)
class BehindRow:
    """A player ranked behind another one, the name in the server, and how many are behind."""

    player_id: int
    name: str
    total: int


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
_PLACE: Final = (
    1
    + _LEVELS.where(standing_levels.c.level < _LEVEL).scalar_subquery()
    + _WITHIN.scalar_subquery()
)
_ON_BOARD: Final = (_mine.c.guild_id == bindparam("guild")) & (_mine.c.slot == bindparam("of_slot"))
_theirs: Final = rows.alias("theirs")
_NOT_BEHIND: Final = (
    select(func.count())
    .where(
        rows.c.guild_id == _mine.c.guild_id,
        rows.c.slot == _mine.c.slot,
        rows.c.sort_key >= _LEVEL.bitwise_lshift(_BITS),
        rows.c.sort_key <= _mine.c.sort_key,
    )
    .scalar_subquery()
)
_BEHIND: Final = (
    select(
        _theirs.c.player_id,
        members.c.name,
        _LEVELS.where(standing_levels.c.level >= _LEVEL).scalar_subquery() - _NOT_BEHIND,
    )
    .join_from(
        _mine,
        _theirs,
        (_theirs.c.guild_id == _mine.c.guild_id)
        & (_theirs.c.slot == _mine.c.slot)
        & (_theirs.c.sort_key > _mine.c.sort_key),
    )
    .join(
        members,
        (members.c.guild_id == _mine.c.guild_id) & (members.c.player_id == _theirs.c.player_id),
    )
    .where(_ON_BOARD, _mine.c.player_id == bindparam("player"))
    .order_by(_theirs.c.sort_key, _theirs.c.player_id)
    .limit(bindparam("most"))
)
_RANKS: Final = select(_mine.c.player_id, _PLACE).where(
    _ON_BOARD,
    _mine.c.player_id.in_(bindparam("players", expanding=True)),
    _mine.c.sort_key < NO_RANK,
)
_UNRANKED: Final = (
    select(_mine.c.player_id, _mine.c.figures)
    .where(_ON_BOARD, _mine.c.sort_key.is_(None))
    .limit(bindparam("most"))
)


async def behind(
    tx: Transaction, player_id: int, guild_id: int, slot: str, most: int
) -> list[BehindRow]:
    """Some of those who are ranked behind a player on a leaderboard, the nearest first."""
    values = {"player": player_id, "guild": guild_id, "of_slot": slot, "most": most}
    return [BehindRow(*row) for row in await tx.execute(_BEHIND, values)]


async def of_players(
    tx: Transaction, player_ids: Collection[int], guild_id: int, slot: str
) -> dict[int, int]:
    """The ranks of some players on a leaderboard, of those who have one."""
    values = {"players": list(player_ids), "guild": guild_id, "of_slot": slot}
    return dict((await tx.execute(_RANKS, values)).all())


async def unranked(tx: Transaction, guild_id: int, slot: str, most: int) -> dict[int, str]:
    """The figures of some players whose rows on a leaderboard are not ranked yet."""
    values = {"guild": guild_id, "of_slot": slot, "most": most}
    return {row.player_id: row.figures for row in await tx.execute(_UNRANKED, values)}

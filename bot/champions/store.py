"""SQL of champions, and of servers' choice of their role."""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, and_, exists, or_, select, update

from bot.champions.model import Champion, ChampionChoice, Wearer
from bot.db.database import Transaction
from bot.db.keyed import Keyed, Schedule, columns_of, is_served
from bot.db.tables.people import champions, guilds, members, standing_rebuilds
from bot.moderation.store import is_shown
from bot.outages import ShardRange

choices: Final = Keyed[ChampionChoice, int](ChampionChoice, guilds)
"""A server's choice; None before the server has made any choice, of whatever kind."""

unsettled: Final = Schedule(guilds.c.champion_at)
"""The schedule of servers in which to look who has won."""

rows: Final = Keyed[Champion, int, int, int](Champion, champions)
"""What the bot does about a wearer's role, by server, role and player."""

_WEARER: Final = (champions.c.guild_id, champions.c.role_id, champions.c.player_id)
_MAY_WEAR: Final[ColumnElement[bool]] = and_(
    is_shown(champions.c.guild_id, champions.c.player_id),
    exists().where(
        guilds.c.guild_id == champions.c.guild_id, guilds.c.champion_role_id == champions.c.role_id
    ),
)


def may_wear(tx: Transaction, wearer: Wearer) -> bool:
    """Return true if the server still gives the role, and its leaderboards show the wearer.

    Return false for a wearer who is not stored.
    """
    is_it = [column == value for column, value in zip(_WEARER, wearer, strict=True)]
    return tx.scalar(select(_MAY_WEAR).where(*is_it)) or False


def due(tx: Transaction, now: datetime, shards: ShardRange, *, most: int) -> list[Wearer]:
    """List wearers to whom the role is to be given now, or from whom it is to be taken."""
    query = (
        select(*_WEARER)
        .where(is_served(champions.c.guild_id, shards))
        .where(or_(champions.c.look_at <= now, champions.c.look_at.is_(None) & ~_MAY_WEAR))
        .order_by(champions.c.look_at, *_WEARER)
        .limit(most)
    )
    return [Wearer(*row) for row in tx.execute(query)]


def of_role(tx: Transaction, guild_id: int, role_id: int) -> dict[int, Champion]:
    query = select(champions.c.player_id, *columns_of(Champion, champions)).where(
        champions.c.guild_id == guild_id, champions.c.role_id == role_id
    )
    return {player_id: Champion(*row) for player_id, *row in tx.execute(query)}


def end(tx: Transaction, guild_id: int, player_ids: Collection[int], now: datetime) -> None:
    """Note that the server's role is to be taken back from these players."""
    change = update(champions).where(
        champions.c.guild_id == guild_id,
        champions.c.player_id.in_(player_ids),
        champions.c.over_at.is_(None),
    )
    tx.execute(change.values(look_at=now, over_at=now))


def is_behind(tx: Transaction, guild_id: int) -> bool:
    """Return true while leaderboard rows of a member wait to be rebuilt."""
    there = and_(
        members.c.player_id == standing_rebuilds.c.player_id, members.c.guild_id == guild_id
    )
    query = select(standing_rebuilds.c.player_id).join(members, there)
    return tx.scalar(query.limit(1)) is not None

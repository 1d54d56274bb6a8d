"""Whose rows on leaderboards are to be worked out anew, little by little."""

from typing import Final

from sqlalchemy import Select, delete, exists, insert, literal, select, update

from bot.db import keys
from bot.db.database import Transaction
from bot.db.tables import FIRST_PLAYER, members, plays, puzzles, rating_changes, standing_rebuilds


async def since(tx: Transaction, guild_id: int, number: int) -> None:
    """Let rows be worked out anew: of members who have finished such a daily, or a later one.

    Args:
        tx: the transaction.
        guild_id: the server.
        number: the daily's, finished on its date.
    """
    there = (members.c.player_id == plays.c.player_id) & (members.c.guild_id == guild_id)
    await _queue(tx, _WAITING.join(members, there).where(puzzles.c.number >= number))


async def opponents(tx: Transaction, player_id: int) -> None:
    """Let rows of duels be worked out anew: of whoever has played a rated one with this player."""
    mine = select(rating_changes.c.duel_id).where(rating_changes.c.player_id == player_id)
    is_other = rating_changes.c.opponent_id == player_id
    there = select(rating_changes.c.player_id).where(
        rating_changes.c.duel_id.in_(mine), is_other, rating_changes.c.player_id >= FIRST_PLAYER
    )
    await _queue(tx, there, duels_only=True)


_WAITING: Final = (
    select(plays.c.player_id)
    .select_from(puzzles)
    .join(plays)
    .where(plays.c.on_date, plays.c.player_id >= FIRST_PLAYER)
)


async def _queue(tx: Transaction, who: Select[tuple[int]], *, duels_only: bool = False) -> None:
    queue = standing_rebuilds.c
    await tx.about(keys.REBUILDS)
    if not duels_only:  # whoever waits for the sake of duels waits for all now
        # Not by their ids: those who wait so are few, and those asked for may be many.
        also = update(standing_rebuilds).where(queue.duels_only, (queue.player_id + 0).in_(who))
        await tx.execute(also.values(duels_only=False))
    there = who.distinct().subquery()
    new = select(there.c.player_id, literal(duels_only)).where(
        ~exists().where(queue.player_id == there.c.player_id)
    )
    await tx.execute(insert(standing_rebuilds).from_select(["player_id", "duels_only"], new))


async def following(tx: Transaction, most: int, *, after: int = 0) -> list[int]:
    """Some of the players whose rows are to be worked out anew: in order, after this one."""
    query = (
        select(standing_rebuilds.c.player_id)
        .where(standing_rebuilds.c.player_id > after)
        .order_by(standing_rebuilds.c.player_id)
    )
    return list((await tx.scalars(query.limit(most))).all())


async def leave(tx: Transaction, player_id: int) -> bool | None:
    """Note that a player waits no longer; whether it was for rows of duels only.

    None if the player did not wait. What is read from then on has all that they waited for.
    """
    await tx.about(keys.REBUILDS)
    mine = delete(standing_rebuilds).where(standing_rebuilds.c.player_id == player_id)
    found = await tx.execute(mine.returning(standing_rebuilds.c.duels_only))
    return found.scalar_one_or_none()

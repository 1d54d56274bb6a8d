"""Results that were posted for others to see: which, where, and by whom."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Column, delete, select, update

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.tables import plays, puzzles, shares
from bot.games.model.games import GameName


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A result in a channel; it is posted when `claimed_at` is None."""

    claimed_at: datetime | None


async def get(tx: Transaction, name: GameName, channel_id: int) -> ShareRow | None:
    """The share of a game in a channel; None if there is none."""
    query = select(shares.c.claimed_at).where(
        _column(name) == name.id, shares.c.channel_id == channel_id
    )
    row = (await tx.execute(query)).mappings().one_or_none()
    return None if row is None else ShareRow(**row)


async def claim(
    tx: Transaction, name: GameName, channel_id: int, *, player_id: int, claimed_at: datetime
) -> None:
    """Claim the posting of a game to a channel, in place of an earlier claim."""
    key = {_column(name).name: name.id, "channel_id": channel_id}
    values = {"player_id": player_id, "shared_at": claimed_at, "claimed_at": claimed_at}
    await keyed.put(tx, shares, key, values)


async def note(tx: Transaction, name: GameName, channel_id: int) -> None:
    """Note that a game is posted to a channel."""
    share = update(shares).where(_column(name) == name.id, shares.c.channel_id == channel_id)
    await tx.execute(share.values(claimed_at=None))


async def remove(tx: Transaction, name: GameName, channel_id: int) -> None:
    """Forget a post that did not happen."""
    await tx.execute(
        delete(shares).where(_column(name) == name.id, shares.c.channel_id == channel_id)
    )


async def since(tx: Transaction, player_id: int, instant: datetime) -> list[datetime]:
    """When a player has shared games other than dailies after an instant, oldest first."""
    query = (
        select(shares.c.shared_at)
        .outerjoin_from(shares, plays, shares.c.play_id == plays.c.id)
        .outerjoin(puzzles, plays.c.puzzle_id == puzzles.c.id)
        .where(
            shares.c.player_id == player_id,
            shares.c.shared_at > instant,
            puzzles.c.number.is_(None),
        )
        .order_by(shares.c.shared_at)
    )
    return list((await tx.scalars(query)).all())


def _column(name: GameName) -> Column[int]:
    return shares.c[f"{name.source}_id"]

"""Players who have not done anything for long."""

from datetime import datetime
from typing import Final

from sqlalchemy import exists, or_, select

from bot.db.database import Transaction
from bot.db.tables import duel_seats, duels, masterminds, players

_SEAT_IN_OPEN_DUEL: Final = (
    select(duel_seats.c.duel_id)
    .join_from(duel_seats, duels)
    .where(
        duel_seats.c.player_id == players.c.player_id,
        duels.c.finished_at.is_(None),
        duels.c.strength.is_(None),
    )
)
_OPEN_CHALLENGE: Final = exists().where(
    masterminds.c.finished_at.is_(None),
    masterminds.c.kind == "challenge",
    or_(
        masterminds.c.owner_id == players.c.player_id,
        masterminds.c.codebreaker_id == players.c.player_id,
    ),
)
_UNSEEN: Final = select(players.c.player_id).where(
    ~_SEAT_IN_OPEN_DUEL.correlate(players).exists(), ~_OPEN_CHALLENGE
)


async def find(tx: Transaction, seen_by: datetime, most: int) -> list[int]:
    """Some of those who were seen last by an instant, and are in no game of two that goes on."""
    query = _UNSEEN.where(players.c.seen_at <= seen_by).order_by(players.c.seen_at).limit(most)
    return list((await tx.scalars(query)).all())


async def is_unseen(tx: Transaction, player_id: int, seen_by: datetime) -> bool:
    """Whether a player is one of them."""
    query = _UNSEEN.where(players.c.seen_at <= seen_by, players.c.player_id == player_id)
    return await tx.scalar(query) is not None

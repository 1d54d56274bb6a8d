"""Ratings of players, and what changed them."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, func, insert, select

from bot.storage.database import Transaction
from bot.storage.schema import rating_changes as changes
from bot.storage.schema import ratings

# Ids below this are stand-ins for players who are forgotten.
_NOBODY: Final = 0


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A rating, and how many rated games it comes from."""

    mu: float
    sigma: float
    games: int


@dataclass(frozen=True, slots=True)
class MetRow:
    """How many rated duels somebody has had with another player, and when the last one was."""

    opponent_id: int
    duels: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """What a rated duel did to a player's rating."""

    duel_id: int
    player_id: int
    opponent_id: int
    mu_before: float
    sigma_before: float
    mu_after: float
    sigma_after: float
    games: int
    share: int
    changed_at: datetime


async def get(tx: Transaction, player_id: int) -> RatingRow | None:
    """A player's rating; None before the first rated game."""
    query = select(ratings.c.mu, ratings.c.sigma, ratings.c.games).where(
        ratings.c.player_id == player_id
    )
    row = (await tx.execute(query)).mappings().one_or_none()
    return None if row is None else RatingRow(**row)


async def change(tx: Transaction, row: ChangeRow) -> None:
    """Apply a change to a player's rating, and remember it; a duel changes it only once."""
    await tx.execute(insert(changes).values(asdict(row)))
    await put(
        tx,
        row.player_id,
        mu=row.mu_after,
        sigma=row.sigma_after,
        games=row.games,
        changed_at=row.changed_at,
    )


async def put(
    tx: Transaction, player_id: int, *, mu: float, sigma: float, games: int, changed_at: datetime
) -> None:
    """Let a player have a rating, in place of another one."""
    await tx.execute(delete(ratings).where(ratings.c.player_id == player_id))
    values = {"mu": mu, "sigma": sigma, "games": games, "changed_at": changed_at}
    await tx.execute(insert(ratings).values(player_id=player_id, **values))


async def of_duel(tx: Transaction, duel_id: int) -> list[ChangeRow]:
    """What a duel changed: nothing, or both ratings."""
    query = select(changes).where(changes.c.duel_id == duel_id)
    return [ChangeRow(**row) for row in (await tx.execute(query)).mappings()]


async def history(tx: Transaction, player_id: int) -> list[ChangeRow]:
    """All changes of a player's rating, in the order in which they were made."""
    query = (
        select(changes)
        .where(changes.c.player_id == player_id)
        .order_by(changes.c.games, changes.c.duel_id)
    )
    return [ChangeRow(**row) for row in (await tx.execute(query)).mappings()]


async def count_between(tx: Transaction, player_id: int, other_id: int, since: datetime) -> int:
    """How many rated duels of two players have changed ratings after an instant."""
    query = (
        select(func.count())
        .select_from(changes)
        .where(
            changes.c.player_id == player_id,
            changes.c.opponent_id == other_id,
            changes.c.changed_at > since,
        )
    )
    return (await tx.execute(query)).scalar_one()


async def met_since(tx: Transaction, player_id: int, since: datetime) -> list[MetRow]:
    """Whom somebody has played rated duels with that ended after an instant; stand-ins apart."""
    query = (
        select(
            changes.c.opponent_id,
            func.count().label("duels"),
            func.max(changes.c.changed_at).label("last_at"),
        )
        .where(
            changes.c.player_id == player_id,
            changes.c.opponent_id > _NOBODY,
            changes.c.changed_at > since,
        )
        .group_by(changes.c.opponent_id)
    )
    return [MetRow(**row) for row in (await tx.execute(query)).mappings()]


async def count_opponents(tx: Transaction, player_id: int) -> int:
    """Against how many different players somebody has played rated duels."""
    opponents = func.count(changes.c.opponent_id.distinct())
    query = select(opponents).where(changes.c.player_id == player_id)
    return (await tx.execute(query)).scalar_one()

"""SQL of ratings and their changes."""

from collections.abc import Collection, Sequence
from datetime import UTC, datetime, time, timedelta
from typing import Final

from sqlalchemy import ColumnElement, func, insert, select

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.games import duel_seats, duels, ratings
from bot.db.tables.games import rating_changes as changes
from bot.db.tables.kinds import FIRST_PLAYER
from bot.ratings.model import FEWEST_OPPONENTS, HeadToHead, Rating, RatingChange


def record(tx: Transaction, player_id: int, other_id: int, endings: Sequence[str]) -> HeadToHead:
    """Count the first player's results against the second, in duels with one of these endings."""
    mine, other = duel_seats.alias("mine"), duel_seats.alias("other")
    query = (
        select(
            func.count().filter(duels.c.winner == mine.c.seat).label("won"),
            func.count().filter(duels.c.winner.is_(None)).label("drawn"),
            func.count().filter(duels.c.winner == other.c.seat).label("lost"),
        )
        .select_from(duels)
        .join(mine, (mine.c.duel_id == duels.c.id) & (mine.c.player_id == player_id))
        .join(other, (other.c.duel_id == duels.c.id) & (other.c.player_id == other_id))
        .where(duels.c.ending.in_(endings))
    )
    return HeadToHead(*tx.execute(query).one())


# A rank takes no more opponents than this limit, so no long history is read.
_MET: Final = (
    select(changes.c.opponent_id)
    .where(changes.c.player_id == ratings.c.player_id, changes.c.opponent_id >= FIRST_PLAYER)
    .correlate(ratings)
    .distinct()
    .limit(FEWEST_OPPONENTS)
)
_OPPONENTS: Final = select(func.count()).select_from(_MET.subquery()).scalar_subquery()


def get(tx: Transaction, player_id: int) -> Rating | None:
    return of_players(tx, [player_id]).get(player_id)


def of_players(tx: Transaction, player_ids: Collection[int]) -> dict[int, Rating]:
    """Map players to their ratings; those without one are left out."""
    columns = columns_of(Rating, ratings, opponents=_OPPONENTS)
    query = select(ratings.c.player_id, *columns).where(ratings.c.player_id.in_(player_ids))
    return {player_id: Rating(*rating) for player_id, *rating in tx.execute(query)}


def change(tx: Transaction, made: RatingChange) -> None:
    """Store a change of a rating, and the rating after it; once for each duel and player."""
    values = {
        "duel_id": made.duel_id,
        "player_id": made.player_id,
        "opponent_id": made.opponent_id,
        "mu_before": made.before.mu,
        "sigma_before": made.before.sigma,
        "mu_after": made.after.mu,
        "sigma_after": made.after.sigma,
        "games": made.after.games,
        "changed_at": made.changed_at,
    }
    tx.execute(insert(changes), values)
    put(tx, made.player_id, made.after, changed_at=made.changed_at)


def put(tx: Transaction, player_id: int, rating: Rating, *, changed_at: datetime) -> None:
    values = {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "games": rating.games,
        "dates": rating.dates,
        "changed_at": changed_at,
    }
    keyed.put(tx, ratings, {"player_id": player_id}, values)


def of_duel(tx: Transaction, duel_id: int) -> list[RatingChange]:
    """Read the changes of ratings by a duel; empty if it was not rated."""
    return _changes(tx, changes.c.duel_id == duel_id)


def history(tx: Transaction, player_id: int) -> list[RatingChange]:
    return _changes(tx, changes.c.player_id == player_id)


def _changes(tx: Transaction, which: ColumnElement[bool]) -> list[RatingChange]:
    query = select(changes).where(which).order_by(changes.c.games, changes.c.duel_id)
    return [
        RatingChange(
            duel_id=row.duel_id,
            player_id=row.player_id,
            opponent_id=row.opponent_id,
            before=Rating(row.mu_before, row.sigma_before, row.games - 1),
            after=Rating(row.mu_after, row.sigma_after, row.games),
            changed_at=row.changed_at,
        )
        for row in tx.execute(query)
    ]


def changed_on(tx: Transaction, player_ids: Collection[int], at: datetime) -> set[int]:
    """Find which of these players had their ratings changed on the UTC date of `at`."""
    begin = datetime.combine(at.astimezone(UTC), time(), UTC)
    query = select(changes.c.player_id).where(
        changes.c.player_id.in_(player_ids),
        changes.c.changed_at >= begin,
        changes.c.changed_at < begin + timedelta(days=1),
    )
    return set(tx.scalars(query))

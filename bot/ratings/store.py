"""SQL of ratings and their changes, and of what is kept of both for some days after a deletion."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from sqlalchemy import ColumnElement, delete, func, insert, select, update

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.games import duel_seats, duels, ratings
from bot.db.tables.games import rating_changes as changes
from bot.db.tables.kinds import FIRST_PLAYER
from bot.db.tables.people import kept_pairs, kept_ratings, kept_salts
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


@dataclass(frozen=True, slots=True)
class MetRow:
    """How many rated duels a player has had with one opponent, and when the last one ended."""

    opponent_id: int
    duels: int
    last_at: datetime


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
    """Map players to their ratings; who has none is left out."""
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


def met_since(tx: Transaction, player_id: int, since: datetime) -> list[MetRow]:
    """List a player's opponents in rated duels that ended after an instant, without stand-ins."""
    query = (
        select(
            changes.c.opponent_id,
            func.count().label("duels"),
            func.max(changes.c.changed_at).label("last_at"),
        )
        .where(
            changes.c.player_id == player_id,
            changes.c.opponent_id >= FIRST_PLAYER,
            changes.c.changed_at > since,
        )
        .group_by(changes.c.opponent_id)
    )
    return [MetRow(*row) for row in tx.execute(query)]


_AT_ONCE: Final = 500
"""The most digests in one statement."""


def salts(tx: Transaction) -> dict[date, str]:
    """Read the salts of kept ratings and pairs, by the date on which players deleted their data."""
    return {row.day: row.salt for row in tx.execute(select(kept_salts))}


def add_salt(tx: Transaction, day: date, salt: str) -> None:
    tx.execute(insert(kept_salts).values(day=day, salt=salt))


def put_rating(tx: Transaction, digest: str, rating: Rating, kept_until: datetime) -> None:
    """Keep a deleted player's rating until an instant, under a digest of the player."""
    known = {"mu": rating.mu, "sigma": rating.sigma, "games": rating.games}
    values = {"digest": digest, "kept_until": kept_until, **known}
    tx.execute(insert(kept_ratings).values(values))


def find_rating(tx: Transaction, digests: Collection[str], after: datetime) -> Rating | None:
    """Find the rating that is kept under one of these digests at the time `after`, if any."""
    query = select(kept_ratings).where(
        kept_ratings.c.digest.in_(digests), kept_ratings.c.kept_until > after
    )
    row = tx.execute(query).one_or_none()
    return None if row is None else Rating(row.mu, row.sigma, row.games)


def add_pair(tx: Transaction, digest: str, duels: int, last_at: datetime) -> None:
    """Raise a pair's kept number of rated duels by `duels`; store when the last duel ended."""
    more = update(kept_pairs).where(kept_pairs.c.digest == digest)
    found = tx.execute(more.values(duels=kept_pairs.c.duels + duels, last_at=last_at))
    if not found.rowcount:
        tx.execute(insert(kept_pairs).values(digest=digest, duels=duels, last_at=last_at))


def count_duels(tx: Transaction, digests: Collection[str], since: datetime) -> int:
    """Add up the kept numbers of rated duels of these pairs whose last duel was after `since`."""
    query = select(func.coalesce(func.sum(kept_pairs.c.duels), 0)).where(
        kept_pairs.c.digest.in_(digests), kept_pairs.c.last_at > since
    )
    return tx.execute(query).scalar_one()


def drop(tx: Transaction, digests: Sequence[str]) -> None:
    """Delete the ratings and pairs that are kept under these digests."""
    for first in range(0, len(digests), _AT_ONCE):
        some = digests[first : first + _AT_ONCE]
        for table in (kept_ratings, kept_pairs):
            tx.execute(delete(table).where(table.c.digest.in_(some)))


def purge(tx: Transaction, now: datetime, *, last_before: datetime, day_before: date) -> None:
    """Delete what is kept and has expired.

    Ratings expire by `now`. Pairs expire if their last duel was not after `last_before`, salts if
    their date is before `day_before`.
    """
    tx.execute(delete(kept_ratings).where(kept_ratings.c.kept_until <= now))
    tx.execute(delete(kept_pairs).where(kept_pairs.c.last_at <= last_before))
    tx.execute(delete(kept_salts).where(kept_salts.c.day < day_before))

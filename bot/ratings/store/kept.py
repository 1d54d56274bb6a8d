"""What outlives a deletion for days, under digests: ratings, and how often two players met."""

from collections.abc import Collection, Sequence
from datetime import date, datetime
from typing import Final

from sqlalchemy import delete, func, insert, select, update

from bot.db.database import Transaction
from bot.db.tables import kept_pairs, kept_ratings, kept_salts
from bot.ratings.model.ratings import Rating

_AT_ONCE: Final = 500
"""The most digests in one statement."""


async def salts(tx: Transaction) -> dict[date, str]:
    """The salts that something may be kept under, by the date of the deletions."""
    return {row.day: row.salt for row in await tx.execute(select(kept_salts))}


async def add_salt(tx: Transaction, day: date, salt: str) -> None:
    """Note the salt of a date's deletions."""
    await tx.execute(insert(kept_salts).values(day=day, salt=salt))


async def put_rating(tx: Transaction, digest: str, rating: Rating, kept_until: datetime) -> None:
    """Keep a rating of somebody who is forgotten."""
    values = {"mu": rating.mu, "sigma": rating.sigma, "games": rating.games}
    proven, played = rating.proven or rating, rating.played or rating
    values |= {"proven_mu": proven.mu, "proven_sigma": proven.sigma}
    values |= {"played_mu": played.mu, "played_sigma": played.sigma}
    await tx.execute(insert(kept_ratings).values(digest=digest, kept_until=kept_until, **values))


async def find_rating(tx: Transaction, digests: Collection[str], after: datetime) -> Rating | None:
    """The rating that is kept under one of these digests, until some time after an instant."""
    query = select(kept_ratings).where(
        kept_ratings.c.digest.in_(digests), kept_ratings.c.kept_until > after
    )
    row = (await tx.execute(query)).one_or_none()
    if row is None:
        return None
    proven, played = (
        Rating(row.proven_mu, row.proven_sigma),
        Rating(row.played_mu, row.played_sigma),
    )
    return Rating(row.mu, row.sigma, row.games, proven=proven, played=played)


async def add_pair(tx: Transaction, digest: str, duels: int, last_at: datetime) -> None:
    """Keep so many more rated duels of two players, and when the last one was."""
    more = update(kept_pairs).where(kept_pairs.c.digest == digest)
    found = await tx.execute(more.values(duels=kept_pairs.c.duels + duels, last_at=last_at))
    if not found.rowcount:
        await tx.execute(insert(kept_pairs).values(digest=digest, duels=duels, last_at=last_at))


async def count_duels(tx: Transaction, digests: Collection[str], since: datetime) -> int:
    """How many rated duels are kept under these digests, the last one after an instant."""
    query = select(func.coalesce(func.sum(kept_pairs.c.duels), 0)).where(
        kept_pairs.c.digest.in_(digests), kept_pairs.c.last_at > since
    )
    return (await tx.execute(query)).scalar_one()


async def drop(tx: Transaction, digests: Sequence[str]) -> None:
    """Forget the ratings and pairs that are kept under these digests."""
    for first in range(0, len(digests), _AT_ONCE):
        some = digests[first : first + _AT_ONCE]
        for table in (kept_ratings, kept_pairs):
            await tx.execute(delete(table).where(table.c.digest.in_(some)))


async def purge(tx: Transaction, now: datetime, *, last_before: datetime, day_before: date) -> None:
    """Forget what is old.

    Args:
        tx: the transaction.
        now: the present instant, which ratings are kept beyond.
        last_before: pairs that have had no rated duel since go.
        day_before: salts of earlier dates go.
    """
    await tx.execute(delete(kept_ratings).where(kept_ratings.c.kept_until <= now))
    await tx.execute(delete(kept_pairs).where(kept_pairs.c.last_at <= last_before))
    await tx.execute(delete(kept_salts).where(kept_salts.c.day < day_before))

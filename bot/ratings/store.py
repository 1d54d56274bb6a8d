"""SQL of ratings and their changes, and of what is kept of both for some days after a deletion."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, Final

from sqlalchemy import RowMapping, delete, func, insert, null, select, update

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.games import duel_seats, duels, ratings
from bot.db.tables.games import rating_changes as changes
from bot.db.tables.kinds import FIRST_PLAYER
from bot.db.tables.people import kept_pairs, kept_ratings, kept_salts
from bot.ratings.model import FEWEST_OPPONENTS, HeadToHead, Outlook, Rating, RatingChange


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


# Stand-ins count as players only if they were established. Otherwise a player who deletes their
# data after each duel would count as many.
_IS_SOMEBODY: Final = (changes.c.opponent_id >= FIRST_PLAYER) | changes.c.established
_MOST_NAMED: Final = 5
"""The most opponents whom an outlook names."""
_OTHERS_RATINGS: Final = ("proven", "played")
"""Column prefixes of the ratings that are stored beside the rating itself."""
_MET: Final = (
    select(changes.c.opponent_id)
    .where(changes.c.player_id == ratings.c.player_id, changes.c.established)
    .correlate(ratings)
    .distinct()
    .limit(FEWEST_OPPONENTS)
)
# A rank takes no more opponents than this limit, so no long history is read.
_OPPONENTS: Final = select(func.count()).select_from(_MET.subquery()).scalar_subquery()


def get(tx: Transaction, player_id: int) -> Rating | None:
    return of_players(tx, [player_id]).get(player_id)


def of_players(tx: Transaction, player_ids: Collection[int]) -> dict[int, Rating]:
    """Map players to their ratings; who has none is left out."""
    columns = columns_of(Rating, ratings, opponents=_OPPONENTS, proven=null(), played=null())
    others = (ratings.c[f"{kind}_{part}"] for kind in _OTHERS_RATINGS for part in ("mu", "sigma"))
    query = select(ratings.c.player_id, *columns[: -len(_OTHERS_RATINGS)], *others)
    rows: Sequence[Any] = tx.execute(query.where(ratings.c.player_id.in_(player_ids))).all()
    return {
        player_id: Rating(*rating, proven=Rating(*others[:2]), played=Rating(*others[2:]))
        for player_id, *rest in rows
        for rating, others in [(rest[:-4], rest[-4:])]
    }


def change(tx: Transaction, made: RatingChange) -> None:
    """Store a change of a rating, and the rating after it; once for each duel and player."""
    opponent = made.opponent
    values = {
        "duel_id": made.duel_id,
        "player_id": made.player_id,
        "opponent_id": made.opponent_id,
        "mu_before": made.before.mu,
        "sigma_before": made.before.sigma,
        "mu_after": made.after.mu,
        "sigma_after": made.after.sigma,
        "games": made.after.games,
        "share": made.share,
        "changed_at": made.changed_at,
        "established": made.established,
        "mean_before": made.before.mu,
        "deviation_before": made.before.sigma,
        "mean_after": made.after.mu,
        "deviation_after": made.after.sigma,
        "opponent_mean": None if opponent is None else opponent.mu,
        "opponent_deviation": None if opponent is None else opponent.sigma,
        "floor": made.floor,
    }
    tx.execute(insert(changes), values)
    put(tx, made.player_id, made.after, changed_at=made.changed_at)


def put(tx: Transaction, player_id: int, rating: Rating, *, changed_at: datetime) -> None:
    """Store a player's rating; whether the player is established is not changed."""
    values = {**_values(rating), "dates": rating.dates, "changed_at": changed_at}
    keyed.put(tx, ratings, {"player_id": player_id}, values)


def _values(rating: Rating) -> dict[str, float]:
    """Write a rating as columns, which tables of ratings in use and of kept ones share."""
    proven, played = rating.proven or rating, rating.played or rating
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "games": rating.games,
        "proven_mu": proven.mu,
        "proven_sigma": proven.sigma,
        "played_mu": played.mu,
        "played_sigma": played.sigma,
    }


def give_back(tx: Transaction, player_id: int, rating: Rating, at: datetime) -> None:
    """Store a kept rating as a returning player's; their proven rating starts from the kept one."""
    put(tx, player_id, rating, changed_at=at)
    own = update(ratings).where(ratings.c.player_id == player_id)
    tx.execute(own.values(base_mu=ratings.c.proven_mu, base_sigma=ratings.c.proven_sigma))


def base(tx: Transaction, player_id: int) -> Rating | None:
    """Read the rating from which a player's proven rating started; None for the usual start."""
    query = select(ratings.c.base_mu, ratings.c.base_sigma)
    row = tx.execute(query.where(ratings.c.player_id == player_id)).one_or_none()
    return None if row is None or row.base_mu is None else Rating(*row)


def prove(tx: Transaction, player_id: int, proven: Rating) -> None:
    own = update(ratings).where(ratings.c.player_id == player_id)
    tx.execute(own.values(proven_mu=proven.mu, proven_sigma=proven.sigma))


def of_duel(tx: Transaction, duel_id: int) -> list[RatingChange]:
    """Read the changes of ratings by a duel, as they were announced; empty if it was not rated."""
    query = _CHANGES.where(changes.c.duel_id == duel_id)
    return [_change(row, _AS_TOLD) for row in tx.execute(query).mappings()]


def history(tx: Transaction, player_id: int) -> list[RatingChange]:
    of_player = _CHANGES.where(changes.c.player_id == player_id)
    query = of_player.order_by(changes.c.games, changes.c.duel_id)
    return [_change(row, _PRESENT) for row in tx.execute(query).mappings()]


def count_between(
    tx: Transaction, player_id: int, other_id: int, since: datetime
) -> tuple[int, int]:
    """Count two players' rated duels since an instant: all, and those that were not short."""
    query = (
        select(func.count(), func.count(changes.c.floor))
        .select_from(changes)
        .where(
            changes.c.player_id == player_id,
            changes.c.opponent_id == other_id,
            changes.c.changed_at > since,
        )
    )
    duels, played = tx.execute(query).one()
    return duels, played


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


def met(tx: Transaction, player_id: int) -> tuple[int, int]:
    """Count a player's rated duels, and the different opponents in them.

    Stand-ins count as opponents only if they were established.
    """
    query = select(
        func.count().label("duels"),
        func.count(changes.c.opponent_id.distinct()).filter(_IS_SOMEBODY).label("opponents"),
    ).where(changes.c.player_id == player_id)
    duels, opponents = tx.execute(query).one()
    return duels, opponents


def outlook(tx: Transaction, player_id: int, rating: Rating) -> Outlook:
    query = (
        select(changes.c.opponent_id, func.count().filter(changes.c.established))
        .where(changes.c.player_id == player_id, changes.c.opponent_id >= FIRST_PLAYER)
        .group_by(changes.c.opponent_id)
        .order_by(func.max(changes.c.changed_at).desc(), changes.c.opponent_id)
        .limit(_MOST_NAMED)
    )
    rows: Sequence[Any] = tx.execute(query).all()
    return Outlook(rating, {opponent_id: counting > 0 for opponent_id, counting in rows})


def count_opponents(tx: Transaction, player_id: int) -> tuple[int, int]:
    """Count a player's established opponents, and all opponents in duels that were not short.

    Stand-ins count among the latter only if they were established.
    """
    opponents = func.count(changes.c.opponent_id.distinct())
    query = select(
        opponents.filter(changes.c.established),
        opponents.filter(_IS_SOMEBODY, changes.c.floor.is_not(None)),
    ).where(changes.c.player_id == player_id)
    established, played = tx.execute(query).one()
    return established, played


def establish(tx: Transaction, player_id: int) -> None:
    """Mark a player as established, also in the changes of their opponents' ratings."""
    own = update(ratings).where(ratings.c.player_id == player_id)
    tx.execute(own.values(established=True, of_age_at=None))
    mine = select(changes.c.duel_id).where(changes.c.player_id == player_id)
    others = update(changes).where(changes.c.duel_id.in_(mine), changes.c.opponent_id == player_id)
    tx.execute(others.values(established=True))


def wait_for_age(tx: Transaction, player_id: int, of_age_at: datetime) -> None:
    """Store when a player's account is old enough, the last condition for being established."""
    change = update(ratings).where(ratings.c.player_id == player_id)
    tx.execute(change.values(of_age_at=of_age_at))


def of_age(tx: Transaction, now: datetime, most: int) -> list[int]:
    """List up to `most` players who are to be established now, as their accounts are old enough."""
    query = select(ratings.c.player_id).where(ratings.c.of_age_at <= now)
    return list(tx.scalars(query.order_by(ratings.c.of_age_at).limit(most)).all())


_CHANGES: Final = (
    select(changes, (duels.c.winner == duel_seats.c.seat).label("won"))
    .join(duels, duels.c.id == changes.c.duel_id)
    .join(
        duel_seats,
        (duel_seats.c.duel_id == changes.c.duel_id)
        & (duel_seats.c.player_id == changes.c.player_id),
    )
)
# Column prefixes of the ratings before and after a duel.
_AS_TOLD: Final = ("mu", "sigma")
_PRESENT: Final = ("mean", "deviation")


def _change(row: RowMapping, columns: tuple[str, str]) -> RatingChange:
    mean, deviation = columns
    opponent = row["opponent_mean"], row["opponent_deviation"]
    return RatingChange(
        duel_id=row["duel_id"],
        player_id=row["player_id"],
        opponent_id=row["opponent_id"],
        before=Rating(row[f"{mean}_before"], row[f"{deviation}_before"], row["games"] - 1),
        after=Rating(row[f"{mean}_after"], row[f"{deviation}_after"], row["games"]),
        share=row["share"],
        changed_at=row["changed_at"],
        established=row["established"],
        won=None if row["won"] is None else bool(row["won"]),
        opponent=None if opponent[0] is None else Rating(*opponent),
        floor=row["floor"],
    )


_AT_ONCE: Final = 500
"""The most digests in one statement."""


def salts(tx: Transaction) -> dict[date, str]:
    """Read the salts of kept ratings and pairs, by the date on which players deleted their data."""
    return {row.day: row.salt for row in tx.execute(select(kept_salts))}


def add_salt(tx: Transaction, day: date, salt: str) -> None:
    tx.execute(insert(kept_salts).values(day=day, salt=salt))


def put_rating(tx: Transaction, digest: str, rating: Rating, kept_until: datetime) -> None:
    """Keep a deleted player's rating until an instant, under a digest of the player."""
    values = {"digest": digest, "kept_until": kept_until, **_values(rating)}
    tx.execute(insert(kept_ratings).values(values))


def find_rating(tx: Transaction, digests: Collection[str], after: datetime) -> Rating | None:
    """Find the rating that is kept under one of these digests at the time `after`, if any."""
    query = select(kept_ratings).where(
        kept_ratings.c.digest.in_(digests), kept_ratings.c.kept_until > after
    )
    row = tx.execute(query).one_or_none()
    if row is None:
        return None
    proven = Rating(row.proven_mu, row.proven_sigma)
    played = Rating(row.played_mu, row.played_sigma)
    return Rating(row.mu, row.sigma, row.games, proven=proven, played=played)


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

"""What is needed while ratings are worked out anew: which duels are next, and how far it is."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from sqlalchemy import Select, bindparam, delete, insert, select, update

from bot.model.ratings import Rating
from bot.storage import facts
from bot.storage.database import Transaction
from bot.storage.keyed import columns_of
from bot.storage.once import once
from bot.storage.schema import (
    duel_seats,
    duels,
    kept_ratings,
    ratings,
    reratings,
)
from bot.storage.schema import rating_changes as changes


class Phase(StrEnum):
    """How far it is."""

    FOLDING = "folding"
    """Duels are counted anew; all that anybody sees is as it was."""
    SHOWING = "showing"
    """Ratings are the new ones; some boards still show the former."""


@dataclass(frozen=True, slots=True)
class UnfoldedRow:
    """What a rated duel did to a player, to be worked out anew.

    Attributes:
        duel_id: the duel.
        player_id: whose rating it changed.
        opponent_id: the other player, perhaps a stand-in.
        mu_before: the former mean before it.
        sigma_before: its standard deviation.
        games: how many rated duels the player had, with this.
        share: n, where 1/n of the change counts.
        seat: the player's.
        winner: the seat of who won; None for a draw.
    """

    duel_id: int
    player_id: int
    opponent_id: int
    mu_before: float
    sigma_before: float
    games: int
    share: int
    seat: int
    winner: int | None


@dataclass(frozen=True, slots=True)
class FoldedRow:
    """What a rated duel did to a player, worked out anew."""

    duel_id: int
    player_id: int
    before: Rating
    after: Rating


@dataclass(frozen=True, slots=True)
class _State:
    mu: float
    sigma: float
    games: int


_PHASE: Final = "ratings are worked out anew"
_STATES: Final = select(reratings.c.player_id, *columns_of(_State, reratings))
_FOLD: Final = (
    update(changes)
    .where(
        changes.c.duel_id == bindparam("of_duel"),
        changes.c.player_id == bindparam("of_player"),
    )
    .values(
        mean_before=bindparam("mb"),
        deviation_before=bindparam("db"),
        mean_after=bindparam("ma"),
        deviation_after=bindparam("da"),
        games=bindparam("n"),
    )
)


async def phase(tx: Transaction) -> Phase | None:
    """How far it is; None once it is done, and where there was nothing to do."""
    found = await facts.get(tx, _PHASE)
    return None if found is None else Phase(found)


async def is_folding(tx: Transaction) -> bool:
    """Whether everybody still sees the former ratings."""
    return await phase(tx) is Phase.FOLDING


async def enter(tx: Transaction, reached: Phase | None) -> None:
    """Note how far it is."""
    if reached is None:
        await facts.remove(tx, _PHASE)
    else:
        await facts.put(tx, _PHASE, reached)


async def unfolded(tx: Transaction, most: int) -> list[UnfoldedRow]:
    """What the next duels did, in the order of their ends: of so many at most, and of each all."""
    duel_ids = list(await tx.scalars(*_next(most)))
    return [UnfoldedRow(*row) for row in await tx.execute(*_of_duels(duel_ids))]


@once
def _next(most: int) -> Select[int]:
    at = (changes.c.changed_at, changes.c.duel_id)
    waiting = select(changes.c.duel_id).where(changes.c.mean_after.is_(None))
    return waiting.group_by(*at).order_by(*at).limit(most)


@once
def _of_duels(duel_ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    mine = (duel_seats.c.duel_id == changes.c.duel_id) & (
        duel_seats.c.player_id == changes.c.player_id
    )
    return (
        select(*columns_of(UnfoldedRow, changes, duel_seats, duels))
        .select_from(changes)
        .join(duels, duels.c.id == changes.c.duel_id)
        .join(duel_seats, mine)
        .where(changes.c.duel_id.in_(duel_ids), changes.c.mean_after.is_(None))
        .order_by(changes.c.changed_at, changes.c.duel_id, duel_seats.c.seat)
    )


async def states(tx: Transaction, player_ids: Collection[int]) -> dict[int, Rating]:
    """The ratings of those who have some so far; stand-ins have, too."""
    found: Sequence[Any] = (await tx.execute(*_states_of(player_ids))).all()
    return {player_id: Rating(*state) for player_id, *state in found}


@once
def _states_of(player_ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    return _STATES.where(reratings.c.player_id.in_(player_ids))


async def fold(tx: Transaction, rows: Iterable[FoldedRow], after: Mapping[int, Rating]) -> None:
    """Note what duels did, and the ratings that everybody in them has after the last."""
    folded = [
        {
            "of_duel": row.duel_id,
            "of_player": row.player_id,
            "mb": row.before.mu,
            "db": row.before.sigma,
            "ma": row.after.mu,
            "da": row.after.sigma,
            "n": row.after.games,
        }
        for row in rows
    ]
    if folded:
        await tx.execute(_FOLD, folded)
    known = [
        {"player_id": player, "mu": state.mu, "sigma": state.sigma, "games": state.games}
        for player, state in after.items()
    ]
    if known:
        await tx.execute(delete(reratings).where(reratings.c.player_id.in_(list(after))))
        await tx.execute(insert(reratings), known)


async def switch(tx: Transaction) -> None:
    """Let all players have the ratings that were worked out, and keep no others for it."""
    mine = reratings.c.player_id == ratings.c.player_id
    for name in ("mu", "sigma", "games"):
        there = select(reratings.c[name]).where(mine).scalar_subquery()
        is_known = ratings.c.player_id.in_(select(reratings.c.player_id))
        await tx.execute(update(ratings).where(is_known).values({name: there}))


async def begin_proving(tx: Transaction) -> None:
    """Take all ratings as they stand for proven ones, those of who is forgotten, too."""
    stand = {"proven_mu": ratings.c.mu, "proven_sigma": ratings.c.sigma, "dates": ratings.c.games}
    base = {"base_mu": ratings.c.mu, "base_sigma": ratings.c.sigma}
    await tx.execute(update(ratings).values({**stand, **base}))
    kept = {"proven_mu": kept_ratings.c.mu, "proven_sigma": kept_ratings.c.sigma}
    await tx.execute(update(kept_ratings).values(kept))


async def clear(tx: Transaction) -> None:
    """Forget what was only there to work ratings out."""
    await tx.execute(delete(reratings))


async def unknown(tx: Transaction) -> dict[int, Rating]:
    """The ratings of whom no duel is known."""
    is_known = ratings.c.player_id.in_(select(reratings.c.player_id))
    query = select(ratings.c.player_id, ratings.c.mu, ratings.c.sigma, ratings.c.games)
    return {row[0]: Rating(*row[1:]) for row in await tx.execute(query.where(~is_known))}


async def kept(tx: Transaction) -> dict[str, Rating]:
    """The ratings of who is forgotten, by digest."""
    query = select(
        kept_ratings.c.digest, kept_ratings.c.mu, kept_ratings.c.sigma, kept_ratings.c.games
    )
    return {row[0]: Rating(*row[1:]) for row in await tx.execute(query)}


async def convert(
    tx: Transaction, of_players: Mapping[int, Rating], of_digests: Mapping[str, Rating]
) -> None:
    """Let players, and who is forgotten, have other ratings."""
    for table, key, found in (
        (ratings, ratings.c.player_id, of_players),
        (kept_ratings, kept_ratings.c.digest, of_digests),
    ):
        for name, rating in found.items():
            change = update(table).where(key == name)
            await tx.execute(change.values(mu=rating.mu, sigma=rating.sigma))

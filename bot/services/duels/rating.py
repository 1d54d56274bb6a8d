"""How duels move ratings: Weng and Lin's Bayesian update of the Bradley-Terry model."""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from openskill.models import BradleyTerryFull

from bot.model.ratings import Rating, RatingChange
from bot.services.duels import after_deletion, establishing
from bot.services.standings import update
from bot.services.standings.keys import GLOBAL
from bot.storage import keys
from bot.storage.database import Transaction
from bot.storage.duels import ratings
from bot.storage.duels.duels import DuelRow
from bot.storage.standings import members

START: Final = Rating(1500.0, 500.0)
"""What is thought of who has never played a rated duel."""

# The library's own proportions, on a scale on which people know their way.
_MODEL: Final = BradleyTerryFull(
    mu=START.mu, sigma=START.sigma, beta=START.sigma / 2, tau=START.sigma / 100
)


def rated(
    ratings_before: tuple[Rating, Rating], winner: int | None, share: int = 1
) -> tuple[Rating, Rating]:
    """Both ratings after a duel.

    Args:
        ratings_before: the players' ratings before it.
        winner: 0 or 1; None for a draw.
        share: n, where only 1/n of the change counts.
    """
    teams = [[_MODEL.rating(rating.mu, rating.sigma)] for rating in ratings_before]
    ranks = [0.0, 0.0] if winner is None else [float(seat != winner) for seat in (0, 1)]
    (first,), (second,) = _MODEL.rate(teams, ranks=ranks)
    before, other = ratings_before
    return (
        _moved(before, first.mu, first.sigma, share),
        _moved(other, second.mu, second.sigma, share),
    )


def _moved(before: Rating, mu: float, sigma: float, share: int) -> Rating:
    return Rating(
        before.mu + (mu - before.mu) / share,
        before.sigma + (sigma - before.sigma) / share,
        before.games + 1,
    )


async def rating_of(tx: Transaction, player_id: int) -> Rating:
    """A player's rating."""
    return await ratings.get(tx, player_id) or START


async def ratings_of(tx: Transaction, player_ids: Collection[int]) -> dict[int, Rating]:
    """The ratings of several players."""
    stored = await ratings.of_players(tx, player_ids)
    return {player_id: stored.get(player_id, START) for player_id in player_ids}


async def apply(tx: Transaction, row: DuelRow, now: datetime, *, spared: int | None = None) -> None:
    """Let a duel that has just ended move both players' ratings, and their places on boards.

    Args:
        tx: the transaction.
        row: the duel.
        now: the present instant.
        spared: the seat of a player whose rating it leaves as it is, because the other one is
            about to be forgotten; None for neither.
    """
    first_id, second_id = (seat.player_id for seat in row.seats)
    at = row.finished_at
    if first_id is None or second_id is None or at is None:
        raise RuntimeError("only finished duels of two players are rated")
    pairs = ((first_id, second_id), (second_id, first_id))
    moved = [seat for seat in (0, 1) if seat != spared]
    share = 1 + await after_deletion.count_between(tx, *pairs[moved[0]], at)
    shown_in = {player: await members.shown_in(tx, player, GLOBAL) for player in pairs[0]}
    await tx.about(*(keys.server(scope) for scopes in shown_in.values() for scope in scopes))
    for player_id in pairs[0]:
        await after_deletion.give_back(tx, player_id, at)
    before = await rating_of(tx, first_id), await rating_of(tx, second_id)
    after = rated(before, row.winner, share)
    changes = [
        RatingChange(
            duel_id=row.id,
            player_id=pairs[seat][0],
            opponent_id=pairs[seat][1],
            before=before[seat],
            after=after[seat],
            share=share,
            changed_at=at,
            established=before[1 - seat].established,
        )
        for seat in moved
    ]
    for change in changes:
        await ratings.change(tx, change)
    for seat in moved:
        # Who is about to be forgotten counts for nobody by this.
        if spared is None and not before[seat].established:
            await establishing.look_at(tx, pairs[seat][0], now)
    for change in changes:
        await update.duel_rated(tx, change, now, shown_in[change.player_id])

"""How duels move ratings, in the transaction that ends them."""

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.db import keys
from bot.db.database import Transaction
from bot.duels.game import after_deletion
from bot.duels.store.duels import DuelRow
from bot.leaderboards.game import establishing, update
from bot.leaderboards.model.keys import GLOBAL
from bot.people.store import members
from bot.ratings.game.proving import proven_after
from bot.ratings.game.scales import PRESENT, START
from bot.ratings.model.ratings import Rating, RatingChange, Stake
from bot.ratings.store import ratings

FEWEST_GUESSES: Final = 3
"""How many guesses the loser must have made for the winner to gain all that there is.

A duel with fewer is short, and a draw in which either has made fewer.
"""
SHORT: Final = 3
"""The n of 1/n that is gained otherwise."""


async def rating_of(tx: Transaction, player_id: int) -> Rating:
    """A player's rating."""
    return await ratings.get(tx, player_id) or START


async def ratings_of(tx: Transaction, player_ids: Collection[int]) -> dict[int, Rating]:
    """The ratings of several players."""
    stored = await ratings.of_players(tx, player_ids)
    return {player_id: stored.get(player_id, START) for player_id in player_ids}


async def stakes(tx: Transaction, player_ids: tuple[int, int], share: int) -> tuple[Stake, Stake]:
    """What a duel of two would make of their ratings now.

    Args:
        tx: the transaction.
        player_ids: both players.
        share: n, if 1/n of the change counts.
    """
    found = await ratings.of_players(tx, player_ids)
    first, second = (found.get(player_id, START) for player_id in player_ids)
    won, lost = (PRESENT.rated((first, second), winner, (share, share)) for winner in (0, 1))
    return (
        Stake(won[0].points - first.points, first.points - lost[0].points),
        Stake(lost[1].points - second.points, second.points - won[1].points),
    )


async def apply(tx: Transaction, row: DuelRow, now: datetime, *, spared: int | None = None) -> None:
    """Let a duel that has just ended move both players' ratings, and their places on boards.

    Args:
        tx: the transaction.
        row: the duel.
        now: the present instant.
        spared: the seat of a player whose rating it leaves as it is, because the other one is
            about to be forgotten; None for neither.
    """
    (first_id, second_id), at = _ended(row)
    pairs = ((first_id, second_id), (second_id, first_id))
    moved = [seat for seat in (0, 1) if seat != spared]
    duels, played = await after_deletion.count_between(tx, *pairs[moved[0]], at)
    is_short, shares = _is_short(row), _shares(row, 1 + duels)
    shown_in = {player: await members.shown_in(tx, player, GLOBAL) for player in pairs[0]}
    await tx.about(*(keys.server(scope) for scopes in shown_in.values() for scope in scopes))
    for player_id in pairs[0]:
        await after_deletion.give_back(tx, player_id, at)
    found = await ratings.of_players(tx, pairs[0])
    before = found.get(first_id, START), found.get(second_id, START)
    after = PRESENT.rated(before, row.winner, shares)
    as_played = (before[0].played or before[0], before[1].played or before[1])
    if not is_short:
        as_played = PRESENT.rated(as_played, row.winner, (1 + played, 1 + played))
    known = await ratings.changed_on(tx, pairs[0], at)
    changes: list[RatingChange] = []
    for seat in moved:
        player_id, opponent_id = pairs[seat]
        change = RatingChange(
            duel_id=row.id,
            player_id=player_id,
            opponent_id=opponent_id,
            before=before[seat],
            after=replace(after[seat], played=as_played[seat]),
            share=shares[seat],
            changed_at=at,
            established=before[1 - seat].established,
            won=None if row.winner is None else row.winner == seat,
            opponent=before[1 - seat],
            floor=None if is_short else as_played[seat].floor,
        )
        changes.append(_proved(change, is_another=player_id not in known))
        await ratings.change(tx, changes[-1])
    for seat in moved:
        # Who is about to be forgotten counts for nobody by this.
        if spared is None and not before[seat].established:
            await establishing.look_at(tx, pairs[seat][0], now)
    for change in changes:
        await update.duel_rated(tx, change, now, shown_in[change.player_id])


def _ended(row: DuelRow) -> tuple[tuple[int, int], datetime]:
    """Both players of a duel that has ended, and when that was.

    Raises:
        RuntimeError: it is none.
    """
    first_id, second_id = (seat.player_id for seat in row.seats)
    if first_id is None or second_id is None or row.finished_at is None:
        raise RuntimeError("only finished duels of two players are rated")
    return (first_id, second_id), row.finished_at


def _shares(row: DuelRow, share: int) -> tuple[int, int]:
    """For each seat n, if 1/n of the change counts: less is gained by a win that was given away."""
    shares = [share, share]
    if row.winner is not None and _is_short(row):
        shares[row.winner] *= SHORT
    return shares[0], shares[1]


def _is_short(row: DuelRow) -> bool:
    """Whether a duel was over before who has not won had really played."""
    made = (sum(move.seat == seat for move in row.moves) for seat in (0, 1) if seat != row.winner)
    return min(made) < FEWEST_GUESSES


def _proved(change: RatingChange, *, is_another: bool) -> RatingChange:
    """A change with all that leaderboards go by besides the rating.

    Args:
        change: the change.
        is_another: whether it is the player's first of its date.
    """
    before, after = change.before, change.after
    if change.opponent is None:  # what stands when there are proven ratings is taken as it is
        return replace(change, after=replace(after, dates=after.games, proven=after))
    proven = proven_after(change, before.proven or before)
    return replace(change, after=replace(after, dates=before.dates + is_another, proven=proven))

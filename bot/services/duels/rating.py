"""How duels move ratings, in the transaction that ends them."""

from collections.abc import Collection
from datetime import datetime

from bot.model.ratings import Rating, RatingChange, Stake
from bot.services.duels import after_deletion, establishing
from bot.services.duels.scales import FORMER, PRESENT, START
from bot.services.standings import update
from bot.services.standings.keys import GLOBAL
from bot.storage import keys
from bot.storage.database import Transaction
from bot.storage.duels import ratings, reratings
from bot.storage.duels.duels import DuelRow
from bot.storage.standings import members


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
    scale = FORMER if await reratings.is_folding(tx) else PRESENT
    found = await ratings.of_players(tx, player_ids)
    first, second = (found.get(player_id, scale.start) for player_id in player_ids)
    won, lost = (scale.rated((first, second), winner, share) for winner in (0, 1))
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
    is_former = await reratings.is_folding(tx)
    scale = FORMER if is_former else PRESENT
    found = await ratings.of_players(tx, pairs[0])
    before = found.get(first_id, scale.start), found.get(second_id, scale.start)
    after = scale.rated(before, row.winner, share)
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
        await ratings.change(tx, change, is_former=is_former)
    for seat in moved:
        # Who is about to be forgotten counts for nobody by this.
        if spared is None and not before[seat].established:
            await establishing.look_at(tx, pairs[seat][0], now)
    for change in changes:
        shown = shown_in[change.player_id]
        await update.duel_rated(tx, change, now, shown, is_former=is_former)

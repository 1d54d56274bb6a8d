"""Works ratings out anew, once, because they are counted by another scale than before.

All rated duels are folded in the order of their ends, a few in each transaction. What is worked
out stands beside what is shown, until one transaction puts it in its place; so it may be stopped
anywhere, and goes on. Meanwhile duels are rated as before, and folded when it is their turn. What
their messages have told stays in columns of its own.
"""

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from bot.model.ratings import Rating
from bot.services.standings.scales import PRESENT, START, converted
from bot.storage.database import Transaction
from bot.storage.duels import reratings
from bot.storage.duels.reratings import FoldedRow, Phase, UnfoldedRow
from bot.storage.schema import FIRST_PLAYER
from bot.storage.standings import rebuilds

BATCH: Final = 100
"""How many duels are folded in one transaction."""


async def go_on(tx: Transaction, most: int = BATCH) -> None:
    """Fold the next duels, or let everybody have the new ratings; nothing if that is done."""
    if not await reratings.is_folding(tx):
        return
    rows = await reratings.unfolded(tx, most)
    if rows:
        await _fold(tx, rows)
    else:
        await _switch(tx)


async def _fold(tx: Transaction, rows: Sequence[UnfoldedRow]) -> None:
    there = {player for row in rows for player in (row.player_id, row.opponent_id)}
    states = await reratings.states(tx, there)
    folded: list[FoldedRow] = []
    moved: dict[int, Rating] = {}
    for _duel_id, of_duel in groupby(rows, key=attrgetter("duel_id")):
        changed = list(of_duel)
        for row in changed:
            states.setdefault(row.player_id, _before(row))
        for player, after in _after(changed, states).items():
            if any(row.player_id == player for row in changed):
                folded.append(FoldedRow(changed[0].duel_id, player, states[player], after))
            states[player] = moved[player] = after
    await reratings.fold(tx, folded, moved)


def _before(row: UnfoldedRow) -> Rating:
    """What was thought of a player before the first duel that is known."""
    if row.games == 1:
        return START
    return converted(Rating(row.mu_before, row.sigma_before, row.games - 1))


def _after(changed: Sequence[UnfoldedRow], states: dict[int, Rating]) -> dict[int, Rating]:
    """The ratings of both after a duel; of one, if the other is a player whom it left as it was.

    Of who is forgotten only the other one's change is there.
    """
    row = changed[0]
    pair = row.player_id, row.opponent_id
    before = states[pair[0]], states.get(pair[1], START)
    winner = None if row.winner is None else int(row.winner != row.seat)
    shares = row.share, changed[-1].share
    after = dict(zip(pair, PRESENT.rated(before, winner, shares), strict=True))
    if len(changed) == 1 and row.opponent_id >= FIRST_PLAYER:
        del after[row.opponent_id]
    return after


async def _switch(tx: Transaction) -> None:
    unknown, kept = await reratings.unknown(tx), await reratings.kept(tx)
    await reratings.switch(tx)
    await reratings.convert(
        tx,
        {player: converted(rating) for player, rating in unknown.items()},
        {digest: converted(rating) for digest, rating in kept.items()},
    )
    await reratings.begin_proving(tx)
    await reratings.clear(tx)
    await rebuilds.rated(tx)
    await reratings.enter(tx, Phase.SHOWING)


async def end(tx: Transaction) -> None:
    """Note that all boards show the new ratings."""
    if await reratings.phase(tx) is Phase.SHOWING:
        await reratings.enter(tx, None)

"""A player who is to be forgotten leaves all duels."""

from typing import Final

from bot.services.duels.position import Verdict
from bot.services.duels.transactions import DuelTransaction
from bot.services.duels.transitions import Event, State, permits

# What leaving amounts to; in a duel that is played, the other wins.
_WAYS_OUT: Final = (Event.WITHDRAW, Event.DECLINE, Event.LEAVE, Event.RESIGN)


async def leave_all(work: DuelTransaction, player_id: int) -> int:
    """End all duels of a player: what is late by time, the others as if given up.

    Returns:
        How many duels with others that were.
    """
    left = 0
    for found in await work.unfinished(player_id):
        position = await work.in_time(found)
        row = position.row
        if row.finished_at is None:
            seat = next(n for n, stored in enumerate(row.seats) if stored.player_id == player_id)
            is_challenger = row.challenger_id == player_id
            state = State(row.state)
            (event,) = (e for e in _WAYS_OUT if permits(state, e, is_challenger=is_challenger))
            winner = 1 - seat if state is State.PLAYING else None
            await work.end(position, Verdict(event, winner, by_deletion=True))
        left += row.strength is None
    return left

"""Dailies that two players have both finished."""

from typing import Any

from sqlalchemy import Select, Subquery, func, select

from bot.db.database import Transaction
from bot.db.once import once
from bot.db.tables import plays, puzzles
from bot.games.model.rivals import SharedDailies
from bot.leaderboards.store.results import taken_at_most


async def shared_dailies(
    tx: Transaction, one_id: int, other_id: int, *, before: int, most: int
) -> SharedDailies:
    """How the dailies below a number went that both have finished on their date.

    Args:
        tx: the transaction.
        one_id: from whose point of view.
        other_id: the other one.
        before: the first number that is left out.
        most: what a daily counts as that was lost or took more, hints included.
    """
    row = (await tx.execute(*_shared(one_id, other_id, before, most))).one()
    return SharedDailies(*row)


@once
def _shared(one_id: int, other_id: int, before: int, most: int) -> Select[int, int, int]:
    one, other = _taken(one_id, before, most), _taken(other_id, before, most)
    return select(
        func.count(),
        func.count().filter(one.c.taken < other.c.taken),
        func.count().filter(one.c.taken > other.c.taken),
    ).join_from(one, other, one.c.puzzle_id == other.c.puzzle_id)


def _taken(player_id: Any, before: Any, most: Any) -> Subquery:
    """What each of a player's dailies counts as."""
    is_counted = plays.c.on_date & (plays.c.player_id == player_id) & (puzzles.c.number < before)
    found = select(plays.c.puzzle_id, taken_at_most(most).label("taken"))
    return found.join_from(plays, puzzles).where(is_counted).subquery()

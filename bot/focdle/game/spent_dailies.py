"""Spent dailies: opened by a player who then deleted all their data, and not to be played twice.

All that is kept is a digest of the player, each with a salt of its own. With an id at hand the
bot recognises its player; no id can be read from a digest.
"""

import hashlib
import secrets
from collections.abc import Sequence
from datetime import datetime

from bot.clock import ended_everywhere_at, first_running
from bot.dailies import PuzzleName
from bot.db.database import Transaction
from bot.focdle.model.errors import SpentDailyError
from bot.focdle.store import spent_dailies as spent
from bot.focdle.store.spent_dailies import SpentRow


async def running(tx: Transaction, player_id: int, now: datetime) -> list[PuzzleName]:
    """The dailies that a player has opened and whose date has not ended everywhere."""
    return await spent.opened(tx, player_id, first_running(now))


async def spend(tx: Transaction, player_id: int, puzzles: Sequence[PuzzleName]) -> None:
    """Note that a player who is about to be forgotten has opened these dailies."""
    for puzzle in puzzles:
        salt = secrets.token_hex(16)
        row = SpentRow(puzzle.number, puzzle.length, salt, _digest(salt, player_id))
        await spent.add(tx, row)


async def let_go(tx: Transaction, player_id: int) -> None:
    """Delete the digests of a player whose data are already deleted."""
    rows = await spent.everything(tx)
    await spent.drop(tx, [row for row in rows if _is_of(row, player_id)])


async def require_unspent(
    tx: Transaction, player_id: int, puzzle: PuzzleName, now: datetime
) -> bool:
    """Make sure that a player has not opened a running daily and deleted that.

    Returns:
        Whether it was so with another one of its date.

    Raises:
        SpentDailyError: that is not so.
    """
    again_at = ended_everywhere_at(puzzle)
    if again_at <= now:
        return False
    rows = [row for row in await spent.of_date(tx, puzzle.number) if _is_of(row, player_id)]
    if any(row.length == puzzle.length for row in rows):
        raise SpentDailyError(number=puzzle.number, again_at=again_at)
    return bool(rows)


def _is_of(row: SpentRow, player_id: int) -> bool:
    return secrets.compare_digest(row.digest, _digest(row.salt, player_id))


def _digest(salt: str, player_id: int) -> str:
    return hashlib.sha256(f"{salt}:{player_id}".encode()).hexdigest()

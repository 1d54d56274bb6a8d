"""SQL of one player's finished games, the latest first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import CompoundSelect, func, literal, select, union_all

from bot.db.database import Transaction
from bot.feature import FinishedGame
from bot.features import FINISHED


@dataclass(frozen=True, slots=True)
class FinishedKey:
    """Where a finished game is stored: its kind, and its id there."""

    source: str
    id: int


def count(tx: Transaction, player_id: int) -> int:
    """Count a player's finished games, as `page` lists them."""
    games = _games(player_id).subquery()
    return tx.scalar(select(func.count()).select_from(games)) or 0


def page(tx: Transaction, player_id: int, *, most: int, after: int) -> list[FinishedKey]:
    """List `most` of a player's finished games, the latest first, after skipping `after`.

    Those are left out that were never begun, or in which the player has not guessed.
    """
    games = _games(player_id).subquery()
    query = (
        select(games.c.source, games.c.id)
        .order_by(games.c.finished_at.desc(), games.c.source, games.c.id.desc())
        .limit(most)
        .offset(after)
    )
    return [FinishedKey(*row) for row in tx.execute(query)]


def find(tx: Transaction, player_id: int, keys: Sequence[FinishedKey]) -> tuple[FinishedGame, ...]:
    """Read these games from the player's point of view, in the order of `keys`."""
    found: dict[FinishedKey, FinishedGame] = {}
    for source, games in FINISHED.items():
        if ids := [key.id for key in keys if key.source == source]:
            for row in tx.execute(games.rows(player_id, ids)).mappings():
                found[FinishedKey(source, row["id"])] = games.noun.stored(**row)
    return tuple(found[key] for key in keys)


def _games(player_id: int) -> CompoundSelect[str, Any, Any]:
    """Select id, end and kind of each finished game that `page` lists."""
    return union_all(
        *(
            query.add_columns(literal(source.value).label("source"))
            for source, games in FINISHED.items()
            for query in games.ended(player_id)
        )
    )

"""Hints that players took during a game."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Column, ColumnElement, insert, select

from bot.model.hints import Hint
from bot.storage.database import Transaction
from bot.storage.keyed import columns_of
from bot.storage.schema import hints, masterminds

Owner = Literal["play", "mastermind"]


async def of_game(tx: Transaction, owner: Owner, game_id: int) -> list[Hint]:
    """The hints of a game, in the order in which they were given."""
    query = select(*columns_of(Hint, hints)).where(_column(owner) == game_id).order_by(hints.c.id)
    return [Hint(*row) for row in await tx.execute(query)]


async def of_masterminds(
    tx: Transaction, condition: ColumnElement[bool]
) -> dict[int, tuple[Hint, ...]]:
    """The hints of the games of Mastermind for which something holds, by game, in order."""
    query = (
        select(hints.c.mastermind_id, *columns_of(Hint, hints))
        .join_from(hints, masterminds)
        .where(condition)
        .order_by(hints.c.mastermind_id, hints.c.id)
    )
    found: dict[int, tuple[Hint, ...]] = {}
    rows: Sequence[Any] = (await tx.execute(query)).all()
    for game_id, *hint in rows:
        found[game_id] = (*found.get(game_id, ()), Hint(*hint))
    return found


async def add(
    tx: Transaction, owner: Owner, game_id: int, hint: Hint, *, given_at: datetime
) -> None:
    """Note a hint; one of a kind a turn."""
    values = {f"{owner}_id": game_id, **asdict(hint), "given_at": given_at}
    await tx.execute(insert(hints).values(values))


def _column(owner: Owner) -> Column[int]:
    return hints.c[f"{owner}_id"]

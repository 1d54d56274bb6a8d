"""Hints that players took during a game."""

from dataclasses import asdict
from datetime import datetime
from functools import cache
from typing import Any, Literal

from sqlalchemy import Column, ColumnElement, Select, bindparam, insert, select

from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables import hints, masterminds
from bot.games.model.hints import Hint

Owner = Literal["play", "mastermind"]


async def of_game(tx: Transaction, owner: Owner, game_id: int) -> list[Hint]:
    """The hints of a game, in the order in which they were given."""
    return [Hint(*row) for row in await tx.execute(_of_game(owner), {"of_game": game_id})]


def query_of_masterminds(condition: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """What reads the hints of the games of Mastermind for which something holds."""
    return (
        select(hints.c.mastermind_id, *columns_of(Hint, hints))
        .join_from(hints, masterminds)
        .where(condition)
        .order_by(hints.c.mastermind_id, hints.c.id)
    )


async def add(
    tx: Transaction, owner: Owner, game_id: int, hint: Hint, *, given_at: datetime
) -> None:
    """Note a hint."""
    values = {f"{owner}_id": game_id, **asdict(hint), "given_at": given_at}
    await tx.execute(insert(hints).values(values))


@cache
def _of_game(owner: Owner) -> Select[*tuple[Any, ...]]:
    is_its = _column(owner) == bindparam("of_game")
    return select(*columns_of(Hint, hints)).where(is_its).order_by(hints.c.id)


def _column(owner: Owner) -> Column[int]:
    return hints.c[f"{owner}_id"]

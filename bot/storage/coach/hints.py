"""Hints that players took during a game."""

from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Literal

from sqlalchemy import Column, ColumnElement, insert, select

from bot.storage.database import Transaction
from bot.storage.schema import hints, masterminds

Owner = Literal["play", "mastermind"]


@dataclass(frozen=True, slots=True)
class HintRow:
    """A hint: how many guesses had been made, what was asked, what was answered."""

    turn: int
    kind: str
    answer: str


async def of_game(tx: Transaction, owner: Owner, game_id: int) -> list[HintRow]:
    """The hints of a game, in the order in which they were given."""
    query = (
        select(hints.c.turn, hints.c.kind, hints.c.answer)
        .where(_column(owner) == game_id)
        .order_by(hints.c.id)
    )
    return [HintRow(**row) for row in (await tx.execute(query)).mappings()]


async def of_masterminds(
    tx: Transaction, condition: ColumnElement[bool]
) -> dict[int, tuple[HintRow, ...]]:
    """The hints of the games of Mastermind for which something holds, by game, in order."""
    query = (
        select(hints.c.mastermind_id, hints.c.turn, hints.c.kind, hints.c.answer)
        .join_from(hints, masterminds)
        .where(condition)
        .order_by(hints.c.mastermind_id, hints.c.id)
    )
    rows = (await tx.execute(query)).mappings()
    return {
        game_id: tuple(HintRow(row["turn"], row["kind"], row["answer"]) for row in group)
        for game_id, group in groupby(rows, key=lambda row: row["mastermind_id"])
    }


async def add(
    tx: Transaction, owner: Owner, game_id: int, hint: HintRow, *, given_at: datetime
) -> None:
    """Note a hint; one of a kind a turn."""
    values = {
        f"{owner}_id": game_id,
        "turn": hint.turn,
        "kind": hint.kind,
        "answer": hint.answer,
        "given_at": given_at,
    }
    await tx.execute(insert(hints).values(values))


def _column(owner: Owner) -> Column[int]:
    return hints.c[f"{owner}_id"]

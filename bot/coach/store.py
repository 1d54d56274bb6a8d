"""Stored analyses of finished games, and difficulties."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import (
    exists,
    select,
    update,
)

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.games import analyses, plays, puzzles
from bot.games.model import GameName


@dataclass(frozen=True, slots=True)
class DailyRow:
    id: int
    number: int
    length: int
    secret: str


def without_difficulty(tx: Transaction, most: int, but: Collection[int]) -> list[DailyRow]:
    """At most `most` opened dailies of unknown difficulty, latest first; ids in `but` left out."""
    query = (
        select(*columns_of(DailyRow, puzzles))
        .where(
            puzzles.c.number.is_not(None),
            puzzles.c.difficulty.is_(None),
            puzzles.c.id.not_in(but),
            exists().where(plays.c.puzzle_id == puzzles.c.id),
        )
        .order_by(puzzles.c.number.desc(), puzzles.c.length)
        .limit(most)
    )
    return [DailyRow(*row) for row in tx.execute(query)]


def put_difficulty(tx: Transaction, puzzle_id: int, difficulty: int) -> None:
    """Store the difficulty of a puzzle, unless it has one."""
    query = update(puzzles).where(puzzles.c.id == puzzle_id, puzzles.c.difficulty.is_(None))
    tx.execute(query.values(difficulty=difficulty))


@dataclass(frozen=True, slots=True)
class AnalysisRow:
    """An analysis, as JSON."""

    version: int
    facts: str


def get(tx: Transaction, name: GameName) -> AnalysisRow | None:
    """The stored analysis of a game, or of a seat of a duel, of any version; None without one."""
    query = select(*columns_of(AnalysisRow, analyses)).where(
        analyses.c[f"{name.source}_id"] == name.id, analyses.c.seat == (name.seat or 0)
    )
    row = tx.execute(query).one_or_none()
    return None if row is None else AnalysisRow(*row)


def put(tx: Transaction, name: GameName, row: AnalysisRow, *, made_at: datetime) -> None:
    place = {f"{name.source}_id": name.id, "seat": name.seat or 0}
    keyed.put(tx, analyses, place, {**asdict(row), "made_at": made_at})

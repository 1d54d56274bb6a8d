"""Dailies whose secret has been fixed."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Select, insert, select

from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.once import once
from bot.db.tables import puzzles


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """A daily: its number and length, its rules and secret in notation."""

    id: int
    number: int | None
    length: int
    rules: str
    secret: str
    salt: str | None


_ADD: Final = insert(puzzles).returning(puzzles.c.id)


async def find(tx: Transaction, number: int, length: int) -> PuzzleRow | None:
    """The daily of a number and length, if its secret was fixed."""
    row = (await tx.execute(*_named(number, length))).one_or_none()
    return None if row is None else PuzzleRow(*row)


@once
def _named(number: int, length: int) -> Select[*tuple[Any, ...]]:
    query = select(*columns_of(PuzzleRow, puzzles))
    return query.where(puzzles.c.number == number, puzzles.c.length == length)


async def has_dailies(tx: Transaction) -> bool:
    """Whether the secret of any daily was fixed."""
    found = await tx.scalars(select(puzzles.c.id).where(puzzles.c.number.is_not(None)).limit(1))
    return found.first() is not None


async def add(
    tx: Transaction,
    *,
    number: int | None,
    length: int,
    rules: str,
    secret: str,
    salt: str | None = None,
) -> int:
    """Fix the secret of a daily, or of a practice without a number; returns its id."""
    values = {"number": number, "length": length, "rules": rules, "secret": secret, "salt": salt}
    found: int = (await tx.execute(_ADD, values)).scalar_one()
    return found

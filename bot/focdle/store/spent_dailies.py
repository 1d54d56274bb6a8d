"""Dailies that somebody had opened who is forgotten."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Final

from sqlalchemy import Select, delete, exists, insert, select

from bot.dailies import PuzzleName
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.once import once
from bot.db.tables import plays, puzzles, spent_dailies


@dataclass(frozen=True, slots=True)
class SpentRow:
    """A daily, and a digest of who had opened it, with its salt."""

    number: int
    length: int
    salt: str
    digest: str


_ROWS: Final = select(*columns_of(SpentRow, spent_dailies))


async def opened(tx: Transaction, player_id: int, since: int) -> list[PuzzleName]:
    """The dailies that a player has opened, from a number on."""
    is_opened = exists().where(plays.c.puzzle_id == puzzles.c.id, plays.c.player_id == player_id)
    query = (
        select(puzzles.c.number, puzzles.c.length)
        .where(puzzles.c.number >= since, is_opened)
        .order_by(puzzles.c.number, puzzles.c.length)
    )
    return [PuzzleName(*row) for row in await tx.execute(query)]


async def add(tx: Transaction, row: SpentRow) -> None:
    """Note that a daily was opened."""
    await tx.execute(insert(spent_dailies).values(asdict(row)))


async def of_date(tx: Transaction, number: int) -> list[SpentRow]:
    """All who had opened a daily of a date, whatever its length."""
    return [SpentRow(*row) for row in await tx.execute(*_of_date(number))]


@once
def _of_date(number: int) -> Select[*tuple[Any, ...]]:
    return _ROWS.where(spent_dailies.c.number == number)


async def everything(tx: Transaction) -> list[SpentRow]:
    """All dailies that were opened by who is forgotten."""
    return [SpentRow(*row) for row in await tx.execute(_ROWS)]


async def drop(tx: Transaction, rows: Iterable[SpentRow]) -> None:
    """Forget that these dailies were opened."""
    for row in rows:
        await tx.execute(delete(spent_dailies).where(spent_dailies.c.digest == row.digest))


async def purge(tx: Transaction, before: int) -> None:
    """Forget the dailies below a number."""
    await tx.execute(delete(spent_dailies).where(spent_dailies.c.number < before))

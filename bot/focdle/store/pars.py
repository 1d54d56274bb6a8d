"""How hard the dailies are."""

from dataclasses import asdict, dataclass
from datetime import datetime

from sqlalchemy import Select, exists, insert, select

from bot.dailies import PuzzleName
from bot.db.database import Transaction
from bot.db.once import once
from bot.db.tables import pars, plays, puzzles


@dataclass(frozen=True, slots=True)
class ParRow:
    """A par: of which daily, how many guesses, and how many games that comes from."""

    number: int
    length: int
    mean: float
    runs: int


async def get(tx: Transaction, number: int, length: int) -> float | None:
    """The par of a daily, if it was worked out."""
    return await tx.scalar(*_mean(number, length))


@once
def _mean(number: int, length: int) -> Select[float]:
    return select(pars.c.mean).where(pars.c.number == number, pars.c.length == length)


async def add(tx: Transaction, par: ParRow, *, made_at: datetime) -> None:
    """Note the par of a daily that has none yet."""
    if await get(tx, par.number, par.length) is None:
        await tx.execute(insert(pars).values(**asdict(par), made_at=made_at))


async def missing(tx: Transaction, since: int) -> list[PuzzleName]:
    """The dailies without a par that were opened by anybody, the latest first.

    Args:
        tx: the transaction.
        since: from this number on; of those before, only what was finished on its date.
    """
    finished = exists().where(plays.c.puzzle_id == puzzles.c.id, plays.c.on_date)
    query = (
        select(puzzles.c.number, puzzles.c.length)
        .outerjoin(pars, (pars.c.number == puzzles.c.number) & (pars.c.length == puzzles.c.length))
        .where(
            puzzles.c.number.is_not(None),
            pars.c.number.is_(None),
            (puzzles.c.number >= since) | finished,
        )
        .order_by(puzzles.c.number.desc(), puzzles.c.length)
    )
    return [PuzzleName(*row) for row in await tx.execute(query)]

"""How hard the dailies are."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import insert, select

from bot.storage.database import Transaction
from bot.storage.schema import pars, puzzles


@dataclass(frozen=True, slots=True)
class ParRow:
    """A par: of which daily, how many guesses, and how many games that comes from."""

    number: int
    length: int
    mean: float
    runs: int


async def get(tx: Transaction, number: int, length: int) -> float | None:
    """The par of a daily, if it was worked out."""
    query = select(pars.c.mean).where(pars.c.number == number, pars.c.length == length)
    return await tx.scalar(query)


async def add(tx: Transaction, par: ParRow, *, made_at: datetime) -> None:
    """Note the par of a daily that has none yet."""
    if await get(tx, par.number, par.length) is None:
        values = {
            "number": par.number,
            "length": par.length,
            "mean": par.mean,
            "runs": par.runs,
            "made_at": made_at,
        }
        await tx.execute(insert(pars).values(values))


async def missing(tx: Transaction, since: int) -> list[tuple[int, int]]:
    """The dailies that were opened by anybody, from a number on, and have no par."""
    query = (
        select(puzzles.c.number, puzzles.c.length)
        .outerjoin(pars, (pars.c.number == puzzles.c.number) & (pars.c.length == puzzles.c.length))
        .where(puzzles.c.number >= since, pars.c.number.is_(None))
        .order_by(puzzles.c.number.desc(), puzzles.c.length)
    )
    return [(row["number"], row["length"]) for row in (await tx.execute(query)).mappings()]

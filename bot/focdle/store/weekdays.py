"""How dailies went in a server, date by date."""

from dataclasses import dataclass
from typing import Final

from sqlalchemy import bindparam, func, select

from bot.db.database import Transaction
from bot.db.tables import FIRST_PLAYER, plays, puzzles
from bot.people.store.preferences import hides


@dataclass(frozen=True, slots=True)
class DateRow:
    """How many have finished a daily on its date, and how many of them have solved it."""

    number: int
    finished: int
    solved: int


# The latest dates first, so that no more is read of a large server than is wanted.
_LATEST: Final = (
    select(puzzles.c.number, plays.c.outcome)
    .join_from(puzzles, plays, plays.c.puzzle_id == puzzles.c.id)
    .where(
        puzzles.c.length == bindparam("length"),
        puzzles.c.number.between(bindparam("first"), bindparam("last")),
        plays.c.guild_id == bindparam("guild"),
        plays.c.player_id + 0 >= FIRST_PLAYER,
        plays.c.on_date,
        ~hides(plays.c.player_id),
    )
    .order_by(puzzles.c.number.desc())
    .limit(bindparam("most"))
    .subquery()
)
_DATES: Final = (
    select(_LATEST.c.number, func.count(), func.count().filter(_LATEST.c.outcome == "solved"))
    .group_by(_LATEST.c.number)
    .order_by(_LATEST.c.number)
)


async def dates(
    tx: Transaction, guild_id: int, length: int, first: int, last: int, *, most: int
) -> list[DateRow]:
    """The dates of which a server's players have finished the daily, between two numbers.

    Args:
        tx: the transaction.
        guild_id: where it was opened; hidden players are left out.
        length: of the puzzles.
        first: the first number.
        last: the last number.
        most: so many plays are counted, the latest; of the earliest date only some may be.
    """
    values = {"guild": guild_id, "length": length, "first": first, "last": last, "most": most}
    found = [DateRow(*row) for row in await tx.execute(_DATES, values)]
    return found[1:] if sum(row.finished for row in found) == most else found

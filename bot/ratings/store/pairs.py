"""What two players have with each other: how their duels went, and what they chose."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Select, bindparam, func, select

from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.once import once
from bot.db.tables import duel_seats as seats
from bot.db.tables import duels
from bot.ratings.model.ratings import HeadToHead


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """What was chosen for a duel, as it is stored."""

    rules: str
    mode: str
    rated: bool


_MINE: Final = seats.alias("mine")
_OTHERS: Final = seats.alias("others")
_LAST_CHOICE: Final = (
    select(*columns_of(ChoiceRow, duels))
    .join(_MINE, (_MINE.c.duel_id == duels.c.id) & (_MINE.c.player_id == bindparam("one")))
    .join(_OTHERS, (_OTHERS.c.duel_id == duels.c.id) & (_OTHERS.c.player_id == bindparam("other")))
    .where(duels.c.accepted_at.is_not(None))
    .order_by(duels.c.id.desc())
    .limit(1)
)


async def record(
    tx: Transaction, player_id: int, other_id: int, endings: Sequence[str]
) -> HeadToHead:
    """How the duels of two players that ended in one of these ways went, for the first."""
    return HeadToHead(*(await tx.execute(*_record(player_id, other_id, endings))).one())


@once
def _record(player_id: int, other_id: int, endings: Sequence[str]) -> Select[int, int, int]:
    mine, other = seats.alias("mine"), seats.alias("other")
    return (
        select(
            func.count().filter(duels.c.winner == mine.c.seat).label("won"),
            func.count().filter(duels.c.winner.is_(None)).label("drawn"),
            func.count().filter(duels.c.winner == other.c.seat).label("lost"),
        )
        .select_from(duels)
        .join(mine, (mine.c.duel_id == duels.c.id) & (mine.c.player_id == player_id))
        .join(other, (other.c.duel_id == duels.c.id) & (other.c.player_id == other_id))
        .where(duels.c.ending.in_(endings))
    )


async def last_choice(tx: Transaction, player_id: int, other_id: int) -> ChoiceRow | None:
    """What two players have chosen for their last duel; None without one."""
    bound = {"one": player_id, "other": other_id}
    found = (await tx.execute(_LAST_CHOICE, bound)).one_or_none()
    return None if found is None else ChoiceRow(*found)

"""What had been solved before a play: by its player, and in its server."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, or_, select

from bot.db.database import Transaction
from bot.db.tables import FIRST_PLAYER, guesses, hints, plays, puzzles
from bot.people.store.preferences import hides


@dataclass(frozen=True, slots=True)
class EarlierRow:
    """What had been solved before a play.

    Attributes:
        is_first: whether its player had not solved any yet, dailies only for a daily.
        best: the fewest guesses of the player's dailies of the length, on date and without hints.
        has_others: whether other players have finished dailies in the server.
        is_first_here: whether none of them had solved this puzzle.
        is_first_hard: whether its player had solved nothing in hard mode.
    """

    is_first: bool
    best: int | None
    has_others: bool
    is_first_here: bool
    is_first_hard: bool


_IS_HIDDEN: Final = hides(plays.c.player_id)
_TOOK: Final = select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery()


def _before() -> ColumnElement[bool]:
    """Of a play: it was solved before the one in question."""
    at = bindparam("finished_at", type_=plays.c.finished_at.type)
    return and_(
        plays.c.outcome == "solved",
        or_(
            plays.c.finished_at < at,
            and_(plays.c.finished_at == at, plays.c.id < bindparam("of_play")),
        ),
    )


_MINE: Final = plays.c.player_id == bindparam("player")
_OTHERS_HERE: Final = (
    # A sum, or the index by server would not be used.
    plays.c.guild_id == bindparam("guild"),
    plays.c.player_id + 0 >= FIRST_PLAYER,
    plays.c.player_id + 0 != bindparam("player"),
    plays.c.on_date,
    ~_IS_HIDDEN,
)
_SAME_PUZZLE: Final = (
    puzzles.c.number == bindparam("number"),
    puzzles.c.length == bindparam("length"),
)
_SOLVED: Final = exists(plays.c.id).where(
    _MINE,
    _before(),
    plays.c.puzzle_id == puzzles.c.id,
    or_(puzzles.c.number.is_not(None), bindparam("number", type_=puzzles.c.number.type).is_(None)),
)
_BEST: Final = (
    select(func.min(_TOOK))
    .join_from(plays, puzzles)
    .where(
        _MINE,
        _before(),
        plays.c.on_date,
        puzzles.c.length == bindparam("length"),
        ~exists().where(hints.c.play_id == plays.c.id),
    )
    .scalar_subquery()
)
_OTHERS: Final = exists(plays.c.id).where(*_OTHERS_HERE)
_SOLVED_HERE: Final = exists(plays.c.id).where(
    *_OTHERS_HERE, _before(), plays.c.puzzle_id == puzzles.c.id, *_SAME_PUZZLE
)
_SOLVED_HARD: Final = exists(plays.c.id).where(_MINE, _before(), plays.c.hard)
_EARLIER: Final = select(
    (~_SOLVED).label("is_first"),
    _BEST.label("best"),
    _OTHERS.label("has_others"),
    (~_SOLVED_HERE).label("is_first_here"),
    (~_SOLVED_HARD).label("is_first_hard"),
)
_MOST_SOLVED: Final = (
    select(puzzles.c.length)
    .join_from(plays, puzzles)
    .where(_MINE, plays.c.outcome == "solved")
    .group_by(puzzles.c.length)
    .order_by(func.count().desc(), puzzles.c.length)
    .limit(1)
)


async def find(
    tx: Transaction,
    play_id: int,
    *,
    player_id: int,
    guild_id: int | None,
    number: int | None,
    length: int,
    finished_at: datetime,
) -> EarlierRow:
    """What had been solved before a play; hidden players count as if they had not played."""
    values = {
        "of_play": play_id,
        "player": player_id,
        "guild": guild_id,
        "number": number,
        "length": length,
        "finished_at": finished_at,
    }
    return EarlierRow(*(await tx.execute(_EARLIER, values)).one())


async def length_most_solved(tx: Transaction, player_id: int) -> int | None:
    """The length at which a player has solved most, the shortest of several; None without any."""
    length: int | None = await tx.scalar(_MOST_SOLVED, {"player": player_id})
    return length

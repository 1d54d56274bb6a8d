"""SQL of leaderboards: their rows, ranks, and the queue of players whose rows are to be rebuilt."""

from collections.abc import Collection
from dataclasses import asdict, dataclass
from typing import Final

from sqlalchemy import (
    ColumnElement,
    FromClause,
    Select,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
)

from bot.db import keys
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.games import plays, puzzles, rating_changes
from bot.db.tables.kinds import FIRST_PLAYER
from bot.db.tables.people import members, standing_rebuilds
from bot.db.tables.people import standings as rows


def queue_since(tx: Transaction, guild_id: int, number: int) -> None:
    """Queue members of a server, so that their leaderboard rows are rebuilt.

    They are those who finished a daily on its date, of any length, with this number or a later one.
    """
    there = (members.c.player_id == plays.c.player_id) & (members.c.guild_id == guild_id)
    finished = (plays.c.on_date, puzzles.c.number >= number)
    who = select(plays.c.player_id).join_from(puzzles, plays).join(members, there)
    _queue(tx, who.where(*finished))


def queue_opponents(tx: Transaction, player_id: int) -> None:
    """Queue all opponents in a player's rated duels, so that their rows are rebuilt."""
    mine = select(rating_changes.c.duel_id).where(rating_changes.c.player_id == player_id)
    is_other = rating_changes.c.opponent_id == player_id
    there = select(rating_changes.c.player_id).where(
        rating_changes.c.duel_id.in_(mine), is_other, rating_changes.c.player_id >= FIRST_PLAYER
    )
    _queue(tx, there)


def _queue(tx: Transaction, who: Select[tuple[int]]) -> None:
    tx.about(keys.REBUILDS)
    there = who.distinct().subquery()
    is_queued = exists().where(standing_rebuilds.c.player_id == there.c.player_id)
    new = select(there.c.player_id).where(~is_queued)
    tx.execute(insert(standing_rebuilds).from_select(["player_id"], new))


def queued(tx: Transaction, most: int, *, after: int = 0) -> list[int]:
    """List players in the queue, by id: the first `most` whose ids are above `after`."""
    query = (
        select(standing_rebuilds.c.player_id)
        .where(standing_rebuilds.c.player_id > after)
        .order_by(standing_rebuilds.c.player_id)
    )
    return list(tx.scalars(query.limit(most)).all())


def dequeue(tx: Transaction, player_id: int) -> bool:
    """Take a player off the queue; return false if the player was not queued.

    What is read afterwards includes all changes that led to the queueing.
    """
    tx.about(keys.REBUILDS)
    mine = delete(standing_rebuilds).where(standing_rebuilds.c.player_id == player_id)
    return tx.execute(mine).rowcount > 0


# The rows of leaderboards. A row is ranked by an integer, its sort key, lowest first; a rank counts
# the lower keys, which are a range of an index of all keys of a leaderboard. A row that is missing
# games is not shown yet.

NO_RANK: Final = 1 << 60
"""The least sort key of rows without a rank, which stand below all that have one."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player's stored row of a leaderboard; it is not shown as long as it is missing games."""

    guild_id: int
    slot: str
    missing: int
    sort_key: int
    figures: str


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row that a leaderboard shows, with its rank; 0 for none."""

    rank: int
    player_id: int
    sort_key: int
    figures: str


_ROWS: Final = select(*columns_of(StandingRow, rows))
_INSERT: Final = insert(rows)
_REMOVE: Final = delete(rows).where(
    rows.c.player_id == bindparam("player"),
    rows.c.guild_id == bindparam("of_guild"),
    rows.c.slot == bindparam("of_slot"),
)


def of_player(tx: Transaction, player_id: int) -> list[StandingRow]:
    return [StandingRow(*row) for row in tx.execute(_ROWS.where(rows.c.player_id == player_id))]


def get(tx: Transaction, player_id: int, guild_id: int, slot: str) -> StandingRow | None:
    query = _ROWS.where(rows.c.player_id == player_id, *_on(guild_id, slot))
    row = tx.execute(query).one_or_none()
    return None if row is None else StandingRow(*row)


def replace(
    tx: Transaction, player_id: int, old: Collection[StandingRow], new: Collection[StandingRow]
) -> None:
    """Replace a player's rows; `old` must be all that are stored."""
    if gone := set(old) - set(new):
        keys = [(row.guild_id, row.slot) for row in gone]
        named = [{"player": player_id, "of_guild": guild, "of_slot": slot} for guild, slot in keys]
        tx.execute(_REMOVE, named)
    if added := set(new) - set(old):
        tx.execute(_INSERT, [{"player_id": player_id, **asdict(row)} for row in added])


def _on(guild_id: int, slot: str, board: FromClause = rows) -> tuple[ColumnElement[bool], ...]:
    return board.c.guild_id == guild_id, board.c.slot == slot


def _shown(guild_id: int, slot: str, board: FromClause = rows) -> tuple[ColumnElement[bool], ...]:
    return *_on(guild_id, slot, board), board.c.missing == 0


def count(tx: Transaction, guild_id: int, slot: str) -> int:
    """Count the rows that a leaderboard shows."""
    query = select(func.count()).where(*_shown(guild_id, slot))
    return tx.execute(query).scalar_one()


def is_filled(tx: Transaction, guild_id: int, slot: str) -> bool:
    query = select(literal(1)).where(*_shown(guild_id, slot)).limit(1)
    return tx.scalar(query) is not None


def count_before(tx: Transaction, guild_id: int, slot: str, sort_key: int) -> int:
    query = select(func.count()).where(*_shown(guild_id, slot), rows.c.sort_key < sort_key)
    return tx.execute(query).scalar_one()


def count_tied_before(
    tx: Transaction, guild_id: int, slot: str, sort_key: int, player_id: int
) -> int:
    """Count the rows with the same sort key that stand before a player's, by their lower ids."""
    tied = (rows.c.sort_key == sort_key, rows.c.player_id < player_id)
    query = select(func.count()).where(*_shown(guild_id, slot), *tied)
    return tx.execute(query).scalar_one()


def ranked(
    tx: Transaction, guild_id: int, slot: str, *, offset: int, limit: int
) -> list[RankedRow]:
    """Read rows that a leaderboard shows, by sort key, then by player's id, from an offset on."""
    # The index, without figures, is enough to skip rows.
    there = (
        select(rows.c.player_id, rows.c.sort_key)
        .where(*_shown(guild_id, slot))
        .order_by(rows.c.sort_key, rows.c.player_id)
        .offset(offset)
        .limit(limit)
        .subquery()
    )
    query = (
        select(there.c.player_id, there.c.sort_key, rows.c.figures)
        .join_from(there, rows, rows.c.player_id == there.c.player_id)
        .where(*_on(guild_id, slot))
        .order_by(there.c.sort_key, there.c.player_id)
    )
    found: list[RankedRow] = []
    for place, (player_id, sort_key, figures) in enumerate(tx.execute(query), offset + 1):
        if sort_key >= NO_RANK:
            rank = 0
        elif found:
            rank = found[-1].rank if sort_key == found[-1].sort_key else place
        else:
            rank = 1 + count_before(tx, guild_id, slot, sort_key)
        found.append(RankedRow(rank, player_id, sort_key, figures))
    return found


def leaders(tx: Transaction, guild_id: int, slot: str) -> dict[int, str]:
    """Map the players who share the first rank of a leaderboard to their encoded figures."""
    first = select(func.min(rows.c.sort_key)).where(*_shown(guild_id, slot)).scalar_subquery()
    is_first = (rows.c.sort_key == first, rows.c.sort_key < NO_RANK)
    query = select(rows.c.player_id, rows.c.figures).where(*_shown(guild_id, slot), *is_first)
    return dict(tx.execute(query).all())


_mine: Final = rows.alias("mine")


def ranks(tx: Transaction, player_ids: Collection[int], guild_id: int, slot: str) -> dict[int, int]:
    """Map these players to their ranks on a leaderboard; those without one are left out."""
    is_before = rows.c.sort_key < _mine.c.sort_key
    before = select(func.count()).where(*_shown(guild_id, slot), is_before)
    query = select(_mine.c.player_id, 1 + before.scalar_subquery()).where(
        _mine.c.player_id.in_(player_ids),
        *_shown(guild_id, slot, _mine),
        _mine.c.sort_key < NO_RANK,
    )
    return dict(tx.execute(query).all())


def nearest_to_rank(tx: Transaction, guild_id: int, slot: str, most: int) -> dict[int, int]:
    """Map up to `most` players whose rows are not shown yet to the games that these are missing.

    Those who miss fewest come first.
    """
    query = select(rows.c.player_id, rows.c.missing).where(*_on(guild_id, slot), rows.c.missing > 0)
    return dict(tx.execute(query.order_by(rows.c.missing, rows.c.player_id).limit(most)).all())

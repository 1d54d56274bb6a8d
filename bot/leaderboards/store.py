"""Rows of leaderboards, ranks, and rebuilds that are due."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Integer,
    Select,
    bindparam,
    delete,
    exists,
    func,
    insert,
    literal,
    select,
    update,
)

from bot.db import keys
from bot.db.database import Transaction
from bot.db.keyed import columns_of, once
from bot.db.tables import (
    FIRST_PLAYER,
    members,
    plays,
    puzzles,
    rating_changes,
    standing_levels,
    standing_rebuilds,
)
from bot.db.tables import standings as rows


def since(tx: Transaction, guild_id: int, number: int) -> None:
    """Let rows be worked out anew: of members who have finished such a daily, or a later one.

    Args:
        tx: the transaction.
        guild_id: the server.
        number: the daily's, finished on its date.
    """
    there = (members.c.player_id == plays.c.player_id) & (members.c.guild_id == guild_id)
    _queue(tx, _WAITING.join(members, there).where(puzzles.c.number >= number))


def opponents(tx: Transaction, player_id: int) -> None:
    """Let rows of duels be worked out anew: of whoever has played a rated one with this player."""
    mine = select(rating_changes.c.duel_id).where(rating_changes.c.player_id == player_id)
    is_other = rating_changes.c.opponent_id == player_id
    there = select(rating_changes.c.player_id).where(
        rating_changes.c.duel_id.in_(mine), is_other, rating_changes.c.player_id >= FIRST_PLAYER
    )
    _queue(tx, there, duels_only=True)


_WAITING: Final = (
    select(plays.c.player_id)
    .select_from(puzzles)
    .join(plays)
    .where(plays.c.on_date, plays.c.player_id >= FIRST_PLAYER)
)


def _queue(tx: Transaction, who: Select[tuple[int]], *, duels_only: bool = False) -> None:
    queue = standing_rebuilds.c
    tx.about(keys.REBUILDS)
    if not duels_only:  # whoever waits for the sake of duels waits for all now
        # Not by their ids: those who wait so are few, and those asked for may be many.
        also = update(standing_rebuilds).where(queue.duels_only, (queue.player_id + 0).in_(who))
        tx.execute(also.values(duels_only=False))
    there = who.distinct().subquery()
    new = select(there.c.player_id, literal(duels_only)).where(
        ~exists().where(queue.player_id == there.c.player_id)
    )
    tx.execute(insert(standing_rebuilds).from_select(["player_id", "duels_only"], new))


def following(tx: Transaction, most: int, *, after: int = 0) -> list[int]:
    """Some of the players whose rows are to be worked out anew: in order, after this one."""
    query = (
        select(standing_rebuilds.c.player_id)
        .where(standing_rebuilds.c.player_id > after)
        .order_by(standing_rebuilds.c.player_id)
    )
    return list(tx.scalars(query.limit(most)).all())


def leave(tx: Transaction, player_id: int) -> bool | None:
    """Note that a player waits no longer; whether it was for rows of duels only.

    None if the player did not wait. What is read from then on has all that they waited for.
    """
    tx.about(keys.REBUILDS)
    mine = delete(standing_rebuilds).where(standing_rebuilds.c.player_id == player_id)
    found = tx.execute(mine.returning(standing_rebuilds.c.duels_only))
    return found.scalar_one_or_none()


# The rows of leaderboards, in an order in which any rank is found without counting them all. A row
# is ranked by one whole number, its sort key, lowest first. The upper bits of a key are its level;
# a count of rows at each level of a leaderboard stands beside the rows. A rank is the sum over the
# levels before a row's own, which are few (points, a mean in hundredths), and a count within its
# level, a range of an index; a page deep in a leaderboard is found likewise. Neither grows with the
# number of players as counting all rows before it would.

LEVEL_BITS: Final = 44
"""How many lower bits of a sort key tell rows of one level apart."""
NO_RANK: Final = 1 << LEVEL_BITS + 16
"""From this sort key on rows stand in order, below all others, and have no rank."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """A player's row on a leaderboard; without a sort key it is not ranked yet."""

    guild_id: int
    slot: str
    sort_key: int | None
    figures: str


@dataclass(frozen=True, slots=True)
class RankedRow:
    """A row of a leaderboard, with its rank; 0 for none."""

    rank: int
    player_id: int
    sort_key: int
    figures: str


_ROWS: Final = select(*columns_of(StandingRow, rows))
_OF_PLAYER: Final = _ROWS.where(rows.c.player_id == bindparam("player"))


def of_player(tx: Transaction, player_id: int) -> list[StandingRow]:
    """All rows of a player."""
    return [StandingRow(*row) for row in tx.execute(_OF_PLAYER, {"player": player_id})]


def get(tx: Transaction, player_id: int, guild_id: int, slot: str) -> StandingRow | None:
    """A player's row on a leaderboard."""
    row = tx.execute(*_row(player_id, guild_id, slot)).one_or_none()
    return None if row is None else StandingRow(*row)


@once
def _row(player_id: int, guild_id: int, slot: str) -> Select[*tuple[Any, ...]]:
    return _ROWS.where(
        rows.c.player_id == player_id, rows.c.guild_id == guild_id, rows.c.slot == slot
    )


_PLACE: Final = (
    rows.c.player_id == bindparam("player"),
    rows.c.guild_id == bindparam("of_guild"),
    rows.c.slot == bindparam("of_slot"),
)
_REMOVE: Final = delete(rows).where(*_PLACE)
_CHANGE: Final = (
    update(rows)
    .where(*_PLACE)
    .values(sort_key=bindparam("new_key"), figures=bindparam("new_figures"))
)
_INSERT: Final = insert(rows).values(
    player_id=bindparam("player"),
    guild_id=bindparam("of_guild"),
    slot=bindparam("of_slot"),
    sort_key=bindparam("new_key"),
    figures=bindparam("new_figures"),
)


def replace(
    tx: Transaction, player_id: int, old: Collection[StandingRow], new: Collection[StandingRow]
) -> None:
    """Put rows of a player in place of others, which must be as they are stored."""
    before, after = set(old) - set(new), set(new) - set(old)
    had, has = ({(row.guild_id, row.slot) for row in changed} for changed in (before, after))
    for statement, changed, places in (
        (_REMOVE, before, had - has),
        (_CHANGE, after, had & has),
        (_INSERT, after, has - had),
    ):
        values = [
            {
                "player": player_id,
                "of_guild": row.guild_id,
                "of_slot": row.slot,
                "new_key": row.sort_key,
                "new_figures": row.figures,
            }
            for row in changed
            if (row.guild_id, row.slot) in places
        ]
        if values:
            tx.execute(statement, values)
    _count(tx, before, after)


def remove_some(
    tx: Transaction, guild_id: int, most: int, which: Collection[ColumnElement[bool]] = ()
) -> int:
    """Delete some rows of a server's leaderboards, perhaps of certain ones only; how many."""
    theirs = (rows.c.guild_id == guild_id, *which)
    query = _ROWS.add_columns(rows.c.player_id).where(*theirs).limit(most)
    found: list[StandingRow] = []
    values: list[dict[str, int | str]] = []
    for *row, player_id in tx.execute(query):
        found.append(StandingRow(*row))
        values.append({"player": player_id, "of_guild": guild_id, "of_slot": found[-1].slot})
    if values:
        tx.execute(_REMOVE, values)
    _count(tx, found, [])
    return len(found)


_LEVEL: Final = (
    standing_levels.c.guild_id == bindparam("of_guild"),
    standing_levels.c.slot == bindparam("of_slot"),
    standing_levels.c.level == bindparam("of_level"),
)
_OPEN: Final = insert(standing_levels).from_select(
    ["guild_id", "slot", "level", "players"],
    select(
        bindparam("of_guild", type_=rows.c.guild_id.type),
        bindparam("of_slot", type_=rows.c.slot.type),
        bindparam("of_level", type_=standing_levels.c.level.type),
        literal(0),
    ).where(~exists().where(*_LEVEL)),
)
_ADD: Final = (
    update(standing_levels)
    .where(*_LEVEL)
    .values(players=standing_levels.c.players + bindparam("more"))
)
_CLOSE: Final = delete(standing_levels).where(*_LEVEL, standing_levels.c.players == 0)


def _count(
    tx: Transaction, before: Collection[StandingRow], after: Collection[StandingRow]
) -> None:
    """Change the counts of rows at each level."""
    more: Counter[tuple[int, str, int]] = Counter()
    for changed, by in ((before, -1), (after, 1)):
        for row in changed:
            if row.sort_key is not None:
                more[row.guild_id, row.slot, row.sort_key >> LEVEL_BITS] += by

    def keys(sign: int) -> list[dict[str, int | str]]:
        return [
            {"of_guild": guild_id, "of_slot": slot, "of_level": level, "more": by}
            for (guild_id, slot, level), by in more.items()
            if by * sign > 0
        ]

    added, removed = keys(1), keys(-1)
    if added:
        tx.execute(_OPEN, added)
    if added or removed:
        tx.execute(_ADD, [*added, *removed])
    if removed:
        tx.execute(_CLOSE, removed)


def count(tx: Transaction, guild_id: int, slot: str) -> int:
    """How many rows a leaderboard has, without those that have no sort key."""
    return tx.execute(*_sum(guild_id, slot)).scalar_one()


@once
def _sum(guild_id: int, slot: str) -> Select[int]:
    return select(func.coalesce(func.sum(standing_levels.c.players), 0)).where(
        standing_levels.c.guild_id == guild_id, standing_levels.c.slot == slot
    )


def count_before(tx: Transaction, guild_id: int, slot: str, sort_key: int) -> int:
    """How many rows of a leaderboard have a lower key."""
    level = sort_key >> LEVEL_BITS
    query = _before(guild_id, slot, level, level << LEVEL_BITS, sort_key)
    return tx.execute(*query).scalar_one()


@once
def _before(guild_id: int, slot: str, level: int, lowest: int, sort_key: int) -> Select[int]:
    levels = select(func.coalesce(func.sum(standing_levels.c.players), 0)).where(
        standing_levels.c.guild_id == guild_id,
        standing_levels.c.slot == slot,
        standing_levels.c.level < level,
    )
    within = select(func.count()).where(
        rows.c.guild_id == guild_id,
        rows.c.slot == slot,
        rows.c.sort_key >= lowest,
        rows.c.sort_key < sort_key,
    )
    return select(levels.scalar_subquery() + within.scalar_subquery())


def count_tied_before(
    tx: Transaction, guild_id: int, slot: str, sort_key: int, player_id: int
) -> int:
    """How many rows of a leaderboard with this key stand before a player's."""
    return tx.execute(*_tied(guild_id, slot, sort_key, player_id)).scalar_one()


@once
def _tied(guild_id: int, slot: str, sort_key: int, player_id: int) -> Select[int]:
    return select(func.count()).where(
        rows.c.guild_id == guild_id,
        rows.c.slot == slot,
        rows.c.sort_key == sort_key,
        rows.c.player_id < player_id,
    )


def ranked(
    tx: Transaction, guild_id: int, slot: str, *, offset: int, limit: int
) -> list[RankedRow]:
    """Rows of a leaderboard in order, of a key those of lower ids first, from an offset on."""
    start = _level_at(tx, guild_id, slot, offset)
    if start is None:
        return []
    level, before = start
    query = _from(guild_id, slot, level << LEVEL_BITS, offset - before, limit)
    found: list[RankedRow] = []
    for place, (player_id, sort_key, figures) in enumerate(tx.execute(*query), offset + 1):
        if sort_key >= NO_RANK:
            rank = 0
        elif not found:
            rank = 1 + count_before(tx, guild_id, slot, sort_key)
        elif sort_key == found[-1].sort_key:
            rank = found[-1].rank
        else:
            rank = place
        found.append(RankedRow(rank, player_id, sort_key, figures))
    return found


@once
def _from(guild_id: int, slot: str, lowest: int, passed: int, most: int) -> Select[int, int, str]:
    # Where thousands tie, thousands are passed over: in the index alone, without their figures.
    there = (
        select(rows.c.player_id, rows.c.sort_key)
        .where(
            rows.c.guild_id == guild_id,
            rows.c.slot == slot,
            rows.c.sort_key >= lowest,
        )
        .order_by(rows.c.sort_key, rows.c.player_id)
        .offset(passed)
        .limit(most)
        .subquery()
    )
    return (
        select(there.c.player_id, there.c.sort_key, rows.c.figures)
        .select_from(there)
        .join(rows, rows.c.player_id == there.c.player_id)
        .where(rows.c.guild_id == guild_id, rows.c.slot == slot)
        .order_by(there.c.sort_key, there.c.player_id)
    )


def _level_at(tx: Transaction, guild_id: int, slot: str, offset: int) -> tuple[int, int] | None:
    """The level of the row at an offset, and how many rows come before that level."""
    row = tx.execute(*_last_level(guild_id, slot, offset)).one_or_none()
    return None if row is None else (row.level, row.before)


@once
def _last_level(guild_id: int, slot: str, offset: int) -> Select[int, int]:
    up_to = func.sum(standing_levels.c.players).over(order_by=standing_levels.c.level)
    levels = (
        select(standing_levels.c.level, (up_to - standing_levels.c.players).label("before"))
        .where(standing_levels.c.guild_id == guild_id, standing_levels.c.slot == slot)
        .subquery()
    )
    return (
        select(levels.c.level, levels.c.before)
        .where(levels.c.before <= offset)
        .order_by(levels.c.level.desc())
        .limit(1)
    )


@dataclass(frozen=True, slots=True)
class BehindRow:
    """A player ranked behind another one, the name in the server, and how many are behind."""

    player_id: int
    name: str
    total: int


_mine: Final = rows.alias("mine")
_BITS: Final = literal(LEVEL_BITS, Integer)  # which PostgreSQL does not take for another bigint
_LEVEL_RANKS: Final = _mine.c.sort_key.bitwise_rshift(_BITS)
_LEVELS: Final = select(func.coalesce(func.sum(standing_levels.c.players), 0)).where(
    standing_levels.c.guild_id == _mine.c.guild_id, standing_levels.c.slot == _mine.c.slot
)
_WITHIN: Final = select(func.count()).where(
    rows.c.guild_id == _mine.c.guild_id,
    rows.c.slot == _mine.c.slot,
    rows.c.sort_key >= _LEVEL_RANKS.bitwise_lshift(_BITS),
    rows.c.sort_key < _mine.c.sort_key,
)
_PLACE_RANKS: Final = (
    1
    + _LEVELS.where(standing_levels.c.level < _LEVEL_RANKS).scalar_subquery()
    + _WITHIN.scalar_subquery()
)
_ON_BOARD: Final = (_mine.c.guild_id == bindparam("guild")) & (_mine.c.slot == bindparam("of_slot"))
_theirs: Final = rows.alias("theirs")
_NOT_BEHIND: Final = (
    select(func.count())
    .where(
        rows.c.guild_id == _mine.c.guild_id,
        rows.c.slot == _mine.c.slot,
        rows.c.sort_key >= _LEVEL_RANKS.bitwise_lshift(_BITS),
        rows.c.sort_key <= _mine.c.sort_key,
    )
    .scalar_subquery()
)
_BEHIND: Final = (
    select(
        _theirs.c.player_id,
        members.c.name,
        _LEVELS.where(standing_levels.c.level >= _LEVEL_RANKS).scalar_subquery() - _NOT_BEHIND,
    )
    .join_from(
        _mine,
        _theirs,
        (_theirs.c.guild_id == _mine.c.guild_id)
        & (_theirs.c.slot == _mine.c.slot)
        & (_theirs.c.sort_key > _mine.c.sort_key),
    )
    .join(
        members,
        (members.c.guild_id == _mine.c.guild_id) & (members.c.player_id == _theirs.c.player_id),
    )
    .where(_ON_BOARD, _mine.c.player_id == bindparam("player"))
    .order_by(_theirs.c.sort_key, _theirs.c.player_id)
    .limit(bindparam("most"))
)
_RANKS: Final = select(_mine.c.player_id, _PLACE_RANKS).where(
    _ON_BOARD,
    _mine.c.player_id.in_(bindparam("players", expanding=True)),
    _mine.c.sort_key < NO_RANK,
)
_UNRANKED: Final = (
    select(_mine.c.player_id, _mine.c.figures)
    .where(_ON_BOARD, _mine.c.sort_key.is_(None))
    .limit(bindparam("most"))
)


def behind(tx: Transaction, player_id: int, guild_id: int, slot: str, most: int) -> list[BehindRow]:
    """Some of those who are ranked behind a player on a leaderboard, the nearest first."""
    values = {"player": player_id, "guild": guild_id, "of_slot": slot, "most": most}
    return [BehindRow(*row) for row in tx.execute(_BEHIND, values)]


def of_players(
    tx: Transaction, player_ids: Collection[int], guild_id: int, slot: str
) -> dict[int, int]:
    """The ranks of some players on a leaderboard, of those who have one."""
    values = {"players": list(player_ids), "guild": guild_id, "of_slot": slot}
    return dict(tx.execute(_RANKS, values).all())


def unranked(tx: Transaction, guild_id: int, slot: str, most: int) -> dict[int, str]:
    """The figures of some players whose rows on a leaderboard are not ranked yet."""
    values = {"guild": guild_id, "of_slot": slot, "most": most}
    return {row.player_id: row.figures for row in tx.execute(_UNRANKED, values)}

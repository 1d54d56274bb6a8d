"""SQL of deletions of players and servers."""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Select,
    Table,
    and_,
    case,
    delete,
    exists,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import Schedule
from bot.db.tables.games import (
    FLEETING,
    UNPLAYED,
    UNRACED,
    analyses,
    duel_seats,
    duels,
    equations,
    masterminds,
    plays,
    puzzles,
    race_seats,
    races,
    rating_changes,
)
from bot.db.tables.kinds import FIRST_PLAYER, Fate, Who, is_of, naming
from bot.db.tables.people import (
    champions,
    departed_guilds,
    erasures,
    guild_lengths,
    zones,
)
from bot.leaderboards import store as leaderboards_store
from bot.moderation import store as moderation_store
from bot.posts import store as posts_store
from bot.races import store as races_store

_NOWHERE: Final = 0

# Conditions of finished games: the public board shows the end.
_IS_SHOWN: Final[dict[Table, ColumnElement[bool]]] = {
    masterminds: or_(
        masterminds.c.message_id.is_(None), masterminds.c.shown >= masterminds.c.revision
    ),
    duels: or_(duels.c.message_id.is_(None), duels.c.stale_at.is_(None)),
}


def erase(tx: Transaction, player_id: int, stand_in: int, now: datetime) -> None:
    """Put a stand-in in place of a player in all games, and delete the player's own rows.

    Games without another player are left to `delete_some`, as there may be very many. Public boards
    that name the player are queued for an edit. The row of a champion's role stays until the bot
    has taken the role back. Others' choices about the player stay, too.

    The caller has ended the player's running duels and challenges. Only a challenge whose code
    another player is breaking goes on. Each deletion has a stand-in of its own.
    """
    leaderboards_store.replace(tx, player_id, leaderboards_store.of_player(tx, player_id), [])
    _show_anew(tx, player_id, now)
    posts_store.leave_cards(tx, player_id, now)
    moderation_store.keep_digests(tx, player_id)
    # Columns without an index are searched by seats in duels.
    among = {duels: duels.c.id, rating_changes: rating_changes.c.duel_id}
    for column in naming(Who.PLAYER, Fate.GOES, Fate.LOSES_ID):
        table, mine = column.table, [column == player_id, is_of(column, Who.PLAYER)]
        if column.info[Who.PLAYER] is Fate.GOES:
            tx.execute(delete(table).where(*mine))
            continue
        if table in among:
            mine.append(among[table].in_(_duels_of_player(player_id, stand_in)))
        tx.execute(update(table).where(*mine).values({column: stand_in}))


def erase_from_choices(tx: Transaction, player_id: int) -> None:
    """Delete others' choices to take no challenges from a player."""
    for column in naming(Who.PLAYER, Fate.STAYS):
        tx.execute(delete(column.table).where(column == player_id))


def _show_anew(tx: Transaction, player_id: int, now: datetime) -> None:
    mine = or_(masterminds.c.owner_id == player_id, masterminds.c.codebreaker_id == player_id)
    is_public = masterminds.c.message_id.is_not(None)
    change = update(masterminds).where(mine, is_public)
    tx.execute(change.values(revision=masterminds.c.revision + 1))
    has_played = exists().where(
        plays.c.puzzle_id == equations.c.puzzle_id, plays.c.player_id == player_id
    )
    is_named = or_(equations.c.setter_id == player_id, has_played)
    is_public = equations.c.guild_id.is_not(None)
    change = update(equations).where(is_named, is_public)
    tx.execute(change.values(look_at=now, tried_at=None, shown=""))
    raced = (races_store.names(player_id), races.c.guild_id.is_not(None))
    tx.execute(update(races).where(*raced).values(look_at=now, tried_at=None, shown=""))
    is_public = duels.c.message_id.is_not(None)
    change = update(duels).where(duels.c.id.in_(_duels_of_player(player_id)), is_public)
    tx.execute(change.values(version=duels.c.version + 1, stale_at=now))


def _duels_of_player(*player_ids: int) -> Select[tuple[int]]:
    return select(duel_seats.c.duel_id).where(duel_seats.c.player_id.in_(player_ids))


remains_due: Final = Schedule(erasures.c.look_at)
"""When each stand-in's remaining rows are due for deletion."""


def queue_rest(tx: Transaction, stand_in: int, look_at: datetime) -> None:
    """Queue a stand-in's remaining rows for deletion, due at `look_at`."""
    keyed.put(tx, erasures, {"stand_in": stand_in}, {"look_at": look_at})


def remains_done(tx: Transaction, stand_in: int) -> None:
    tx.execute(delete(erasures).where(erasures.c.stand_in == stand_in))


def hand_over(tx: Transaction, player_id: int, stand_in: int, most: int) -> int:
    """Put a stand-in into some finished games that are the player's alone; return their number.

    These are plays of practices and set equations, and games of Mastermind, at most `most` of each
    kind; running ones stay the player's.
    """
    practices = (
        select(plays.c.id)
        .join_from(plays, puzzles)
        .where(plays.c.player_id == player_id, puzzles.c.number.is_(None))
        .where(plays.c.finished_at.is_not(None))
    )
    codes = _lonely_masterminds(player_id).where(masterminds.c.finished_at.is_not(None))
    breaker = case((masterminds.c.codebreaker_id == player_id, stand_in))
    handed = 0
    for table, which, values in (
        (plays, practices, {"player_id": stand_in}),
        (masterminds, codes, {"owner_id": stand_in, "codebreaker_id": breaker}),
    ):
        change = update(table).where(table.c.id.in_(which.limit(most)))
        handed += tx.execute(change.values(values)).rowcount
    return handed


def delete_some(tx: Transaction, stand_in: int, most: int) -> int:
    """Delete some rows of games that were a deleted player's alone, or have no player left.

    These are plays, games with the bot, the coach's analyses, set equations, and games in which no
    player is left and whose public boards name nobody any more.

    Returns:
        The number of rows, at most `most`; if it is less, none are left for now.
    """
    of_game = analyses.c.mastermind_id == masterminds.c.id
    broken = select(analyses.c.id).join_from(masterminds, analyses, of_game)
    of_seat = and_(analyses.c.duel_id == duel_seats.c.duel_id, analyses.c.seat == duel_seats.c.seat)
    seated = select(analyses.c.id).join_from(duel_seats, analyses, of_seat)
    deleted = _delete_plays(tx, stand_in, most)
    for table, which in (
        (masterminds, _lonely_masterminds(stand_in)),
        (duels, _duels_of(stand_in).where(duels.c.strength.is_not(None))),
        (analyses, broken.where(masterminds.c.codebreaker_id == stand_in)),
        (analyses, seated.where(duel_seats.c.player_id == stand_in)),
        (races, _races_of_nobody(stand_in).where(_IS_FINAL)),
        *((table, which.where(_IS_SHOWN[table])) for table, which in _of_nobody(stand_in)),
    ):
        if deleted < most:
            deleted += _delete(tx, table, which.limit(most - deleted))
    if deleted < most:
        deleted += _delete_equations(tx, stand_in, most - deleted)
    return deleted


def delete_fleeting(tx: Transaction, ended_by: datetime, most: int) -> int:
    """Delete some old games that were called off or never begun; return how many."""
    deleted = 0
    for table, is_fleeting in ((masterminds, FLEETING), (duels, UNPLAYED), (races, UNRACED)):
        ended = select(table.c.id).where(is_fleeting, table.c.finished_at <= ended_by)
        deleted += _delete(tx, table, ended.limit(most - deleted))
    return deleted


def waits_for_boards(tx: Transaction, stand_in: int) -> bool:
    """Return true while posts of set equations, or boards of nobody's games, may show the name."""
    shown_last = select(equations.c.puzzle_id).where(
        equations.c.setter_id == stand_in,
        equations.c.guild_id.is_not(None),
        equations.c.look_at.is_not(None),
    )
    raced = _races_of_nobody(stand_in).where(~_IS_FINAL)
    return any(tx.scalar(query.limit(1)) is not None for query in (shown_last, raced)) or any(
        tx.scalar(which.where(~_IS_SHOWN[table]).limit(1)) is not None
        for table, which in _of_nobody(stand_in)
    )


def _delete(tx: Transaction, table: Table, which: Select[int]) -> int:
    ids = tx.scalars(which).all()
    if ids:
        tx.execute(delete(table).where(table.c.id.in_(ids)))
    return len(ids)


def _delete_plays(tx: Transaction, stand_in: int, most: int) -> int:
    query = select(plays.c.id, plays.c.puzzle_id).where(plays.c.player_id == stand_in).limit(most)
    found = tx.execute(query).all()
    if found:
        tx.execute(delete(plays).where(plays.c.id.in_([row.id for row in found])))
        # A practice's puzzle is its player's alone.
        practices = delete(puzzles).where(puzzles.c.number.is_(None), puzzles.c.closes_at.is_(None))
        tx.execute(practices.where(puzzles.c.id.in_([row.puzzle_id for row in found])))
    return len(found)


def _delete_equations(tx: Transaction, stand_in: int, most: int) -> int:
    """Delete equations that a deleted player set, if nobody who is left has played them.

    Posts that must still be edited keep their equations. Returns the number.
    """
    is_played = exists().where(
        plays.c.puzzle_id == equations.c.puzzle_id, plays.c.player_id >= FIRST_PLAYER
    )
    is_final = or_(equations.c.look_at.is_(None), equations.c.guild_id.is_(None))
    query = select(equations.c.puzzle_id).where(
        equations.c.setter_id == stand_in, is_final, ~is_played
    )
    ids = tx.scalars(query.limit(most)).all()
    if ids:
        tx.execute(delete(plays).where(plays.c.puzzle_id.in_(ids)))
        tx.execute(delete(equations).where(equations.c.puzzle_id.in_(ids)))
        tx.execute(delete(puzzles).where(puzzles.c.id.in_(ids)))
    return len(ids)


_IS_FINAL: Final = or_(races.c.guild_id.is_(None), races.c.look_at.is_(None))


def _races_of_nobody(stand_in: int) -> Select[int]:
    others = exists().where(
        race_seats.c.race_id == races.c.id, race_seats.c.player_id >= FIRST_PLAYER
    )
    is_over = races.c.finished_at.is_not(None)
    mine = (races_store.names(stand_in), races.c.opener_id < FIRST_PLAYER)
    return select(races.c.id).where(*mine, is_over, ~others)


def _lonely_masterminds(player_id: int) -> Select[int]:
    breaker = masterminds.c.codebreaker_id
    is_alone = or_(breaker.is_(None), breaker == player_id)
    return select(masterminds.c.id).where(masterminds.c.owner_id == player_id, is_alone)


def _duels_of(player_id: int) -> Select[int]:
    mine = duel_seats.c.player_id == player_id
    return select(duels.c.id).join_from(duel_seats, duels).where(mine)


def _of_nobody(stand_in: int) -> list[tuple[Table, Select[int]]]:
    """Select, by table, a stand-in's finished games with another player who is deleted, too."""
    owner, breaker = masterminds.c.owner_id, masterminds.c.codebreaker_id
    mine = or_(
        and_(owner == stand_in, breaker < FIRST_PLAYER),
        and_(breaker == stand_in, owner < FIRST_PLAYER),
    )
    codes = select(masterminds.c.id).where(mine, masterminds.c.finished_at.is_not(None))
    other = duel_seats.alias("other")
    beside = and_(other.c.duel_id == duels.c.id, other.c.seat != duel_seats.c.seat)
    numbers = (
        _duels_of(stand_in)
        .join(other, beside)
        .where(other.c.player_id < FIRST_PLAYER, duels.c.finished_at.is_not(None))
    )
    return [(masterminds, codes), (duels, numbers)]


def departed(tx: Transaction) -> set[int]:
    return set(tx.scalars(select(departed_guilds.c.guild_id)).all())


def note_departure(tx: Transaction, guild_ids: Collection[int], left_at: datetime) -> None:
    """Note that servers have removed the bot at `left_at`; earlier notes of them stay unchanged."""
    rows = [
        {"guild_id": guild_id, "left_at": left_at}
        for guild_id in sorted(set(guild_ids) - departed(tx))
    ]
    if rows:
        tx.execute(insert(departed_guilds), rows)


def note_return(tx: Transaction, guild_ids: Collection[int]) -> None:
    """Delete the notes that the bot was removed from these servers, as it is back."""
    back = sorted(set(guild_ids) & departed(tx))
    tx.execute(delete(departed_guilds).where(departed_guilds.c.guild_id.in_(back)))


def left_by(tx: Transaction, instant: datetime) -> list[int]:
    """List the servers that removed the bot by `instant`, and have not added it again."""
    query = select(departed_guilds.c.guild_id).where(departed_guilds.c.left_at <= instant)
    return list(tx.scalars(query.order_by(departed_guilds.c.guild_id)).all())


# Dates follow from the first two; champions' roles are taken back first.
_STAYS: Final = frozenset({zones, guild_lengths, champions})
# Games of several go on where they are.
_GOES_ON: Final[dict[Table, ColumnElement[bool]]] = {
    masterminds: and_(masterminds.c.kind == "challenge", masterminds.c.finished_at.is_(None)),
    duels: and_(duels.c.strength.is_(None), duels.c.finished_at.is_(None)),
    races: races.c.finished_at.is_(None),
}


def forget_places(tx: Transaction, guild_id: int, most: int, *, stays: bool) -> int:
    """Delete a server's id from at most `most` games and players' rows; return from how many.

    If the bot `stays` there, games of several that go on keep it.
    """
    left = most
    for column in naming(Who.SERVER, Fate.LOSES_ID):
        table, theirs = column.table, [column == guild_id]
        if stays and table in _GOES_ON:
            theirs.append(~_GOES_ON[table])
        places = [c for c in table.c if not {Who.SERVER, Who.PLACE}.isdisjoint(c.info)]
        empty = {c.name: None if c.nullable else _NOWHERE for c in places}
        if table is duels:
            empty |= {"stale_at": None, "nudge_at": None}  # the board is out of reach
        key = list(table.primary_key.columns)
        some = tuple_(*key).in_(select(*key).where(*theirs).limit(left))
        left -= tx.execute(update(table).where(some).values(empty)).rowcount
    return most - left


def forget_server(tx: Transaction, guild_id: int, *, stays: bool) -> None:
    """Delete a server's own rows; if the bot `stays` there, its zones and lengths stay, too."""
    for column in naming(Who.SERVER, Fate.GOES):
        if not (stays and column.table in _STAYS):
            theirs = (column == guild_id, is_of(column, Who.SERVER))
            tx.execute(delete(column.table).where(*theirs))

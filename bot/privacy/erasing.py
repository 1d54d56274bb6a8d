"""SQL of deletions of players and servers."""

from collections.abc import Collection
from datetime import datetime
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Table,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    tuple_,
    update,
)

from bot.db.database import Transaction
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
    guild_lengths,
    zones,
)
from bot.duels import store as duels_store
from bot.leaderboards import store as leaderboards_store
from bot.moderation import store as moderation_store
from bot.posts import store as posts_store
from bot.races import store as races_store

_NOWHERE: Final = 0
_AT_ONCE: Final = 10_000
"""The most ids in one statement."""
_SEATS: Final = 2

# Conditions of finished games: the public board shows the end.
_IS_SHOWN: Final[dict[Table, ColumnElement[bool]]] = {
    masterminds: or_(
        masterminds.c.message_id.is_(None), masterminds.c.shown >= masterminds.c.revision
    ),
    duels: or_(duels.c.message_id.is_(None), duels.c.stale_at.is_(None)),
}


def erase(tx: Transaction, player_id: int, stand_in: int, now: datetime) -> None:
    """Delete a player's rows; in games that others share, put a stand-in in place of the player.

    Public boards that name the player are queued for an edit. The row of a champion's role stays
    until the bot has taken the role back. Others' choices about the player stay, too.

    The caller has ended the player's running duels and challenges. Only a challenge whose code
    another player is breaking goes on. Each deletion has a stand-in of its own.
    """
    leaderboards_store.replace(tx, player_id, leaderboards_store.of_player(tx, player_id), [])
    _show_anew(tx, player_id, now)
    posts_store.leave_cards(tx, player_id, now)
    moderation_store.keep_digests(tx, player_id)
    _delete_own(tx, player_id)
    # Columns without an index are searched by seats in duels.
    among = {duels: duels.c.id, rating_changes: rating_changes.c.duel_id}
    for column in naming(Who.PLAYER, Fate.GOES, Fate.LOSES_ID):
        table, mine = column.table, [column == player_id, is_of(column, Who.PLAYER)]
        if column.info[Who.PLAYER] is Fate.GOES:
            tx.execute(delete(table).where(*mine))
            continue
        if table in among:
            mine.append(among[table].in_(duels_store.ids_of(player_id, stand_in)))
        tx.execute(update(table).where(*mine).values({column: stand_in}))


def _delete_own(tx: Transaction, player_id: int) -> None:
    """Delete games without another player, and analyses of the player's guesses in the others."""
    mine = (puzzles.c.number.is_(None), puzzles.c.closes_at.is_(None))
    query = select(puzzles.c.id).join_from(plays, puzzles).where(plays.c.player_id == player_id)
    practices = tx.scalars(query.where(*mine)).all()
    tx.execute(delete(plays).where(plays.c.player_id == player_id))
    for first in range(0, len(practices), _AT_ONCE):
        some = practices[first : first + _AT_ONCE]
        tx.execute(delete(puzzles).where(puzzles.c.id.in_(some)))
    breaker = masterminds.c.codebreaker_id
    is_alone = or_(breaker.is_(None), breaker == player_id)
    tx.execute(delete(masterminds).where(masterminds.c.owner_id == player_id, is_alone))
    seated = duels_store.ids_of(player_id)
    tx.execute(delete(duels).where(duels.c.id.in_(seated), duels.c.strength.is_not(None)))
    broken = select(masterminds.c.id).where(breaker == player_id)
    tx.execute(delete(analyses).where(analyses.c.mastermind_id.in_(broken)))
    for seats, game in ((duel_seats, "duel_id"), (race_seats, "race_id")):
        own = seats.c.player_id == player_id
        is_seat = (seats.c[game] == analyses.c[game], seats.c.seat == analyses.c.seat)
        taken = analyses.c[game].in_(select(seats.c[game]).where(own))
        tx.execute(delete(analyses).where(taken, exists().where(own, *is_seat)))


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
    change = update(duels).where(duels_store.names(player_id), is_public)
    tx.execute(change.values(version=duels.c.version + 1, stale_at=now))


def delete_ended(tx: Transaction, fleeting_by: datetime, most: int) -> int:
    """Delete some games in nobody's record; return how many.

    These had ended before they were played, by `fleeting_by`; or no player of theirs is left, and
    their boards show that.
    """
    codes = (masterminds.c.owner_id < FIRST_PLAYER, masterminds.c.codebreaker_id < FIRST_PLAYER)
    left = duel_seats.c.player_id < FIRST_PLAYER
    seats = select(duel_seats.c.duel_id).where(left).group_by(duel_seats.c.duel_id)
    numbers = duels.c.id.in_(seats.having(func.count() == _SEATS))
    is_raced = exists().where(
        race_seats.c.race_id == races.c.id, race_seats.c.player_id >= FIRST_PLAYER
    )
    raced = (
        races.c.opener_id < FIRST_PLAYER,
        or_(races.c.guild_id.is_(None), races.c.look_at.is_(None)),
        ~is_raced,
    )
    deleted = 0
    for table, *which in (
        (masterminds, FLEETING, masterminds.c.finished_at <= fleeting_by),
        (duels, UNPLAYED, duels.c.finished_at <= fleeting_by),
        (races, UNRACED, races.c.finished_at <= fleeting_by),
        (masterminds, *codes, masterminds.c.finished_at.is_not(None), _IS_SHOWN[masterminds]),
        (duels, numbers, duels.c.finished_at.is_not(None), _IS_SHOWN[duels]),
        (races, *raced, races.c.finished_at.is_not(None)),
    ):
        ids = tx.scalars(select(table.c.id).where(*which).limit(most - deleted)).all()
        if ids:
            tx.execute(delete(table).where(table.c.id.in_(ids)))
        deleted += len(ids)
    return deleted + _delete_equations(tx, most - deleted)


def _delete_equations(tx: Transaction, most: int) -> int:
    """Delete some equations of deleted players that nobody has played; return how many.

    Posts that must still be edited keep theirs.
    """
    is_played = exists().where(plays.c.puzzle_id == equations.c.puzzle_id)
    is_final = or_(equations.c.look_at.is_(None), equations.c.guild_id.is_(None))
    query = select(equations.c.puzzle_id).where(
        equations.c.setter_id < FIRST_PLAYER, is_final, ~is_played
    )
    ids = tx.scalars(query.limit(most)).all()
    if ids:
        tx.execute(delete(equations).where(equations.c.puzzle_id.in_(ids)))
        tx.execute(delete(puzzles).where(puzzles.c.id.in_(ids)))
    return len(ids)


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

"""Stored duels, their seats and their moves."""

from collections.abc import Collection
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final, Self

from sqlalchemy import ColumnElement, Select, bindparam, delete, func, insert, or_, select, update

from bot.db import keys
from bot.db.database import Transaction
from bot.db.keyed import columns_of, find_ids, is_served
from bot.db.tables.games import UNPLAYED, duels
from bot.db.tables.games import duel_moves as moves
from bot.db.tables.games import duel_seats as seats
from bot.db.tables.games import duel_seeks as seeks
from bot.db.tables.kinds import FIRST_PLAYER
from bot.duels.model import (
    PLAYED,
    Duel,
    FinishedDuel,
    Move,
    NewDuel,
    Seat,
    Seek,
    State,
    read,
    written,
)
from bot.games import store as games_store
from bot.games.model import Channel, GameName, Source
from bot.outages import ShardRange


@dataclass(frozen=True, slots=True)
class _Queries:
    """Queries for the duels that meet a condition: one for duels with seats, one for moves."""

    seated: Select[*tuple[Any, ...]]
    made: Select[*tuple[Any, ...]]

    @classmethod
    def of(cls, condition: ColumnElement[bool]) -> Self:
        chosen = select(duels.c.id).where(condition)
        return cls(
            select(duels, *columns_of(Seat, seats))
            .join(seats, seats.c.duel_id == duels.c.id)
            .where(condition)
            .order_by(duels.c.id, seats.c.seat),
            select(moves.c.duel_id, *columns_of(Move, moves))
            .where(moves.c.duel_id.in_(chosen))
            .order_by(moves.c.duel_id, moves.c.number),
        )


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    """Stored options of a duel between players."""

    rules: str
    mode: str
    friendly: bool


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

_OWN: Final = seats.alias("own")
_GOES_ON: Final = duels.c.finished_at.is_(None)
_BY_ID: Final = _Queries.of(duels.c.id == bindparam("of_duel"))
_REMATCHES: Final = _Queries.of(_GOES_ON & (duels.c.rematch_of == bindparam("of_duel")))
_UNFINISHED: Final = _Queries.of(
    _GOES_ON
    & duels.c.id.in_(select(_OWN.c.duel_id).where(_OWN.c.player_id == bindparam("of_player")))
)


_ADD: Final = insert(duels).returning(duels.c.id)


_CHANGE: Final = update(duels).where(duels.c.id == bindparam("of_duel"))
_CHANGE_SEAT: Final = update(seats).where(
    seats.c.duel_id == bindparam("of_duel"), seats.c.seat == bindparam("of_seat")
)


def get(tx: Transaction, duel_id: int) -> Duel | None:
    found = _find(tx, _BY_ID, {"of_duel": duel_id})
    return found[0] if found else None


def unfinished(tx: Transaction, player_id: int) -> list[Duel]:
    """A player's unfinished duels and challenges, the most recently changed first."""
    found = _find(tx, _UNFINISHED, {"of_player": player_id})
    return sorted(found, key=lambda duel: (duel.moved_at, duel.id), reverse=True)


def last_choice(tx: Transaction, player_id: int, other_id: int) -> ChoiceRow | None:
    """The options of the newest duel that two players have accepted; None without one."""
    bound = {"one": player_id, "other": other_id}
    found = tx.execute(_LAST_CHOICE, bound).one_or_none()
    return None if found is None else ChoiceRow(*found)


def count_rated(tx: Transaction, player_id: int, other_id: int, *, since: datetime) -> int:
    """Count the rated duels that two players have accepted since an instant.

    Those that were called off, or did not begin in time, are left out.
    """
    query = (
        select(func.count())
        .select_from(duels)
        .join(_MINE, (_MINE.c.duel_id == duels.c.id) & (_MINE.c.player_id == player_id))
        .join(_OTHERS, (_OTHERS.c.duel_id == duels.c.id) & (_OTHERS.c.player_id == other_id))
        .where(duels.c.rated, duels.c.accepted_at > since)
        .where(or_(duels.c.ending.is_(None), duels.c.ending.in_(PLAYED)))
    )
    return tx.execute(query).scalar_one()


def passed(tx: Transaction, now: datetime, after: int, shards: ShardRange) -> list[int]:
    """A page of ids of unfinished duels on these shards whose stored deadline has passed."""
    return _find_due(tx, _GOES_ON & (duels.c.deadline_at <= now), shards, after)


def outdated(tx: Transaction, since: datetime, after: int, shards: ShardRange) -> list[int]:
    """A page of ids of duels on these shards whose board went out of date at `since` or before."""
    return _find_due(tx, duels.c.stale_at <= since, shards, after)


def to_nudge(tx: Transaction, now: datetime, after: int, shards: ShardRange) -> list[int]:
    """A page of ids of duels on these shards whose nudges are due."""
    return _find_due(tx, duels.c.nudge_at <= now, shards, after)


def _find_due(
    tx: Transaction, is_due: ColumnElement[bool], shards: ShardRange, after: int
) -> list[int]:
    is_ours = is_served(duels.c.guild_id, shards)
    return find_ids(tx, duels.c.id, is_due & is_ours, after)


def ids_of(*player_ids: int) -> Select[tuple[int]]:
    """Select the ids of the duels in which any of these players has a seat."""
    return select(seats.c.duel_id).where(seats.c.player_id.in_(player_ids))


def names(player_id: int) -> ColumnElement[bool]:
    """Match duels in which a player has a seat."""
    return duels.c.id.in_(ids_of(player_id))


def rematches(tx: Transaction, duel_id: int) -> list[Duel]:
    return _find(tx, _REMATCHES, {"of_duel": duel_id})


_BEFORE: Final = duels.alias("before")


def is_rematch(tx: Transaction, duel_id: int) -> bool:
    """Return true for the rematch of a duel that was played."""
    query = select(_BEFORE.c.id).join(duels, duels.c.rematch_of == _BEFORE.c.id)
    was_played = _BEFORE.c.playing_at.is_not(None)
    return tx.scalar(query.where(duels.c.id == duel_id, was_played)) is not None


def add(
    tx: Transaction,
    duel: NewDuel,
    players: tuple[int | None, int | None],
    *,
    opened_at: datetime,
) -> int:
    """Add a challenge, or a duel with the bot; return its id.

    `players` are in the order of moves.
    """
    is_accepted = duel.strength is not None
    values = {
        **{field.name: written(getattr(duel, field.name)) for field in fields(duel)},
        "rated": False,
        "state": (State.SETTING if is_accepted else State.INVITED).value,
        "opened_at": opened_at,
        "moved_at": opened_at,
        "accepted_at": opened_at if is_accepted else None,
    }
    duel_id: int = tx.execute(_ADD, values).scalar_one()
    rows = [
        {"duel_id": duel_id, "seat": seat, "player_id": player}
        for seat, player in enumerate(players)
    ]
    tx.execute(insert(seats), rows)
    tx.changed(*(keys.player(player) for player in players if player is not None))
    return duel_id


def save(tx: Transaction, before: Duel, after: Duel) -> None:
    """Store the differences between two states of a duel; moves are only appended."""
    if after.version != before.version:
        tx.changed(GameName(Source.DUEL, after.id), *map(keys.player, after.player_ids))
    for number in range(len(before.moves), len(after.moves)):
        move = after.moves[number]
        values = {
            "duel_id": after.id,
            "number": number,
            "seat": move.seat,
            "turn": sum(earlier.seat == move.seat for earlier in after.moves[:number]),
            "code": move.code,
            "moved_at": move.moved_at,
        }
        tx.execute(insert(moves), values)
    for seat, (old, new) in enumerate(zip(before.seats, after.seats, strict=True)):
        if values := _difference(old, new):
            tx.execute(_CHANGE_SEAT, {"of_duel": after.id, "of_seat": seat, **values})
    if values := _difference(before, after):
        tx.execute(_CHANGE, {"of_duel": after.id, **values})


def set_shown(tx: Transaction, duel_id: int, version: int) -> bool:
    """Note that Discord shows this version of a board; return false if there is another by now."""
    is_it = (duels.c.id == duel_id, duels.c.version == version)
    return tx.execute(update(duels).where(*is_it).values(stale_at=None)).rowcount > 0


def _difference(before: Duel | Seat, after: Duel | Seat) -> dict[str, object]:
    names = [field.name for field in fields(after) if field.name not in {"seats", "moves"}]
    changed = (name for name in names if getattr(after, name) != getattr(before, name))
    return {name: written(getattr(after, name)) for name in changed}


def _find(tx: Transaction, queries: _Queries, bound: dict[str, object]) -> list[Duel]:
    """Read the duels that the queries find, in the order of their ids."""
    seated: dict[int, list[Seat]] = {}
    values: dict[int, dict[str, Any]] = {}
    for found in tx.execute(queries.seated, bound).mappings():
        columns = dict(found)
        seat = Seat(**{field.name: columns.pop(field.name) for field in fields(Seat)})
        values[found["id"]] = {name: read(name, stored) for name, stored in columns.items()}
        seated.setdefault(found["id"], []).append(seat)
    if not values:
        return []
    made: dict[int, list[Move]] = {}
    for duel_id, *move in tx.execute(queries.made, bound):
        made.setdefault(duel_id, []).append(Move(*move))
    return [
        Duel(**columns, seats=tuple(seated[duel_id]), moves=tuple(made.get(duel_id, ())))
        for duel_id, columns in values.items()
    ]


def erase(tx: Transaction, player_id: int) -> None:
    """Delete duels with the bot, and analyses of the player's guesses in the others."""
    tx.execute(delete(duels).where(names(player_id), duels.c.strength.is_not(None)))
    games_store.drop_analyses(tx, seats, "duel_id", player_id)


def show_anew(tx: Transaction, player_id: int, now: datetime) -> None:
    """Have the public boards edited that name a player."""
    change = update(duels).where(names(player_id), duels.c.message_id.is_not(None))
    tx.execute(change.values(version=duels.c.version + 1, stale_at=now))


_SEATS: Final = 2


def drop_ended(tx: Transaction, fleeting_by: datetime, most: int) -> int:
    """Delete some duels that ended unplayed by `fleeting_by`, or whose players are gone."""
    is_fleeting = (UNPLAYED, duels.c.finished_at <= fleeting_by)
    dropped = games_store.drop_some(tx, most, duels, *is_fleeting)
    gone = select(seats.c.duel_id).where(seats.c.player_id < FIRST_PLAYER).group_by(seats.c.duel_id)
    is_left = (
        duels.c.id.in_(gone.having(func.count() == _SEATS)),
        duels.c.finished_at.is_not(None),
        or_(duels.c.message_id.is_(None), duels.c.stale_at.is_(None)),
    )
    return dropped + games_store.drop_some(tx, most - dropped, duels, *is_left)


def ended(player_id: int) -> list[Select[*tuple[Any, ...]]]:
    """Select id and end of a player's duels that came to an end in play."""
    query = select(duels.c.id, duels.c.finished_at).join_from(seats, duels)
    is_played = (duels.c.finished_at.is_not(None), duels.c.ending.in_(PLAYED))
    return [query.where(seats.c.player_id == player_id, *is_played)]


def finished(player_id: int, ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    """Select those of these duels in which the player has a seat."""
    mine, other = seats.alias("mine"), seats.alias("other")
    told = func.coalesce(duels.c.winner, 0)
    made = (
        select(func.count())
        .where(moves.c.duel_id == duels.c.id, moves.c.seat == told)
        .scalar_subquery()
    )
    others = {
        "opponent_id": other.c.player_id,
        "result": duels.c.winner == mine.c.seat,
        "guesses": made,
    }
    return (
        select(*columns_of(FinishedDuel, duels, **others))
        .select_from(duels)
        .join(mine, (mine.c.duel_id == duels.c.id) & (mine.c.player_id == player_id))
        .join(other, (other.c.duel_id == duels.c.id) & (other.c.seat != mine.c.seat))
        .where(duels.c.id.in_(ids), duels.c.finished_at.is_not(None))
    )


# Seeks: cards by which players look for an opponent.

cards: Final = games_store.EditedPosts(seeks)


def add_seek(tx: Transaction, **values: object) -> int:
    stored = {name: written(value) for name, value in values.items()}
    return tx.execute(insert(seeks).values(stored).returning(seeks.c.id)).scalar_one()


def get_seek(tx: Transaction, seek_id: int) -> Seek | None:
    return next(iter(_find_seeks(tx, seeks.c.id == seek_id)), None)


def open_seeks(
    tx: Transaction, now: datetime, place: Channel, player_id: int | None = None
) -> list[Seek]:
    """List the open seeks of a channel and, anywhere, of a player; the player's come first."""
    is_here = (seeks.c.guild_id == place.guild_id) & (seeks.c.channel_id == place.channel_id)
    found = _find_seeks(tx, seeks.c.ends_at > now, is_here | (seeks.c.player_id == player_id))
    return sorted(found, key=lambda seek: seek.player_id != player_id)


def _find_seeks(tx: Transaction, *which: ColumnElement[bool]) -> list[Seek]:
    query = select(*columns_of(Seek, seeks)).where(*which).order_by(seeks.c.id)
    rows = tx.execute(query).mappings()
    return [Seek(**{name: read(name, value) for name, value in row.items()}) for row in rows]


def take_seek(tx: Transaction, seek_id: int, now: datetime) -> bool:
    """Delete a seek that is open; return false if it is not: of several takers one gets it."""
    it = (seeks.c.id == seek_id, seeks.c.ends_at > now)
    return tx.execute(delete(seeks).where(*it)).rowcount > 0


def drop_seek(tx: Transaction, seek_id: int, message_id: int | None) -> None:
    """Delete a seek whose message is still this one; None stands for none."""
    it = (seeks.c.id == seek_id, seeks.c.message_id.is_not_distinct_from(message_id))
    tx.execute(delete(seeks).where(*it))


def note_card(tx: Transaction, seek_id: int, claimed_at: datetime | None, message_id: int) -> None:
    cards.release(tx, seek_id, claimed_at, message_id=message_id, look_at=seeks.c.ends_at)


def end_seeks_of(tx: Transaction, player_id: int, now: datetime) -> None:
    """End a player's seeks and delete their numbers; each goes once its card is edited."""
    mine = seeks.c.player_id == player_id
    for place in tx.execute(select(seeks.c.guild_id, seeks.c.channel_id).where(mine)):
        tx.changed(Channel(*place))
    tx.execute(update(seeks).where(mine).values(secret="", ends_at=now, look_at=now))


def seeks_to_look_at(
    tx: Transaction, now: datetime, free_since: datetime, shards: ShardRange, after: int
) -> list[int]:
    is_due = cards.is_due(now, free_since) & is_served(seeks.c.guild_id, shards)
    return find_ids(tx, seeks.c.id, is_due, after)

"""Races as they are stored."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.db.database import Transaction
from bot.db.keyed import columns_of, find_ids, is_served
from bot.db.tables.games import UNRACED, race_guesses, race_seats, races
from bot.db.tables.kinds import FIRST_PLAYER
from bot.games import store as games_store
from bot.games.model import Channel, GameName, Source
from bot.games.store import EditedPosts
from bot.outages import ShardRange
from bot.races.model import Ending, FinishedRace, Race, RaceCounts, RaceSeat, SeatOutcome

posts: Final = EditedPosts(races)
_COLUMNS: Final = [column for column in races.c if column.name not in {"look_at", "tried_at"}]
_OF_RACE: Final = ("second_at", "started_at", "finished_at", "ending")
_OF_EVENING: Final = (
    *("opener_id", "guild_id", "channel_id", "message_id", "rounds", "first_at", "is_awaited"),
)
_OF_NEW_SEAT: Final = ("seat", "player_id", "joined_at", "points", "is_away", "is_ready")
_OF_SEAT: Final = ("finished_at", "outcome", "place", "is_ready")


def add(tx: Transaction, **values: object) -> int:
    return tx.execute(insert(races).values(**values).returning(races.c.id)).scalar_one()


def add_seat(tx: Transaction, race_id: int, seat: RaceSeat) -> None:
    values = {name: getattr(seat, name) for name in _OF_NEW_SEAT}
    tx.execute(insert(race_seats).values(race_id=race_id, **values))
    tx.changed(GameName(Source.RACE, race_id))


def follow(tx: Transaction, race: Race, now: datetime, **drawn: object) -> None:
    """Begin the round that follows; the post is that round's from now on."""
    seats = race.next_seats(now)
    posts.change(tx, race.id, message_id=None, look_at=None, tried_at=None)
    race_id = add(
        tx,
        **{name: getattr(race, name) for name in _OF_EVENING},
        **drawn,
        follows=race.id,
        round=race.round + 1,
        second_at=now if len(seats) > 1 else None,
    )
    for seat in seats:
        add_seat(tx, race_id, seat)


def wait(tx: Transaction, race_id: int) -> None:
    """Note that somebody waits to open a race where this one is, or the round that follows it."""
    is_it = (races.c.id == race_id) | (races.c.follows == race_id)
    tx.execute(update(races).where(is_it).values(is_awaited=True))


def drop_seat(tx: Transaction, race_id: int, seat: int) -> None:
    it = (race_seats.c.race_id == race_id, race_seats.c.seat == seat)
    tx.execute(delete(race_seats).where(*it))
    tx.execute(update(races).where(races.c.id == race_id).values(freed=races.c.freed + 1))
    tx.changed(GameName(Source.RACE, race_id))


def add_guess(tx: Transaction, race: Race, seat: RaceSeat, code: str, now: datetime) -> None:
    values = {"race_id": race.id, "seat": seat.seat, "turn": len(seat.guesses)}
    tx.execute(insert(race_guesses).values(**values, code=code, guessed_at=now))


def get(tx: Transaction, race_id: int) -> Race | None:
    return next(iter(find(tx, [race_id])), None)


def find(tx: Transaction, race_ids: Collection[int]) -> list[Race]:
    """Read the races with these ids, with seats and guesses, in order of id."""
    if not race_ids:  # as nearly every second
        return []
    codes = defaultdict[tuple[int, int], list[str]](list)
    made = select(race_guesses).where(race_guesses.c.race_id.in_(race_ids))
    for row in tx.execute(made.order_by(race_guesses.c.turn)):
        codes[row.race_id, row.seat].append(row.code)
    seats = defaultdict[int, list[RaceSeat]](list)
    taken = select(race_seats).where(race_seats.c.race_id.in_(race_ids))
    for row in tx.execute(taken.order_by(race_seats.c.seat)):
        outcome = row.outcome and SeatOutcome(row.outcome)
        guesses = tuple(codes[row.race_id, row.seat])
        seats[row.race_id].append(
            RaceSeat(
                row.seat,
                row.player_id,
                row.joined_at,
                row.finished_at,
                outcome,
                row.place,
                guesses,
                row.points,
                row.is_away,
                row.is_ready,
            )
        )
    query = select(*_COLUMNS).where(races.c.id.in_(race_ids)).order_by(races.c.id)
    return [
        Race.stored(seats=tuple(seats[row["id"]]), **row) for row in tx.execute(query).mappings()
    ]


def open_in(tx: Transaction, place: Channel, since: datetime | None = None) -> list[Race]:
    """List a channel's races without a stored end; with `since`, also those that ended later."""
    here = (races.c.guild_id == place.guild_id, races.c.channel_id == place.channel_id)
    is_on = UNFINISHED if since is None else UNFINISHED | (races.c.finished_at > since)
    return find(tx, tx.scalars(select(races.c.id).where(*here, is_on)).all())


def next_of(tx: Transaction, race: Race) -> tuple[int, bool] | None:
    """Find what follows a race in its channel: its id, and whether it is of the same evening.

    That is the last round of the evening, else the race that is open now.
    """
    here = (races.c.guild_id == race.guild_id, races.c.channel_id == race.channel_id)
    goes_on = (races.c.first_at == race.first_at) & (races.c.round > race.round)
    query = select(races.c.id, goes_on).where(*here, races.c.id > race.id, UNFINISHED | goes_on)
    found = tx.execute(query.order_by(goes_on.desc(), races.c.id.desc()).limit(1)).first()
    return found and (found[0], bool(found[1]))


UNFINISHED: Final = races.c.finished_at.is_(None)


def unfinished_of(tx: Transaction, player_id: int) -> list[Race]:
    """List the races without a stored end that a player has opened or joined."""
    return find(tx, tx.scalars(select(races.c.id).where(UNFINISHED, names(player_id))).all())


def names(player_id: int) -> ColumnElement[bool]:
    """Match races that a player has opened or joined."""
    seated = select(race_seats.c.race_id).where(race_seats.c.player_id == player_id)
    return or_(races.c.opener_id == player_id, races.c.id.in_(seated))


def save(tx: Transaction, before: Race, after: Race) -> None:
    """Store the differences between two states of a race and its seats, but no guesses."""
    tx.changed(GameName(Source.RACE, before.id))
    values = {name: getattr(after, name) for name in _OF_RACE}
    if values != {name: getattr(before, name) for name in _OF_RACE}:
        posts.change(tx, before.id, **values)
    for old, new in zip(before.seats, after.seats, strict=True):
        values = {name: getattr(new, name) for name in _OF_SEAT}
        if values != {name: getattr(old, name) for name in _OF_SEAT}:
            it = (race_seats.c.race_id == before.id, race_seats.c.seat == old.seat)
            tx.execute(update(race_seats).where(*it).values(values))


def drop_unposted(tx: Transaction, race_id: int) -> None:
    """Delete a race, unless its post was sent."""
    tx.execute(delete(races).where(races.c.id == race_id, races.c.message_id.is_(None)))


def to_look_at(
    tx: Transaction, now: datetime, free_since: datetime, shards: ShardRange, after: int
) -> list[Race]:
    """Read the races of these shards whose posts are due, except those that a process is editing.

    It is a page of them, by id above `after`. Races that are over are left out once their server's
    data are deleted.
    """
    condition = and_(
        posts.is_due(now, free_since),
        races.c.guild_id.is_not(None) | UNFINISHED,
        is_served(races.c.guild_id, shards),
    )
    return find(tx, find_ids(tx, races.c.id, condition, after))


def counts_of(tx: Transaction, player_id: int) -> RaceCounts:
    query = (
        select(func.count(), func.count().filter(race_seats.c.place == 1))
        .join_from(race_seats, races)
        .where(race_seats.c.player_id == player_id, races.c.ending == Ending.FINISHED, _HAS_GUESSED)
    )
    return RaceCounts(*tx.execute(query).one())


def erase(tx: Transaction, player_id: int) -> None:
    """Delete the analyses of a player's guesses."""
    games_store.drop_analyses(tx, race_seats, "race_id", player_id)


def show_anew(tx: Transaction, player_id: int, now: datetime) -> None:
    """Have the posts edited that name a player; in an evening, the last round has it."""
    change = update(races).where(names(player_id), races.c.message_id.is_not(None))
    tx.execute(change.values(look_at=now, tried_at=None, shown=""))


def drop_ended(tx: Transaction, fleeting_by: datetime, most: int) -> int:
    """Delete some races that ended unplayed by `fleeting_by`, or of which no player is left."""
    is_fleeting = (UNRACED, races.c.finished_at <= fleeting_by)
    dropped = games_store.drop_some(tx, most, races, *is_fleeting)
    is_played = exists().where(
        race_seats.c.race_id == races.c.id, race_seats.c.player_id >= FIRST_PLAYER
    )
    is_left = (
        races.c.opener_id < FIRST_PLAYER,
        races.c.finished_at.is_not(None),
        or_(races.c.guild_id.is_(None), races.c.look_at.is_(None)),
        ~is_played,
    )
    return dropped + games_store.drop_some(tx, most - dropped, races, *is_left)


_HAS_GUESSED: Final = exists().where(
    race_guesses.c.race_id == race_seats.c.race_id, race_guesses.c.seat == race_seats.c.seat
)


def ended(player_id: int) -> list[Select[*tuple[Any, ...]]]:
    """Select id and end of finished races in which a player has guessed."""
    query = select(races.c.id, races.c.finished_at).join_from(race_seats, races)
    is_played = (races.c.ending == Ending.FINISHED, _HAS_GUESSED)
    return [query.where(race_seats.c.player_id == player_id, *is_played)]


def finished(player_id: int, ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    """Select those of these races in which the player has a seat."""
    of_race = race_guesses.c.race_id == races.c.id
    players = select(func.count(race_guesses.c.seat.distinct())).where(of_race)
    own = select(func.count()).where(of_race, race_guesses.c.seat == race_seats.c.seat)
    others = {
        "place": race_seats.c.place,
        "players": players.correlate(races).scalar_subquery(),
        "guesses": own.correlate(races, race_seats).scalar_subquery(),
    }
    return (
        select(*columns_of(FinishedRace, races, **others))
        .join_from(race_seats, races)
        .where(race_seats.c.player_id == player_id, races.c.id.in_(ids))
    )

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
from bot.db.keyed import IdPage, columns_of, find_ids, is_served
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
_OF_SEAT: Final = ("finished_at", "outcome", "place")


def add(tx: Transaction, **values: object) -> int:
    return tx.execute(insert(races).values(**values).returning(races.c.id)).scalar_one()


def add_seat(tx: Transaction, race_id: int, seat: int, player_id: int, now: datetime) -> None:
    values = {"race_id": race_id, "seat": seat, "player_id": player_id, "joined_at": now}
    tx.execute(insert(race_seats).values(values))
    tx.changed(GameName(Source.RACE, race_id))


def drop_seat(tx: Transaction, race_id: int, seat: int) -> None:
    it = (race_seats.c.race_id == race_id, race_seats.c.seat == seat)
    tx.execute(delete(race_seats).where(*it))
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


def next_open(tx: Transaction, race: Race) -> int | None:
    """Return the id of the open race that followed in a race's series; None if there is none."""
    is_next = (races.c.series == (race.series or race.id), races.c.id > race.id)
    return tx.scalar(select(func.max(races.c.id)).where(*is_next, races.c.finished_at.is_(None)))


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
    tx: Transaction, now: datetime, free_since: datetime, shards: ShardRange, page: IdPage
) -> list[Race]:
    """Read the races of these shards whose posts are due, except those that a process is editing.

    `page` limits their number. Races that are over are left out once their server's data are
    deleted.
    """
    condition = and_(
        posts.is_due(now, free_since),
        races.c.guild_id.is_not(None) | UNFINISHED,
        is_served(races.c.guild_id, shards),
    )
    return find(tx, find_ids(tx, races.c.id, condition, page))


def wins(tx: Transaction, series: int, player_ids: Collection[int]) -> dict[int, int]:
    """Count the races of a series that each player has won; players without any are left out."""
    of_series = or_(races.c.id == series, races.c.series == series)
    query = (
        select(race_seats.c.player_id, func.count())
        .join_from(race_seats, races)
        .where(of_series, race_seats.c.place == 1, race_seats.c.player_id.in_(player_ids))
        .group_by(race_seats.c.player_id)
    )
    return {row[0]: row[1] for row in tx.execute(query)}


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
    """Have the posts edited that name a player."""
    change = update(races).where(names(player_id), races.c.guild_id.is_not(None))
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

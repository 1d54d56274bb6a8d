"""Duels, their seats and their moves."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from itertools import groupby
from typing import Final

from sqlalchemy import ColumnElement, func, insert, or_, select, update

from bot.storage.database import Transaction
from bot.storage.paging import IdPage, find_ids
from bot.storage.schema import FIRST_PLAYER, duels
from bot.storage.schema import duel_moves as moves
from bot.storage.schema import duel_seats as seats

_IS_SOMEBODYS: Final = or_(duels.c.challenger_id >= FIRST_PLAYER, duels.c.strength.is_(None))


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who plays first or second, and what the other is to find."""

    player_id: int | None
    secret: str | None = None
    started_at: datetime | None = None
    salt: str | None = None


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A guess."""

    seat: int
    code: str
    moved_at: datetime


@dataclass(frozen=True, slots=True)
class DuelRow:
    """A duel, its two seats, and its moves in order; rules and codes in notation."""

    id: int
    rules: str
    mode: str
    pace: str
    rated: bool
    strength: str | None
    challenger_id: int
    guild_id: int | None
    channel_id: int | None
    message_id: int | None
    thread_id: int | None
    nudge_message_id: int | None
    state: str
    draw_offered_by: int | None
    rematch_of: int | None
    opened_at: datetime
    moved_at: datetime
    accepted_at: datetime | None
    playing_at: datetime | None
    deadline_at: datetime
    finished_at: datetime | None
    ending: str | None
    winner: int | None
    version: int
    stale_at: datetime | None
    nudge_at: datetime | None
    claimed_at: datetime | None
    seats: tuple[SeatRow, ...] = ()
    moves: tuple[MoveRow, ...] = ()


@dataclass(frozen=True, slots=True)
class NewDuel:
    """What a duel is opened with."""

    rules: str
    mode: str
    pace: str
    rated: bool
    strength: str | None
    challenger_id: int
    guild_id: int | None
    channel_id: int | None
    rematch_of: int | None = None


@dataclass(frozen=True, slots=True)
class RecordRow:
    """How many duels of two players the first has won, the second has won, or nobody has."""

    won: int
    drawn: int
    lost: int


async def get(tx: Transaction, duel_id: int) -> DuelRow | None:
    """A duel by its id."""
    found = await _find(tx, duels.c.id == duel_id)
    return found[0] if found else None


async def unfinished(tx: Transaction, player_id: int) -> list[DuelRow]:
    """The duels of a player that were not ended, those moved in last first."""
    mine = select(seats.c.duel_id).where(seats.c.player_id == player_id)
    found = await _find(tx, duels.c.finished_at.is_(None) & duels.c.id.in_(mine))
    return sorted(found, key=lambda row: (row.moved_at, row.id), reverse=True)


async def passed(tx: Transaction, now: datetime, page: IdPage) -> list[int]:
    """The duels that were not ended and whose deadline, as noted, has passed."""
    is_late = duels.c.finished_at.is_(None) & (duels.c.deadline_at <= now)
    return await find_ids(tx, duels.c.id, is_late & _IS_SOMEBODYS, page)


async def stale(tx: Transaction, since: datetime, page: IdPage) -> list[int]:
    """The duels of whose board Discord may show another version, since then or longer."""
    return await find_ids(tx, duels.c.id, (duels.c.stale_at <= since) & _IS_SOMEBODYS, page)


async def to_nudge(tx: Transaction, now: datetime, page: IdPage) -> list[int]:
    """The duels for which it is time to see whether somebody must be told."""
    return await find_ids(tx, duels.c.id, (duels.c.nudge_at <= now) & _IS_SOMEBODYS, page)


async def rematches(tx: Transaction, duel_id: int) -> list[DuelRow]:
    """The rematches of a duel that were not ended."""
    return await _find(tx, duels.c.finished_at.is_(None) & (duels.c.rematch_of == duel_id))


async def last_change(tx: Transaction) -> datetime | None:
    """When somebody last did something in a duel, or one ended; None for never."""
    query = select(func.max(duels.c.moved_at), func.max(duels.c.finished_at))
    found: tuple[datetime | None, datetime | None] = tuple((await tx.execute(query)).one())
    return max((at for at in found if at is not None), default=None)


async def record(
    tx: Transaction, player_id: int, other_id: int, endings: Sequence[str]
) -> RecordRow:
    """How the duels of two players that ended in one of these ways went, for the first."""
    mine, other = seats.alias("mine"), seats.alias("other")
    query = (
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
    return RecordRow(**(await tx.execute(query)).mappings().one())


async def players(tx: Transaction) -> list[int]:
    """Everybody who has a seat in a duel, stand-ins apart."""
    query = select(seats.c.player_id).where(seats.c.player_id >= FIRST_PLAYER).distinct()
    return list((await tx.scalars(query)).all())


async def add(
    tx: Transaction,
    duel: NewDuel,
    players: tuple[int | None, int | None],
    *,
    state: str,
    opened_at: datetime,
    deadline_at: datetime,
) -> int:
    """Open a duel for players in the order in which they move; returns its id."""
    values = {
        **asdict(duel),
        "state": state,
        "opened_at": opened_at,
        "moved_at": opened_at,
        "deadline_at": deadline_at,
    }
    duel_id = (await tx.execute(insert(duels).values(values).returning(duels.c.id))).scalar_one()
    rows = [
        {"duel_id": duel_id, "seat": seat, "player_id": player}
        for seat, player in enumerate(players)
    ]
    await tx.execute(insert(seats), rows)
    return duel_id


async def accept(tx: Transaction, duel_id: int, *, state: str, accepted_at: datetime) -> None:
    """Note that a challenge was accepted."""
    await _change(tx, duel_id, state=state, accepted_at=accepted_at)


async def begin(tx: Transaction, duel_id: int, *, state: str, playing_at: datetime) -> None:
    """Note that both secrets are there."""
    await _change(tx, duel_id, state=state, playing_at=playing_at)


async def touch(
    tx: Transaction, duel_id: int, *, moved_at: datetime, deadline_at: datetime
) -> None:
    """Note that somebody has done something, and when somebody is late then."""
    await _change(tx, duel_id, moved_at=moved_at, deadline_at=deadline_at)


async def set_deadline(tx: Transaction, duel_id: int, deadline_at: datetime) -> None:
    """Note that a deadline was put off."""
    await _change(tx, duel_id, deadline_at=deadline_at)


async def change_board(tx: Transaction, row: DuelRow, *, stale_at: datetime) -> None:
    """Note that a duel's public board, if it has one, says something else now."""
    values: dict[str, object] = {"version": row.version + 1}
    if row.message_id is not None:
        values["stale_at"] = stale_at
    await _change(tx, row.id, **values)


async def set_shown(tx: Transaction, duel_id: int) -> None:
    """Note that Discord shows a board as it is."""
    await _change(tx, duel_id, stale_at=None)


async def set_offer(tx: Transaction, duel_id: int, seat: int | None) -> None:
    """Note whose offer of a draw stands."""
    await _change(tx, duel_id, draw_offered_by=seat)


async def set_secret(
    tx: Transaction, duel_id: int, *, seat: int, secret: str, salt: str | None = None
) -> None:
    """Store what the other seat is to find, and the salt of the commitment to it."""
    await _change_seat(tx, duel_id, seat, secret=secret, salt=salt)


async def start(tx: Transaction, duel_id: int, *, seat: int, started_at: datetime) -> None:
    """Note that a player's own time has begun."""
    await _change_seat(tx, duel_id, seat, started_at=started_at)


async def add_move(
    tx: Transaction, row: DuelRow, *, seat: int, code: str, moved_at: datetime
) -> None:
    """Append a guess to those of a duel as it was read."""
    values = {
        "duel_id": row.id,
        "number": len(row.moves),
        "seat": seat,
        "turn": sum(move.seat == seat for move in row.moves),
        "code": code,
        "moved_at": moved_at,
    }
    await tx.execute(insert(moves).values(values))


async def finish(
    tx: Transaction, duel_id: int, *, ending: str, winner: int | None, finished_at: datetime
) -> None:
    """Record how and when a duel ended."""
    await _change(
        tx,
        duel_id,
        state="over",
        draw_offered_by=None,
        ending=ending,
        winner=winner,
        finished_at=finished_at,
    )


async def set_board(
    tx: Transaction,
    duel_id: int,
    *,
    channel_id: int | None,
    message_id: int | None,
    thread_id: int | None,
    stale_at: datetime | None,
) -> None:
    """Note which message a duel's board is, where, and whether it may be out of date."""
    await _change(
        tx,
        duel_id,
        channel_id=channel_id,
        message_id=message_id,
        thread_id=thread_id,
        stale_at=stale_at,
    )


async def set_nudge(tx: Transaction, duel_id: int, message_id: int | None) -> None:
    """Note which message told last whose turn it is."""
    await _change(tx, duel_id, nudge_message_id=message_id)


async def set_nudge_at(
    tx: Transaction, duel_id: int, nudge_at: datetime | None, *, claimed_at: datetime | None
) -> None:
    """Note when to see whether somebody must be told whose turn it is; None for never.

    And since when that may have been told already; None for not yet.
    """
    await _change(tx, duel_id, nudge_at=nudge_at, claimed_at=claimed_at)


async def claim(tx: Transaction, duel_id: int, claimed_at: datetime) -> None:
    """Note since when somebody may be posting a duel's invitation."""
    await _change(tx, duel_id, claimed_at=claimed_at)


async def _change(tx: Transaction, duel_id: int, **values: object) -> None:
    await tx.execute(update(duels).where(duels.c.id == duel_id).values(values))


async def _change_seat(tx: Transaction, duel_id: int, seat: int, **values: object) -> None:
    change = update(seats).where(seats.c.duel_id == duel_id, seats.c.seat == seat)
    await tx.execute(change.values(values))


async def _find(tx: Transaction, condition: ColumnElement[bool]) -> list[DuelRow]:
    """The duels for which something holds, as they were opened; none that is still to go."""
    condition &= _IS_SOMEBODYS
    found = await tx.execute(select(duels).where(condition).order_by(duels.c.id))
    rows = [DuelRow(**row) for row in found.mappings()]
    if not rows:
        return []
    chosen = select(duels.c.id).where(condition)
    query = select(seats).where(seats.c.duel_id.in_(chosen)).order_by(seats.c.duel_id, seats.c.seat)
    seated: dict[int, tuple[SeatRow, ...]] = {
        duel_id: tuple(
            SeatRow(s["player_id"], s["secret"], s["started_at"], s["salt"]) for s in group
        )
        for duel_id, group in groupby(
            (await tx.execute(query)).mappings(), key=lambda row: row["duel_id"]
        )
    }
    query = (
        select(moves).where(moves.c.duel_id.in_(chosen)).order_by(moves.c.duel_id, moves.c.number)
    )
    made: dict[int, tuple[MoveRow, ...]] = {
        duel_id: tuple(MoveRow(m["seat"], m["code"], m["moved_at"]) for m in group)
        for duel_id, group in groupby(
            (await tx.execute(query)).mappings(), key=lambda row: row["duel_id"]
        )
    }
    return [replace(row, seats=seated[row.id], moves=made.get(row.id, ())) for row in rows]

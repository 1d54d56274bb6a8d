"""SQL of streaks, and of the dailies from which they are computed."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from sqlalchemy import (
    ColumnElement,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from bot.db.database import Transaction
from bot.db.keyed import Keyed, columns_of
from bot.db.tables.games import guesses, hints, plays, puzzles, streak_changes, streaks
from bot.db.tables.people import members
from bot.effects import DateEffect
from bot.moderation.store import is_unnamed
from bot.streaks.model import StreakChange, StreakEvent


@dataclass(frozen=True, slots=True)
class DailyRow:
    """A player's play of a daily, with the columns that streaks need.

    Attributes:
        is_assisted: whether it has hints.
    """

    number: int
    guild_id: int | None
    zone: str
    opened_at: datetime
    outcome: str | None
    on_date: bool
    has_guesses: bool
    is_assisted: bool


@dataclass(frozen=True, slots=True)
class StreakRow:
    """A stored streak; `settles_at` is when it may change without a play, None for never."""

    length: int
    best: int
    freezes: int
    settles_at: datetime | None = None
    assisted: int = 0


stored: Final = Keyed[StreakRow, int](StreakRow, streaks)
_ADD: Final = insert(streak_changes)


def get_dailies(tx: Transaction, player_id: int) -> list[DailyRow]:
    """All of a player's plays of dailies, in the order in which they were opened."""
    query = (
        select(
            *columns_of(
                DailyRow,
                plays,
                puzzles,
                has_guesses=exists().where(guesses.c.play_id == plays.c.id),
                is_assisted=exists().where(hints.c.play_id == plays.c.id),
            )
        )
        .join_from(plays, puzzles)
        .where(plays.c.player_id == player_id, puzzles.c.number.is_not(None))
        .order_by(plays.c.opened_at, plays.c.id)
    )
    return [DailyRow(*row) for row in tx.execute(query)]


def get_changes(tx: Transaction, player_id: int) -> list[StreakChange]:
    """The effects of all dates on a player's streak, oldest first."""
    query = (
        select(*columns_of(StreakChange, streak_changes))
        .where(streak_changes.c.player_id == player_id)
        .order_by(streak_changes.c.day)
    )
    return [StreakChange(*row) for row in tx.execute(query)]


def put(
    tx: Transaction,
    player_id: int,
    streak: StreakRow,
    changes: Sequence[StreakChange],
    gone: Collection[date],
) -> None:
    """Store a player's streak, delete its changes of the dates in `gone`, then add `changes`.

    The date of a change that is to be replaced has to be in `gone`.
    """
    stored.put(tx, streak, player_id)
    if gone:
        is_gone = streak_changes.c.day.in_(gone)
        tx.execute(delete(streak_changes).where(streak_changes.c.player_id == player_id, is_gone))
    rows = [
        {
            "player_id": player_id,
            "day": change.day,
            "reason": change.reason,
            "before": change.before,
            "after": change.after,
            "freezes": change.freezes,
        }
        for change in changes
    ]
    if rows:
        tx.execute(_ADD, rows)


def due(tx: Transaction, now: datetime, most: int) -> list[int]:
    """The players whose streaks may have changed without a play, the longest overdue first."""
    query = (
        select(streaks.c.player_id)
        .where(streaks.c.settles_at <= now)
        .order_by(streaks.c.settles_at)
        .limit(most)
    )
    return list(tx.scalars(query).all())


def hasten(
    tx: Transaction,
    settles_at: datetime,
    *,
    player_id: int | None = None,
    guild_id: int | None = None,
) -> None:
    """Schedule streaks for recomputation at `settles_at` at the latest.

    These are one player's streak, or those of all who have played FoCdle in a server; without both
    ids, all. Streaks that only a play can change are left alone.
    """
    change = update(streaks).where(streaks.c.settles_at > settles_at)
    if player_id is not None:
        change = change.where(streaks.c.player_id == player_id)
    if guild_id is not None:
        there = select(plays.c.player_id).where(plays.c.guild_id == guild_id)
        change = change.where(streaks.c.player_id.in_(there))
    tx.execute(change.values(settles_at=settles_at))


def put_off(tx: Transaction, player_id: int, settles_at: datetime) -> None:
    """Set when a player's streak is recomputed next."""
    change = update(streaks).where(streaks.c.player_id == player_id)
    tx.execute(change.values(settles_at=settles_at))


def count(tx: Transaction, guild_id: int, day: date, reasons: Collection[DateEffect]) -> int:
    """The number of members whose streaks grew for one of these reasons on a date.

    Members who are hidden or off the boards are not counted. The first date of a streak is no
    growth.
    """
    query = (
        select(func.count()).select_from(_CHANGES_OF_SERVER).where(*_grown(guild_id, day, reasons))
    )
    return tx.scalar(query) or 0


def grown(
    tx: Transaction, guild_id: int, day: date, reasons: Collection[DateEffect], *, most: int
) -> list[StreakEvent]:
    """The members that `count` counts, the longest streak first; at most `most`."""
    query = (
        select(*columns_of(StreakEvent, members, streak_changes))
        .select_from(_CHANGES_OF_SERVER)
        .where(*_grown(guild_id, day, reasons))
        .order_by(streak_changes.c.after.desc(), streak_changes.c.player_id)
        .limit(most)
    )
    return [StreakEvent(*row) for row in tx.execute(query)]


_CHANGES_OF_SERVER = members.join(streak_changes, streak_changes.c.player_id == members.c.player_id)


def _grown(
    guild_id: int, day: date, reasons: Collection[DateEffect]
) -> tuple[ColumnElement[bool], ...]:
    return (
        members.c.guild_id == guild_id,
        ~is_unnamed(guild_id, members.c.player_id),
        streak_changes.c.day == day,
        streak_changes.c.reason.in_(reasons),
        streak_changes.c.after > 1,
    )

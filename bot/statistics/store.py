"""SQL of one player's year."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, exists, func, select

from bot.db.database import Transaction
from bot.db.tables.games import (
    duel_seats,
    duels,
    guesses,
    mastermind_turns,
    masterminds,
    plays,
    puzzles,
)
from bot.db.tables.kinds import FIRST_PLAYER
from bot.db.tables.people import members
from bot.people.store import hides


@dataclass(frozen=True, slots=True)
class OpponentRow:
    """A player's duels with an opponent; the id is None if the player may not see who that is."""

    player_id: int | None
    played: int
    won: int


def first_daily(tx: Transaction, player_id: int) -> int | None:
    """Find the lowest number of a daily that a player finished on its date; None without any."""
    query = (
        select(func.min(puzzles.c.number))
        .join_from(plays, puzzles)
        .where(plays.c.player_id == player_id, plays.c.on_date)
    )
    return tx.scalar(query)


def favourite_opening(
    tx: Transaction, player_id: int, first: int, last: int
) -> tuple[str, int] | None:
    """Find a player's most frequent first guess in on-date plays of dailies, and its count.

    The dailies are those numbered `first` to `last`. None without any guess.
    """
    times = func.count().label("times")
    query = (
        select(guesses.c.code, times)
        .join_from(plays, puzzles)
        .join(guesses, (guesses.c.play_id == plays.c.id) & (guesses.c.turn == 0))
        .where(
            plays.c.player_id == player_id, plays.c.on_date, puzzles.c.number.between(first, last)
        )
        .group_by(guesses.c.code)
        .order_by(times.desc(), guesses.c.code)
        .limit(1)
    )
    row = tx.execute(query).one_or_none()
    return None if row is None else (row.code, row.times)


def count_masterminds(
    tx: Transaction, player_id: int, begin: datetime, end: datetime
) -> tuple[int, int]:
    """Count the Masterminds in which a player guessed, and how many of them were solved.

    Counted are those that ended in the period.
    """
    has_turns = exists().where(mastermind_turns.c.game_id == masterminds.c.id)
    query = select(func.count(), func.count().filter(masterminds.c.ending == "solved")).where(
        masterminds.c.codebreaker_id == player_id,
        masterminds.c.finished_at >= begin,
        masterminds.c.finished_at < end,
        has_turns,
    )
    played, solved = tx.execute(query).one()
    return played, solved


def opponents(
    tx: Transaction, player_id: int, begin: datetime, end: datetime, endings: Collection[str]
) -> list[OpponentRow]:
    """Count a player's duels against each other player in a period, the most frequent first.

    Counted are duels that ended in the period, with one of these endings.
    """
    mine, other = duel_seats.alias("mine"), duel_seats.alias("other")
    played = func.count().label("played")
    is_seen = _is_seen(player_id, other.c.player_id)
    query = (
        select(
            other.c.player_id, played, func.count().filter(duels.c.winner == mine.c.seat), is_seen
        )
        .join_from(mine, duels, duels.c.id == mine.c.duel_id)
        .join(other, (other.c.duel_id == mine.c.duel_id) & (other.c.seat != mine.c.seat))
        .where(
            mine.c.player_id == player_id,
            duels.c.finished_at >= begin,
            duels.c.finished_at < end,
            duels.c.ending.in_(endings),
            duels.c.strength.is_(None),
        )
        .group_by(other.c.player_id)
        .order_by(played.desc(), other.c.player_id)
    )
    return [
        OpponentRow(other_id if seen else None, count, won)
        for other_id, count, won, seen in tx.execute(query)
    ]


def _is_seen(player_id: int, other_id: ColumnElement[int | None]) -> ColumnElement[bool]:
    """Match players whom a player may see: they share a server, and the other is not hidden."""
    theirs, own = members.alias("theirs"), members.alias("own")
    share = (
        select(theirs.c.guild_id)
        .join_from(theirs, own, own.c.guild_id == theirs.c.guild_id)
        .where(theirs.c.player_id == other_id, own.c.player_id == player_id)
        .exists()
    )
    return (other_id >= FIRST_PLAYER) & share & ~hides(other_id)

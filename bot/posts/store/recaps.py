"""What a week was like in a server: its duels, its puzzles, and who has figures of it.

All of it is found from the server's own rows of that week, however much was played elsewhere or
before.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, exists, func, select

from bot.dailies import PuzzleName
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables import duel_moves, duel_seats, duels, members, pars, plays, puzzles, standings
from bot.leaderboards.store.results import Deadline, within
from bot.people.store.preferences import hides


@dataclass(frozen=True, slots=True)
class DuelResultRow:
    """A duel of two members that was played to its end, and how many guesses each has made."""

    id: int
    finished_at: datetime
    ending: str
    first_id: int
    second_id: int
    first_guesses: int
    second_guesses: int


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """A daily that was opened by anybody; its par is None while nobody knows it."""

    id: int
    number: int
    length: int
    par: float | None

    @property
    def name(self) -> PuzzleName:
        """Which daily it is."""
        return PuzzleName(self.number, self.length)


async def count_players(tx: Transaction, guild_id: int, slots: Collection[str]) -> int:
    """How many players have a row on any of these leaderboards, ranked yet or not."""
    query = select(func.count(standings.c.player_id.distinct())).where(
        standings.c.guild_id == guild_id, standings.c.slot.in_(slots)
    )
    return await tx.scalar(query) or 0


async def puzzles_between(tx: Transaction, first: int, last: int) -> list[PuzzleRow]:
    """The dailies of some dates, of every length, by their first and last number."""
    has_par = (pars.c.number == puzzles.c.number) & (pars.c.length == puzzles.c.length)
    query = (
        select(*columns_of(PuzzleRow, puzzles, par=pars.c.mean))
        .outerjoin_from(puzzles, pars, has_par)
        .where(puzzles.c.number.between(first, last))
        .order_by(puzzles.c.number, puzzles.c.length)
    )
    return [PuzzleRow(*row) for row in await tx.execute(query)]


async def count_finishers(
    tx: Transaction, guild_id: int, slot: str, puzzle_id: int, deadline: Deadline | None
) -> tuple[int, int]:
    """How many who have a row on a leaderboard finished a daily on its date, and solved it."""
    there = plays.c.player_id == standings.c.player_id
    query = (
        select(func.count(), func.count().filter(plays.c.outcome == "solved"))
        .join_from(standings, plays, there & (plays.c.puzzle_id == puzzle_id))
        .where(standings.c.guild_id == guild_id, standings.c.slot == slot)
        .where(plays.c.on_date, *within(deadline))
    )
    finished, solved = (await tx.execute(query)).one()
    return finished, solved


async def duels_between(
    tx: Transaction,
    guild_id: int,
    begin: datetime,
    end: datetime,
    endings: Collection[str],
) -> list[DuelResultRow]:
    """A server's duels of two members that ended so between two instants; of hidden ones none."""
    first, second = duel_seats.alias("first"), duel_seats.alias("second")
    query = (
        select(
            duels.c.id,
            duels.c.finished_at,
            duels.c.ending,
            first.c.player_id,
            second.c.player_id,
            _guesses(0),
            _guesses(1),
        )
        .join_from(duels, first, (first.c.duel_id == duels.c.id) & (first.c.seat == 0))
        .join(second, (second.c.duel_id == duels.c.id) & (second.c.seat == 1))
        .where(
            duels.c.guild_id == guild_id,
            duels.c.finished_at >= begin,
            duels.c.finished_at < end,
            duels.c.ending.in_(endings),
            _is_shown(guild_id, first.c.player_id),
            _is_shown(guild_id, second.c.player_id),
        )
        .order_by(duels.c.id)
    )
    return [DuelResultRow(*row) for row in await tx.execute(query)]


def _guesses(seat: int) -> ColumnElement[int]:
    return (
        select(func.count())
        .where(duel_moves.c.duel_id == duels.c.id, duel_moves.c.seat == seat)
        .scalar_subquery()
    )


def _is_shown(guild_id: int, player_id: ColumnElement[int | None]) -> ColumnElement[bool]:
    """Whether a server's leaderboards show somebody: a member who is not hidden."""
    is_member = exists().where(members.c.guild_id == guild_id, members.c.player_id == player_id)
    return is_member & ~hides(player_id)

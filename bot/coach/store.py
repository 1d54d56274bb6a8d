"""Stored analyses of finished games, and difficulties."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Float,
    case,
    cast,
    exists,
    func,
    or_,
    select,
    update,
)

from bot.coach.model import Field
from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.games import analyses, guesses, plays, puzzles
from bot.games.model import GameName
from bot.leaderboards.results import Deadline, within
from bot.people.store import hides


@dataclass(frozen=True, slots=True)
class DailyRow:
    id: int
    number: int
    length: int
    secret: str


def without_difficulty(tx: Transaction, most: int, but: Collection[int]) -> list[DailyRow]:
    """At most `most` opened dailies of unknown difficulty, latest first; ids in `but` left out."""
    query = (
        select(*columns_of(DailyRow, puzzles))
        .where(
            puzzles.c.number.is_not(None),
            puzzles.c.difficulty.is_(None),
            puzzles.c.id.not_in(but),
            exists().where(plays.c.puzzle_id == puzzles.c.id),
        )
        .order_by(puzzles.c.number.desc(), puzzles.c.length)
        .limit(most)
    )
    return [DailyRow(*row) for row in tx.execute(query)]


def put_difficulty(tx: Transaction, puzzle_id: int, difficulty: int) -> None:
    """Store the difficulty of a puzzle, unless it has one."""
    query = update(puzzles).where(puzzles.c.id == puzzle_id, puzzles.c.difficulty.is_(None))
    tx.execute(query.values(difficulty=difficulty))


@dataclass(frozen=True, slots=True)
class AnalysisRow:
    """An analysis as JSON (`facts`); `remaining` is how many candidates each guess left."""

    version: int
    facts: str
    remaining: tuple[int, ...]


def get(tx: Transaction, name: GameName) -> AnalysisRow | None:
    """The stored analysis of a game, or of a seat of a duel, of any version; None without one."""
    query = select(analyses.c.version, analyses.c.facts, analyses.c.remaining).where(
        analyses.c[f"{name.source}_id"] == name.id, analyses.c.seat == (name.seat or 0)
    )
    row = tx.execute(query).mappings().one_or_none()
    if row is None:
        return None
    return AnalysisRow(row["version"], row["facts"], _counts(row["remaining"]))


def put(tx: Transaction, name: GameName, row: AnalysisRow, *, made_at: datetime) -> None:
    place = {f"{name.source}_id": name.id, "seat": name.seat or 0}
    values = {
        "version": row.version,
        "facts": row.facts,
        "remaining": " ".join(map(str, row.remaining)),
        "made_at": made_at,
    }
    keyed.put(tx, analyses, place, values)


def of_others(
    tx: Transaction, play_id: int, version: int, deadline: Deadline, *, most: int
) -> list[tuple[int, ...]]:
    """The numbers of candidates left after each guess, of at most `most` other plays of the puzzle.

    They are the latest in the play's server that have an analysis of this version. If there is a
    deadline, they met it. Plays of stand-ins, and of members hidden or kept out, are left out.
    """
    query = (
        select(analyses.c.remaining)
        .join_from(analyses, plays, analyses.c.play_id == plays.c.id)
        .where(*_alongside(play_id), *within(deadline), analyses.c.version == version)
        .order_by(plays.c.id.desc())
        .limit(most)
    )
    return [_counts(text) for text in tx.scalars(query).all()]


def missing(
    tx: Transaction, play_id: int, version: int, deadline: Deadline, *, most: int
) -> list[int]:
    """The ids of at most `most` plays that `of_others` leaves out only for want of an analysis.

    The latest come first. An analysis of another version does not count.
    """
    done = select(analyses.c.id).where(
        analyses.c.play_id == plays.c.id, analyses.c.version == version
    )
    query = (
        select(plays.c.id)
        .where(*_alongside(play_id), *within(deadline), ~done.exists())
        .order_by(plays.c.id.desc())
        .limit(most)
    )
    return list(tx.scalars(query).all())


def field(tx: Transaction, play_id: int, deadline: Deadline) -> Field:
    """The results of a play's puzzle in its server. Only plays that met the deadline count.

    This play counts also if its player is hidden or kept out. Plays of stand-ins do not count, nor
    those of others who are hidden or kept out.
    """
    made = select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery()
    taken = made + case((plays.c.outcome == "solved", 0), else_=1)
    query = select(
        func.count().label("players"), func.avg(cast(taken, Float)).label("guesses")
    ).where(*_same_field(play_id), *within(deadline))
    players, mean = tx.execute(query).one()
    return Field(players, float(mean or 0))


_MINE = plays.alias("mine")


def _same_field(play_id: int) -> tuple[ColumnElement[bool], ...]:
    return (
        _MINE.c.id == play_id,
        plays.c.puzzle_id == _MINE.c.puzzle_id,
        plays.c.guild_id == _MINE.c.guild_id,
        plays.c.outcome.is_not(None),
        or_(plays.c.id == _MINE.c.id, plays.c.counts & ~hides(plays.c.player_id)),
    )


def _alongside(play_id: int) -> tuple[ColumnElement[bool], ...]:
    return (*_same_field(play_id), plays.c.id != play_id)


def _counts(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))

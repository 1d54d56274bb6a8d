"""Games that are over, from which leaderboards and statistics follow."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    Subquery,
    bindparam,
    case,
    func,
    select,
)

from bot.db.database import Transaction
from bot.db.keyed import columns_of, once
from bot.db.tables import (
    duel_seats,
    duels,
    guesses,
    hints,
    mastermind_turns,
    masterminds,
    pars,
    plays,
    puzzles,
)
from bot.games.model import SharedDailies
from bot.games.store import LEAST_POINTS
from bot.ratings.model import HeadToHead


@dataclass(frozen=True, slots=True)
class Deadline:
    """Until when something must have been opened, and finished."""

    opened_before: datetime
    finished_before: datetime

    def is_met(self, opened_at: datetime, finished_at: datetime) -> bool:
        """Whether both were in time."""
        return opened_at < self.opened_before and finished_at < self.finished_before


def within(deadline: Deadline | None) -> tuple[ColumnElement[bool], ...]:
    """What holds for plays that have met a deadline; nothing without one."""
    if deadline is None:
        return ()
    opened, finished = deadline.opened_before, deadline.finished_before
    return (plays.c.opened_at < opened, plays.c.finished_at < finished)


@dataclass(frozen=True, slots=True)
class DailyResultRow:
    """A daily that was finished on its date; its par is None while nobody knows it.

    `least` is what it is worth at least if it was solved.
    Whether its player had guessed at none of the date before is None where that was not noted yet.
    """

    number: int
    length: int
    solved: bool
    guesses: int
    hints: int
    least: int
    opened_at: datetime
    finished_at: datetime
    par: float | None
    first_of_date: bool | None


@dataclass(frozen=True, slots=True)
class DailyCountRow:
    """How many dailies a player has finished in one way."""

    on_date: bool
    hard: bool
    solved: bool
    guesses: int
    hints: int
    least: int
    plays: int


@dataclass(frozen=True, slots=True)
class MastermindResultRow:
    """A finished game with at least one guess."""

    finished_at: datetime
    ending: str
    guesses: int
    hints: int


_RESULT: Final[Mapping[str, ColumnElement[Any]]] = {
    "solved": plays.c.outcome == "solved",
    "guesses": select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery(),
    "hints": select(func.count()).where(hints.c.play_id == plays.c.id).scalar_subquery(),
    "least": LEAST_POINTS,
}
_DAILIES = (
    select(*columns_of(DailyResultRow, puzzles, plays, **_RESULT, par=pars.c.mean))
    .join_from(plays, puzzles)
    .outerjoin(pars, (pars.c.number == puzzles.c.number) & (pars.c.length == puzzles.c.length))
    .where(plays.c.on_date, plays.c.player_id == bindparam("player"))
    .order_by(puzzles.c.number, puzzles.c.length)
)
_DAILIES_SINCE = _DAILIES.where(puzzles.c.number >= bindparam("since"))
_DAILIES_OF_DATE = _DAILIES.where(puzzles.c.number == bindparam("number"))


def dailies(tx: Transaction, player_id: int, *, since: int = 1) -> list[DailyResultRow]:
    """A player's dailies that were finished on their date, from a number on, in order."""
    rows = tx.execute(_DAILIES_SINCE, {"player": player_id, "since": since})
    return [DailyResultRow(*row) for row in rows]


def dailies_of_date(tx: Transaction, player_id: int, number: int) -> list[DailyResultRow]:
    """A player's dailies with this number that were finished on their date."""
    rows = tx.execute(_DAILIES_OF_DATE, {"player": player_id, "number": number})
    return [DailyResultRow(*row) for row in rows]


def taken_at_most(most: int) -> ColumnElement[int]:
    """How many guesses a play took, hints included; `most` for one that was lost or took more."""
    taken = _RESULT["guesses"] + _RESULT["hints"]
    return case((_RESULT["solved"] & (taken < most), taken), else_=most)


def count_dailies(tx: Transaction, player_id: int) -> list[DailyCountRow]:
    """How a player's finished dailies went, by way of playing, outcome and guesses."""
    return [DailyCountRow(*row) for row in tx.execute(*_daily_counts(player_id))]


@once
def _daily_counts(player_id: int) -> Select[*tuple[Any, ...]]:
    ended = (
        select(plays.c.on_date, plays.c.hard, *(made.label(name) for name, made in _RESULT.items()))
        .join_from(plays, puzzles)
        .where(
            plays.c.player_id == player_id,
            plays.c.finished_at.is_not(None),
            puzzles.c.number.is_not(None),
        )
        .subquery()
    )
    how = (ended.c.on_date, ended.c.hard, ended.c.solved)
    ways = (*how, ended.c.guesses, ended.c.hints, ended.c.least)
    return select(*ways, func.count().label("plays")).group_by(*ways).order_by(*ways)


def mastermind_games(
    tx: Transaction, player_id: int, *, kind: str, rules: str
) -> list[MastermindResultRow]:
    """A player's ranked finished games of a kind and setting with at least one guess, in order."""
    rows = tx.execute(*_codes_broken(player_id, kind, rules))
    return [MastermindResultRow(*row) for row in rows]


@once
def _codes_broken(player_id: int, kind: str, rules: str) -> Select[*tuple[Any, ...]]:
    turns = (
        select(func.count()).where(mastermind_turns.c.game_id == masterminds.c.id).scalar_subquery()
    )
    taken = select(func.count()).where(hints.c.mastermind_id == masterminds.c.id).scalar_subquery()
    return (
        select(*columns_of(MastermindResultRow, masterminds, guesses=turns, hints=taken))
        .where(
            masterminds.c.codebreaker_id == player_id,
            masterminds.c.finished_at.is_not(None),
            masterminds.c.kind == kind,
            masterminds.c.rules == rules,
            masterminds.c.ranked,
            turns > 0,
        )
        .order_by(masterminds.c.finished_at, masterminds.c.id)
    )


def count_duels(tx: Transaction, player_id: int, endings: Collection[str]) -> HeadToHead:
    """How a player's duels with others went that ended in one of these ways."""
    return HeadToHead(*tx.execute(*_duel_counts(player_id, endings)).one())


@once
def _duel_counts(player_id: int, endings: Collection[str]) -> Select[int, int, int]:
    mine = duel_seats.c.seat
    return (
        select(
            func.count().filter(duels.c.winner == mine).label("won"),
            func.count().filter(duels.c.winner.is_(None)).label("drawn"),
            func.count().filter(duels.c.winner != mine).label("lost"),
        )
        .join_from(duel_seats, duels)
        .where(
            duel_seats.c.player_id == player_id,
            duels.c.ending.in_(endings),
            duels.c.strength.is_(None),
        )
    )


def count_bot_duels(
    tx: Transaction, player_id: int, endings: Collection[str]
) -> dict[str, HeadToHead]:
    """How a player's duels with the bot went that ended in one of these ways, by its strength."""
    found = tx.execute(*_bot_duel_counts(player_id, endings))
    return {strength: HeadToHead(*counts) for strength, *counts in found}


@once
def _bot_duel_counts(player_id: int, endings: Collection[str]) -> Select[*tuple[Any, ...]]:
    mine = duel_seats.c.seat
    return (
        select(
            duels.c.strength,
            func.count().filter(duels.c.winner == mine).label("won"),
            func.count().filter(duels.c.winner.is_(None)).label("drawn"),
            func.count().filter(duels.c.winner != mine).label("lost"),
        )
        .join_from(duel_seats, duels)
        .where(
            duel_seats.c.player_id == player_id,
            duels.c.ending.in_(endings),
            duels.c.strength.is_not(None),
        )
        .group_by(duels.c.strength)
    )


def shared_dailies(
    tx: Transaction, one_id: int, other_id: int, *, before: int, most: int
) -> SharedDailies:
    """How the dailies below a number went that both have finished on their date.

    Args:
        tx: the transaction.
        one_id: from whose point of view.
        other_id: the other one.
        before: the first number that is left out.
        most: what a daily counts as that was lost or took more, hints included.
    """
    row = tx.execute(*_shared(one_id, other_id, before, most)).one()
    return SharedDailies(*row)


@once
def _shared(one_id: int, other_id: int, before: int, most: int) -> Select[int, int, int]:
    one, other = _taken(one_id, before, most), _taken(other_id, before, most)
    return select(
        func.count(),
        func.count().filter(one.c.taken < other.c.taken),
        func.count().filter(one.c.taken > other.c.taken),
    ).join_from(one, other, one.c.puzzle_id == other.c.puzzle_id)


def _taken(player_id: Any, before: Any, most: Any) -> Subquery:
    """What each of a player's dailies counts as."""
    is_counted = plays.c.on_date & (plays.c.player_id == player_id) & (puzzles.c.number < before)
    found = select(plays.c.puzzle_id, taken_at_most(most).label("taken"))
    return found.join_from(plays, puzzles).where(is_counted).subquery()

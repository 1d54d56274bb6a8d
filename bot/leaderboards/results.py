"""SQL of finished games, for leaderboards and statistics."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Subquery,
    case,
    func,
    select,
)

from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.games import (
    duel_seats,
    duels,
    guesses,
    hints,
    mastermind_turns,
    masterminds,
    plays,
    puzzles,
)
from bot.games.model import SharedDailies
from bot.ratings.model import HeadToHead
from engine import Focdle, Mastermind


@dataclass(frozen=True, slots=True)
class Deadline:
    """The instants before which a daily must be opened and finished for a server to count it."""

    opened_before: datetime
    finished_before: datetime

    def is_met(self, opened_at: datetime, finished_at: datetime) -> bool:
        return opened_at < self.opened_before and finished_at < self.finished_before


def within(deadline: Deadline) -> tuple[ColumnElement[bool], ...]:
    """Build SQL conditions for plays that meet a deadline."""
    opened, finished = deadline.opened_before, deadline.finished_before
    return (plays.c.opened_at < opened, plays.c.finished_at < finished)


@dataclass(frozen=True, slots=True)
class DailyResultRow:
    """A daily that was finished on its date."""

    number: int
    length: int
    solved: bool
    guesses: int
    hints: int
    opened_at: datetime
    finished_at: datetime


@dataclass(frozen=True, slots=True)
class DailyCountRow:
    """The number (`plays`) of a player's finished dailies that all other fields describe."""

    on_date: bool
    hard: bool
    solved: bool
    guesses: int
    hints: int
    plays: int


@dataclass(frozen=True, slots=True)
class MastermindResultRow:
    """A finished Mastermind that leaderboards count."""

    finished_at: datetime
    solved: bool
    guesses: int
    hints: int


_RESULT: Final[Mapping[str, ColumnElement[Any]]] = {
    "solved": plays.c.outcome == "solved",
    "guesses": select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery(),
    "hints": select(func.count()).where(hints.c.play_id == plays.c.id).scalar_subquery(),
}
_DAILIES = (
    select(*columns_of(DailyResultRow, puzzles, plays, **_RESULT))
    .join_from(plays, puzzles)
    .where(plays.c.on_date)
    .order_by(puzzles.c.number, puzzles.c.length)
)


def dailies(tx: Transaction, player_id: int, *, since: int = 1) -> list[DailyResultRow]:
    """A player's dailies finished on their dates, by number and length, from number `since` on."""
    query = _DAILIES.where(plays.c.player_id == player_id, puzzles.c.number >= since)
    return [DailyResultRow(*row) for row in tx.execute(query)]


def dailies_of_date(tx: Transaction, player_id: int, number: int) -> list[DailyResultRow]:
    """A player's dailies of all lengths with this number, finished on their date."""
    query = _DAILIES.where(plays.c.player_id == player_id, puzzles.c.number == number)
    return [DailyResultRow(*row) for row in tx.execute(query)]


def count_dailies(tx: Transaction, player_id: int) -> list[DailyCountRow]:
    """Count a player's finished dailies, on date or later, by the fields of `DailyCountRow`."""
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
    ways = (*how, ended.c.guesses, ended.c.hints)
    query = select(*ways, func.count().label("plays")).group_by(*ways).order_by(*ways)
    return [DailyCountRow(*row) for row in tx.execute(query)]


STANDARD_MASTERMIND: Final = Mastermind().encode()
"""The rules of the one setting that leaderboards count, as they are stored."""
PLAY: Final = "play"
"""The kind of Mastermind that leaderboards count, as it is stored."""
SOLVED: Final = "solved"
"""The ending of a Mastermind whose code was found, as it is stored."""


def mastermind_games(tx: Transaction, player_id: int) -> list[MastermindResultRow]:
    """A player's finished Masterminds that leaderboards count, the oldest first.

    They are ranked, of the standard setting, and have a guess.
    """
    turns = (
        select(func.count()).where(mastermind_turns.c.game_id == masterminds.c.id).scalar_subquery()
    )
    taken = select(func.count()).where(hints.c.mastermind_id == masterminds.c.id).scalar_subquery()
    query = (
        select(
            *columns_of(
                MastermindResultRow,
                masterminds,
                solved=masterminds.c.ending == SOLVED,
                guesses=turns,
                hints=taken,
            )
        )
        .where(
            masterminds.c.codebreaker_id == player_id,
            masterminds.c.finished_at.is_not(None),
            masterminds.c.kind == PLAY,
            masterminds.c.rules == STANDARD_MASTERMIND,
            masterminds.c.ranked,
            turns > 0,
        )
        .order_by(masterminds.c.finished_at, masterminds.c.id)
    )
    return [MastermindResultRow(*row) for row in tx.execute(query)]


def count_duels(
    tx: Transaction, player_id: int, endings: Collection[str]
) -> dict[str | None, HeadToHead]:
    """Count a player's won, drawn and lost duels with one of these endings, by the bot's strength.

    Duels with other players are under None.
    """
    mine = duel_seats.c.seat
    query = (
        select(
            duels.c.strength,
            func.count().filter(duels.c.winner == mine).label("won"),
            func.count().filter(duels.c.winner.is_(None)).label("drawn"),
            func.count().filter(duels.c.winner != mine).label("lost"),
        )
        .join_from(duel_seats, duels)
        .where(duel_seats.c.player_id == player_id, duels.c.ending.in_(endings))
        .group_by(duels.c.strength)
    )
    return {strength: HeadToHead(*counts) for strength, *counts in tx.execute(query)}


_LOST: Final = Focdle().max_guesses + 1
"""How many guesses a lost daily counts as; the most that a solved one counts as, with its hints."""


def shared_dailies(tx: Transaction, one_id: int, other_id: int, *, before: int) -> SharedDailies:
    """Compare two players by dailies numbered below `before` that both finished on their dates."""
    one, other = _taken(one_id, before), _taken(other_id, before)
    query = select(
        func.count(),
        func.count().filter(one.c.taken < other.c.taken),
        func.count().filter(one.c.taken > other.c.taken),
    ).join_from(one, other, one.c.puzzle_id == other.c.puzzle_id)
    return SharedDailies(*tx.execute(query).one())


def _taken(player_id: int, before: int) -> Subquery:
    """Select a player's dailies on date with numbers below `before`, and what each has taken.

    That is guesses and hints together; a lost one counts as `_LOST`, and none as more.
    """
    taken = _RESULT["guesses"] + _RESULT["hints"]
    counted = case((_RESULT["solved"] & (taken < _LOST), taken), else_=_LOST).label("taken")
    is_counted = plays.c.on_date & (plays.c.player_id == player_id) & (puzzles.c.number < before)
    found = select(plays.c.puzzle_id, counted).join_from(plays, puzzles)
    return found.where(is_counted).subquery()

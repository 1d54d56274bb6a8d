"""SQL of one player's finished games, the latest first."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import CompoundSelect, Select, exists, func, literal, or_, select, union_all

from bot.db.database import Transaction
from bot.db.keyed import columns_of, once
from bot.db.tables import (
    duel_moves,
    duel_seats,
    duels,
    guesses,
    hints,
    mastermind_turns,
    masterminds,
    plays,
    puzzles,
)

PLAY: Final = "play"
MASTERMIND: Final = "mastermind"
DUEL: Final = "duel"


@dataclass(frozen=True, slots=True)
class FinishedKey:
    """A finished game: its table and its id there."""

    source: str
    id: int


@dataclass(frozen=True, slots=True)
class FinishedPlayRow:
    """A finished FoCdle; `number` is None for a practice."""

    id: int
    finished_at: datetime
    outcome: str
    on_date: bool
    hard: bool
    number: int | None
    rules: str
    guesses: int
    hints: int
    is_set: bool


@dataclass(frozen=True, slots=True)
class FinishedMastermindRow:
    """A finished game of Mastermind; `guesses` counts the answered ones."""

    id: int
    finished_at: datetime
    kind: str
    rules: str
    owner_id: int
    codebreaker_id: int | None
    ending: str
    sealed: bool
    guesses: int
    hints: int


@dataclass(frozen=True, slots=True)
class FinishedDuelRow:
    """A finished duel, from one player's seat; after a draw `guesses` are those of each player."""

    id: int
    finished_at: datetime
    rules: str
    mode: str
    strength: str | None
    ending: str
    winner: int | None
    seat: int
    opponent_id: int | None
    guesses: int


# The bot's guess is stored before its answer. With a stored secret, the answer follows from it.
_ANSWERED: Final = (mastermind_turns.c.game_id == masterminds.c.id) & or_(
    masterminds.c.secret.is_not(None), mastermind_turns.c.whites.is_not(None)
)


def count(tx: Transaction, player_id: int, endings: Collection[str]) -> int:
    """Count a player's finished games; duels need one of these endings."""
    return tx.scalar(*_count(player_id, endings)) or 0


@once
def _count(player_id: int, endings: Collection[str]) -> Select[int]:
    return select(func.count()).select_from(_games(player_id, endings).subquery())


def page(
    tx: Transaction, player_id: int, endings: Collection[str], *, most: int, after: int
) -> list[FinishedKey]:
    """Find a page of a player's finished games, the latest first.

    Games of Mastermind that were never begun, and duels with endings other than `endings`, are left
    out.
    """
    rows = tx.execute(*_page(player_id, endings, most, after))
    return [FinishedKey(*row) for row in rows]


@once
def _page(
    player_id: int, endings: Collection[str], most: int, after: int
) -> Select[*tuple[Any, ...]]:
    games = _games(player_id, endings).subquery()
    return (
        select(games.c.source, games.c.id)
        .order_by(games.c.finished_at.desc(), games.c.source, games.c.id.desc())
        .limit(most)
        .offset(after)
    )


def find_plays(tx: Transaction, ids: Collection[int]) -> list[FinishedPlayRow]:
    return [FinishedPlayRow(*row) for row in tx.execute(*_plays(ids))]


@once
def _plays(ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    made = select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery()
    taken = select(func.count()).where(hints.c.play_id == plays.c.id).scalar_subquery()
    is_set = puzzles.c.closes_at.is_not(None)
    found = columns_of(FinishedPlayRow, plays, puzzles, guesses=made, hints=taken, is_set=is_set)
    return (
        select(*found)
        .join_from(plays, puzzles)
        .where(plays.c.id.in_(ids), plays.c.finished_at.is_not(None))
    )


def find_masterminds(tx: Transaction, ids: Collection[int]) -> list[FinishedMastermindRow]:
    return [FinishedMastermindRow(*row) for row in tx.execute(*_masterminds(ids))]


@once
def _masterminds(ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    made = select(func.count()).where(_ANSWERED).correlate(masterminds).scalar_subquery()
    taken = select(func.count()).where(hints.c.mastermind_id == masterminds.c.id).scalar_subquery()
    is_sealed = masterminds.c.secret.is_not(None)
    columns = columns_of(
        FinishedMastermindRow, masterminds, sealed=is_sealed, guesses=made, hints=taken
    )
    return select(*columns).where(masterminds.c.id.in_(ids), masterminds.c.finished_at.is_not(None))


def find_duels(tx: Transaction, player_id: int, ids: Collection[int]) -> list[FinishedDuelRow]:
    """Read the finished duels among these that a player has a seat in."""
    return [FinishedDuelRow(*row) for row in tx.execute(*_duels(player_id, ids))]


@once
def _duels(player_id: int, ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    mine, other = duel_seats.alias("mine"), duel_seats.alias("other")
    told = func.coalesce(duels.c.winner, 0)
    made = (
        select(func.count())
        .where(duel_moves.c.duel_id == duels.c.id, duel_moves.c.seat == told)
        .scalar_subquery()
    )
    opponent_id = other.c.player_id
    columns = columns_of(FinishedDuelRow, duels, mine, opponent_id=opponent_id, guesses=made)
    return (
        select(*columns)
        .select_from(duels)
        .join(mine, (mine.c.duel_id == duels.c.id) & (mine.c.player_id == player_id))
        .join(other, (other.c.duel_id == duels.c.id) & (other.c.seat != mine.c.seat))
        .where(duels.c.id.in_(ids), duels.c.finished_at.is_not(None))
    )


def _games(player_id: int, endings: Collection[str]) -> CompoundSelect[str, Any, Any]:
    """Select the table, id and end of each finished game of a player.

    Each query of the union reads this player's rows only. A Mastermind of which the player is both
    the owner and the codebreaker is selected once.
    """
    focdles = select(literal(PLAY).label("source"), plays.c.id, plays.c.finished_at).where(
        plays.c.player_id == player_id, plays.c.finished_at.is_not(None)
    )
    was_begun = masterminds.c.accepted_at.is_not(None) | exists().where(_ANSWERED).correlate(
        masterminds
    )
    codes = select(literal(MASTERMIND), masterminds.c.id, masterminds.c.finished_at).where(
        masterminds.c.finished_at.is_not(None), was_begun
    )
    fought = (
        select(literal(DUEL), duels.c.id, duels.c.finished_at)
        .join_from(duel_seats, duels)
        .where(
            duel_seats.c.player_id == player_id,
            duels.c.finished_at.is_not(None),
            duels.c.ending.in_(endings),
        )
    )
    return union_all(
        focdles,
        codes.where(masterminds.c.owner_id == player_id),
        codes.where(masterminds.c.codebreaker_id == player_id, masterminds.c.owner_id != player_id),
        fought,
    )

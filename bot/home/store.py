"""SQL of one player's finished games, the latest first."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from sqlalchemy import CompoundSelect, Select, exists, func, literal, or_, select, union_all

from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.games import (
    duel_moves,
    duel_seats,
    duels,
    guesses,
    hints,
    mastermind_turns,
    masterminds,
    plays,
    puzzles,
    race_guesses,
    race_seats,
    races,
)
from bot.home.model import (
    FinishedDuel,
    FinishedGame,
    FinishedMastermind,
    FinishedPlay,
    FinishedRace,
)
from bot.races.model import Ending

PLAY: Final = "play"
MASTERMIND: Final = "mastermind"
DUEL: Final = "duel"
RACE: Final = "race"


@dataclass(frozen=True, slots=True)
class FinishedKey:
    """Where a finished game is stored: its table, and its id there."""

    source: str
    id: int


# The bot's guess is stored before its answer. With a stored secret, the answer follows from it.
_ANSWERED: Final = (mastermind_turns.c.game_id == masterminds.c.id) & or_(
    masterminds.c.secret.is_not(None), mastermind_turns.c.whites.is_not(None)
)


def count(tx: Transaction, player_id: int, endings: Collection[str]) -> int:
    """Count a player's finished games, as `page` lists them."""
    games = _games(player_id, endings).subquery()
    return tx.scalar(select(func.count()).select_from(games)) or 0


def page(
    tx: Transaction, player_id: int, endings: Collection[str], *, most: int, after: int
) -> list[FinishedKey]:
    """List `most` of a player's finished games, the latest first, after skipping `after`.

    Duels count only with one of these `endings`, Masterminds only if they were begun, races only
    if the player has guessed.
    """
    games = _games(player_id, endings).subquery()
    query = (
        select(games.c.source, games.c.id)
        .order_by(games.c.finished_at.desc(), games.c.source, games.c.id.desc())
        .limit(most)
        .offset(after)
    )
    return [FinishedKey(*row) for row in tx.execute(query)]


def find(tx: Transaction, player_id: int, keys: Sequence[FinishedKey]) -> tuple[FinishedGame, ...]:
    """Read these games from the player's point of view, in the order of `keys`."""
    ids: dict[str, list[int]] = {}
    for key in keys:
        ids.setdefault(key.source, []).append(key.id)
    kinds: dict[str, Any] = {
        PLAY: (FinishedPlay, _plays),
        MASTERMIND: (FinishedMastermind, _masterminds),
        DUEL: (FinishedDuel, partial(_duels, player_id)),
        RACE: (FinishedRace, partial(_races, player_id)),
    }
    found: dict[FinishedKey, FinishedGame] = {}
    for source, some in ids.items():
        noun, query = kinds[source]
        for row in tx.execute(query(some)).mappings():
            found[FinishedKey(source, row["id"])] = noun.stored(**row)
    return tuple(found[key] for key in keys)


def _plays(ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    made = select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery()
    taken = select(func.count()).where(hints.c.play_id == plays.c.id).scalar_subquery()
    others = {
        "is_solved": plays.c.outcome == "solved",
        "guesses": made,
        "hints": taken,
        "is_set": puzzles.c.closes_at.is_not(None),
    }
    return (
        select(plays.c.hard, *columns_of(FinishedPlay, plays, puzzles, **others))
        .join_from(plays, puzzles)
        .where(plays.c.id.in_(ids), plays.c.finished_at.is_not(None))
    )


def _masterminds(ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    made = select(func.count()).where(_ANSWERED).correlate(masterminds).scalar_subquery()
    taken = select(func.count()).where(hints.c.mastermind_id == masterminds.c.id).scalar_subquery()
    is_sealed = (masterminds.c.kind == "defend") & masterminds.c.secret.is_not(None)
    columns = columns_of(
        FinishedMastermind, masterminds, sealed=is_sealed, guesses=made, hints=taken
    )
    return select(*columns).where(masterminds.c.id.in_(ids), masterminds.c.finished_at.is_not(None))


def _duels(player_id: int, ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    """Select those of these duels in which the player has a seat."""
    mine, other = duel_seats.alias("mine"), duel_seats.alias("other")
    told = func.coalesce(duels.c.winner, 0)
    made = (
        select(func.count())
        .where(duel_moves.c.duel_id == duels.c.id, duel_moves.c.seat == told)
        .scalar_subquery()
    )
    others = {
        "opponent_id": other.c.player_id,
        "result": duels.c.winner == mine.c.seat,
        "guesses": made,
    }
    return (
        select(*columns_of(FinishedDuel, duels, **others))
        .select_from(duels)
        .join(mine, (mine.c.duel_id == duels.c.id) & (mine.c.player_id == player_id))
        .join(other, (other.c.duel_id == duels.c.id) & (other.c.seat != mine.c.seat))
        .where(duels.c.id.in_(ids), duels.c.finished_at.is_not(None))
    )


def _races(player_id: int, ids: Collection[int]) -> Select[*tuple[Any, ...]]:
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


def _games(player_id: int, endings: Collection[str]) -> CompoundSelect[str, Any, Any]:
    """Select table, id and end of each finished game that `page` lists.

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
    has_guessed = exists().where(
        race_guesses.c.race_id == races.c.id, race_guesses.c.seat == race_seats.c.seat
    )
    raced = (
        select(literal(RACE), races.c.id, races.c.finished_at)
        .join_from(race_seats, races)
        .where(race_seats.c.player_id == player_id, races.c.ending == Ending.FINISHED, has_guessed)
    )
    return union_all(
        focdles,
        codes.where(masterminds.c.owner_id == player_id),
        codes.where(masterminds.c.codebreaker_id == player_id, masterminds.c.owner_id != player_id),
        fought,
        raced,
    )

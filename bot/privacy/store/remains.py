"""Games left under the stand-ins of deleted players, which go a few at a time."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import ColumnElement, Select, Table, and_, case, delete, or_, select, update

from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import Agenda
from bot.db.tables import (
    CALLED_OFF,
    FIRST_PLAYER,
    FLEETING,
    analyses,
    duel_seats,
    duels,
    erasures,
    masterminds,
    plays,
    puzzles,
)

agenda: Final = Agenda(erasures.c.look_at)
"""The stand-ins to look under now."""


async def note(tx: Transaction, stand_in: int, look_at: datetime) -> None:
    """Note that there may be something left under a stand-in."""
    await keyed.put(tx, erasures, {"stand_in": stand_in}, {"look_at": look_at})


async def done(tx: Transaction, stand_in: int) -> None:
    """Note that nothing is left under a stand-in."""
    await tx.execute(delete(erasures).where(erasures.c.stand_in == stand_in))


async def hand_over(tx: Transaction, player_id: int, stand_in: int, most: int) -> int:
    """Put a stand-in in place of a player in finished games that are nobody else's.

    Args:
        tx: the transaction.
        player_id: the player, who keeps practices and games of Mastermind that go on.
        stand_in: the id to put in place.
        most: how many games of each kind at most.

    Returns:
        In how many it is now.
    """
    practices = (
        select(plays.c.id)
        .join_from(plays, puzzles)
        .where(plays.c.player_id == player_id, puzzles.c.number.is_(None))
        .where(plays.c.finished_at.is_not(None))
    )
    codes = _lonely_masterminds(player_id).where(masterminds.c.finished_at.is_not(None))
    breaker = case((masterminds.c.codebreaker_id == player_id, stand_in))
    handed = 0
    for table, which, values in (
        (plays, practices, {"player_id": stand_in}),
        (masterminds, codes, {"owner_id": stand_in, "codebreaker_id": breaker}),
    ):
        change = update(table).where(table.c.id.in_(which.limit(most)))
        handed += (await tx.execute(change.values(values))).rowcount
    return handed


async def delete_some(tx: Transaction, stand_in: int, most: int) -> int:
    """Delete some of what was a forgotten player's alone, or is nobody's any more.

    That is plays, games with the bot, what the coach found in the player's guesses, and games
    of which no player is left once their public board names nobody.

    Args:
        tx: the transaction.
        stand_in: whose.
        most: how many games at most.

    Returns:
        How many there were.
    """
    deleted = await _delete_plays(tx, stand_in, most)
    for table, which in (
        (masterminds, _lonely_masterminds(stand_in)),
        (duels, _lonely_duels(stand_in)),
        (analyses, _analyses_of_masterminds(stand_in)),
        (analyses, _analyses_of_duels(stand_in)),
        (masterminds, _masterminds_of_nobody(stand_in).where(_IS_MASTERMIND_SHOWN)),
        (duels, _duels_of_nobody(stand_in).where(_IS_DUEL_SHOWN)),
    ):
        if deleted < most:
            ids = (await tx.scalars(which.limit(most - deleted))).all()
            await _delete(tx, table, ids)
            deleted += len(ids)
    return deleted


async def delete_fleeting(tx: Transaction, ended_by: datetime, most: int) -> int:
    """Delete some games that were watched, called off or have never begun, and ended by then.

    Returns:
        How many there were, at most as many as allowed.
    """
    deleted = 0
    for table, is_fleeting in ((masterminds, FLEETING), (duels, CALLED_OFF)):
        ended = select(table.c.id).where(is_fleeting, table.c.finished_at <= ended_by)
        ids = (await tx.scalars(ended.limit(most - deleted))).all()
        await _delete(tx, table, ids)
        deleted += len(ids)
    return deleted


async def waits_for_boards(tx: Transaction, stand_in: int) -> bool:
    """Whether games of which no player is left have boards that may still name somebody."""
    for which in (
        _masterminds_of_nobody(stand_in).where(~_IS_MASTERMIND_SHOWN),
        _duels_of_nobody(stand_in).where(~_IS_DUEL_SHOWN),
    ):
        if await tx.scalar(which.limit(1)) is not None:
            return True
    return False


async def _delete_plays(tx: Transaction, stand_in: int, most: int) -> int:
    query = select(plays.c.id, plays.c.puzzle_id).where(plays.c.player_id == stand_in).limit(most)
    found = (await tx.execute(query)).all()
    await _delete(tx, plays, [row.id for row in found])
    # The puzzle of a practice is nobody else's.
    practices = delete(puzzles).where(puzzles.c.number.is_(None))
    if found:
        await tx.execute(practices.where(puzzles.c.id.in_([row.puzzle_id for row in found])))
    return len(found)


async def _delete(tx: Transaction, table: Table, ids: Sequence[int]) -> None:
    if ids:
        await tx.execute(delete(table).where(table.c.id.in_(ids)))


def _lonely_masterminds(player_id: int) -> Select[int]:
    breaker = masterminds.c.codebreaker_id
    is_alone = or_(breaker.is_(None), breaker == player_id)
    return select(masterminds.c.id).where(masterminds.c.owner_id == player_id, is_alone)


def _lonely_duels(player_id: int) -> Select[int]:
    return _duels_of(player_id).where(duels.c.strength.is_not(None))


def _duels_of(player_id: int) -> Select[int]:
    mine = duel_seats.c.player_id == player_id
    return select(duels.c.id).join_from(duel_seats, duels).where(mine)


def _analyses_of_masterminds(stand_in: int) -> Select[int]:
    of_game = analyses.c.mastermind_id == masterminds.c.id
    broken = masterminds.c.codebreaker_id == stand_in
    return select(analyses.c.id).join_from(masterminds, analyses, of_game).where(broken)


def _analyses_of_duels(stand_in: int) -> Select[int]:
    of_seat = and_(analyses.c.duel_id == duel_seats.c.duel_id, analyses.c.seat == duel_seats.c.seat)
    mine = duel_seats.c.player_id == stand_in
    return select(analyses.c.id).join_from(duel_seats, analyses, of_seat).where(mine)


def _masterminds_of_nobody(stand_in: int) -> Select[int]:
    owner, breaker = masterminds.c.owner_id, masterminds.c.codebreaker_id
    mine = or_(
        and_(owner == stand_in, breaker < FIRST_PLAYER),
        and_(breaker == stand_in, owner < FIRST_PLAYER),
    )
    return select(masterminds.c.id).where(mine, masterminds.c.finished_at.is_not(None))


def _duels_of_nobody(stand_in: int) -> Select[int]:
    other = duel_seats.alias("other")
    beside = and_(other.c.duel_id == duels.c.id, other.c.seat != duel_seats.c.seat)
    return (
        _duels_of(stand_in)
        .join(other, beside)
        .where(other.c.player_id < FIRST_PLAYER, duels.c.finished_at.is_not(None))
    )


_IS_MASTERMIND_SHOWN: ColumnElement[bool] = or_(
    masterminds.c.message_id.is_(None), masterminds.c.shown >= masterminds.c.revision
)
_IS_DUEL_SHOWN: ColumnElement[bool] = or_(duels.c.message_id.is_(None), duels.c.stale_at.is_(None))

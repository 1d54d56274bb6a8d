"""Takes a player out of the database."""

from datetime import datetime
from typing import Final

from sqlalchemy import Select, and_, delete, exists, or_, select, update

from bot.storage import schema, standings
from bot.storage.database import Transaction
from bot.storage.privacy.declared import DECLARED
from bot.storage.schema import analyses, duel_seats, duels, masterminds, plays, puzzles, zones

# Ids below this are stand-ins for players who are forgotten; Discord's are above.
_NOBODY: Final = 0


async def erase(tx: Transaction, player_id: int, stand_in: int, now: datetime) -> None:
    """Delete a player's rows, and name a stand-in in those that are others' as well.

    Public boards that name the player are noted to be shown anew.

    Args:
        tx: the transaction.
        player_id: the player, in no game that goes on and is not to.
        stand_in: the id to put in place, below 0; another one for each deletion, so that
            opponents stay as many as they were.
        now: the present instant.
    """
    await standings.replace(tx, player_id, await standings.of_player(tx, player_id), [])
    await _erase_lonely_games(tx, player_id)
    await _erase_analyses(tx, player_id)
    await _show_anew(tx, player_id, now)
    practices = (
        select(puzzles.c.id)
        .join_from(puzzles, plays)
        .where(plays.c.player_id == player_id, puzzles.c.number.is_(None))
    )
    practice_ids = list((await tx.scalars(practices)).all())
    # What refers to other rows goes first.
    for table in reversed(schema.metadata.sorted_tables):
        held = DECLARED[table]
        if held.player is not None:
            mine = table.c[held.player] == player_id
            if table is zones:
                mine &= zones.c.subject == "player"
            await tx.execute(delete(table).where(mine))
        for name in held.named:
            named = update(table).where(table.c[name] == player_id)
            await tx.execute(named.values({name: stand_in}))
    for puzzle_id in practice_ids:
        await tx.execute(delete(puzzles).where(puzzles.c.id == puzzle_id))


async def erase_orphans(tx: Transaction) -> None:
    """Delete the games of which no player is left, once their public board names nobody."""
    is_shown = or_(
        masterminds.c.message_id.is_(None), masterminds.c.shown >= masterminds.c.revision
    )
    of_nobody = and_(masterminds.c.owner_id < _NOBODY, masterminds.c.codebreaker_id < _NOBODY)
    is_over = masterminds.c.finished_at.is_not(None)
    await tx.execute(delete(masterminds).where(of_nobody, is_over, is_shown))
    is_shown = or_(duels.c.message_id.is_(None), duels.c.stale_at.is_(None))
    somebody = exists().where(
        duel_seats.c.duel_id == duels.c.id,
        or_(duel_seats.c.player_id.is_(None), duel_seats.c.player_id >= _NOBODY),
    )
    of_nobody = and_(duels.c.challenger_id < _NOBODY, ~somebody)
    is_over = duels.c.finished_at.is_not(None)
    await tx.execute(delete(duels).where(of_nobody, is_over, is_shown))


async def _erase_lonely_games(tx: Transaction, player_id: int) -> None:
    """Delete the games that are nobody else's."""
    breaker = masterminds.c.codebreaker_id
    is_alone = or_(breaker.is_(None), breaker == player_id)
    await tx.execute(delete(masterminds).where(masterminds.c.owner_id == player_id, is_alone))
    with_bot = and_(duels.c.strength.is_not(None), duels.c.id.in_(_duels_of(player_id)))
    await tx.execute(delete(duels).where(with_bot))


async def _erase_analyses(tx: Transaction, player_id: int) -> None:
    """Delete what the coach found in the player's guesses in games that stay."""
    broken = select(masterminds.c.id).where(masterminds.c.codebreaker_id == player_id)
    await tx.execute(delete(analyses).where(analyses.c.mastermind_id.in_(broken)))
    own_seat = exists().where(
        duel_seats.c.duel_id == analyses.c.duel_id,
        duel_seats.c.seat == analyses.c.seat,
        duel_seats.c.player_id == player_id,
    )
    await tx.execute(delete(analyses).where(own_seat))


async def _show_anew(tx: Transaction, player_id: int, now: datetime) -> None:
    mine = or_(masterminds.c.owner_id == player_id, masterminds.c.codebreaker_id == player_id)
    is_public = masterminds.c.message_id.is_not(None)
    change = update(masterminds).where(mine, is_public)
    await tx.execute(change.values(revision=masterminds.c.revision + 1))
    is_public = duels.c.message_id.is_not(None)
    change = update(duels).where(duels.c.id.in_(_duels_of(player_id)), is_public)
    await tx.execute(change.values(version=duels.c.version + 1, stale_at=now))


def _duels_of(player_id: int) -> Select[tuple[int]]:
    return select(duel_seats.c.duel_id).where(duel_seats.c.player_id == player_id)

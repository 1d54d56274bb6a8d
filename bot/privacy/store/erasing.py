"""Takes a player out of the database: nothing names them from then on."""

from datetime import datetime

from sqlalchemy import ColumnElement, Select, Table, delete, or_, select, update

from bot.db import tables as schema
from bot.db.database import Transaction
from bot.db.tables import FORGOTTEN, duel_seats, duels, masterminds, rating_changes, zones
from bot.leaderboards.store import leaderboards
from bot.posts.store import running
from bot.privacy.store.declared import DECLARED


async def erase(tx: Transaction, player_id: int, stand_in: int, now: datetime) -> None:
    """Name a stand-in in all of a player's games, and delete whatever else names the player.

    Games that are nobody else's are nobody's then, and go bit by bit (`remains`): there may be
    very many. Public boards that name the player are noted to be shown anew.

    Args:
        tx: the transaction.
        player_id: the player, in no game that goes on and is not to.
        stand_in: the id to put in place, below 0; another one for each deletion. As opponents who
            are counted, all who are forgotten are one, or a player who comes back would be many;
            those from before ratings were proven stay as many as they were.
        now: the present instant.
    """
    await leaderboards.replace(tx, player_id, await leaderboards.of_player(tx, player_id), [])
    await _show_anew(tx, player_id, now)
    await running.leave(tx, player_id, now)
    met = (rating_changes.c.opponent_id == player_id) & rating_changes.c.opponent_mean.is_not(None)
    theirs = rating_changes.c.duel_id.in_(_duels_of(player_id))
    await tx.execute(update(rating_changes).where(theirs, met).values(opponent_id=FORGOTTEN))
    for table in reversed(schema.metadata.sorted_tables):  # what refers to other rows goes first
        held = DECLARED[table]
        if held.player is not None:
            mine = table.c[held.player] == player_id
            if table is zones:
                mine &= zones.c.subject == "player"
            if held.is_gradual:
                await tx.execute(update(table).where(mine).values({held.player: stand_in}))
            else:
                await tx.execute(delete(table).where(mine))
        for name in held.named:
            mine = table.c[name] == player_id
            for within in _among(table, player_id, stand_in):
                mine &= within
            await tx.execute(update(table).where(mine).values({name: stand_in}))


async def erase_from_choices(tx: Transaction, player_id: int) -> None:
    """Delete what others have chosen about a player, which is theirs and stays otherwise."""
    for table, held in DECLARED.items():
        for name in held.whom:
            await tx.execute(delete(table).where(table.c[name] == player_id))


def _among(table: Table, player_id: int, stand_in: int) -> list[ColumnElement[bool]]:
    """Where there is no index of who is named: which rows it can be, by the seats in duels."""
    duel_ids = {duels: duels.c.id, rating_changes: rating_changes.c.duel_id}
    return [duel_ids[table].in_(_duels_of(player_id, stand_in))] if table in duel_ids else []


async def _show_anew(tx: Transaction, player_id: int, now: datetime) -> None:
    mine = or_(masterminds.c.owner_id == player_id, masterminds.c.codebreaker_id == player_id)
    is_public = masterminds.c.message_id.is_not(None)
    change = update(masterminds).where(mine, is_public)
    await tx.execute(change.values(revision=masterminds.c.revision + 1))
    is_public = duels.c.message_id.is_not(None)
    change = update(duels).where(duels.c.id.in_(_duels_of(player_id)), is_public)
    await tx.execute(change.values(version=duels.c.version + 1, stale_at=now))


def _duels_of(*player_ids: int) -> Select[tuple[int]]:
    return select(duel_seats.c.duel_id).where(duel_seats.c.player_id.in_(player_ids))

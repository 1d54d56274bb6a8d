"""Tickets and sessions as they are stored, by digests of their tokens."""

from datetime import datetime
from typing import Final

from sqlalchemy import delete, exists, func, select, union

from bot.db.database import Transaction
from bot.db.keyed import Keyed
from bot.db.tables.people import departed_guilds, members, web_sessions, web_tickets
from bot.sessions.model import Session, Ticket

tickets: Final[Keyed[Ticket, str]] = Keyed(Ticket, web_tickets)
sessions: Final[Keyed[Session, str]] = Keyed(Session, web_sessions)


def keep_latest(tx: Transaction, player_id: int, most: int) -> None:
    """Delete a player's tickets and sessions, except the `most` of each kind that end last.

    The kinds are tickets, sessions in browsers, and sessions within Discord.
    """
    framed = web_sessions.c.is_framed
    for table, *kind in ((web_tickets,), (web_sessions, framed), (web_sessions, ~framed)):
        c, mine = table.c, (table.c.player_id == player_id, *kind)
        latest = select(c.digest).where(*mine).order_by(c.ends_at.desc(), c.digest).limit(most)
        tx.execute(delete(table).where(*mine, c.digest.not_in(latest)))


def is_served(tx: Transaction, guild_id: int) -> bool:
    """Return true if the bot knows members of a server and has not left it."""
    members_there = select(members.c.guild_id).where(members.c.guild_id == guild_id)
    has_left = select(departed_guilds.c.guild_id).where(departed_guilds.c.guild_id == guild_id)
    return bool(tx.scalar(select(exists(members_there) & ~exists(has_left))))


def instances(tx: Transaction, now: datetime) -> set[str]:
    """Find what was launched within minutes, and where frames are open: the digests of the ids."""
    found = (
        select(table.c.instance).where(table.c.instance.is_not(None), table.c.ends_at > now)
        for table in (web_tickets, web_sessions)
    )
    return set(tx.scalars(union(*found)).all())


def count(tx: Transaction, player_id: int, now: datetime) -> int:
    """Count a player's running sessions, in browsers and within Discord."""
    c = web_sessions.c
    going_on = select(func.count()).where(c.player_id == player_id, c.ends_at > now)
    return tx.execute(going_on).scalar_one()


def drop_ended(tx: Transaction, now: datetime) -> None:
    for table in (web_tickets, web_sessions):
        tx.execute(delete(table).where(table.c.ends_at <= now))


def drop_all(tx: Transaction) -> None:
    """Delete all tickets and sessions, as a restored copy has those of then."""
    for table in (web_tickets, web_sessions):
        tx.execute(delete(table))

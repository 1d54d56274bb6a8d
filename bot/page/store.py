"""Tickets and sessions as they are stored, by digests of their tokens."""

from datetime import datetime
from typing import Final

from sqlalchemy import delete, exists, func, select, union

from bot.db.database import Transaction
from bot.db.keyed import Keyed
from bot.db.keyed import is_served as is_on
from bot.db.tables.people import (
    departed_guilds,
    members,
    web_posts,
    web_sessions,
    web_tickets,
)
from bot.games.game import LEASE, NONCE_LASTS
from bot.outages import ShardRange
from bot.page.model import LEAVE_LASTS, POST_LASTS, WRITING, Session, Ticket, WebPost

tickets: Final[Keyed[Ticket, str]] = Keyed(Ticket, web_tickets)
sessions: Final[Keyed[Session, str]] = Keyed(Session, web_sessions)
posts: Final[Keyed[WebPost, int, str, int]] = Keyed(WebPost, web_posts)


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


def due_posts(
    tx: Transaction, now: datetime, shards: ShardRange, most: int
) -> list[tuple[int, str, int]]:
    """Find the keys of posts that a process with these shards may try now, longest asked first.

    One that was tried before is tried as long as Discord remembers its nonce.
    """
    c = web_posts.c
    is_wanted = (c.place != WRITING) | (c.asked_at > now - LEAVE_LASTS)
    is_again = (c.tried_at <= now - LEASE) & (c.claimed_at > now - NONCE_LASTS)
    due = (
        select(c.player_id, c.place, c.channel_id)
        .where(c.outcome.is_(None), c.asked_at > now - POST_LASTS, c.tried_at.is_(None) | is_again)
        .where(is_wanted, is_on(c.guild_id, shards))
        .order_by(c.asked_at)
        .limit(most)
    )
    return [(row.player_id, row.place, row.channel_id) for row in tx.execute(due)]


def drop_all(tx: Transaction) -> None:
    """Delete all tickets, sessions and posts, as a restored copy has those of then."""
    for table in (web_tickets, web_sessions, web_posts):
        tx.execute(delete(table))

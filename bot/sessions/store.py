"""Tickets and sessions as they are stored, by the digests of what their players hold."""

from datetime import datetime
from typing import Final

from sqlalchemy import delete, select

from bot.db.database import Transaction
from bot.db.keyed import Keyed
from bot.db.tables.people import web_sessions, web_tickets
from bot.sessions.model import Session, Ticket

tickets: Final[Keyed[Ticket, str]] = Keyed(Ticket, web_tickets)
sessions: Final[Keyed[Session, str]] = Keyed(Session, web_sessions)


def keep_latest(tx: Transaction, player_id: int, most: int) -> None:
    """Delete a player's tickets and sessions but for the `most` of each that end last."""
    for table in (web_tickets, web_sessions):
        c = table.c
        mine = select(c.digest).where(c.player_id == player_id)
        latest = mine.order_by(c.ends_at.desc(), c.digest).limit(most)
        tx.execute(delete(table).where(c.player_id == player_id, c.digest.not_in(latest)))


def drop_ended(tx: Transaction, now: datetime) -> None:
    for table in (web_tickets, web_sessions):
        tx.execute(delete(table).where(table.c.ends_at <= now))

"""Tickets and sessions as they are stored, by the digests of what their players hold."""

from datetime import datetime
from typing import Final

from sqlalchemy import Table, delete, select

from bot.db.database import Transaction
from bot.db.keyed import Keyed
from bot.db.tables.people import web_sessions, web_tickets
from bot.sessions.model import Session, Ticket

tickets: Final[Keyed[Ticket, str]] = Keyed(Ticket, web_tickets)
sessions: Final[Keyed[Session, str]] = Keyed(Session, web_sessions)


def keep_latest_tickets(tx: Transaction, player_id: int, most: int) -> None:
    _keep_latest(tx, web_tickets, player_id, most)


def keep_latest_sessions(tx: Transaction, player_id: int, most: int) -> None:
    _keep_latest(tx, web_sessions, player_id, most)


def drop_ended(tx: Transaction, now: datetime) -> None:
    for table in (web_tickets, web_sessions):
        tx.execute(delete(table).where(table.c.ends_at <= now))


def _keep_latest(tx: Transaction, table: Table, player_id: int, most: int) -> None:
    """Delete a player's rows but for the `most` that end last."""
    c = table.c
    latest = select(c.digest).where(c.player_id == player_id).order_by(c.ends_at.desc(), c.digest)
    older = tx.scalars(latest).all()[most:]
    if older:
        tx.execute(delete(table).where(c.digest.in_(older)))

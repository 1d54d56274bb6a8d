"""Servers that have deleted their data, under digests, for as long as they are no new ones."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import delete, insert, select

from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables import kept_servers


@dataclass(frozen=True, slots=True)
class KeptServerRow:
    """A digest of a server, with its salt, and until when it is kept."""

    digest: str
    salt: str
    kept_until: datetime


_ROWS: Final = select(*columns_of(KeptServerRow, kept_servers))


async def everything(tx: Transaction) -> list[KeptServerRow]:
    """All of them."""
    return [KeptServerRow(*row) for row in await tx.execute(_ROWS)]


async def add(tx: Transaction, row: KeptServerRow) -> None:
    """Keep one."""
    await tx.execute(insert(kept_servers).values(asdict(row)))


async def drop(tx: Transaction, digest: str) -> None:
    """Keep one no more."""
    await tx.execute(delete(kept_servers).where(kept_servers.c.digest == digest))


async def purge(tx: Transaction, now: datetime) -> None:
    """Forget those that were kept long enough."""
    await tx.execute(delete(kept_servers).where(kept_servers.c.kept_until <= now))

"""How large a database is."""

from typing import Final

from sqlalchemy import text

from bot.db.database import Transaction

_SIZE: Final = {
    "sqlite": text("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"),
    "postgresql": text("SELECT pg_database_size(current_database())"),
}


async def bytes_of(tx: Transaction) -> int:
    """How many bytes all of it takes; of a file, without the log of the last changes beside it."""
    found = await tx.run_sync(lambda there: there.scalar(_SIZE[there.dialect.name]))
    return int(found or 0)

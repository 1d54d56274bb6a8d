"""What PostgreSQL has read from one end to the other: what SQLite finds by an index, it should."""

from typing import Final

from sqlalchemy import text

from bot.storage.database import Database

_MANY_ROWS: Final = 10_000
_ANALYSE: Final = "ANALYZE"
_RESET: Final = "SELECT pg_stat_reset()"
_SCANS: Final = (
    "SELECT relname, seq_scan, idx_scan FROM pg_stat_user_tables"
    " WHERE n_live_tup > :many AND seq_scan > 0 ORDER BY relname"
)


async def prepare(url: str) -> None:
    """Let a database that was just filled know how its rows are distributed; count from now on."""
    database = await Database.open(url)
    async with database.transaction() as tx:
        await tx.execute(text(_ANALYSE))
        await tx.execute(text(_RESET))
    await database.close()


async def sequential_scans(url: str) -> str:
    """Which large tables were read as a whole since then, and how often; a line each."""
    database = await Database.open(url)
    async with database.reading() as tx:
        rows = await tx.execute(text(_SCANS), {"many": _MANY_ROWS})
        lines = [f"{name}: read as a whole {n} times, by an index {m}" for name, n, m in rows]
    await database.close()
    return "\n".join(lines or ["no large table was read as a whole"]) + "\n"

"""`python -m bot move`: all that one database has, moved to another."""

import asyncio

from bot.backups.moving import (
    Content,
    DifferentContentError,
    MovingError,
    NotEmptyError,
    SameDatabaseError,
    StillRunningError,
    move,
)
from bot.clock import SystemClock
from bot.config import SettingsError, read_database_url
from bot.errors import LostDatabaseError, StorageBusyError, StorageError
from bot.hosting.terminal import CANNOT, LATER, plural, refuse, tell


def run(source: str, target: str) -> int:
    """Move a database to an empty one, by their URLs.

    Returns:
        The exit status: 0 if everything is there, 2 if somebody must mend something first, 3 if
        it may succeed later as it is.
    """
    try:
        urls = [read_database_url({"DATABASE_URL": url}) for url in (source, target)]
        asyncio.run(_move(*urls))
    except SettingsError as error:
        return refuse(error.advice)
    except (MovingError, DifferentContentError) as error:
        return refuse(_why_not(error))
    except StorageError as error:
        may_later = isinstance(error, StorageBusyError | LostDatabaseError)
        return refuse(error.advice, LATER if may_later else CANNOT)
    return 0


async def _move(source: str, target: str) -> None:
    clock = SystemClock()
    began = clock.now()
    found = await move(source, target, clock, lambda content: tell(_line(content)))
    rows, took = sum(content.rows for content in found), clock.now() - began
    tell(
        plural(
            rows,
            f"{{n}} row is there in {took.total_seconds():.1f} s, and reads the same.",
            f"{{n}} rows are there in {took.total_seconds():.1f} s, and read the same.",
        )
    )
    tell("Set DATABASE_URL to the second one, and start the bot.")


def _line(content: Content) -> str:
    return f"{content.table:20} {content.rows:>12,}  {content.checksum}"


def _why_not(error: MovingError | DifferentContentError) -> str:
    """Why nothing was moved; nothing is in the other database."""
    match error:
        case SameDatabaseError():
            return "Both are the same database: name the one to move from, then an empty one."
        case StillRunningError():
            return (
                "The bot answers from this database. Stop it first, or what is played meanwhile "
                "would be missing; if it was killed, wait for two minutes."
            )
        case NotEmptyError():
            return (
                f"There is something in the other database already (in {error.table}). Name an "
                "empty one."
            )
        case _:
            return (
                f"What was written of {error} is not what was read. Nothing was kept; please tell "
                "who maintains this bot."
            )

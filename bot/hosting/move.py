"""`python -m bot move`: moves a database to another one."""

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Final

from bot.clock import Clock, SystemClock
from bot.config import (
    SettingsError,
    is_for_many,
    read_backups_folder,
    read_database_url,
    read_environment,
)
from bot.db import moving
from bot.db.before_migrating import CopiesBefore
from bot.db.database import Copies, Database, Transaction, are_same
from bot.db.moving import Content, DifferentContentError
from bot.errors import LostDatabaseError, StorageBusyError, StorageError
from bot.hosting.terminal import CANNOT, LATER, refuse, tell
from bot.shards.game import live_pulses
from engine.errors import counted

# Nobody waits for this but a host at a terminal.
_PATIENCE_SECONDS: Final = 30.0


class MovingError(Exception):
    """The database cannot be moved; nothing was copied."""


class SameDatabaseError(MovingError):
    pass


class StillRunningError(MovingError):
    """A bot has written its heartbeat within the last two minutes, and has not stopped since."""


class NotEmptyError(MovingError):
    """The target is not empty: `table` has rows."""

    def __init__(self, table: str) -> None:
        super().__init__(table)
        self.table = table


class _GivenUpError(Exception):
    """Raised to end the copy after its caller was cancelled."""


async def move(
    source_url: str,
    target_url: str,
    clock: Clock,
    tell: Callable[[Content], None],
    copies: Copies | None = None,
) -> list[Content]:
    """Copy a database into an empty one, in one transaction; call `tell` after each table.

    Both are first brought to this version's tables, the source with a backup by `copies`. Apart
    from that the source does not change, and a cancelled move leaves the target empty. Nobody can
    write to either meanwhile.
    """
    if are_same(source_url, target_url):
        raise SameDatabaseError
    loop, given_up = asyncio.get_running_loop(), Event()

    def tell_or_end(content: Content) -> None:
        if given_up.is_set():
            raise _GivenUpError
        tell(content)

    async def copy(reads: Transaction) -> list[Content]:
        target = await Database.open(target_url, patience=_PATIENCE_SECONDS)
        try:
            return await target.write(lambda writes: _copy(reads, writes, tell_or_end))
        finally:
            await target.close()

    def body(reads: Transaction) -> list[Content]:
        if live_pulses(reads, clock.now()):
            raise StillRunningError
        return asyncio.run_coroutine_threadsafe(copy(reads), loop).result()

    source = await Database.open(
        source_url, patience=_PATIENCE_SECONDS, must_exist=True, copies=copies
    )
    try:
        return await source.write(body)
    finally:
        given_up.set()
        await source.close()


def _copy(
    reads: Transaction, writes: Transaction, tell: Callable[[Content], None]
) -> list[Content]:
    table = moving.first_with_rows(writes)
    if table is not None:
        raise NotEmptyError(table)
    return moving.copy(reads, writes, tell)


def run(source: str, target: str) -> int:
    """Move a database to an empty one, by their URLs.

    Returns:
        The exit status: 0 if all was moved, 2 if something must be mended first, 3 if another try
            may succeed without any change.
    """
    try:
        source, target = (read_database_url({"DATABASE_URL": url}) for url in (source, target))
        folder = None if is_for_many(source) else read_environment(os.environ).get("BACKUPS")
        backups = read_backups_folder({"DATABASE_URL": source, "BACKUPS": folder})
        asyncio.run(_move(source, target, backups))
    except SettingsError as error:
        return refuse(error.advice)
    except (MovingError, DifferentContentError) as error:
        return refuse(_why_not(error))
    except StorageError as error:
        may_later = isinstance(error, StorageBusyError | LostDatabaseError)
        return refuse(error.advice, LATER if may_later else CANNOT)
    return 0


async def _move(source: str, target: str, backups: Path | None) -> None:
    clock = SystemClock()
    began = clock.now()

    def tell_of(content: Content) -> None:
        tell(f"{content.table:20} {content.rows:>12,}  {content.checksum}")

    found = await move(source, target, clock, tell_of, CopiesBefore(backups, clock))
    rows, took = sum(content.rows for content in found), clock.now() - began
    tell(f"It took {took.total_seconds():.1f} s for {counted(rows, 'row')}. Both read the same.")
    tell("Set DATABASE_URL to the second one, and start the bot.")


def _why_not(error: MovingError | DifferentContentError) -> str:
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
                "those who maintain this bot."
            )

"""What is left to do when somebody's data are deleted."""

import logging

from bot.storage.database import Database
from bot.storage.errors import StorageError

log = logging.getLogger(__name__)


async def empty_log(database: Database) -> None:
    """Take what was deleted out of the database's log, too; if that cannot be now, a sweep will."""
    try:
        is_empty = await database.empty_log()
    except StorageError as error:
        log.info("what was deleted is still in the database's log: %s", type(error).__name__)
    else:
        if not is_empty:
            log.info("what was deleted is still in the database's log: another program reads it")

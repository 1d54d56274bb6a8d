"""`python -m bot keep-out`: keeps a user or a server from the bot."""

import asyncio
import os

from bot.backups import CopiesBefore
from bot.clock import SystemClock
from bot.config import SettingsError, read_backup_settings, read_database_url, read_environment
from bot.errors import StorageError
from bot.hosting.terminal import refuse, tell
from bot.moderation.game import SERVER
from bot.moderation.store import KeptOutRow
from bot.privacy.game import open_privacy

_THEN = {
    "user": "The running bot answers them with one sentence, within seconds; /privacy stays open.",
    "server": "The running bot leaves it within a minute, and again whenever it is added.",
}


def run(what: str, subject: int | None, *, undo: bool) -> int:
    """Keep a user or a server out, let it in again, or list all.

    Returns:
        The exit status: 0 if it was done, now or before; 2 if it could not be done.
    """
    is_list = what == "list"
    if is_list is not (subject is None) or (is_list and undo):
        return refuse("Name user or server with its id, or list: keep-out user 123456789012345678")
    try:
        environment = read_environment(os.environ)
        backups = read_backup_settings(environment).folder
        copies = CopiesBefore(backups, SystemClock())
        return asyncio.run(_serve(read_database_url(environment), copies, what, subject, undo=undo))
    except (SettingsError, StorageError) as error:
        return refuse(error.advice)


async def _serve(
    url: str, copies: CopiesBefore, what: str, subject: int | None, *, undo: bool
) -> int:
    async with open_privacy(url, SystemClock(), copies=copies) as privacy:
        keeping = privacy.keeping_out
        if subject is None:
            found = await keeping.listed()
            for row in found:
                tell(f"{_named(row)}, since {row.since.date()}")
            if not found:
                tell("Nobody is kept out.")
        elif undo:
            was_out = await keeping.let_in(what, subject)
            how = " again" if was_out else ": it was not kept out"
            tell(f"The {what} {subject} is let in{how}.")
        else:
            is_new = await keeping.keep_out(what, subject)
            tell(f"The {what} {subject} is kept out{'' if is_new else ', as before'}.")
            tell(_THEN[what])
    return 0


def _named(row: KeptOutRow) -> str:
    if row.user_id is not None:
        return f"user {row.user_id}"
    if row.guild_id is not None:
        return f"{SERVER} {row.guild_id}"
    return "one whose data are deleted: --undo with the id still lets it in"

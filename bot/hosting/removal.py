"""`python -m bot forget` and `keep-out`: what the host does about one player or server.

The first exports or deletes a player's data, the other keeps a user or a server from the bot.
"""

import asyncio
import os
import sys
from collections.abc import Coroutine, Iterator
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, Final

from bot.clock import SystemClock
from bot.config import SettingsError, read_backups_folder, read_database_url, read_environment
from bot.db.before_migrating import CopiesBefore
from bot.errors import StorageError
from bot.hosting.terminal import refuse, tell
from bot.moderation.game import SERVER
from bot.moderation.store import KeptOutRow
from bot.people.game import AFTER_DELETION
from bot.privacy.game import PrivacyServices, open_privacy
from bot.privacy.model import CONFIRMATION, Keeps
from bot.privacy.players import PlayerData, Summary
from bot.privacy.words import games
from engine.errors import counted

_NOT_CONFIRMED: Final = 1
_AGAIN: Final = "restoring one deletes it again"
_NOT_AGAIN: Final = "forget again after restoring one, as nothing else knows of it"
# Discord limits files; the host does not.
_ANY_SIZE: Final = sys.maxsize


def forget(player: int, export: str | None, *, yes: bool, everything: bool) -> int:
    """Export a player's data to the file `export`, or delete them if that is None.

    Returns:
        The exit status: 0 if it was done or there was nothing to do, 1 if it was not confirmed, 2
            if it could not be done.
    """
    keeps = Keeps.NOTHING if everything else Keeps.MARK
    work = _delete_or_export(player, export, is_confirmed=yes, keeps=keeps)
    return _status_of(work)


def _status_of(work: Coroutine[Any, Any, int]) -> int:
    try:
        return asyncio.run(work)
    except (SettingsError, StorageError) as error:
        return refuse(error.advice)


def _opened() -> tuple[AbstractAsyncContextManager[PrivacyServices], Path | None]:
    """Return the use cases of privacy on the database of the settings, and its backups' folder."""
    environment, clock = read_environment(os.environ), SystemClock()
    backups = read_backups_folder(environment)
    url, copies = read_database_url(environment), CopiesBefore(backups, clock)
    return open_privacy(url, clock, backups, copies), backups


async def _delete_or_export(
    player_id: int, export: str | None, *, is_confirmed: bool, keeps: Keeps
) -> int:
    opening, backups = _opened()
    async with opening as privacy:
        players = privacy.players
        summary = await players.summary(player_id)
        # The summary does not count hashes of an earlier deletion.
        if summary.is_empty and (keeps is Keeps.MARK or export is not None):
            tell(f"Nothing is stored about {player_id}.")
            return 0
        if export is not None:
            return await _hand_out(players, player_id, export)
        if not is_confirmed:
            for line in _found(player_id, summary):
                tell(line)
        if keeps is Keeps.MARK:
            tell(
                f"For {AFTER_DELETION.days} days a keyed hash of the id stays (not with "
                "--everything): what the player begins until then does not count."
            )
        if not is_confirmed and not _confirms(player_id):
            tell("Nothing was deleted: that is not the same id.")
            return _NOT_CONFIRMED
        await players.delete(player_id, CONFIRMATION, keeps)
        while await privacy.cleaning.expire():
            pass
        tell(
            f"Everything about {player_id} is deleted. Boards in channels that name them are "
            "edited by the bot, within minutes if it is running. Copies made before still have "
            f"the data; {_AGAIN if backups else _NOT_AGAIN}."
        )
        return 0


async def _hand_out(players: PlayerData, player_id: int, path: str) -> int:
    export = await players.export(player_id, _ANY_SIZE)
    try:
        await asyncio.to_thread(_write, path, export.content)
    except OSError as error:
        reason = error.strerror or str(error)
        return refuse(f"{path} cannot be written ({reason}). Name a new file.")
    tell(f"Everything that is stored about the player is in {path}.")
    return 0


def _write(path: str, content: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)


def _confirms(player_id: int) -> bool:
    sys.stdout.write("It cannot be undone. To delete everything, type the id again: ")
    sys.stdout.flush()
    return sys.stdin.readline().strip() == str(player_id)


def _found(player_id: int, summary: Summary) -> Iterator[str]:
    """Yield lines that say what is stored, and what a deletion does to shared and running games."""
    yield f"Stored about {player_id}: {games(summary) or 'no games'}."
    if shared := summary.counts.shared:
        yield f"What others have played, too, stays with a stand-in: {counted(shared, 'game')}."
    if running := summary.running:
        yield (
            f"Going on: {running} of them. This player resigns duels; whoever breaks this player's "
            "code may finish."
        )


_THEN = {
    "user": "The running bot answers them with one sentence, within seconds; /privacy stays open.",
    "server": "The running bot leaves it within a minute, and again whenever it is added.",
}


def keep_out(what: str, subject: int | None, *, undo: bool) -> int:
    """Keep a user or a server out, or let it in again with `undo`.

    If `what` is "list", list all that are kept out.

    Returns:
        The exit status: 0 if it was done, now or before; 2 if it could not be done.
    """
    is_list = what == "list"
    if is_list is not (subject is None) or (is_list and undo):
        return refuse("Name user or server with its id, or list: keep-out user 123456789012345678")
    return _status_of(_change_kept_out(what, subject, undo=undo))


async def _change_kept_out(what: str, subject: int | None, *, undo: bool) -> int:
    async with _opened()[0] as privacy:
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

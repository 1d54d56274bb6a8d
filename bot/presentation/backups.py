"""What the person who hosts the bot reads of backups, on the terminal and in the log."""

from pathlib import Path
from typing import Final

from bot.backups.making import Copied, CopyError, DifferentCopyError
from bot.backups.restoring import (
    NotWholeError,
    ReplacingError,
    Restored,
    SameFileError,
    StillOpenError,
)
from bot.errors import NoDatabaseError, StorageError
from bot.presentation import console
from bot.text.language import N_, ngettext
from bot.text.language import gettext as _

#: What the program is for that makes and restores backups.
USAGE: Final = N_(
    "Copy a database of SQLite's into a folder while the bot runs, check the copy and count its "
    "rows. Without arguments, the database is that of DATABASE_URL and the folder that of BACKUPS. "
    "The copy stays until you delete it."
)
#: What that program's second argument is.
FOLDER_HELP: Final = N_("where backups are kept; made if it is not there")
#: What that program's option does.
RESTORE_HELP: Final = N_(
    "put this backup in the place of the database that DATABASE_URL names, which is kept beside "
    "it; the bot must be stopped"
)
#: One of two arguments is missing, or there is one too many.
BOTH_OR_NONE: Final = N_(
    "name a database and a folder; or neither, for those in .env; or only --restore FILE"
)
#: The host wants no folder, and named none.
NO_FOLDER: Final = N_(
    "BACKUPS is off. Name a folder: python -m bot.backup sqlite:///focdle.db backups"
)
#: A database of PostgreSQL's is no file to copy.
NEEDS_FILE: Final = N_(
    "This is no file of SQLite's. PostgreSQL comes with pg_dump to make backups, and pg_restore."
)
#: Where there is a backup of the same second.
IS_THERE: Final = N_("There is a backup of this second already. Please try again.")


def backed_up(copied: Copied) -> str:
    """Where the backup is, and how much is in it."""
    return ngettext(
        "{file} is there, whole, with {n} row.",
        "{file} is there, whole, with {n} rows.",
        copied.rows,
    ).format(file=copied.file, n=f"{copied.rows:,}")


def by_hand(copied: Copied) -> str:
    """Where a backup is that somebody has made, and how long it stays."""
    rule = _("It stays until you delete it: BACKUPS_KEPT is for the bot's own alone.")
    return backed_up(copied) + "\n" + rule


def not_made(error: StorageError) -> str:
    """Why there is no backup; those that were there are there."""
    match error:
        case DifferentCopyError():
            return _(
                "There is no new backup: the copy was damaged, or not what the database is. The "
                "earlier ones are there. Check the disk and the database: "
                'sqlite3 focdle.db "PRAGMA integrity_check"'
            )
        case CopyError():
            return _(
                "There is no new backup ({reason}); the earlier ones are there. Check that the bot "
                "may write to the folder, and that the disk has room."
            ).format(reason=error)
        case _:
            return console.bad_database(error)


def failed_tonight(error: StorageError, folder: Path) -> str:
    """The log's line about a night's backup that could not be made."""
    return _("Backup in {folder}: {why} The next try is in an hour.").format(
        folder=folder, why=not_made(error)
    )


def not_restored(error: StorageError, backup: Path) -> str:
    """Why a backup was not restored. The database is as it was."""
    match error:
        case NoDatabaseError():
            said = _("There is no file {file}.").format(file=error.path)
        case StillOpenError():
            said = _(
                "The bot is running, or another program has the database open. Stop it first: what "
                "is played meanwhile would be lost."
            )
        case NotWholeError():
            said = _(
                "{file} is no backup of this bot's, or it is damaged. Take another one."
            ).format(file=backup)
        case SameFileError():
            said = _("{file} is the database itself. Name a backup.").format(file=backup)
        case ReplacingError():
            said = _(
                "It could not be done ({reason}). Check that you may write to the database's "
                "folder, and that its disk has room for the backup once more."
            ).format(reason=error)
        case _:
            said = _("The backup cannot be used. {why}").format(why=console.bad_database(error))
    return said + "\n" + _("Nothing was restored, and the database is as it was.")


def restored(found: Restored, *, is_own: bool) -> str:
    """What was done, and what is to be done next.

    Args:
        found: what was done.
        is_own: whether the backup lies where this bot makes them, and notes deletions.
    """
    backup = ngettext(
        "{file} is whole, with {n} row.", "{file} is whole, with {n} rows.", found.rows
    ).format(file=found.backup, n=f"{found.rows:,}")
    lines = [backup, *_deletions(found, is_own=is_own), _loss(found)]
    lines.append(_("It is {file} now.").format(file=found.file))
    if found.replaced is not None:
        lines.append(
            _(
                "What was there before is {replaced}. Delete it when you need it no more: whoever "
                "has deleted their data since the backup may be in it."
            ).format(replaced=found.replaced)
        )
    lines.append(_("Start the bot now."))
    return "\n".join(lines)


def _loss(found: Restored) -> str:
    if found.heard_at is None:
        return _("The bot was never on Discord by then.")
    return _(
        "In it the bot was on Discord until {time} UTC. What was played later is lost; for streaks "
        "and clocks of duels, the bot counts as having been away since then."
    ).format(time=f"{found.heard_at:%Y-%m-%d %H:%M}")


def _deletions(found: Restored, *, is_own: bool) -> list[str]:
    """What became of who had deleted their data since the backup."""
    lines: list[str] = []
    if found.has_lists or is_own:
        lines.append(
            ngettext(
                "{n} deletion was made since then, and is done again.",
                "{n} deletions were made since then, and are done again.",
                found.deleted,
            ).format(n=found.deleted)
            if found.deleted
            else _("No deletion is noted since then of anybody who is in it.")
        )
    else:
        lines.append(
            _(
                "There is no list of deletions beside it or in BACKUPS. If players have deleted "
                "their data since then, they are in it again: type python -m bot.forget PLAYER_ID."
            )
        )
    if n := found.unread:
        lines.append(
            ngettext(
                "{n} line in the lists of deletions cannot be read: somebody who has deleted their "
                "data may be there again.",
                "{n} lines in the lists of deletions cannot be read: some who have deleted their "
                "data may be there again.",
                n,
            ).format(n=n)
        )
    return lines

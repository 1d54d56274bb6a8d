"""`python -m bot.backup`: a copy of an SQLite file while the bot runs, read back; or put back."""

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from bot.backups.making import NoFileError, back_up
from bot.backups.restoring import restore
from bot.clock import SystemClock
from bot.config import (
    BackupSettings,
    SettingsError,
    is_for_many,
    read_backup_settings,
    read_database_url,
)
from bot.errors import StorageError
from bot.presentation import backups as words
from bot.presentation import console
from bot.presentation.settings import bad_setting
from bot.text.language import say
from bot.variables import read_environment

_CANNOT: Final = 2


class _Options(argparse.Namespace):
    """What is wanted, by the arguments' names."""

    source: str | None
    folder: Path | None
    restore: Path | None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: what follows its name on the command line; None for the process's own.

    Returns:
        Its exit status: 0 if it was done, 2 if it was not.
    """
    parser = _parser()
    wanted = parser.parse_args(arguments, _Options())
    if (wanted.source is None) != (wanted.folder is None) or (wanted.source and wanted.restore):
        parser.error(say(words.BOTH_OR_NONE))
    try:
        sys.stdout.write(_serve(wanted) + "\n")
    except _RefusedError as refused:
        advice = str(refused)
    except SettingsError as error:
        advice = bad_setting(error.name, error.value)
    except NoFileError:
        advice = say(words.NEEDS_FILE)
    except FileExistsError:
        advice = say(words.IS_THERE)
    except StorageError as error:
        backup = wanted.restore
        advice = words.not_made(error) if backup is None else words.not_restored(error, backup)
    else:
        return 0
    sys.stderr.write(advice + "\n")
    return _CANNOT


class _RefusedError(Exception):
    """It cannot be done; the message says why."""


def _serve(wanted: _Options) -> str:
    """Do what is wanted; what to say of it."""
    if wanted.source is not None and wanted.folder is not None:
        url = read_database_url({"DATABASE_URL": wanted.source})
        return _back_up(url, wanted.folder)
    environment = read_environment(os.environ)
    settings = read_backup_settings(environment)
    if wanted.restore is not None:
        return _restore(wanted.restore, settings, environment)
    url = read_database_url(environment)
    if settings.folder is None and not is_for_many(url):
        raise _RefusedError(say(words.NO_FOLDER))
    return _back_up(url, settings.folder or Path())


def _back_up(url: str, folder: Path) -> str:
    return words.by_hand(asyncio.run(back_up(url, folder, SystemClock())))


def _restore(backup: Path, settings: BackupSettings, environment: Mapping[str, str | None]) -> str:
    folders = {backup.parent} if settings.folder is None else {backup.parent, settings.folder}
    url = read_database_url(environment)
    found = asyncio.run(restore(url, backup, folders, SystemClock()))
    is_own = settings.folder is not None and settings.folder.resolve() == backup.parent.resolve()
    return words.restored(found, is_own=is_own)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot.backup", description=say(words.USAGE))
    parser.add_argument("source", metavar="FROM_URL", nargs="?", help=say(console.MOVE_SOURCE_HELP))
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=Path, help=say(words.FOLDER_HELP)
    )
    parser.add_argument("--restore", metavar="FILE", type=Path, help=say(words.RESTORE_HELP))
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""`python -m bot.backup`: a copy of an SQLite file while the bot runs, read back."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from bot.config import SettingsError, read_database_url
from bot.errors import StorageError
from bot.presentation import console
from bot.presentation.base.language import say
from bot.services.backups import DifferentCopyError, NoFileError, back_up
from bot.services.base.clock import SystemClock

_CANNOT: Final = 2


class _Options(argparse.Namespace):
    """What is wanted, by the arguments' names."""

    source: str
    folder: Path


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: what follows its name on the command line; None for the process's own.

    Returns:
        Its exit status: 0 if there is a whole backup, 2 if there is none.
    """
    wanted = _parser().parse_args(arguments, _Options())
    try:
        url = read_database_url({"DATABASE_URL": wanted.source})
        copied = asyncio.run(back_up(url, wanted.folder, SystemClock()))
    except SettingsError as error:
        return _refuse(console.bad_setting(error.name, error.value))
    except NoFileError:
        return _refuse(say(console.BACKUP_NEEDS_FILE))
    except FileExistsError:
        return _refuse(say(console.BACKUP_IS_THERE))
    except DifferentCopyError:
        return _refuse(say(console.BACKUP_FAILED))
    except StorageError as error:
        return _refuse(console.bad_database(error))
    sys.stdout.write(console.backed_up(copied) + "\n")
    return 0


def _refuse(advice: str) -> int:
    sys.stderr.write(advice + "\n")
    return _CANNOT


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m bot.backup", description=say(console.BACKUP_USAGE)
    )
    parser.add_argument("source", metavar="FROM_URL", help=say(console.MOVE_SOURCE_HELP))
    parser.add_argument("folder", metavar="FOLDER", type=Path, help=say(console.BACKUP_FOLDER_HELP))
    return parser


if __name__ == "__main__":
    sys.exit(main())

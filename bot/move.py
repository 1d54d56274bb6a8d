"""`python -m bot.move`: all that one database has, moved to another."""

import argparse
import asyncio
import sys
from collections.abc import Sequence
from typing import Final

from bot.backups.moving import DifferentContentError, MovingError, move
from bot.clock import SystemClock
from bot.config import SettingsError, read_database_url
from bot.errors import LostDatabaseError, StorageBusyError, StorageError
from bot.presentation import console
from bot.presentation.settings import bad_setting
from bot.text.language import say

_CANNOT: Final = 2
_MAY_LATER: Final = 3


class _Options(argparse.Namespace):
    """What is wanted, by the arguments' names."""

    source: str
    target: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: what follows its name on the command line; None for the process's own.

    Returns:
        Its exit status: 0 if everything is there, 2 if somebody must mend something first, 3 if
        it may succeed later as it is.
    """
    wanted = _parser().parse_args(arguments, _Options())
    try:
        source, target = (
            read_database_url({"DATABASE_URL": url}) for url in (wanted.source, wanted.target)
        )
        asyncio.run(_serve(source, target))
    except SettingsError as error:
        return _refuse(bad_setting(error.name, error.value))
    except (MovingError, DifferentContentError) as error:
        return _refuse(console.not_moved(error))
    except StorageError as error:
        may_later = isinstance(error, StorageBusyError | LostDatabaseError)
        return _refuse(console.bad_database(error), _MAY_LATER if may_later else _CANNOT)
    return 0


async def _serve(source: str, target: str) -> None:
    clock = SystemClock()
    began = clock.now()
    found = await move(source, target, clock, lambda content: _tell(console.table_moved(content)))
    _tell(console.moved(found, clock.now() - began))


def _refuse(advice: str, status: int = _CANNOT) -> int:
    sys.stderr.write(advice + "\n")
    return status


def _tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m bot.move", description=say(console.MOVE_USAGE))
    parser.add_argument("source", metavar="FROM_URL", help=say(console.MOVE_SOURCE_HELP))
    parser.add_argument("target", metavar="TO_URL", help=say(console.MOVE_TARGET_HELP))
    return parser


if __name__ == "__main__":
    sys.exit(main())

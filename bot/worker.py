"""`python -m bot.worker`: draws and computes for all processes of the bot on one database."""

from bot.ending import end_when_told, leave

if __name__ == "__main__":
    end_when_told()

import argparse
import asyncio
import os
import sys
from collections.abc import Sequence
from typing import Final

from bot.config import SettingsError, is_for_many, password_of, read_database_url, read_log_settings
from bot.errors import LostDatabaseError, StorageBusyError, StorageError
from bot.logs import configure_logs
from bot.presentation import console
from bot.presentation.base.language import say
from bot.presentation.settings import bad_setting
from bot.services.base.clock import SystemClock
from bot.services.working import work
from bot.signals import stop_when_told
from bot.variables import read_environment

_CANNOT: Final = 2
_MAY_LATER: Final = 3


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program until it is told to stop.

    Args:
        arguments: what follows its name on the command line; None for the process's own.

    Returns:
        Its exit status: 0 if it was told to stop, 2 if the host must mend something before it can
        start, 3 if it may start later.
    """
    _parser().parse_args(arguments)
    try:
        environment = read_environment(os.environ)
        url, logs = read_database_url(environment), read_log_settings(environment)
        configure_logs(logs, secrets=[password_of(url)], name="worker")
        if not is_for_many(url):
            return _refuse(say(console.WORKER_NEEDS_POSTGRES))
        asyncio.run(_work(url))
    except SettingsError as error:
        return _refuse(bad_setting(error.name, error.value))
    except StorageError as error:
        may_later = isinstance(error, StorageBusyError | LostDatabaseError)
        return _refuse(console.bad_database(error), _MAY_LATER if may_later else _CANNOT)
    return 0


async def _work(url: str) -> None:
    stopping = asyncio.Event()
    stop_when_told(stopping)
    await work(url, SystemClock(), dict(os.environ), stopping)


def _refuse(advice: str, status: int = _CANNOT) -> int:
    sys.stderr.write(advice + "\n")
    return status


def _parser() -> argparse.ArgumentParser:
    usage = say(console.WORKER_USAGE)
    return argparse.ArgumentParser(prog="python -m bot.worker", description=usage)


if __name__ == "__main__":
    leave(main())

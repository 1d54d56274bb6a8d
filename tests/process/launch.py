"""What a child process runs: the real program, told that Discord is at another address.

Run as a module with the address, or called in a process forked from one that has imported it.
"""

import io
import os
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack, chdir, redirect_stdout
from pathlib import Path
from typing import Any, Final

from bot.__main__ import main
from bot.focdle import store as focdle_store
from bot.hosting import doctor, run
from bot.stopping import end_when_told, leave
from cogs.duels.messages import DuelClockCog
from cogs.ui.host import Hearing
from tests.process.breaking_off import break_off
from tests.support import later
from tests.support.powerless import lose_power_over_files
from tests.support.redirect import redirect
from tests.support.unhurried import AMPLE_SECONDS, take_time

SILENT_SECONDS: Final = 1.0
"""How long a shard may say nothing."""

SECONDS: Final = "SECONDS_OF_TESTS"
"""The variable with those for which a doctor waits for an answer of Discord's."""

LAST_ANSWERS_SECONDS: Final = 3.0
"""How long the last answers may take after a signal, where a test sends some."""

PATIENCE: Final = "PATIENCE_OF_TESTS"
"""The variable with the seconds for which a bot that a test starts waits for its database."""

MIGRATING: Final = "migrating"
UNDER_WAY: Final = "a guess is being stored"
GO_ON: Final = "go-on"
"""The file for which such a guess, or a migration, waits in the bot's folder."""


def launch(address: str, *arguments: str) -> None:
    end_when_told()
    redirect(address)
    take_time(float(os.environ.get(PATIENCE, AMPLE_SECONDS)))
    # Tests need not wait for ten seconds until the duels' clock looks again, nor for a minute until
    # a shard is silent.
    for loop in (DuelClockCog.beat, DuelClockCog.nudge):
        loop.change_interval(seconds=0.25)
    Hearing.patience = SILENT_SECONDS
    run.__dict__["_GOODBYE_SECONDS"] = AMPLE_SECONDS
    leave(main(arguments))


def launch_in(
    folder: Path,
    environment: Mapping[str, str],
    output: Path,
    log: Path,
    address: str,
    *arguments: str,
) -> None:
    _move_to(folder, environment, output, log)
    launch(address, *arguments)


def launch_slowly_in(
    folder: Path, environment: Mapping[str, str], output: Path, log: Path, address: str
) -> None:
    """As `launch_in`; a guess that is being stored waits for a file, and the end for its answer."""
    _move_to(folder, environment, output, log)
    run.__dict__["_LAST_ANSWERS_SECONDS"] = LAST_ANSWERS_SECONDS
    store: Any = focdle_store.add_guess

    def store_later(*given: Any, **more: Any) -> Any:
        sys.stderr.write(UNDER_WAY + "\n")
        while not Path(GO_ON).exists():
            time.sleep(0.01)  # in the thread of the database, as on a slow disk
        return store(*given, **more)

    focdle_store.__dict__["add_guess"] = store_later
    launch(address)


def forget_in(
    folder: Path, environment: Mapping[str, str], output: Path, log: Path, *arguments: str
) -> None:
    _move_to(folder, environment, output, log)
    sys.exit(main(["forget", *arguments]))


def launch_later_in(folder: Path, *others: Any) -> None:
    """As `launch_in`, but by a later version, whose migration waits in its middle for a file."""

    def wait() -> None:
        sys.stderr.write(MIGRATING + "\n")
        sys.stderr.flush()
        while not Path(GO_ON).exists():
            time.sleep(0.01)

    later.come()
    later.__dict__["halfway"] = wait
    launch_in(folder, *others)


def see_doctor(
    folder: Path, environment: Mapping[str, str], address: str, *arguments: str
) -> tuple[str, int]:
    """What the doctor's program says in this process, and its exit status."""
    said, before = io.StringIO(), {**os.environ}
    path = [str(folder), *sys.path]  # as `python -m` has it
    seconds = float(environment.get(SECONDS, AMPLE_SECONDS))
    with ExitStack() as stack:
        stack.callback(os.environ.update, before)
        stack.callback(os.environ.clear)
        stack.callback(sys.path.remove, path[0])
        stack.enter_context(chdir(folder))
        stack.enter_context(redirect_stdout(said))
        os.environ.clear()
        os.environ.update(environment)
        sys.path.insert(0, path[0])
        is_offline = "--offline" in arguments
        status = doctor.run(offline=is_offline, discord=f"{address}/api", seconds=seconds)
    return said.getvalue(), status


def powerless_doctor_in(
    folder: Path, environment: Mapping[str, str], output: Path, log: Path, *others: str
) -> None:
    """As `see_doctor`, for a user to whom modes of files apply; to root they do not."""
    lose_power_over_files()
    _move_to(folder, environment, output, log)
    said, status = see_doctor(folder, environment, *others)
    sys.stdout.write(said)
    sys.stdout.flush()
    sys.exit(status)


def back_up_in(
    folder: Path,
    environment: Mapping[str, str],
    output: Path,
    log: Path,
    step: int,
    *arguments: str,
) -> None:
    _move_to(folder, environment, output, log)
    with break_off(step):
        status = main(arguments)
    sys.exit(status)


def _move_to(folder: Path, environment: Mapping[str, str], output: Path, log: Path) -> None:
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for path, stream in ((output, sys.stdout), (log, sys.stderr)):
        with path.open("ab") as file:
            os.dup2(file.fileno(), stream.fileno())


if __name__ == "__main__":
    launch(*sys.argv[1:])

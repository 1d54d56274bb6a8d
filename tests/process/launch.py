"""What a child process runs: the real program, told that Discord is at another address.

Run as a module with the address, or called in a process forked from one that has imported it.
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import bot.doctor.__main__ as doctor
from bot import backup, forget, serving, starting
from bot.bench.load.launch import redirect
from cogs.base.hearing import Hearing
from cogs.duels.clock import DuelClockCog
from tests.process.breaking_off import break_off
from tests.support.powerless import lose_power_over_files

DOCTORS_SECONDS: Final = 3.0
"""How long the doctor waits for an answer of Discord's: as long as a busy machine may take."""

PATIENCE_SECONDS: Final = 3.0
"""How long a shard may say nothing."""


def launch(address: str, *arguments: str) -> None:
    redirect(address)
    # Tests need not wait for ten seconds until the duels' clock looks again, nor for a minute until
    # a shard is silent.
    for loop in (DuelClockCog.beat, DuelClockCog.nudge):
        loop.change_interval(seconds=0.25)
    Hearing.patience = PATIENCE_SECONDS
    if arguments:
        program = (sys.executable, "-m", "tests.process.launch", address)
        sys.exit(starting.main(arguments, program=program, discord=f"{address}/api"))
    sys.exit(serving.main())


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


def forget_in(
    folder: Path, environment: Mapping[str, str], output: Path, log: Path, *arguments: str
) -> None:
    _move_to(folder, environment, output, log)
    sys.exit(forget.main(arguments))


def doctor_in(
    folder: Path,
    environment: Mapping[str, str],
    output: Path,
    log: Path,
    address: str,
    *arguments: str,
) -> None:
    _move_to(folder, environment, output, log)
    sys.path.insert(0, str(folder))  # as `python -m` has it
    sys.exit(doctor.main(arguments, discord=f"{address}/api", seconds=DOCTORS_SECONDS))


def powerless_doctor_in(folder: Path, *others: Any) -> None:
    """As `doctor_in`, for a user to whom modes of files apply; to root they do not."""
    lose_power_over_files()
    doctor_in(folder, *others)


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
        status = backup.main(arguments)
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

"""Runs programs, and waits for them as a terminal expects it."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypeVar

T = TypeVar("T")

ROOT: Final = Path(__file__).resolve().parents[1]
VENV: Final = ROOT / ".venv"


def program(venv: Path, name: str) -> Path:
    return venv / "Scripts" / f"{name}.exe" if os.name == "nt" else venv / "bin" / name


def module(name: str, *arguments: str) -> tuple[str, ...]:
    return ("python", "-m", name, *arguments)


def in_venv(venv: Path, command: Sequence[str]) -> list[str]:
    """Build a command line whose program is in a virtual environment."""
    return [str(program(venv, command[0])), *command[1:]]


def call(command: Sequence[str], *, is_shown: bool = False) -> int:
    """Run a command; return its exit status, as a shell gives it after a signal."""
    if is_shown:
        say(" ".join(part.removeprefix(f"{ROOT}{os.sep}") for part in command))
    with subprocess.Popen(command) as process:
        status = until_done(process.wait)
    return status if status >= 0 else 128 - status


def until_done(wait: Callable[[], T]) -> T:
    """Wait through Ctrl-C: the running program has received it, too, and may finish."""
    while True:
        try:
            return wait()
        except KeyboardInterrupt:
            continue


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()

"""A checkout of which only the tasks are real: its programs write down that they were called."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from deploy.installing import SETS
from tests.support.needed import needed

ROOT: Final = Path(__file__).parents[2]
PROGRAMS: Final = ("python", "ruff", "lint-imports", "basedpyright", "uv")
_PROGRAM: Final = """#!/bin/sh
called="${0##*/} $*"
case "$called" in "python -c import pip"*) exit 0;; esac
echo "$called" >>"$CALLS"
[ -z "$TELLS" ] || echo $$ >>"$CALLS"
case "$called" in *"$FAILS"*) echo $$ >failed; exit 3;; esac
case "$called" in *"$WAITS"*) until eval "$UNTIL"; do sleep 0.02; done;; esac
"""


class Checkout:
    """A folder with the tasks, and with programs in its `.venv` that only say so.

    Args:
        folder: where it is made.

    Attributes:
        environment: what its tasks are started with. A command fails that has what `FAILS` is; one
            with what `WAITS` is waits until what `UNTIL` asks is so; with `TELLS`, each writes down
            its process, too.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._calls = folder / "calls"
        self._calls.touch()
        for name in ("tasks.py", "pyproject.toml", "Makefile"):
            shutil.copy(ROOT / name, folder)
        shutil.copytree(ROOT / "deploy", folder / "deploy")
        shutil.copytree(ROOT / "locks", folder / "locks")
        self.environment = {
            "PATH": os.environ["PATH"],
            "PYTHONDONTWRITEBYTECODE": "1",
            "CALLS": str(self._calls),
            "FAILS": "nothing fails",
            "WAITS": "nothing waits",
            "UNTIL": "true",
            "TELLS": "",
        }

    @property
    def calls(self) -> list[str]:
        """The commands so far, each with its arguments."""
        return self._calls.read_text().splitlines()

    def install(self) -> None:
        """Have everything in `.venv`, as of now."""
        programs = self.folder / ".venv" / "bin"
        programs.mkdir(parents=True)
        for name in PROGRAMS:
            (programs / name).write_text(_PROGRAM)
            (programs / name).chmod(0o755)
        for name in SETS:
            (self.folder / ".venv" / f".{name}").touch()

    def do(self, *typed: str, by: str = "tasks.py") -> subprocess.CompletedProcess[str]:
        """What comes of a task."""
        program = [sys.executable, by]
        if by == "make":
            program = [needed("make"), "--no-print-directory"]
        return subprocess.run(
            [*program, *typed],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )

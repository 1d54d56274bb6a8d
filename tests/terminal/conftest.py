"""Somebody at a terminal."""

import io
import shlex
import sys
from collections.abc import Callable

import pytest

from engine.__main__ import main

Sit = Callable[..., tuple[int, str]]


@pytest.fixture
def sit(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Sit:
    """Run a command on typed lines; gives its status and all that it wrote."""

    def run(command: str, typed: str = "", columns: int = 80) -> tuple[int, str]:
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.delenv("FORCE_COLOR", raising=False)
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        try:
            status = main(shlex.split(command))
        except SystemExit as ended:  # by what reads the command line
            status = int(ended.code or 0)
        written = capsys.readouterr()
        return status, written.out + written.err

    return run

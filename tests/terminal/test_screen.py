"""What a terminal can show: colours where it has them, plain letters where it has no others."""

import ctypes
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.terminal.screen import wants_colours

ROOT = Path(__file__).parents[2]


def run(*arguments: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        input=typed,
        capture_output=True,
        check=False,
        cwd=ROOT,
        encoding="utf-8",
        env=environment,
    )


@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize(
    ("environment", "at_a_terminal", "elsewhere"),
    [
        ({"TERM": "xterm"}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({}, False, False),
        ({"TERM": "xterm", "NO_COLOR": "1"}, False, False),
        ({"TERM": "xterm", "NO_COLOR": "", "FORCE_COLOR": ""}, True, False),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, True, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, False, False),
    ],
)
def test_the_terminal_shows_colours_where_supported_or_forced(
    monkeypatch: pytest.MonkeyPatch,
    environment: dict[str, str],
    *,
    at_a_terminal: bool,
    elsewhere: bool,
    is_terminal: bool,
):
    monkeypatch.setattr("sys.stdout", SimpleNamespace(isatty=lambda: is_terminal))
    assert wants_colours(environment) is (at_a_terminal if is_terminal else elsewhere)


class Console:
    """What Windows knows of a console; only newer ones learn to understand ANSI colours."""

    def __init__(self, *, is_there: bool, can_learn: bool) -> None:
        self._is_there = is_there
        self._can_learn = can_learn
        self.mode = 3

    def GetStdHandle(self, number: int) -> int:  # noqa: N802 - as Windows calls it
        assert number == -11
        return 7

    def GetConsoleMode(self, _handle: int, mode: Any) -> int:  # noqa: N802
        ctypes.cast(mode, ctypes.POINTER(ctypes.c_uint32)).contents.value = self.mode
        return int(self._is_there)

    def SetConsoleMode(self, _handle: int, mode: int) -> int:  # noqa: N802
        self.mode = mode
        return int(self._can_learn)


@pytest.mark.parametrize(("is_there", "can_learn"), [(True, True), (True, False), (False, True)])
@pytest.mark.parametrize("term", [{}, {"TERM": "xterm"}], ids=str)
def test_a_windows_console_is_asked_whether_it_supports_colours(
    monkeypatch: pytest.MonkeyPatch, term: dict[str, str], *, is_there: bool, can_learn: bool
):
    console = Console(is_there=is_there, can_learn=can_learn)
    monkeypatch.setattr("sys.stdout", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(ctypes, "windll", SimpleNamespace(kernel32=console), raising=False)
    assert wants_colours(term) is (is_there and can_learn)
    assert console.mode == (7 if is_there else 3)
    assert not wants_colours({"TERM": "dumb"})
    assert not wants_colours({"NO_COLOR": "1"})


@pytest.mark.parametrize("command", ["next --game bulls", "play mastermind --answer", "play bulls"])
def test_an_ascii_terminal_can_show_every_text(command: str):
    done = run("-m", "engine", *command.split(), typed="help\n?\nq\n", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2B1C" in done.stdout
    assert "??" not in done.stdout


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_finished_game_is_shown_in_any_encoding(encoding: str):
    typed = "12+34-5=41\nsurrender\na\ns\nq\n"
    done = run("-m", "engine", "play", "--seed", "7", typed=typed, PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Difficulty *: 3.64 guesses, easy\n" in done.stdout
    assert "FoCdle 10 X/6\ngygyyxxggy\n" in done.stdout
    assert "?" not in done.stdout.split("quit> a")[1]


def test_the_terminal_program_plays_without_numpy_and_says_what_solving_needs():
    bare = ("-S", "-m", "engine")
    asked = run(*bare, "solve", "--help")
    assert (asked.returncode, asked.stderr) == (0, "")
    played = run(*bare, *("play", "bulls", "--seed", "1"), typed="hint\n2140\na\ns\nq\n")
    assert (played.returncode, played.stderr) == (0, "")
    assert played.stdout.count("Solving needs numpy") == 2
    assert "Bulls 4 1/30\n4B0C\n" in played.stdout
    assert "Right at once! Found with guess 1 of 30." in played.stdout
    for command in ("solve 0123", "play bulls --answer", "play bulls --evil"):
        done = run(*bare, *command.split())
        said = "Solving needs numpy, which is not installed here: python -m pip install numpy\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", said)

"""The terminal: lines in and out, in colours if it has them; guesses with their feedback."""

import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module
from typing import Any, Final, TextIO

from engine.code_games import COLOURS, Mastermind
from engine.codes import Code
from engine.equations import SYMBOLS
from engine.feedback import Mark, Marks, Score, Turn, best_marks, write_counts, write_marks
from engine.focdle import Focdle
from engine.rules import Rules
from engine.terminal.words import spelled

_NARROWEST: Final = 30
_WIDEST: Final = 88
_RESET: Final = "\x1b[0m"
_STANDARD_OUTPUT: Final = -11
_ANSI: Final = 4


class Paint(StrEnum):
    CORRECT = "\x1b[1;97;48;5;28m"
    PRESENT = "\x1b[1;30;48;5;220m"
    ABSENT = "\x1b[97;48;5;240m"
    BOLD = "\x1b[1m"
    DIM = "\x1b[2m"
    RED = "\x1b[1;97;48;5;160m"
    ORANGE = "\x1b[1;30;48;5;208m"
    YELLOW = "\x1b[1;30;48;5;226m"
    GREEN = "\x1b[1;97;48;5;28m"
    BLUE = "\x1b[1;97;48;5;27m"
    PURPLE = "\x1b[1;97;48;5;90m"
    CYAN = "\x1b[1;30;48;5;51m"
    PINK = "\x1b[1;30;48;5;218m"
    BROWN = "\x1b[1;97;48;5;94m"
    WHITE = "\x1b[1;30;48;5;255m"


class LeftError(Exception):
    """The user has left, or the input has ended."""


@dataclass(frozen=True)
class Screen:
    """The input and output of the program.

    Attributes:
        width: characters of a line.
        has_colours: whether the output understands ANSI colours.
    """

    lines_in: TextIO
    out: TextIO
    width: int
    has_colours: bool

    def say(self, text: str, indent: str = "") -> None:
        """Write a paragraph, broken into lines of the screen's width, each after `indent`."""
        lines = textwrap.wrap(text, self.width - len(indent), break_on_hyphens=False)
        self.show("\n".join(indent + line for line in lines))

    def show(self, line: str = "") -> None:
        """Write a line, with `?` for characters that the encoding of the output lacks."""
        encoding = self.out.encoding or "ascii"
        self.out.write(f"{line}\n".encode(encoding, "replace").decode(encoding))
        self.out.flush()

    def clear(self) -> None:
        """Take all that was typed off the screen, and out of the history of lines."""
        if (readline := sys.modules.get("readline")) is not None:
            readline.clear_history()
        empty = "\n" * shutil.get_terminal_size().lines
        self.show("\x1b[H\x1b[2J\x1b[3J" if self.has_colours else empty)

    def ask(self, prompt: str) -> str:
        """Prompt for a line; raises LeftError at the end of the input."""
        if self.lines_in is sys.stdin and self.lines_in.isatty():
            try:
                return input(prompt)  # with the terminal's own editing
            except EOFError:
                raise LeftError from None
        self.out.write(prompt)
        self.out.flush()
        line = self.lines_in.readline()
        if not line:
            raise LeftError
        self.show(line.rstrip("\n"))
        return line

    def paint(self, text: str, paint: Paint) -> str:
        return f"{paint}{text}{_RESET}" if self.has_colours else text

    def can_show(self, text: str) -> bool:
        try:
            text.encode(self.out.encoding or "ascii")
        except UnicodeEncodeError:
            return False
        return True


def wants_colours(environment: Mapping[str, str]) -> bool:
    """True if the output of this process should have colours.

    `NO_COLOR` decides if it is set and not empty, then `FORCE_COLOR`. If neither does, colours
    depend on the terminal.
    """
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    if not sys.stdout.isatty() or environment.get("TERM") == "dumb":
        return False
    return _shows_colours_in_windows() if sys.platform == "win32" else "TERM" in environment


def _shows_colours_in_windows() -> bool:
    """Switch ANSI colours on in the console of Windows; return true if it has them."""
    ctypes = import_module("ctypes")
    kernel = ctypes.windll.kernel32
    handle, mode = kernel.GetStdHandle(_STANDARD_OUTPUT), ctypes.c_uint32()
    if not kernel.GetConsoleMode(handle, ctypes.byref(mode)):
        return False
    return bool(kernel.SetConsoleMode(handle, mode.value | _ANSI))


def this_screen(environment: Mapping[str, str]) -> Screen:
    """Make the screen of standard input and output; at a terminal, load `readline` if it exists."""
    if sys.stdin.isatty():
        with suppress(ImportError):  # not every Python has it
            import_module("readline")  # editing and history of lines
    if (reconfigure := getattr(sys.stdin, "reconfigure", None)) is not None:
        reconfigure(errors="replace")  # bytes that are no text are a mistake like any other
    columns = shutil.get_terminal_size().columns
    width = max(_NARROWEST, min(_WIDEST, columns - 1))
    return Screen(sys.stdin, sys.stdout, width, has_colours=wants_colours(environment))


_BY_MARK: Final = {
    Mark.ABSENT: Paint.ABSENT,
    Mark.PRESENT: Paint.PRESENT,
    Mark.CORRECT: Paint.CORRECT,
}
_BY_COLOUR: Final = {
    letter: Paint[name.upper()]
    for letter, name in zip(COLOURS, Mastermind(pegs=1, colours=len(COLOURS)).names, strict=True)
}
_TILE: Final = 3
_MARGIN: Final = 10


def show_turn(screen: Screen, rules: Rules[Any], turn: Turn[Any], number: int) -> None:
    before = f"{number:>2} "
    if isinstance(rules, Focdle):
        marks: Marks = turn.feedback
        if screen.has_colours:
            is_wide = _TILE * len(turn.guess) + _MARGIN <= screen.width
            tiles = (f" {symbol} " if is_wide else symbol for symbol in turn.guess)
            row = (screen.paint(t, _BY_MARK[m]) for t, m in zip(tiles, marks, strict=True))
            screen.show(before + "".join(row))
        else:
            screen.show(before + " ".join(turn.guess))
            screen.show("   " + " ".join(write_marks(marks)))
        return
    score: Score = turn.feedback
    said = rules.write_feedback(score)
    if not screen.can_show(said):
        said = write_counts(score)
    _show_row(screen, f"{before}{_code(screen, rules, turn.guess)}   {said}")


def show_board(screen: Screen, rules: Rules[Any], turns: Sequence[Turn[Any]]) -> None:
    for number, turn in enumerate(turns, 1):
        show_turn(screen, rules, turn, number)


def show_guess(screen: Screen, rules: Rules[Any], guess: Code) -> None:
    _show_row(screen, f"   {guess if isinstance(rules, Focdle) else _code(screen, rules, guess)}")


def _show_row(screen: Screen, row: str) -> None:
    """Write a row of the board; names of colours may be longer than a line."""
    (screen.show if "\x1b" in row else screen.say)(row)


def _code(screen: Screen, rules: Rules[Any], guess: Code) -> str:
    if isinstance(rules, Mastermind) and not isinstance(rules.colours, int):
        return spelled(rules, guess)
    if isinstance(rules, Mastermind) and screen.has_colours:
        return "".join(screen.paint(f" {peg} ", _BY_COLOUR[peg]) for peg in guess)
    return " ".join(guess) if isinstance(rules, Mastermind) else guess


def show_known(screen: Screen, turns: Sequence[Turn[Marks]]) -> None:
    best = best_marks(turns)
    if screen.has_colours:
        known = (screen.paint(s, _BY_MARK[best[s]]) if s in best else s for s in SYMBOLS)
        screen.show("   " + " ".join(known))
        return
    names = {
        "placed": Mark.CORRECT,
        "elsewhere": Mark.PRESENT,
        "gone": Mark.ABSENT,
        "untried": None,
    }
    for name, m in names.items():
        symbols = " ".join(s for s in SYMBOLS if best.get(s) is m)
        if symbols:
            screen.show(f"   {name + ':':<11}{symbols}")

"""Guesses with their feedback as rows, and what is known of each symbol."""

from collections.abc import Sequence
from typing import Any, Final

from engine.codes import Code
from engine.equations import SYMBOLS
from engine.feedback import Mark, Marks, Score, Turn, best_marks, write_counts, write_marks
from engine.focdle import Focdle
from engine.game import Rules
from engine.mastermind import COLOURS, Mastermind
from engine.terminal.screen import Paint, Screen
from engine.terminal.words import NAMES

_BY_MARK: Final = {
    Mark.ABSENT: Paint.ABSENT,
    Mark.PRESENT: Paint.PRESENT,
    Mark.CORRECT: Paint.CORRECT,
}
_BY_COLOUR: Final = {
    letter: Paint[name.upper()] for letter, name in zip(COLOURS, NAMES, strict=True)
}
_TILE: Final = 3
_MARGIN: Final = 10


def show_turn(screen: Screen, rules: Rules[Any], turn: Turn[Any], before: str = "   ") -> None:
    """Show a row: a guess and what it got; in letters where there are no colours."""
    if isinstance(rules, Focdle):
        _show_marks(screen, turn.guess, turn.feedback, before)
        return
    score: Score = turn.feedback
    said = rules.write_feedback(score)
    if not screen.can_show(said):
        said = write_counts(score)
    screen.show(f"{before}{_code(screen, rules, turn.guess)}   {said}")


def show_guess(screen: Screen, rules: Rules[Any], guess: Code, before: str = "   ") -> None:
    """Show a guess that has no feedback yet."""
    is_equation = isinstance(rules, Focdle)
    screen.show(f"{before}{guess if is_equation else _code(screen, rules, guess)}")


def _show_marks(screen: Screen, guess: Code, marks: Marks, before: str) -> None:
    pairs = list(zip(guess, marks, strict=True))
    if screen.has_colours:
        is_wide = _TILE * len(guess) + _MARGIN <= screen.width
        tiles = (f" {symbol} " if is_wide else symbol for symbol in guess)
        row = (screen.paint(t, _BY_MARK[m]) for t, m in zip(tiles, marks, strict=True))
        screen.show(before + "".join(row))
        return
    screen.show(before + " ".join(symbol for symbol, _ in pairs))
    screen.show(" " * len(before) + " ".join(write_marks(marks)))


def _code(screen: Screen, rules: Rules[Any], guess: Code) -> str:
    if isinstance(rules, Mastermind) and screen.has_colours:
        return "".join(screen.paint(f" {peg} ", _BY_COLOUR[peg]) for peg in guess)
    return " ".join(guess) if isinstance(rules, Mastermind) else guess


def show_known(screen: Screen, turns: Sequence[Turn[Marks]]) -> None:
    """Show the best that is known of each of the fifteen symbols."""
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

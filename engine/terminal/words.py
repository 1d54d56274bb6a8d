"""Words that the program has for games, and for itself."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from engine.code_games import CodeGame, Mastermind
from engine.codes import Code
from engine.deductions import Deduction
from engine.errors import MARKS_HELP, SCORE_HELP, counted, listed
from engine.feedback import write_counts
from engine.focdle import Focdle
from engine.game import Game, Outcome
from engine.rules import Rules

GOODBYE: Final = "Until next time."

# What a user may type in place of an answer.
SURRENDER: Final = frozenset({"surrender", "give up"})
LEAVE: Final = frozenset({"quit", "exit", "q"})
HELP: Final = frozenset({"?", "help"})


def program() -> str:
    """The command that has started this program: ``focdle`` or ``python -m engine``."""
    return "focdle" if Path(sys.argv[0]).stem == "focdle" else "python -m engine"


def missing(error: ModuleNotFoundError) -> str:
    """The advice to install numpy; re-raises the error if another module is missing."""
    if error.name is None or error.name.partition(".")[0] != "numpy":
        raise error
    return "Solving needs numpy, which is not installed here: python -m pip install numpy"


def noun_of(rules: Rules[Any]) -> str:
    return "equation" if isinstance(rules, Focdle) else "code"


def described(rules: Rules[Any]) -> str:
    if isinstance(rules, Focdle):
        return (
            f"{rules.length} symbols: three numbers from 1 to 99, two of + - * % between them "
            "(% is the remainder), = and a result"
        )
    if isinstance(rules, Mastermind):
        own = None if isinstance(rules.colours, int) else map(str, range(1, rules.size))
        keys = own or rules.alphabet
        colours = listed(f"{key} {name}" for key, name in zip(keys, rules.names, strict=False))
        return f"{counted(rules.pegs, 'peg')}: {colours}; {_repeats(rules)}"
    assert isinstance(rules, CodeGame)  # noqa: S101 - there is no other game
    return f"{counted(rules.length, 'digit')} from 0 to 9; {_repeats(rules)}"


def _repeats(rules: CodeGame) -> str:
    return "repeats are allowed" if rules.repeats else "none twice"


def spelled(rules: Rules[Any], code: Code) -> str:
    """A code as people say it: colours of one's own by their names."""
    return rules.spell(code) if isinstance(rules, Mastermind) else code


def told(rules: Rules[Any], found: Deduction) -> str:
    """A deduction as people say it, as `spelled` does."""
    if not isinstance(rules, Mastermind) or isinstance(rules.colours, int):
        return str(found)
    return found.in_words(dict(zip(rules.alphabet, rules.names, strict=True)))


def answer_help(rules: Rules[Any]) -> str:
    return MARKS_HELP if isinstance(rules, Focdle) else SCORE_HELP


_SQUARES: Final = str.maketrans("gyx", "\U0001f7e9\U0001f7e8\u2b1b")


def shared(game: Game[Any], *, can_show: Callable[[str], bool]) -> str:
    """The grid of a game, which gives nothing away: a line for each guess."""
    rules = game.rules
    made = len(game.turns) if game.outcome is Outcome.SOLVED else "X"
    name = "FoCdle" if isinstance(rules, Focdle) else rules.encode().partition(":")[0].capitalize()
    rows = [rules.write_feedback(turn.feedback) for turn in game.turns]
    if isinstance(rules, Focdle):
        squares = [row.translate(_SQUARES) for row in rows]
        rows = squares if all(map(can_show, squares)) else rows
    elif not all(map(can_show, rows)):
        rows = [write_counts(turn.feedback) for turn in game.turns]
    return "\n".join([f"{name} {rules.length} {made}/{rules.max_guesses}", *rows])

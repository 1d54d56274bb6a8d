"""The games: rules and feedback, immutable play, no input or output.

>>> from engine import Focdle, replay
>>> rules = Focdle()
>>> guesses = ["13+12-8=17", "72+31%6=73", "21+20*4=55"]
>>> game = replay(rules, "25+4*12=73", guesses)
>>> game.guesses_left, game.outcome
(3, None)
>>> game = game.guess(rules.parse("25 + 4 x 12 = 73"))
>>> game.outcome
<Outcome.SOLVED: 'solved'>
"""

from engine.codes import Code
from engine.equations import SYMBOLS, Equation
from engine.errors import (
    Clue,
    ContradictionError,
    EngineError,
    FalseEquationError,
    GameOverError,
    IllegalGuessError,
    ImpossibleRulesError,
    NoSuchLengthError,
    NotationError,
    Problem,
    RepeatedGuessError,
)
from engine.feedback import Mark, Marks, Turn, best_marks, is_consistent, is_same_symbols, mark
from engine.focdle import Focdle
from engine.game import Game, Outcome, replay
from engine.rules import Rules

__all__ = [
    "SYMBOLS",
    "Clue",
    "Code",
    "ContradictionError",
    "EngineError",
    "Equation",
    "FalseEquationError",
    "Focdle",
    "Game",
    "GameOverError",
    "IllegalGuessError",
    "ImpossibleRulesError",
    "Mark",
    "Marks",
    "NoSuchLengthError",
    "NotationError",
    "Outcome",
    "Problem",
    "RepeatedGuessError",
    "Rules",
    "Turn",
    "best_marks",
    "is_consistent",
    "is_same_symbols",
    "mark",
    "replay",
]

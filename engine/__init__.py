"""The games: rules, feedback, immutable play, guessers; only `engine.terminal` talks to a user.

>>> from engine import Focdle, replay
>>> rules = Focdle()
>>> guesses = ["13+12-8=17", "72+31%6=73", "21+20*4=55"]
>>> game = replay(rules, "25+4*12=73", guesses)
>>> game.guesses_left, game.outcome
(3, None)
>>> game = game.guess(rules.parse("25 + 4 x 12 = 73"))
>>> game.outcome
<Outcome.SOLVED: 'solved'>
>>> rules.write_feedback(game.turns[2].feedback)
'gygyxyygyx'
"""

from engine.choice import Strength
from engine.code_games import (
    COLOURS,
    MOST_CODES,
    BullsAndCows,
    CodeGame,
    Mastermind,
    Relabelling,
)
from engine.codes import Code
from engine.deductions import Case, Claim, Deduction, Fault, Told
from engine.equations import SYMBOLS, Equation
from engine.errors import (
    Clue,
    ContradictionError,
    EngineError,
    FalseEquationError,
    FeedbackError,
    ForeignGuessError,
    GameOverError,
    IllegalGuessError,
    ImpossibleFeedbackError,
    ImpossibleRulesError,
    InconsistentFeedback,
    NoSuchLengthError,
    NotationError,
    NotYourTurnError,
    Problem,
    RepeatedGuessError,
    TooManyCodesError,
)
from engine.feedback import (
    AnyTurn,
    Fact,
    Mark,
    Marks,
    Score,
    Shown,
    Turn,
    best_marks,
    is_same_symbols,
    mark,
    read_marks,
    read_score,
    score,
    write_counts,
    write_marks,
    write_pegs,
)
from engine.focdle import Focdle
from engine.game import (
    Duel,
    DuelEnding,
    DuelOutcome,
    Game,
    Mode,
    Outcome,
    replay,
    replay_duel,
)
from engine.guessers import Guesser, Measured, measure, play
from engine.levels import Difficulty, Level
from engine.notation import decode, read_turn, register
from engine.own_games import Codes
from engine.rules import Rules, is_consistent, next_hint, read_history
from engine.skill import BEST_SKILL, Grade, Loss, Promise, Prospect, grade_of, skill_of

__version__ = "1.1.0.dev0"

__all__ = [
    "BEST_SKILL",
    "COLOURS",
    "MOST_CODES",
    "SYMBOLS",
    "AnyTurn",
    "BullsAndCows",
    "Case",
    "Claim",
    "Clue",
    "Code",
    "CodeGame",
    "Codes",
    "ContradictionError",
    "Deduction",
    "Difficulty",
    "Duel",
    "DuelEnding",
    "DuelOutcome",
    "EngineError",
    "Equation",
    "Fact",
    "FalseEquationError",
    "Fault",
    "FeedbackError",
    "Focdle",
    "ForeignGuessError",
    "Game",
    "GameOverError",
    "Grade",
    "Guesser",
    "IllegalGuessError",
    "ImpossibleFeedbackError",
    "ImpossibleRulesError",
    "InconsistentFeedback",
    "Level",
    "Loss",
    "Mark",
    "Marks",
    "Mastermind",
    "Measured",
    "Mode",
    "NoSuchLengthError",
    "NotYourTurnError",
    "NotationError",
    "Outcome",
    "Problem",
    "Promise",
    "Prospect",
    "Relabelling",
    "RepeatedGuessError",
    "Rules",
    "Score",
    "Shown",
    "Strength",
    "Told",
    "TooManyCodesError",
    "Turn",
    "__version__",
    "best_marks",
    "decode",
    "grade_of",
    "is_consistent",
    "is_same_symbols",
    "mark",
    "measure",
    "next_hint",
    "play",
    "read_history",
    "read_marks",
    "read_score",
    "read_turn",
    "register",
    "replay",
    "replay_duel",
    "score",
    "skill_of",
    "write_counts",
    "write_marks",
    "write_pegs",
]

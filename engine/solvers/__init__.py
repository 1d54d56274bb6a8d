"""Codebreakers, and the analysis of finished games; numpy is loaded here and nowhere above.

>>> from engine import Mastermind, Score, Turn
>>> from engine.solvers import codebreaker
>>> breaker = codebreaker(Mastermind())
>>> guess = breaker.next_guess([])
>>> turns = [Turn(guess, Score(1, 1))]
>>> breaker.remaining(turns)
230
"""

from engine.solvers.analysis import Promise, TurnAnalysis, analyse, analyse_turns
from engine.solvers.choice import Allowed, Goal, Strength
from engine.solvers.codebreaker import Codebreaker, codebreaker
from engine.solvers.parts import Parts

__all__ = [
    "Allowed",
    "Codebreaker",
    "Goal",
    "Parts",
    "Promise",
    "Strength",
    "TurnAnalysis",
    "analyse",
    "analyse_turns",
    "codebreaker",
]

"""Codebreakers, and the analysis of guesses; no other part of `engine` imports numpy itself.

>>> from engine import Mastermind, Turn
>>> from engine.solvers import codebreaker, solve
>>> breaker = codebreaker(Mastermind())
>>> guess = breaker.next_guess([])
>>> turns = [Turn(guess, "1B1W")]
>>> breaker.remaining(turns)
230
>>> len(solve(Mastermind(), "RGBY"))
5
"""

from engine.choice import Allowed, Goal
from engine.skill import Promise, Prospect
from engine.solvers.analysis import (
    Known,
    TurnAnalysis,
    analyse,
    analyse_turns,
    answers,
    answers_to_each,
    candidates,
    known,
    rank,
)
from engine.solvers.codebreaker import Codebreaker, codebreaker, solve
from engine.solvers.explain import explain
from engine.solvers.focdle.difficulty import difficulty
from engine.solvers.focdle.space import openings

__all__ = [
    "Allowed",
    "Codebreaker",
    "Goal",
    "Known",
    "Promise",
    "Prospect",
    "TurnAnalysis",
    "analyse",
    "analyse_turns",
    "answers",
    "answers_to_each",
    "candidates",
    "codebreaker",
    "difficulty",
    "explain",
    "known",
    "openings",
    "rank",
    "solve",
]

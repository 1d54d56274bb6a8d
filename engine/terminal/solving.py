"""Solving at the terminal: one secret, many, and what the guesses of a game were worth."""

import math
import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from engine.codes import Code
from engine.rules import Rules
from engine.solvers.analysis import analyse
from engine.solvers.codebreaker import codebreaker, solve
from engine.terminal.advising import left_after
from engine.terminal.boards import show_turn
from engine.terminal.screen import Screen
from engine.terminal.words import counted

_BAR: Final = 30


def show_solution(
    screen: Screen, rules: Rules[Any], secret: Code, allowed: str, *, debug: bool
) -> None:
    """Show how many guesses the solver takes; on demand each, its marks and what is left."""
    turns = solve(rules, secret, allowed)
    if debug:
        breaker = codebreaker(rules, allowed=allowed)
        for number, turn in enumerate(turns, 1):
            show_turn(screen, rules, turn, f"{number:>2} ")
            if turn.guess != secret:
                screen.say(left_after(breaker, rules, turns[:number]), indent="   ")
    screen.show(f"{secret} takes {counted(len(turns), 'guess', 'guesses')}.")


def show_analysis(
    screen: Screen, rules: Rules[Any], secret: Code, guesses: Sequence[Code], allowed: str
) -> None:
    """Show for each guess what it left, skill and luck of 0 to 99, and the solver's choice."""
    for number, found in enumerate(analyse(rules, secret, guesses, allowed), 1):
        show_turn(screen, rules, found.turn, f"{number:>2} ")
        after = "" if found.turn.guess == secret else f", {found.after:,} after it"
        screen.say(f"{found.before:,} possible{after}", indent="   ")
        choice = "" if found.choice == found.turn.guess else f"; the solver: {found.choice}"
        grade = f"{found.grade} " if found.grade else ""
        screen.say(f"{grade}skill {found.skill}, luck {found.luck}{choice}", indent="   ")


def show_mean(screen: Screen, rules: Rules[Any], games: int, seed: int, allowed: str) -> None:
    """Show how many guesses drawn secrets take: mean, standard error, each number's share."""
    rng = random.Random(seed)  # noqa: S311 - the same games in every run
    tally = Counter(len(solve(rules, rules.draw(rng), allowed)) for _ in range(games))
    mean = sum(guesses * count for guesses, count in tally.items()) / games
    screen.show(f"{counted(games, 'game')}:")
    if games > 1:
        squares = sum(count * (guesses - mean) ** 2 for guesses, count in tally.items())
        error = math.sqrt(squares / (games - 1) / games)
        screen.say(f"{mean:.3f} guesses on average (standard error {error:.3f})")
    most = max(tally.values())
    for guesses in range(min(tally), max(tally) + 1):
        count = tally[guesses]
        bar = "#" * math.ceil(_BAR * count / most)
        screen.show(f"{guesses:>2} {bar} {count:,}")

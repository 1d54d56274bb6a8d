"""How many guesses methods need, in drawn games or for every secret."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Final, TypeVar

from benchmarks.solvers.baselines import first_consistent, knuth
from benchmarks.solvers.findings import Figure, Findings, count_guesses, lost_share
from benchmarks.solvers.play import Player, Situation, by_turns, chance, play, walk
from benchmarks.solvers.watch import Watch
from engine.choice import Allowed, Goal
from engine.code_games import CodeGame
from engine.feedback import Turn
from engine.focdle import DEFAULT_GUESSES, Focdle
from engine.rules import Rules
from engine.solvers.codebreaker import codebreaker, space_of
from engine.solvers.space import Symbols, replies_in
from engine.solvers.trees import tree_of
from engine.strength import Strength

F = TypeVar("F")

NewPlayer = Callable[[random.Random], Player[F]]

_PLAIN: Final = 2
"""Of two candidates either is guessed first: none is better, in all methods here."""


def games(rules: Rules[F], new_player: NewPlayer[F], count: int, watch: Watch) -> Findings:
    """Guesses in games with drawn secrets; each game has a player of its own."""
    secrets, rng = chance(f"secrets {rules}"), chance(f"player {rules}")
    tally = Counter(
        len(play(rules, new_player(rng), rules.draw(secrets), watch))
        for _ in watch.along(range(count), count)
    )
    return count_guesses(tally, watch.costs(), exhaustive=False)


def solver_games(
    rules: Rules[F], strength: Strength, allowed: Allowed, count: int, watch: Watch
) -> Findings:
    """Guesses of a Codebreaker of ours in games with drawn secrets."""

    def new_player(rng: random.Random) -> Player[F]:
        return codebreaker(rules, strength, allowed, rng=rng).next_guess

    return games(rules, new_player, count, watch)


def solver_tree(rules: CodeGame, goal: Goal, _: int, watch: Watch) -> Findings:
    """Guesses of our best Codebreaker for every secret of a game with few."""
    decide = by_turns(rules, codebreaker(rules, goal=goal))
    return count_guesses(walk(space_of(rules), decide, watch), watch.costs(), exhaustive=True)


def search_tree(length: int, allowed: Allowed, _: int, watch: Watch) -> Findings:
    """Guesses of our best Codebreaker for every secret of FoCdle, of those that are allowed.

    Trees and the search are asked themselves: a Codebreaker would look at all secrets before
    each guess.
    """
    rules = Focdle(length)
    space = space_of(rules)
    tree = tree_of(rules, Goal.MEAN) if allowed is Allowed.ANY else None

    def decide(situation: Situation) -> Symbols:
        turns = [Turn(guess, rules.feedback(guess, like)) for guess, like in situation.turns]
        if tree and (guess := tree.lookup(replies_in(space.history(turns)))):
            return guess
        if not situation.turns:
            return space.opening(allowed, Goal.MEAN)
        return space.choose(situation.columns, allowed, Goal.MEAN, len(situation.turns))

    tally = walk(space, decide, watch, plain=_PLAIN)
    figures = {Figure.LOST: lost_share(tally, DEFAULT_GUESSES), **watch.costs()}
    return count_guesses(tally, figures, exhaustive=True)


def knuth_tree(rules: CodeGame, _: int, watch: Watch) -> Findings:
    """Guesses of Knuth's method for every secret."""
    space = space_of(rules)
    tally = walk(space, knuth(space), watch, plain=_PLAIN)
    return count_guesses(tally, watch.costs(), exhaustive=True)


def every_game(rules: CodeGame, _: int, watch: Watch) -> Findings:
    """Guesses of the first consistent code, for every secret."""
    player = first_consistent(rules)
    tally = Counter(len(play(rules, player, secret, watch)) for secret in rules.codes())
    return count_guesses(tally, watch.costs(), exhaustive=True)

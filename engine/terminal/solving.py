"""Solving at the terminal: one secret, many, and what the guesses of a game were worth."""

import math
import random
from collections import Counter
from typing import Any, Final

from engine.codes import Code
from engine.errors import FalseEquationError, NotationError
from engine.focdle import Focdle
from engine.game import Game, Rules
from engine.solvers.analysis import analyse
from engine.solvers.codebreaker import codebreaker, solve
from engine.terminal.advising import left_after
from engine.terminal.boards import show_turn
from engine.terminal.options import Options, RefusedError, allowed_by, asked_rules, rules_for
from engine.terminal.screen import Screen
from engine.terminal.words import counted, noun_of, refusal

_BAR: Final = 30


def show_hint(screen: Screen, game: Game[Any]) -> None:
    """Show how many secrets are possible in a game, and what to guess next."""
    allowed = "true" if isinstance(game.rules, Focdle) else "any"
    breaker = codebreaker(game.rules, allowed=allowed)
    left = counted(breaker.remaining(game.turns), noun_of(game.rules))
    guess = breaker.next_guess(game.turns, is_last=game.guesses_left == 1)
    screen.say(f"{left} possible. A good guess: {guess}")


def show_solution(screen: Screen, options: Options) -> None:
    """Show how many guesses the solver takes; on demand each, its marks and what is left."""
    rules = rules_for(options, options.secret)
    secret, allowed = _secret(rules, options.secret), allowed_by(rules, options)
    turns = solve(rules, secret, allowed)
    if options.debug:
        breaker = codebreaker(rules, allowed=allowed)
        for number, turn in enumerate(turns, 1):
            show_turn(screen, rules, turn, f"{number:>2} ")
            if turn.guess != secret:
                screen.say(left_after(breaker, rules, turns[:number]), indent="   ")
    screen.show(f"{secret} takes {counted(len(turns), 'guess', 'guesses')}.")


def show_analysis(screen: Screen, options: Options) -> None:
    """Show for each guess what it left, skill and luck of 0 to 99, and the solver's choice."""
    rules = rules_for(options, options.secret)
    secret = _secret(rules, options.secret)
    guesses = [_code(rules, text) for text in options.typed]
    if secret in guesses[:-1]:
        raise RefusedError(f"{secret} is the secret: no guess follows it.")
    for number, found in enumerate(analyse(rules, secret, guesses, allowed_by(rules, options)), 1):
        show_turn(screen, rules, found.turn, f"{number:>2} ")
        after = "" if found.turn.guess == secret else f", {found.after:,} after it"
        screen.say(f"{found.before:,} possible{after}", indent="   ")
        choice = "" if found.choice == found.turn.guess else f"; the solver: {found.choice}"
        grade = f"{found.grade} " if found.grade else ""
        screen.say(f"{grade}skill {found.skill}, luck {found.luck}{choice}", indent="   ")


def show_mean(screen: Screen, options: Options) -> None:
    """Show how many guesses drawn secrets take: mean, standard error, each number's share."""
    rules, games = asked_rules(options), options.games
    allowed = allowed_by(rules, options)
    rng = random.Random(options.seed)  # noqa: S311 - the same games in every run
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


def _code(rules: Rules[Any], text: str) -> Code:
    try:
        return rules.parse(text)
    except NotationError as error:
        raise RefusedError(refusal(error, rules, text)) from error


def _secret(rules: Rules[Any], text: str) -> Code:
    code = _code(rules, text)
    if isinstance(rules, Focdle):
        try:
            rules.check_true(code)
        except FalseEquationError as error:
            raise RefusedError(f"{refusal(error)} A secret is true.") from error
    return code

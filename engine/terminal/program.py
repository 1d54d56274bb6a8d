"""The commands of `python -m engine`."""

import os
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from engine.codes import Code
from engine.errors import EngineError, FalseEquationError, NotationError
from engine.focdle import Focdle
from engine.rules import Rules
from engine.solvers.codebreaker import codebreaker
from engine.terminal.advising import Adviser
from engine.terminal.answering import answer
from engine.terminal.options import (
    Options,
    RefusedError,
    allowed_by,
    asked_rules,
    parse,
    parser,
    rules_for,
)
from engine.terminal.play import play
from engine.terminal.screen import LeftError, Screen, this_screen
from engine.terminal.solving import show_analysis, show_mean, show_solution
from engine.terminal.words import refusal

DONE: Final = 0
CONTRADICTORY: Final = 1
REFUSED: Final = 2
INTERRUPTED: Final = 130
NOBODY_READS: Final = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line asks for.

    Returns:
        0 when it is done or its input has ended, 1 if turns contradict each other, 2 if what was
        typed is refused, 130 after Ctrl-C, 141 if nobody reads on.
    """
    options = parser().parse_args(arguments, Options())
    if options.command is None:
        parser().print_help(sys.stderr)
        return REFUSED
    screen = this_screen(os.environ)
    try:
        return _COMMANDS[options.command](screen, options)
    except (RefusedError, EngineError) as error:
        said = refusal(error) if isinstance(error, EngineError) else str(error)
        sys.stderr.write(f"{said}\n")
        return REFUSED
    except LeftError:
        screen.show("Until next time.")
        return DONE
    except KeyboardInterrupt:
        screen.show("\nUntil next time.")
        return INTERRUPTED
    except BrokenPipeError:
        # What is still to be written at the end would fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS


def _play(screen: Screen, options: Options) -> int:
    rules = asked_rules(options)
    if options.answer:
        answer(screen, rules, codebreaker(rules, allowed=allowed_by(rules, options)))
        return DONE
    seeded = options.seed is not None
    play(screen, rules, random.Random(options.seed) if seeded else random.SystemRandom())  # noqa: S311 - asked for
    return DONE


def _solve(screen: Screen, options: Options) -> int:
    rules = rules_for(options, options.secret, parse)
    secret = _secret(rules, options.secret)
    show_solution(screen, rules, secret, allowed_by(rules, options), debug=options.debug)
    return DONE


def _analyse(screen: Screen, options: Options) -> int:
    rules = rules_for(options, options.secret, parse)
    secret = _secret(rules, options.secret)
    guesses = [_code(rules, text) for text in options.typed]
    if secret in guesses[:-1]:
        raise RefusedError(f"{secret} is the secret: no guess follows it.")
    show_analysis(screen, rules, secret, guesses, allowed_by(rules, options))
    return DONE


def _next(screen: Screen, options: Options) -> int:
    adviser = Adviser(screen, options)
    if not options.typed:
        adviser.ask()
        return DONE
    for text in options.typed:
        adviser.add(text)
    return DONE if adviser.advise() else CONTRADICTORY


def _mean(screen: Screen, options: Options) -> int:
    rules = asked_rules(options)
    show_mean(screen, rules, options.games, options.seed or 0, allowed_by(rules, options))
    return DONE


_COMMANDS: Final[dict[str, Callable[[Screen, Options], int]]] = {
    "play": _play,
    "solve": _solve,
    "analyse": _analyse,
    "next": _next,
    "mean": _mean,
}


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

"""What can be asked of the program, and which rules are meant by it."""

import argparse
from collections.abc import Callable
from typing import Any, Final

from engine.bulls_and_cows import BullsAndCows
from engine.choice import Allowed
from engine.codes import Code
from engine.equations import EQUALS, read_symbols
from engine.errors import EngineError, ImpossibleRulesError, NotationError
from engine.focdle import DEFAULT_LENGTH, LONGEST, SHORTEST, Focdle
from engine.mastermind import Mastermind
from engine.rules import Rules
from engine.terminal.words import refusal

AnyRules = Focdle | Mastermind | BullsAndCows
Read = Callable[[Rules[Any], str], object]
"""What reads a text by rules."""

FOCDLE: Final = "focdle"
MASTERMIND: Final = "mastermind"
BULLS: Final = "bulls"
GAMES: Final = (FOCDLE, MASTERMIND, BULLS)
_USUAL: Final = {FOCDLE: DEFAULT_LENGTH, MASTERMIND: 4, BULLS: 4}
_GUESSES: Final = {FOCDLE: 6, MASTERMIND: 12, BULLS: 30}
_LONGEST_CODE: Final = 12


class RefusedError(Exception):
    """What was typed is refused; its text says why."""


class Options(argparse.Namespace):
    """What was asked for."""

    command: str | None
    game: str | None
    length: int | None
    colours: int
    repeats: bool | None
    guesses: int | None
    hard: bool
    allowed: str
    seed: int | None
    answer: bool
    debug: bool
    secret: str
    typed: list[str]
    games: int


def parser() -> argparse.ArgumentParser:
    """Reads the command line."""
    top = argparse.ArgumentParser(
        prog=f"python -m {__name__.partition('.')[0]}",
        description="FoCdle, Mastermind, Bulls and Cows: to play, and to be solved.",
        epilog="In most shells, put equations into quotes: '25+4*12=73'.",
    )
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    setting = _setting()

    play = commands.add_parser(
        "play", parents=[setting], help="find a secret, or let yours be found"
    )
    _game(play, as_option=False)
    _guesses_allowed(play, "true")
    play.add_argument("--answer", action="store_true", help="you have the secret, and answer")
    play.add_argument("--seed", type=int, metavar="N", help="the same secrets each time")

    solve = commands.add_parser("solve", parents=[setting], help="how many guesses a secret takes")
    _game(solve, as_option=True)
    _guesses_allowed(solve, "any")
    solve.add_argument("secret", metavar="SECRET")
    solve.add_argument("--debug", action="store_true", help="each guess, and what it left")

    analyse = commands.add_parser("analyse", parents=[setting], help="what guesses were worth")
    _game(analyse, as_option=True)
    _guesses_allowed(analyse, "form")
    analyse.add_argument("secret", metavar="SECRET")
    analyse.add_argument("typed", nargs="+", metavar="GUESS")

    advise = commands.add_parser(
        "next", parents=[setting], help="what to guess next in a game that you play elsewhere"
    )
    _game(advise, as_option=True)
    _guesses_allowed(advise, "true")
    advise.add_argument(
        "typed", nargs="*", metavar="TURN", help="'12+34-5=41 yygyyxygxx', 'rygb 2 1'"
    )

    mean = commands.add_parser(
        "mean", parents=[setting], help="how many guesses drawn secrets take"
    )
    _game(mean, as_option=False)
    _guesses_allowed(mean, "any")
    mean.add_argument("--games", type=_positive, default=100, metavar="N", help="100, unless told")
    mean.add_argument("--seed", type=int, default=1, metavar="N", help="draw others")
    return top


def _setting() -> argparse.ArgumentParser:
    setting = argparse.ArgumentParser(add_help=False)
    group = setting.add_argument_group("the rules")
    group.add_argument("--length", type=int, metavar="N", help="symbols, pegs or digits")
    group.add_argument("--colours", type=int, default=6, metavar="N", help="of Mastermind")
    group.add_argument(
        "--repeats", action=argparse.BooleanOptionalAction, help="whether a symbol may stand twice"
    )
    group.add_argument("--guesses", type=int, metavar="N", help="how many there are")
    group.add_argument("--hard", action="store_true", help="FoCdle's hard mode")
    return setting


def _game(command: argparse.ArgumentParser, *, as_option: bool) -> None:
    if as_option:
        command.add_argument("--game", choices=GAMES, help="unless what you type tells")
    else:
        command.add_argument("game", nargs="?", choices=GAMES, default=FOCDLE)


def _guesses_allowed(command: argparse.ArgumentParser, usual: str) -> None:
    command.add_argument(
        "--allowed",
        choices=[str(allowed) for allowed in Allowed],
        default=usual,
        help=f"guesses of FoCdle's solver: any symbols, equations in form, true ones, or only what "
        f"can be the secret; {usual}, unless told",
    )


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise ValueError(text)
    return number


def parse(rules: Rules[Any], text: str) -> Code:
    """The guess that a text is, as a `Read`; raises NotationError."""
    return rules.parse(text)


def allowed_by(rules: Rules[Any], options: Options) -> str:
    """Which guesses the solver may make; only FoCdle has more than one kind."""
    return options.allowed if isinstance(rules, Focdle) else Allowed.ANY


def asked_rules(options: Options) -> AnyRules:
    """The rules that were asked for; raises RefusedError if there are none such."""
    try:
        return _rules_of(options)
    except EngineError as error:
        raise RefusedError(refusal(error)) from error


def rules_for(options: Options, text: str, read: Read) -> AnyRules:
    """The rules by which this text can be read: the game and the length that it tells.

    Raises:
        RefusedError: there are none such.
    """
    try:
        return _rules_for(options, text, read)
    except EngineError as error:
        raise RefusedError(refusal(error, Focdle(), text)) from error


def _rules_of(options: Options, game: str | None = None, length: int | None = None) -> AnyRules:
    """The rules that were asked for.

    Args:
        options: the command line.
        game: which game, if that is known already.
        length: how many symbols, if that is known already.

    Raises:
        ImpossibleRulesError: there are no such rules.
    """
    game = game or options.game or FOCDLE
    asked, repeats = options.length if length is None else length, options.repeats
    length = _USUAL[game] if asked is None else asked
    guesses = _GUESSES[game] if options.guesses is None else options.guesses
    if game == FOCDLE:
        return Focdle(length, guesses, options.hard)
    if game == MASTERMIND:
        return Mastermind(options.colours, length, repeats is not False, guesses)
    return BullsAndCows(length, bool(repeats), guesses)


def _rules_for(options: Options, text: str, read: Read) -> AnyRules:
    """The rules by which this text can be read: the game and the length that it tells.

    Raises:
        ImpossibleRulesError: an equation of a length that no FoCdle has, or no such rules.
        NotationError: it can be read by none; what is wrong by the nearest.
    """
    game = options.game or _game_of(text)
    usual = _rules_of(options, game)
    if options.length is not None:
        return usual
    last = LONGEST if game == FOCDLE else _LONGEST_CODE
    lengths = [_USUAL[game], *range(SHORTEST if game == FOCDLE else 1, last + 1)]
    for length in lengths:
        try:
            rules = _rules_of(options, game, length)
            read(rules, text)
        except (ImpossibleRulesError, NotationError):
            continue
        return rules
    return _rules_of(options, game, _symbols(text)) if game == FOCDLE else usual


def _game_of(text: str) -> str:
    if set(text) & set("+*%×" + EQUALS):
        return FOCDLE
    return BULLS if text.strip()[:1].isdigit() else MASTERMIND


def _symbols(text: str) -> int:
    """How many symbols a text has, or what stands before its last space; raises NotationError."""
    try:
        return len(read_symbols(text))
    except NotationError:
        guess, _, _ = text.rpartition(" ")
        return len(read_symbols(guess or text))

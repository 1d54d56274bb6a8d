"""The options of the command line, and the rules of a game that they mean."""

import argparse
from collections.abc import Callable, Iterator
from typing import Any, Final

from engine import __version__
from engine.choice import Allowed, Strength
from engine.code_games import COLOURS, BullsAndCows, Mastermind
from engine.codes import Code
from engine.equations import EQUALS
from engine.errors import (
    EngineError,
    FeedbackError,
    ImpossibleRulesError,
    NotationError,
    Problem,
    listed,
)
from engine.focdle import DEFAULT_LENGTH, LONGEST, SHORTEST, Focdle
from engine.notation import end_of_guess, read_turn
from engine.rules import Rules
from engine.terminal.words import program

FOCDLE: Final = "focdle"
MASTERMIND: Final = "mastermind"
BULLS: Final = "bulls"
GAMES: Final = (FOCDLE, MASTERMIND, BULLS)
_USUAL: Final = {FOCDLE: DEFAULT_LENGTH, MASTERMIND: 4, BULLS: 4}
_GUESSES: Final = {FOCDLE: 6, MASTERMIND: 12, BULLS: 30}
_LONGEST_CODE: Final = 12
_DRAWN: Final = (Strength.SHARP, Strength.CASUAL)
_GAMES_OF: Final = {
    "colours": (MASTERMIND,),
    "repeats": (MASTERMIND, BULLS),
    "hard": (FOCDLE,),
    "allowed": (FOCDLE,),
}


class RefusedError(Exception):
    """What is asked for cannot be done, or an option of it would change nothing."""


class Options(argparse.Namespace):
    command: str | None
    game: str | None
    length: int | None = None
    colours: int | list[str] | None = None
    repeats: bool | None = None
    guesses: int | None = None
    hard: bool | None = None
    allowed: str | None = None
    usually_allowed: str
    seed: int | None
    answer: bool
    evil: bool
    two: bool
    debug: bool
    secret: str
    typed: list[str]
    games: int
    strength: str | None = None
    player: str | None = None
    processes: int
    json: bool


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog=program(),
        description="FoCdle, Mastermind, Bulls and Cows: to play, and to be solved.",
        epilog="In most shells, put equations into quotes: '25+4*12=73'.",
    )
    top.add_argument("--version", action="version", version=f"{program()} {__version__}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    setting = _setting()

    _play(
        commands.add_parser("play", parents=[setting], help="find a secret, or let yours be found")
    )

    solve = commands.add_parser("solve", parents=[setting], help="how many guesses a secret takes")
    _game(solve, as_option=True)
    _guesses_allowed(solve, "any")
    _player(solve)
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

    explain = commands.add_parser("explain", parents=[setting], help="what turns tell, and why")
    _game(explain, as_option=True)
    _as_json(explain, "all of it as JSON, also what one clue shows")
    explain.add_argument("typed", nargs="+", metavar="TURN", help="as next takes them")

    difficulty = commands.add_parser("difficulty", help="how hard an equation is for people")
    difficulty.set_defaults(game=FOCDLE)
    _as_json(difficulty, "as JSON")
    difficulty.add_argument("secret", metavar="EQUATION")

    _mean(commands.add_parser("mean", parents=[setting], help="how many guesses secrets take"))
    return top


def _play(play: argparse.ArgumentParser) -> None:
    _game(play, as_option=False)
    _guesses_allowed(play, "true")
    hiding = play.add_mutually_exclusive_group()
    hiding.add_argument("--answer", action="store_true", help="you have the secret, and answer")
    hiding.add_argument(
        "--evil", action="store_true", help="no secret: each answer leaves as much as it can"
    )
    hiding.add_argument(
        "--two", action="store_true", help="one of you hides a secret, the other finds it"
    )
    play.add_argument(
        "--seed", type=_number, metavar="N", help="the same secrets, or first guess, each time"
    )


def _mean(mean: argparse.ArgumentParser) -> None:
    _game(mean, as_option=False)
    _guesses_allowed(mean, "any")
    _player(mean)
    mean.add_argument("--games", type=_positive, default=100, metavar="N", help="100, unless told")
    mean.add_argument("--seed", type=_number, default=1, metavar="N", help="draw others")
    mean.add_argument(
        "--processes", type=_positive, default=1, metavar="N", help="how many play at once"
    )


def _setting() -> argparse.ArgumentParser:
    setting = argparse.ArgumentParser(add_help=False)
    group = setting.add_argument_group("the rules")
    group.add_argument("--length", type=_number, metavar="N", help="symbols, pegs or digits")
    group.add_argument(
        "--colours",
        type=_colours,
        metavar="N",
        help="of Mastermind: how many, or names with commas between",
    )
    group.add_argument(
        "--repeats", action=argparse.BooleanOptionalAction, help="whether a symbol may stand twice"
    )
    group.add_argument("--guesses", type=_number, metavar="N", help="how many there are")
    group.add_argument("--hard", action="store_true", default=None, help="FoCdle's hard mode")
    return setting


def _as_json(command: argparse.ArgumentParser, said: str) -> None:
    command.add_argument("--json", action="store_true", help=said)


def _game(command: argparse.ArgumentParser, *, as_option: bool) -> None:
    if as_option:
        command.add_argument("--game", choices=GAMES, help="unless what you type tells")
    else:
        command.add_argument("game", nargs="?", choices=GAMES, default=FOCDLE)


def _guesses_allowed(command: argparse.ArgumentParser, usual: str) -> None:
    command.add_argument(
        "--allowed",
        choices=[str(allowed) for allowed in Allowed],
        help=f"guesses of FoCdle's solver: any symbols, equations in form, true ones, or only what "
        f"can be the secret; {usual}, unless told",
    )
    command.set_defaults(usually_allowed=usual)


def _player(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("who guesses")
    group.add_argument(
        "--strength",
        choices=[str(strength) for strength in Strength],
        help="the best play known, a random guess that explains all answers, or the last three; "
        "perfect, unless told",
    )
    group.add_argument(
        "--with",
        dest="player",
        metavar="MODULE:NAME",
        help="a program of yours in this folder: NAME is called with the rules, and returns what "
        "has a method next_guess(turns)",
    )


def _number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from None


def _colours(text: str) -> int | list[str]:
    return [name.strip() for name in text.split(",")] if "," in text else _number(text)


def _positive(text: str) -> int:
    number = _number(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too few, there must be 1 at least")
    return number


def allowed_by(rules: Rules[Any], options: Options) -> str:
    """The kind of guesses that the solver may make, by the options; outside FoCdle always ANY."""
    asked = options.allowed or options.usually_allowed
    return asked if isinstance(rules, Focdle) else Allowed.ANY


def asked_rules(options: Options) -> Rules[Any]:
    """The rules that the options describe; without a game, those of the first that has them all."""
    fitting = [game for game in GAMES if not any(_foreign(options, game))]
    try:
        return _rules_of(options, options.game or [*fitting, FOCDLE][0])
    except EngineError as error:
        raise RefusedError(str(error)) from error


def rules_for(options: Options, text: str, *, is_turn: bool = False) -> Rules[Any]:
    """The rules by which a typed guess, or with `is_turn` a typed turn, can be parsed.

    Game and length follow from the text where the options leave them open. If the text fits no
    rules, return those whose error message will help most.
    """
    try:
        return _rules_for(options, text, is_turn=is_turn)
    except EngineError as error:
        raise RefusedError(str(error)) from error


def _rules_for(options: Options, text: str, *, is_turn: bool) -> Rules[Any]:
    read: Callable[[Rules[Any], str], object] = read_turn if is_turn else _parse
    likely = options.game or _game_of(text)
    if options.length is not None:
        return _rules_of(options, likely)
    others = [] if options.game else [game for game in GAMES if not any(_foreign(options, game))]
    for game in (likely, *others):
        possible = range(SHORTEST, LONGEST + 1) if game == FOCDLE else range(1, _LONGEST_CODE + 1)
        for length in (_USUAL[game], *possible):
            try:
                rules = _rules_of(options, game, length)
                read(rules, text)
            except (ImpossibleRulesError, NotationError):
                continue
            return rules
    usual = _rules_of(options, likely)
    guess = text[: end_of_guess(usual, text)] if is_turn else text
    return _rules_of(options, likely, _typed_length(usual, guess))


def _rules_of(options: Options, game: str, length: int | None = None) -> Rules[Any]:
    """The rules of a game by the options; `length` replaces the length in the options."""
    for idle in (*_foreign(options, game), *_idle(options)):
        raise RefusedError(idle)
    asked, repeats = options.length if length is None else length, options.repeats
    length = _USUAL[game] if asked is None else asked
    guesses = _GUESSES[game] if options.guesses is None else options.guesses
    if game == FOCDLE:
        return Focdle(length, guesses, bool(options.hard))
    if game == MASTERMIND:
        colours = Mastermind().colours if options.colours is None else options.colours
        return Mastermind(
            pegs=length, colours=colours, repeats=repeats is not False, max_guesses=guesses
        )
    return BullsAndCows(length, bool(repeats), guesses)


def _foreign(options: Options, game: str) -> Iterator[str]:
    for name, games in _GAMES_OF.items():
        value = getattr(options, name)
        if value is not None and game not in games:
            said = f"--no-{name}" if value is False else f"--{name}"
            yield f"{said} is an option of {listed(games)}, not of {game}."


def _idle(options: Options) -> Iterator[str]:
    is_played = options.command == "play" and not options.answer
    if is_played and options.allowed:
        yield "--allowed goes with --answer: without it, you are the one who guesses."
    if is_played and options.seed is not None and (options.evil or options.two):
        yield "--seed changes nothing here: no secret is drawn."
    if options.player:
        for name in ("strength", "allowed"):
            if getattr(options, name):
                yield f"--{name} changes nothing with --with: your program decides."
    elif options.strength in _DRAWN and options.allowed not in {None, "hard"}:
        yield f"--allowed changes nothing with --strength {options.strength}: it does not search."
    if options.hard and options.allowed:
        yield "--allowed changes nothing in hard mode: there is one kind of guess."
    if options.hard and options.command == "explain":
        yield "--hard changes nothing here: turns tell the same."
    counts_guesses = is_played or options.command == "analyse" or options.hard
    if options.guesses is not None and not counts_guesses:
        yield "--guesses changes nothing here: a solver guesses until it is right."


def with_option(error: NotationError) -> str:
    """What a slip is, and the option that makes it none."""
    if isinstance(error, FeedbackError):
        return str(error)
    if error.problem is Problem.REPEATED_SYMBOL:
        return f"{error} --repeats allows it."
    if error.problem is Problem.COLOUR_NOT_IN_PLAY and error.symbol in COLOURS:
        return f"{error} --colours {COLOURS.index(error.symbol) + 1} brings it in."
    return str(error)


def _typed_length(rules: Rules[Any], guess: str) -> int | None:
    try:
        _parse(rules, guess)
    except NotationError as error:
        if error.problem in {Problem.TOO_SHORT, Problem.TOO_LONG, Problem.OTHER_LENGTH}:
            return error.found
    return None


def _parse(rules: Rules[Any], text: str) -> Code:
    return rules.parse(text)


def _game_of(text: str) -> str:
    if set(text) & set("+*%×" + EQUALS):
        return FOCDLE
    return BULLS if text.strip()[:1].isdigit() else MASTERMIND

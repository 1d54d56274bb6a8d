"""A game at the terminal: the program draws a secret, and the user finds it."""

import random
from dataclasses import replace
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from engine.codes import Code
from engine.errors import EngineError, RepeatedGuessError
from engine.feedback import Score, is_same_symbols, write_counts
from engine.focdle import Focdle
from engine.game import Game, Outcome
from engine.rules import Rules
from engine.terminal.options import Options, asked_rules
from engine.terminal.screen import LeftError, Paint, Screen, show_board, show_known
from engine.terminal.words import (
    HELP,
    LEAVE,
    SURRENDER,
    described,
    missing,
    noun_of,
    shared,
    spelled,
)

_PRAISE: Final = (
    "Right at once!",
    "Two guesses: superb!",
    "Brilliant.",
    "Very good.",
    "Well done.",
)


def play(screen: Screen, options: Options) -> None:
    """Play games until the user wants no more."""
    rules, seed = asked_rules(options), options.seed
    if options.evil:
        import_module("engine.terminal.solving")  # it is refused at once where numpy is missing
    rng = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 - asked for
    screen.show(screen.paint(f"Find the {noun_of(rules)}.", Paint.BOLD))
    _explain(screen, rules)
    if options.evil:
        screen.say("There is no secret yet: each answer leaves as much as it can.")
    screen.show()
    while True:
        secret = _hidden(screen, rules) if options.two else rules.draw(rng)
        session = _Session(screen, rules, secret, is_evil=options.evil)
        session.play()
        screen.show()
        if not session.wants_another():
            return
        screen.show()


def _hidden(screen: Screen, rules: Rules[Any]) -> Code:
    """Ask whoever hides a secret for it, and clear the screen of it."""
    screen.say("One of you types a secret, the other looks away.")
    while True:
        line = screen.ask("secret> ").strip()
        if line.lower() in LEAVE:
            raise LeftError
        try:
            game: Game[Any] = Game(rules, rules.parse(line))
        except EngineError as error:
            screen.say(str(error))
        else:
            screen.clear()
            return game.secret


def _explain(screen: Screen, rules: Rules[Any]) -> None:
    screen.say(f"It has {described(rules)}.")
    if isinstance(rules, Focdle) and rules.hard:
        screen.say("Hard mode: every guess must be true, and agree with all clues.")
    if not isinstance(rules, Focdle):
        example = rules.write_feedback(Score(2, 1))
        said = example if screen.can_show(example) else write_counts(Score(2, 1))
        screen.say(
            f"After each guess it is counted how much is right: {said} is two in their right "
            "place, and one that belongs elsewhere. Which they are is not said."
        )
    elif screen.has_colours:
        green, yellow, grey = (
            screen.paint(f" {name} ", paint)
            for name, paint in (
                ("green", Paint.CORRECT),
                ("yellow", Paint.PRESENT),
                ("grey", Paint.ABSENT),
            )
        )
        screen.show(f"{green} in its right place")
        screen.show(f"{yellow} elsewhere")
        screen.show(f"{grey} not there, or not so often")
    else:
        screen.say("Below each symbol: g in its right place, y elsewhere, x not so often there.")
    screen.say("Type a guess, hint, board, surrender, or ? for this again.")


class _Session:
    def __init__(self, screen: Screen, rules: Rules[Any], secret: Code, *, is_evil: bool) -> None:
        self._screen = screen
        self._is_evil = is_evil
        self._rules = rules
        self._game: Game[Any] = Game(rules, secret)
        self._probe: Code | None = None
        self._hinted: int | None = None

    def play(self) -> None:
        try:
            while self._game.outcome is None:
                number = len(self._game.turns) + 1
                self._take(self._screen.ask(f"{number}/{self._rules.max_guesses}> "))
        except LeftError:
            self._reveal()
            raise
        self._end()

    def _take(self, line: str) -> None:
        word = line.strip().lower()
        if word in SURRENDER:
            self._game = self._game.give_up()
        elif word in LEAVE:
            raise LeftError
        elif word in HELP:
            _explain(self._screen, self._rules)
        elif word == "board":
            self._show_board()
        elif word in {"hint", "why"}:
            if (solving := self._solving()) is not None:
                made = len(self._game.turns)
                show = solving.show_hint if self._hinted == made else solving.show_why
                show(self._screen, self._game)
                self._hinted = made
        else:
            self._guess(line)

    def _guess(self, line: str) -> None:
        probe, self._probe = self._probe, None
        try:
            code = probe if probe and not line.strip() else self._rules.parse(line)
            if code != probe and self._is_slip(code):
                self._probe = code
                return
            game = self._game.guess(code)
            if self._is_evil:
                solving = import_module("engine.terminal.solving")
                game = replace(self._game, secret=solving.worst_secret(game)).guess(code)
            self._game = game
        except RepeatedGuessError as error:
            guess = spelled(self._rules, error.guess)
            self._screen.say(f"{guess} was guess {error.turn + 1} already. That was free.")
            return
        except EngineError as error:
            self._screen.say(f"{error} That was free.")
            return
        self._show_board()

    def _show_board(self) -> None:
        turns = self._game.turns
        if not turns:
            self._screen.say("No guess was made yet.")
        show_board(self._screen, self._rules, turns)
        if isinstance(self._rules, Focdle) and self._game.outcome is None:
            if turns and is_same_symbols(turns[-1].feedback):
                self._screen.say("All the right symbols, in another order.")
            show_known(self._screen, turns)

    def _solving(self) -> ModuleType | None:
        """The commands that need numpy; None, and the advice to install it, where there is none."""
        try:
            return import_module("engine.terminal.solving")
        except ModuleNotFoundError as error:
            self._screen.say(missing(error))
            return None

    def _is_slip(self, code: Code) -> bool:
        """Warn of a false equation and return true; not in hard mode, which refuses it anyway."""
        rules = self._rules
        if not isinstance(rules, Focdle) or rules.hard or rules.is_true(code):
            return False
        equation = rules.equation(code)
        self._screen.say(
            f"{code.partition('=')[0]} is {equation.value}, not {equation.result}. "
            "Enter plays it all the same, to probe for symbols; or type another guess."
        )
        return True

    def _end(self) -> None:
        made = len(self._game.turns)
        if self._game.outcome is Outcome.SOLVED:
            praise = _PRAISE[min(made, len(_PRAISE)) - 1]
            self._screen.say(f"{praise} Found with guess {made} of {self._rules.max_guesses}.")
        else:
            self._reveal()

    def _reveal(self) -> None:
        was = "could have been" if self._is_evil else "was"
        self._screen.say(f"It {was} {spelled(self._rules, self._game.secret)}.")

    def wants_another(self) -> bool:
        """Ask what follows the game: its analysis, its grid to share, or another one."""
        while True:
            word = self._screen.ask("n next, a analyse, s share, q quit> ").strip().lower()
            if word in LEAVE:
                return False
            if word in {"", "n"}:
                return True
            if word == "s":
                self._screen.show(shared(self._game, can_show=self._screen.can_show))
            elif word == "a" and (solving := self._solving()) is not None:
                solving.show_worth(self._screen, self._game)

"""Commands that need a solver: solving, analysis, advice, and answering the solver's guesses."""

import json
import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from engine.choice import Allowed, Strength
from engine.codes import Code
from engine.deductions import Deduction
from engine.errors import (
    EngineError,
    FalseEquationError,
    InconsistentFeedback,
    NotationError,
    counted,
)
from engine.feedback import Turn
from engine.focdle import Focdle
from engine.game import Game, Outcome
from engine.guessers import Guesser, endless, measure, play
from engine.levels import Difficulty, Level
from engine.notation import read_turn
from engine.rules import MOST_GUESSES, Rules
from engine.solvers.analysis import TurnAnalysis, analyse, answers, candidates
from engine.solvers.codebreaker import Codebreaker, codebreaker
from engine.solvers.explain import explain
from engine.solvers.focdle.difficulty import difficulty
from engine.terminal.options import (
    Options,
    RefusedError,
    allowed_by,
    asked_rules,
    rules_for,
    with_option,
)
from engine.terminal.screen import LeftError, Paint, Screen, show_board, show_guess, show_turn
from engine.terminal.words import (
    HELP,
    LEAVE,
    SURRENDER,
    answer_help,
    described,
    noun_of,
    spelled,
    told,
)

_MOST_TOLD: Final = 3
"""The most deductions that a first hint tells."""


def show_hint(screen: Screen, game: Game[Any]) -> None:
    allowed = "true" if isinstance(game.rules, Focdle) else "any"
    breaker = codebreaker(game.rules, allowed=allowed)
    left = counted(breaker.remaining(game.turns), noun_of(game.rules))
    guess = breaker.next_guess(game.turns, is_last=game.guesses_left == 1)
    screen.say(f"{left} possible. A good guess: {spelled(game.rules, guess)}")


def show_why(screen: Screen, game: Game[Any]) -> None:
    found = _worth_telling(explain(game.rules, game.turns))
    for each in found[:_MOST_TOLD]:
        screen.say(told(game.rules, each))
    screen.say(f"{'' if found else 'No clue decides anything yet. '}hint again shows a guess.")


def worst_secret(game: Game[Any]) -> Code:
    """A secret that agrees with all earlier turns, and whose answer to the last leaves most."""
    *earlier, last = game.turns
    feedback = next(iter(answers(game.rules, earlier, last.guess)))
    return candidates(game.rules, earlier, 1, after=(last.guess, feedback))[0]


def _worth_telling(found: Sequence[Deduction]) -> list[Deduction]:
    """What takes two clues or more to see, or else what one shows: reasons first.

    Of a symbol that is nowhere only this is told, unless just a place has a reason.
    """
    some = [each for each in found if each.clues]
    some = [each for each in some if len(each.clues) > 1] or some
    nowhere = {
        claim.symbol: bool(each.cases)
        for each in some
        if (claim := each.claim).place is None and not claim.is_so
    }
    some = [
        each
        for each in some
        if (claim := each.claim).place is None
        or claim.is_so
        or bool(each.cases) > nowhere.get(claim.symbol, -1)
    ]
    some.sort(key=lambda each: (not each.cases, len(each.cases), not each.claim.is_so))
    apart = {each.cases or each.claim: each for each in reversed(some)}
    return [*reversed(apart.values())]


def show_explanation(screen: Screen, options: Options) -> None:
    """Show what the typed turns tell, and why."""
    adviser = Adviser(screen, options)
    for text in options.typed:
        adviser.add(text)
    rules = adviser.rules
    found = explain(rules, adviser.turns)
    if options.json:
        screen.show(json.dumps([{**asdict(each), "text": told(rules, each)} for each in found]))
        return
    telling = _worth_telling(found)
    for each in telling:
        screen.say(told(rules, each))
    if not telling:
        screen.say("No clue decides anything yet.")


def show_difficulty(screen: Screen, options: Options) -> None:
    """Show how many guesses the typed equation takes people, and its level."""
    rules = rules_for(options, options.secret)
    secret = _secret(rules, options.secret)
    assert isinstance(rules, Focdle)  # noqa: S101 - the parser says so
    found = difficulty(rules, secret)
    if options.json:
        screen.show(json.dumps({**asdict(found), "level": found.level, "text": str(found)}))
    else:
        _show_difficulty(screen, found)


def show_solution(screen: Screen, options: Options) -> None:
    """Show how many guesses the typed secret takes; with `--debug` also each guess."""
    rules = rules_for(options, options.secret)
    secret = _secret(rules, options.secret)
    game = play(endless(rules), secret, _guesser(rules, options))
    if game.outcome is not Outcome.SOLVED:
        raise RefusedError(f"{spelled(rules, secret)} was not found in {MOST_GUESSES} guesses.")
    turns = game.turns
    if options.debug:
        breaker = codebreaker(rules)
        for number, turn in enumerate(turns, 1):
            show_turn(screen, rules, turn, number)
            if turn.guess != secret:
                screen.say(left_after(breaker, rules, turns[:number]), indent="   ")
    screen.show(f"{spelled(rules, secret)} takes {counted(len(turns), 'guess', 'guesses')}.")


def show_analysis(screen: Screen, options: Options) -> None:
    """Show each typed guess: candidates before and after, grade, skill, solver's choice."""
    rules = rules_for(options, options.secret)
    secret = _secret(rules, options.secret)
    guesses = [_code(rules, text) for text in options.typed]
    if secret in guesses[:-1]:
        raise RefusedError(f"{secret} is the secret: no guess follows it.")
    _show_worth(screen, rules, analyse(rules, secret, guesses, allowed_by(rules, options)))


def show_worth(screen: Screen, game: Game[Any]) -> None:
    """Show what the guesses of a game were worth, and how hard its equation is."""
    rules, secret = game.rules, game.secret
    if not game.turns:
        screen.say("No guess was made.")
    allowed = Allowed.FORM if isinstance(rules, Focdle) else Allowed.ANY
    _show_worth(screen, rules, analyse(rules, secret, game.guesses, allowed))
    if isinstance(rules, Focdle):
        _show_difficulty(screen, difficulty(rules, secret))


def _show_difficulty(screen: Screen, found: Difficulty) -> None:
    star = "\u2605" if screen.can_show("\u2605") else "*"
    screen.show(f"Difficulty {star * (list(Level).index(found.level) + 1)}: {found}")


def _show_worth(screen: Screen, rules: Rules[Any], turns: Sequence[TurnAnalysis[Any]]) -> None:
    for number, found in enumerate(turns, 1):
        show_turn(screen, rules, found.turn, number)
        after = "" if rules.solved(found.turn.feedback) else f", {found.after:,} after it"
        screen.say(f"{found.before:,} possible{after}", indent="   ")
        best = f"; the solver: {spelled(rules, found.choice)}"
        choice = "" if found.choice == found.turn.guess else best
        grade = f"{found.grade} " if found.grade else ""
        screen.say(f"{grade}skill {found.skill}{choice}", indent="   ")


def show_mean(screen: Screen, options: Options) -> None:
    """Show how many guesses drawn secrets take: mean, standard error, histogram."""
    rules = asked_rules(options)
    rng = random.Random(options.seed)  # noqa: S311 - the same games in every run
    guesser = _guesser(rules, options, rng)
    screen.show(
        str(
            measure(
                rules, guesser, options.games, seed=options.seed or 0, processes=options.processes
            )
        )
    )


def _guesser(rules: Rules[Any], options: Options, rng: random.Random | None = None) -> Guesser:
    if options.player:
        return _own_guesser(rules, options.player)
    strength = options.strength or Strength.PERFECT
    chance = None if strength == Strength.PERFECT else rng
    return codebreaker(rules, strength, allowed_by(rules, options), rng=chance)


def _own_guesser(rules: Rules[Any], named: str) -> Guesser:
    """Make the user's own Guesser; `named` is ``module:name``, with the module in this folder."""
    module, _, name = named.partition(":")
    if not module or not name:
        raise RefusedError("--with takes a program and a name in it: mine:First.")
    sys.path.insert(0, str(Path.cwd()))
    try:
        make = getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise  # it is there, and lacks another one
        raise RefusedError(f"There is no {module}.py in this folder.") from error
    except AttributeError as error:
        raise RefusedError(f"{module} has no {name}.") from error
    guesser = make(rules)
    if not callable(getattr(guesser, "next_guess", None)):
        raise RefusedError(f"What {name} returns has no method next_guess(turns).")
    return guesser


def _code(rules: Rules[Any], text: str) -> Code:
    try:
        return rules.parse(text)
    except NotationError as error:
        raise RefusedError(with_option(error)) from error


def _secret(rules: Rules[Any], text: str) -> Code:
    code = _code(rules, text)
    if isinstance(rules, Focdle):
        try:
            rules.check_true(code)
        except FalseEquationError as error:
            raise RefusedError(f"{error} A secret is true.") from error
    return code


UNDO: Final = "undo"


def answer(screen: Screen, options: Options) -> None:
    """Find the secret that the user thinks of, from their answers to the program's guesses."""
    rules = asked_rules(options)
    seed = options.seed
    rng = random.SystemRandom() if seed is None else random.Random(seed)  # noqa: S311 - asked for
    breaker = codebreaker(rules, allowed=allowed_by(rules, options), rng=rng)
    noun = noun_of(rules)
    screen.show(screen.paint(f"Think of {'an' if noun == 'equation' else 'a'} {noun}.", Paint.BOLD))
    screen.say(f"It has {described(rules)}. Write it down; I shall find it.")
    screen.say(f"Answer each guess with {answer_help(rules)}. undo takes an answer back.")
    screen.show()
    turns: list[Turn[Any]] = []
    while not (turns and rules.solved(turns[-1].feedback)):
        try:
            left, guess = breaker.remaining(turns), breaker.next_guess(turns)
        except InconsistentFeedback as slip:
            _mend(screen, rules, breaker, turns, slip)
            continue
        possible = "It can only be this" if left == 1 else f"{counted(left, noun)} possible"
        screen.show(screen.paint(f"Guess {len(turns) + 1}. {possible}:", Paint.DIM))
        show_guess(screen, rules, guess)
        line = _answer(screen, rules, breaker, guess)
        if line is None:
            if turns:
                del turns[-1]
        elif line.feedback is None:
            screen.say(f"As you like. {counted(left, noun)} could still have been yours.")
            return
        else:
            turns.append(line)
            show_board(screen, rules, turns)
    screen.say(f"Found with guess {len(turns)}. Thank you for the game.")


def _answer(
    screen: Screen, rules: Rules[Any], breaker: Codebreaker[Any], guess: Code
) -> Turn[Any] | None:
    """Ask until the user answers a guess.

    Returns:
        The turn; None if the user types `undo`; a turn without feedback if they give up.
    """
    while True:
        line = screen.ask("answer> ")
        word = line.strip().lower()
        if word == UNDO:
            return None
        if word in SURRENDER:
            return Turn(guess, None)
        if word in LEAVE:
            raise LeftError
        if word in HELP:
            screen.say(f"Answer with {answer_help(rules)}; or undo, surrender, quit.")
            continue
        turn = _read(screen, rules, breaker, guess, line)
        if turn is not None:
            return turn


def _read(
    screen: Screen, rules: Rules[Any], breaker: Codebreaker[Any], guess: Code, line: str
) -> Turn[Any] | None:
    """Parse an answer to a guess; if no secret gives it, say what is wrong, and return None."""
    try:
        turn = Turn(guess, rules.read_feedback(line))
        breaker.remaining([turn])
    except InconsistentFeedback:
        screen.say("Nothing in this game gives that answer. Count again.")
    except EngineError as error:
        screen.say(str(error))
    else:
        return turn
    return None


def _mend(
    screen: Screen,
    rules: Rules[Any],
    breaker: Codebreaker[Any],
    turns: list[Turn[Any]],
    slip: InconsistentFeedback,
) -> None:
    """Show the answers that contradict each other; put the user's correction into `turns`."""
    screen.say(f"{slip} Here they are:")
    for index in slip.turns:
        show_turn(screen, rules, turns[index], index + 1)
    number = _number(screen, "Which one was wrong? Its number> ", turns)
    guess = turns[number].guess
    show_guess(screen, rules, guess)
    line = _answer(screen, rules, breaker, guess)
    if line is None:
        return  # another one is to be corrected
    if line.feedback is None:
        raise LeftError
    turns[number] = line
    if rules.solved(line.feedback):
        del turns[number + 1 :]


def _number(screen: Screen, prompt: str, turns: Sequence[Turn[Any]]) -> int:
    while True:
        word = screen.ask(prompt).strip().lower()
        if word in LEAVE | SURRENDER:
            raise LeftError
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(turns):
            return int(word) - 1
        screen.say(f"Type a number from 1 to {len(turns)}, or quit.")


_FEW: Final = 8


def advise(screen: Screen, options: Options) -> bool:
    """Advise a guess after the turns on the command line; if there are none, ask for turns.

    Return False if no secret explains the turns on the command line.
    """
    adviser = Adviser(screen, options)
    if not options.typed:
        adviser.ask()
        return True
    for text in options.typed:
        adviser.add(text)
    return adviser.advise()


class Adviser:
    """Advises guesses; the first turn decides on game and length if the options do not."""

    def __init__(self, screen: Screen, options: Options) -> None:
        self._screen = screen
        self._options = options
        self._rules: Rules[Any] | None = None
        self.turns: list[Turn[Any]] = []
        self._guess: Code | None = None

    @property
    def rules(self) -> Rules[Any]:
        return self._rules or asked_rules(self._options)

    def add(self, text: str) -> None:
        """Add a typed turn, or the turn of the advised guess if only its feedback was typed."""
        rules = self.rules
        turn: Turn[Any] | None = None
        if self._guess is not None:
            with suppress(NotationError):
                turn = Turn(self._guess, rules.read_feedback(text))
        if turn is None:
            rules = self._rules or rules_for(self._options, text, is_turn=True)
            try:
                turn = read_turn(rules, text)
            except NotationError as error:
                said = f"{text.strip()}: " if text.strip() else ""
                raise RefusedError(f"{said}{with_option(error)}") from error
        if self.turns and rules.solved(self.turns[-1].feedback):
            raise RefusedError(f"{text}: guess {len(self.turns)} has solved it already.")
        try:
            codebreaker(rules).remaining([turn])
        except InconsistentFeedback as error:
            raise RefusedError(f"{text}: nothing in this game gives that answer.") from error
        except EngineError as error:
            raise RefusedError(f"{text}: {error}") from error
        self._rules = rules
        self.turns.append(turn)

    def advise(self) -> bool:
        """Show the next guess, or that the game is solved; return False if no secret fits."""
        screen, rules, turns = self._screen, self.rules, self.turns
        self._guess = None
        if turns and rules.solved(turns[-1].feedback):
            screen.show(f"Solved: {spelled(rules, turns[-1].guess)}.")
            return True
        breaker = codebreaker(rules, allowed=allowed_by(rules, self._options))
        try:
            screen.say(f"{left_after(breaker, rules, turns)}.")
        except InconsistentFeedback as slip:
            screen.say(str(slip))
            for index in slip.turns:
                show_turn(screen, rules, turns[index], index + 1)
            return False
        self._guess = breaker.next_guess(turns)
        screen.show(f"Guess {spelled(rules, self._guess)}")
        return True

    def ask(self) -> None:
        """Ask for turns, and advise after each, until the game is solved or the user leaves."""
        said = answer_help(asked_rules(self._options))
        self._screen.say("Type each guess with its answer, or only the answer to what I say.")
        self._screen.say(f"An answer is {said}. undo takes one back, q leaves.")
        while True:
            rules = self.rules
            self._screen.show()
            show_board(self._screen, rules, self.turns)
            self.advise()
            if self.turns and rules.solved(self.turns[-1].feedback):
                return
            line = self._screen.ask(f"{len(self.turns) + 1}> ").strip()
            word = line.lower()
            if word in LEAVE:
                return
            if word == UNDO:
                del self.turns[-1:]
                self._rules = self._rules if self.turns else None
            elif not word or word in HELP:
                self._screen.say(f"Type {answer_help(rules)}.")
            else:
                try:
                    self.add(line)
                except RefusedError as error:
                    self._screen.say(str(error))


def left_after(breaker: Codebreaker[Any], rules: Rules[Any], turns: Sequence[Turn[Any]]) -> str:
    """Tell how many candidates the turns leave; name them if they are `_FEW` at most.

    Raises:
        InconsistentFeedback: no candidate is left.
    """
    left = breaker.remaining(turns)
    said = f"{counted(left, noun_of(rules))} left"
    if left > _FEW:
        return said
    codes = [spelled(rules, code) for code in breaker.candidates(turns, _FEW)]
    return f"{said}: {('; ' if ', ' in codes[0] else ', ').join(codes)}"

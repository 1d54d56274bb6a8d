"""Advice for a game that is played elsewhere: what to guess after the turns that are typed."""

from collections.abc import Sequence
from typing import Any, Final

from engine.codes import Code
from engine.errors import EngineError, InconsistentFeedback, NotationError
from engine.feedback import Turn
from engine.game import Rules
from engine.notation import end_of_guess
from engine.solvers.codebreaker import Codebreaker, codebreaker
from engine.terminal.answering import UNDO, contradiction
from engine.terminal.boards import show_turn
from engine.terminal.options import Options, RefusedError, allowed_by, asked_rules, rules_for
from engine.terminal.play import HELP, LEAVE
from engine.terminal.screen import Screen
from engine.terminal.words import answer_help, counted, feedback_refusal, noun_of, refusal

_FEW: Final = 8


def advise(screen: Screen, options: Options) -> bool:
    """Say what to guess after the turns that are typed; False if no secret explains them."""
    adviser = Adviser(screen, options)
    if not options.typed:
        adviser.ask()
        return True
    for text in options.typed:
        adviser.add(text)
    return adviser.advise()


class Adviser:
    """Says what to guess; the first turn tells the game and its length."""

    def __init__(self, screen: Screen, options: Options) -> None:
        self._screen = screen
        self._options = options
        self._rules: Rules[Any] | None = None
        self._turns: list[Turn[Any]] = []
        self._guess: Code | None = None

    def add(self, text: str) -> None:
        """Take a turn, or only the feedback of the guess that was advised.

        Raises:
            RefusedError: it is none; says why.
        """
        rules = self._rules or asked_rules(self._options)
        turn = self._answered(rules, text)
        if turn is None:
            rules = self._rules or rules_for(self._options, text, is_turn=True)
            turn = _turn(rules, text)
        if self._turns and rules.solved(self._turns[-1].feedback):
            raise RefusedError(f"{text}: guess {len(self._turns)} has solved it already.")
        try:
            codebreaker(rules).remaining([turn])
        except InconsistentFeedback as error:
            raise RefusedError(f"{text}: nothing in this game gives that answer.") from error
        except EngineError as error:
            raise RefusedError(f"{text}: {refusal(error, rules)}") from error
        self._rules = rules
        self._turns.append(turn)

    def _answered(self, rules: Rules[Any], text: str) -> Turn[Any] | None:
        """The guess that was advised, if a text is its feedback."""
        if self._guess is None:
            return None
        try:
            return Turn(self._guess, rules.read_feedback(text))
        except NotationError:
            return None

    def advise(self) -> bool:
        """Say what to guess now; False if no secret explains the turns."""
        screen, rules, turns = self._screen, self._rules or asked_rules(self._options), self._turns
        self._guess = None
        if turns and rules.solved(turns[-1].feedback):
            screen.show(f"Solved: {turns[-1].guess}.")
            return True
        breaker = codebreaker(rules, allowed=allowed_by(rules, self._options))
        try:
            screen.say(f"{left_after(breaker, rules, turns)}.")
        except InconsistentFeedback as slip:
            screen.say(contradiction(slip))
            for index in slip.turns:
                show_turn(screen, rules, turns[index], f"{index + 1:>2} ")
            return False
        self._guess = breaker.next_guess(turns)
        screen.show(f"Guess {self._guess}")
        return True

    def ask(self) -> None:
        """Ask for one turn after the other until it is solved; raises LeftError at the end."""
        rules = asked_rules(self._options)
        self._screen.say("Type each guess with its answer, or only the answer to what I say.")
        self._screen.say(f"An answer is {answer_help(rules)}. undo takes one back, q leaves.")
        while True:
            self._screen.show()
            self.advise()
            if self._turns and rules.solved(self._turns[-1].feedback):
                return
            if self._take(self._screen.ask(f"{len(self._turns) + 1}> ").strip()):
                return
            rules = self._rules or rules

    def _take(self, line: str) -> bool:
        """Do what a line asks for; True to leave."""
        if line.lower() == UNDO:
            del self._turns[-1:]
        elif not line or line.lower() in HELP:
            self._screen.say(f"Type {answer_help(self._rules or asked_rules(self._options))}.")
        elif line.lower() not in LEAVE:
            try:
                self.add(line)
            except RefusedError as error:
                self._screen.say(str(error))
        return line.lower() in LEAVE


def _turn(rules: Rules[Any], text: str) -> Turn[Any]:
    end = end_of_guess(rules, text)
    said = f"{text.strip()}: " if text.strip() else ""
    try:
        guess = rules.parse(text[:end])
    except NotationError as error:
        raise RefusedError(f"{said}{refusal(error, rules, text[:end])}") from error
    try:
        return Turn(guess, rules.read_feedback(text[end:]))
    except NotationError as error:
        error.position += end
        raise RefusedError(f"{said}{feedback_refusal(error, rules)}") from error


def left_after(breaker: Codebreaker[Any], rules: Rules[Any], turns: Sequence[Turn[Any]]) -> str:
    """How many secrets are left, and which if they are few; raises InconsistentFeedback."""
    left = breaker.remaining(turns)
    said = f"{counted(left, noun_of(rules))} left"
    return f"{said}: {', '.join(breaker.candidates(turns, _FEW))}" if left <= _FEW else said

"""The other way round: who sits there has a secret and answers; slips are found."""

from collections.abc import Sequence
from typing import Any, Final

from engine.codes import Code
from engine.errors import EngineError, InconsistentFeedback
from engine.feedback import Turn
from engine.game import Rules
from engine.solvers.codebreaker import Codebreaker, codebreaker
from engine.terminal.boards import show_guess, show_turn
from engine.terminal.options import Options, allowed_by, asked_rules
from engine.terminal.play import HELP, LEAVE, SURRENDER
from engine.terminal.screen import LeftError, Paint, Screen
from engine.terminal.words import answer_help, counted, described, feedback_refusal, listed, noun_of

UNDO: Final = "undo"


def answer(screen: Screen, options: Options) -> None:
    """Find what somebody thinks of, from their answers; raises LeftError if the input ends."""
    rules = asked_rules(options)
    breaker = codebreaker(rules, allowed=allowed_by(rules, options))
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
            show_turn(screen, rules, line)
    screen.say(f"Found with guess {len(turns)}. Thank you for the game.")


def _answer(
    screen: Screen, rules: Rules[Any], breaker: Codebreaker[Any], guess: Code
) -> Turn[Any] | None:
    """The answered turn; None to take the last one back, without feedback to end the game."""
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
    """An answer that some secret could give; for others it is said what is wrong."""
    try:
        turn = Turn(guess, rules.read_feedback(line))
        breaker.remaining([turn])
    except InconsistentFeedback:
        screen.say("Nothing in this game gives that answer. Count again.")
    except EngineError as error:
        screen.say(feedback_refusal(error, rules))
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
    """Say which answers cannot all be true, and have one of them corrected."""
    screen.say(f"{contradiction(slip)} Here they are:")
    for index in slip.turns:
        show_turn(screen, rules, turns[index], f"{index + 1:>2} ")
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


def contradiction(slip: InconsistentFeedback) -> str:
    """Which answers cannot be true together, and which one may be the mistake."""
    numbers = [turn + 1 for turn in slip.turns]
    repairs = [turn + 1 for turn in slip.repairs]
    if len(numbers) == 1:
        said = f"Answer {numbers[0]} cannot be true."
    else:
        said = f"Answers {listed(numbers)} cannot all be true."
    if not repairs:
        return f"{said} More than one is a slip."
    return f"{said} If one alone is a slip, it is {listed(repairs, 'or')}."


def _number(screen: Screen, prompt: str, turns: Sequence[Turn[Any]]) -> int:
    """The index of a turn that is named."""
    while True:
        word = screen.ask(prompt).strip().lower()
        if word in LEAVE | SURRENDER:
            raise LeftError
        if word.isascii() and word.isdigit() and 1 <= int(word) <= len(turns):
            return int(word) - 1
        screen.say(f"Type a number from 1 to {len(turns)}, or quit.")

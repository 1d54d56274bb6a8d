"""How to play, with worked examples."""

from enum import Enum
from typing import Final

from bot.presentation.language import gettext as _
from bot.presentation.markup import code, heading
from bot.presentation.tiles import SQUARES, row
from engine import Mark, mark

_HIDDEN: Final = "25+4*12=73"
_GUESSES: Final = ("13+12-8=17", "72+31%6=73", "21+20*4=55", "25+4*12=73")


class Topic(Enum):
    """What can be asked about."""

    COMMANDS = "commands"
    FOCDLE = "focdle"


def topic_name(topic: Topic) -> str:
    """A topic as a choice in a list."""
    names = {Topic.COMMANDS: _("What this bot does"), Topic.FOCDLE: _("How FoCdle is played")}
    return names[topic]


def help_text(topic: Topic) -> list[str]:
    """A topic's text, in blocks."""
    return _focdle() if topic is Topic.FOCDLE else _commands()


def _commands() -> list[str]:
    lines = (
        _("`/focdle` opens today's puzzle; only you can see your board."),
        _("`/focdle guess:12+34-5=41` plays a guess at once."),
        _(
            "`/focdle puzzle:12` opens puzzle 12, `puzzle:2026-01-12` that day's, "
            "`puzzle:12/9` the one with 9 symbols."
        ),
        _("`/help topic:How FoCdle is played` explains the rules with an example."),
    )
    return [
        heading(_("A new FoCdle every day")),
        _("FoCdle is Wordle with an equation: the same puzzle for everybody, six guesses."),
        "\n".join(f"- {line}" for line in lines),
    ]


def _focdle() -> list[str]:
    return [heading(_("How FoCdle is played")), _rules(), _worked_example(), _details()]


def _rules() -> str:
    return _(
        "Find the hidden equation in six guesses. It is always three numbers from 1 to 99, "
        "two of `+ - * %` between them, `=`, and the result. Every guess is marked:\n"
        "{correct} right symbol, right place\n"
        "{present} in the equation, but elsewhere\n"
        "{absent} not in it, or no further copy of it is"
    ).format(
        correct=SQUARES[Mark.CORRECT],
        present=SQUARES[Mark.PRESENT],
        absent=SQUARES[Mark.ABSENT],
    )


def _worked_example() -> str:
    rows = "\n".join(f"{row(mark(guess, _HIDDEN))} {code(guess)}" for guess in _GUESSES)
    explanation = _(
        "After the first guess: `+` is third and `=` eighth, `1 2 3 7` belong elsewhere, there is "
        "only one `1`, no `8` and no `-`. The third guess is not even true, and still tells much."
    )
    return f"{rows}\n{explanation}"


def _details() -> str:
    lines = (
        _("`%` is the remainder: `17%5` is 2. There is no division."),
        _("`*` and `%` come before `+` and `-`: `25+4*12` is 73."),
        _("Order counts: `12*4+25=73` is not `4*12+25=73`."),
        _("A guess need not be true, but it must have the form of an equation."),
        _("No number starts with a zero, and the result is at least 1."),
    )
    return "\n".join(f"- {line}" for line in lines)

"""What a guess was worth, in words: its mark, what it leaves, and what a better one would."""

import math
from collections.abc import Iterable
from typing import Final

from bot.coach.model.insight import CoachTurn
from bot.text.language import N_, number, say
from bot.text.language import gettext as _
from bot.text.markup import small
from engine import Code, Focdle
from engine.skill import Grade

# What marks mean, beside them, in a word: a phone's line has no room for more.
GRADE_NAMES: Final = {
    Grade.BRILLIANT: N_("brilliant"),
    Grade.GOOD: N_("good"),
    Grade.DOUBTFUL: N_("slip"),
    Grade.BAD: N_("mistake"),
    Grade.BLUNDER: N_("big mistake"),
}
GOOD_GRADES: Final = frozenset({Grade.BRILLIANT, Grade.GOOD})


def marked(place: int, mark: Grade) -> str:
    """Which guess it is, from 1, with its mark and what that means; a good one stands out."""
    if mark is Grade.PLAIN:
        return f"**{place}**"
    words = say(GRADE_NAMES[mark])
    return f"**{place} · {words}**" if mark in GOOD_GRADES else f"**{place}** · {words}"


def why_better(turn: CoachTurn, choice: str = "") -> str:
    """What was better about the solver's guess, as it is written; empty to tell only that one was.

    Where it is a false equation, that is said, too: else it would look like a slip.
    """
    better = choice or _("Another guess")
    if turn.is_last:
        sentence = _("{choice} could have been right.").format(choice=better)
    else:
        bits = (turn.promised, turn.choice_promised)
        left, best = (usually_left(turn.before, each) for each in bits)
        words = _("{choice} was better: about {best} left on average, not {left}.")
        if best >= left:
            words = _("{choice} was better, on average.")
        sentence = words.format(choice=better, left=number(left), best=number(best))
    line = probes_line([turn.choice]) if choice and "=" in turn.choice else ""
    return "\n".join(filter(None, (sentence, line)))


def usually_left(before: int, bits: float) -> int:
    """The geometric mean of what answers leave, to two digits.

    The arithmetic mean is another thing: a rare answer that leaves very many makes it larger than
    what mostly happens, and it would now and then rank guesses otherwise than their skill.
    """
    left = before / 2**bits
    return int(round(left, min(0, 1 - math.floor(math.log10(left)))))


def probes_line(equations: Iterable[str]) -> str:
    """What is said where the solver's equations are not all true; else empty."""
    if all(Focdle(len(guess)).equation(Code(guess)).is_true for guess in equations):
        return ""
    return small(_("A false equation is fine for learning more."))

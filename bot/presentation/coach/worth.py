"""What a guess was worth, in words: its mark, what it leaves, and what a better one saves."""

import math
from fractions import Fraction
from typing import Final

from bot.presentation.base.language import N_, number, say
from bot.presentation.base.language import gettext as _
from bot.services.coach.model import CoachTurn
from engine.skill import Grade

_TENTH: Final = Fraction(1, 10)
"""Of guesses, no smaller part is told."""
_WHOLE: Final = 10
"""From here on, what is usually left is told without tenths."""

# What marks mean, beside them, in a word: a phone's line has no room for more.
GRADE_NAMES: Final = {
    Grade.BRILLIANT: N_("brilliant"),
    Grade.GOOD: N_("good"),
    Grade.DOUBTFUL: N_("slip"),
    Grade.BAD: N_("mistake"),
    Grade.BLUNDER: N_("blunder"),
}
BAD_GRADES: Final = frozenset({Grade.DOUBTFUL, Grade.BAD, Grade.BLUNDER})
GOOD_GRADES: Final = frozenset({Grade.BRILLIANT, Grade.GOOD})


def marked(place: int, mark: Grade) -> str:
    """Which guess it is, from 1, with its mark and what that means; a good one stands out."""
    if mark is Grade.PLAIN:
        return f"**{place}**"
    words = f"{mark} {say(GRADE_NAMES[mark])}"
    return f"**{place} {words}**" if mark in GOOD_GRADES else f"**{place}** {words}"


def saved(turn: CoachTurn) -> str:
    """How much sooner the solver's guess ends the game, on average."""
    lost = turn.loss.guesses
    if lost < _TENTH / 2:
        return _("it hardly matters on average")
    if lost == 1:
        return _("one guess fewer on average")
    mean = number(float(lost), 1)
    about_ = "" if turn.loss.is_exact else "≈"
    return _("{mean} guesses fewer on average").format(mean=f"{about_}{mean}")


def why_better(turn: CoachTurn, choice: str) -> str:
    """What was better about the solver's guess, which is given as it is written."""
    left, best = (about(turn.before, bits) for bits in (turn.promised, turn.choice_promised))
    if turn.is_last:
        return _("{choice} could have been right, this one could not.").format(choice=choice)
    if turn.before == 1 or left == best or turn.choice_promised < turn.promised:
        words = _("{choice} was better: {saved}.")
    else:
        words = _("{choice} was better: it usually leaves about {best}, this one {left}.")
    return words.format(choice=choice, saved=saved(turn), left=left, best=best)


def about(before: int, bits: float) -> str:
    """The geometric mean of what answers leave, to two digits.

    The arithmetic mean is another thing: a rare answer that leaves very many makes it larger than
    what mostly happens, and it would now and then rank guesses otherwise than their skill.
    """
    left = before / 2**bits
    if left < _WHOLE:
        return number(round(left, 1), 0 if round(left, 1).is_integer() else 1)
    return number(round(left, 1 - math.floor(math.log10(left))))

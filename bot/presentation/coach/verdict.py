"""What a game came to, in a sentence or two: how it was played, and the guess that decided it."""

import math
from collections.abc import Set
from fractions import Fraction
from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, number, say
from bot.presentation.base.language import gettext as _
from bot.presentation.coach.spelling import GameSpelling
from bot.services.coach.model import CoachTurn, Review, Role
from bot.services.coach.verdict import Manner, Pivot, is_answer, manner_of, turning_point

_HUNDREDTH: Final = Fraction(1, 100)
"""Of guesses, no smaller part is told."""
_WHOLE: Final = 10
"""From here on, what is usually left is told without tenths."""
_KIND_LUCK: Final = 70
_UNKIND_LUCK: Final = 30

# How a game was played, as the first words of the coach.
_MANNERS: Final = {
    Manner.FLAWLESS: N_("**Flawless.** No guess could have been better."),
    Manner.SHARP: N_("**Sharp play.** Hardly anything was given away."),
    Manner.GOOD: N_("**Well played**, with a little left to find."),
    Manner.MIXED: N_("**A mixed game**: some guesses told much, others little."),
    Manner.BUMPY: N_("**A bumpy game**: most guesses could have told more."),
}


def verdict_line(review: Review) -> str:
    """The coach's first words."""
    analysis = review.analysis
    parts = [say(_MANNERS[manner_of(analysis)])]
    if review.role is Role.BOT:
        parts = [
            _("**{guesses} of the bot's.**").format(guesses=counts.guesses(len(analysis.turns)))
        ]
    if analysis.luck >= _KIND_LUCK:
        parts.append(_("Luck was kind."))
    elif analysis.luck <= _UNKIND_LUCK:
        parts.append(_("Luck was not."))
    return " ".join(parts)


def turning_point_line(review: Review, spelling: GameSpelling, unblamed: Set[int]) -> str:
    """The guess that decided a game, and why; empty in a game of a single guess.

    Args:
        review: what was found.
        spelling: how the game is written.
        unblamed: the guesses that were suggested.
    """
    is_graded = review.role is not Role.BOT
    point = turning_point(review.analysis, is_graded=is_graded, unblamed=unblamed)
    if point is None:
        return ""
    turn = review.analysis.turns[point.index]
    why = _why(point.pivot, turn, spelling, is_the_answer=is_answer(review.analysis, turn))
    title = _("🔑 **Guess {guess} decided it.**").format(guess=point.index + 1)
    return f"{title} {why}"


def _why(pivot: Pivot, turn: CoachTurn, spelling: GameSpelling, *, is_the_answer: bool) -> str:
    facts = {
        "before": number(turn.before),
        "after": number(turn.after),
        "left": about(turn.before, turn.promised),
        "choice": spelling.code(turn.choice),
        "saved": saved(turn),
    }
    ways = {
        Pivot.MISTAKE: _("{choice} would have saved {saved}."),
        Pivot.MASTERSTROKE: _("It could not win, and told more than any guess that could."),
        Pivot.LUCK: _("A lucky answer: {after} stayed possible, where it is mostly {left}."),
        Pivot.BAD_LUCK: _("Hard luck: {after} stayed possible, where it is mostly {left}."),
        Pivot.CUT: _("From {before} possible to {after}."),
    }
    if is_the_answer:
        ways[Pivot.LUCK] = ways[Pivot.CUT] = _("One of {before} that were possible, and it was it.")
    return ways[pivot].format(**facts)


def saved(turn: CoachTurn) -> str:
    """How many guesses the solver's guess saves on average."""
    lost = turn.loss.guesses
    if lost < _HUNDREDTH:
        return _("next to nothing")
    if lost == 1:
        return _("a guess")
    mean = number(float(lost), 2)
    return _("{mean} guesses").format(mean=mean if turn.loss.is_exact else f"≈{mean}")


def about(before: int, bits: float) -> str:
    """The geometric mean of what answers leave, to two digits.

    The arithmetic mean is another thing: a rare answer that leaves very many makes it larger than
    what mostly happens, and it would now and then rank guesses otherwise than their skill.
    """
    left = before / 2**bits
    if left < _WHOLE:
        return number(round(left, 1), 0 if round(left, 1).is_integer() else 1)
    return number(round(left, 1 - math.floor(math.log10(left))))

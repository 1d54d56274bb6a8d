"""What a game came to, in a sentence or two: how it was played, and the guess that decided it."""

from collections.abc import Set
from typing import Final

from bot.presentation.base import counts
from bot.presentation.base.language import N_, number, say
from bot.presentation.base.language import gettext as _
from bot.presentation.coach.spelling import GameSpelling
from bot.presentation.coach.worth import about, saved
from bot.services.coach.model import CoachTurn, Review, Role
from bot.services.coach.verdict import (
    Manner,
    Pivot,
    gamble_of,
    is_answer,
    is_too_short,
    manner_of,
    turning_point,
)

_KIND_LUCK: Final = 70
_UNKIND_LUCK: Final = 30

# How a game was played, as the first words of the coach.
_MANNERS: Final = {
    Manner.FLAWLESS: N_("**Flawless.** No guess could have been better."),
    Manner.SHARP: N_("**Sharp play.** Hardly anything was given away."),
    Manner.GOOD: N_("**Well played**, with a little left to find."),
    Manner.MIXED: N_("**A mixed game**: some guesses told much, others little."),
    Manner.BUMPY: N_("**A bumpy game**: some guesses cost a lot."),
}


_HELPFUL: Final = frozenset({Pivot.MASTERSTROKE, Pivot.LUCK, Pivot.CUT})
"""They decide nothing where the answer was not found."""


def verdict_line(review: Review) -> str:
    """The coach's first words."""
    analysis = review.analysis
    parts = [say(_MANNERS[manner_of(analysis)])]
    if is_too_short(analysis):
        parts = [_("**Too short a game to judge.**")]
    elif gamble_of(analysis) is not None:
        parts = [_("**Well played up to the last guess**, a gamble that paid.")]
    if review.role is Role.BOT:
        parts = [
            _("**{guesses} of the bot's.**").format(guesses=counts.guesses(len(analysis.turns)))
        ]
    if analysis.luck >= _KIND_LUCK:
        parts.append(_("Luck was kind."))
    elif analysis.luck <= _UNKIND_LUCK:
        parts.append(_("Luck was not."))
    last = analysis.turns[-1]
    if last.is_last and not analysis.is_solved:
        words = _("The last chance was one in {before}, and it fell elsewhere.")
        if last.loss.guesses:
            words = _("The last guess could not win.")
        parts.append(words.format(before=number(last.before)))
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
    title = _("🔑 **Guess {guess} decided it.**")
    if not review.analysis.is_solved and point.pivot in _HELPFUL:
        title = _("🔑 **Guess {guess} helped most.**")
    return f"{title.format(guess=point.index + 1)} {why}"


def _why(pivot: Pivot, turn: CoachTurn, spelling: GameSpelling, *, is_the_answer: bool) -> str:
    facts = {
        "before": number(turn.before),
        "after": number(turn.after),
        "left": about(turn.before, turn.promised),
        "choice": spelling.code(turn.choice),
        "saved": saved(turn),
    }
    ways = {
        Pivot.MISTAKE: _("It was the last chance, and {choice} could have been right.")
        if turn.is_last
        else _("{choice} was better: {saved}."),
        Pivot.MASTERSTROKE: _("It could not win, and told more than any guess that could."),
        Pivot.LUCK: _("A lucky answer: {after} stayed possible; about {left} usually do."),
        Pivot.BAD_LUCK: _("Hard luck: {after} stayed possible; about {left} usually do."),
        Pivot.CUT: _("From {before} possible to {after}."),
    }
    if is_the_answer:
        ways[Pivot.LUCK] = ways[Pivot.CUT] = _("One chance in {before}, and it was right.")
    return ways[pivot].format(**facts)

"""What par is, and what hints cost: a topic."""

from bot.model.hints import MOST_HINTS, HintKind
from bot.presentation.base import counts
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import heading


def hints_help() -> list[str]:
    """What par is, and what hints cost, in blocks."""
    par = _("**Par**: how many guesses the solver takes on average, by your rules.")
    hints = _(
        "**Hints**, for when you are stuck: how many are possible, {times} a game, and a best "
        "guess, once. In the day's FoCdle one costs a point, in Mastermind a guess, elsewhere "
        "nothing. Duels have none."
    ).format(times=counts.times(MOST_HINTS[HintKind.COUNT]))
    return [heading(_("Par and hints")), par, hints]

"""What par is, and what hints cost: a topic."""

from bot.model.hints import MOST_HINTS, HintKind
from bot.presentation.base import counts
from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import heading
from bot.services.coach.pars import RUNS


def hints_help() -> list[str]:
    """What par is, and what hints cost, in blocks."""
    par = _(
        "**Par** of a day's puzzle: how many guesses the solver takes by a player's rules, the "
        "mean of {games}, each begun with another equation."
    ).format(games=counts.games(RUNS))
    hints = _(
        "**Hints** are for who is stuck: how many are possible, {times} a game, and a best "
        "guess, once. *Hint* tells the price first. In the day's FoCdle it is a point; a solve "
        "then begins or keeps a streak and lengthens none. Against par and in Mastermind a hint "
        "counts as a guess. In practice and for earlier puzzles it is free, and in duels there "
        "is none."
    ).format(times=counts.times(MOST_HINTS[HintKind.COUNT]))
    return [heading(_("Par and hints")), par, hints]

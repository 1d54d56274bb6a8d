"""What par is, and what hints cost: a topic."""

from bot.presentation.base.language import gettext as _
from bot.presentation.base.markup import heading


def hints_help() -> list[str]:
    """What par is, and what hints cost, in blocks."""
    par = _("**Par**: how many guesses the bot takes on average, by your rules.")
    hints = _(
        "**Hints** show a symbol in its place, two a game. In the day's FoCdle one costs a point, "
        "in ranked Mastermind a guess, elsewhere nothing. Hard mode and duels have none."
    )
    return [heading(_("Par and hints")), par, hints]

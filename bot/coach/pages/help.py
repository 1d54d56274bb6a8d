"""What par is, and what hints cost: a topic."""

from bot.text.language import gettext as _
from bot.text.markup import bullets, heading


def hints_help() -> list[str]:
    """What par is, and what hints cost, in blocks."""
    par = _("**Par**: how many guesses the bot takes on average.")
    hints = _("**Hints**: two a game. Each shows a symbol in its place, and costs:")
    prices = (
        _("the day's FoCdle: a point"),
        _("ranked Mastermind: a guess"),
        _("all else: nothing. Hard mode and duels have none."),
    )
    return [heading(_("Par and hints")), par, f"{hints}\n{bullets(prices)}"]

"""The coach's buttons, and what is said while somebody waits."""

from bot.presentation.base.language import gettext as _
from bot.presentation.base.language import ngettext


def coach_button() -> str:
    """Opens the coach's page about a finished game."""
    return _("Coach")


def other_side_button() -> str:
    """Opens the page about the other player's guesses."""
    return _("The other side")


def own_side_button() -> str:
    """Opens the page about the own guesses, from that about the other player's."""
    return _("Your guesses")


def earlier_button() -> str:
    """Turns the page back."""
    return _("Earlier guesses")


def later_button() -> str:
    """Turns the page on."""
    return _("Later guesses")


def meaning_button() -> str:
    """Explains the figures on the coach's page."""
    return _("What it means")


def thinking(ahead: int) -> str:
    """What is said while the coach has not answered."""
    if not ahead:
        return _("🔎 The coach is looking at this game…")
    return ngettext(
        "🔎 The coach looks at one other game first, then at this one.",
        "🔎 The coach looks at {ahead} other games first, then at this one.",
        ahead,
    ).format(ahead=ahead)


def not_yet() -> str:
    """What is said when Discord lets nobody wait any longer."""
    return _(
        "The coach has not come to this game yet: many are before it, and Discord ends the wait "
        "here. The game keeps its place. Press **Coach** in a few minutes."
    )

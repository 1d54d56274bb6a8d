"""The coach's buttons, and what is said while somebody waits."""

from typing import Final

from bot.presentation.base.language import N_, ngettext
from bot.presentation.base.language import gettext as _

#: Opens the coach's page about a finished game.
COACH_BUTTON: Final = N_("Coach")
#: Opens the page about the other player's guesses.
OTHER_SIDE_BUTTON: Final = N_("The other side")
#: Opens the page about the own guesses, from that about the other player's.
OWN_SIDE_BUTTON: Final = N_("Your guesses")
#: Turns the coach's page back.
EARLIER_BUTTON: Final = N_("Earlier guesses")
#: Turns the coach's page on.
LATER_BUTTON: Final = N_("Later guesses")
#: Explains the figures on the coach's page.
MEANING_BUTTON: Final = N_("What it means")
#: After so long a wait for the coach that Discord allows no longer one.
NOT_YET: Final = N_(
    "The coach has not come to this game yet: many are before it, and Discord ends the wait "
    "here. The game keeps its place. Press **Coach** in a few minutes."
)


def thinking(ahead: int) -> str:
    """What is said while the coach has not answered."""
    if not ahead:
        return _("🔎 The coach is looking at this game…")
    return ngettext(
        "🔎 The coach looks at one other game first, then at this one.",
        "🔎 The coach looks at {ahead} other games first, then at this one.",
        ahead,
    ).format(ahead=ahead)

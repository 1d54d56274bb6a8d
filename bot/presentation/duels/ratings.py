"""A rating in words."""

from typing import Final

from bot.model.ratings import Rating
from bot.presentation.base.language import N_
from bot.presentation.base.language import gettext as _

DEVIATIONS: Final = 2
"""How many standard deviations a rating may be off, as we say it: it rarely is by more."""

#: Opens how sure one's own rating is, below one's statistics.
DETAILS_BUTTON: Final = N_("Details")


def spread(rating: Rating) -> str:
    """A rating and how far it may be off."""
    return _("{rating} ± {spread}").format(
        rating=rating.points, spread=round(DEVIATIONS * rating.sigma)
    )

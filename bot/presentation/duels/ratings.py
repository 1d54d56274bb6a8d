"""A rating in words."""

from typing import Final

from bot.model.ratings import Rating
from bot.presentation.base.language import gettext as _

DEVIATIONS: Final = 2
"""How many standard deviations a rating may be off, as we say it: it rarely is by more."""


def spread(rating: Rating) -> str:
    """A rating and how far it may be off."""
    return _("{rating} ± {spread}").format(
        rating=round(rating.mu), spread=round(DEVIATIONS * rating.sigma)
    )

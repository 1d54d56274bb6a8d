"""Lists: what was chosen in them, and ids that make clients draw them anew."""

from collections.abc import Sequence
from typing import Final

from bot.services.base.errors import NothingChosenError

# Of a component within its message.
_LARGEST_ID: Final = 2**31 - 1


def new_id(drawn: int) -> int:
    """An id for a list within its message.

    A client goes on showing what was chosen in a list with the same ids, even if it was refused.

    Args:
        drawn: anything that differs each time the list is drawn; it belongs into the other id, too.
    """
    return drawn % _LARGEST_ID + 1


def chosen(values: Sequence[str]) -> Sequence[str]:
    """What was chosen.

    Raises:
        NothingChosenError: nothing.
    """
    if not values:
        raise NothingChosenError
    return values

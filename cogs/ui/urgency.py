"""Until when somebody may wait: Discord hangs up three seconds after a click has reached us."""

import time
from typing import Final

from bot.patience import MOST_SECONDS, wait_only
from cogs.ui.replies import Interaction

_ARRIVED: Final = "arrived"


def note_arrival(interaction: Interaction) -> None:
    """Note when the gateway gave us an interaction."""
    interaction.extras[_ARRIVED] = time.monotonic()


def hurry(interaction: Interaction) -> None:
    """Let what is done for an interaction from now on wait only while it can still be answered.

    Once it is acknowledged, there is no hurry any more.
    """
    arrived: float = interaction.extras.get(_ARRIVED, time.monotonic())

    def seconds_left() -> float:
        if interaction.response.is_done():
            return MOST_SECONDS
        return arrived + MOST_SECONDS - time.monotonic()

    wait_only(seconds_left)

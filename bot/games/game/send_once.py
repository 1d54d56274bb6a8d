"""Sends a message exactly once, though the bot may end between any two steps.

The bot claims a row before it sends the message, and notes the message's id after. A claim
without an id does not tell whether the message was sent. So the bot sends it again with the same
nonce: soon after the first, Discord returns the first message instead of a second one. Later the
bot has to look for its own message in the channel.
"""

import hashlib
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from bot.games.model.claims import Claim

TRY_SECONDS: Final = 30.0
"""How long one attempt to send may take."""

LEASE: Final = timedelta(seconds=60)
"""How long after an attempt began a second one is sure to be alone."""

NONCE_LASTS: Final = timedelta(minutes=2)
"""How long Discord remembers a nonce for sure."""

_NONCE_CHARACTERS: Final = 24


class Step(Enum):
    """What is to be done about something that is due."""

    SEND = "send"
    """Send it, with its nonce."""
    LOOK = "look"
    """Look whether it is there already."""


def next_step(claim: Claim | None, now: datetime) -> Step | None:
    """What to do now; None if it is settled, or another attempt may be under way."""
    if claim is None or claim.outcome == "refused":  # what was refused is not there
        return Step.SEND
    if claim.outcome is not None or now < claim.tried_at + LEASE:
        return None
    return Step.SEND if now <= claim.claimed_at + NONCE_LASTS else Step.LOOK


def nonce(*parts: object) -> str:
    """The same short string for the same parts, and another for others."""
    text = ":".join(map(str, parts))
    return hashlib.sha256(text.encode()).hexdigest()[:_NONCE_CHARACTERS]

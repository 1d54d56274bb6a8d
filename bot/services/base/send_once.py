"""How something is sent exactly once, though the bot may end between any two steps.

A row is claimed before the message is sent, and the message's id noted after. Who finds a
claim without an id cannot know whether the message is there. Discord returns the first
message for a second one with the same nonce, if the second comes soon; later the bot has
to look into the channel for its own.
"""

import hashlib
from datetime import datetime, timedelta
from enum import Enum
from typing import Final, Protocol

TRY_SECONDS: Final = 30.0
"""How long who has claimed it may try to send it."""

LEASE: Final = timedelta(seconds=60)
"""When nobody who claimed it before can be sending it any more."""

NONCE_LASTS: Final = timedelta(minutes=2)
"""For how long Discord surely knows a nonce."""

_NONCE_CHARACTERS: Final = 24


class Step(Enum):
    """What is to be done about something that is due."""

    SEND = "send"
    """Send it, with its nonce."""
    LOOK = "look"
    """Look whether it is there already."""


class Claim(Protocol):
    """What is stored of something that is to be sent once."""

    @property
    def claimed_at(self) -> datetime:
        """Since when it may have been sent."""
        ...

    @property
    def tried_at(self) -> datetime:
        """When somebody last began to try."""
        ...

    @property
    def outcome(self) -> str | None:
        """What came of it; None while nobody knows."""
        ...


def next_step(claim: Claim | None, now: datetime) -> Step | None:
    """What to do now; None for nothing: it is settled, or somebody may be at it."""
    if claim is None or claim.outcome == "refused":  # what was refused is not there
        return Step.SEND
    if claim.outcome is not None or now < claim.tried_at + LEASE:
        return None
    return Step.SEND if now <= claim.claimed_at + NONCE_LASTS else Step.LOOK


def nonce(*parts: object) -> str:
    """The same short string for the same parts, and another for others."""
    text = ":".join(map(str, parts))
    return hashlib.sha256(text.encode()).hexdigest()[:_NONCE_CHARACTERS]

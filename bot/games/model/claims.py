"""Claims of messages that are to be sent once."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Claim:
    """A message that is to be sent once.

    Attributes:
        claimed_at: when it was first claimed: it may have been sent since.
        tried_at: when somebody last began to try.
        attempts: how often somebody has.
        outcome: how sending went: ``sent``, ``refused`` or ``unsure``; None while nobody knows.
        message_id: the message, once it is known to be there.
    """

    claimed_at: datetime
    tried_at: datetime
    attempts: int = 1
    outcome: str | None = None
    message_id: int | None = None

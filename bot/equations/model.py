"""The nouns of set equations, and their reasons of refusal."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Self

from bot.games.model import Commitment, sealed
from bot.refused import Refused, TextRefusedError
from bot.text.language import N_
from engine import Focdle

OPEN_FOR: Final = timedelta(hours=24)
MOST_IN_A_CHANNEL: Final = 3
UNPLAYED_FOR: Final = timedelta(hours=3)
"""An equation that nobody has played for so long makes room for another in its channel."""
FINAL_AFTER: Final = timedelta(days=1)
"""The time for which a post is still edited after its equation has closed."""


@dataclass(frozen=True, slots=True)
class SetEquation:
    """An equation that a player has set for a channel.

    Attributes:
        puzzle_id: the id of its puzzle, which ids of buttons contain.
        invited_id: the player whom the setter invites to play it; None for nobody.
        guild_id: the server; None once the server's data are deleted.
        channel_id: the channel; None once the server's data are deleted.
        message_id: the message of its post; None until it is sent.
        salt: the salt of its commitment.
        shown: the digest of what the post shows now; empty until it is sent.
    """

    puzzle_id: int
    setter_id: int
    invited_id: int | None
    guild_id: int | None
    channel_id: int | None
    message_id: int | None
    opened_at: datetime
    closes_at: datetime
    rules: Focdle
    secret: str = field(repr=False)  # no log may have it
    salt: str = field(repr=False)
    shown: str = ""

    @classmethod
    def stored(cls, rules: str, **columns: Any) -> Self:
        return cls(rules=Focdle.decode(rules), **columns)

    def is_open(self, now: datetime) -> bool:
        return now < self.closes_at

    def commitment(self, now: datetime) -> Commitment:
        """The commitment to the equation; after closing it includes the text that was hashed."""
        name = f"equation {self.puzzle_id}"
        return sealed(name, self.secret, self.salt, is_open=not self.is_open(now))


@dataclass(frozen=True, slots=True)
class EquationCounts:
    """How many equations a player has set.

    `played` and `solved` count equations of others that the player has finished and solved.
    """

    made: int = 0
    played: int = 0
    solved: int = 0


class EquationRefusedError(TextRefusedError):
    """The text is no true equation of 7 to 15 symbols."""


class TodaysAnswerError(Refused):
    """The setter has finished a daily with this answer, which others may still play."""

    number: int

    sentence = N_("That's puzzle {number}, and others are still playing it. Set another.")


class ExampleError(Refused):
    sentence = N_("Every board shows that as an example. Set another.")


class EquationsOffError(Refused):
    sentence = N_("Members' equations are off here. A manager can turn them on in `/settings`.")


class OneEquationError(Refused):
    sentence = N_("An equation of yours is still open here. Close it on its post first.")


class ChannelFullError(Refused):
    equations: int

    sentence = N_("{equations} equations are open here. Play one, or try another channel.")


class NoSuchEquationError(Refused):
    sentence = N_("That equation is gone. Set one yourself!")


class EquationClosedError(Refused):
    sentence = N_("That equation has closed. Set one yourself!")


class OwnEquationError(Refused):
    sentence = N_("You know this one! See how the others are doing.")


class NotYourEquationError(Refused):
    sentence = N_("Only managers and the member who set it can close it.")

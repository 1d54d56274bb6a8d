"""Nouns of the page's tickets and sessions, and reasons of refusal."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from bot.games.model import Channel
from bot.refused import Refused
from bot.text.language import N_

TICKET_LASTS: Final = timedelta(minutes=10)
SESSION_LASTS: Final = timedelta(hours=12)
FRAMED_LASTS: Final = timedelta(hours=1)
PASS_LASTS: Final = timedelta(seconds=30)
MOST: Final = 5
"""How many tickets a player has at most, as many sessions of browsers, and as many in Discord's
frame; of more, those that end first are deleted.
"""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A link to one board, for one use, or a launch of the page in Discord, perhaps from a board.

    Attributes:
        place: the name of the board's game, as text.
        guild_id: the server in which the player asked for it; with None they play as in direct
            messages.
        channel_id: the channel there; None without a server.
        instance: the digest of the id of what was launched; None for a link.
    """

    player_id: int
    guild_id: int | None
    channel_id: int | None
    place: str | None
    ends_at: datetime
    instance: str | None = None

    @property
    def channel(self) -> Channel | None:
        return Channel.of(self.guild_id, self.channel_id)


@dataclass(frozen=True, slots=True)
class Session:
    """A browser in which a player plays, or a frame within Discord.

    Attributes:
        guild_id: the server in which they play; with None they play as in direct messages.
        channel_id: the channel there, as a click or Discord named it; None without a server.
        digest: that of its token.
        instance: the digest of the id of the Activity with the frame; None if that is not known.
    """

    player_id: int
    guild_id: int | None
    channel_id: int | None
    ends_at: datetime
    digest: str
    is_framed: bool = False
    instance: str | None = None

    @property
    def channel(self) -> Channel | None:
        return Channel.of(self.guild_id, self.channel_id)


POST_LASTS: Final = timedelta(minutes=10)
LEAVE_LASTS: Final = timedelta(seconds=30)
WRITING: Final = "write"
"""In the place of a game: nothing is posted, but Discord is asked whether the player may write."""


class Came(StrEnum):
    """What came of a post that a player of the page has asked for."""

    SENT = "sent"
    REFUSED = "refused"
    ABSENT = "absent"
    """The player is no member of the server."""
    LATE = "late"
    """No process of the bot's has done it in time; none will."""


@dataclass(frozen=True, slots=True)
class WebPost:
    """A result or a rematch that a player of the page has asked the bot to post, or `WRITING`.

    Attributes:
        place: the name of the game, as text.
        claimed_at: when a process first began to post it; None if none has.
        tried_at: when a process last began.
        outcome: any of `Came` but `LATE`; None while nobody knows.
    """

    player_id: int
    place: str
    channel_id: int
    guild_id: int
    asked_at: datetime
    claimed_at: datetime | None = None
    tried_at: datetime | None = None
    outcome: str | None = None

    def came(self, now: datetime) -> Came | None:
        """Return what came of it; None while it may still be posted."""
        if self.outcome is not None:
            return Came(self.outcome)
        return Came.LATE if self.is_past(now) else None

    def is_past(self, now: datetime) -> bool:
        return now >= self.asked_at + (LEAVE_LASTS if self.place == WRITING else POST_LASTS)


class TicketGoneError(Refused):
    """A ticket that is spent, expired or unknown."""

    sentence = N_("This link has been used. Press *Keypad* for another.")


class NoCookiesError(Refused):
    """A browser has not kept the cookie that it got with the look at a link."""

    sentence = N_("This browser blocks cookies here. Please allow them.")


class StrangerError(Refused):
    """A login's authorization code was used before, or Discord names no player for it."""

    sentence = N_("Discord couldn't tell me who you are.")


class NoPlaceError(Refused):
    """Discord does not say where a player has launched the page; perhaps it does later."""

    sentence = N_("Discord couldn't tell me where you're playing.")


class UnheardError(Refused):
    sentence = N_("Discord isn't answering.")


class SignedOutError(Refused):
    sentence = N_("You're signed out. In Discord, type `/play`, open a game and press *Keypad*.")


class OtherPlayerError(Refused):
    """The page shows one player, and another one's session is in its browser."""

    sentence = N_("Somebody else is playing here now.")

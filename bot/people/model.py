"""Nouns of people: choices of players and servers, avatars, zones, and limits of posts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from bot.refused import Refused
from bot.text.language import N_

_HASH: Final = re.compile(r"(?:a_)?[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Face:
    """A player's avatar, by its hash at Discord; `face_of` has checked that it is safe in a URL."""

    player_id: int
    avatar: str


def face_of(player_id: int, avatar: str | None) -> Face | None:
    """Build a player's face; None for a stand-in, and without a valid hash of an avatar."""
    if player_id <= 0 or avatar is None or not _HASH.fullmatch(avatar):
        return None
    return Face(player_id, avatar)


@dataclass(frozen=True, slots=True)
class ZoneChange:
    """A zone that holds from `effective_at` on, until the next change; it was chosen at `set_at`.

    `is_correction` says that the change before was a mistake, which this one corrects.
    """

    zone: str
    effective_at: datetime
    set_at: datetime
    is_correction: bool = False


@dataclass(frozen=True, slots=True)
class LengthChange:
    length: int
    from_day: date


@dataclass(frozen=True, slots=True)
class Calendar:
    """A server's past and coming zones and lengths, each in the order in which they hold."""

    zones: Sequence[ZoneChange]
    lengths: Sequence[LengthChange]


class Asking(StrEnum):
    """Which FoCdle guesses the bot plays only after asking the player."""

    FALSE = "false"
    """False equations."""
    IMPOSSIBLE = "impossible"
    """False equations, and guesses that earlier marks rule out."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Choices:
    """A player's choices, with their defaults.

    Attributes:
        hidden: whether the player is on no leaderboard, and shows nobody their statistics.
        asks: which guesses the bot plays only after asking the player, an `Asking`.
        language: a Discord locale; None for that of the player's Discord.
    """

    hard_mode: bool = False
    palette: str = "standard"
    hidden: bool = False
    no_challenges: bool = False
    asks: str = Asking.FALSE
    language: str | None = None


@dataclass(frozen=True, slots=True)
class ServerChoices:
    """A server's choices that are on or off, the channel of its daily posts, its language."""

    channel_id: int | None = None
    takes_equations: bool = True
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Blocked:
    """A player whose challenges another player does not want, and since when."""

    player_id: int
    since: datetime


MOST_POSTED: Final = 10
"""The most posts of a member in a server within an hour."""


class DeclinedError(Refused):
    """The player has declined a challenge of this one within the hour."""

    player_id: int
    again_at: datetime

    sentence = N_("{player} declined your challenge. Ask again {again_at}.")


class PostedTooOftenError(Refused):
    posts: int
    again_at: datetime

    sentence = N_("You've made {posts} posts here in an hour. You can post again {again_at}.")


class JustDeletedError(Refused):
    """The player has deleted their data within seven days."""

    again_at: datetime

    sentence = N_("You deleted your data recently. You can post here {again_at}.")

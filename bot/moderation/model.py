"""Exclusions from a server's leaderboards, their causes, and reasons of refusal."""

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Final

from bot.refused import Refused
from bot.text.language import N_, say


class Cause(StrEnum):
    """Why a manager takes a member off the leaderboards."""

    ANSWERS = "answers"
    ACCOUNTS = "accounts"
    NAME = "name"
    WISH = "wish"


CAUSES: Final = {
    Cause.ANSWERS: N_("sharing answers"),
    Cause.ACCOUNTS: N_("more than one account"),
    Cause.NAME: N_("name or picture"),
    Cause.WISH: N_("own wish"),
}
"""What each cause is called, for managers and players alike."""

#: Why somebody has no place on a board of the server.
TAKEN_OFF: Final = N_("Managers took you off this server's boards: {cause}.")


@dataclass(frozen=True, slots=True)
class Off:
    """Dates on which a member is off a server's leaderboards.

    Attributes:
        from_day: the first of these dates.
        until_day: the first date that counts again; None until the member is let back.
        is_on: whether the member is off now.
    """

    from_day: date
    until_day: date | None
    is_on: bool

    def has(self, day: date) -> bool:
        return self.from_day <= day and (self.until_day is None or day < self.until_day)


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A member whom a manager has taken off a server's leaderboards.

    Attributes:
        player_id: the member; None if their data are deleted.
        by_id: the manager.
        from_day: the first date that does not count.
    """

    id: int
    guild_id: int
    player_id: int | None
    cause: Cause
    by_id: int
    made_at: datetime
    from_day: date


@dataclass(frozen=True, slots=True)
class Exclusions:
    """A page of a server's exclusions, the latest first; its `number` counts from 0."""

    rows: tuple[Exclusion, ...]
    number: int
    pages: int


def keyed_hash(key: str, what: str, ids: Iterable[int]) -> str:
    """Hash ids with a secret key. Without it, nobody can try ids until one gives the same hash."""
    text = ":".join([what, *map(str, ids)])
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()


class KeptOutError(Refused):
    sentence = N_("Sorry, this bot is closed to you. `/privacy` still works.")


class TakenOffError(Refused):
    """Managers have taken the player off the server's leaderboards and cards."""

    cause: Cause

    def told(self) -> str:
        return say(TAKEN_OFF, cause=say(CAUSES[self.cause]))


class OffAlreadyError(Refused):
    player_id: int

    sentence = N_("{player} is off already.")


class BackAlreadyError(Refused):
    sentence = N_("That is undone already.")


class StandsAboveError(Refused):
    player_id: int

    sentence = N_("{player} stands above you here.")


class StrangerError(Refused):
    sentence = N_("They are not in this server.")


class OwnExclusionError(Refused):
    """Managers may neither take themselves off nor let themselves back."""

    sentence = N_("Another manager can do that.")


class BotMemberError(Refused):
    sentence = N_("Bots are on no leaderboard.")

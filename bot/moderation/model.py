"""Exclusions from a server's boards, and reasons of refusal."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from bot.refused import Refused
from bot.text.language import N_

#: Why somebody has no place on a board of the server.
TAKEN_OFF: Final = N_("Managers took you off this server's boards.")


@dataclass(frozen=True, slots=True)
class Exclusion:
    """A member whom a manager has taken off a server's boards, posts and cards.

    Attributes:
        player_id: the member; None if their data are deleted.
        by_id: the manager.
    """

    id: int
    guild_id: int
    player_id: int | None
    by_id: int
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Exclusions:
    """A page of a server's exclusions, the latest first; its `number` counts from 0."""

    rows: tuple[Exclusion, ...]
    number: int
    pages: int


class KeptOutError(Refused):
    sentence = N_("Sorry, this bot is closed to you. `/privacy` still works.")


class TakenOffError(Refused):
    sentence = TAKEN_OFF


class OffAlreadyError(Refused):
    player_id: int

    sentence = N_("{player} is already off the boards.")


class BackAlreadyError(Refused):
    sentence = N_("That's already undone.")


class StandsAboveError(Refused):
    player_id: int

    sentence = N_("{player}'s role is above yours here.")


class NotMemberError(Refused):
    sentence = N_("That player isn't in this server.")


class OwnExclusionError(Refused):
    """Managers may neither take themselves off nor let themselves back."""

    sentence = N_("Another manager has to do that.")


class BotMemberError(Refused):
    sentence = N_("Bots aren't on any board.")

"""Deletions as they are noted, and what is refused about data."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final

from bot.refused import Refused, written
from bot.text.language import N_, say
from bot.text.markup import code

CONFIRMATION: Final = "DELETE"
"""What a player types to confirm a deletion, in any case; the same word in all languages."""
LONGEST_NAME: Final = 100
"""Of a server, at Discord."""
_MEGABYTE: Final = 1_000_000


class NotConfirmedError(Refused):
    """A deletion that was not confirmed; nothing was deleted."""

    text: str
    """What was typed instead."""

    def told(self) -> str:
        message = N_("Nothing was deleted: you typed {text}. Type {word}.")
        if not self.text.strip():
            message = N_("Nothing was deleted. Type {word}.")
        return say(message, word=code(CONFIRMATION), **written(self))


class ServerNotNamedError(Refused):
    """A deletion of a server's data without its name; nothing was deleted."""

    text: str
    """What was typed instead."""
    name: str

    def told(self) -> str:
        message = N_("Nothing was deleted: you typed {text}. Type the server's name: {name}.")
        if not self.text.strip():
            message = N_("Nothing was deleted. Type the server's name: {name}.")
        return say(message, text=code(self.text), name=code(self.name, longest=LONGEST_NAME))


class NotAdministratorError(Refused):
    sentence = N_("Only the server's owner and **Administrators** can delete its data.")


class ExportTooLargeError(Refused):
    """An export that no message can carry."""

    most: int
    """How many bytes one can."""

    def told(self) -> str:
        message = N_(
            "Your data are too large for a message ({megabytes} MB). Ask the people who run this "
            "bot for them."
        )
        return say(message, megabytes=self.most // _MEGABYTE)


class ExportUnderWayError(Refused):
    sentence = N_("Your file is being made. It comes in its own message.")


class ExportTooSoonError(Refused):
    """An export soon after another one."""

    again_at: datetime

    sentence = N_("You just got your data. Again {again_at}.")


class DeletedMeanwhileError(Refused):
    sentence = N_("Your data were deleted meanwhile, so there is nothing to send.")


class Kind(Enum):
    """Whose data were deleted."""

    PLAYER = "player"
    SERVER = "server"


@dataclass(frozen=True, slots=True)
class Deletion:
    """A deletion that names nobody.

    Attributes:
        number: by lot; what the database knows it by.
        at: when it was.
        kind: whose data it was about.
        salt: what the id was hashed with.
        digest: of the id.
        keeps: whether what outlives a deletion for days was kept then.
    """

    number: str
    at: datetime
    kind: Kind
    salt: str
    digest: str
    keeps: bool

"""Noted deletions, and reasons of refusal."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Final

from bot.refused import Refused, written
from bot.text.language import N_, say
from bot.text.markup import code

#: The word that somebody types to delete all their data: letters only, in any case.
CONFIRMATION: Final = N_("DELETE")
LONGEST_NAME: Final = 100
"""Discord's limit for a server's name."""
_MEGABYTE: Final = 1_000_000


class NotConfirmedError(Refused):
    text: str
    """The typed text."""

    def told(self) -> str:
        message = N_("Nothing was deleted: you typed {text}. Type {word}.")
        if not self.text.strip():
            message = N_("Nothing was deleted. Type {word}.")
        return say(message, word=code(say(CONFIRMATION)), **written(self))


class ServerNotNamedError(Refused):
    text: str
    """The typed text."""
    name: str

    def told(self) -> str:
        message = N_("Nothing was deleted: you typed {text}. Type the server's name: {name}.")
        if not self.text.strip():
            message = N_("Nothing was deleted. Type the server's name: {name}.")
        return say(message, text=code(self.text), name=code(self.name, longest=LONGEST_NAME))


class NotAdministratorError(Refused):
    sentence = N_("Only the server's owner and **Administrators** can delete its data.")


class ExportTooLargeError(Refused):
    most: int
    """The largest file, in bytes."""

    def told(self) -> str:
        message = N_(
            "Your data is too large for a message ({megabytes} MB). Ask the people "
            "who run this bot to send it to you."
        )
        return say(message, megabytes=self.most // _MEGABYTE)


class ExportUnderWayError(Refused):
    sentence = N_("Your file is being made, and will come in a message of its own.")


class ExportTooSoonError(Refused):
    again_at: datetime

    sentence = N_("You've only just got your data. You can ask again {again_at}.")


class DeletedMeanwhileError(Refused):
    sentence = N_("Your data has since been deleted, so there's nothing to send.")


class Owner(Enum):
    PLAYER = "player"
    SERVER = "server"


class Keeps(Enum):
    """What outlives the deletion of a player's data, always under digests."""

    MARK = "mark"
    """That they have deleted them, for seven days; and what `CHOICES` keeps."""
    CHOICES = "choices"
    """What others have chosen about the player."""
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class Deletion:
    """A noted deletion, which names nobody.

    Attributes:
        number: random; the database knows the deletion by it.
        digest: the hash of the salt and the id of the player or server.
    """

    number: str
    at: datetime
    kind: Owner
    salt: str
    digest: str
    keeps: Keeps

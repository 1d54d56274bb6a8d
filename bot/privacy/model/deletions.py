"""Deletions as they are noted beside backups, so that no backup brings back who was deleted."""

from dataclasses import dataclass
from datetime import datetime
from enum import Enum


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

"""Players' faces: what they have chosen as their avatar on Discord."""

import re
from dataclasses import dataclass
from typing import Final

_HASH: Final = re.compile(r"(?:a_)?[0-9a-f]{32}")


@dataclass(frozen=True, slots=True)
class Face:
    """An avatar; made by `face_of`, so that its hash may stand in an address.

    Attributes:
        player_id: whose it is.
        avatar: what Discord calls the picture.
    """

    player_id: int
    avatar: str


def face_of(player_id: int, avatar: str | None) -> Face | None:
    """A player's face; None without an avatar, or if that is no hash of Discord's."""
    if player_id <= 0 or avatar is None or not _HASH.fullmatch(avatar):
        return None
    return Face(player_id, avatar)

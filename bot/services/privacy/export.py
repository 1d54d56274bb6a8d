"""A player's data as a file.

The file is JSON: an object with `format`, `player_id`, `exported_at`, and a list for each kind of
data. Their objects have the names of the database's columns; what belongs to a game stands in the
game. Instants are ISO 8601 in UTC, Discord's ids are strings.
"""

import io
import json
import zipfile
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from bot.services.privacy.errors import ExportTooLargeError
from bot.services.privacy.hiding import hide_duel, hide_mastermind, hide_play
from bot.storage.privacy.reading import Row

FORMAT: Final = 1
"""Grows when names in the file change or go; further names may come at any time."""

MOST_BYTES: Final = 10_000_000
"""What a message on Discord carries."""

_NAME: Final = "my-data"


@dataclass(frozen=True, slots=True)
class Export:
    """A file for a player.

    Attributes:
        name: with its extension.
        content: its bytes.
        is_packed: whether it is a ZIP archive of a JSON file, because that was too large.
    """

    name: str
    content: bytes
    is_packed: bool


def document(player_id: int, rows: dict[str, list[Row]], now: datetime) -> dict[str, object]:
    """Everything about a player, without what would give away a game that goes on.

    Args:
        player_id: the Discord user.
        rows: all rows that concern the player; changed by this.
        now: the present instant.
    """
    own = str(player_id)
    for row in rows["focdle"]:
        hide_play(row, now)
    for row in rows["mastermind"]:
        hide_mastermind(row, own)
    for row in rows["duels"]:
        hide_duel(row, own)
    for row in rows["streak_restorations_for_others"]:
        del row["player_id"]  # that is another player's affair
    return {"format": FORMAT, "player_id": own, "exported_at": now, **rows}


def write(contents: dict[str, object], most: int = MOST_BYTES) -> Export:
    """A document as a file, packed if it would be too large.

    Raises:
        ExportTooLargeError: it is too large even so.
    """
    text = json.dumps(contents, indent=1, ensure_ascii=False, default=_iso).encode()
    if len(text) <= most:
        return Export(f"{_NAME}.json", text, is_packed=False)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{_NAME}.json", text)
    packed = file.getvalue()
    if len(packed) > most:
        raise ExportTooLargeError(len(packed), most)
    return Export(f"{_NAME}.zip", packed, is_packed=True)


def _iso(value: object) -> str:
    if isinstance(value, date):  # an instant is a date, too
        return value.isoformat()
    raise TypeError(type(value).__name__)

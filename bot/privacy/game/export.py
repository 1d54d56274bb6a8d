"""A player's data as a file.

The file is JSON: an object with `format`, `player_id`, `exported_at`, and a list for each kind of
data. Their objects have the names of the database's columns; what belongs to a game stands in the
game. Instants are ISO 8601 in UTC, Discord's ids are strings.
"""

import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from textwrap import indent
from typing import IO, Final

from bot.privacy.game.hiding import hide_duel, hide_mastermind, hide_play
from bot.privacy.model.errors import ExportTooLargeError
from bot.privacy.store.reading import Row

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


class Document:
    """The file while it is made, a few rows at a time; to be closed.

    Only its text is ever in memory, and of a large one only the packed text.

    Args:
        player_id: the Discord user.
        now: the present instant.
        most: how many bytes the file may have.
    """

    def __init__(self, player_id: int, now: datetime, most: int) -> None:
        self._own = str(player_id)
        self._now = now
        self._most = most
        self._file = io.BytesIO()
        self._archive: zipfile.ZipFile | None = None
        self._packing: IO[bytes] | None = None
        self._section, self._is_first = "", True
        head = {"format": FORMAT, "player_id": self._own, "exported_at": now}
        self._write(_text(head).removesuffix("\n}"))

    def begin(self, section: str) -> None:
        """Begin a list of rows."""
        self._section, self._is_first = section, True
        self._write(f',\n "{section}": [')

    def add(self, rows: Iterable[Row]) -> None:
        """Write rows of the list, without what would give away a game that goes on.

        Raises:
            ExportTooLargeError: the file is too large even if packed.
        """
        for row in rows:
            self._hide(row)
            self._write(f"{'' if self._is_first else ','}\n{indent(_text(row), '  ')}")
            self._is_first = False

    def end(self) -> None:
        """End the list."""
        self._write("]" if self._is_first else "\n ]")

    def finish(self) -> Export:
        """The file.

        Raises:
            ExportTooLargeError: it is too large even if packed.
        """
        self._write("\n}")
        is_packed = self._archive is not None
        self.close()
        content = self._file.getvalue()
        if len(content) > self._most:
            raise ExportTooLargeError(most=self._most)
        return Export(f"{_NAME}.{'zip' if is_packed else 'json'}", content, is_packed=is_packed)

    def close(self) -> None:
        """Let go of what packs the file. May be called twice."""
        if self._packing is not None and self._archive is not None:
            self._packing.close()
            self._archive.close()

    def _hide(self, row: Row) -> None:
        match self._section:
            case "focdle":
                hide_play(row, self._now)
            case "mastermind":
                hide_mastermind(row, self._own)
            case "duels":
                hide_duel(row, self._own)
            case "streak_restorations_for_others":
                del row["player_id"]  # that is another player's affair
            case _:
                pass

    def _write(self, text: str) -> None:
        (self._packing or self._file).write(text.encode())
        if self._file.tell() <= self._most:
            return
        if self._packing is not None:
            raise ExportTooLargeError(most=self._most)
        plain, self._file = self._file, io.BytesIO()
        self._archive = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED)
        self._packing = self._archive.open(f"{_NAME}.json", "w")
        self._packing.write(plain.getvalue())


def _text(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False, default=_iso)


def _iso(value: object) -> str:
    if isinstance(value, date):  # an instant is a date, too
        return value.isoformat()
    raise TypeError(type(value).__name__)

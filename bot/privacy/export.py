"""A player's data as a file, without secrets of running games."""

import io
import json
import zipfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime
from textwrap import indent
from typing import IO, Final

from bot.feature import Row, Section
from bot.privacy.model import ExportTooLargeError

# The file's format, JSON: an object with `format`, `player_id`, `exported_at`, and a list for each
# kind of data. Rows have the database's column names; a game contains the rows that belong to it.
# Instants are ISO 8601 in UTC, Discord's ids are strings.

FORMAT: Final = 1
"""The format's version; it grows when names change or go, not when names are added."""

MOST_BYTES: Final = 10_000_000
"""The largest export that is sent in a message."""

_NAME: Final = "my-data"


@dataclass(frozen=True, slots=True)
class Export:
    """An export file: JSON, or a ZIP archive of a large one."""

    name: str
    content: bytes
    is_packed: bool


class ExportWriter:
    """A writer of an export, which takes a few rows at a time; its user closes it.

    It holds about `most` bytes in memory. It packs a file that is larger. If the packed file is
    still too large, it raises ExportTooLargeError.
    """

    def __init__(self, player_id: int, now: datetime, most: int) -> None:
        self._own = str(player_id)
        self._now = now
        self._most = most
        self._file = io.BytesIO()
        self._archive: zipfile.ZipFile | None = None
        self._packing: IO[bytes] | None = None
        self._redact: Callable[[Row, str, datetime], None] | None = None
        self._is_first = True
        head = {"format": FORMAT, "player_id": self._own, "exported_at": now}
        self._write(_text(head).removesuffix("\n}"))

    def begin(self, section: Section) -> None:
        self._redact, self._is_first = section.redact, True
        self._write(f',\n "{section.name}": [')

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            if self._redact is not None:
                self._redact(row, self._own, self._now)
            self._write(f"{'' if self._is_first else ','}\n{indent(_text(row), '  ')}")
            self._is_first = False

    def end(self) -> None:
        self._write("]" if self._is_first else "\n ]")

    def finish(self) -> Export:
        self._write("\n}")
        is_packed = self._archive is not None
        self.close()
        content = self._file.getvalue()
        if len(content) > self._most:
            raise ExportTooLargeError(most=self._most)
        return Export(f"{_NAME}.{'zip' if is_packed else 'json'}", content, is_packed=is_packed)

    def close(self) -> None:
        if self._packing is not None and self._archive is not None:
            self._packing.close()
            self._archive.close()

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

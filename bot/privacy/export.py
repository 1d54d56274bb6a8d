"""A player's data as a file, without secrets of running games."""

import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from textwrap import indent
from typing import IO, Final

from bot.clock import PuzzleName, ended_everywhere_at
from bot.duels.model import State
from bot.mastermind.model import Kind as GameKind
from bot.privacy.model import ExportTooLargeError
from bot.privacy.store import Row

# A hidden field stays as null, and the row lists it under `withheld`.

WITHHELD: Final = "withheld"
_BEFORE_PLAY: Final = {State.INVITED, State.SETTING}
_CODE: Final = "secret"
_SALT: Final = "salt"


def _redact_play(row: Row, now: datetime) -> None:
    """Withhold a FoCdle's secret, and what tells of it, while the play or its date goes on.

    Add the date of a daily, which is not stored.
    """
    (puzzle,) = row["puzzle"]
    row["puzzle"] = puzzle
    number = puzzle["number"]
    if number is not None:
        puzzle["day"] = PuzzleName(number, puzzle["length"]).day
    runs = number is not None and now < ended_everywhere_at(PuzzleName(number, puzzle["length"]))
    if row["finished_at"] is None or runs:
        _withhold(puzzle, [_CODE, _SALT, "difficulty"])
        for analysis in row["analyses"]:
            _withhold(analysis, ["facts"])


def _redact_equation(row: Row, player_id: str) -> None:
    """Withhold the code and the salt from a player who was invited and did not set the equation."""
    (row["puzzle"],) = row["puzzle"]
    if row["setter_id"] != player_id:
        _withhold(row["puzzle"], [_CODE, _SALT])


def _redact_race(row: Row, player_id: str) -> None:
    row["seats"] = [seat for seat in row["seats"] if seat["player_id"] == player_id]
    own = {seat["seat"] for seat in row["seats"]}
    for part in ("guesses", "analyses"):
        row[part] = [one for one in row[part] if one["seat"] in own]
    if row["finished_at"] is None:
        _withhold(row, [_CODE, _SALT])


def _redact_mastermind(row: Row, player_id: str) -> None:
    """Hide the salt, and any code but the player's own, until the game is over.

    Both stay hidden if it is a challenge that nobody has accepted.
    """
    is_own = row["kind"] in {GameKind.DEFEND, GameKind.CHALLENGE} and row["owner_id"] == player_id
    # A code that nobody tried to break may be used again.
    was_tried = row["kind"] != GameKind.CHALLENGE or row["accepted_at"] is not None
    if not (row["finished_at"] is not None and was_tried):
        _withhold(row, [_SALT] if is_own else [_CODE, _SALT])


def _redact_duel(row: Row, player_id: str) -> None:
    """Withhold what a duel's player may not know, and analyses of the opponent's guesses.

    The salts and the opponent's number are hidden until the duel is over, and for ever if it was
    not played. Who moves first is hidden until it is drawn.
    """
    seats: list[Row] = row["seats"]
    own = next(seat["seat"] for seat in seats if seat["player_id"] == player_id)
    row["analyses"] = [found for found in row["analyses"] if found["seat"] == own]
    for seat in seats:
        if row["finished_at"] is None or row["playing_at"] is None:
            is_own = seat["player_id"] == player_id
            _withhold(seat, [_SALT] if is_own else [_CODE, _SALT])
    if row["state"] in _BEFORE_PLAY:  # the first mover is not drawn yet
        for seat in seats:
            _withhold(seat, ["seat"])
        seats.sort(key=lambda seat: seat["player_id"] or "")


def _withhold(row: Row, names: Iterable[str]) -> None:
    hidden = [name for name in names if row[name] is not None]
    for name in hidden:
        row[name] = None
    if hidden:
        row[WITHHELD] = sorted({*row.get(WITHHELD, []), *hidden})


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
        self._section, self._is_first = "", True
        head = {"format": FORMAT, "player_id": self._own, "exported_at": now}
        self._write(_text(head).removesuffix("\n}"))

    def begin(self, section: str) -> None:
        self._section, self._is_first = section, True
        self._write(f',\n "{section}": [')

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self._redact(row)
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

    def _redact(self, row: Row) -> None:
        match self._section:
            case "focdle":
                _redact_play(row, self._now)
            case "equations":
                _redact_equation(row, self._own)
            case "mastermind":
                _redact_mastermind(row, self._own)
            case "races":
                _redact_race(row, self._own)
            case "duels":
                _redact_duel(row, self._own)
            case "exclusions_of_others":
                del row["player_id"], row["met_at"]
            case "exclusions":
                del row["by_id"]
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

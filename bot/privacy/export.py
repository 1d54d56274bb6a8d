"""A player's data as a file, without what would give away a game that somebody can still play."""

import io
import json
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from textwrap import indent
from typing import IO, Final

from bot.clock import PuzzleName
from bot.duels.model import State
from bot.focdle.plays import ended_everywhere_at
from bot.mastermind.model import Kind as GameKind
from bot.privacy.model import ExportTooLargeError
from bot.privacy.store import Row
from engine import Mode

# What is left out stays in its place as null, and the row says so under `withheld`.

WITHHELD: Final = "withheld"
_BEFORE_PLAY: Final = {State.INVITED, State.SETTING, State.STARTING}
_CODE: Final = "secret"
_SALT: Final = "salt"
# When anybody has moved would tell in a race how often the other has guessed.
_TRACES: Final = ("moved_at", "deadline_at", "stale_at", "nudge_at", "claimed_at", "version")


def _hide_play(row: Row, now: datetime) -> None:
    """The secret of a FoCdle that goes on or whose date does, and what leads to it."""
    (puzzle,) = row["puzzle"]
    row["puzzle"] = puzzle
    number = puzzle["number"]
    if number is not None:
        puzzle["day"] = PuzzleName(number, puzzle["length"]).day
    runs = number is not None and now < ended_everywhere_at(PuzzleName(number, puzzle["length"]))
    if row["finished_at"] is None or runs:
        _withhold(puzzle, [_CODE, _SALT])
        for analysis in row["analyses"]:
            _withhold(analysis, ["facts"])


def _hide_mastermind(row: Row, player_id: str) -> None:
    """A code that somebody else has set, until it is broken or was given up; its salt so long."""
    is_own = row["kind"] in {GameKind.DEFEND, GameKind.CHALLENGE} and row["owner_id"] == player_id
    # A code that nobody tried to break may be set again.
    was_tried = row["kind"] != GameKind.CHALLENGE or row["accepted_at"] is not None
    if not (row["finished_at"] is not None and was_tried):
        _withhold(row, [_SALT] if is_own else [_CODE, _SALT])


def _hide_duel(row: Row, player_id: str) -> None:
    """The other's number before the end; in a race all that the other does."""
    seats: list[Row] = row["seats"]
    own = next(seat["seat"] for seat in seats if seat["player_id"] == player_id)
    row["analyses"] = [found for found in row["analyses"] if found["seat"] == own]
    is_race, is_over = row["mode"] == Mode.RACE.value, row["finished_at"] is not None
    for seat in seats:
        is_known = is_over and row["playing_at"] is not None
        if not is_known:
            is_own = not is_race and seat["player_id"] == player_id
            _withhold(seat, [_SALT] if is_own else [_CODE, _SALT])
    if row["state"] in _BEFORE_PLAY:  # nobody knows yet who moves first
        for seat in seats:
            _withhold(seat, ["seat"])
        seats.sort(key=lambda seat: seat["player_id"] or "")
    if is_race and not is_over:
        row["moves"] = [
            {name: value for name, value in move.items() if name != "number"}
            for move in row["moves"]
            if move["seat"] == own
        ]
        _withhold(row, _TRACES)


def _withhold(row: Row, names: Iterable[str]) -> None:
    hidden = [name for name in names if row[name] is not None]
    for name in hidden:
        row[name] = None
    if hidden:
        row[WITHHELD] = sorted({*row.get(WITHHELD, []), *hidden})


# The file is JSON: an object with `format`, `player_id`, `exported_at`, and a list for each kind of
# data. Their objects have the names of the database's columns; what belongs to a game stands in the
# game. Instants are ISO 8601 in UTC, Discord's ids are strings.

FORMAT: Final = 1
"""Grows when names in the file change or go; further names may come at any time."""

MOST_BYTES: Final = 10_000_000
"""What a message on Discord carries."""

_NAME: Final = "my-data"


@dataclass(frozen=True, slots=True)
class Export:
    """A file for a player: of JSON, or a ZIP archive of one that was too large."""

    name: str
    content: bytes
    is_packed: bool


class Document:
    """The file while it is made, a few rows at a time; to be closed.

    Only its text is ever in memory, and of a large one only the packed text: `most` bytes at most.
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
                _hide_play(row, self._now)
            case "mastermind":
                _hide_mastermind(row, self._own)
            case "duels":
                _hide_duel(row, self._own)
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

"""Leaves out of an export whatever would give away a game that somebody can still play.

What is left out stays in its place as null, and the row says so under `withheld`.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from bot.dailies import PuzzleName
from bot.duels.model.transitions import State
from bot.focdle.game.spent_dailies import ended_everywhere_at
from bot.mastermind.model.game import Kind
from bot.privacy.store.reading import Row
from engine import Mode

WITHHELD: Final = "withheld"
_BEFORE_PLAY: Final = {State.INVITED, State.SETTING, State.STARTING}
_CODE: Final = "secret"
_SALT: Final = "salt"
# When anybody has moved would tell in a race how often the other has guessed.
_TRACES: Final = ("moved_at", "deadline_at", "stale_at", "nudge_at", "claimed_at", "version")


def hide_play(row: Row, now: datetime) -> None:
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


def hide_mastermind(row: Row, player_id: str) -> None:
    """A code that somebody else has set, until it is broken or was given up; its salt so long."""
    is_own = row["kind"] in {Kind.DEFEND, Kind.CHALLENGE} and row["owner_id"] == player_id
    # A code that nobody tried to break may be set again.
    was_tried = row["kind"] != Kind.CHALLENGE or row["accepted_at"] is not None
    if not (row["finished_at"] is not None and was_tried):
        _withhold(row, [_SALT] if is_own else [_CODE, _SALT])


def hide_duel(row: Row, player_id: str) -> None:
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

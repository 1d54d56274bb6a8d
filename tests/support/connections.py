"""Connections to SQLite files that nobody closed, each with where it was opened.

A newer Python tells of one when it collects it, in whichever test that happens; an older is silent.
"""

import inspect
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from sqlite3 import dbapi2
from traceback import walk_stack
from typing import Any, Final

_ROOT: Final = f"{Path(__file__).parents[2]}/"
_LIBRARIES: Final = f"{_ROOT}.venv/"
_OPEN: Final[dict[int, str]] = {}
_LINES: Final = 4


class _Counted(sqlite3.Connection):
    """A connection that is in `_OPEN` until it is closed; being collected is no closing."""

    _number = 0

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        _Counted._number += 1
        self._number = _Counted._number
        _OPEN[self._number] = _place()

    def close(self) -> None:
        super().close()
        _OPEN.pop(self._number, None)


def _place() -> str:
    """The innermost lines of this repository that this thread executes, or a library's line."""
    stack = [
        f"{frame.f_code.co_filename}:{line}" for frame, line in walk_stack(inspect.currentframe())
    ]
    places = [place for place in stack if not place.startswith(__file__)]
    ours = [
        place.removeprefix(_ROOT)
        for place in places
        if place.startswith(_ROOT) and not place.startswith(_LIBRARIES)
    ]
    return " < ".join(ours[:_LINES] or places[:1])


def count_connections() -> None:
    """Let every connection that is opened from now on be counted."""
    counted = partial(sqlite3.connect, factory=_Counted)
    for module in (sqlite3, dbapi2):  # the latter is what SQLAlchemy looks into
        vars(module)["connect"] = counted


def number_open() -> int:
    return len(_OPEN)


@contextmanager
def all_closed() -> Generator[None]:
    """Fail if a connection that is opened inside is not closed inside."""
    before = set(_OPEN)
    yield
    left = {number: place for number, place in _OPEN.items() if number not in before}
    for number in left:
        del _OPEN[number]
    assert not left, f"connections left open, opened at {sorted(left.values())}"

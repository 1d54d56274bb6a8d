"""A migration of the tests' own, as a later version would bring one, in this folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from bot.db import revisions

BEFORE: Final = revisions.known_revisions()[-1]
REVISION: Final = "9000"
COLUMN: Final = "nickname"
"""What it adds to `players`, filled with their names."""


def come(change: Callable[[object, str, object], None] = setattr) -> None:
    """Let the program be of this later version; a test undoes it by monkeypatch's `setattr`."""
    change(revisions, "folders", [*revisions.folders, Path(__file__).parent])


def halfway() -> None:
    """What happens in the middle of it: nothing, unless a test replaces this."""

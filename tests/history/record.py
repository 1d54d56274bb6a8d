"""A history: who did what when, and what came of it. One line of JSON an event."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import IO


class Outcome(StrEnum):
    """What those who acted know afterwards."""

    PLAYED = "played"
    """The answer shows the guess among those that count."""
    REFUSED = "refused"
    """The answer says that it does not count."""
    UNKNOWN = "unknown"
    """There was no answer in time, or one that does not tell."""


@dataclass(frozen=True, slots=True)
class Act:
    """A guess, as its player has lived it.

    Attributes:
        game: `puzzle:NUMBER` or `duel:ID`.
        player: who guessed.
        code: what.
        began: when it was sent, in seconds of one clock.
        ended: when the answer was here, or was waited for no longer.
        outcome: what came of it.
        told: how the answer begins, for those who look for a fault.
    """

    game: str
    player: int
    code: str
    began: float
    ended: float
    outcome: Outcome
    told: str = ""


@dataclass(frozen=True, slots=True)
class Post:
    """A message that the bot has put into a channel of its own accord."""

    channel: int
    date: str
    at: float


@dataclass(frozen=True, slots=True)
class Harm:
    """What was done to a process, to the database or to the clocks."""

    kind: str
    process: int
    at: float


Event = Act | Post | Harm
_KINDS: dict[str, type[Act] | type[Post] | type[Harm]] = {"act": Act, "post": Post, "harm": Harm}


class Recorder:
    """Writes a history down as it happens, so that one which was cut short can be read, too."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self.acts = 0

    def note(self, event: Event) -> None:
        """Write an event down."""
        (kind,) = (name for name, made in _KINDS.items() if isinstance(event, made))
        self.acts += isinstance(event, Act)
        self._file.write(json.dumps({"event": kind, **asdict(event)}) + "\n")
        self._file.flush()

    def harm(self, kind: str, process: int = -1) -> None:
        """Write down that something is done on purpose now."""
        self.note(Harm(kind, process, monotonic()))


def read(path: Path) -> Iterator[Event]:
    """The events of a history, in the order in which they ended."""
    for line in path.read_text().splitlines():
        found = json.loads(line)
        made = _KINDS[found.pop("event")]
        if made is Act:
            found["outcome"] = Outcome(found["outcome"])
        yield made(**found)

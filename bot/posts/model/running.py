"""Running messages: one a server and puzzle, with the results of all who share there."""

from dataclasses import dataclass
from datetime import datetime

from bot.dailies import PuzzleName


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningMessage:
    """A running message.

    Attributes:
        guild_id: the server.
        channel_id: the channel or thread.
        number: of the puzzle.
        length: of the puzzle.
        closes_at: when its date has ended in the server.
        look_at: when to look next.
        version: grows with each change of what it shows.
        shown: the version that Discord shows.
        message_id: the message; None while there is none.
        claimed_at: since when another may have been sent; None if none is being sent.
        tried_at: since when somebody is at it; None if nobody is.
        drawn_at: when it was last sent or edited.
        closed_at: when it closed; None while it runs.
        deleted_at: when it was found to be deleted by others; then it stays away.
    """

    guild_id: int
    channel_id: int
    number: int
    length: int
    closes_at: datetime
    look_at: datetime
    version: int = 0
    shown: int = 0
    message_id: int | None = None
    claimed_at: datetime | None = None
    tried_at: datetime | None = None
    drawn_at: datetime | None = None
    closed_at: datetime | None = None
    deleted_at: datetime | None = None

    @property
    def puzzle(self) -> PuzzleName:
        """The puzzle whose results it shows."""
        return PuzzleName(self.number, self.length)


@dataclass(frozen=True, slots=True)
class AlwaysShare:
    """Where a player's dailies of a server go into the running message by themselves."""

    channel_id: int
    chosen_at: datetime

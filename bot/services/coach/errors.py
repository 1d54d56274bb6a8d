"""What players can get wrong with the coach: facts without sentences."""

from enum import Enum

from bot.model.hints import HintKind
from bot.services.base.errors import ServiceError


class StillPlayingError(ServiceError):
    """A game that goes on: the coach speaks when it is over."""


class Lack(Enum):
    """Why there is nothing to say about a game that is over."""

    NO_GUESSES = "no_guesses"
    CONTRADICTION = "contradiction"
    """The answers in it cannot all be true."""


class NothingToReviewError(ServiceError):
    """A game about which the coach has nothing to say; `lack` is why."""

    def __init__(self, lack: Lack) -> None:
        super().__init__("nothing to review")
        self.lack = lack


class NotAPlayerError(ServiceError):
    """Somebody who watched a game asks about it.

    Attributes:
        player_ids: who played it.
    """

    def __init__(self, player_ids: tuple[int, ...]) -> None:
        super().__init__("only watched this game")
        self.player_ids = player_ids


class OneAtATimeError(ServiceError):
    """A player who waits for another game to be looked at; so many come before it."""

    def __init__(self, ahead: int) -> None:
        super().__init__("one game at a time")
        self.ahead = ahead


class CoachBusyError(ServiceError):
    """More players wait than the coach can see."""


class HintOverError(ServiceError):
    """A hint in a game that is over."""


class HintsUsedUpError(ServiceError):
    """No more hints of a kind in a game.

    Attributes:
        kind: what was asked.
        most: how many a game has.
    """

    def __init__(self, kind: HintKind, most: int) -> None:
        super().__init__("hints used up")
        self.kind = kind
        self.most = most


class NothingToCountError(ServiceError):
    """A count before the first guess, when everything is possible."""

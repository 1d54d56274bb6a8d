"""What players can get wrong with the coach."""

from bot.refused import OthersGameError, Refused


class StillPlayingError(Refused):
    """A game that goes on: the coach speaks when it is over."""


class NobodyGuessedError(Refused):
    """A game that is over without a guess, so that there is nothing to review."""


class ContradictoryAnswersError(Refused):
    """A game whose answers cannot all be true, so that nothing can be worked out."""


class NotAPlayerError(OthersGameError):
    """Somebody who watched a game asks about it."""

    player_ids: tuple[int, ...]
    """Who played it."""


class OneAtATimeError(Refused):
    """A player who waits for another game to be looked at."""


class CoachBusyError(Refused):
    """More players wait than the coach can see."""


class HintOverError(Refused):
    """A hint in a game that is over."""


class NotForEverybodyError(Refused):
    """A replay that would tell too much where it was to be shown."""

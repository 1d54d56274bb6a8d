"""What there is to do with a play that is over: what stands on its board, what behind *More*."""

from enum import Enum, auto

from bot.focdle.model.play import Play
from engine import Outcome


class Offer(Enum):
    """Something that can be done with a play."""

    PRACTICE = auto()
    """A practice of its length."""
    OTHER_LENGTH = auto()
    """A practice of another length."""
    LEADERS = auto()
    """Who leads today."""
    REMINDER = auto()
    """A reminder before the streak ends."""
    VERIFY = auto()
    """What was hashed."""


class Next(Enum):
    """What to play next."""

    TODAY = auto()
    """The day's puzzle, which is still to be finished."""
    TRY = auto()
    """After a loss: one at the length where the player wins."""
    ANOTHER = auto()
    """Another practice of the length."""


def following(play: Play) -> Next | None:
    """What to play next, on the board itself; None once the day's puzzle is solved."""
    if play.is_today_left:
        return Next.TODAY
    if play.game.outcome is Outcome.LOST:
        return Next.TRY
    return Next.ANOTHER if play.puzzle is None else None


def offers(play: Play) -> list[Offer]:
    """What *More* offers, in order; four things at most."""
    is_practice_there = following(play) in {Next.ANOTHER, Next.TRY}
    is_todays = play.on_date and play.is_today and play.guild_id is not None
    open_to = {
        Offer.PRACTICE: not is_practice_there,
        Offer.OTHER_LENGTH: play.puzzle is None,
        Offer.LEADERS: is_todays,
        Offer.REMINDER: play.puzzle is not None and play.is_remindable,
        Offer.VERIFY: play.commitment is not None,
    }
    return [offer for offer, is_open in open_to.items() if is_open]

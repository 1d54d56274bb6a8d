"""What is chosen before a duel."""

from dataclasses import dataclass
from typing import Final

from bot.services.duels.errors import CannotBeRatedError, WrongDigitsError
from bot.services.duels.model import Pace
from engine import BullsAndCows, Mode, Strength

DIGITS: Final = (3, 6)
"""The fewest and the most."""
ROUNDS: Final = 30
NEXT_STRENGTH: Final = {Strength.CASUAL: Strength.SHARP, Strength.SHARP: Strength.PERFECT}
"""The next strength of the bot; there is none above the perfect one's."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a duel is to be, perhaps one that there is not.

    Attributes:
        digits: of each secret.
        repeats: whether a digit may be in a secret more than once.
        mode: who may guess when, and who wins.
        pace: how long players may take; None for as long as the two had last time.
        rated: whether it moves ratings; None for yes where that is allowed.
        strength: how well the bot plays, where it plays.
    """

    digits: int = 4
    repeats: bool = False
    mode: Mode = Mode.EQUAL_TURNS
    pace: Pace | None = Pace.LIVE
    rated: bool | None = None
    strength: Strength = Strength.SHARP

    def rules(self) -> BullsAndCows:
        """The rules of both boards.

        Raises:
            WrongDigitsError: there are none.
        """
        lowest, highest = DIGITS
        if not lowest <= self.digits <= highest:
            raise WrongDigitsError(found=self.digits, lowest=lowest, digits=highest)
        return BullsAndCows(self.digits, self.repeats, ROUNDS)

    def is_rated(self, *, against_bot: bool) -> bool:
        """Whether such a duel moves ratings.

        Raises:
            CannotBeRatedError: it is asked to, and must not.
        """
        may_be = self.mode is not Mode.CLASSIC and not against_bot
        if self.rated and not may_be:
            raise CannotBeRatedError(against_bot=against_bot)
        return may_be if self.rated is None else self.rated

"""What is chosen before a duel."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.duels.model.duel import Pace
from bot.duels.model.errors import CannotBeRatedError, WrongDigitsError
from bot.duels.store.duels import DuelRow, NewDuel
from bot.ratings.model.ratings import HeadToHead
from bot.ratings.store.pairs import ChoiceRow
from engine import BullsAndCows, Mode, Strength

DIGITS: Final = (3, 6)
"""The fewest and the most."""
ROUNDS: Final = 30
MODES: Final = (Mode.EQUAL_TURNS, Mode.CLASSIC)
"""What a new duel can be: no race, though those that stand are played out."""
STRENGTHS: Final = (Strength.CASUAL, Strength.SHARP, Strength.PERFECT)
"""The bot's, the weakest first."""
NEXT_STRENGTH: Final = {Strength.CASUAL: Strength.SHARP, Strength.SHARP: Strength.PERFECT}
"""The next strength of the bot; there is none above the perfect one's."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a duel is to be, perhaps one that there is not.

    Attributes:
        digits: of each secret.
        repeats: whether a digit may be in a secret more than once.
        mode: who may guess when, and who wins.
        rated: whether it moves ratings; None for yes where that is allowed.
        strength: how well the bot plays, where it plays.
    """

    digits: int = 4
    repeats: bool = False
    mode: Mode = Mode.EQUAL_TURNS
    rated: bool | None = None
    strength: Strength = Strength.CASUAL

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


def chosen(row: ChoiceRow) -> Options:
    """What was chosen for a duel that is stored.

    One that could not be rated says nothing of whether the next is to be.
    """
    rules, mode = BullsAndCows.decode(row.rules), _offered(row.mode)
    is_open = row.rated or mode is Mode.CLASSIC
    return Options(rules.digits, rules.repeats, mode, rated=None if is_open else False)


def strength_to_try(records: Mapping[Strength, HeadToHead]) -> Strength:
    """The weakest strength that a player has not beaten more often than lost to; else the best."""
    for strength in STRENGTHS:
        record = records.get(strength)
        if record is None or record.won <= record.lost:
            return strength
    return STRENGTHS[-1]


def _offered(mode: str) -> Mode:
    """A stored mode, in place of a race equal turns."""
    stored = Mode(mode)
    return stored if stored in MODES else Mode.EQUAL_TURNS


def again(row: DuelRow, player_id: int, *, stronger: bool) -> NewDuel:
    """The same duel once more, by a player's wish; the bot plays better if it is to and can."""
    strength = row.strength
    if stronger and strength is not None:
        strength = NEXT_STRENGTH.get(Strength(strength), strength)
    return NewDuel(
        rules=row.rules,
        mode=_offered(row.mode).value,
        pace=Pace.RELAXED,
        rated=row.rated,
        strength=strength,
        challenger_id=player_id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        rematch_of=row.id,
        terms=0 if strength is None else None,
    )

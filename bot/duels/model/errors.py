"""What players can get wrong in duels beyond the rules."""

from bot.duels.model.duel import DuelGame
from bot.refused import OthersGameError, Refused, TextRefusedError
from engine import BullsAndCows


class WrongDigitsError(Refused):
    """A number of digits that no duel has."""

    found: int
    lowest: int
    digits: int
    """The most that there may be."""


class CannotBeRatedError(Refused):
    """A duel that was to be rated, and must not: a classic one, or one with the bot."""

    against_bot: bool


class SelfDuelError(Refused):
    """A duel with oneself."""


class OtherBotDuelError(Refused):
    """A duel with a bot other than this one."""


class TooManyDuelsError(Refused):
    """A player with as many open duels as there may be."""

    duels: int


class TooManyDuelsOfPairError(Refused):
    """Two players with as many open duels as two may have."""

    player_id: int
    """The opponent."""
    duels: int


class NoSuchDuelError(Refused):
    """A duel that is not stored."""


class NotYourDuelError(OthersGameError):
    """A duel of others."""

    player_ids: tuple[int, ...]


class NotChallengedError(OthersGameError):
    """An answer to a challenge by who is not challenged."""

    player_id: int
    """Who is."""
    is_own: bool
    """Whether it is the challenger's answer."""


class NotChallengerError(OthersGameError):
    """A challenge that somebody else would have to change or take back."""

    player_id: int
    """Who could."""


class DuelStateError(Refused):
    """Base of what cannot be done as things are."""

    game: DuelGame
    """How they are."""


class DuelOverError(DuelStateError):
    """The duel is over; perhaps only just found to be."""


class DuelGoesOnError(DuelStateError):
    """A rematch of a duel that is not over."""


class NotAcceptedYetError(DuelStateError):
    """The challenge was not accepted yet."""


class AlreadyUnderWayError(DuelStateError):
    """The challenge was accepted, and can be neither declined nor withdrawn."""


class TermsChangedError(DuelStateError):
    """An answer to other terms than the challenge has by now."""


class NowPassedError(DuelStateError):
    """A challenge that was to be accepted at once, too late for that."""


class HasBegunError(DuelStateError):
    """Somebody has guessed, so that the duel can be resigned but no longer called off."""


class NotBegunError(DuelStateError):
    """The duel is not played yet, so that it can be called off, and nobody need resign."""


class SecretsMissingError(DuelStateError):
    """Nobody can guess yet, because a secret is missing."""


class StartMissingError(DuelStateError):
    """Nobody can guess yet, because the challenger has not begun."""


class SecretFixedError(DuelStateError):
    """The player's secret is set already, or it is a race, where nobody sets one."""


class NoRaceError(DuelStateError):
    """A start in a duel that has begun, and is no race."""


class NotStartedError(DuelStateError):
    """A guess in a race before the player's own start."""


class NoDrawOfferedError(DuelStateError):
    """An answer to an offer of a draw that does not stand, or is one's own."""


class NoDrawWithBotError(DuelStateError):
    """An offer of a draw to the bot."""


class ForgottenOpponentError(DuelStateError):
    """A rematch with somebody who has deleted all their data."""


class NowhereToPostError(DuelStateError):
    """A duel whose channel is gone, and whose board cannot be posted where it was asked for."""


class SecretRefusedError(DuelStateError, TextRefusedError):
    """A text that can be no secret in this duel."""


class DuelRefusedError(DuelStateError, TextRefusedError):
    """A guess that was not played."""


class NumberRefusedError(TextRefusedError):
    """A text that is no number for the bot, or another player, to find."""

    rules: BullsAndCows
    """What it should be."""


class NewNumberError(Refused):
    """Terms that the challenger's number does not fit."""

    rules: BullsAndCows
    """What it should be."""

"""What players can get wrong in duels beyond the rules: facts without sentences."""

from bot.services.base.errors import ServiceError
from bot.services.duels.model import DuelGame
from engine import EngineError, Mode


class WrongDigitsError(ServiceError):
    """A number of digits that no duel has.

    Attributes:
        found: what was asked for.
        lowest: the least there may be.
        highest: the most there may be.
    """

    def __init__(self, found: int, lowest: int, highest: int) -> None:
        super().__init__("wrong number of digits")
        self.found = found
        self.lowest = lowest
        self.highest = highest


class CannotBeRatedError(ServiceError):
    """A duel that was to be rated, and must not.

    Attributes:
        mode: its mode.
        against_bot: whether the bot is the opponent.
    """

    def __init__(self, mode: Mode, *, against_bot: bool) -> None:
        super().__init__("cannot be rated")
        self.mode = mode
        self.against_bot = against_bot


class SelfDuelError(ServiceError):
    """A duel with oneself."""


class OtherBotDuelError(ServiceError):
    """A duel with a bot other than this one."""


class TooManyDuelsError(ServiceError):
    """A player with as many open duels as there may be.

    Attributes:
        most: how many that is.
    """

    def __init__(self, most: int) -> None:
        super().__init__("too many duels")
        self.most = most


class TooManyDuelsOfPairError(ServiceError):
    """Two players with as many open duels as two may have.

    Attributes:
        opponent_id: the other player.
        most: how many that is.
    """

    def __init__(self, opponent_id: int, most: int) -> None:
        super().__init__("too many duels of two players")
        self.opponent_id = opponent_id
        self.most = most


class NoSuchDuelError(ServiceError):
    """A duel that is not stored."""


class NotYourDuelError(ServiceError):
    """A duel of others.

    Attributes:
        player_ids: the players of it.
    """

    def __init__(self, player_ids: tuple[int, ...]) -> None:
        super().__init__("somebody else's duel")
        self.player_ids = player_ids


class NotChallengedError(ServiceError):
    """An answer to a challenge by who is not challenged; `player_id` is who is."""

    def __init__(self, player_id: int) -> None:
        super().__init__("not challenged")
        self.player_id = player_id


class NotChallengerError(ServiceError):
    """A challenge that somebody else would have to take back; `player_id` is who."""

    def __init__(self, player_id: int) -> None:
        super().__init__("not the challenger")
        self.player_id = player_id


class DuelStateError(ServiceError):
    """Base of what cannot be done as things are; `game` is how they are."""

    def __init__(self, game: DuelGame) -> None:
        super().__init__("not as things are")
        self.game = game


class DuelOverError(DuelStateError):
    """The duel is over; perhaps only just found to be."""


class DuelGoesOnError(DuelStateError):
    """A rematch of a duel that is not over."""


class NotAcceptedYetError(DuelStateError):
    """The challenge was not accepted yet."""


class AlreadyUnderWayError(DuelStateError):
    """The challenge was accepted, and can be neither declined nor withdrawn."""


class HasBegunError(DuelStateError):
    """The duel is played, and can be resigned but no longer called off."""


class NotBegunError(DuelStateError):
    """A secret is missing, so that the duel can be called off, and nobody need resign."""


class SecretsMissingError(DuelStateError):
    """Nobody can guess yet, because a secret is missing."""


class SecretFixedError(DuelStateError):
    """The player's secret is set already, or it is a race, where nobody sets one."""


class NoRaceError(DuelStateError):
    """A start in a duel that is no race."""


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


class SecretRefusedError(DuelStateError):
    """A text that can be no secret in this duel.

    Attributes:
        text: the secret as it was typed.
        cause: what is wrong with it.
    """

    def __init__(self, game: DuelGame, text: str, cause: EngineError) -> None:
        super().__init__(game)
        self.text = text
        self.cause = cause


class DuelRefusedError(DuelStateError):
    """A guess that was not played; it cost nothing.

    Attributes:
        text: the guess as it was typed.
        cause: why the engine refuses it.
    """

    def __init__(self, game: DuelGame, text: str, cause: EngineError) -> None:
        super().__init__(game)
        self.text = text
        self.cause = cause

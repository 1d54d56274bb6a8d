"""What players can get wrong in Mastermind beyond its rules: facts without sentences."""

from bot.services.base.errors import ServiceError
from bot.services.mastermind.model import MastermindGame
from engine import Code, EngineError, Mastermind


class WrongSettingError(ServiceError):
    """A number that no setting has.

    Attributes:
        field: ``pegs``, ``colours`` or ``guesses``.
        found: what was asked for.
        lowest: the least there may be.
        highest: the most there may be.
    """

    def __init__(self, field: str, found: int, lowest: int, highest: int) -> None:
        super().__init__("wrong setting")
        self.field = field
        self.found = found
        self.lowest = lowest
        self.highest = highest


class PegsBeyondColoursError(ServiceError):
    """More pegs than colours, where no colour may be used twice."""

    def __init__(self, pegs: int, colours: int) -> None:
        super().__init__("more pegs than colours")
        self.pegs = pegs
        self.colours = colours


class CodeRefusedError(ServiceError):
    """A text that is no code to be broken; no game was opened.

    Attributes:
        rules: what it should be a code of.
        text: the code as it was typed.
        cause: what is wrong with it.
    """

    def __init__(self, rules: Mastermind, text: str, cause: EngineError) -> None:
        super().__init__("code refused")
        self.rules = rules
        self.text = text
        self.cause = cause


class TooManyGamesError(ServiceError):
    """A player with as many open games as there may be; `most` is how many."""

    def __init__(self, most: int) -> None:
        super().__init__("too many games")
        self.most = most


class RankedGameError(ServiceError):
    """The bot is to guess at the setting of a ranked game that goes on, which it could help.

    Attributes:
        game_id: the player's ranked game.
        rules: the setting at which the bot is to guess.
        is_sealable: whether a code could be sealed there instead.
    """

    def __init__(self, game_id: int, rules: Mastermind, *, is_sealable: bool) -> None:
        super().__init__("a ranked game goes on")
        self.game_id = game_id
        self.rules = rules
        self.is_sealable = is_sealable


class SelfChallengeError(ServiceError):
    """A challenge to oneself."""


class BotChallengeError(ServiceError):
    """A challenge to a bot."""


class AlreadyInvitedError(ServiceError):
    """A second challenge to a member who has not answered the first yet; `game` is the first."""

    def __init__(self, game: MastermindGame) -> None:
        super().__init__("already invited")
        self.game = game


class NoSuchGameError(ServiceError):
    """A game that is not stored, or not of the kind that the click is for."""


class NotYourGameError(ServiceError):
    """Somebody else's game; `player_id` is whose move it would be."""

    def __init__(self, player_id: int) -> None:
        super().__init__("somebody else's game")
        self.player_id = player_id


class NotInvitedError(ServiceError):
    """A challenge to somebody else.

    Attributes:
        player_id: to whom.
        is_challenger: whether it is the challenger who wants to answer it.
    """

    def __init__(self, player_id: int, *, is_challenger: bool = False) -> None:
        super().__init__("not invited")
        self.player_id = player_id
        self.is_challenger = is_challenger


class NotWithdrawableError(ServiceError):
    """A challenge that the challenged wants to take back; `player_id` is who could."""

    def __init__(self, player_id: int) -> None:
        super().__init__("somebody else's challenge")
        self.player_id = player_id


class GameStateError(ServiceError):
    """Base of what cannot be done at a game's present stage; `game` is as it stands."""

    def __init__(self, game: MastermindGame) -> None:
        super().__init__("not at this stage")
        self.game = game


class GameFinishedError(GameStateError):
    """The game is over; perhaps only just found to be."""


class NotAcceptedError(GameStateError):
    """The challenge was not accepted yet."""


class AlreadyAcceptedError(GameStateError):
    """The challenge was accepted, and can be neither declined nor withdrawn."""


class RowError(ServiceError):
    """Base of what cannot be done with the row; `game` is as it stands."""

    def __init__(self, game: MastermindGame) -> None:
        super().__init__("not with this row")
        self.game = game


class RowFullError(RowError):
    """One more colour than there are pegs."""


class RowIncompleteError(RowError):
    """A row submitted too early."""


class ColourUsedError(RowError):
    """A colour put twice, where none may be; `symbol` is its letter."""

    def __init__(self, game: MastermindGame, symbol: str) -> None:
        super().__init__(game)
        self.symbol = symbol


class MastermindRefusedError(ServiceError):
    """A guess that was not played; it cost nothing.

    Attributes:
        game: the game as it stands.
        text: the guess as it was typed, or as it was put.
        cause: why the engine refuses it.
    """

    def __init__(self, game: MastermindGame, text: str, cause: EngineError) -> None:
        super().__init__("guess refused")
        self.game = game
        self.text = text
        self.cause = cause


class ImpossibleAnswerError(ServiceError):
    """An answer that no code could give to the guess.

    Attributes:
        guess: the guess.
        blacks: the blacks answered.
        whites: the whites answered; None if only blacks were.
    """

    def __init__(self, guess: Code, blacks: int, whites: int | None) -> None:
        super().__init__("impossible answer")
        self.guess = guess
        self.blacks = blacks
        self.whites = whites


class BoardUnpostableError(ServiceError):
    """A board that the bot could not post again.

    Attributes:
        channel_id: where it would be.
        is_gone: whether the channel is no longer there; else the bot may not post in it.
    """

    def __init__(self, channel_id: int, *, is_gone: bool) -> None:
        super().__init__("board not posted")
        self.channel_id = channel_id
        self.is_gone = is_gone

"""What players can get wrong in Mastermind beyond its rules."""

from bot.mastermind.model.game import MastermindGame
from bot.refused import OthersGameError, Refused, TextRefusedError
from engine import Code, Mastermind


class WrongSettingError(Refused):
    """A number that no setting has."""

    field: str
    """``pegs``, ``colours`` or ``guesses``."""
    found: int
    lowest: int
    highest: int


class PegsBeyondColoursError(Refused):
    """More pegs than colours, where no colour may be used twice."""

    pegs: int
    chosen: int
    """How many colours."""


class CodeRefusedError(TextRefusedError):
    """A text that is no code to be broken; no game was opened."""

    rules: Mastermind
    """What it should be a code of."""


class TooManyGamesError(Refused):
    """A player with as many open games as there may be."""

    games: int


class SelfChallengeError(Refused):
    """A challenge to oneself."""


class BotChallengeError(Refused):
    """A challenge to a bot."""


class AlreadyInvitedError(Refused):
    """A second challenge to a member who has not answered the first yet."""

    game: MastermindGame
    """The first."""


class NoSuchGameError(Refused):
    """A game that is not stored, or not of the kind that the click is for."""


class NotYourGameError(OthersGameError):
    """Somebody else's game."""

    player_id: int
    """Whose move it would be."""


class NotInvitedError(OthersGameError):
    """A challenge to somebody else."""

    player_id: int
    """To whom."""
    is_challenger: bool = False
    """Whether it is the challenger who wants to answer it."""


class NotWithdrawableError(Refused):
    """A challenge that the challenged wants to take back."""

    player_id: int
    """Who could."""


class GameStateError(Refused):
    """Base of what cannot be done at a game's present stage."""

    game: MastermindGame
    """As it stands."""


class GameFinishedError(GameStateError):
    """The game is over; perhaps only just found to be."""


class NotAcceptedError(GameStateError):
    """The challenge was not accepted yet."""


class AlreadyAcceptedError(GameStateError):
    """The challenge was accepted, and can be neither declined nor withdrawn."""


class RowError(GameStateError):
    """Base of what cannot be done with the row."""


class RowFullError(RowError):
    """One more colour than there are pegs."""


class RowIncompleteError(RowError):
    """A row submitted too early."""


class ColourUsedError(RowError):
    """A colour put twice, where none may be."""

    symbol: str
    """Its letter."""


class MastermindRefusedError(GameStateError, TextRefusedError):
    """A guess that was not played, typed or put."""


class ImpossibleAnswerError(Refused):
    """An answer that no code could give to the guess."""

    guess: Code
    blacks: int
    whites: int | None
    """None if only blacks were answered."""


class BoardUnpostableError(Refused):
    """A board that the bot could not post again."""

    channel_id: int
    """Where it would be."""
    is_gone: bool
    """Whether the channel is no longer there; else the bot may not post in it."""

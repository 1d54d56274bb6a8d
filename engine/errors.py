"""What can go wrong in the games: facts without sentences.

EngineError (ValueError)
├── NotationError        the text is not a guess of this game
├── IllegalGuessError    a guess of this game, but not one that may be played now
├── GameOverError        the game takes no more guesses
└── ImpossibleRulesError no such rules
    └── NoSuchLengthError    no FoCdle has this length
"""

from enum import Enum, auto


class EngineError(ValueError):
    """Base of everything the engine raises on purpose."""


class Problem(Enum):
    """Why a text is not a guess; what a person has to mend."""

    EMPTY = auto()
    UNKNOWN_SYMBOL = auto()
    DIVISION = auto()
    TOO_SHORT = auto()
    TOO_LONG = auto()
    NO_EQUALS = auto()
    SECOND_EQUALS = auto()
    TOO_FEW_OPERATORS = auto()
    TOO_MANY_OPERATORS = auto()
    OPERATOR_AFTER_EQUALS = auto()
    MISSING_VALUE = auto()
    MISSING_RESULT = auto()
    LEADING_ZERO = auto()
    ZERO_VALUE = auto()
    VALUE_TOO_LARGE = auto()
    ZERO_RESULT = auto()


class NotationError(EngineError):
    """A text that is not a guess of this game.

    Attributes:
        problem: what is wrong.
        position: 0-based index into the text as it was typed, where the fault
            is; the text's length when something is missing at its end.
        symbol: the offending symbol or number, as understood; may be empty.
        found: how many symbols or operators there are, where that is the fault.
        wanted: how many there should be.
    """

    def __init__(
        self,
        problem: Problem,
        position: int,
        *,
        symbol: str = "",
        found: int = 0,
        wanted: int = 0,
    ) -> None:
        super().__init__(f"{problem.name} at {position}")
        self.problem = problem
        self.position = position
        self.symbol = symbol
        self.found = found
        self.wanted = wanted


class IllegalGuessError(EngineError):
    """A well-formed guess that may not be played: it was played before.

    Attributes:
        guess: the guess.
        turn: 0-based index of the turn that played it.
    """

    def __init__(self, guess: str, turn: int) -> None:
        super().__init__(f"guess repeats turn {turn}")
        self.guess = guess
        self.turn = turn


class GameOverError(EngineError):
    """The game is solved or lost and takes no more guesses."""

    def __init__(self) -> None:
        super().__init__("the game is over")


class ImpossibleRulesError(EngineError):
    """Parameters or an encoded string that describe no playable rules."""


class NoSuchLengthError(ImpossibleRulesError):
    """No FoCdle has this length.

    Attributes:
        length: what was asked for, in characters.
        shortest: the shortest length there is.
        longest: the longest length there is.
    """

    def __init__(self, length: int, shortest: int, longest: int) -> None:
        super().__init__(f"no FoCdle has length {length}, only {shortest} to {longest}")
        self.length = length
        self.shortest = shortest
        self.longest = longest

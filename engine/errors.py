"""Errors of the games: facts without sentences.

EngineError (ValueError)
├── NotationError        the text is not a guess of this game
├── IllegalGuessError    a guess of this game, but not one that may be played now
│   ├── RepeatedGuessError      it was played before
│   ├── FalseEquationError      its two sides differ, and only true ones may be played
│   ├── ContradictionError      it cannot be the secret, and only candidates may be played
│   └── NotYourTurnError        in a duel, the other player is to move
├── ForeignGuessError    a string that is no guess of this game at all
├── ImpossibleFeedbackError     no secret could give this feedback to this guess
├── InconsistentFeedback no secret explains all turns together
├── GameOverError        the game takes no more guesses
└── ImpossibleRulesError no such rules
    ├── NoSuchLengthError    no FoCdle has this length
    └── TooManyCodesError    more secrets than can be enumerated
"""

from enum import Enum, auto


class EngineError(ValueError):
    """Base of all errors that the engine raises on purpose.

    Copying and pickling keep facts and text.
    """

    def __reduce__(self) -> tuple[object, ...]:
        # The default would call the class with the text alone.
        return type(self).__new__, (type(self), *self.args), vars(self)


class Problem(Enum):
    """The fault of a text that is not a guess."""

    EMPTY = auto()
    UNKNOWN_SYMBOL = auto()
    INVISIBLE = auto()
    DIVISION = auto()
    POWER = auto()
    TOO_SHORT = auto()
    TOO_LONG = auto()
    NO_EQUALS = auto()
    SECOND_EQUALS = auto()
    TOO_FEW_OPERATORS = auto()
    TOO_MANY_OPERATORS = auto()
    OPERATOR_AFTER_EQUALS = auto()
    MISSING_VALUE = auto()
    LEADING_ZERO = auto()
    ZERO_VALUE = auto()
    VALUE_TOO_LARGE = auto()
    ZERO_RESULT = auto()
    RESULT_BELOW_ONE = auto()
    OTHER_LENGTH = auto()
    COLOUR_NOT_IN_PLAY = auto()
    REPEATED_SYMBOL = auto()


class NotationError(EngineError):
    """A text that is not a guess of this game.

    Attributes:
        problem: the kind of fault.
        position: 0-based index of the fault in the typed text; the text's length if something is
            missing at its end.
        symbol: the offending symbol, number or word, as understood, or the name of an invisible
            character; may be empty.
        meant: a near match that could be typed instead; empty without one.
        place: 0-based index of the symbol in the code, in games whose symbols may be longer than
            a character; else 0.
        found: the number of symbols or operators, if that is the fault.
        wanted: the right number of them.
    """

    def __init__(
        self,
        problem: Problem,
        position: int,
        *,
        symbol: str = "",
        meant: str = "",
        place: int = 0,
        found: int = 0,
        wanted: int = 0,
    ) -> None:
        super().__init__(f"{problem.name} at {position}")
        self.problem = problem
        self.position = position
        self.symbol = symbol
        self.meant = meant
        self.place = place
        self.found = found
        self.wanted = wanted


class IllegalGuessError(EngineError):
    """A well-formed guess that may not be played now."""

    def __init__(self, guess: str, reason: str) -> None:
        super().__init__(reason)
        self.guess = guess


class RepeatedGuessError(IllegalGuessError):
    """The guess was played before; `turn` is its 0-based index."""

    def __init__(self, guess: str, turn: int) -> None:
        super().__init__(guess, f"guess repeats turn {turn}")
        self.turn = turn


class FalseEquationError(IllegalGuessError):
    """The guess's two sides differ.

    Attributes:
        value: the value of the left-hand side.
        result: the right-hand side.
    """

    def __init__(self, guess: str, value: int, result: int) -> None:
        super().__init__(guess, "guess is not true")
        self.value = value
        self.result = result


class Clue(Enum):
    """The kind of a demand that a turn's feedback makes on the secret."""

    KEEP = auto()
    """The symbol stands at this position."""
    MOVE = auto()
    """The symbol does not stand at this position."""
    USE = auto()
    """There are at least so many copies of the symbol."""
    DROP = auto()
    """There are no more than so many copies of the symbol."""
    SHOWN = auto()
    """A hint has shown the symbol at this position."""


class ContradictionError(IllegalGuessError):
    """The guess contradicts an earlier turn, or a hint.

    Attributes:
        turn: 0-based index of that turn; 0 for a hint.
        clue: the demand that is not met.
        symbol: the symbol concerned.
        position: 0-based position of the symbol in that turn's guess.
        copies: copies of the symbol that the turn has found.
    """

    def __init__(
        self, guess: str, turn: int, clue: Clue, *, symbol: str, position: int, copies: int
    ) -> None:
        super().__init__(guess, f"guess contradicts turn {turn}: {clue.name}")
        self.turn = turn
        self.clue = clue
        self.symbol = symbol
        self.position = position
        self.copies = copies


class NotYourTurnError(IllegalGuessError):
    """A guess in a duel by `player` (0 or 1) while the other is to move."""

    def __init__(self, guess: str, player: int) -> None:
        super().__init__(guess, f"player {player} is not to move")
        self.player = player


class ForeignGuessError(EngineError):
    """A string that is no guess, or no secret, of the game."""

    def __init__(self, guess: str) -> None:
        super().__init__(f"no code of this game: {guess!r}")
        self.guess = guess


class ImpossibleFeedbackError(EngineError):
    """Feedback of the wrong kind or size, or that no secret could give to this guess."""

    def __init__(self, guess: str, feedback: object) -> None:
        super().__init__(f"{guess!r} cannot get {feedback!r}")
        self.guess = guess
        self.feedback = feedback


class InconsistentFeedback(EngineError):  # noqa: N818 - it names what is wrong, as solvers of the field do
    """No secret explains all turns of a history.

    Attributes:
        turns: ascending 0-based indices of the smallest contradictory set of turns; of equally
            small sets the lexicographically last.
        repairs: indices of the turns of which one corrected feedback makes the history possible
            again; may be empty.
    """

    def __init__(self, turns: tuple[int, ...], repairs: tuple[int, ...]) -> None:
        super().__init__(f"turns {turns} cannot all be true; repairs: {repairs}")
        self.turns = turns
        self.repairs = repairs


class GameOverError(EngineError):
    """The game is solved or lost, or the duel is decided: no more guesses are taken."""

    def __init__(self) -> None:
        super().__init__("the game is over")


class ImpossibleRulesError(EngineError):
    """Parameters or an encoded string that describe no playable rules."""


class NoSuchLengthError(ImpossibleRulesError):
    """No FoCdle has this length, only `shortest` to `longest`, in characters."""

    def __init__(self, length: int, shortest: int, longest: int) -> None:
        super().__init__(f"no FoCdle has length {length}, only {shortest} to {longest}")
        self.length = length
        self.shortest = shortest
        self.longest = longest


class TooManyCodesError(ImpossibleRulesError):
    """The rules allow more codes than `most`."""

    def __init__(self, codes: int, most: int) -> None:
        super().__init__(f"{codes} codes are more than {most}")
        self.codes = codes
        self.most = most

"""The nouns of the coach: what it found in a game, as plain facts."""

import json
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Self

from bot.coach.model.insights import Insight, Observation
from bot.dailies import Field, PuzzleName
from bot.games.game.hints import history_of
from bot.games.model.games import GameName
from bot.games.model.hints import Hint
from engine import Rules, Shown, Turn
from engine.skill import Grade, Loss, skill_of


@dataclass(frozen=True, slots=True)
class Record:
    """A game to look at.

    Attributes:
        rules: the game.
        notation: the rules as they are stored.
        secret: what was to be found; None where only its player knows it.
        turns: what was guessed and answered.
        most: how many guesses its player had, if something else than the rules ended it, and
            the player knew it before the last of them: the other one had found the number.
        hints: the hints that were taken.
    """

    rules: Rules[Any]
    notation: str
    secret: str | None
    turns: tuple[Turn[Any], ...]
    most: int | None = None
    hints: tuple[Hint, ...] = ()

    def before(self, turn: int) -> tuple[Turn[Any] | Shown, ...]:
        """All that its player knew before a guess, or after the last."""
        return history_of(self.turns[:turn], self.hints)


@dataclass(frozen=True, slots=True)
class CoachTurn:
    """What one guess was worth; see `engine.solvers.TurnAnalysis`.

    Attributes:
        guess: the guess.
        feedback: its marks, one a symbol, or bulls and cows.
        before: how many secrets were possible before it.
        after: how many were after it.
        promised: the bits it was expected to give.
        choice: what the solver would have guessed.
        choice_promised: the bits that this was expected to give.
        loss: what it cost beside the solver's choice.
        grade: how good it was.
        luck: 0 to 99.
        observations: what can be said about it, the most telling first; at least one.
        is_last: whether no other could follow it.
    """

    guess: str
    feedback: tuple[int, ...]
    before: int
    after: int
    promised: float
    choice: str
    choice_promised: float
    loss: Loss
    grade: Grade
    luck: int
    observations: tuple[Observation, ...]
    is_last: bool = False


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a guess promised before it was answered; its attributes are a `CoachTurn`'s."""

    guess: str
    before: int
    promised: float
    choice: str
    choice_promised: float
    loss: Loss
    is_last: bool


@dataclass(frozen=True, slots=True)
class Step:
    """A guess of the solver's own line, and how many secrets were possible after it."""

    guess: str
    after: int


ANALYSIS_VERSION: Final = 4
"""The version of analyses; earlier ones are worked out again."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """What the coach found in a game; the same for whoever looks.

    Attributes:
        rules: the game and its setting, in notation.
        secret: what was to be found; None where only its player knows it.
        is_solved: whether it was found.
        turns: the guesses, at least one.
        line: what the solver would have guessed from the start, up to the secret; empty where
            the secret is not known.
    """

    rules: str
    secret: str | None
    is_solved: bool
    turns: tuple[CoachTurn, ...]
    line: tuple[Step, ...]

    def encode(self) -> str:
        """The analysis as JSON, as it is stored."""
        facts = asdict(self)
        for turn in facts["turns"]:
            turn["observations"] = [_without_defaults(seen) for seen in turn["observations"]]
        # Fractions are written as such: a skill must not depend on how they are rounded.
        return json.dumps(facts, separators=(",", ":"), default=str)

    @classmethod
    def decode(cls, text: str) -> Self:
        """What `encode` wrote."""
        facts: dict[str, Any] = json.loads(text)
        turns = tuple(map(_turn, facts.pop("turns")))
        line = tuple(Step(**step) for step in facts.pop("line"))
        return cls(**facts, turns=turns, line=line)

    @property
    def skill(self) -> int:
        """0 to 99: what all guesses lost beside all that was at stake."""
        return skill_of(turn.loss for turn in self.turns)

    @property
    def luck(self) -> int:
        """The mean luck."""
        return round(sum(turn.luck for turn in self.turns) / len(self.turns))


def _turn(facts: dict[str, Any]) -> CoachTurn:
    seen = tuple(
        Observation(Insight(fields.pop("kind")), **fields) for fields in facts.pop("observations")
    )
    feedback = tuple(facts.pop("feedback"))
    loss, grade = _loss(**facts.pop("loss")), Grade(facts.pop("grade"))
    return CoachTurn(**facts, feedback=feedback, loss=loss, grade=grade, observations=seen)


def _loss(guesses: str, stake: str, is_exact: bool, candidates: str | None) -> Loss:
    least = None if candidates is None else Fraction(candidates)
    return Loss(Fraction(guesses), Fraction(stake), is_exact, least)


def _without_defaults(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value}


class Role(StrEnum):
    """Whose guesses a player looks at."""

    OWN = "own"
    """The player's own."""
    OTHER = "other"
    """Another player's."""
    BOT = "bot"
    """The bot's."""


@dataclass(frozen=True, slots=True)
class Review:
    """An analysis for a player.

    Attributes:
        game: what it is asked for by, its seat told.
        role: whose guesses these are.
        breaker_id: the player who guessed; None for the bot.
        analysis: what was found.
        puzzle: which daily it was; None for all else.
        par: how many guesses the solver takes on average; None if that is not known (yet).
        field: how others fared; None where there are none.
        hints: the hints that were taken.
        other_seat: the other side of a duel; None for all else, and where nobody guessed.
        palette: the tiles that who looks wants.
    """

    game: GameName
    role: Role
    breaker_id: int | None
    analysis: Analysis
    puzzle: PuzzleName | None = None
    par: float | None = None
    field: Field | None = None
    hints: tuple[Hint, ...] = ()
    other_seat: int | None = None
    palette: str = "standard"

"""Nouns of the coach, and its reasons of refusal."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Self

from bot.clock import PuzzleName
from bot.games.model import GameName, Hint, Role
from bot.refused import Refused
from bot.text.language import N_
from engine import Focdle, decode
from engine.deductions import Case, Fault
from engine.skill import Grade, Loss


class ContradictoryAnswersError(Refused):
    sentence = N_("The answers in this game contradict each other.")


class OneAtATimeError(Refused):
    sentence = N_("The coach is busy with another game of yours. Try again soon.")


class HintOverError(Refused):
    sentence = N_("This game is over. Press **Coach** to see how it went.")


class FirstHintError(Refused):
    """The player has not yet taken a hint that costs something: they are asked before."""

    sentence = N_("**Take a hint?** It shows a symbol in its place.")


class Insight(StrEnum):
    """The kind of an observation about a guess."""

    FIRST_TRY = "first_try"
    """Right with the first guess."""
    ONLY_LEFT = "only_left"
    """Right as the only candidate."""
    COIN_WON = "coin_won"
    """Right as one of two candidates."""
    HIT = "hit"
    """Right as one of three or more candidates."""
    LAST_CHANCE = "last_chance"
    """Right with the last guess, as one of three or more candidates."""

    TWIN = "twin"
    """The guess has the secret's result, and its numbers and operators in another order."""
    NEAR_MISS = "near_miss"
    """The guess has exactly the symbols of the secret, but not all in their places."""
    LAST_WASTED = "last_wasted"
    """The last guess was none of three or more candidates."""
    LAST_SHOT = "last_shot"
    """The last guess was one of three or more candidates, and not the secret."""
    ONLY_MISSED = "only_missed"
    """One candidate was left, and the guess was another code."""
    COIN_LOST = "coin_lost"
    """The guess was the wrong one of two candidates."""
    PAIR_UNUSED = "pair_unused"
    """The guess was neither of two candidates."""

    UNTRUE = "untrue"
    """The guess fits all clues, but is no true equation."""
    WASTED = "wasted"
    """The guess was no candidate, and all candidates would have given it the same answer."""
    OLD_TWIN = "old_twin"
    """The guess, no candidate, has an earlier one's result, and its numbers in another order."""
    DEAD_SYMBOL = "dead_symbol"
    """The guess uses a symbol that an earlier one had ruled out."""
    DEAD_DEDUCED = "dead_deduced"
    """The guess uses a symbol that only several earlier ones together had ruled out."""
    CLUE_KEEP = "clue_keep"
    """The guess has another symbol in a place where an earlier one had found the right one."""
    CLUE_MOVE = "clue_move"
    """The guess has a symbol in a place that an earlier one had ruled out for it."""
    CLUE_USE = "clue_use"
    """The guess has fewer copies of a symbol than an earlier one had found, or none."""
    CLUE_DROP = "clue_drop"
    """The guess has more copies of a symbol than an earlier one had allowed."""
    CLUE_SCORE = "clue_score"
    """As the secret, the guess would have scored an earlier one differently."""
    CLUE_SHOWN = "clue_shown"
    """The guess has another symbol in a place that a hint had shown."""
    FORCED_PLACE = "forced_place"
    """All candidates had the same symbol in a place where the guess has another."""
    FORCED_SYMBOL = "forced_symbol"
    """All candidates had a symbol that the guess leaves out."""
    KNOWN_AGAIN = "known_again"
    """The guess could not be right, and still repeated two or more places that were known."""

    SAFE_PROBE = "safe_probe"
    """The guess could not be right, and told all candidates apart."""
    PURE_PROBE = "pure_probe"
    """The guess could not be right, and was worth it: nearly as good as the best choice."""
    BOLD = "bold"
    """The guess could be right; the solver's choice could not, and promised more."""
    HALVES = "halves"
    """Two answers were possible, each for about half of the candidates."""

    LEFT_ONE = "left_one"
    OPENING = "opening"
    REPEATS = "repeats"
    PERFECT = "perfect"
    AS_GOOD = "as_good"
    """Another guess that costs no more than the solver's choice."""
    BIG_CUT = "big_cut"
    """The answer left a hundredth of the candidates or fewer, but more than one."""
    STEADY = "steady"
    """How many candidates the guess left: the last observation about every guess."""


CONTRADICTIONS: Final = frozenset(
    {
        Insight.UNTRUE,
        Insight.OLD_TWIN,
        Insight.DEAD_SYMBOL,
        Insight.DEAD_DEDUCED,
        Insight.CLUE_KEEP,
        Insight.CLUE_MOVE,
        Insight.CLUE_USE,
        Insight.CLUE_DROP,
        Insight.CLUE_SCORE,
        Insight.CLUE_SHOWN,
        Insight.FORCED_PLACE,
        Insight.FORCED_SYMBOL,
    }
)
REASONS: Final = CONTRADICTIONS | {
    Insight.LAST_WASTED,
    Insight.ONLY_MISSED,
    Insight.PAIR_UNUSED,
    Insight.WASTED,
    Insight.KNOWN_AGAIN,
    Insight.BOLD,
    Insight.REPEATS,
}
PRAISES: Final = frozenset({Insight.PERFECT, Insight.AS_GOOD, Insight.OPENING, Insight.PURE_PROBE})


BAD_GRADES: Final = frozenset({Grade.DOUBTFUL, Grade.BAD, Grade.BLUNDER})


@dataclass(frozen=True, slots=True)
class Observation:
    """One fact about a guess; fields that its kind does not use have their defaults.

    Attributes:
        turn: the 0-based index of the earlier guess that the fact is about.
        count: the number that the kind counts.
        total: the number out of which `count` is counted.
        because: one or two clues that prove a deduced fact; else empty.
        case: a form of the equation that shows a deduced fact, or that is left without it.
    """

    kind: Insight
    turn: int = 0
    symbol: str = ""
    place: int = 0
    count: int = 0
    total: int = 0
    code: str = ""
    because: tuple["Observation", ...] = ()
    case: Case | None = None


@dataclass(frozen=True, slots=True)
class KnownBefore:
    """Facts that followed from all clues before a guess; empty where there were none.

    Attributes:
        absent: symbols that no candidate had.
        certain: symbols that every candidate had.
        fixed: by 0-based place, the symbol that every candidate had there.
        some: the first few candidates.
    """

    absent: frozenset[str] = frozenset()
    certain: frozenset[str] = frozenset()
    fixed: Mapping[int, str] = field(default_factory=dict[int, str])
    some: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CoachTurn:
    """The worth of one guess; see `engine.solvers.TurnAnalysis`.

    Attributes:
        feedback: a mark for each symbol, or bulls and cows.
        grade: the coach's mark.
        best: how many candidates the solver's choice would have left: 0 if it was the secret, None
            if that is unknown.
        observations: most telling first; at least one.
        is_possible: whether the guess was a candidate.
    """

    guess: str
    feedback: tuple[int, ...]
    before: int
    after: int
    choice: str
    loss: Loss
    grade: Grade
    best: int | None
    observations: tuple[Observation, ...]
    is_last: bool = False
    is_possible: bool = False


@dataclass(frozen=True, slots=True)
class Weighed:
    """What a guess is worth in a position of a finished game.

    Attributes:
        choice: the solver's choice there.
        lost: what the guess costs more than the choice on average, in guesses.
        left: how many candidates it leaves: 0 if it is right.
        best: how many candidates the choice leaves.
        grade: the coach's mark.
        is_last: whether no further guess could follow.
    """

    guess: str
    choice: str
    lost: Fraction
    left: int
    best: int
    grade: Grade
    is_last: bool


ANALYSIS_VERSION: Final = 8
"""The version of analyses; a stored one of another version counts as missing."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The coach's analysis of a game, the same for every viewer.

    Attributes:
        secret: None where only its player knows it.
        hinted: how many candidates each hint left.
        solvers: how many guesses the solver takes at this secret; None if the secret is unknown.
        mean: how many guesses the solver takes on average at all secrets.
    """

    rules: str
    secret: str | None
    is_solved: bool
    turns: tuple[CoachTurn, ...]
    hinted: tuple[int, ...] = ()
    solvers: int | None = None
    mean: float = 0.0

    def encode(self) -> str:
        """Encode the analysis as the stored JSON."""
        facts = asdict(self)
        for turn in facts["turns"]:
            turn["observations"] = [_without_defaults(seen) for seen in turn["observations"]]
        # Fractions are written exactly: a grade must not depend on rounding.
        return json.dumps(facts, separators=(",", ":"), default=str)

    @classmethod
    def decode(cls, text: str) -> Self:
        facts: dict[str, Any] = json.loads(text)
        turns, hinted = tuple(map(_turn, facts.pop("turns"))), tuple(facts.pop("hinted"))
        return cls(**facts, turns=turns, hinted=hinted)


def _turn(facts: dict[str, Any]) -> CoachTurn:
    seen = tuple(map(_observation, facts.pop("observations")))
    feedback = tuple(facts.pop("feedback"))
    loss, grade = _loss(**facts.pop("loss")), Grade(facts.pop("grade"))
    return CoachTurn(**facts, feedback=feedback, loss=loss, grade=grade, observations=seen)


def _observation(facts: dict[str, Any]) -> Observation:
    because = tuple(map(_observation, facts.pop("because", ())))
    if case := facts.pop("case", None):
        case = Case(**{**case, "fault": Fault(case["fault"])})
    return Observation(Insight(facts.pop("kind")), **facts, because=because, case=case)


def _loss(guesses: str, stake: str, is_exact: bool, candidates: str | None) -> Loss:
    least = None if candidates is None else Fraction(candidates)
    return Loss(Fraction(guesses), Fraction(stake), is_exact, least)


def _without_defaults(fields: dict[str, Any]) -> dict[str, Any]:
    told = {name: value for name, value in fields.items() if value}
    if "because" in told:
        told["because"] = list(map(_without_defaults, told["because"]))
    return told


@dataclass(frozen=True, slots=True)
class Review:
    """An analysis for a viewer.

    Attributes:
        breaker_id: the player who guessed; None for the bot.
        setter: who set the equation, empty if that is not to be told; None of any other game.
        other_seat: in a duel, the seat whose guesses were not analysed; None if it made none.
    """

    game: GameName
    role: Role
    breaker_id: int | None
    analysis: Analysis
    puzzle: PuzzleName | None = None
    setter: str | None = None
    hints: tuple[Hint, ...] = ()
    other_seat: int | None = None
    palette: str = "standard"

    @property
    def has_lessons(self) -> bool:
        """True if its player can look for better guesses: of a FoCdle, raced at or not."""
        return isinstance(decode(self.analysis.rules), Focdle)

"""The nouns of the coach, and what it refuses."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, Self

from bot.clock import PuzzleName
from bot.games.model import GameName, Hint, history_of
from bot.refused import OthersGameError, Refused
from bot.text.language import N_
from bot.text.language import gettext as _
from bot.text.markup import mention
from engine import Rules, Shown, Turn
from engine.skill import Grade, Loss, skill_of


class StillPlayingError(Refused):
    sentence = N_("The coach speaks when the game is over.")


class NobodyGuessedError(Refused):
    sentence = N_("Nobody has guessed in this game.")


class ContradictoryAnswersError(Refused):
    sentence = N_("The answers in this game contradict each other.")


class NotAPlayerError(OthersGameError):
    """Somebody who watched a game asks about it."""

    player_ids: tuple[int, ...]
    """Who played it."""

    def told(self) -> str:
        return _(
            "This game is for {first} and {second}. Play one of your own, then press **Coach**."
        ).format(first=mention(self.player_ids[0]), second=mention(self.player_ids[-1]))


class OneAtATimeError(Refused):
    sentence = N_("The coach is busy with another game of yours. Try again when that is answered.")


class CoachBusyError(Refused):
    sentence = N_("Many games wait for the coach. Try again in a minute.")


class HintOverError(Refused):
    sentence = N_("This game is over. **Coach** tells you all about it.")


class NotForEverybodyError(Refused):
    sentence = N_("This game stays between you and me here.")


class Insight(StrEnum):
    """What can be said about a guess. Those of a group exclude each other."""

    FIRST_TRY = "first_try"
    """Right with the first guess."""
    ONLY_LEFT = "only_left"
    """Right, and nothing else was possible."""
    COIN_WON = "coin_won"
    """Right, where two were possible."""
    LUCKY_HIT = "lucky_hit"
    """Right, where more were possible."""
    LAST_CHANCE = "last_chance"
    """Right with the last guess."""

    TWIN = "twin"
    """Adds or multiplies the same numbers as the secret, in another order."""
    NEAR_MISS = "near_miss"
    """All symbols are right, and some are in the wrong place."""
    LAST_WASTED = "last_wasted"
    """The last guess could not be right."""
    LAST_SHOT = "last_shot"
    """The last guess could be right, and so could several others, one of which was."""
    ONLY_MISSED = "only_missed"
    """One was possible, and this was not it."""
    COIN_LOST = "coin_lost"
    """Two were possible, and it was the other one."""
    PAIR_UNUSED = "pair_unused"
    """Two were possible, and this was neither."""

    UNTRUE = "untrue"
    """It explains all clues, but is no true equation."""
    WASTED = "wasted"
    """All that was possible would have given the same answer."""
    OLD_TWIN = "old_twin"
    """The same numbers as an earlier guess, in another order; it could not be right."""
    DEAD_SYMBOL = "dead_symbol"
    """It uses a symbol that an earlier guess had ruled out."""
    DEAD_DEDUCED = "dead_deduced"
    """It uses a symbol that nothing possible had."""
    CLUE_KEEP = "clue_keep"
    """It moves a symbol that an earlier guess had found in its place."""
    CLUE_MOVE = "clue_move"
    """It leaves a symbol in a place that an earlier guess had ruled out."""
    CLUE_USE = "clue_use"
    """It leaves out a symbol that an earlier guess had found."""
    CLUE_DROP = "clue_drop"
    """It uses more copies of a symbol than an earlier guess had found."""
    CLUE_SCORE = "clue_score"
    """It would have got another score in the place of the secret, for an earlier guess."""
    FORCED_PLACE = "forced_place"
    """Everything that was possible had another symbol in a place."""
    FORCED_SYMBOL = "forced_symbol"
    """Everything that was possible had a symbol that it leaves out."""
    KNOWN_AGAIN = "known_again"
    """It could not be right, and still asked for places that were known, when not all were."""

    SAFE_PROBE = "safe_probe"
    """It could not be right, and told everything apart."""
    PURE_PROBE = "pure_probe"
    """It could not be right, and cost little more than the best, which could not be right either or
    promised less."""
    BOLD = "bold"
    """It could be right, where a guess that could not would have promised more."""
    HALVES = "halves"
    """Two answers were possible, each for about half."""

    RARE = "rare"
    """It got an answer that leaves few."""
    COMMON = "common"
    """It got the answer that leaves most."""
    UNLUCKY = "unlucky"
    """It got another answer that leaves many."""
    LEFT_ONE = "left_one"
    """It left one."""
    OPENING = "opening"
    """A first guess about as good as the solver's."""
    REPEATS = "repeats"
    """A first guess that uses a symbol several times."""
    PERFECT = "perfect"
    """The guess that the solver would have made."""
    AS_GOOD = "as_good"
    """Another guess that costs no more."""
    BIG_CUT = "big_cut"
    """It left a hundredth or less."""
    WEAK = "weak"
    """It promised less than half the bits of the solver's guess."""
    STEADY = "steady"
    """None of the other insights."""


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
        Insight.FORCED_PLACE,
        Insight.FORCED_SYMBOL,
    }
)
"""What says why a guess could not be right."""

REASONS: Final = CONTRADICTIONS | {
    Insight.LAST_WASTED,
    Insight.ONLY_MISSED,
    Insight.PAIR_UNUSED,
    Insight.WASTED,
    Insight.KNOWN_AGAIN,
    Insight.BOLD,
    Insight.REPEATS,
    Insight.WEAK,
}
"""What says why a guess was bad."""

PRAISES: Final = frozenset({Insight.PERFECT, Insight.AS_GOOD, Insight.OPENING, Insight.PURE_PROBE})
"""What says why a guess was good."""


@dataclass(frozen=True, slots=True)
class Observation:
    """One fact about a guess; attributes that its kind does not use are empty.

    Attributes:
        kind: what it is.
        turn: the earlier guess that it is about, 0-based.
        symbol: a symbol of the game.
        place: where, 0-based.
        count: of what the kind counts.
        total: out of how many.
        code: a code of the game.
    """

    kind: Insight
    turn: int = 0
    symbol: str = ""
    place: int = 0
    count: int = 0
    total: int = 0
    code: str = ""


@dataclass(frozen=True, slots=True)
class Known:
    """What followed from all clues before a guess.

    Attributes:
        absent: the symbols that were in nothing that was possible.
        certain: the symbols that were in all that was possible.
        fixed: the places where all that was possible had the same symbol.
        some: the first few of what was possible.
    """

    absent: frozenset[str] = frozenset()
    certain: frozenset[str] = frozenset()
    fixed: Mapping[int, str] = field(default_factory=dict[int, str])
    some: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Series:
    """One line of the chart: its name, and what was left before and after each guess."""

    name: str
    left: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """What is drawn, in words and numbers.

    Attributes:
        series: whose guesses these are first; the solver's, and the server's, if there are any.
        along: what is counted to the right.
        up: what is counted upwards.
        ticks: how numbers upwards are written.
        description: the same for who cannot see it; at most 1,024 characters.
    """

    series: tuple[Series, ...]
    along: str
    up: str
    ticks: dict[int, str]
    description: str


class Role(StrEnum):
    """Whose guesses a player looks at."""

    OWN = "own"
    """The player's own."""
    OTHER = "other"
    """Another player's."""
    BOT = "bot"
    """The bot's."""


@dataclass(frozen=True, slots=True)
class Field:
    """How others fared with the same puzzle in the same server.

    Attributes:
        players: how many have finished it there, the player included.
        guesses: how many guesses they took on average; a lost game counts as one more than
            there are guesses.
        seen: of how many others the coach knows how they went.
        remaining: how many secrets were possible after each guess, the geometric mean of
            these others; who was done stays where they were.
    """

    players: int
    guesses: float
    seen: int = 0
    remaining: tuple[float, ...] = ()


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

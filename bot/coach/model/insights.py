"""Insights: the kinds of facts that the coach can tell about a guess."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final


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

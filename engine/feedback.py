"""What a guess learns about a secret, and what that leaves possible."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from engine.codes import Code
from engine.errors import Clue, ContradictionError, EngineError


class Mark(IntEnum):
    """The feedback for one symbol of a guess, ordered by how much it says."""

    ABSENT = 0
    PRESENT = 1
    CORRECT = 2


Marks = tuple[Mark, ...]
"""Feedback for a whole guess: one mark a symbol, left to right."""


class Score(NamedTuple):
    """Feedback as two counts; in Mastermind's words the black and the white key pegs."""

    bulls: int
    """Symbols in their right place: black."""
    cows: int
    """Further symbols that the secret has elsewhere: white."""


F = TypeVar("F")
"""A game's kind of feedback."""


@dataclass(frozen=True, slots=True)
class Turn(Generic[F]):
    """A guess and the feedback it got."""

    guess: Code
    feedback: F


AnyTurn: TypeAlias = Turn[F] | Turn[str]
"""A turn whose feedback may also be the text of one, as `Rules.read_feedback` reads it."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A symbol of the secret in its 0-based place, as a hint shows it."""

    place: int
    symbol: str


Fact: TypeAlias = AnyTurn[F] | Shown
"""What a history is made of, in the order in which its player learnt it."""


def mark(guess: str, secret: str) -> Marks:
    """Score any guess against any secret of the same length, as Wordle does.

    Symbols in their right place are CORRECT. Then, from left to right, a symbol
    is PRESENT while unmatched copies of it remain in the secret, else ABSENT.
    Legality is not checked.

    Raises:
        EngineError: the lengths differ.
    """
    if len(guess) != len(secret):
        raise EngineError(f"cannot mark {len(guess)} symbols against {len(secret)}")
    unmatched = Counter(s for g, s in zip(guess, secret, strict=True) if g != s)
    marks: list[Mark] = []
    for g, s in zip(guess, secret, strict=True):
        if g == s:
            marks.append(Mark.CORRECT)
        elif unmatched[g] > 0:
            unmatched[g] -= 1
            marks.append(Mark.PRESENT)
        else:
            marks.append(Mark.ABSENT)
    return tuple(marks)


def score(guess: str, secret: str) -> Score:
    """Count how many symbols of a guess are right, as Mastermind and Bulls and Cows do.

    A symbol that both have is counted as often as the one that has fewer copies
    of it; those counts less the bulls are the cows. Symmetric. Legality is not
    checked.

    Raises:
        EngineError: the lengths differ.
    """
    if len(guess) != len(secret):
        raise EngineError(f"cannot score {len(guess)} symbols against {len(secret)}")
    bulls = sum(g == s for g, s in zip(guess, secret, strict=True))
    shared = sum(min(guess.count(symbol), secret.count(symbol)) for symbol in set(guess))
    return Score(bulls, shared - bulls)


def check_consistent(candidate: str, history: Sequence[Turn[Marks] | Shown]) -> None:
    """Accept what `engine.is_consistent` accepts, and say what is wrong with the rest.

    Raises:
        ContradictionError: the first clue that is not met: places before copies
            within a turn, as a person would check them.
        EngineError: the candidate is not as long as the guesses.
    """
    for fact in history:
        if isinstance(fact, Shown) and candidate[fact.place] != fact.symbol:
            raise ContradictionError(
                candidate, 0, Clue.SHOWN, symbol=fact.symbol, position=fact.place, copies=1
            )
    for index, turn in enumerate(fact for fact in history if not isinstance(fact, Shown)):
        if len(turn.guess) != len(candidate):
            raise EngineError(f"{len(candidate)} symbols cannot follow {len(turn.guess)}")
        for clue, position in _unmet_clues(candidate, turn):
            symbol = turn.guess[position]
            raise ContradictionError(
                candidate,
                index,
                clue,
                symbol=symbol,
                position=position,
                copies=_copies_found(turn, symbol),
            )


def _unmet_clues(candidate: str, turn: Turn[Marks]) -> Iterator[tuple[Clue, int]]:
    for position, (symbol, m) in enumerate(zip(turn.guess, turn.feedback, strict=True)):
        if (candidate[position] == symbol) != (m is Mark.CORRECT):
            yield (Clue.KEEP if m is Mark.CORRECT else Clue.MOVE), position
    for position, (symbol, m) in enumerate(zip(turn.guess, turn.feedback, strict=True)):
        found, used = _copies_found(turn, symbol), candidate.count(symbol)
        if used < found:
            yield Clue.USE, position
        if used > found and m is Mark.ABSENT:
            yield Clue.DROP, position


def _copies_found(turn: Turn[Marks], symbol: str) -> int:
    marks = zip(turn.guess, turn.feedback, strict=True)
    return sum(s == symbol and m is not Mark.ABSENT for s, m in marks)


def is_same_symbols(feedback: Marks) -> bool:
    """Whether the guess has all the right symbols, and only their order is wrong."""
    return Mark.ABSENT not in feedback and Mark.PRESENT in feedback


def best_marks(turns: Iterable[Turn[Marks]]) -> dict[str, Mark]:
    """The best mark that each guessed symbol has got; symbols never guessed are missing."""
    best: dict[str, Mark] = {}
    for turn in turns:
        for symbol, m in zip(turn.guess, turn.feedback, strict=True):
            best[symbol] = max(m, best.get(symbol, m))
    return best

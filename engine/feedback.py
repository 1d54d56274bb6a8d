"""Feedback to guesses: computed, written, parsed, and held against candidates."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from typing import Final, Generic, NamedTuple, TypeAlias, TypeVar

from engine.codes import Code, Symbol, bare, fold, refuse_invisible
from engine.errors import (
    MARKS_HELP,
    SCORE_HELP,
    Clue,
    ContradictionError,
    EngineError,
    FeedbackError,
    Problem,
)


class Mark(IntEnum):
    """The feedback for one symbol of a guess; a greater mark says more."""

    ABSENT = 0
    PRESENT = 1
    CORRECT = 2


Marks = tuple[Mark, ...]
"""Feedback for a whole guess: one mark a symbol, left to right."""


class Score(NamedTuple):
    """Feedback as two counts; in Mastermind the black and the white key pegs."""

    bulls: int
    """How many symbols of the guess are in their right place: black pegs."""
    cows: int
    """How many further symbols of the guess the secret has elsewhere: white pegs."""


F = TypeVar("F")
"""A game's type of feedback."""


@dataclass(frozen=True, slots=True)
class Turn(Generic[F]):
    """A guess and its feedback."""

    guess: Code
    feedback: F


AnyTurn: TypeAlias = Turn[F] | Turn[str]
"""A turn whose feedback is parsed already, or text for `Rules.read_feedback`."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A symbol of the secret in its 0-based place, as a hint shows it."""

    place: int
    symbol: str


Fact: TypeAlias = AnyTurn[F] | Shown
"""A turn or a hint. A history is a sequence of both, in the order of play."""


def mark(guess: str, secret: str) -> Marks:
    """Mark any guess against any secret of the same length.

    Symbols in their right place are CORRECT. Then, from left to right, a symbol is PRESENT while
    the secret has copies of it that no symbol of the guess has been matched with, else ABSENT.
    Whether guess and secret are codes of a game is not checked.

    >>> write_marks(mark("21+20*4=55", "25+4*12=73"))
    'gygyxyygyx'

    Raises:
        EngineError: the lengths differ.
    """
    if len(guess) != len(secret):
        raise EngineError(
            f"A guess of {len(guess)} symbols has no marks against a secret of {len(secret)}."
        )
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
    """Count the right symbols of a guess, as Mastermind and Bulls and Cows do.

    Bulls are symbols in their right place. If guess and secret have different numbers of copies of
    a symbol, they share the smaller number. Shared copies that are no bulls are cows. Swapping
    guess and secret changes nothing. Whether they are codes of a game is not checked.

    >>> score("RRGB", "GRRY")
    Score(bulls=1, cows=2)

    Raises:
        EngineError: the lengths differ.
    """
    if len(guess) != len(secret):
        raise EngineError(
            f"A guess of {len(guess)} symbols has no score against a secret of {len(secret)}."
        )
    bulls = sum(g == s for g, s in zip(guess, secret, strict=True))
    shared = sum(min(guess.count(symbol), secret.count(symbol)) for symbol in set(guess))
    return Score(bulls, shared - bulls)


def check_consistent(candidate: str, history: Sequence[Turn[Marks] | Shown]) -> None:
    """Refuse a code that could not be the secret.

    Raises:
        ContradictionError: the first clue that the code does not meet. Hints are checked before
            turns. Within a turn, places are checked before numbers of copies.
        EngineError: the code is not as long as the guesses, or too short for a hint.
    """
    for fact in history:
        if isinstance(fact, Shown) and fact.place >= len(candidate):
            raise EngineError(f"A guess of {len(candidate)} symbols has no place {fact.place + 1}.")
        if isinstance(fact, Shown) and candidate[fact.place] != fact.symbol:
            raise ContradictionError(
                candidate, 0, Clue.SHOWN, symbol=fact.symbol, position=fact.place, copies=1
            )
    for index, turn in enumerate(fact for fact in history if not isinstance(fact, Shown)):
        if len(turn.guess) != len(candidate):
            raise EngineError(
                f"A guess of {len(candidate)} symbols cannot follow one of {len(turn.guess)}."
            )
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
    """True if a guess has just the symbols of the secret, but not all of them in their places."""
    return Mark.ABSENT not in feedback and Mark.PRESENT in feedback


def best_marks(turns: Iterable[Turn[Marks]]) -> dict[str, Mark]:
    """Map each symbol that was guessed to the best mark that it has got."""
    best: dict[str, Mark] = {}
    for turn in turns:
        for symbol, m in zip(turn.guess, turn.feedback, strict=True):
            best[symbol] = max(m, best.get(symbol, m))
    return best


# Feedback as text, both ways: ``xygxyxxggg``, ``2B1C``, ``●●○``.

_LETTERS: Final = "xyg"
"""For each mark, at the index of its value, its letter."""

_MARKS: Final[dict[str, Mark]] = {
    **dict.fromkeys("xX0._-–—⬛⬜◼◻▪▫⚫⚪", Mark.ABSENT),
    **dict.fromkeys("yY1🟨🟡🟦🔵", Mark.PRESENT),
    **dict.fromkeys("gG2🟩🟢🟧🟠", Mark.CORRECT),
}

_NOTHING: Final = frozenset({"-", "–", "—", "0", "none", "nothing"})
_COUNTED_BULLS: Final = frozenset(("red", "reds", "r"))
"""Names of bulls that need a count beside them; without one they would be pegs of a guess."""
_BULLS: Final = _COUNTED_BULLS | {"bull", "bulls", "black", "blacks", "b", "a", *"●⚫⬤🖤"}
_COWS: Final = frozenset(("cow", "cows", "c", "white", "whites", "w", *"○⚪◯🤍"))
_A_AND_B: Final = frozenset("ab")
"""The letters of the notation 1A2B, in which A is a bull and B a cow; else B is a bull."""
_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six")
_PIECE: Final = (
    r"(?P<gap>[ ,;:._/|+&=()\[\]–—-]|and(?![a-z]))"
    r"|(?P<count>\d{1,3}(?!\d))"
    r"|(?P<word>[a-z]+|\d+|.)"
)
_fault: Final = partial(FeedbackError, known=SCORE_HELP)

_DASHES: Final = "–—-"
_SPOKEN: Final = 10
"""The shortest code whose two counts need a gap between them: 12 may be one count there."""
_COUNTS: Final = 2


def write_marks(marks: Marks) -> str:
    """Write marks as letters, left to right: g right place, y elsewhere, x not (so often) there."""
    return "".join(_LETTERS[m] for m in marks)


def read_marks(text: str, length: int) -> Marks:
    """Parse typed or pasted marks: g y x, 2 1 0 or coloured squares, with spaces anywhere.

    `length` is how many marks there must be.

    Raises:
        FeedbackError: EMPTY, UNKNOWN_SYMBOL, TOO_SHORT or TOO_LONG; says where.
        NotationError: INVISIBLE.
    """
    refuse_invisible(text)
    found: list[tuple[Mark, int]] = []
    for position, character in enumerate(text):
        folded = fold(character)
        if folded and folded not in _MARKS:
            raise FeedbackError(
                Problem.UNKNOWN_SYMBOL, position, symbol=character, known=MARKS_HELP
            )
        if folded:
            found.append((_MARKS[folded], position))
    if not found:
        raise FeedbackError(Problem.EMPTY, 0, known=MARKS_HELP)
    if len(found) != length:
        short = len(found) < length
        raise FeedbackError(
            Problem.TOO_SHORT if short else Problem.TOO_LONG,
            len(text) if short else found[length][1],
            noun="mark",
            found=len(found),
            wanted=length,
            known=MARKS_HELP,
        )
    return tuple(m for m, _ in found)


def write_counts(score: Score) -> str:
    """Write a score as in Bulls and Cows: ``2B1C``."""
    return f"{score.bulls}B{score.cows}C"


def write_pegs(score: Score) -> str:
    """Write a score as Mastermind's key pegs, black ones first: ``●●○``; ``-`` for no pegs."""
    return "●" * score.bulls + "○" * score.cows or "-"


def read_score(text: str, length: int) -> Score:
    """Parse a typed score: ``2B1C``, ``1A2B``, ``2 1``, ``●●○``, ``Bulls: 2, Cows: 1``.

    Two bare numbers are bulls and cows; ``-`` and ``0`` mean that there are neither. Otherwise all
    counts stand before their names, or all behind them. If there is no count at all, each name is
    one peg. What is not named counts 0. `length` is the number of symbols in a code.

    Raises:
        FeedbackError: EMPTY or UNKNOWN_SYMBOL; TOO_SHORT for a count without a name or a name
            without a count, REPEATED_SYMBOL for bulls or cows that are counted twice, TOO_LONG for
            more counts than two, or for more bulls and cows than a code has symbols.
        NotationError: INVISIBLE.
    """
    folded = "".join(fold(character) or " " for character in bare(text))
    if folded.strip().lower() in _NOTHING:
        return Score(0, 0)
    tokens = _tokens(folded, text)
    names = [token for token in tokens if not token.text.isdigit()]
    counts = [token for token in tokens if token.text.isdigit()]
    if not tokens:
        raise _fault(Problem.EMPTY, 0)
    if not names:
        score = _bare_counts(counts, length)
    elif not counts:
        score = _pegs(names)
    else:
        score = _named_counts(tokens)
    if score is None:
        raise _fault(Problem.TOO_SHORT, len(text), noun="count", found=1, wanted=_COUNTS)
    if sum(score) > length:
        raise _fault(Problem.TOO_LONG, 0, noun="symbol", found=sum(score), wanted=length)
    return score


def _tokens(folded: str, text: str) -> list[Symbol]:
    """Split a typed score into counts, which become digits, and names of bulls and cows.

    Raises:
        FeedbackError: UNKNOWN_SYMBOL.
    """
    tokens: list[Symbol] = []
    for token in re.finditer(_PIECE, folded, re.ASCII | re.IGNORECASE | re.DOTALL):
        said, position = token.group().lower(), token.start()
        if token.lastgroup == "gap":
            is_end = not folded[:position].strip() or not folded[token.end() :].strip()
            if said in _DASHES and is_end:  # it says "none", not "and"
                raise _unknown(text, position)
        elif token.lastgroup == "count" or said in _BULLS | _COWS:
            tokens.append(Symbol(said, position))
        elif said in _NUMBERS:
            tokens.append(Symbol(str(_NUMBERS.index(said)), position))
        elif set(said) <= _BULLS | _COWS:
            tokens += [Symbol(letter, place) for place, letter in enumerate(said, position)]
        else:
            raise _unknown(text, position, token.end())
    return tokens


def _unknown(text: str, start: int, end: int | None = None) -> FeedbackError:
    return _fault(Problem.UNKNOWN_SYMBOL, start, symbol=text[start : end or start + 1])


def _bare_counts(counts: Sequence[Symbol], length: int) -> Score | None:
    """The score of two counts without names, bulls first; None for a single count.

    A single number of two digits is two counts where codes are shorter than `_SPOKEN`.

    Raises:
        FeedbackError: TOO_LONG.
    """
    said = [count.text for count in counts]
    if len(said) == 1 and len(said[0]) == _COUNTS and length < _SPOKEN:
        said = list(said[0])
    if len(said) > _COUNTS:
        place = counts[_COUNTS].position
        raise _fault(Problem.TOO_LONG, place, noun="count", found=len(said), wanted=_COUNTS)
    return Score(int(said[0]), int(said[1])) if len(said) == _COUNTS else None


def _pegs(names: Sequence[Symbol]) -> Score:
    """The score of names without any count: each name is one bull or one cow.

    Raises:
        FeedbackError: UNKNOWN_SYMBOL.
    """
    for name in names:
        if name.text in _COUNTED_BULLS:
            raise _fault(Problem.UNKNOWN_SYMBOL, name.position, symbol=name.text)
    cows = sum(_are_cows(names))
    return Score(len(names) - cows, cows)


def _named_counts(tokens: Sequence[Symbol]) -> Score | None:
    """The score of counts with names: all before their names, or all behind. Otherwise None.

    Raises:
        FeedbackError: REPEATED_SYMBOL or UNKNOWN_SYMBOL.
    """
    names, counts = tokens[1::2], tokens[::2]
    if not tokens[0].text.isdigit():
        names, counts = counts, names
    is_paired = len(names) == len(counts) and all(count.text.isdigit() for count in counts)
    if not is_paired or any(name.text.isdigit() for name in names):
        return None
    totals: dict[bool, int] = {}
    for name, count, is_cow in zip(names, counts, _are_cows(names), strict=True):
        if is_cow in totals:
            raise _fault(Problem.REPEATED_SYMBOL, name.position, symbol=name.text)
        totals[is_cow] = int(count.text)
    return Score(totals.get(False, 0), totals.get(True, 0))


def _are_cows(names: Sequence[Symbol]) -> list[bool]:
    """Tell for each name whether it means cows. Beside an A, which means bulls, a B does.

    Raises:
        FeedbackError: UNKNOWN_SYMBOL for a name other than A and B beside an A.
    """
    letters = {name.text for name in names}
    if "a" not in letters:
        return [name.text in _COWS for name in names]
    for name in names:
        if name.text not in _A_AND_B:
            raise _fault(Problem.UNKNOWN_SYMBOL, name.position, symbol=name.text)
    return [name.text == "b" for name in names]

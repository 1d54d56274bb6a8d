"""Feedback as text, both ways: ``xygxyxxggg``, ``2B1C``, ``●●○``."""

import re
from collections.abc import Sequence
from typing import Final

from engine.codes import fold
from engine.errors import NotationError, Problem
from engine.feedback import Mark, Marks, Score

_LETTERS: Final = "xyg"
"""The letters of the marks, by their values."""

_MARKS: Final[dict[str, Mark]] = {
    **dict.fromkeys("xX0._-–—⬛⬜◼◻▪▫⚫⚪", Mark.ABSENT),
    **dict.fromkeys("yY1🟨🟡🟦🔵", Mark.PRESENT),
    **dict.fromkeys("gG2🟩🟢🟧🟠", Mark.CORRECT),
}

_BLACK: Final = "●"
_WHITE: Final = "○"
_NO_PEGS: Final = "-"

_NOTHING: Final = frozenset({"-", "–", "—", "0", "none", "nothing"})
_TOKEN: Final = re.compile(
    r"(?P<count>\d{1,3})"
    r"|(?P<bull>bulls?|blacks?|b|[●⚫⬤🖤])"
    r"|(?P<cow>cows?|whites?|[cw○⚪◯🤍])"
    r"|(?P<gap>and|[ ,;:/+&–—-])"
    r"|(?P<other>.)",
    re.ASCII | re.IGNORECASE | re.DOTALL,
)
_SPOKEN: Final = 10
"""Of codes shorter than this, two counts may be typed without a gap."""
_COUNTS: Final = 2


def write_marks(marks: Marks) -> str:
    """Marks as letters, left to right: g in its right place, y elsewhere, x nowhere (else)."""
    return "".join(_LETTERS[m] for m in marks)


def read_marks(text: str, length: int) -> Marks:
    """Marks as people type or paste them: g y x, 2 1 0, coloured squares; any spaces.

    Args:
        text: what was typed.
        length: how many marks there have to be.

    Raises:
        NotationError: EMPTY, UNKNOWN_SYMBOL, TOO_SHORT or TOO_LONG; says where.
    """
    found: list[tuple[Mark, int]] = []
    for position, character in enumerate(text):
        folded = fold(character)
        if folded and folded not in _MARKS:
            raise NotationError(Problem.UNKNOWN_SYMBOL, position, symbol=character)
        if folded:
            found.append((_MARKS[folded], position))
    if not found:
        raise NotationError(Problem.EMPTY, 0)
    if len(found) != length:
        short = len(found) < length
        raise NotationError(
            Problem.TOO_SHORT if short else Problem.TOO_LONG,
            len(text) if short else found[length][1],
            found=len(found),
            wanted=length,
        )
    return tuple(m for m, _ in found)


def as_marks(marks: Marks | str, length: int) -> Marks:
    """Marks, read if they are text; raises as `read_marks`."""
    return read_marks(marks, length) if isinstance(marks, str) else marks


def write_counts(score: Score) -> str:
    """A score as Bulls and Cows writes it: ``2B1C``."""
    return f"{score.bulls}B{score.cows}C"


def write_pegs(score: Score) -> str:
    """A score as Mastermind's key pegs, the black ones first: ``●●○``; ``-`` for none."""
    return _BLACK * score.bulls + _WHITE * score.cows or _NO_PEGS


def read_score(text: str, length: int) -> Score:
    """A score as people type it: ``2B1C``, ``2 1``, ``●●○``, ``BBW``, ``2 black, 1 white``.

    What is not named is none; two bare numbers are bulls and cows, ``-`` and ``0`` are neither.

    Args:
        text: what was typed.
        length: symbols in a code.

    Raises:
        NotationError: EMPTY or UNKNOWN_SYMBOL; TOO_SHORT for a count of nothing and a number
            alone, TOO_LONG for more than a code has symbols; says where.
    """
    folded = "".join(fold(character) or " " for character in text)
    if not folded.strip():
        raise NotationError(Problem.EMPTY, 0)
    if folded.strip().lower() in _NOTHING:
        return Score(0, 0)
    tokens = [token for token in _TOKEN.finditer(folded) if token.lastgroup != "gap"]
    for token in tokens:
        if token.lastgroup == "other":
            position = token.start()
            raise NotationError(Problem.UNKNOWN_SYMBOL, position, symbol=text[position])
    kinds = {token.lastgroup for token in tokens}
    score = _bare_counts(tokens, length) if kinds == {"count"} else _named_counts(tokens)
    if score is None:
        raise NotationError(Problem.TOO_SHORT, len(text), found=1, wanted=_COUNTS)
    if sum(score) > length:
        raise NotationError(Problem.TOO_LONG, 0, found=sum(score), wanted=length)
    return score


def _bare_counts(tokens: Sequence[re.Match[str]], length: int) -> Score | None:
    counts = [token.group() for token in tokens]
    if len(counts) == 1 and len(counts[0]) == _COUNTS and length < _SPOKEN:
        counts = list(counts[0])
    if len(counts) > _COUNTS:
        raise NotationError(
            Problem.TOO_LONG, tokens[_COUNTS].start(), found=len(counts), wanted=_COUNTS
        )
    return Score(int(counts[0]), int(counts[1])) if len(counts) == _COUNTS else None


def _named_counts(tokens: Sequence[re.Match[str]]) -> Score | None:
    """What numbers before names count, a name alone once; None where a number counts nothing."""
    totals = {"bull": 0, "cow": 0}
    count: int | None = None
    for token in tokens:
        kind = str(token.lastgroup)
        if kind in totals:
            totals[kind] += 1 if count is None else count
            count = None
        elif count is not None:
            return None
        else:
            count = int(token.group())
    return Score(totals["bull"], totals["cow"]) if count is None else None

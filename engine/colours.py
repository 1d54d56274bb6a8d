"""Colours of one's own: names, a letter for each, and what people type for them."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from string import ascii_letters, ascii_uppercase
from typing import Final

from engine.codes import Symbol, fold
from engine.errors import ImpossibleRulesError, NotationError, Problem, listed

MOST_NAMES: Final = len(ascii_letters)
SEPARATORS: Final = ",;.-_–—"
"""Characters, besides spaces, that a typed guess may have between its symbols."""


def check_names(names: Sequence[str]) -> None:
    """Refuse names that are no words, or that are alike; raises ImpossibleRulesError."""
    for place, name in enumerate(names):
        # Callers without a type checker may pass anything.
        if not re.fullmatch(r"[^\W\d_]+( [^\W\d_]+)*", str(name)):
            raise ImpossibleRulesError(f"{name!r} is no name: it takes letters, and single spaces.")
        if name.casefold() in map(str.casefold, names[:place]):
            raise ImpossibleRulesError(f"{name} is there twice.")


@cache
def letters_of(names: tuple[str, ...]) -> str:
    """A letter for each name: its first that no earlier name has, else any."""
    letters = ""
    for name in names:
        possible = [*name.upper(), *ascii_uppercase, *ascii_letters]
        letters += next(each for each in possible if each in ascii_letters and each not in letters)
    return letters


def read_names(text: str, names: tuple[str, ...]) -> list[Symbol]:
    """Parse a typed text as letters of colours: each a name, its beginning, or its number from 1.

    Raises:
        NotationError: UNKNOWN_SYMBOL, with the names that were perhaps meant.
    """
    symbols: list[Symbol] = []
    for words in _words_of(text, len(names)):
        while words:
            position, first = words[0]
            # As many words as make the beginning of a name.
            for count in range(len(words), 0, -1):
                found = _meant(" ".join(word for _, word in words[:count]), names)
                if len(found) == 1:
                    symbols.append(Symbol(letters_of(names)[found[0]], position))
                    del words[:count]
                    break
            else:
                meant = [names[n] for n in _meant(first, names)]
                raise NotationError(
                    Problem.UNKNOWN_SYMBOL,
                    position,
                    symbol=first,
                    meant=listed(meant, "or") if meant else "",
                    place=len(symbols),
                    known="names, their beginnings or numbers: "
                    + listed(f"{n} {name}" for n, name in enumerate(names, 1)),
                )
    return symbols


def _words_of(text: str, count: int) -> Iterator[list[tuple[int, str]]]:
    """The words between separators, with their positions; of few colours, digits one by one."""
    folded = "".join(fold(character) or " " for character in text)
    piece = r"\d|[^\s\d]+" if count < 10 else r"\d+|[^\s\d]+"  # noqa: PLR2004 - one digit each
    for part in re.finditer(f"[^{re.escape(SEPARATORS)}]+", folded):
        yield [(part.start() + word.start(), word.group()) for word in re.finditer(piece, part[0])]


def _meant(typed: str, names: Sequence[str]) -> list[int]:
    if typed.isdecimal():
        return [int(typed) - 1] if 0 < int(typed) <= len(names) else []
    said = typed.casefold()
    known = [name.casefold() for name in names]
    if said in known:
        return [known.index(said)]
    return [n for n, name in enumerate(known) if name.startswith(said)]

"""Numbers with their nouns, in the plural form of the language.

Sentences have placeholders for such phrases: "It closes after {days}."
"""

from typing import Final

from bot.text.language import N_, ngettext, npgettext, number, ordinal_form, say

ALIKE: Final = "≈"
"""Marks a guess that has all symbols of the secret, in another order."""
HARD_MARK: Final = "*"
"""The mark of hard mode behind a FoCdle's number of guesses."""

#: A rank, as CLDR sorts ordinal numbers: one, two, few, other. Many languages need only {n}th.
_RANKS: Final = {"one": N_("{n}st"), "two": N_("{n}nd"), "few": N_("{n}rd"), "other": N_("{n}th")}


def score(made: int, most: int, *, is_solved: bool, is_hard: bool) -> str:
    """Format a game's number of guesses, and of those allowed.

    >>> score(3, 6, is_solved=True, is_hard=True), score(6, 6, is_solved=False, is_hard=False)
    ('3/6*', 'X/6')
    """
    return f"{made if is_solved else 'X'}/{most}{HARD_MARK if is_hard else ''}"


def challenges(n: int) -> str:
    return ngettext("{n} challenge", "{n} challenges", n).format(n=number(n))


def colours(n: int) -> str:
    return ngettext("{n} colour", "{n} colours", n).format(n=number(n))


def days(n: int) -> str:
    return ngettext("{n} day", "{n} days", n).format(n=number(n))


def digits(n: int) -> str:
    return ngettext("{n} digit", "{n} digits", n).format(n=number(n))


def draws(n: int) -> str:
    return ngettext("{n} draw", "{n} draws", n).format(n=number(n))


def duels(n: int) -> str:
    return ngettext("{n} duel", "{n} duels", n).format(n=number(n))


def freezes(n: int) -> str:
    return ngettext("{n} freeze", "{n} freezes", n).format(n=number(n))


def games(n: int) -> str:
    return ngettext("{n} game", "{n} games", n).format(n=number(n))


def guesses(n: int) -> str:
    return ngettext("{n} guess", "{n} guesses", n).format(n=number(n))


def without_hints(n: int) -> str:
    """Write how many dates of a streak were solved without hints."""
    return ngettext("{n} without hints", "{n} without hints", n).format(n=number(n))


def hints(n: int) -> str:
    return ngettext("{n} hint", "{n} hints", n).format(n=number(n))


def ordinal(n: int) -> str:
    """Write a rank: 1st, 2nd, 3rd, 4th."""
    return say(_RANKS.get(ordinal_form(n), _RANKS["other"]), n=number(n))


def pegs(n: int) -> str:
    return ngettext("{n} peg", "{n} pegs", n).format(n=number(n))


def places(n: int) -> str:
    return ngettext("{n} place", "{n} places", n).format(n=number(n))


def players(n: int) -> str:
    return ngettext("{n} player", "{n} players", n).format(n=number(n))


def points(n: int) -> str:
    return ngettext("{n} point", "{n} points", n).format(n=number(n))


def puzzles(n: int) -> str:
    return ngettext("{n} puzzle", "{n} puzzles", n).format(n=number(n))


def rated_duels(n: int) -> str:
    return ngettext("{n} rated duel", "{n} rated duels", n).format(n=number(n))


def solved(n: int) -> str:
    """Write how many puzzles or codes somebody has solved."""
    return ngettext("{n} solved", "{n} solved", n).format(n=number(n))


def symbols(n: int) -> str:
    return ngettext("{n} symbol", "{n} symbols", n).format(n=number(n))


def times(n: int) -> str:
    return ngettext("{n} time", "{n} times", n).format(n=number(n))


# The same after "in", "of", "after" and the like: German says "nach 3 Tagen", but "3 Tage".


def of_days(n: int) -> str:
    return npgettext("after a preposition", "{n} day", "{n} days", n).format(n=number(n))


def of_games(n: int) -> str:
    return npgettext("after a preposition", "{n} game", "{n} games", n).format(n=number(n))


def of_guesses(n: int) -> str:
    return npgettext("after a preposition", "{n} guess", "{n} guesses", n).format(n=number(n))


def of_pegs(n: int) -> str:
    return npgettext("after a preposition", "{n} peg", "{n} pegs", n).format(n=number(n))


def of_players(n: int) -> str:
    return npgettext("after a preposition", "{n} player", "{n} players", n).format(n=number(n))


def of_puzzles(n: int) -> str:
    return npgettext("after a preposition", "{n} puzzle", "{n} puzzles", n).format(n=number(n))


def of_symbols(n: int) -> str:
    return npgettext("after a preposition", "{n} symbol", "{n} symbols", n).format(n=number(n))

"""Numbers with their nouns, in the plural form of the language.

Sentences have placeholders for such phrases: "It closes after {days}."
"""

from collections.abc import Callable
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


def ordinal(n: int) -> str:
    """Write a rank: 1st, 2nd, 3rd, 4th."""
    return say(_RANKS.get(ordinal_form(n), _RANKS["other"]), n=number(n))


def n_(singular: str, plural: str) -> Callable[[int], str]:
    """Mark a noun for translation, and return a function that writes a number with it."""
    return lambda n: ngettext(singular, plural, n).format(n=number(n))


def np_(context: str, singular: str, plural: str) -> Callable[[int], str]:
    return lambda n: npgettext(context, singular, plural, n).format(n=number(n))


challenges = n_("{n} challenge", "{n} challenges")
colours = n_("{n} colour", "{n} colours")
days = n_("{n} day", "{n} days")
digits = n_("{n} digit", "{n} digits")
draws = n_("{n} draw", "{n} draws")
duels = n_("{n} duel", "{n} duels")
freezes = n_("{n} freeze", "{n} freezes")
games = n_("{n} game", "{n} games")
guesses = n_("{n} guess", "{n} guesses")
#: Dates of a streak.
without_hints = n_("{n} without hints", "{n} without hints")
hints = n_("{n} hint", "{n} hints")
pegs = n_("{n} peg", "{n} pegs")
places = n_("{n} place", "{n} places")
players = n_("{n} player", "{n} players")
points = n_("{n} point", "{n} points")
puzzles = n_("{n} puzzle", "{n} puzzles")
rated_duels = n_("{n} rated duel", "{n} rated duels")
#: Puzzles or codes.
solved = n_("{n} solved", "{n} solved")
symbols = n_("{n} symbol", "{n} symbols")
times = n_("{n} time", "{n} times")


# The same after "in", "of", "after" and the like: German says "nach 3 Tagen", but "3 Tage".
of_days = np_("after a preposition", "{n} day", "{n} days")
of_games = np_("after a preposition", "{n} game", "{n} games")
of_guesses = np_("after a preposition", "{n} guess", "{n} guesses")
of_pegs = np_("after a preposition", "{n} peg", "{n} pegs")
of_players = np_("after a preposition", "{n} player", "{n} players")
of_puzzles = np_("after a preposition", "{n} puzzle", "{n} puzzles")
of_symbols = np_("after a preposition", "{n} symbol", "{n} symbols")

"""Derives the secrets of dailies from the key, the same with every version of every library.

Changing anything here, the integers or the way `Focdle.draw` uses them, changes the
secrets of days to come; a golden test holds all of it.
"""

import secrets
from typing import Final

from bot.dailies import PuzzleName
from bot.db import facts
from bot.db.database import Transaction
from bot.focdle.store import puzzles
from bot.games.model.keyed_integers import KeyedIntegers
from engine import Code, Focdle

SHORTEST_KEY: Final = 16
FEWEST_CHARACTERS: Final = 6
"""How many different characters a host's key has at least."""

_KEY_FACT: Final = "puzzle_key"


class WeakKeyError(Exception):
    """A key that others may guess, where no puzzle follows from it yet."""


def derive_secret(key: str, puzzle: PuzzleName) -> Code:
    """The secret of a daily under a key."""
    label = f"focdle daily 1/{puzzle.number}/{puzzle.length}"
    return Focdle(puzzle.length).draw(KeyedIntegers(key, label))


def is_weak(key: str) -> bool:
    """Whether others may guess a key, and so all puzzles to come."""
    return len(key) < SHORTEST_KEY or len(set(key)) < FEWEST_CHARACTERS


async def settle_key(tx: Transaction, given: str | None) -> str:
    """The key that puzzles to come follow from: one that was given, else the database's own.

    Raises:
        WeakKeyError: the given one can be guessed, and no puzzle follows from it yet.
    """
    if given is None:
        return await _remember_key(tx)
    if is_weak(given) and not await puzzles.has_dailies(tx):
        raise WeakKeyError
    return given


async def _remember_key(tx: Transaction) -> str:
    """The database's own key; made when there is none."""
    key = await facts.get(tx, _KEY_FACT)
    if key is None:
        key = secrets.token_hex(32)
        await facts.put(tx, _KEY_FACT, key)
    return key

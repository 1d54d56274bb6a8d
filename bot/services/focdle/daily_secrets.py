"""Derives the secrets of dailies from the key, the same with every version of every library.

Changing anything here, or the way `Focdle.draw` uses its integers, changes the
secrets of days to come; a golden test holds both.
"""

import hashlib
import hmac
import random
import secrets
from collections.abc import Iterator
from itertools import count
from typing import Final

from bot.model.dailies import PuzzleName
from bot.storage import facts
from bot.storage.database import Transaction
from bot.storage.focdle import puzzles
from engine import Code, Focdle

SHORTEST_KEY: Final = 16
FEWEST_CHARACTERS: Final = 6
"""How many different characters a host's key has at least."""

_KEY_FACT: Final = "puzzle_key"
_BITS: Final = 64


class WeakKeyError(Exception):
    """A key that others may guess, where no puzzle follows from it yet."""


class KeyedIntegers(random.Random):
    """Uniform integers that follow from a key and a label.

    The n-th 64-bit big-endian quarter of HMAC-SHA256(key, "label/0"),
    HMAC-SHA256(key, "label/1") and so on; those that would make small numbers
    likelier are skipped. Only `randrange` with one argument may be used.
    """

    def __init__(self, key: str, label: str) -> None:
        super().__init__(0)
        self._words = self._stream(key.encode(), label)

    @staticmethod
    def _stream(key: bytes, label: str) -> Iterator[int]:
        for block in count():
            digest = hmac.digest(key, f"{label}/{block}".encode(), hashlib.sha256)
            for start in range(0, len(digest), _BITS // 8):
                yield int.from_bytes(digest[start : start + _BITS // 8], "big")

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        """An integer from 0 to `start` - 1, all equally likely."""
        if stop is not None or step != 1:
            raise NotImplementedError("keyed integers start at 0")
        limit = (1 << _BITS) - (1 << _BITS) % start
        return next(word for word in self._words if word < limit) % start


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

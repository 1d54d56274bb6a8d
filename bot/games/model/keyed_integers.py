"""Integers that follow from a key, the same with every version of every library."""

import hashlib
import hmac
import random
from collections.abc import Iterator
from itertools import count
from typing import Final

_BITS: Final = 64


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

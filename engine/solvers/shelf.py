"""Arrays that are worth keeping for a while, in bounded memory."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.uint8]


@dataclass(slots=True)
class _Kept:
    array: Array
    size: int
    used: float


class Shelf:
    """Keeps what was used last, up to a size, and nothing once it is idle. Thread-safe.

    Args:
        most_bytes: how much is kept; the newest array is kept even if it is larger.
        idle: seconds after which an unused array is given up.
    """

    def __init__(self, most_bytes: int, idle: float) -> None:
        self._most_bytes = most_bytes
        self._idle = idle
        self._kept: OrderedDict[Hashable, _Kept] = OrderedDict()
        self._held = 0
        self._making: dict[Hashable, threading.Lock] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def get(self, key: Hashable, make: Callable[[], Array]) -> Array:
        """The array of this key, read-only; made if it is not there, once however many ask."""
        with self._lock:
            if (array := self._find(key)) is not None:
                return array
            making = self._making.setdefault(key, threading.Lock())
        with making:  # only who asks for this array waits for it
            with self._lock:
                if (array := self._find(key)) is not None:
                    return array
            try:
                array = make()
                array.setflags(write=False)
                with self._lock:
                    self._keep(key, array)
            finally:
                with self._lock:
                    self._making.pop(key, None)
        return array

    @property
    def held_bytes(self) -> int:
        """How much is kept now."""
        return self._held

    def _find(self, key: Hashable) -> Array | None:
        kept = self._kept.get(key)
        if kept is None:
            return None
        kept.used = time.monotonic()
        self._kept.move_to_end(key)
        return kept.array

    def _keep(self, key: Hashable, array: Array) -> None:
        if key in self._kept:  # made twice, after the first to make it had failed
            self._give_up(key)
        self._kept[key] = _Kept(array, array.nbytes, time.monotonic())
        self._held += self._kept[key].size
        while self._held > self._most_bytes and len(self._kept) > 1:
            self._give_up(next(iter(self._kept)))
        self._watch()

    def _give_up(self, key: Hashable) -> None:
        self._held -= self._kept.pop(key).size

    def _watch(self) -> None:
        if self._timer is None and self._kept:
            oldest = min(kept.used for kept in self._kept.values())
            wait = oldest + self._idle - time.monotonic()
            self._timer = threading.Timer(max(0, wait), self._give_up_idle)
            self._timer.daemon = True
            self._timer.start()

    def _give_up_idle(self) -> None:
        with self._lock:
            latest = time.monotonic() - self._idle
            for key in [key for key, kept in self._kept.items() if kept.used <= latest]:
                self._give_up(key)
            self._timer = None
            self._watch()

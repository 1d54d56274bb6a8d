"""The cache: an array is made once, kept while it is used, and evicted."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from time import sleep
from types import SimpleNamespace

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.solvers.space import ArrayCache

Array = NDArray[np.uint8]

ENDLESS = 300.0
BRIEF = 0.05


class Maker:
    """Makes arrays of some bytes, and counts how often."""

    def __init__(self, size: int = 10, seconds: float = 0) -> None:
        self.made = 0
        self.going = threading.Event()
        self._size = size
        self._seconds = seconds

    def __call__(self) -> Array:
        self.made += 1
        self.going.set()
        sleep(self._seconds)
        return np.full(self._size, self.made, np.uint8)


def until(condition: Callable[[], bool]) -> bool:
    """Wait until a condition comes true."""
    while not condition():
        sleep(0.005)
    return True


def test_a_cached_array_is_computed_at_its_first_request_and_then_kept():
    cache, maker = ArrayCache(100, ENDLESS), Maker()
    first = cache.get("a", maker)
    assert first.tolist() == [1] * 10
    assert cache.get("a", maker) is first
    assert maker.made == 1
    assert cache.held_bytes == 10


def test_a_cached_array_is_computed_once_for_any_number_of_threads():
    cache, maker = ArrayCache(100, ENDLESS), Maker(seconds=0.05)
    start = threading.Barrier(16)

    def ask(_: int) -> Array:
        start.wait()
        return cache.get("a", maker)

    with ThreadPoolExecutor(16) as pool:
        arrays = list(pool.map(ask, range(16)))
    assert maker.made == 1
    assert all(array is arrays[0] for array in arrays)


def test_a_thread_does_not_wait_for_the_array_of_another_key():
    cache, slow, quick = ArrayCache(100, ENDLESS), Maker(seconds=0.3), Maker()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(cache.get, "slow", slow)
        assert slow.going.wait(5)
        cache.get("quick", quick)
        assert not waiting.done()
        waiting.result()


def test_a_cached_array_may_be_computed_from_another_one():
    cache, base = ArrayCache(100, ENDLESS), Maker()
    made = cache.get("b", lambda: cache.get("a", base)[:4] + np.uint8(1))
    assert made.tolist() == [2] * 4
    assert cache.held_bytes == 14


def test_a_cached_array_is_read_only():
    array = ArrayCache(100, ENDLESS).get("a", Maker())
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 7


def test_the_least_recently_used_array_is_dropped_when_the_cache_is_full():
    cache = ArrayCache(30, ENDLESS)
    makers = {key: Maker() for key in "abcd"}
    for key in "abcad":  # the "a" is used again before there are too many
        cache.get(key, makers[key])
        assert cache.held_bytes <= 30
    for key in "acd":
        cache.get(key, makers[key])
    assert {key: maker.made for key, maker in makers.items()} == {"a": 1, "b": 1, "c": 1, "d": 1}
    cache.get("b", makers["b"])
    assert makers["b"].made == 2


def test_the_newest_array_is_kept_even_when_it_is_larger_than_the_cache():
    cache, small, large = ArrayCache(30, ENDLESS), Maker(), Maker(size=100)
    cache.get("small", small)
    for _ in range(3):
        assert len(cache.get("large", large)) == 100
    assert large.made == 1
    assert cache.held_bytes == 100
    cache.get("small", small)
    assert small.made == 2
    assert cache.held_bytes == 10


def test_an_array_being_computed_is_not_dropped_when_the_cache_is_full():
    cache, slow, may_end = ArrayCache(30, ENDLESS), Maker(), threading.Event()

    def make() -> Array:
        made = slow()
        may_end.wait()
        return made

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get, "slow", make)
        slow.going.wait()
        for key in "abcdef":
            cache.get(key, Maker())
        second = pool.submit(cache.get, "slow", make)
        may_end.set()
        assert first.result() is second.result()
    assert slow.made == 1


def test_an_idle_array_is_released():
    cache, maker = ArrayCache(100, BRIEF), Maker()
    cache.get("a", maker)
    assert cache.held_bytes == 10
    assert until(lambda: cache.held_bytes == 0)
    assert cache.get("a", maker).tolist() == [2] * 10
    assert until(lambda: cache.held_bytes == 0)


def test_an_array_in_use_is_kept_while_an_idle_one_is_dropped(monkeypatch: pytest.MonkeyPatch):
    now = 0.0
    monkeypatch.setattr("engine.solvers.space.time", SimpleNamespace(monotonic=lambda: now))
    cache, used, idle = ArrayCache(100, BRIEF), Maker(), Maker()
    for key, maker in (("idle", idle), ("used", used)):
        cache.get(key, maker)
    now = BRIEF / 2
    cache.get("used", used)
    now = BRIEF
    assert until(lambda: cache.held_bytes == 10)
    cache.get("used", used)
    assert used.made == 1


def test_an_error_in_computing_an_array_leaves_the_cache_usable():
    cache, maker = ArrayCache(100, BRIEF), Maker()

    def fail() -> Array:
        raise MemoryError

    for _ in range(2):
        with pytest.raises(MemoryError):
            cache.get("a", fail)
    assert cache.held_bytes == 0
    assert cache.get("a", maker).tolist() == [1] * 10
    assert cache.get("b", maker).tolist() == [2] * 10
    with pytest.raises(MemoryError):
        cache.get("c", fail)
    assert until(lambda: cache.held_bytes == 0)


def test_threads_waiting_for_a_failing_array_compute_it_themselves():
    cache = ArrayCache(100, ENDLESS)
    start = threading.Barrier(4)
    failures = iter([True, True])

    def make() -> Array:
        sleep(0.01)
        if next(failures, False):
            raise MemoryError
        return np.zeros(10, np.uint8)

    def ask(_: int) -> bool:
        start.wait()
        try:
            return len(cache.get("a", make)) == 10
        except MemoryError:
            return False

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(ask, range(4))) == [False, False, True, True]


def test_the_cache_does_not_measure_all_its_arrays_again_for_each_new_one():
    looks = 0

    class Weighed(np.ndarray[tuple[int], np.dtype[np.uint8]]):
        """Counts how often its size is asked for."""

        @property
        def nbytes(self) -> int:
            nonlocal looks
            looks += 1
            return 10

    cache = ArrayCache(10**6, ENDLESS)
    for key in range(500):
        cache.get(key, lambda: np.zeros(10, np.uint8).view(Weighed))
    assert looks <= 500 * 5

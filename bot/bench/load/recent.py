"""A dictionary that forgets its oldest, so that nothing grows with the time that a load takes."""

from typing import Final, TypeVar

K = TypeVar("K")
V = TypeVar("V")

MOST: Final = 10_000
"""How many are remembered, unless somebody says."""


class Recent(dict[K, V]):
    """A dictionary of the latest entries.

    Args:
        most: how many it has at most.

    >>> latest = Recent(2)
    >>> for number in (1, 2, 3):
    ...     latest[number] = "x"
    >>> list(latest)
    [2, 3]
    """

    def __init__(self, most: int = MOST) -> None:
        super().__init__()
        self._most = most

    def __setitem__(self, key: K, value: V) -> None:
        """Remember one more, and forget the oldest if they are too many."""
        super().__setitem__(key, value)
        if len(self) > self._most:
            del self[next(iter(self))]

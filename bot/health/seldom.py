"""What is found out seldom, however often it is asked for."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Final, Generic, TypeVar

T = TypeVar("T")

_TELLS_SECONDS: Final = 60.0
"""How long something tells how things are, where nothing newer is known."""


class Seldom(Generic[T]):
    """Finds something out, once for all who ask within some seconds.

    Args:
        find: finds it out; it raises nothing but what is nobody's to mend.
        rest: how many seconds what was found is given to who asks.
        now: seconds of some clock.
    """

    def __init__(
        self, find: Callable[[], Awaitable[T]], rest: float, now: Callable[[], float] = monotonic
    ) -> None:
        self._find = find
        self._rest = rest
        self._now = now
        self._finding: asyncio.Task[None] | None = None
        self._found: tuple[float, T] | None = None

    async def get(self, patience: float) -> T | None:
        """What was found last; None if that is too long ago, or nothing was ever.

        Args:
            patience: how many seconds to wait for something newer.
        """
        if self._finding is None and self._age >= self._rest:
            self._finding = asyncio.create_task(self._look())
        if self._finding is not None:
            await asyncio.wait({self._finding}, timeout=patience)
        return self._found[1] if self._found and self._age < _TELLS_SECONDS else None

    async def close(self) -> None:
        """Find nothing out any more."""
        if self._finding is not None:
            self._finding.cancel()
            with suppress(asyncio.CancelledError):
                await self._finding

    @property
    def _age(self) -> float:
        return float("inf") if self._found is None else self._now() - self._found[0]

    async def _look(self) -> None:
        try:
            found = await self._find()
            self._found = self._now(), found
        finally:
            self._finding = None

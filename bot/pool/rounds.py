"""What is heavy begins a few at a time, so that the event loop sees to others in between."""

import asyncio
from collections import deque
from typing import Final

AT_ONCE: Final = 4
"""How many begin in one round of the event loop: some five milliseconds of work."""


class Rounds:
    """Lets whoever asks begin in turn, in this round of the event loop or a later one.

    Nobody waits for anybody's answer, only for the loop: a hundred are through as soon as a
    hundred could have begun at once, and who comes between waits for a few of them, not for all.
    """

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def turn(self) -> None:
        """Wait for a round that has room."""
        loop = asyncio.get_running_loop()
        if not self._waiting:
            loop.call_soon(self._begin)
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.append(mine)
        await mine

    def _begin(self) -> None:
        left = AT_ONCE
        while self._waiting and left:
            mine = self._waiting.popleft()
            if not mine.done():
                mine.set_result(None)
                left -= 1
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._begin)

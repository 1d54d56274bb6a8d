"""All processes under a supervisor, as one: ready when each is, figures with the range of each."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from http import HTTPStatus
from typing import Final, Protocol

import aiohttp

from bot.health.address import HERE, Address
from bot.health.seldom import Seldom
from bot.health.server import listening
from bot.health.together import RangeFigures
from bot.model.outages import ShardRange

log = logging.getLogger(__name__)

_PATIENCE_SECONDS: Final = 1.0
"""How long a process may take; one that takes longer is as good as dead."""
_REST_SECONDS: Final = 1.0
_NO_ANSWER: Final = "answer"
_ANSWERS: Final = {
    "/readyz": {HTTPStatus.OK, HTTPStatus.SERVICE_UNAVAILABLE},
    "/metrics": {HTTPStatus.OK},
}


class Place(Protocol):
    """Some shards, and perhaps a process that has them."""

    @property
    def shards(self) -> ShardRange:
        """Which shards."""
        ...

    @property
    def asked_at(self) -> int | None:
        """The port at which the process tells how it is; None while there is none."""
        ...


class Ranges:
    """Asks the process of each range how it is.

    Args:
        places: one for each range.
        session: asks.
    """

    def __init__(self, places: Sequence[Place], session: aiohttp.ClientSession) -> None:
        self._places = places
        self._session = session
        self._figures = RangeFigures()
        self._missing = Seldom(self._ask_what_is_missing, _REST_SECONDS)
        self._text = Seldom(self._ask_for_figures, _REST_SECONDS)

    async def missing(self) -> list[str]:
        """What keeps them from being ready, range by range; `answer` where nobody tells."""
        found = await self._missing.get(2 * _PATIENCE_SECONDS)
        return [_NO_ANSWER] if found is None else found

    async def expose(self) -> bytes | None:
        """All figures as text."""
        return await self._text.get(2 * _PATIENCE_SECONDS)

    async def close(self) -> None:
        """Ask nobody any more."""
        await self._missing.close()
        await self._text.close()

    async def _ask_what_is_missing(self) -> list[str]:
        said = await self._ask_all("/readyz")
        return [f"{name} {what}" for name, text in said.items() for what in _missing_in(text)]

    async def _ask_for_figures(self) -> bytes:
        return self._figures.expose(await self._ask_all("/metrics"))

    async def _ask_all(self, path: str) -> dict[str, str | None]:
        """What the process of each range answers; None if it does not, or not in time."""
        texts = await asyncio.gather(*(self._ask(place, path) for place in self._places))
        names = [str(place.shards) for place in self._places]
        return dict(zip(names, texts, strict=True))

    async def _ask(self, place: Place, path: str) -> str | None:
        if place.asked_at is None:
            return None
        try:
            async with self._session.get(f"http://{Address(HERE, place.asked_at)}{path}") as answer:
                return await answer.text() if answer.status in _ANSWERS[path] else None
        except (aiohttp.ClientError, TimeoutError):
            return None


def _missing_in(text: str | None) -> list[str]:
    """What a process has said that it lacks."""
    if text is None:
        return [_NO_ANSWER]
    missing: list[str] = json.loads(text)["missing"]
    return missing


@asynccontextmanager
async def opened(address: Address, places: Sequence[Place]) -> AsyncGenerator[None]:
    """Answer at an address how all processes are, until the block ends.

    Raises:
        CannotListenError: nobody can be answered there.
    """
    timeout = aiohttp.ClientTimeout(_PATIENCE_SECONDS)
    async with aiohttp.ClientSession(timeout=timeout) as session:
        ranges = Ranges(places, session)
        async with listening(address, ranges) as there:
            log.info("health and figures at http://%s", there)
            try:
                yield
            finally:
                await ranges.close()

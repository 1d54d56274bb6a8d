"""Avatars, as Discord serves them: fetched, decoded and cached."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import aiohttp

from bot.people.model import Face
from bot.pool.pool import in_thread
from bot.text.pictures.boards import AVATAR, Avatar, decode_avatar

log = logging.getLogger(__name__)

CDN: Final = "https://cdn.discordapp.com"
"""Where Discord serves avatars."""


def avatar_url(face: Face, size: int, base: str = CDN) -> str:
    """Build the URL of an avatar; an animated one gives its first frame.

    `size` is the width and height in pixels, a power of two.
    """
    return f"{base}/avatars/{face.player_id}/{face.avatar}.png?size={size}"


LARGEST_AVATAR: Final = 256 * 1024
"""The largest file of an avatar that is used; a usual one has a twentieth of it."""
MOST_KEPT: Final = 500
_SECONDS: Final = 1.0
_MOST_AT_ONCE: Final = 10
_CHUNK: Final = 16 * 1024
# These answers are temporary; any other is final, since a hash names one picture.
_PASSING: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_TIMEOUT})


@dataclass(frozen=True, slots=True)
class _Missing:
    """Why an avatar is missing; if the reason is final, it is cached: no fetch is tried again."""

    why: str
    is_final: bool = False


class Album:
    """Fetches avatars, and caches them.

    Simultaneous requests for one avatar are one fetch. An avatar that cannot be had is left out:
    pictures have a disc in its place.
    """

    def __init__(self, base: str = CDN, *, seconds: float = _SECONDS) -> None:
        self._base = base
        self._seconds = seconds
        self._session: aiohttp.ClientSession | None = None
        self._kept: OrderedDict[Face, Avatar | _Missing] = OrderedDict()
        self._coming: dict[Face, asyncio.Task[Avatar | _Missing]] = {}

    async def find(self, faces: Collection[Face], *, waits: bool = True) -> dict[int, Avatar]:
        """Return the avatars that are cached or arrive within a second, by player id.

        Without `waits`, return only cached ones, and fetch the others for later calls.
        """
        if self._session is not None and self._session.closed:
            return {}
        tasks: dict[Face, asyncio.Task[Avatar | _Missing]] = {}
        found: dict[Face, Avatar | _Missing] = {}
        for face in faces:
            if face in self._kept:
                self._kept.move_to_end(face)
                found[face] = self._kept[face]
            else:  # simultaneous callers share a task
                if face not in self._coming:
                    self._coming[face] = asyncio.create_task(self._fetch_and_keep(face))
                tasks[face] = self._coming[face]
        if not waits:
            tasks.clear()
        if tasks:
            await asyncio.wait(tasks.values(), timeout=self._seconds)
        for face, task in tasks.items():
            is_there = task.done() and not task.cancelled()
            found[face] = task.result() if is_there else _Missing("too slow")
        missing = Counter(each.why for each in found.values() if isinstance(each, _Missing))
        if missing:
            why = ", ".join(sorted(missing))
            log.info("%d of %d avatars could not be had: %s", missing.total(), len(found), why)
        return {face.player_id: a for face, a in found.items() if not isinstance(a, _Missing)}

    def forget(self, player_id: int | None) -> None:
        """Drop a player's cached avatars, and do not cache those that are being fetched.

        If `player_id` is None, do so for all players.
        """
        for known in (self._kept, self._coming):
            for face in [face for face in known if player_id in {None, face.player_id}]:
                del known[face]

    async def close(self) -> None:
        """Stop fetching, for good; a second call does nothing."""
        tasks = [*self._coming.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    async def _fetch_and_keep(self, face: Face) -> Avatar | _Missing:
        found: Avatar | _Missing = _Missing("stopped")
        try:
            found = await self._fetch(face)
        finally:
            # The avatar was dropped meanwhile.
            if self._coming.get(face) is asyncio.current_task():
                del self._coming[face]
                if not isinstance(found, _Missing) or found.is_final:
                    self._kept[face] = found
                    if len(self._kept) > MOST_KEPT:
                        self._kept.popitem(last=False)
        return found

    async def _fetch(self, face: Face) -> Avatar | _Missing:
        try:
            file = await self._download(avatar_url(face, AVATAR, self._base))
        except (aiohttp.ClientError, OSError) as error:  # includes timeouts
            return _Missing(type(error).__name__)
        if isinstance(file, _Missing):
            return file
        avatar = await in_thread(decode_avatar, file)
        return _Missing("no usable picture", is_final=True) if avatar is None else avatar

    async def _download(self, url: str) -> bytes | _Missing:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=_MOST_AT_ONCE),
                timeout=aiohttp.ClientTimeout(total=self._seconds),
                cookie_jar=aiohttp.DummyCookieJar(),
                headers={"Accept": "image/png", "Accept-Encoding": "identity"},
                auto_decompress=False,
            )
        async with self._session.get(url, allow_redirects=False) as response:
            status = response.status
            if status != HTTPStatus.OK:
                passes = status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in _PASSING
                return _Missing(f"status {status}", is_final=not passes)
            file = bytearray()
            async for chunk in response.content.iter_chunked(_CHUNK):
                file += chunk
                if len(file) > LARGEST_AVATAR:
                    return _Missing("too large", is_final=True)
            return bytes(file)

"""The album: avatars for pictures, fetched from Discord's CDN and remembered for a while."""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Collection
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

import aiohttp

from bot.people.model.faces import Face
from bot.pool.threads import in_thread
from bot.text.pictures.faces import AVATAR, Avatar, decode_avatar
from cogs.ui.faces import CDN, avatar_url

log = logging.getLogger(__name__)

MOST_BYTES: Final = 256 * 1024
"""How large a file may be; one of this size has a twentieth of that."""
MOST_KEPT: Final = 500
_SECONDS: Final = 1.0
_MOST_AT_ONCE: Final = 10
_CHUNK: Final = 16 * 1024
# Discord may be asked again; any other answer stays what it is, since a hash names one picture.
_PASSING: Final = frozenset({HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.REQUEST_TIMEOUT})


@dataclass(frozen=True, slots=True)
class _Missing:
    """Why there is no picture, in a word or two that name nobody.

    Attributes:
        why: the reason.
        is_final: whether there will never be one.
    """

    why: str
    is_final: bool = False


class Album:
    """Fetches avatars; whoever has not answered an interaction yet does not wait for them.

    The same one is fetched once, however many ask. Nobody is told what could not be had: a
    picture has a disc there.

    Args:
        base: where the pictures are.
        seconds: how long it takes at most.
    """

    def __init__(self, base: str = CDN, *, seconds: float = _SECONDS) -> None:
        self._base = base
        self._seconds = seconds
        self._session: aiohttp.ClientSession | None = None
        self._kept: OrderedDict[Face, Avatar | _Missing] = OrderedDict()
        self._coming: dict[Face, asyncio.Task[Avatar | _Missing]] = {}

    async def find(self, faces: Collection[Face], *, waits: bool = True) -> dict[int, Avatar]:
        """The avatars that can be had within a second, by player.

        Args:
            faces: whose.
            waits: whether to wait that long; else those that are not at hand are only fetched.
        """
        if self._session is not None and self._session.closed:
            return {}
        tasks = {face: self._begin(face) for face in faces if face not in self._kept}
        found = {face: self._look_up(face) for face in faces if face in self._kept}
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
        """Keep no avatar of a player, nor one that is on its way; None for those of everybody."""
        for known in (self._kept, self._coming):
            for face in [face for face in known if player_id in {None, face.player_id}]:
                del known[face]

    async def close(self) -> None:
        """Stop fetching; may be called twice."""
        tasks = [*self._coming.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._session is not None:
            await self._session.close()

    def _look_up(self, face: Face) -> Avatar | _Missing:
        self._kept.move_to_end(face)
        return self._kept[face]

    def _begin(self, face: Face) -> asyncio.Task[Avatar | _Missing]:
        """What is fetching an avatar, perhaps for somebody else as well."""
        if face not in self._coming:
            self._coming[face] = asyncio.create_task(self._fetch_and_keep(face))
        return self._coming[face]

    async def _fetch_and_keep(self, face: Face) -> Avatar | _Missing:
        found: Avatar | _Missing = _Missing("stopped")
        try:
            found = await self._fetch(face)
        finally:
            # Whoever was forgotten meanwhile stays so.
            if self._coming.get(face) is asyncio.current_task():
                del self._coming[face]
                if not isinstance(found, _Missing) or found.is_final:
                    self._keep(face, found)
        return found

    def _keep(self, face: Face, found: Avatar | _Missing) -> None:
        self._kept[face] = found
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)

    async def _fetch(self, face: Face) -> Avatar | _Missing:
        try:
            file = await self._download(avatar_url(face, AVATAR, self._base))
        except (aiohttp.ClientError, OSError) as error:  # a timeout is one of these
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
                if len(file) > MOST_BYTES:
                    return _Missing("too large", is_final=True)
            return bytes(file)

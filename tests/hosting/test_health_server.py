"""Whoever asks very often is kept waiting, and never keeps others from being answered for long."""

import asyncio
from collections import Counter
from time import monotonic

import aiohttp
import pytest

from bot.health.address import HERE, Address, CannotListenError
from bot.health.server import listening
from tests.support.asking import Asker


class Known:
    """What a test knows of the bot.

    Attributes:
        asked: how often it was asked.
    """

    def __init__(self, *missing: str, text: bytes | None = b"x 1\n") -> None:
        self.asked = 0
        self._missing = [*missing]
        self._text = text

    async def missing(self) -> list[str]:
        self.asked += 1
        return self._missing

    async def expose(self) -> bytes | None:
        return self._text


async def test_answers_say_what_the_source_knows() -> None:
    async with listening(Address(HERE, 0), Known("shard 3", "write", text=None)) as there:
        asker = Asker(there.port)
        assert await asker.ask("/healthz") == (200, '{"alive": true}\n')
        said = '{"ready": false, "missing": ["shard 3", "write"]}\n'
        assert await asker.ask("/readyz") == (503, said)
        assert (await asker.ask("/metrics"))[0] == 503
        assert (await asker.ask("/"))[0] == 404


async def test_of_hundreds_of_requests_a_few_are_answered_and_the_others_wait() -> None:
    source = Known()
    statuses: list[int] = []

    async def ask(session: aiohttp.ClientSession, url: str) -> None:
        try:
            async with session.get(url) as answer:
                statuses.append(answer.status)
        except aiohttp.ClientConnectionError:
            statuses.append(0)

    began = monotonic()
    connector = aiohttp.TCPConnector(limit=0)
    async with (
        listening(Address(HERE, 0), source) as there,
        aiohttp.ClientSession(connector=connector) as session,
    ):
        url = f"http://{there}/readyz"
        await asyncio.gather(*(ask(session, url) for _ in range(300)))
        took = monotonic() - began
        found = Counter(statuses)
        assert found[200] <= 20 * (int(took) + 2)
        assert found.total() == 300
        assert source.asked == found[200]
        await asyncio.sleep(1)  # who asks in the next second is answered
        async with session.get(url) as answer:
            assert answer.status == 200


async def test_two_cannot_listen_at_one_port_nor_anybody_elsewhere() -> None:
    async with listening(Address(HERE, 0), Known()) as there:
        with pytest.raises(CannotListenError) as refused:
            async with listening(there, Known()):
                pass
    assert (refused.value.reason, refused.value.may_pass) == ("address already in use", True)
    with pytest.raises(CannotListenError) as refused:
        async with listening(Address("192.0.2.1", 9109), Known()):
            pass
    assert not refused.value.may_pass
    with pytest.raises(CannotListenError, match="no-such-host"):
        async with listening(Address("no-such-host.invalid", 9109), Known()):
            pass

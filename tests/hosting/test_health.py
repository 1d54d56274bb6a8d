"""Whoever asks the bot how it is never keeps others from being answered for long."""

import asyncio
from asyncio import StreamReader, StreamWriter
from collections import Counter
from time import monotonic

import aiohttp
import pytest

from bot.address import HERE, Address, CannotListenError
from bot.hosting.health import Cached, Health, Limits, listening
from tests.support.asking import Asker
from tests.support.waiting import until, until_so

ANYWHERE = Address(HERE, 0)
NEVER = 1000.0


class Known(Health):
    """What a test knows of the bot.

    Attributes:
        asked: how often it was asked.
        may_answer: lets it answer.
    """

    def __init__(self, *missing: str, text: bytes | None = b"x 1\n") -> None:
        super().__init__()
        self.asked = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()
        self._missing = [*missing]
        self._known_text = text

    async def missing(self) -> list[str]:
        self.asked += 1
        await self.may_answer.wait()
        return self._missing

    async def expose(self) -> bytes | None:
        return self._known_text


async def connect(address: Address, said: bytes = b"") -> tuple[StreamReader, StreamWriter]:
    reader, writer = await asyncio.open_connection(address.host, address.port)
    writer.write(said)
    return reader, writer


async def rest_of(reader: StreamReader) -> bytes:
    """What comes until the other side hangs up."""
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


async def test_the_health_port_reports_the_current_state() -> None:
    async with listening(ANYWHERE, Known("shard 3", "write", text=None)) as there:
        asker = Asker(there.port)
        assert await asker.ask("/healthz") == (200, '{"alive": true}\n')
        said = '{"ready": false, "missing": ["shard 3", "write"]}\n'
        assert await asker.ask("/readyz") == (503, said)
        assert (await asker.ask("/metrics"))[0] == 503
        assert (await asker.ask("/"))[0] == 404
        reader, writer = await connect(there, b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n")
        assert b"\r\nServer:" not in await rest_of(reader)
        writer.close()


async def test_the_health_port_answers_a_limited_number_of_requests_in_a_second() -> None:
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
        listening(ANYWHERE, source) as there,
        aiohttp.ClientSession(connector=connector) as session,
    ):
        url = f"http://{there}/readyz"
        await asyncio.gather(*(ask(session, url) for _ in range(300)))
        took = monotonic() - began
        found = Counter(statuses)
        assert found[200] <= 20 * (int(took) + 2)
        assert found.total() == 300
        assert source.asked == found[200]

        async def is_answered() -> bool:  # in the next second
            async with session.get(url) as answer:
                return answer.status == 200

        await until_so(is_answered)


@pytest.mark.parametrize("said", [b"", b"GET /healthz HTTP/1.1\r\nHost: here\r\n"])
async def test_a_connection_without_a_complete_request_is_closed(said: bytes) -> None:
    async with listening(ANYWHERE, Known(), Limits(request_seconds=0.1)) as there:
        reader, writer = await connect(there, said)
        assert await rest_of(reader) == b""
        writer.close()


async def test_a_request_that_arrives_too_slowly_is_dropped() -> None:
    async with listening(ANYWHERE, Known(), Limits(request_seconds=0.2)) as there:
        reader, writer = await connect(there, b"GET /healthz HTTP/1.1\r\nX: ")
        ended = asyncio.create_task(rest_of(reader))

        def trickle() -> bool:
            writer.write(b"x")
            return ended.done()

        await until(trickle)
        assert await ended == b""
        writer.close()


async def test_a_connection_to_the_health_port_serves_one_request() -> None:
    asking = b"GET /healthz HTTP/1.1\r\nHost: here\r\nConnection: keep-alive\r\n\r\n"
    lost = asking.replace(b"healthz", b"elsewhere")
    async with listening(ANYWHERE, Known(), Limits(request_seconds=NEVER)) as there:
        for said, status in ((asking, b"200"), (lost, b"404"), (2 * asking, b"200")):
            reader, writer = await connect(there, said)
            answer = await rest_of(reader)
            assert answer.startswith(b"HTTP/1.1 " + status)
            assert b"\r\nConnection: close\r\n" in answer
            assert answer.count(b"HTTP/1.1") == 1
            writer.close()


async def test_an_answer_that_the_client_does_not_read_is_dropped() -> None:
    text = b"x" * 50_000_000
    limits = Limits(request_seconds=NEVER, answer_seconds=0.1)
    async with listening(ANYWHERE, Known(text=text), limits) as there:
        reader, writer = await connect(there, b"GET /metrics HTTP/1.0\r\n\r\n")
        await until(lambda: writer.write(b"x") or writer.is_closing())
        assert len(await rest_of(reader)) < len(text)
        writer.close()


async def test_many_silent_connections_do_not_prevent_a_health_check() -> None:
    async with listening(ANYWHERE, Known(), Limits(request_seconds=NEVER)) as there:
        silent = [await connect(there) for _ in range(74)]
        for reader, _ in silent[:10]:
            assert await rest_of(reader) == b""
        assert await Asker(there.port).ask("/readyz") == (200, '{"ready": true, "missing": []}\n')
        assert await rest_of(silent[10][0]) == b""
        assert not [reader for reader, _ in silent[11:] if reader.at_eof()]
        for _, writer in silent:
            writer.close()


async def test_a_new_connection_beyond_the_limit_is_closed_and_the_earlier_ones_stay() -> None:
    health = Known()
    health.may_answer.clear()
    async with listening(ANYWHERE, health, Limits(connections=2)) as there:
        asker = Asker(there.port)
        asking = [asyncio.create_task(asker.ask("/readyz")) for _ in range(2)]
        await until(lambda: health.asked == 2)
        assert await asker.ask("/healthz") == (0, "")
        health.may_answer.set()
        assert [status for status, _ in await asyncio.gather(*asking)] == [200, 200]
        assert (await asker.ask("/healthz"))[0] == 200


async def test_a_health_port_in_use_or_of_another_machine_cannot_be_opened() -> None:
    async with listening(ANYWHERE, Known()) as there:
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


class Finder:
    """Counts how often it is asked, and answers when it may."""

    def __init__(self) -> None:
        self.asked = 0
        self.may_answer = asyncio.Event()
        self.may_answer.set()

    async def find(self) -> int:
        self.asked += 1
        await self.may_answer.wait()
        return self.asked


class Clock:
    """A clock that is moved by hand."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


async def test_health_checks_within_some_seconds_get_the_same_answer() -> None:
    finder, clock = Finder(), Clock()
    cached = Cached(finder.find, 3.0, clock)
    assert await asyncio.gather(*(cached.get(1) for _ in range(1000))) == [1] * 1000
    clock.now += 2.9
    assert await cached.get(1) == 1
    clock.now += 0.1
    assert await cached.get(1) == 2
    await cached.close()


async def test_a_health_check_that_cannot_wait_gets_the_last_answer_if_under_a_minute_old() -> None:
    finder, clock = Finder(), Clock()
    finder.may_answer.clear()
    cached = Cached(finder.find, 3.0, clock)
    assert await cached.get(0) is None
    finder.may_answer.set()
    assert await cached.get(1) == 1
    finder.may_answer.clear()
    clock.now += 59
    assert await cached.get(0) == 1
    clock.now += 1
    assert await cached.get(0) is None
    finder.may_answer.set()
    assert await cached.get(1) == 2
    assert finder.asked == 2
    await cached.close()


async def test_a_health_check_is_answered_though_another_that_asked_first_is_cancelled() -> None:
    finder = Finder()
    finder.may_answer.clear()
    cached = Cached(finder.find, 3.0)
    first, second = (asyncio.create_task(cached.get(10)) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    finder.may_answer.set()
    assert await second == 1
    await cached.close()

"""What strangers and impatient players send costs little, and locks nobody out."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp.test_utils import make_mocked_request

from tests.web.conftest import ANN, BEN, GUILD, Host
from web.calls import tag_of


@pytest.mark.parametrize(
    ("asked", "tag"),
    [
        ("", "en-US"),
        ("en", "en-US"),
        ("en-GB,en;q=0.9", "en-GB"),
        ("de-AT;q=0.8", "de"),
        ("pt-PT", "pt-BR"),
        ("es-419", "es-419"),
        ("nb-NO", "no"),
        ("zh-Hant-HK", "zh-CN"),
        ("en@000001xxxx", "en-US"),
        ("en-u-000001", "en-US"),
        ("mn", "en-US"),
        ("x" * 8_000, "en-US"),
    ],
)
async def test_the_language_of_a_browser_becomes_one_that_discord_has(
    host: Host, asked: str, tag: str
) -> None:
    """Whatever else is a language to a library, it would be kept for ever."""
    headers = {"Accept-Language": asked}
    assert tag_of(make_mocked_request("GET", "/", headers=headers)) == tag
    async with host.player() as ann:
        assert (await ann.get("archive", Accept_Language=asked)).status == 200


@asynccontextmanager
async def slow_bodies(host: Host, count: int) -> AsyncGenerator[list[asyncio.Task[bytes]]]:
    """Tickets that are announced, and never sent; yields what is answered."""
    where = urlsplit(host.url)
    head = ("POST /api/enter/look HTTP/1.1", "Host: x", f"Origin: {host.url}")
    body = ("Content-Type: application/json", "Content-Length: 100", "", "")
    answers, writers = list[asyncio.Task[bytes]](), list[asyncio.StreamWriter]()
    for _ in range(count):
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        writer.write("\r\n".join(head + body).encode())
        writers.append(writer)
        answers.append(asyncio.create_task(reader.read()))
    yield answers
    for writer in writers:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    await asyncio.gather(*answers, return_exceptions=True)


async def test_slow_request_bodies_leave_room_for_other_requests(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.doors._READ_SECONDS", 1000)
    async with slow_bodies(host, 410) as slow, host.player() as ann:
        put_off = asyncio.as_completed(slow)
        for _ in range(360):
            assert (await next(put_off)).startswith(b"HTTP/1.1 429")
        assert (await ann.ask("GET", "/")).status == 200
        assert (await ann.get("me")).status == 200


async def test_a_request_whose_body_does_not_arrive_is_refused(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.doors._READ_SECONDS", 0)
    async with slow_bodies(host, 1) as (slow,):
        assert (await slow).startswith(b"HTTP/1.1 503")


async def test_connections_beyond_the_limit_are_closed(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.listening._MOST_OPEN", 2)
    async with host.stranger() as first, host.stranger() as second, host.stranger() as third:
        for each in (first, second):
            assert (await each.ask("GET", "/")).status == 200
        with pytest.raises(aiohttp.ClientConnectionError):
            await third.ask("GET", "/")
        assert (await first.ask("GET", "/")).status == 200


async def test_looking_at_a_link_counts_against_the_rate_limit_of_its_player(host: Host) -> None:
    play = await host.services.daily.open(ANN, GUILD)
    given = {"ticket": await host.services.sessions.earn(ANN, GUILD, play.id)}
    async with host.stranger() as browser:
        found = [(await browser.post("enter/look", given)).status for _ in range(60)]
    assert found == [200] * 40 + [429] * 20


async def test_the_limit_for_strangers_does_not_stop_players_with_recent_requests(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever is known is looked up even while strangers may not be."""
    monkeypatch.setattr("web.doors._MOST_KNOWN", 2)
    async with host.player() as ann, host.player(BEN) as ben:
        assert (await ann.get("me")).status == 200
        async with host.player(44) as zoe:
            monkeypatch.setattr("web.doors._STRANGERS_A_SECOND", 0)
            found = [(await each.get("me")).status for each in (ann, ben, zoe)]
    assert found == [200, 429, 200]

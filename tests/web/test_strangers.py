"""What strangers and impatient players send costs little, and locks nobody out."""

import asyncio
import socket
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from urllib.parse import urlsplit

import aiohttp
import pytest
from aiohttp.test_utils import make_mocked_request

from bot.address import Address
from bot.page.model import Session
from tests.support.asking import free_port
from tests.support.clock import FakeClock
from tests.support.sql import overheard
from tests.support.waiting import until_so
from tests.web.conftest import ANN, BEN, GUILD, HERE, Host, place_of
from web.app import opened
from web.endpoints import tag_of


@pytest.mark.parametrize(
    ("asked", "tag"),
    [
        ("", "en-US"),
        ("en", "en"),
        ("en-GB,en;q=0.9", "en-GB"),
        ("de-AT;q=0.8", "de-AT"),
        ("pt-PT", "pt-PT"),
        ("es-419", "es-419"),
        ("nb-NO", "nb-NO"),
        ("zh-Hant-HK", "zh-Hant-HK"),
        ("en@000001xxxx", "en-US"),
        ("en-u-000001", "en"),
        ("tlh", "en-US"),
        ("x" * 8_000, "en-US"),
    ],
)
async def test_the_language_of_a_browser_becomes_one_that_has_dates(
    host: Host, asked: str, tag: str
) -> None:
    """Whatever else is a language to a library, it would be kept for ever."""
    headers = {"Accept-Language": asked}
    assert tag_of(make_mocked_request("GET", "/", headers=headers)) == tag
    async with host.player() as ann:
        assert (await ann.get("archive", Accept_Language=asked)).status == 200


@asynccontextmanager
async def slow_bodies(
    host: Host, count: int, cookie: str = ""
) -> AsyncGenerator[list[asyncio.Task[bytes]]]:
    """Bodies that are announced, and never sent; yields what is answered.

    Those with a cookie come after another request on the same connection.
    """
    where = urlsplit(host.url)
    path = "today" if cookie else "enter/look"
    before = ("GET / HTTP/1.1", "Host: x", "") if cookie else ()
    head = (f"POST /api/{path} HTTP/1.1", "Host: x", f"Origin: {host.url}", f"Cookie: {cookie}")
    body = ("Content-Type: application/json", "Content-Length: 100", "", "")
    answers, writers = list[asyncio.Task[bytes]](), list[asyncio.StreamWriter]()
    for _ in range(count):
        reader, writer = await asyncio.open_connection(where.hostname, where.port)
        writer.write("\r\n".join(before + head + body).encode())
        writers.append(writer)
        answers.append(asyncio.create_task(reader.read()))
    yield answers
    for writer in writers:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    await asyncio.gather(*answers, return_exceptions=True)


async def test_bodies_that_never_end_take_no_room_from_other_requests(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of strangers, and of four accounts."""
    monkeypatch.setattr("web.app._BODY_SECONDS", 1000)
    async with AsyncExitStack() as stack:
        enter, slow = stack.enter_async_context, list[asyncio.Task[bytes]]()
        for account in range(101, 105):
            (cookie,) = (await enter(host.player(account))).session.cookie_jar
            slow += await enter(slow_bodies(host, 20, f"focdle={cookie.value}"))
        slow += await enter(slow_bodies(host, 200))
        ann = await enter(host.player(ANN))
        assert {(await ann.post("today")).status for _ in range(10)} == {200}
        assert {(await ann.ask("GET", "/")).status for _ in range(10)} == {200}
        assert (await slow[0]).count(b"HTTP/1.1 ") == 1  # it is closed for a later one


async def test_a_request_whose_body_does_not_arrive_is_refused(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.app._BODY_SECONDS", 0)
    async with host.player() as ann, slow_bodies(host, 1) as (strangers,):
        assert (await strangers).startswith(b"HTTP/1.1 503")
        (cookie,) = ann.session.cookie_jar
        async with slow_bodies(host, 1, f"focdle={cookie.value}") as (anns,):
            assert b"HTTP/1.1 503" in await anns


async def test_a_player_has_eight_requests_at_once_and_takes_nobody_elses_turn(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So do keys of sessions that are over."""
    sessions, go_on = host.services.sessions, asyncio.Event()
    find = sessions.find

    async def found(kept: str) -> Session | None:
        if await sessions.whose(kept) == ANN:
            await go_on.wait()
        return await find(kept)

    async with host.player() as ann, host.player(BEN) as ben:
        monkeypatch.setattr(sessions, "find", found)
        for statuses in ([200] * 8, [401] * 8):
            asked = [asyncio.create_task(ann.get("archive")) for _ in range(12)]
            refused = asyncio.as_completed(asked)
            assert [(await next(refused)).status for _ in range(4)] == [429] * 4
            assert (await ben.get("archive")).status == 200
            go_on.set()
            assert [(await each).status for each in refused] == statuses
            go_on.clear()
            await sessions.sign_out(ANN)


async def test_forged_keys_and_tickets_cost_no_read_and_keep_nobody_out_after_a_restart(
    host: Host, clock: FakeClock
) -> None:
    sessions = host.services.sessions
    said = list[str]()
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        players = [await enter(host.player(player)) for player in range(101, 113)]
        tickets = [await sessions.earn(player, HERE, place_of(1)) for player in range(101, 113)]
        forged = [f"{each[:-1]}{'01'[each[-1] == '0']}" for each in tickets]
        forged += [f"{player:016x}{player:048x}" for player in range(101, 190)]
        address = Address("127.0.0.1", free_port())
        await enter(opened(address, f"http://{address}", host.services, clock))
        again = await enter(host.stranger())
        for each in (again, *players):
            each.url = f"http://{address}"
        await again.get("me")
        with overheard(lambda statement, _: said.append(statement)):
            flood = [again.get("me", Cookie=f"focdle={each}") for each in forged]
            flood += [again.post("enter/look", {"ticket": each}) for each in forged]
            flood += [again.post("enter", {"ticket": each}, Cookie="focdle=") for each in forged]
            refused = await asyncio.gather(*flood)
        assert {answer.status for answer in refused} == {401, 410}
        assert not [each for each in said if each.startswith("SELECT")]
        assert {(await each.get("me")).status for each in players} == {200}


async def test_connections_of_those_who_take_no_answer_make_room_for_others(host: Host) -> None:
    where = urlsplit(host.url)
    async with AsyncExitStack() as stack:
        never_reads = stack.enter_context(socket.socket())
        never_reads.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        never_reads.connect((where.hostname, where.port))
        never_reads.setblocking(False)
        never_reads.send(b"GET /privacy HTTP/1.1\r\nHost: x\r\n\r\n" * 1_000)

        async def is_closed() -> bool:
            for _ in range(50):
                _, silent = await asyncio.open_connection(where.hostname, where.port)
                stack.callback(silent.close)
            with suppress(BlockingIOError):
                try:
                    never_reads.send(b"\r\n")
                except ConnectionError:
                    return True
            return False

        await until_so(is_closed)


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
    given = {"ticket": await host.services.sessions.earn(ANN, HERE, place_of(play.id))}
    async with host.stranger() as browser:
        found = [(await browser.post("enter/look", given)).status for _ in range(60)]
    assert found == [200] * 40 + [429] * 20

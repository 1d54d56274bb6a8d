"""The WebSocket says what has changed, to whom it belongs, and nothing else."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import WSCloseCode, WSMsgType, WSServerHandshakeError, web

from bot.errors import StorageBusyError
from bot.sessions.model import Session
from tests.web.conftest import ANN, BEN, Browser, Host
from web.doors import Doors
from web.live import _Socket  # pyright: ignore[reportPrivateUsage]

FIRST = "41-3+27=65"


async def socket(browser: Browser, *plays: int, player: str = "") -> Any:
    opened = await browser.session.ws_connect(
        browser.url + "/api/live", headers={"Origin": browser.url}
    )
    watch = [f"play:{play}" for play in plays]
    await opened.send_json({"player": player or browser.player, "watch": watch})
    return opened


async def test_an_open_page_is_told_of_a_move_in_discord_or_in_another_tab(host: Host) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data["id"]
        tabs = [await socket(ann, play) for _ in range(2)]
        for tab in tabs:
            assert await tab.receive_json() == {"changed": f"play:{play}", "version": 0}
        await host.services.daily.guess(ANN, play, FIRST)
        for tab in tabs:
            assert await tab.receive_json() == {"changed": f"play:{play}", "version": 1}
        given = {"at": 1}
        await ann.post(f"play/{play}/hint", given)
        for tab in tabs:
            assert await tab.receive_json() == {"changed": f"play:{play}", "version": 2}
            await tab.close()


async def test_an_error_while_serving_a_socket_closes_that_socket(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(_Socket, "serve", fail)
    async with host.player() as ann:
        opened = await socket(ann, 1)
        assert (await opened.receive()).type is WSMsgType.CLOSE
        assert opened.close_code == WSCloseCode.INTERNAL_ERROR
        await opened.close()
    assert "RuntimeError: broken" in caplog.text


async def test_a_socket_reports_nothing_about_another_players_board(host: Host) -> None:
    async with host.player() as ann, host.player(BEN) as ben:
        bens, anns = (await ben.post("today")).data["id"], (await ann.post("today")).data["id"]
        watching = await socket(ann, bens, 999, anns)
        assert (await watching.receive_json())["changed"] == f"play:{anns}"
        await host.services.daily.guess(BEN, bens, FIRST)
        await host.services.daily.guess(ANN, anns, FIRST)
        assert await watching.receive_json() == {"changed": f"play:{anns}", "version": 1}
        await watching.close()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"player":"11"}', '{"player":"22","watch":[]}'])
async def test_a_socket_that_sends_an_invalid_message_is_closed(host: Host, text: str) -> None:
    async with host.player() as ann:
        opened = await ann.session.ws_connect(ann.url + "/api/live", headers={"Origin": ann.url})
        await opened.send_str(text)
        assert (await opened.receive()).type is WSMsgType.CLOSE
        await opened.close()


async def test_a_socket_needs_a_session_and_the_right_origin_and_a_player_has_three_at_most(
    host: Host,
) -> None:
    async with host.player() as ann, host.browser() as nobody:
        for browser, origin, status in (
            (nobody, host.url, 401),
            (ann, "https://evil.example", 400),
            (ann, "", 400),
        ):
            with pytest.raises(WSServerHandshakeError) as refused:
                await browser.session.ws_connect(
                    host.url + "/api/live", headers={"Origin": origin} if origin else {}
                )
            assert refused.value.status == status
        play = (await ann.post("today")).data["id"]
        opened = [await socket(ann, play) for _ in range(3)]
        for each in opened:
            await each.receive_json()
        with pytest.raises(WSServerHandshakeError):
            await socket(ann, play)
        await opened[0].close()
        again = await _until_there_is_room(ann, play)
        for each in (*opened, again):
            await each.close()


async def test_a_socket_obeys_the_rate_limit_of_its_player(host: Host) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data["id"]
        watching = await socket(ann, play)
        watch = {"player": ann.player, "watch": [f"play:{play}"] * 8}
        for _ in range(5):
            await watching.send_json(watch)
        while (await watching.receive()).type is not WSMsgType.CLOSE:
            pass
        assert watching.close_code == 4002  # which a page opens again
        assert (await ann.get("me")).status == 429


async def test_a_socket_stays_open_while_the_database_is_busy(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = asyncio.Event()

    async def visitor(_doors: Doors, _request: web.Request) -> Session:
        refused.set()
        raise StorageBusyError

    async with host.player() as ann:
        play = (await ann.post("today")).data["id"]
        watching = await socket(ann, play)
        await watching.receive_json()
        with monkeypatch.context() as patched:
            patched.setattr(Doors, "visitor", visitor)
            await host.services.daily.guess(ANN, play, FIRST)
            await refused.wait()
        await host.services.daily.guess(ANN, play, "12+34-5=41")
        assert await watching.receive_json() == {"changed": f"play:{play}", "version": 2}
        await watching.close()


async def _until_there_is_room(browser: Browser, play: int) -> Any:
    while True:
        try:
            return await socket(browser, play)
        except WSServerHandshakeError:
            await asyncio.sleep(0)


async def _delete(host: Host) -> None:
    await host.services.privacy.players.delete(ANN, "DELETE")


async def _sign_out(host: Host) -> None:
    await host.services.sessions.sign_out(ANN)


@pytest.mark.parametrize("end", [_delete, _sign_out])
async def test_a_socket_ends_when_its_player_is_signed_out(
    host: Host, end: Callable[[Host], Awaitable[None]]
) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data["id"]
        watching = await socket(ann, play)
        await watching.receive_json()
        await end(host)
        assert (await watching.receive()).type is WSMsgType.CLOSE
        assert watching.close_code == 4001
        assert (await ann.get(f"play/{play}")).status == 401
        await watching.close()

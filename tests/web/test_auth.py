"""Who may come in: tickets, sessions, origins, whom the page shows."""

import asyncio
import re
from contextlib import AsyncExitStack
from email.utils import parsedate_to_datetime

import pytest

from bot.address import Address
from bot.moderation.game import SERVER, USER
from bot.moderation.model import KeptOutError
from tests.support.asking import free_port
from tests.support.clock import FakeClock
from tests.support.table import SECRET
from tests.web.conftest import ANN, BEN, GUILD, HERE, Answer, Host, id_of, place_of
from web.app import opened


async def test_a_link_first_names_its_player_and_then_opens_one_session_only(host: Host) -> None:
    play = await host.services.daily.open(ANN, GUILD)
    await host.services.standings.members.seen(ANN, "Ann")
    ticket = await host.services.sessions.earn(ANN, HERE, place_of(play.id))
    async with host.browser() as browser:
        looks = [(await browser.post("enter/look", {"ticket": ticket})).data for _ in range(2)]
        said = {name: looks[-1][name] for name in ("player", "game", "enter")}
        assert said == {"player": "11", "game": "FoCdle #324", "enter": "Play as Ann"}
        assert looks[-1]["about"].startswith("Find the hidden equation")
        assert SECRET not in str(looks)
        assert (await browser.get("me")).status == 401
        entered = await browser.post("enter", {"ticket": ticket})
        assert entered.status == 204
        cookie = entered.headers["Set-Cookie"]
        assert cookie.startswith("focdle=")
        for term in ("HttpOnly", "SameSite=Strict", "Path=/", "Max-Age=43200"):
            assert term in cookie
        assert (await browser.get("me")).data["name"] == "Ann"
        for path in ("enter", "enter/look"):
            refused = await browser.post(path, {"ticket": ticket})
            assert refused.status == 410
            assert refused.data["said"][0].startswith("This link has been used")


async def test_the_cookie_of_a_page_at_https_is_secure_and_bound_to_its_host(host: Host) -> None:
    from_outside = (await _entered_at(host, "https://focdle.example.org")).headers["Set-Cookie"]
    assert from_outside.startswith("__Host-focdle=")
    assert "Secure" in from_outside


async def _entered_at(host: Host, url: str) -> Answer:
    async with AsyncExitStack() as stack:
        address = Address("127.0.0.1", free_port())
        await stack.enter_async_context(opened(address, url, host.services, FakeClock()))
        stranger = await stack.enter_async_context(host.stranger())
        stranger.url = f"http://{address}"
        ticket = await host.services.sessions.earn(ANN, None, place_of(1))
        cookie = {"Cookie": "__Host-focdle="}
        return await stranger.post("enter", {"ticket": ticket}, Origin=url, **cookie)


async def test_a_browser_that_keeps_no_cookies_is_told_and_its_link_is_not_spent(
    host: Host,
) -> None:
    play = await host.services.daily.open(ANN, GUILD)
    ticket = {"ticket": await host.services.sessions.earn(ANN, HERE, place_of(play.id))}
    async with host.stranger() as stranger, host.browser() as browser:
        for _ in range(2):
            looked = await stranger.post("enter/look", ticket)
            assert "Max-Age=600" in looked.headers["Set-Cookie"]
            refused = await stranger.post("enter", ticket)
            assert refused.status == 428
            assert refused.data["said"][0].startswith("This browser blocks cookies here.")
        await browser.enter(ticket["ticket"])
        again = await browser.post("enter/look", ticket)
        assert again.status == 410
        assert "Set-Cookie" not in again.headers
        other = {"ticket": await host.services.sessions.earn(BEN, HERE, place_of(play.id))}
        await browser.post("enter/look", other)
        assert (await browser.get("me")).data["player"] == str(ANN)


@pytest.mark.parametrize("origin", ["", "null", "https://evil.example", "http://127.0.0.1"])
async def test_a_request_from_another_page_changes_nothing(host: Host, origin: str) -> None:
    async with host.player() as ann:
        before = (await ann.post("today")).data
        text = {"text": "41-3+27=65", "at": 0}
        path = f"{before['place']}/guess"
        assert (await ann.post(path, text, Origin=origin)).status == 400
        for kind in ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
            assert (await ann.post(path, text, Content_Type=kind)).status == 400
        assert (await ann.get(before["place"])).data == before


async def test_requests_of_a_page_that_still_shows_another_player_are_refused(host: Host) -> None:
    """Two players in one browser: the second signs in while the first one's page is open."""
    async with host.player(ANN) as page:
        play = (await page.post("today")).data
        bens = await host.services.daily.open(BEN, GUILD)
        ticket = await host.services.sessions.earn(BEN, HERE, place_of(bens.id))
        assert (await page.post("enter", {"ticket": ticket})).status == 204
        refused = await page.post(f"{place_of(bens.id)}/guess", {"text": "41-3+27=65", "at": 0})
        assert refused.status == 409
        assert "play" not in refused.data
        assert (await page.get(play["place"])).status == 409
        assert (await page.get("me", X_Player="")).data["player"] == str(BEN)
    assert not (await host.services.daily.view(BEN, bens.id)).game.turns


async def test_nobody_reaches_another_players_board(host: Host) -> None:
    async with host.player(ANN) as ann, host.player(BEN) as ben:
        theirs = (await ben.post("today")).data["place"]
        texts = set[str]()
        for play in (theirs, *(str(place_of(none)) for none in (987_654, 0, 10**17))):
            for answer in (
                await ann.get(play),
                await ann.get(f"{play}/share"),
                await ann.get(f"{play}/verdict"),
                await ann.post(f"{play}/guess", {"text": "41-3+27=65", "at": 0}),
                await ann.post(f"{play}/hint", {"at": 0}),
                await ann.post(f"{play}/give_up", {"at": 0}),
                await ann.post(f"{play}/hard", {"at": 0, "on": True}),
                await ann.post(f"{play}/better", {"turn": 0}),
            ):
                assert answer.status == 404
                texts.add(answer.text)
        assert texts == {'{"said": ["That game is gone."]}'}
        assert not (await ben.get(theirs)).data["rows"]


async def test_forged_sessions_are_refused_and_unknown_paths_are_not_found(host: Host) -> None:
    async with host.stranger() as stranger:
        for cookie in ("", "focdle=", "focdle=" + "0" * 64, "focdle=%00", "focdle=é"):
            answer = await stranger.get("me", Cookie=cookie)
            assert answer.status == 401
        for path in ("/api/", "/api/play-x", "/api/play--1", "/s/x/app.py", "/s/../app.py", "/x"):
            answer = await stranger.ask("GET", path)
            assert (answer.status, answer.text) == (404, "")
        assert (await stranger.ask("DELETE", "/api/me")).status == 405


async def test_a_session_ends_at_a_deletion_of_data_and_after_twelve_hours(
    host: Host, clock: FakeClock
) -> None:
    async with host.player(ANN) as ann, host.player(BEN) as ben:
        await host.services.privacy.players.delete(ANN, "DELETE")
        assert (await ann.get("me")).status == 401
        clock.advance(hours=12)
        refused = await ben.get("me")
        assert refused.status == 401
        assert refused.data["said"] == [
            "You're signed out. In Discord, type `/play`, open a game and press *Keypad*."
        ]


async def test_silent_connections_and_many_requests_of_strangers_do_not_stop_a_player(
    host: Host,
) -> None:
    there = host.url.removeprefix("http://").split(":")
    silent = [await asyncio.open_connection(there[0], int(there[1])) for _ in range(500)]
    async with host.player(ANN) as ann, host.stranger() as stranger:
        cookie = {"Cookie": "focdle=" + "0" * 64}
        asked = [asyncio.create_task(stranger.get("me", **cookie)) for _ in range(200)]
        play = (await ann.post("today")).data
        given = {"text": "41-3+27=65", "at": 0}
        guessed = await ann.post(f"{play['place']}/guess", given)
        assert (guessed.status, guessed.data["version"]) == (200, 1)
        assert {each.status for each in await asyncio.gather(*asked)} == {401}
    for _, writer in silent:
        writer.close()


async def test_connections_are_kept_open_only_while_few_are_open(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with host.player() as ann:
        assert "Connection" not in (await ann.get("me")).headers
        monkeypatch.setattr("web.app._MOST_KEPT", 0)
        assert (await ann.get("me")).headers["Connection"] == "close"


async def test_a_malformed_request_is_not_logged(
    host: Host, caplog: pytest.LogCaptureFixture
) -> None:
    there = host.url.removeprefix("http://").split(":")
    own = f"Host: x\r\nOrigin: {host.url}\r\nContent-Type: application/json\r\n"
    for sent in (
        "my-ticket\r\n\r\n",
        "GET /api/me HTTP/1.1\r\nHost: x\r\nCookie: focdle=my-ticket\r\nno header\r\n\r\n",
        f"POST /api/enter HTTP/1.1\r\n{own}Transfer-Encoding: chunked\r\n\r\nZZ\r\nmy-ticket",
        f"POST /api/enter HTTP/1.1\r\n{own}Content-Length: 999\r\n\r\nmy-ticket",
    ):
        reader, writer = await asyncio.open_connection(there[0], int(there[1]))
        writer.write(sent.encode())
        writer.write_eof()
        assert not re.search(b"python|aiohttp", await reader.read(), re.IGNORECASE)
        writer.close()
    async with host.player() as ann:
        assert (await ann.get("me")).status == 200
    assert "my-ticket" not in caplog.text
    assert not [each for each in caplog.records if each.levelname == "ERROR"]


async def test_every_answer_has_the_security_headers_and_tells_the_time(
    host: Host, clock: FakeClock
) -> None:
    async with host.player() as ann:
        for answer in (
            await ann.ask("GET", "/"),
            await ann.get("me"),
            await ann.get("play-0"),
            await ann.ask("GET", "/nothing"),
            await ann.post("enter", b"x" * 3000),
        ):
            assert answer.headers["Cache-Control"] == "no-store"
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert answer.headers["Referrer-Policy"] == "no-referrer"
            assert "Server" not in answer.headers
            told = parsedate_to_datetime(answer.headers["Date"])  # by which the page counts down
            assert told == clock.now().replace(microsecond=0)
            policy = answer.headers["Content-Security-Policy"]
            own = f"'self' {host.url}"
            assert policy.startswith(f"default-src 'none'; script-src {own}; style-src {own};")
            assert f"connect-src {own} ws{host.url.removeprefix('http')};" in policy
            assert not [name for name in answer.headers if name.startswith("Access-Control")]


async def test_a_user_whom_the_host_keeps_out_can_neither_see_nor_change_a_board_on_the_page(
    host: Host,
) -> None:
    services = host.services
    async with host.player() as ann:
        play = (await ann.post("today")).data
        await services.privacy.keeping_out.keep_out(USER, ANN)
        await services.moderation.refresh()
        given = {"text": "41-3+27=65", "at": 0}
        for answer in (
            await ann.get("me"),
            await ann.get(play["place"]),
            await ann.post(f"{play['place']}/guess", given),
        ):
            assert (answer.status, answer.data["said"]) == (422, KeptOutError.sentence.splitlines())
        await services.privacy.keeping_out.let_in(USER, ANN)
        await services.moderation.refresh()
        assert (await ann.get(play["place"])).data["version"] == 0


async def test_a_session_in_a_server_that_is_kept_out_plays_as_in_direct_messages(
    host: Host,
) -> None:
    services = host.services
    async with host.player() as ann:
        await services.privacy.keeping_out.keep_out(SERVER, GUILD)
        await services.moderation.refresh()
        play = (await ann.post("practice")).data["place"]
        assert (await services.daily.view(ANN, id_of(play))).guild_id is None
    async with host.player(BEN) as ben:
        await services.privacy.keeping_out.let_in(SERVER, GUILD)
        await services.moderation.refresh()
        play = (await ben.post("practice")).data["place"]
        assert (await services.daily.view(BEN, id_of(play))).guild_id == GUILD


async def test_a_page_that_has_just_started_knows_whom_the_host_keeps_out(
    host: Host, clock: FakeClock
) -> None:
    services = host.services
    async with host.player() as ann:
        await services.privacy.keeping_out.keep_out(USER, ANN)
        assert (await ann.get("me")).status == 200
        address = Address("127.0.0.1", free_port())
        async with opened(address, f"http://{address}", services, clock):
            ann.url = f"http://{address}"
            assert (await ann.get("me")).status == 422

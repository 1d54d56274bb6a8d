"""The WebSocket says what has changed, to whom it belongs, and nothing else."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from aiohttp import WSCloseCode, WSMsgType, WSServerHandshakeError

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.errors import StorageBusyError
from bot.games.model import Channel
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.page.model import Session
from engine import Focdle
from tests.support.clock import FakeClock
from tests.web.conftest import ANN, BEN, CHANNEL, GUILD, HERE, Browser, Host, id_of
from web.live import _Socket  # pyright: ignore[reportPrivateUsage]

FIRST = "41-3+27=65"


async def connect(browser: Browser, token: str = "") -> Any:
    """Open a socket by a token; without one, by a new one of the browser's session."""
    token = token or (await browser.post("live/token")).data["token"]
    return await browser.session.ws_connect(f"{browser.url}/api/live?token={token}")


async def socket(browser: Browser, *places: str, player: str = "") -> Any:
    opened = await connect(browser)
    await opened.send_json({"player": player or browser.player, "watch": places})
    return opened


async def test_an_open_page_is_told_of_a_move_in_discord_or_in_another_tab(host: Host) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data["place"]
        tabs = [await socket(ann, play) for _ in range(2)]
        for tab in tabs:
            assert await tab.receive_json() == {"changed": play, "version": 0}
        await host.services.daily.guess(ANN, id_of(play), FIRST)
        for tab in tabs:
            assert await tab.receive_json() == {"changed": play, "version": 1}
        given = {"at": 1, "sure": True}
        assert (await ann.post(f"{play}/hint", given)).status == 200
        for tab in tabs:
            assert await tab.receive_json() == {"changed": play, "version": 2}
            await tab.close()


async def test_an_error_while_serving_a_socket_closes_that_socket(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(*_: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(_Socket, "serve", fail)
    async with host.player() as ann:
        opened = await socket(ann, "play-1")
        assert (await opened.receive()).type is WSMsgType.CLOSE
        assert opened.close_code == WSCloseCode.INTERNAL_ERROR
        await opened.close()
    assert "RuntimeError: broken" in caplog.text


async def test_a_socket_reports_nothing_about_another_players_board(host: Host) -> None:
    async with host.player() as ann, host.player(BEN) as ben:
        bens, anns = (
            (await ben.post("today")).data["place"],
            (await ann.post("today")).data["place"],
        )
        watching = await socket(ann, bens, "play-999", "race-1", "play-", anns)
        assert (await watching.receive_json())["changed"] == anns
        await host.services.daily.guess(BEN, id_of(bens), FIRST)
        await host.services.daily.guess(ANN, id_of(anns), FIRST)
        assert await watching.receive_json() == {"changed": anns, "version": 1}
        await watching.close()


async def test_a_socket_reports_that_a_race_opens_in_its_own_channel_and_in_no_other(
    host: Host,
) -> None:
    races = host.services.races
    async with host.player() as ann:
        watching = await socket(ann, "place", f"channel-{GUILD}-4", "race-1")
        assert await watching.receive_json() == {"changed": "place", "version": 0}
        await races.open(BEN, Channel(GUILD, 4), Focdle())
        await races.open(BEN, Channel(7_777, CHANNEL), Focdle())
        await races.open(ANN, HERE, Focdle())
        assert await watching.receive_json() == {"changed": "place", "version": 1}
        await host.services.races.open(BEN, Channel(GUILD, 5), Focdle())
        await ann.post("today")
        await races.take_back(await races.join(BEN, 3, HERE))
        await races.open(BEN, HERE, Focdle())
        assert await watching.receive_json() == {"changed": "place", "version": 2}
        await watching.close()


async def test_players_hear_when_a_game_of_theirs_changes_wherever_it_is(host: Host) -> None:
    duels, races, there = host.services.duels, host.services.races, Channel(GUILD, 4)
    async with host.player() as ann, host.player(BEN), host.player(55) as dan:
        watching, idle = await socket(ann, "me", f"player:{BEN}"), await socket(dan, "me")
        for each in (watching, idle):
            assert await each.receive_json() == {"changed": "me", "version": 0}
        asked = await duels.inviting.challenge(
            Challenge(BEN, ANN, GUILD, CHANNEL), DuelOptions(), "0123"
        )
        assert (await watching.receive_json())["version"] == 1
        duel = (await duels.inviting.accept(ANN, asked.duel.id, asked.duel.terms, "4567")).duel
        assert (await watching.receive_json())["version"] == 2
        first = duel.to_move
        assert first is not None
        for seat in (first, 1 - first):
            await duels.playing.guess(duel.player_ids[seat], duel.id, "5678")
            assert (await watching.receive_json())["changed"] == "me"
        race = (await races.open(BEN, there, Focdle())).race.id
        await races.join(ANN, race, there)
        assert (await watching.receive_json())["version"] == 5
        await races.start(BEN, race, there)
        assert (await watching.receive_json())["version"] == 6
        invitation = Invitation(BEN, ANN, GUILD, CHANNEL)
        await host.services.mastermind.challenges.invite(invitation, Setting(), "RGBY")
        assert (await watching.receive_json())["version"] == 7
        await dan.post("practice")
        assert await idle.receive_json() == {"changed": "me", "version": 1}
        for each in (watching, idle):
            await each.close()


async def test_whoever_has_left_hears_no_more_of_a_channel(host: Host) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data["place"]
        watching = await socket(ann, "place")
        assert (await watching.receive_json())["changed"] == "place"
        await host.services.standings.members.gone(GUILD, ANN)
        await watching.send_json({"player": ann.player, "watch": ["place", play]})
        assert await watching.receive_json() == {"changed": play, "version": 0}
        await host.services.daily.guess(ANN, id_of(play), FIRST)
        assert await watching.receive_json() == {"changed": play, "version": 1}
        await watching.close()


async def test_a_player_outside_servers_has_no_place_to_watch(host: Host) -> None:
    async with host.player(guild=None) as ann:
        play = (await ann.post("today")).data["place"]
        watching = await socket(ann, "place", play)
        assert await watching.receive_json() == {"changed": play, "version": 0}
        await watching.close()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"player":"11"}', '{"player":"22","watch":[]}'])
async def test_a_socket_that_sends_an_invalid_message_is_closed(host: Host, text: str) -> None:
    async with host.player() as ann:
        opened = await connect(ann)
        await opened.send_str(text)
        assert (await opened.receive()).type is WSMsgType.CLOSE
        await opened.close()


async def test_a_socket_needs_a_token_of_the_last_half_minute(host: Host, clock: FakeClock) -> None:
    """Whoever has none is refused before the upgrade, and so keeps nobody from hearing."""
    async with host.player() as ann, host.player(BEN) as ben, host.browser() as nobody:
        play = (await ann.post("today")).data["place"]
        (cookie,) = ann.session.cookie_jar
        token = (await ann.post("live/token")).data["token"]
        bens = (await ben.post("live/token")).data["token"]
        changed = token[:-1] + "10"[token[-1] == "1"]
        for forged in ("x", changed, bens[:16] + token[16:], cookie.value):
            with pytest.raises(WSServerHandshakeError) as refused:
                await connect(nobody, forged)
            assert refused.value.status == 401
        await (await connect(nobody, token)).close()
        assert (await nobody.get("me", Cookie=f"focdle={token}")).status == 401
        assert (await ann.post("live/token", Origin="https://evil.example")).status == 400
        clock.advance(seconds=30)
        with pytest.raises(WSServerHandshakeError):
            await connect(ann, token)
        watching = await socket(ann, play)
        assert (await watching.receive_json())["version"] == 0
        await watching.close()


async def test_sixty_sockets_of_strangers_that_say_nothing_leave_room_for_a_player(
    host: Host,
) -> None:
    async with host.player() as ann, host.stranger() as nobody:
        play = (await ann.post("today")).data["place"]
        silent = await asyncio.gather(
            *(connect(nobody, "0" * 104) for _ in range(60)), return_exceptions=True
        )
        assert {type(each) for each in silent} == {WSServerHandshakeError}
        watching = await socket(ann, play)
        assert (await watching.receive_json())["version"] == 0
        await watching.close()


async def test_a_player_has_three_sockets_however_many_are_tried_at_once(host: Host) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data["place"]
        token = (await ann.post("live/token")).data["token"]
        tried = await asyncio.gather(
            *(connect(ann, token) for _ in range(30)), return_exceptions=True
        )
        opened = [each for each in tried if not isinstance(each, BaseException)]
        assert len(opened) == 3
        assert {each.status for each in tried if isinstance(each, WSServerHandshakeError)} == {429}
        await opened[0].close()
        for each in (*opened[1:], await _until_there_is_room(ann, play)):
            await each.close()


async def test_a_socket_obeys_the_rate_limit_of_its_player(host: Host) -> None:
    async with host.player() as ann:
        play = (await ann.post("today")).data["place"]
        watching = await socket(ann, play)
        watch = {"player": ann.player, "watch": [play] * 8}
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

    async def running(_digest: str) -> Session:
        refused.set()
        raise StorageBusyError

    async with host.player() as ann:
        play = (await ann.post("today")).data["place"]
        watching = await socket(ann, play)
        await watching.receive_json()
        with monkeypatch.context() as patched:
            patched.setattr(host.services.sessions, "running", running)
            await host.services.daily.guess(ANN, id_of(play), FIRST)
            await refused.wait()
        await host.services.daily.guess(ANN, id_of(play), "12+34-5=41")
        while await watching.receive_json() != {"changed": play, "version": 2}:
            pass  # a process hears of its own changes twice on PostgreSQL
        await watching.close()


async def _until_there_is_room(browser: Browser, play: str) -> Any:
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
        play = (await ann.post("today")).data["place"]
        watching = await socket(ann, play)
        await watching.receive_json()
        await end(host)
        assert (await watching.receive()).type is WSMsgType.CLOSE
        assert watching.close_code == 4001
        assert (await ann.get(play)).status == 401
        await watching.close()

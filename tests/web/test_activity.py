"""Signing in from Discord's frame: who comes in, as whom, and where they play."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSMsgType

from bot.address import Address
from bot.moderation.game import USER
from bot.moderation.model import KeptOutError
from bot.page.game import digest_of
from bot.playground.discord_stub import User
from tests.support.asking import free_port
from tests.support.clock import FakeClock
from tests.support.effort import either
from tests.support.sql import overheard, sql
from tests.web.conftest import (
    ANN,
    BEN,
    CHANNEL,
    FRAME,
    GUILD,
    HERE,
    SECRET,
    Browser,
    Framed,
    Host,
    ask_anything,
    id_of,
    let_in,
    place_of,
    post,
)
from web.activity import _Discord  # pyright: ignore[reportPrivateUsage]
from web.app import opened

FIRST = "41-3+27=65"


async def server_of(host: Host, browser: Browser) -> int | None:
    play = (await browser.post("practice")).data["place"]
    return (await host.services.daily.view(int(browser.player), id_of(play))).guild_id


async def test_the_player_and_the_server_of_a_frame_are_those_that_discord_names(
    framed: Framed, tmp_path: Path
) -> None:
    async with framed.stranger() as browser:
        answer = await post(browser, {"code": framed.code(), "instance": framed.launch(ANN)})
        assert answer.status == 200
        assert answer.data.keys() == {"session", "seconds", "me", "open"}
        assert (answer.data["me"]["name"], answer.data["open"]) == ("Ann", None)
        assert "Set-Cookie" not in answer.headers
        let_in(browser, answer)
        play = (await browser.post("today")).data
        given = {"text": FIRST, "at": 0}
        seen = (await browser.post(f"{play['place']}/guess", given, Origin="")).data
        assert seen["version"] == 1
        assert await server_of(framed, browser) == GUILD
    ((digest, *stored),) = sql(
        tmp_path, "SELECT digest, is_framed, guild_id, channel_id FROM web_sessions"
    )
    assert stored == [True, GUILD, CHANNEL]
    assert digest != answer.data["session"]


async def test_a_frame_names_a_new_member_of_a_server_and_renames_no_known_member(
    framed: Framed, tmp_path: Path
) -> None:
    members = framed.services.standings.members
    await members.seen(ANN, "Ann", guild_id=GUILD, guild_name="Queen Ann")
    instance = framed.launch(ANN, BEN)
    async with framed.frame(instance=instance), framed.frame("ben", instance=instance) as ben:
        assert await server_of(framed, ben) == GUILD
    names = sql(tmp_path, "SELECT name FROM members WHERE player_id IN (11, 22) ORDER BY name")
    assert names == [("Ben",), ("Queen Ann",)]


async def test_the_page_asks_again_until_discord_knows_where_the_player_is(framed: Framed) -> None:
    instance = framed.launch(ANN)
    framed.stub.instances[instance].missing = 2
    async with framed.frame(instance=instance) as ann:
        assert await server_of(framed, ann) == GUILD


async def test_a_player_whose_server_discord_does_not_confirm_gets_no_session(
    framed: Framed, tmp_path: Path
) -> None:
    late, bens = framed.launch(ANN), framed.launch(BEN)
    framed.stub.instances[late].missing = 1_000
    async with framed.stranger() as browser:
        for instance in (late, bens, "i-7-gc-33-3"):
            answer = await post(browser, {"code": framed.code(), "instance": instance})
            assert answer.status == 403
            assert answer.data == {"said": ["Discord couldn't tell me where you're playing."]}
    for table in ("web_sessions", "plays"):
        assert not sql(tmp_path, f"SELECT * FROM {table}")
    async with framed.frame() as ann:
        assert await server_of(framed, ann) is None


async def test_one_player_cannot_have_discord_asked_so_often_that_it_answers_nobody(
    framed: Framed,
) -> None:
    async with framed.frame() as ann:
        for n in range(18):
            await post(ann, {"code": framed.code(), "instance": f"i-{n}"})
        assert framed.stub.asked.count("applications") == 27  # ten logins, of which one succeeded
        async with framed.frame("ben", instance=framed.launch(BEN)) as ben:
            assert await server_of(framed, ben) == GUILD


async def test_a_late_joiner_is_let_in_and_discord_is_asked_for_players_once_a_minute(
    framed: Framed, clock: FakeClock
) -> None:
    instance = framed.launch(ANN)
    running = framed.stub.instances[instance]
    async with framed.frame(instance=instance):
        running.users, running.as_objects = [ANN, BEN], True
        async with framed.frame("ben", instance=instance) as ben:
            assert await server_of(framed, ben) == GUILD
        running.missing = 1_000
        async with framed.frame("ben", instance=instance):
            clock.advance(seconds=60)
        async with framed.stranger() as browser:
            answer = await post(browser, {"code": framed.code(), "instance": instance})
            assert answer.status == 403


@pytest.mark.parametrize("guild", [None, 7_777])
async def test_a_frame_outside_a_server_with_the_bot_plays_as_in_direct_messages(
    framed: Framed, guild: int | None, tmp_path: Path
) -> None:
    async with framed.frame(instance=framed.launch(ANN, guild=guild)) as ann:
        assert await server_of(framed, ann) is None
    assert sql(tmp_path, "SELECT guild_id, channel_id FROM web_sessions") == [(None, None)]


async def test_an_activity_launched_from_a_board_opens_that_board_only_for_its_player(
    framed: Framed, clock: FakeClock
) -> None:
    sessions = framed.services.sessions
    play = await framed.services.daily.open(ANN, GUILD)
    instance = framed.launch(ANN, BEN, guild=None)
    framed.stub.instances[instance].missing = 1_000
    for launch in (instance, "0" * 64):
        await sessions.launched(ANN, HERE, place_of(play.id), launch)
        async with framed.stranger() as browser:
            given = {"code": framed.code(), "instance": instance, "launch": launch}
            answer = await post(browser, given)
            assert answer.data["open"] == str(place_of(play.id))
            assert await server_of(framed, let_in(browser, answer)) == GUILD
            bens = await post(browser, given | {"code": framed.code("ben")})
            assert bens.status == 403
            forged = {"Authorization": "", "Cookie": "focdle="}
            looked = await browser.post("enter", {"ticket": launch}, **forged)
            assert looked.status == 410
    clock.advance(minutes=10)
    async with framed.stranger() as browser:
        answer = await post(browser, {"code": framed.code(), "instance": instance})
        assert answer.status == 403


async def test_an_activity_whose_launch_is_recorded_late_still_opens_the_board(
    framed: Framed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Discord shows the frame as soon as it has told the bot of it."""
    play = await framed.services.daily.open(ANN, GUILD)
    instance, ask = framed.launch(ANN, guild=None), _Discord.instance

    async def noted(discord: _Discord, name: str) -> object:
        await framed.services.sessions.launched(ANN, HERE, place_of(play.id), instance)
        return await ask(discord, name)

    monkeypatch.setattr(_Discord, "instance", noted)
    async with framed.stranger() as browser:
        answer = await post(browser, {"code": framed.code(), "instance": instance})
        assert answer.data["open"] == str(place_of(play.id))
        assert await server_of(framed, let_in(browser, answer)) == GUILD


async def test_a_player_is_told_that_discord_does_not_answer_when_discord_is_too_slow(
    framed: Framed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.activity._DISCORD_SECONDS", 0)
    async with framed.stranger() as browser:
        answer = await post(browser, {"code": framed.code()})
    assert (answer.status, answer.data["said"]) == (503, ["Discord isn't answering."])


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"token": "a-token"},
        {"code": "ann.7", "guild_id": str(GUILD)},
        {"code": "ann.7", "guild": GUILD},
        {"code": "ann.7", "player": str(BEN)},
        {"code": 7},
        {"code": ""},
        {"code": "ann 7&client_secret=x"},
        {"code": "x" * 300},
        {"code": "ann.7", "instance": ""},
        {"code": "ann.7", "instance": "../../users/@me"},
        {"code": "ann.7", "instance": "i-1-gc-33-3?x"},
        {"code": "ann.7", "instance": "i" * 129},
        {"code": "ann.7", "launch": "é"},
        {"code": "ann.7", "channel": "3"},
    ],
)
async def test_an_invalid_login_request_from_a_frame_is_refused_and_spends_no_login_code(
    framed: Framed, wrong: dict[str, Any], tmp_path: Path
) -> None:
    async with framed.stranger() as browser:
        assert (await post(browser, wrong)).status == 400
        assert (await post(browser, {"code": "ann.7"})).status == 200
    assert sql(tmp_path, "SELECT guild_id FROM web_sessions") == [(None,)]


async def test_a_login_code_works_only_once_and_only_if_our_application_was_given_it(
    framed: Framed, clock: FakeClock, tmp_path: Path
) -> None:
    """A code that another application was given is no code for ours."""
    code = framed.code()
    async with framed.stranger() as browser:
        answers = await asyncio.gather(*(post(browser, {"code": code}) for _ in range(5)))
        assert sorted(answer.status for answer in answers) == [200, 401, 401, 401, 401]
        framed.stub._spent.clear()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        for wrong in (code, "others.1", "nobody"):
            refused = await post(browser, {"code": wrong})
            assert (refused.status, refused.data["said"]) == (
                401,
                ["Discord couldn't tell me who you are."],
            )
        # Another process does not know that the code is spent, but Discord does.
        framed.stub._spent.add(code)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        address = Address("127.0.0.1", free_port())
        url = f"http://{address}"
        async with opened(address, url, framed.services, clock, activity=framed.activity):
            browser.url = url
            assert (await post(browser, {"code": code})).status == 401
    assert len(sql(tmp_path, "SELECT * FROM web_sessions")) == 1


@pytest.mark.parametrize("origin", ["https://evil.example", "https://43.discordsays.com"])
async def test_requests_from_other_pages_are_refused(framed: Framed, origin: str) -> None:
    async with framed.stranger() as browser:
        assert (await post(browser, {"code": "ann.7"}, Origin=origin)).status == 400
        for kind in ("text/plain", "application/x-www-form-urlencoded"):
            assert (await post(browser, {"code": "ann.7"}, Content_Type=kind)).status == 400
        for own in ("", "null", framed.url, FRAME):
            assert (await post(browser, {"code": framed.code()}, Origin=own)).status == 200
    async with framed.frame() as ann:
        play = (await ann.post("today", Origin="null")).data["place"]
        given = {"text": FIRST, "at": 0}
        refused = await ann.post(f"{play}/guess", given, Origin=origin)
        assert refused.status == 400
        assert (await ann.get(play)).data["rows"] == []


async def test_sessions_of_frames_and_of_browsers_cannot_stand_for_each_other(
    framed: Framed,
) -> None:
    async with framed.player() as page, framed.frame() as ann, framed.stranger() as browser:
        (cookie,) = page.session.cookie_jar
        kept = ann.session.headers["Authorization"].removeprefix("Bearer ")
        crossed = {"Authorization": f"Bearer {cookie.value}"}
        assert (await browser.get("me", **crossed)).status == 401
        assert (await browser.get("me", Cookie=f"focdle={kept}")).status == 401
        for forged in ("Bearer ", "Bearer x", f"Basic {kept}", f"Bearer {'0' * 64}"):
            assert (await browser.get("me", Authorization=forged)).status == 401
        # A frame's session does not stand for the cookie's origin, nor the other way round.
        for origin in (FRAME, "null", ""):
            assert (await page.post("today", Origin=origin)).status == 400


async def test_a_session_of_a_frame_serves_one_player_and_ends_within_an_hour(
    framed: Framed, clock: FakeClock
) -> None:
    async with framed.frame() as ann, framed.frame("ben") as ben:
        play = (await ben.post("today")).data["place"]
        given = {"text": FIRST, "at": 0}
        assert (await ann.post(f"{play}/guess", given)).status == 404
        assert (await ann.post(f"{play}/guess", given, X_Player=str(BEN))).status == 409
        assert (await ben.get(play)).data["rows"] == []
        await framed.services.privacy.players.delete(BEN, "DELETE")
        assert (await ben.get("me")).status == 401
        clock.advance(hours=1)
        assert (await ann.get("me")).status == 401


async def test_a_sixth_frame_ends_the_session_of_the_first_frame_and_of_no_browser(
    framed: Framed, clock: FakeClock
) -> None:
    async with framed.player() as page, framed.frame() as first:
        for _ in range(5):
            clock.advance(seconds=1)
            async with framed.frame() as later:
                assert (await later.get("me")).status == 200
        assert (await first.get("me")).status == 401
        assert (await page.get("me")).status == 200


async def flood(framed: Framed, count: int, **given: str) -> set[int]:
    """Send wrong login codes; return the statuses of the answers."""
    async with framed.stranger() as browser:
        tried = [post(browser, {"code": framed.code("nobody"), **given}) for _ in range(count)]
        return {answer.status for answer in await asyncio.gather(*tried)}


async def test_wrong_login_codes_keep_nobody_out_who_was_launched_or_joins_somebody_there(
    framed: Framed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twelve players, one of whom has launched the Activity, while strangers send wrong codes."""
    monkeypatch.setattr("web.activity._LOOK_SECONDS", -1)
    monkeypatch.setattr("web.activity._EXCHANGE_SECONDS", 1_000_000)
    framed.stub.codes |= {f"p{n}": User(n, f"p{n}", f"P{n}") for n in range(101, 113)}
    instance = framed.launch(*range(101, 113))
    elsewhere = framed.launch(BEN)
    await framed.services.sessions.launched(101, HERE, None, instance)
    await framed.services.sessions.launched(BEN, HERE, None, elsewhere)
    assert await flood(framed, 60) == {401, 429}
    assert await flood(framed, 60, instance="i-9-gc-33-3") == {429}
    assert await flood(framed, 60, instance=elsewhere) == {401, 429}
    assert framed.stub.asked.count("oauth2") == 40
    async with framed.stranger() as browser:
        assert (await post(browser, {"code": framed.code()})).status == 429
        for player in range(101, 113):
            given = {"code": framed.code(f"p{player}"), "instance": instance}
            answer = await post(browser, given)
            assert answer.status == 200, answer.text
            assert await server_of(framed, let_in(browser, answer)) == GUILD
            del browser.session.headers["Authorization"]


async def test_an_activity_is_noted_while_somebody_plays_in_it(
    framed: Framed, clock: FakeClock
) -> None:
    sessions, instance = framed.services.sessions, framed.launch(ANN)
    await sessions.launched(BEN, HERE, None, instance)
    clock.advance(minutes=9)
    async with framed.frame(instance=instance), framed.frame("ben", instance="i-0", alone=True):
        clock.advance(minutes=59)
        assert await sessions.instances() == {digest_of(instance)}
        clock.advance(minutes=1)
        assert not await sessions.instances()


async def test_names_of_activities_that_nobody_has_launched_cost_one_read_a_second(
    framed: Framed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("web.activity._LOOK_SECONDS", 1_000_000)
    said = list[str]()
    async with framed.stranger() as browser:
        with overheard(lambda statement, _: said.append(statement)):
            tried = [post(browser, {"code": "nobody", "instance": f"i-{n}"}) for n in range(60)]
            await asyncio.gather(*tried)
    assert sum("instance" in each for each in said) == 1


async def test_a_stranger_who_tries_many_login_codes_locks_out_no_player_with_a_session(
    framed: Framed,
) -> None:
    async with framed.frame() as ann:
        await flood(framed, 60)
        assert (await post(ann, {"code": framed.code()})).status == 200
        assert (await post(ann, {"code": "ann.1"})).status == 401  # which is spent


async def test_a_user_whom_the_host_keeps_out_is_told_so_in_a_frame(
    framed: Framed, tmp_path: Path
) -> None:
    await framed.services.privacy.keeping_out.keep_out(USER, ANN)
    await framed.services.moderation.refresh()
    async with framed.stranger() as browser:
        answer = await post(browser, {"code": framed.code()})
    assert (answer.status, answer.data["said"]) == (422, KeptOutError.sentence.splitlines())
    assert not sql(tmp_path, "SELECT * FROM web_sessions")


async def test_a_failed_login_at_discord_logs_no_secret(
    framed: Framed, clock: FakeClock, caplog: pytest.LogCaptureFixture
) -> None:
    nobody = f"http://127.0.0.1:{free_port()}/api"
    lost = replace(framed.activity, api=nobody)
    wrong = replace(framed.activity, client_secret="another-secret")
    for activity, statuses in ((lost, [503, 503]), (wrong, [401, 503])):
        address = Address("127.0.0.1", free_port())
        url = f"http://{address}"
        async with (
            opened(address, url, framed.services, clock, activity=activity),
            framed.stranger() as browser,
        ):
            browser.url = url
            for status in statuses:
                assert (await post(browser, {"code": framed.code()})).status == status
    told = [each.getMessage() for each in caplog.records if each.levelname == "ERROR"]
    assert told == ["Discord does not take DISCORD_CLIENT_SECRET: copy it anew from the portal"]
    for secret in (SECRET, "another-secret", "a-bot-token", "ann."):
        assert secret not in caplog.text + repr(lost)


@pytest.mark.parametrize(
    ("kind", "status"), [("oauth2", 503), ("users", 503), ("applications", 403)]
)
async def test_the_page_stops_asking_an_overloaded_discord(
    framed: Framed, kind: str, status: int
) -> None:
    """It refuses whoever asks on, and with this address the bot."""
    instance = framed.launch(ANN)
    framed.stub.overloaded = {kind}
    async with framed.stranger() as browser:
        for _ in range(3):
            answer = await post(browser, {"code": framed.code(), "instance": instance})
            assert answer.status == status
    assert framed.stub.asked.count(kind) == 1


async def socket(browser: Browser, *said: object) -> Any:
    token = (await browser.post("live/token", Origin="")).data["token"]
    found = await browser.session.ws_connect(f"{browser.url}/api/live?token={token}")
    for each in said:
        await found.send_json(each)
    return found


async def test_a_socket_of_a_frame_reports_only_its_players_boards_while_its_session_lasts(
    framed: Framed, clock: FakeClock
) -> None:
    async with framed.frame() as ann, framed.frame("ben") as ben:
        play, bens = (
            (await ann.post("today")).data["place"],
            (await ben.post("today")).data["place"],
        )
        watch = {"player": "11", "watch": [bens, play]}
        watching = await socket(ann, watch)
        assert (await watching.receive_json())["changed"] == play
        await framed.services.daily.guess(BEN, id_of(bens), FIRST)
        await framed.services.daily.guess(ANN, id_of(play), FIRST)
        assert await watching.receive_json() == {"changed": play, "version": 1}
        for said in ("", watch | {"player": "22"}):
            closing = await socket(ann, said)
            assert (await closing.receive()).type is WSMsgType.CLOSE
            assert closing.close_code == 4002
        clock.advance(hours=1)
        await framed.services.daily.guess(ANN, id_of(play), "12+34-5=41")
        assert (await watching.receive()).type is WSMsgType.CLOSE
        assert watching.close_code == 4001


async def test_no_answer_about_an_open_game_reveals_its_secret(framed: Framed) -> None:
    async with framed.frame(instance=framed.launch(ANN)) as ann:
        play = (await ann.post("practice", {"length": 12})).data
        secret = (await framed.services.daily.view(ANN, id_of(play["place"]))).game.secret
        given = [{}, {"at": 7}, {"at": 0, "text": "x"}, {"turn": 0}]
        acts = ("guess", "hint", "give_up", "hard", "better")
        answers = [await ann.post(f"{play['place']}/{act}", each) for act in acts for each in given]
        answers += [await ann.get(f"{play['place']}{end}") for end in ("", "/verdict", "/share")]
        answers += [await post(ann, {"code": framed.code()}), await ann.ask("GET", "/")]
        for answer in answers:
            assert secret not in answer.text
            for hidden in (SECRET, "a-bot-token", "salt"):
                assert hidden not in answer.text


@pytest.mark.long
async def test_random_requests_from_a_frame_cause_no_error(
    framed: Framed, clock: FakeClock
) -> None:
    for seed in range(either(1, 5)):  # a session in a frame lasts an hour
        async with framed.frame(instance=framed.launch(ANN)) as ann:
            await ask_anything(ann, clock, either(200, 2_000), seed)


async def test_discord_may_show_the_page_only_where_the_host_has_an_activity(
    framed: Framed, host: Host
) -> None:
    async with framed.stranger() as browser:
        page = await browser.ask("GET", "/?frame_id=1&guild_id=33")
        policy = page.headers["Content-Security-Policy"]
        origins = "https://discord.com https://ptb.discord.com https://canary.discord.com"
        assert f"frame-ancestors {origins}" in policy
        assert "wss://42.discordsays.com;" in policy
        assert "X-Frame-Options" not in page.headers
    async with host.stranger() as browser, framed.frame() as ann:
        page = await browser.ask("GET", "/?frame_id=1")
        assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
        assert 'id="activity">null</script>' in page.text
        assert (await browser.post("discord", {"code": "x"})).status == 404
        kept = ann.session.headers["Authorization"]
        assert (await browser.get("me", Authorization=kept)).status == 401

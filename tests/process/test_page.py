"""The page of the real process: only where the host has set it, and never ahead of the database."""

import asyncio
import random
import signal
from typing import Any, Final

import aiohttp
import pytest
from aiohttp import web

from bot.clock import SystemClock
from bot.games.model import Channel, GameName, Source
from bot.services import open_services
from engine import Focdle
from tests.process.host import KEY, Host, Run
from tests.process.loopback import Loopback
from tests.support.asking import Asker, free_port
from tests.support.discord_stand_in import APPLICATION
from tests.support.effort import either
from tests.support.waiting import until, until_so
from tests.web.conftest import Browser

ANN, BEN, GUILD = 11, 22, 42
_ROUNDS: Final = either(3, 200)
_SECONDS: Final = 0.05
_SILENT: Final = "SELECT count(*) FROM pulses WHERE silent_since IS NOT NULL"
_GUESSES: Final = ("41-3+27=65", "12+34-5=41", "11+11+1=23", "22+22+2=46", "33+33+3=69")


@pytest.fixture
def url(host: Host) -> str:
    port = free_port()
    found = f"http://127.0.0.1:{port}"
    host.environment |= {"WEB_ADDRESS": str(port), "WEB_URL": found}
    return found


async def a_ticket(host: Host) -> str:
    address = host.environment["DATABASE_URL"] or f"sqlite:///{host.database}"
    options: dict[str, Any] = {"puzzle_key": KEY, "is_bot": False}
    async with open_services(address, SystemClock(), **options) as services:
        play = await services.daily.open(ANN, None)
        return await services.sessions.earn(ANN, None, GameName(Source.PLAY, play.id))


async def a_shareable_practice(host: Host) -> str:
    """Let Ann finish a practice in a server, where Ben has opened a race; return her ticket."""
    here = Channel(GUILD, GUILD + 1)
    options: dict[str, Any] = {"puzzle_key": KEY, "is_bot": False}
    address = host.environment["DATABASE_URL"]
    async with open_services(address, SystemClock(), **options) as services:
        members = services.standings.members
        await members.seen(ANN, "Ann", guild_id=GUILD, guild_name="Ann")
        play = await services.practice.open(ANN, GUILD, 10)
        await services.daily.guess(ANN, play.id, play.game.secret)
        await services.races.posted(await services.races.open(BEN, here, Focdle(10)), 77)
        return await services.sessions.earn(ANN, here, GameName(Source.PLAY, play.id))


async def is_shared(browser: Browser) -> bool:
    return (await browser.post("play-1/share")).data["came"] == "sent"


async def is_there(browser: Browser) -> bool:
    try:
        return (await browser.get("me")).status in {200, 401}
    except aiohttp.ClientError:
        return False


async def guess_until_killed(browser: Browser, play: dict[str, Any], seen: list[str]) -> None:
    """Guess on and on; what was acknowledged is in `seen`."""
    for text in _GUESSES[len(play["rows"]) :]:
        given = {"text": text, "at": len(seen), "sure": True}
        answer = await browser.post(f"{play['place']}/guess", given)
        assert answer.status == 200, answer.text
        seen.append(text)


@pytest.mark.long
async def test_every_guess_that_the_page_has_shown_outlives_every_kill(
    host: Host, url: str
) -> None:
    dice, ticket = random.Random(40), await a_ticket(host)
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        browser, shown = Browser(url, session), 0
        for _ in range(_ROUNDS):
            run = host.fork()
            await until_so(lambda: is_there(browser))
            if not browser.player:
                await browser.enter(ticket)
            play = (await browser.post("practice", {"length": 10})).data
            seen = [row["symbols"] for row in play["rows"]]
            guessing = asyncio.create_task(guess_until_killed(browser, play, seen))
            await _kill_while(guessing, seen, run, dice)
            shown += len(seen)
            await _require_stored(host, browser, play["place"], seen)
        assert shown


async def _kill_while(
    guessing: asyncio.Task[None], seen: list[str], run: Run, dice: random.Random
) -> None:
    """Kill at any moment after so many guesses as the dice say."""
    known = dice.randrange(len(_GUESSES))
    await until(lambda: len(seen) >= known or guessing.done())
    await asyncio.wait({guessing}, timeout=dice.uniform(0, _SECONDS))
    run.signal(signal.SIGKILL)
    assert await run.status() == -signal.SIGKILL
    await asyncio.gather(guessing, return_exceptions=True)


async def _require_stored(host: Host, browser: Browser, play: str, seen: list[str]) -> None:
    """All that was shown is there, once, and at most one guess more; then give up."""
    run = host.fork()
    await until_so(lambda: is_there(browser))
    found = (await browser.get(play)).data
    stored = [row["symbols"] for row in found["rows"]]
    assert stored in (seen, [*_GUESSES[: len(seen) + 1]])
    if stored:
        given = {"at": found["version"]}
        assert (await browser.post(f"{play}/give_up", given)).data["state"] == "lost"
    await run.kill()


@pytest.mark.long(only=True)
@pytest.mark.parametrize("databases", ["postgres"], indirect=True)
async def test_several_processes_serve_the_page_while_another_one_is_connected_to_discord(
    host: Host, url: str
) -> None:
    bot = host.fork()
    await host.until_logged("ready as")
    await until(lambda: host.query(_SILENT) == [(0,)])
    ticket, pages, runs = await a_ticket(host), list[Browser](), list[Run]()
    asker = Asker(free_port())
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        for _ in range(2):  # which browsers find at the same address, by the host's proxy
            port = free_port()
            host.environment["WEB_ADDRESS"] = str(port)
            host.environment["HEALTH_ADDRESS"] = "" if pages else str(asker.port)
            runs.append(await host.run("web"))
            pages.append(Browser(f"http://127.0.0.1:{port}", session))
            await until_so(lambda: is_there(pages[-1]))
        own = {"Origin": url}
        assert (await pages[1].post("enter/look", {"ticket": ticket}, **own)).status == 200
        entered = await pages[0].post("enter", {"ticket": ticket}, **own)
        assert entered.status == 204
        pages[1].player = (await pages[0].get("me")).data["player"]
        play = (await pages[1].post("practice", {}, **own)).data["place"]
        token = (await pages[1].post("live/token", **own)).data["token"]
        opened = await session.ws_connect(f"{pages[0].url}/api/live?token={token}")
        await opened.send_json({"player": pages[1].player, "watch": [play]})
        assert (await opened.receive_json())["version"] == 0
        given = {"text": _GUESSES[0], "at": 0, "sure": True}
        assert (await pages[1].post(f"{play}/guess", given, **own)).status == 200
        assert await opened.receive_json() == {"changed": play, "version": 1}
        assert (await asker.ask("/readyz"))[0] == 200
        told = (await asker.ask("/metrics"))[1].splitlines()
        assert {"focdle_ready 1.0", "focdle_page_sockets 1.0"} <= {*told}
        assert "focdle_page_sign_ins_total 1.0" in told
        assert 'focdle_page_requests_total{status="2xx"}' in {line.split()[0] for line in told}
        assert not [line for line in told if line.startswith(("focdle_shard", "focdle_posts_late"))]
        await opened.close()
    runs[0].signal(signal.SIGTERM)
    assert await runs[0].status() == 0
    assert host.query(_SILENT) == [(0,)]
    await bot.kill()


@pytest.mark.long(only=True)
@pytest.mark.parametrize("databases", ["postgres"], indirect=True)
@pytest.mark.parametrize("step", ["asked", "there"])
async def test_a_share_is_posted_once_though_the_bot_is_killed_and_by_another_that_the_page_asks(
    host: Host, discord: Loopback, url: str, step: str
) -> None:
    discord.guilds = [GUILD]
    runs, ticket = [await host.run("web")], await a_shareable_practice(host)
    is_killed = asyncio.Event()

    async def go_on_with_another() -> None:
        if not is_killed.is_set():
            is_killed.set()
            await begin()
            await runs[1].kill()
            if step == "asked":  # what a killed bot asked for never arrives
                raise web.HTTPServiceUnavailable

    async def begin() -> None:
        host.environment["WEB_ADDRESS"] = str(free_port())
        runs.append(host.fork())
        await discord.next_session()

    await begin()
    if step == "asked":
        discord.before_posting = go_on_with_another
    else:
        discord.before_answering = go_on_with_another
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        page = Browser(url, session)
        await until_so(lambda: is_there(page))
        await page.enter(ticket)
        assert (await page.post("play-1/share")).data["came"] == "waits"
        await runs[1].status()
        assert len(discord.messages) == (0 if step == "asked" else 1)
        for name in ("claimed_at", "tried_at"):
            earlier = f"{name} - interval '61 seconds'"
            host.change(f"UPDATE web_posts SET {name} = {earlier} WHERE place = 'play-1'")
        await until_so(lambda: is_shared(page))
        assert await is_shared(page)  # again
        assert len(discord.messages) == 1
        assert (await page.post("race-1/join", {"at": 0})).status == 200
    assert host.query("SELECT place, outcome FROM web_posts ORDER BY place") == [
        ("play-1", "sent"),
        ("write", "sent"),
    ]


async def test_discord_may_show_the_page_only_when_the_client_secret_is_set(
    host: Host, url: str
) -> None:
    async with aiohttp.ClientSession() as session:
        stranger = Browser(url, session)
        for secret, shown in (("", "null"), ("s-0123456789", f'{{"client": "{APPLICATION}"')):
            host.environment["DISCORD_CLIENT_SECRET"] = secret
            run = host.fork()
            await until_so(lambda: is_there(stranger))
            page = await stranger.ask("GET", "/")
            assert f'id="activity">{shown}' in page.text
            assert "s-0123456789" not in host.log + page.text
            await run.kill()


async def test_the_bot_serves_no_page_when_the_address_of_the_page_is_not_set(
    host: Host, url: str
) -> None:
    for name in ("WEB_ADDRESS", "WEB_URL"):
        del host.environment[name]
    run = host.fork()
    await until_so(lambda: _is_logged(host, "ready as"))
    async with aiohttp.ClientSession() as session:
        assert not await is_there(Browser(url, session))
    assert "the page" not in host.log
    await run.kill()


async def _is_logged(host: Host, text: str) -> bool:
    await asyncio.sleep(0)
    return text in host.log

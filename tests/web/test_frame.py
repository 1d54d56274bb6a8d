"""A FoCdle is played in Discord's frame, in a real browser, whatever Discord does."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from aiohttp import web
from playwright.async_api import Locator, async_playwright, expect

from bot.address import Address
from bot.page.game import Sessions
from bot.people.game import Admission, Cost
from bot.services import Services
from tests.support.asking import free_port
from tests.support.clock import FakeClock
from tests.support.discord_window import ACTIVITY, Window, listening, open_window, sent_on
from tests.support.playground import FLAGS, find_browser
from tests.support.table import SECRET
from tests.support.waiting import until, until_so
from tests.web.conftest import ANN, BEN, GUILD, HERE, Framed, place_of
from tests.web.test_browser import NAMES
from web.activity import Activity
from web.app import opened

pytestmark = pytest.mark.long(only=True)

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
HANDSHAKE, FRAME = 0, 1
FIRST = "41-3+27=65"


@asynccontextmanager
async def window(framed: Framed, query: str = "", *, lag: int = 0) -> AsyncGenerator[Window]:
    """The window as Ann has it, in a server and in her messages; nothing breaks its rules."""
    told: list[str] = []
    framed.launch(ANN, BEN)
    framed.launch(ANN, guild=None)
    for running in framed.stub.instances.values():
        running.missing = lag
    proxy = sent_on(ACTIVITY, framed.url)
    async with open_window(framed.stub, proxy, f"?as=ann&{query}", **PHONE) as found:
        found.page.on("console", lambda message: told.append(message.text))
        found.page.on("pageerror", lambda error: told.append(str(error)))
        yield found
        assert not await found.page.context.cookies(ACTIVITY)
    # The proxy passes no WebSocket on, and Discord's frame may copy nothing.
    loose = ("Failed to load resource", "WebSocket connection", "Permissions policy violation")
    assert not [text for text in told if not text.startswith(loose)]


def button(window: Window, name: str) -> Locator:
    return window.frame.get_by_role("button", name=name, exact=True)


async def guess(window: Window, text: str) -> None:
    for symbol in text:
        name = NAMES.get(symbol, symbol)
        await window.frame.locator(f'.keypad button[aria-label^="{name}"]').click()
    await button(window, "Guess").click()


async def _asks(window: Window) -> bool:
    return "AUTHORIZE" in await commands(window)


async def commands(window: Window) -> list[str]:
    return [message["cmd"] for opcode, message in await window.log() if opcode == FRAME]


async def test_a_player_in_a_frame_plays_in_the_server_without_signing_in(framed: Framed) -> None:
    async with window(framed, "phone=1") as found:
        await button(found, "Today's puzzle").click()
        await guess(found, FIRST)
        await expect(found.frame.get_by_text("5 guesses left.")).to_be_visible()
        await guess(found, SECRET)
        await expect(found.frame.get_by_text("Your first daily win!")).to_be_visible()
        await button(found, "Copy result").click()
        await expect(found.frame.get_by_text("To paste anywhere:")).to_be_visible()
        first, *_ = await found.log()
        assert first[0] == HANDSHAKE
        assert "sdk_version" not in first[1]  # which phones before 250 do not know
        said = await commands(found)
        assert sorted(said) == ["AUTHORIZE", "SET_ORIENTATION_LOCK_STATE"]
        assert not await found.frame.evaluate("document.cookie")


@pytest.mark.parametrize("query", ["old=1", "phone=1&old=1", "slow=3"])
async def test_the_frame_works_in_an_old_or_slow_discord_client(framed: Framed, query: str) -> None:
    async with window(framed, query) as found:
        await expect(button(found, "Today's puzzle")).to_be_visible(timeout=15_000)


async def test_the_frame_opens_the_board_whose_keypad_button_was_pressed(framed: Framed) -> None:
    play = await framed.services.daily.open(ANN, GUILD)
    await framed.services.daily.guess(ANN, play.id, FIRST)
    launch = "1a".ljust(64, "0")
    await framed.services.sessions.launched(ANN, HERE, place_of(play.id), launch)
    async with window(framed, f"custom_id={launch}") as found:
        await expect(found.frame.get_by_text("5 guesses left.")).to_be_visible()


async def test_the_frame_says_that_a_board_is_gone_and_a_press_leads_to_the_start_page(
    framed: Framed,
) -> None:
    play = await framed.services.daily.open(BEN, GUILD)
    launch = "1a".ljust(64, "0")
    await framed.services.sessions.launched(ANN, HERE, place_of(play.id), launch)
    async with window(framed, f"custom_id={launch}") as found:
        await expect(found.frame.get_by_text("That game is gone.")).to_be_visible()
        await button(found, "All games").click()
        await expect(button(found, "FoCdle practice")).to_be_visible()


async def test_a_player_can_play_as_in_direct_messages_when_discord_names_no_server(
    framed: Framed,
) -> None:
    async with window(framed, lag=1_000) as found:
        await expect(found.frame.get_by_text("Discord couldn't tell me where")).to_be_visible()
        await button(found, "Try again").click()
        await expect(button(found, "Try again")).to_be_enabled()
        await button(found, "Play on my own").click()
        await button(found, "FoCdle practice").click()
        await expect(found.frame.get_by_text("Find the hidden equation:")).to_be_visible()
    (game,) = await framed.services.practice.unfinished(ANN)
    assert (await framed.services.daily.view(ANN, game.play_id)).guild_id is None


async def test_a_player_who_refuses_the_authorisation_can_try_again(framed: Framed) -> None:
    async with window(framed, "refused=1") as found:
        await expect(found.frame.get_by_text("Discord couldn't tell me who")).to_be_visible()
        await button(found, "Try again").click()
        await expect(button(found, "Try again")).to_be_visible()
        await found.frame.get_by_role("link", name="Open in browser").click()
        await expect(found.page.get_by_text("Discord asks whether to open")).to_be_visible()
        assert (await commands(found)).count("AUTHORIZE") == 2


async def test_the_frame_offers_the_page_in_a_browser_when_discord_says_nothing(
    framed: Framed,
) -> None:
    async with window(framed, "mute=1") as found:
        await expect(found.frame.get_by_text("Connecting")).to_be_visible()
        silent = found.frame.get_by_text("Discord isn't answering.")
        await expect(silent).to_be_visible(timeout=15_000)
        link = found.frame.get_by_role("link", name="Open in browser")
        assert await link.get_attribute("href") == framed.url
        await button(found, "Try again").click()
        assert [opcode for opcode, _ in await found.log()] == [HANDSHAKE]


async def test_a_player_of_whom_discord_says_nothing_can_try_again(framed: Framed) -> None:
    async with window(framed, "mute=AUTHORIZE") as found:
        await found.page.clock.install()
        await found.page.reload()
        await until_so(lambda: _asks(found))
        await found.page.clock.run_for(61_000)
        await expect(found.frame.get_by_text("Discord couldn't tell me who")).to_be_visible()
        await expect(button(found, "Try again")).to_be_visible()


async def test_the_frame_does_not_send_a_spent_login_code_again(
    framed: Framed, clock: FakeClock
) -> None:
    while framed.services.allowances.take(ANN, Cost.HEAVY) is Admission.GRANTED:
        pass
    async with window(framed) as found:
        await until(lambda: framed.stub.asked.count("oauth2") >= 2)
        clock.advance(minutes=1)
        await expect(button(found, "FoCdle practice")).to_be_visible()


async def test_the_frame_waits_for_a_discord_client_that_answers_late(framed: Framed) -> None:
    async with window(framed, "slow=9") as found:
        silent = found.frame.get_by_text("Discord isn't answering.")
        await expect(silent).to_be_visible(timeout=15_000)
        await expect(button(found, "Today's puzzle")).to_be_visible(timeout=30_000)


async def let_pass(window: Window, clock: FakeClock, **time: float) -> None:
    """Let time pass for the server and in the browser, at once: nothing is asked in between."""
    await window.page.context.set_offline(True)
    clock.advance(**time)
    passed = timedelta(**time) // timedelta(milliseconds=1)
    script = "passed => { const now = Date.now; Date.now = () => now() + passed; }"
    await window.frame.evaluate(script, passed)
    await window.page.context.set_offline(False)


async def test_the_frame_renews_an_ended_session_without_asking_the_player(
    framed: Framed, clock: FakeClock
) -> None:
    async with window(framed) as found:
        await button(found, "FoCdle practice").click()
        await expect(button(found, "Guess")).to_be_visible()
        await let_pass(found, clock, hours=2)
        await guess(found, FIRST)
        await expect(found.frame.get_by_text("5 guesses left.")).to_be_visible()


async def test_the_page_in_discord_renews_its_session_shortly_before_it_expires(
    framed: Framed, clock: FakeClock
) -> None:
    sessions = framed.services.sessions
    async with window(framed) as found:
        await expect(button(found, "FoCdle practice")).to_be_visible()
        await let_pass(found, clock, minutes=57)
        await button(found, "FoCdle practice").click()
        await until_so(lambda: _has(sessions, 2))


async def _has(sessions: Sessions, count: int) -> bool:
    return await sessions.count(ANN) == count


async def _delete(framed: Framed) -> None:
    await framed.services.privacy.players.delete(ANN, "DELETE")


async def _sign_out(framed: Framed) -> None:
    await framed.services.sessions.sign_out(ANN)


@pytest.mark.parametrize("end", [_delete, _sign_out])
async def test_a_signed_out_frame_stays_signed_out_until_the_player_presses_a_button(
    framed: Framed, end: Callable[[Framed], Awaitable[None]]
) -> None:
    async with window(framed) as found:
        await button(found, "FoCdle practice").click()
        await expect(button(found, "Guess")).to_be_visible()
        await end(framed)
        await found.frame.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        await expect(found.frame.get_by_text("You're signed out.")).to_be_visible()
        assert (await commands(found)).count("AUTHORIZE") == 1
        assert await framed.services.sessions.count(ANN) == 0
        await button(found, "Try again").click()
        await expect(button(found, "FoCdle practice")).to_be_visible()
        assert await framed.services.sessions.count(ANN) == 1


async def test_the_frame_listens_only_to_discord(framed: Framed) -> None:
    """Another page around it, and another frame beside it, say what Discord would."""
    ready = '[1, {cmd: "DISPATCH", evt: "READY", nonce: null, data: {}}]'
    async with window(framed, "mute=1") as found:
        await expect(found.frame.get_by_text("FoCdle")).to_be_visible()
        await found.frame.evaluate(f"postMessage({ready}, '*')")
        silent = found.frame.get_by_text("Discord isn't answering.")
        beside = f"<script>top.frames[0].postMessage({ready}, '*')</script>"
        await found.page.evaluate(
            "html => document.body.append("
            "Object.assign(document.createElement('iframe'), {srcdoc: html}))",
            beside,
        )
        await expect(silent).to_be_visible(timeout=15_000)
        assert [opcode for opcode, _ in await found.log()] == [HANDSHAKE]


async def test_no_page_but_discords_may_embed_the_frame(framed: Framed) -> None:
    async with window(framed) as found:
        browser = found.page.context.browser
        assert browser is not None
        page = await browser.new_page()
        body = f'<iframe src="{ACTIVITY}/?frame_id=1&instance_id=i"></iframe>'
        await page.route(
            "https://evil.example/",
            lambda route: route.fulfill(body=body, content_type="text/html"),
        )
        await page.route(f"{ACTIVITY}/**", sent_on(ACTIVITY, framed.url))
        await page.goto("https://evil.example/")
        (frame,) = [each for each in page.frames if each.parent_frame is not None]
        assert not frame.url.startswith(ACTIVITY)


_SANDBOXED = """<iframe sandbox="allow-scripts" src="{}/?frame_id=1&instance_id=i"></iframe>
<script>
const said = [];
addEventListener("message", ({{ origin, data }}) => said.push([origin, data[0]]));
</script>"""


async def test_the_page_runs_in_a_frame_with_an_opaque_origin(
    services: Services, clock: FakeClock
) -> None:
    """No request is sent on by the test: that would answer what the browser asks before it."""
    address = Address("127.0.0.1", free_port())

    async def show(_: web.Request) -> web.Response:
        return web.Response(text=_SANDBOXED.format(f"http://{address}"), content_type="text/html")

    around = web.Application()
    around.router.add_get("/", show)
    path = find_browser()
    async with listening(around) as url, async_playwright() as playwright:
        activity = Activity(42, "a-client-secret", "a-bot-token", parents=(url,))
        async with opened(address, f"http://{address}", services, clock, activity=activity):
            browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
            page = await browser.new_page()
            await page.goto(url)
            await page.wait_for_function("said.length")
            assert await page.evaluate("said") == [["null", HANDSHAKE]]
            await browser.close()

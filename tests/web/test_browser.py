"""A FoCdle is played in a real browser, by touch and by keyboard."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from playwright.async_api import (
    ConsoleMessage,
    Page,
    Route,
    WebSocketRoute,
    async_playwright,
    expect,
)

from bot.games.model import GameName, Source, shown_by
from bot.page.model import Came
from engine.feedback import Mark, best_marks
from engine.levels import Level
from tests.support.playground import FLAGS, find_browser
from tests.support.table import SECRET
from tests.support.waiting import until
from tests.web.conftest import ANN, BEN, GUILD, HERE, Host, place_of

pytestmark = pytest.mark.long(only=True)

NAMES = {"+": "plus", "-": "minus", "*": "times", "%": "remainder", "=": "equals"}
SAID = {Mark.CORRECT: "in place", Mark.PRESENT: "elsewhere", Mark.ABSENT: "out"}


@asynccontextmanager
async def a_page(*, may_fail: bool = False, **options: Any) -> AsyncGenerator[Page]:
    """A page on a phone, where nothing breaks the page's own policy, and no script `may_fail`."""
    told: list[str] = []

    def note(message: ConsoleMessage) -> None:
        told.append(message.text)

    path = find_browser()
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        phone: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
        page = await (await browser.new_context(**(phone | options))).new_page()
        page.on("console", note)
        page.on("pageerror", lambda error: told.append(str(error)))
        yield page
        await browser.close()
    # The browser itself tells of requests that fail, and of sockets that are refused or cut off.
    usual = ("Failed to load resource", "WebSocket connection", "ERR_INTERNET_DISCONNECTED")
    told = [text for text in told if not any(words in text for words in usual)]
    assert may_fail or not told


async def a_link(host: Host, player: int, name: str) -> tuple[int, str]:
    await host.services.standings.members.seen(player, name, guild_id=GUILD, guild_name=name)
    play = await host.services.daily.open(player, GUILD)
    ticket = await host.services.sessions.earn(player, HERE, place_of(play.id))
    return play.id, f"{host.url}/#{ticket}.{place_of(play.id)}"


async def tap(page: Page, text: str) -> None:
    for symbol in text:
        name = NAMES.get(symbol, symbol)
        await page.locator(f'.keypad button[aria-label^="{name}"]').tap()


async def test_a_focdle_is_played_on_a_phone_and_in_discord_by_turns(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await tap(page, "41-3+27=65")
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()
        await host.services.daily.guess(ANN, play, "12+34-5=41")
        await expect(page.get_by_text("4 guesses left.")).to_be_visible()
        sizes = await page.locator("button").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect()).map(b => [b.width, b.height])"
        )
        assert min(min(size) for size in sizes) >= 44
        await tap(page, SECRET[:4])
        await page.reload()
        await expect(page.locator(".typed .full")).to_have_count(4)
        await page.context.set_offline(True)
        await expect(page.get_by_text("No connection.")).to_be_visible()
        await tap(page, SECRET[4:])
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.locator(".typed .full")).to_have_count(10)
        await page.context.set_offline(False)
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.get_by_role("heading", name="Your first daily win!")).to_be_visible()
    assert (await host.services.daily.view(ANN, play)).finished_at is not None


async def test_the_next_practice_on_a_phone_keeps_the_level(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    await host.services.daily.guess(ANN, play, SECRET)
    practice = await host.services.practice.open(ANN, GUILD, 9, Level.VERY_HARD)
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("And your first daily win.")).to_be_visible()
        await page.goto(f"{host.url}/#play-{practice.id}")
        await tap(page, practice.game.secret)
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await page.get_by_role("button", name="Next one").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        await expect(page.get_by_text("9 symbols · a very hard one").first).to_be_visible()
    games = await host.services.practice.unfinished(ANN)
    assert len(games) == 1


async def test_without_a_network_no_socket_is_tried_until_it_is_back(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    sockets = list[WebSocketRoute]()

    def connect(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    async with a_page() as page:
        await page.route_web_socket("**/api/live?*", connect)
        await page.clock.install()
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        await host.services.daily.guess(ANN, play, "12+34-5=41")
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()
        await until(lambda: len(sockets) == 1)
        await page.context.set_offline(True)
        await expect(page.get_by_text("No connection.")).to_be_visible()
        await sockets[0].close()
        await page.clock.run_for(120_000)
        assert len(sockets) == 1
        await page.context.set_offline(False)
        await until(lambda: len(sockets) == 2)
        await host.services.daily.guess(ANN, play, "98-76+5=27")
        await expect(page.get_by_text("4 guesses left.")).to_be_visible()


async def test_a_game_can_be_played_with_just_the_keyboard(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page(viewport={"width": 940, "height": 800}, reduced_motion="reduce") as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").focus()
        await page.keyboard.press("Enter")
        await expect(page.get_by_role("heading", name="FoCdle #324")).to_be_focused()
        await page.keyboard.type("41-3*27=66")
        await page.keyboard.press("Backspace")
        heard = page.locator("[role=status]").first
        await expect(heard).to_have_text("4 1 minus 3 times 2 7 equals 6")
        for _ in range(5):
            await page.keyboard.press("Backspace")
        await page.keyboard.type("+27=65")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()
        await expect(heard).to_contain_text("41−3+27=65: ")
        await page.keyboard.type("12+34-5")
        await page.keyboard.press("Enter")
        await expect(page.locator(".typed .full")).to_have_count(10)
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("4 guesses left.")).to_be_visible()


async def strike(page: Page, keys: str) -> None:
    """Press keys of any keyboard's layout."""
    session: Any = await page.context.new_cdp_session(page)
    for key in keys:
        await session.send("Input.dispatchKeyEvent", {"type": "keyDown", "key": key, "text": key})


async def test_digits_and_signs_of_any_keyboard_are_read_or_refused_by_name(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    read = {
        "４１－３＋２７＝６５": "41-3+27=65",
        "١٢➕٣٤−٥🟰٤١": "12+34-5=41",
        "९८–७६+५:२७": "98-76+5=27",
    }
    refused = {"12÷4+38=41": "division", "1²+40-2=39": "²"}
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        for left, typed in zip((5, 4, 3), read, strict=True):
            await strike(page, typed)
            await page.keyboard.press("Enter")
            await expect(page.get_by_text(f"{left} guesses left.")).to_be_visible()
            await expect(page.locator(".typed .full")).to_have_count(0)
        for typed, named in refused.items():
            await strike(page, typed)
            await page.keyboard.press("Enter")
            await expect(page.locator(".said")).to_contain_text(named)
            await expect(page.locator(".typed .full")).to_have_count(10)
            for _ in typed:
                await page.keyboard.press("Backspace")
    turns = (await host.services.daily.view(ANN, play)).game.turns
    assert [turn.guess for turn in turns] == list(read.values())


async def test_signs_of_a_second_layer_are_typed_and_commands_of_the_browser_are_not(
    host: Host,
) -> None:
    _, link = await a_link(host, ANN, "Ann")
    held = (
        {"key": "*", "ctrlKey": True, "altKey": True, "modifierAltGraph": True},
        {"key": "÷", "altKey": True},
        *({"key": "1", name: True} for name in ("ctrlKey", "altKey", "metaKey")),
    )
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        for each in held:
            await page.locator("body").dispatch_event("keydown", {"bubbles": True, **each})
        await expect(page.locator(".typed .full")).to_have_text(["×", "÷"])


async def test_a_guess_from_an_empty_row_does_nothing_nor_does_a_held_key(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:
        asked = list[str]()
        page.on("request", lambda request: asked.append(request.url))
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        await page.keyboard.type("41-3+27=65")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()
        asked.clear()
        await page.keyboard.press("Enter")
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await page.evaluate("new Promise(requestAnimationFrame)")
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()
        assert not asked
        await page.keyboard.type("12+34-5")
        await page.keyboard.down("Enter")  # which completes the row
        await expect(page.locator(".typed .full")).to_have_count(10)
        await page.keyboard.down("Enter")  # held
        await page.evaluate("new Promise(requestAnimationFrame)")
        await expect(page.locator(".typed .full")).to_have_count(10)
        assert len(asked) == 1


async def test_a_double_tap_anywhere_does_not_zoom(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    zoomed = "all => all.filter(e => getComputedStyle(e).touchAction !== 'manipulation').length"
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        assert await page.locator("body, body *").evaluate_all(zoomed) == 0


async def test_the_enter_key_guesses_what_was_typed_after_a_button_was_pressed(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await page.get_by_role("button", name="Turn on hard mode").click()
        await expect(page.get_by_role("button", name="Turn off hard mode")).to_be_visible()
        await page.keyboard.type("41-3+27=65")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()


async def test_the_coach_can_be_asked_again_after_a_busy_answer_and_back_leads_to_its_remarks(
    host: Host,
) -> None:
    play, link = await a_link(host, ANN, "Ann")
    for text in ("11+11+1=23", "22+22+2=46", SECRET):
        await host.services.daily.guess(ANN, play, text, as_probe=True)
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        coach, remarks = page.get_by_role("button", name="Coach"), page.locator(".remark")

        async def be_busy(route: Route) -> None:
            await route.fulfill(status=429, json={"said": ["Too many at once."]})

        await page.route("**/verdict", be_busy, times=1)
        await coach.tap()
        await expect(page.get_by_text("Too many at once.")).to_be_visible()
        await coach.tap()
        await expect(remarks).to_have_count(3, timeout=60_000)
        await page.get_by_role("button", name="Find a better guess").tap()
        await expect(remarks).to_have_count(0)
        back = page.locator("header").get_by_role("button", name="Back")
        await back.tap()
        await expect(remarks).to_have_count(3)
        await back.tap()
        await expect(page.get_by_role("heading", name="Your first daily win!")).to_be_visible()


async def test_a_lesson_shows_the_hints_that_were_bought_and_the_colours_of_the_keys(
    host: Host,
) -> None:
    play, link = await a_link(host, ANN, "Ann")
    await host.services.daily.guess(ANN, play, "41-3+27=65")
    hinted = await host.services.coach.hints.of_play(ANN, play, 1, 0)
    (shown,) = shown_by(hinted.hints)
    for text in ("77+77-7=99", "22+22-2=42", "88+1*88=96", SECRET):
        await host.services.daily.guess(ANN, play, text, as_probe=True)
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await page.get_by_role("button", name="Coach").tap()
        await page.get_by_role("button", name="Find a better guess").tap(timeout=60_000)
        await expect(page.locator(".row:not(.typed)")).to_have_count(1)
        await expect(page.locator(".typed .tile").nth(shown.place)).to_have_text(shown.symbol)
        before = (await host.services.coach.lessons.of(ANN, GameName(Source.PLAY, play), 1)).play
        for symbol, mark in best_marks(before.game.turns).items():
            if symbol != shown.symbol:
                name = f"{NAMES.get(symbol, symbol)}, {SAID[mark]}"
                await expect(page.get_by_role("button", name=name, exact=True)).to_be_visible()
        then = (await host.services.coach.lessons.of(ANN, GameName(Source.PLAY, play), 1)).then or 0
        await page.get_by_role("button", name="Show the best").tap()
        await page.get_by_role("button", name="Next one").tap()
        await expect(page.get_by_text(f"Can you beat guess {then + 1}?")).to_be_visible()
        await expect(page.locator(".row:not(.typed)")).to_have_count(then)


async def test_a_second_player_in_a_browser_is_asked_before_replacing_the_first(host: Host) -> None:
    (play, link), (_, bens) = await a_link(host, ANN, "Ann"), await a_link(host, BEN, "Ben")
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await tap(page, "41-3")
        other = await page.context.new_page()
        await other.goto(bens)
        await expect(other.get_by_text("Ann is playing here now.")).to_be_visible()
        await other.get_by_role("button", name="Play as Ben").tap()
        await expect(other.get_by_text("Find the hidden equation:")).to_be_visible()
        await tap(page, "+27=65")
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.get_by_text("Somebody else is playing here now.")).to_be_visible()
    assert not (await host.services.daily.view(ANN, play)).game.turns


async def test_an_open_page_says_that_it_was_signed_out(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        await host.services.sessions.sign_out(ANN)
        await expect(page.get_by_text("You're signed out.")).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(320, 256), (360, 202), (640, 360)])
async def test_the_row_in_play_and_refusals_stay_clear_of_the_keys_on_small_screens(
    host: Host, width: int, height: int
) -> None:
    play, link = await a_link(host, ANN, "Ann")
    for text in ("41-3+27=65", "12+34-5=41", "11+11+1=23", "22+22+2=46"):
        await host.services.daily.guess(ANN, play, text, as_probe=True)
    async with a_page(viewport={"width": width, "height": height}) as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await tap(page, "41-3+")
        await _require_clear_of_keys(page, ".typed")
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.locator(".said")).to_contain_text("10 symbols")
        await _require_clear_of_keys(page, ".said")
        await tap(page, "2")
        await _require_clear_of_keys(page, ".typed")
        await page.locator("[data-act=hint]").focus()
        await _require_clear_of_keys(page, "[data-act=hint]")


async def _require_clear_of_keys(page: Page, selector: str) -> None:
    """Require that a part is seen whole: above the keys, or beside them."""
    shown, keys = [await page.locator(each).bounding_box() for each in (selector, ".keypad")]
    assert shown is not None
    assert keys is not None
    assert page.viewport_size is not None
    is_beside = shown["x"] + shown["width"] <= keys["x"]
    end = page.viewport_size["height"] if is_beside else keys["y"]
    assert 0 <= shown["y"] < shown["y"] + shown["height"] <= end


CUT_OFF = """() => [...document.querySelectorAll("button, .tile")]
    .filter((each) => Math.max(each.scrollWidth - each.clientWidth,
        each.scrollHeight - each.clientHeight) > 1)  // both are rounded
    .map((each) => each.textContent)"""


@pytest.mark.parametrize(("width", "height"), [(360, 640), (320, 256), (740, 360)])
async def test_keys_and_tiles_hold_their_signs_where_text_has_twice_its_size(
    host: Host, width: int, height: int
) -> None:
    play, link = await a_link(host, ANN, "Ann")
    await host.services.daily.guess(ANN, play, "41-3+27=65")
    screen = {"width": width, "height": height}
    async with a_page(viewport=screen, reduced_motion="reduce") as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await tap(page, "41-3")
        await page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert await page.evaluate(CUT_OFF) == []
        assert await page.evaluate("document.documentElement.scrollWidth") <= width


async def test_on_a_phone_on_its_side_all_rows_are_beside_the_keys(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page(viewport={"width": 740, "height": 360}) as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.locator(".typed")).to_be_visible()
        await _require_clear_of_keys(page, ".board")
        await _require_clear_of_keys(page, ".said")
        keys = await page.locator(".keypad").bounding_box()
        assert keys is not None
        assert keys["y"] + keys["height"] <= 360


async def test_try_again_after_a_busy_answer_keeps_the_link(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    again = "Try again"
    async with a_page() as page:

        async def be_busy(route: Route) -> None:
            await route.fulfill(status=503, json={"said": ["Very busy."]})

        await page.route("**/enter/look", be_busy, times=1)
        await page.goto(link)
        await expect(page.get_by_text("Very busy.")).to_be_visible()
        await page.get_by_role("button", name=again).tap()
        await page.route("**/enter", be_busy, times=1)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Very busy.")).to_be_visible()
        await page.get_by_role("button", name=again).tap()
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()


async def test_a_slow_answer_does_not_lead_away_from_what_was_pressed_after_it(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    held = asyncio.Event()
    async with a_page() as page:

        async def be_slow(route: Route) -> None:
            answer = await route.fetch()
            await held.wait()
            await route.fulfill(response=answer)

        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await page.get_by_role("button", name="Back").tap()
        await page.route("**/practice", be_slow)
        async with page.expect_response("**/practice"):
            await page.get_by_role("button", name="FoCdle practice").tap()
            await page.get_by_role("button", name="Earlier puzzles").tap()
            await expect(page.get_by_role("heading", name="Earlier puzzles")).to_be_visible()
            held.set()
        await page.reload()
        await expect(page.get_by_role("heading", name="Earlier puzzles")).to_be_visible()


async def test_a_page_that_began_without_a_network_goes_on_when_it_is_back(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:
        await page.route("**/enter/look", lambda route: route.abort(), times=1)
        await page.goto(link)
        await expect(page.get_by_text("No connection.")).to_be_visible()
        await page.context.set_offline(True)
        await page.context.set_offline(False)
        await expect(page.get_by_role("button", name="Play as Ann")).to_be_visible()


async def test_a_symbol_that_a_hint_shows_in_the_row_need_not_be_typed(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    await host.services.daily.guess(ANN, play, "41-3+27=65")
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await tap(page, "1111111111")
        await page.get_by_role("button", name="Hint").tap()
        await page.get_by_role("button", name="Keep playing").tap()
        await page.get_by_role("button", name="Hint").tap()
        await expect(page.get_by_text("It shows a symbol in its place.")).to_be_visible()
        await page.get_by_role("button", name="Hint").tap()
        await expect(page.locator(".typed .hinted")).to_have_count(1)
        await expect(page.locator(".typed .full")).to_have_count(9)
        (shown,) = shown_by((await host.services.daily.view(ANN, play)).hints)
        await expect(page.locator(".said")).to_contain_text(f"is in place {shown.place + 1}.")
        for _ in range(10):
            await page.get_by_role("button", name="Delete").tap()
        await tap(page, SECRET[: shown.place])
        await page.locator(".typed .tile").nth(shown.place + 1).tap()
        await tap(page, SECRET[shown.place + 1 :])
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.get_by_role("heading", name="Your first daily win!")).to_be_visible()


async def test_a_guess_whose_answer_was_lost_does_not_stay_typed(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:

        async def lose(route: Route) -> None:
            await route.fetch()
            await route.abort()

        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await tap(page, "41-3+27=65")
        await page.route("**/guess", lose, times=1)
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()
        await expect(page.locator(".typed .full")).to_have_count(0)


async def test_the_page_goes_on_by_itself_once_it_is_answered_again(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:
        await page.clock.install()
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await tap(page, "41-3+27=65")
        await page.route("**/guess", lambda route: route.abort(), times=1)
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.get_by_text("No connection.")).to_be_visible()
        await page.clock.run_for(10_000)
        await expect(page.get_by_text("No connection.")).to_have_count(0)
        await expect(page.locator(".typed .full")).to_have_count(10)
        await page.route("**/guess", lambda route: route.abort(), times=1)
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.get_by_text("No connection.")).to_be_visible()
        await host.services.daily.guess(ANN, play, "41-3+27=65")  # it has come, as the page hears
        await expect(page.get_by_text("No connection.")).to_have_count(0)


async def test_the_coach_can_be_asked_again_after_the_network_is_lost(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    await host.services.daily.guess(ANN, play, SECRET)
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()

        async def think(route: Route) -> None:
            await route.fulfill(json={"said": ["Thinking."], "waits": True})

        await page.route("**/verdict", lambda route: route.abort(), times=1)
        await page.route("**/verdict", think, times=1)
        await page.get_by_role("button", name="Coach").tap()
        await expect(page.get_by_text("No connection.")).to_be_visible()
        await page.get_by_role("button", name="Coach").tap()
        await expect(page.locator(".remark")).to_have_count(1, timeout=60_000)


async def test_a_key_does_not_take_the_coachs_remarks_away(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    await host.services.daily.guess(ANN, play, SECRET)
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await page.get_by_role("button", name="Coach").tap()
        await expect(page.locator(".remark")).to_have_count(1, timeout=60_000)
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("1")
        await page.evaluate("new Promise(requestAnimationFrame)")
        await expect(page.locator(".remark")).to_have_count(1)


async def test_a_full_row_can_be_corrected_from_its_end_after_a_reload(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await tap(page, "41-3+27=66")
        await page.reload()
        await page.get_by_role("button", name="Delete").tap()
        await tap(page, "5")
        await expect(page.locator(".typed .tile").first).to_have_text("4")
        await expect(page.locator(".typed .tile").last).to_have_text("5")


async def test_the_result_can_be_copied_while_the_coach_thinks(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    await host.services.daily.guess(ANN, play, SECRET)
    held, asked = asyncio.Event(), list[Route]()
    async with a_page(permissions=["clipboard-write"]) as page:

        async def think(route: Route) -> None:
            asked.append(route)
            await held.wait()
            await route.continue_()

        await page.route("**/verdict", think)
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await page.get_by_role("button", name="Coach").tap()
        await until(lambda: bool(asked))
        await page.get_by_role("button", name="Copy result").tap()
        await expect(page.get_by_role("button", name="Copied")).to_be_visible()
        held.set()
        await expect(page.locator(".remark")).to_have_count(1, timeout=60_000)
    assert len(asked) == 1


async def test_a_fourth_tab_for_which_there_is_no_socket_catches_up(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        others = [await page.context.new_page() for _ in range(2)]
        for other in others:
            await other.goto(f"{host.url}/#play-{play}")
        for each in (page, *others):
            await expect(each.get_by_text("Find the hidden equation:")).to_be_visible()
        await host.services.daily.guess(ANN, play, "12+34-5=41")
        for each in (page, *others):
            await expect(each.get_by_text("5 guesses left.")).to_be_visible()
        fourth = await page.context.new_page()
        await fourth.clock.install()
        await fourth.goto(f"{host.url}/#play-{play}")
        await expect(fourth.get_by_text("5 guesses left.")).to_be_visible()
        await host.services.daily.guess(ANN, play, "98-76+5=27")
        async with fourth.expect_response(f"**/play-{play}"):
            await fourth.clock.run_for(60_000)
        await expect(fourth.get_by_text("4 guesses left.")).to_be_visible()


async def test_share_says_what_has_come_of_it(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    await host.services.daily.guess(ANN, play, SECRET)
    posting, due = host.services.posting, (ANN, str(place_of(play)), HERE.channel_id)
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        for outcome, said in (
            (Came.REFUSED, "Your result can't be shared there. Copy it:"),
            (Came.SENT, "Shared in Discord."),
        ):
            await page.get_by_role("button", name="Share").tap()
            async with asyncio.timeout(10):
                while (post := await posting.claim(due)) is None:
                    await asyncio.sleep(0)
            await posting.came(post, outcome)
            await expect(page.get_by_text(said)).to_be_visible()
        await expect(page.get_by_text("your first daily win")).to_be_visible()


async def test_a_share_of_which_nothing_is_heard_says_so(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    await host.services.daily.guess(ANN, play, SECRET)
    host.services.posting.patience = 0.1
    async with a_page() as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await page.get_by_role("button", name="Share").tap()
        await expect(page.get_by_text("Discord isn't answering.")).to_be_visible()

"""The page in a real browser when its own code breaks: it says so, and leads on."""

import re
from collections.abc import Awaitable, Callable

import pytest
from playwright.async_api import Route, expect

from tests.support.table import SECRET
from tests.web.conftest import ANN, Host
from tests.web.test_browser import a_link, a_page

pytestmark = pytest.mark.long(only=True)

BROKEN = re.compile(r"Something broke\. .* tell my host: TypeError app\.js:\d+:\d+\.")
PLACES = {"Enter": "", "Game": "", "Home": "", "Archive": "archive", "Refused": "play-0"}


def spoilt(screen: str) -> Callable[[Route], Awaitable[None]]:
    """The page's script, in which a screen throws when it is shown for the first time."""
    throwing = f"(of) => {{ if (sessionStorage.spoilt) return {screen}(of);"
    throwing += ' sessionStorage.spoilt = 1; throw new TypeError("spoilt"); }'

    async def spoil(route: Route) -> None:
        text = await (await route.fetch()).text()
        found = text.replace(f"{screen.lower()}: {screen}", f"{screen.lower()}: {throwing}")
        assert found != text
        await route.fulfill(body=found, content_type="text/javascript")

    return spoil


@pytest.mark.parametrize("screen", PLACES)
async def test_a_screen_that_throws_says_so_with_a_reference_and_a_way_home(
    host: Host, screen: str
) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page(may_fail=True) as page:
        await page.route("**/app.js", spoilt(screen))
        await page.goto(link)
        if screen == "Enter":
            await expect(page.get_by_text(BROKEN)).to_be_visible()
            await page.reload()
        await page.get_by_role("button", name="Play as Ann").tap()
        if screen != "Game":
            await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
            await page.evaluate("place => { location.hash = place; }", PLACES[screen])
        if screen != "Enter":
            await expect(page.get_by_text(BROKEN)).to_be_visible()
            way = "Try again" if screen == "Home" else "Back"
            await page.get_by_role("button", name=way).tap()
        await expect(page.get_by_role("button", name="Today's puzzle")).to_be_visible()


async def test_an_answer_that_the_page_does_not_understand_ends_no_game(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page(may_fail=True) as page:
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        await page.keyboard.type("41-3+27=65")
        await page.route("**/guess", lambda route: route.fulfill(json={}), times=1)
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.get_by_text("Something broke.")).to_be_visible()
        await page.get_by_role("button", name="Back").tap()
        await page.get_by_role("button", name="Today's puzzle").tap()
        await expect(page.locator(".typed .full")).to_have_count(10)


@pytest.mark.parametrize("language", ["en-US@posix", "C", ""])
async def test_times_are_told_whatever_the_browser_calls_its_language(
    host: Host, language: str
) -> None:
    play, link = await a_link(host, ANN, "Ann")
    await host.services.daily.guess(ANN, play, SECRET)
    async with a_page() as page:
        await page.add_init_script(
            f"Object.defineProperty(navigator, 'language', {{get: () => {language!r}}})"
        )
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text(re.compile(r"Next puzzle .*(in|ago)"))).to_be_visible()

"""The page in a real browser while it loads: files of another version, none, or broken ones."""

import asyncio
import re
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, Request, Route, expect

from tests.web.conftest import ANN, BEN, Host
from tests.web.test_browser import a_link, a_page

pytestmark = pytest.mark.long(only=True)

STUCK = "This page needs JavaScript. Try reloading it."
OTHER_VERSION = "0123456789abcdef"


def count_loads(page: Page) -> list[str]:
    loads = list[str]()

    def note(request: Request) -> None:
        if request.is_navigation_request():
            loads.append(request.url)

    page.on("request", note)
    return loads


async def break_off(route: Route) -> None:
    text = await (await route.fetch()).text()
    await route.fulfill(body=text[: len(text) // 2], content_type="text/javascript")


async def lack_an_export(route: Route) -> None:
    """Answer with the file of another version, which the other files do not fit."""
    text = await (await route.fetch()).text()
    other = re.sub(r"export (const|function) (\w+)", r"export \1 other_\2", text)
    await route.fulfill(body=other, content_type="text/javascript")


async def lose(route: Route) -> None:
    await route.abort()


async def test_html_of_one_version_with_the_files_of_another_shows_the_page(host: Host) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:

        async def be_older(route: Route) -> None:
            text = await (await route.fetch()).text()
            older = re.sub(r"s/\w{16}/", f"s/{OTHER_VERSION}/", text)
            assert older.count(OTHER_VERSION) >= 6
            await route.fulfill(body=older, content_type="text/html")

        await page.route(f"{host.url}/", be_older)
        loads = count_loads(page)
        await page.goto(link)
        await expect(page.get_by_role("button", name="Play as Ann")).to_be_visible()
        assert len(loads) == 1


@pytest.mark.parametrize(
    ("name", "fail"),
    [("app.js", break_off), ("server.js", lack_an_export), ("preact.js", lose)],
)
async def test_a_page_whose_file_fails_is_loaded_once_more_and_then_says_what_helps(
    host: Host, name: str, fail: Callable[[Route], Awaitable[None]]
) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page(may_fail=True) as page:
        loads = count_loads(page)
        await page.route(f"**/{name}", fail, times=1)
        await page.goto(link)
        await expect(page.get_by_role("button", name="Play as Ann")).to_be_visible()
        assert len(loads) == 2
    async with a_page(may_fail=True) as page:
        loads = count_loads(page)
        await page.route(f"**/{name}", fail)
        await page.goto(link)
        await expect(page.get_by_text(STUCK)).to_be_visible()
        assert len(loads) == 2


async def test_a_browser_without_javascript_says_that_the_page_needs_it(host: Host) -> None:
    async with a_page(java_script_enabled=False) as page:
        await page.goto(host.url)
        await expect(page.get_by_text(STUCK)).to_be_visible()


async def test_a_used_link_opens_the_board_where_its_player_is_signed_in_and_else_leads_on(
    host: Host,
) -> None:
    play, link = await a_link(host, ANN, "Ann")
    async with a_page() as page, a_page() as other:
        await page.goto(link)
        tab = await page.context.new_page()
        await tab.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        await tab.get_by_role("button", name="Play as Ann").tap()
        await expect(tab.get_by_text("Find the hidden equation:")).to_be_visible()
        assert tab.url.endswith(f"/#play-{play}")
        await other.goto(link)
        await expect(other.get_by_text("This link has been used.")).to_be_visible()
        assert await what_helps(other) == ["Open Discord"]
        _, bens = await a_link(host, BEN, "Ben")
        await other.goto(bens)
        await other.get_by_role("button", name="Play as Ben").tap()
        await expect(other.get_by_text("Find the hidden equation:")).to_be_visible()
        await other.goto(link)
        await expect(other.get_by_text("This link has been used.")).to_be_visible()
        assert await what_helps(other) == ["Back", "All games"]
        await other.goto(f"{host.url}/#play-{play}")
        await expect(other.get_by_text("That game is gone.")).to_be_visible()
        await other.get_by_role("button", name="All games").tap()
        await expect(other.get_by_role("button", name="Today's puzzle")).to_be_visible()
        await host.services.sessions.sign_out(BEN)
        await expect(other.get_by_text("You're signed out.")).to_be_visible()
        assert await what_helps(other) == ["Open Discord"]


async def what_helps(page: Page) -> list[str]:
    """What can be pressed, apart from the papers."""
    texts = await page.locator("#page > :not(footer) :is(a, button)").all()
    return [await each.get_attribute("aria-label") or await each.inner_text() for each in texts]


async def test_a_page_under_another_address_names_the_right_one_and_keeps_the_link(
    host: Host,
) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:
        await page.goto(link.replace("127.0.0.1", "localhost"))
        await expect(page.get_by_text("Open this address:")).to_be_visible()
        assert await what_helps(page) == [host.url]
        await page.get_by_role("link", name=host.url).tap()
        await expect(page.get_by_role("button", name="Play as Ann")).to_be_visible()


async def test_a_browser_that_keeps_no_cookies_says_so_and_a_link_works_once_it_does(
    host: Host,
) -> None:
    _, link = await a_link(host, ANN, "Ann")
    async with a_page() as page:
        await page.goto(link)
        for _ in range(2):
            await expect(page.get_by_role("button", name="Play as Ann")).to_be_visible()
            await page.context.clear_cookies()
            await page.get_by_role("button", name="Play as Ann").tap()
            await expect(page.get_by_text("This browser blocks cookies")).to_be_visible()
            await page.get_by_role("button", name="Try again").tap()
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()


@asynccontextmanager
async def swallowing(begun: bytes) -> AsyncGenerator[Callable[[Route], Awaitable[None]]]:
    """Send requests to a server that begins an answer, and never ends it."""

    async def begin(reader: StreamReader, writer: StreamWriter) -> None:
        writer.write(begun)
        await reader.read()  # until the browser gives up
        writer.close()

    server = await asyncio.start_server(begin, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server:
        yield lambda route: route.continue_(url=f"http://127.0.0.1:{port}/")


SILENT = b""
BROKEN_OFF = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"


@pytest.mark.parametrize("begun", [SILENT, BROKEN_OFF])
async def test_where_no_answer_comes_the_page_says_so_keeps_what_was_typed_and_offers_another_try(
    host: Host, begun: bytes
) -> None:
    """In a tunnel the browser goes on believing in its network."""
    _, link = await a_link(host, ANN, "Ann")
    async with a_page() as page, swallowing(begun) as swallow:
        await page.clock.install()
        lost = page.get_by_text("No connection. What you typed is kept.")

        async def wait_in_vain(path: str) -> None:
            await page.clock.run_for(11_000)
            await expect(lost).to_have_count(0)
            await page.clock.run_for(2_000)
            await expect(lost).to_be_visible()
            await expect(page.get_by_text("Connecting")).to_have_count(0)
            await page.unroute(path)
            await page.get_by_role("button", name="Try again").tap()
            await expect(lost).to_have_count(0)

        async def lose(path: str, button: str) -> None:
            await page.route(path, swallow)
            async with page.expect_request(path):
                await page.get_by_role("button", name=button, exact=True).tap()
            await wait_in_vain(path)

        await page.route("**/enter/look", swallow)
        async with page.expect_request("**/enter/look"):
            await page.goto(link)
        await wait_in_vain("**/enter/look")
        await lose("**/enter", "Play as Ann")
        await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        await page.keyboard.type("41-3+27=65")
        await lose("**/guess", "Guess")
        await expect(page.locator(".typed .full")).to_have_count(10)
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()
        await lose("**/api/me", "Back")
        await lose("**/today", "Today's puzzle")
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()


async def test_a_page_whose_socket_gets_no_answer_catches_up_by_itself(host: Host) -> None:
    play, link = await a_link(host, ANN, "Ann")
    silent = "WebSocket = class { close() { this.onclose({}); } };"
    async with a_page() as page:
        await page.add_init_script(silent)
        await page.clock.install()
        await page.goto(link)
        async with page.expect_response("**/live/token"):
            await page.get_by_role("button", name="Play as Ann").tap()
        await expect(page.get_by_text("Find the hidden equation:")).to_be_visible()
        await host.services.daily.guess(ANN, play, "12+34-5=41")
        await page.clock.run_for(30_000)
        await expect(page.get_by_text("5 guesses left.")).to_be_visible()

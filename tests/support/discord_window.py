"""The window of an Activity, at Discord's own origin, in a browser."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from playwright.async_api import Frame, Page, Route, async_playwright

from bot.playground.discord_stub import DiscordStub, listening
from tests.support.playground import FLAGS, find_browser

DISCORD: Final = "https://discord.com"
ACTIVITY: Final = "https://42.discordsays.com"


@dataclass
class Window:
    page: Page

    @property
    def frame(self) -> Frame:
        """The frame with the Activity."""
        (frame,) = [each for each in self.page.frames if each.parent_frame is not None]
        return frame

    async def log(self) -> list[Any]:
        """What the Activity has said: opcodes and messages."""
        return await self.page.evaluate("globalThis.log ?? []")


def sent_on(origin: str, address: str) -> Callable[[Route], Awaitable[None]]:
    """Let another server answer for an origin, as Discord's proxy does."""

    async def send_on(route: Route) -> None:
        path = route.request.url.removeprefix(origin)
        await route.fulfill(response=await route.fetch(url=address + path))

    return send_on


@asynccontextmanager
async def open_window(
    stub: DiscordStub,
    activity: Callable[[Route], Awaitable[None]],
    query: str = "",
    **options: Any,
) -> AsyncGenerator[Window]:
    """Open the window; `activity` answers for the frame's origin, `options` are the browser's."""
    stub.page = f"{ACTIVITY}/"
    path = find_browser()
    async with listening(stub.app()) as address, async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = await browser.new_page(**options)
        await page.route(f"{DISCORD}/**", sent_on(DISCORD, address))
        await page.route(f"{ACTIVITY}/**", activity)
        await page.goto(f"{DISCORD}/{query}")
        await page.locator("iframe").wait_for()
        try:
            yield Window(page)
        finally:
            await page.unroute_all(behavior="ignoreErrors")
            await browser.close()

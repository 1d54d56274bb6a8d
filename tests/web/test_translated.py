"""The page in a browser that translates it, as Chromium and in-app browsers offer to."""

from collections.abc import AsyncGenerator

import pytest
from playwright.async_api import Page, expect

from bot.games.model import Channel
from tests.support.clock import FakeClock
from tests.support.table import SECRET
from tests.web.conftest import ANN, BEN, Host, place_of
from tests.web.test_browser import a_page

pytestmark = pytest.mark.long(only=True)

# As translators do: the page's text nodes go, and others come in elements of the translator's own.
TRANSLATOR = """
const skipped = "[translate=no], script, style, option, .translated";
const translate = () => {
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  for (const node of found) {
    if (!/\\S/.test(node.data) || node.parentElement.closest(skipped)) continue;
    const outer = document.createElement("font"), inner = document.createElement("font");
    outer.className = "translated";
    outer.append(inner);
    inner.append(`«${node.data}»`);
    node.replaceWith(outer);
  }
};
new MutationObserver(translate).observe(
  document, { childList: true, characterData: true, subtree: true },
);
"""
BOARD = "Find the hidden equation:"
LOST, OUT = "No connection.", "You're signed out."
# A button or an equation, and what is read after it.
STEPS = (
    ("Play as Ann", BOARD),
    ("Turn on hard mode", "Turn off hard mode"),
    ("Turn off hard mode", "Turn on hard mode"),
    ("41-3+27=65", "5 guesses left."),
    ("41-3+27=66", "Spend a guess on it"),
    ("anyway", "4 guesses left."),
    ("Hint", "Take a hint?"),
    ("Hint", "1 hint"),
    (SECRET, "Your first daily win!"),
    ("Copy result", "Copied"),
    ("Coach", "Find a better guess"),
    ("Find a better guess", "Can you beat guess"),
    ("Show the best", "The best guess here"),
    ("Back", "Find a better guess"),
    ("Back", "Your first daily win!"),
    ("Back", "Find an opponent"),
    ("Earlier puzzles", "November 2026"),
    ("#323", BOARD),
)


async def journey(host: Host, page: Page, player: int, clock: FakeClock) -> AsyncGenerator[str]:
    """What a player reads on each screen."""
    services, guild = host.services, player
    await services.standings.members.seen(player, "Ann", guild_id=guild, guild_name="Ann")
    play = await services.daily.open(player, guild)

    async def read(awaited: str) -> str:
        await expect(page.get_by_text(awaited).first).to_be_visible(timeout=20_000)
        await page.evaluate("new Promise(requestAnimationFrame)")
        return await page.locator("main").inner_text()

    ticket = await services.sessions.earn(player, Channel(guild, 3), place_of(play.id))
    await page.goto(f"{host.url}/#{ticket}.{place_of(play.id)}")
    yield await read("Play as Ann")
    for what, awaited in STEPS:
        clock.advance(seconds=10)
        if what[0].isdigit():
            await page.keyboard.type(what)
            await page.keyboard.press("Enter")
        else:
            await page.get_by_role("button", name=what).first.tap()
        yield await read(awaited)
        is_last = what == STEPS[-1][0]
        if is_last:
            await services.sessions.sign_out(player)
            await expect(page.get_by_text(OUT)).to_be_visible()
        await page.context.set_offline(True)
        yield await read(LOST)
        await page.context.set_offline(False)
        await expect(page.get_by_text(LOST)).to_have_count(0)
        yield await read(OUT if is_last else awaited)


async def test_a_translated_page_shows_each_text_once_and_no_old_one(
    host: Host, clock: FakeClock
) -> None:
    async with a_page(permissions=["clipboard-write"]) as page:
        plain = [text async for text in journey(host, page, BEN, clock)]
    async with a_page(permissions=["clipboard-write"]) as page:
        await page.add_init_script(TRANSLATOR)
        n = 0
        async for text in journey(host, page, ANN, clock):
            assert "«" in text
            assert not {"«Guess»", "«4»"} & set(text.splitlines())
            assert text.replace("«", "").replace("»", "") == plain[n]
            n += 1

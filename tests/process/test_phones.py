"""An evening that begins in Discord and goes on, on two phones, through kills of the process."""

import asyncio
import signal
from typing import Final

import pytest
from playwright.async_api import Page, expect

from tests.process.duelling import GUILD
from tests.process.host import Host
from tests.process.loopback import Loopback
from tests.support.asking import free_port
from tests.support.payloads import COMMAND, PRESS, Payload, command, in_server, interaction, press
from tests.support.waiting import until, until_so
from tests.web.test_browser import a_page

ANN, BEN, ROUNDS = 11, 22, 3
WRONG: Final = "12+34-5=41"


class Evening:
    """The bot's process, the post of an evening, and its players' phones."""

    def __init__(self, host: Host, discord: Loopback) -> None:
        self.host = host
        self.discord = discord
        self.run = host.fork()

    async def act(self, kind: int, data: Payload, player: int, post: Payload | None) -> Payload:
        there = interaction(kind, data, in_server(player, GUILD), post)
        return (await (await self.session.interact(there))).data

    async def begin(self) -> None:
        self.session = await self.discord.next_session()
        await self.act(COMMAND, command("race", {"rounds": ROUNDS}), ANN, None)

    async def enter(self, page: Page, player: int) -> None:
        """Follow the link that *Keypad* under the post gives."""
        (post,) = self.discord.messages
        note = await self.act(PRESS, press("ra:keypad:1"), player, post)
        await page.goto(_link_in(note))
        await page.get_by_role("button", name=f"Play as player{player}").tap()

    async def kill(self) -> None:
        """Kill the process, and start it again on its database."""
        self.run.signal(signal.SIGKILL)
        assert await self.run.status() == -signal.SIGKILL
        self.run = self.host.fork()
        self.session = await self.discord.next_session()


def _link_in(part: Payload) -> str:
    found = [part["url"]] if "url" in part else [_link_in(p) for p in part.get("components", ())]
    return "".join(found)


async def guess(page: Page, text: str) -> None:
    await page.keyboard.type(text)
    await page.keyboard.press("Enter")


async def press_until_gone(page: Page, label: str) -> None:
    """Press a button again and again: a process that has just started may hear nothing yet."""
    button = page.get_by_role("button", name=label, exact=True)
    await expect(button).to_be_visible()

    async def is_gone() -> bool:
        return not await button.evaluate_all("all => all.map((each) => each.click())")

    await until_so(is_gone)


async def solve(evening: Evening, ann: Page, ben: Page, secret: str) -> None:
    """Solve a round, Ann at her second guess, which reaches a process that is killed then."""
    for page in (ann, ben):
        await expect(page.locator(".typed")).to_be_visible()
    await guess(ann, WRONG)
    await expect(ann.get_by_text("5 guesses left.")).to_be_visible()
    await asyncio.gather(guess(ann, secret), evening.kill())
    await expect(ann.locator(".offline")).to_have_count(0, timeout=30_000)  # it asks now and then
    if await ann.locator(".typed .full").count():
        await ann.keyboard.press("Enter")
    await expect(ann.get_by_text("Found in 2 guesses!")).to_be_visible()
    await guess(ben, secret)


@pytest.mark.long(only=True)
async def test_an_evening_on_two_phones_loses_and_doubles_nothing_by_kills(
    host: Host, discord: Loopback
) -> None:
    discord.guilds, port = [GUILD], free_port()
    host.environment |= {"WEB_ADDRESS": str(port), "WEB_URL": f"http://127.0.0.1:{port}"}
    evening = Evening(host, discord)
    async with a_page() as ann, a_page() as ben:
        await evening.begin()
        await evening.enter(ann, ANN)
        await evening.enter(ben, BEN)
        await ben.get_by_role("button", name="Join").tap()
        await expect(ann.get_by_role("button", name="Start")).to_be_visible()
        await evening.kill()
        await press_until_gone(ann, "Start")
        for number in range(1, ROUNDS + 1):
            await until(lambda n=number: len(_started(host)) == n)
            await solve(evening, ann, ben, _started(host)[-1])
            if number < ROUNDS:
                await expect(ann.get_by_role("button", name="Ready")).to_be_visible()
                await evening.kill()
                for page in (ann, ben):
                    await press_until_gone(page, "Ready")
        for page in (ann, ben):
            await expect(page.get_by_role("button", name="Again")).to_be_visible()
    made = host.query("SELECT race_id, seat, code FROM race_guesses ORDER BY race_id, seat, turn")
    secrets = _started(host)
    assert made == [
        guessed
        for n, secret in enumerate(secrets, 1)
        for guessed in ((n, 0, WRONG), (n, 0, secret), (n, 1, secret))
    ]
    await until(lambda: "wins" in str(discord.messages[0]))
    assert len(discord.messages) == 1
    await evening.run.kill()


def _started(host: Host) -> list[str]:
    """The secrets of the rounds that have started."""
    rows = host.query("SELECT secret FROM races WHERE started_at IS NOT NULL ORDER BY id")
    return [secret for (secret,) in rows]

"""Guesses over the page beside guesses over Discord: processor time, and who waits for whom."""

import asyncio
import random
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from itertools import cycle
from statistics import median
from time import perf_counter
from typing import Any, Final, cast

from aiohttp import ClientResponseError, ClientSession, ClientWebSocketResponse, CookieJar

from benchmarks.load.crowd import Crowd, crowd, few_at_a_time, note
from benchmarks.load.players import Act, Player, RealPlayer
from benchmarks.load.report import REAL, Waits
from engine import Focdle
from tests.support.asking import free_port

_LENGTH: Final = 10
_CODES: Final = 997
_GUESSES: Final = 6
_TRIES: Final = 20
_BETWEEN_TRIES_SECONDS: Final = 1.0


@dataclass(slots=True)
class Browser:
    """A browser with the page open, and its socket."""

    url: str
    session: ClientSession
    socket: ClientWebSocketResponse
    headers: dict[str, str]
    play: dict[str, Any]

    async def get_ready(self) -> None:
        if self.play["state"] != "open":
            self.play = await self.patiently("practice", {"length": _LENGTH})
            await self.watch()

    async def watch(self) -> None:
        watch = [self.play["place"]]
        await self.socket.send_json({"player": self.headers["X-Player"], "watch": watch})

    async def hear(self) -> None:
        async for _ in self.socket:
            pass

    async def guess(self, text: str) -> bool:
        """Guess, and return whether that was played: a busy bot asks to try again."""
        path = self.play["place"]
        given = {"text": text, "at": self.play["version"], "sure": True}
        try:
            self.play = await self.ask(f"{path}/guess", given)
        except ClientResponseError:
            self.play = await self.patiently(path)
            return False
        return True

    async def patiently(self, path: str, given: object = None) -> dict[str, Any]:
        """Ask again while the bot is busy."""
        for _ in range(_TRIES):
            try:
                return await self.ask(path, given)
            except ClientResponseError as error:
                if error.status != HTTPStatus.SERVICE_UNAVAILABLE:
                    raise
            await asyncio.sleep(_BETWEEN_TRIES_SECONDS)
        return await self.ask(path, given)

    async def ask(self, path: str, given: object = None) -> dict[str, Any]:
        url, method = f"{self.url}/api/{path}", "GET" if given is None else "POST"
        asked = self.session.request(method, url, json=given, headers=self.headers)
        async with asked as answer:
            answer.raise_for_status()
            return cast("dict[str, Any]", await answer.json())


@asynccontextmanager
async def _browser(player: RealPlayer) -> AsyncGenerator[Browser]:
    """Enter by *Keypad*, as a player does."""
    await player.get_ready(Act.GUESS)
    url, _, shown = (await player.link()).partition("/#")
    ticket, _, place = shown.partition(".")
    own = {"Origin": url}
    async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
        given = {"ticket": ticket}
        async with session.post(f"{url}/api/enter/look", json=given, headers=own) as looked:
            look = await looked.json()
        async with session.post(f"{url}/api/enter", json=given, headers=own) as entered:
            entered.raise_for_status()
        own["X-Player"] = look["player"]
        async with session.get(f"{url}/api/{place}", headers=own) as shown:
            play = await shown.json()
        async with session.post(f"{url}/api/live/token", json={}, headers=own) as given_token:
            token = (await given_token.json())["token"]
        async with session.ws_connect(f"{url}/api/live?token={token}") as socket:
            browser = Browser(url, session, socket, own, play)
            await browser.watch()
            hearing = asyncio.create_task(browser.hear())
            yield browser
            hearing.cancel()


@dataclass(slots=True)
class Compared:
    """Milliseconds of processor time a guess, round by round, and all waits of Discord's players.

    Attributes:
        without, beside: the waits without and with guesses over the page in the same time.
    """

    discord: list[float] = field(default_factory=list[float])
    page: list[float] = field(default_factory=list[float])
    without: Waits = field(default_factory=Waits)
    beside: Waits = field(default_factory=Waits)
    missed: int = 0

    def __str__(self) -> str:
        def of(found: Sequence[float], unit: str = "") -> str:
            return f"{median(found):.2f}{unit} ({min(found):.2f}-{max(found):.2f})"

        costs = [page / discord for page, discord in zip(self.page, self.discord, strict=True)]
        shown = (
            f"a guess over Discord {of(self.discord, ' ms')}, over the page {of(self.page, ' ms')}"
            f" of processor time: {of(costs)}\n"
        )
        for part in (0.5, 0.9, 0.99):
            without, beside = self.without.milliseconds(part), self.beside.milliseconds(part)
            shown += (
                f"{part:.0%} of {len(self.without):,} waits of Discord's players: {without:.1f} ms,"
                f" beside the page {beside:.1f} ms: {beside / without:.2f}\n"
            )
        return f"{shown}missed or busy: {self.missed}\n"


class _Bench:
    def __init__(self, everybody: Crowd, browsers: Sequence[Browser], seconds: float) -> None:
        self._crowd = everybody
        self._players = everybody.players[len(browsers) :]
        self._browsers = browsers
        self._seconds = seconds
        self.missed = 0
        rng, rules = random.Random(1), Focdle()
        self._texts = cycle([rules.draw(rng) for _ in range(_CODES)])

    async def spread(self) -> None:
        """Let each guess up to five times, so that games end in every round, not all in one."""

        async def player(player: Player, guesses: int) -> None:
            for _ in range(guesses):
                await player.get_ready(Act.GUESS)
                sent = await player.do(Act.GUESS)
                player.hear(Act.GUESS, await sent.within())

        async def browser(browser: Browser, guesses: int) -> None:
            for _ in range(guesses):
                await browser.get_ready()
                await browser.guess(next(self._texts))

        await few_at_a_time(
            player(each, place % _GUESSES) for place, each in enumerate(self._players)
        )
        await few_at_a_time(
            browser(each, place % _GUESSES) for place, each in enumerate(self._browsers)
        )

    async def discord(self, *, beside: bool = False) -> tuple[float, Waits]:
        """Let each player guess over Discord; return milliseconds a guess, and the waits.

        `beside` lets each browser guess in the same time.
        """
        await few_at_a_time(each.get_ready(Act.GUESS) for each in self._players)
        await few_at_a_time(each.get_ready() for each in self._browsers if beside)
        before = await self._crowd.program.settle()
        acts = [Act.GUESS for _ in self._players]
        guessing = asyncio.create_task(self._guess()) if beside else None
        sent, _ = await self._crowd.send(self._players, acts, self._moments())
        if guessing is not None:
            await guessing
        used = (await self._crowd.program.settle()).processor - before.processor
        waits = Waits()
        for player, each in zip(self._players, sent, strict=True):
            note(waits, player, Act.GUESS, each)
        self.missed += len(sent) - waits.done
        return 1000 * used / max(1, waits.done), waits

    async def page(self) -> float:
        """Let each browser guess; return milliseconds of processor time a guess."""
        await few_at_a_time(each.get_ready() for each in self._browsers)
        before = await self._crowd.program.settle()
        done = await self._guess()
        used = (await self._crowd.program.settle()).processor - before.processor
        return 1000 * used / max(1, done)

    async def _guess(self) -> int:
        began = perf_counter()

        async def one(browser: Browser, moment: float) -> bool:
            await asyncio.sleep(max(0.0, began + moment - perf_counter()))
            return await browser.guess(next(self._texts))

        moments = self._moments()
        done = sum(await asyncio.gather(*map(one, self._browsers, moments)))
        self.missed += len(moments) - done
        return done

    def _moments(self) -> list[float]:
        return sorted(self._crowd.rng.uniform(0, self._seconds) for _ in self._browsers)


async def compare(players: int, rounds: int, seconds: float) -> Compared:
    """Let so many guess over Discord, and so many over the page, in turns and together."""
    url = f"http://127.0.0.1:{free_port()}"
    settings = {"WEB_ADDRESS": url.rpartition(":")[2], "WEB_URL": url}
    found = Compared()
    async with crowd(REAL, 2 * players, settings=settings) as everybody, AsyncExitStack() as stack:
        browsers = list[Browser]()
        for player in everybody.players[:players]:
            browsers.append(await stack.enter_async_context(_browser(cast("RealPlayer", player))))
        bench = _Bench(everybody, browsers, seconds)
        await bench.spread()
        for _ in range(rounds):
            used, without = await bench.discord()
            found.discord.append(used)
            found.without += without
            found.page.append(await bench.page())
            found.beside += (await bench.discord(beside=True))[1]
        found.missed = bench.missed
    return found

"""The page's server on the real services, and browsers that ask it."""

import asyncio
import json
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from aiohttp import ClientSession, CookieJar, DummyCookieJar
from multidict import CIMultiDict

from bot.address import Address
from bot.games.model import Channel, GameName, Source
from bot.page.game import NEWS, Posting
from bot.page.model import WRITING, Came
from bot.playground.discord_stub import DiscordStub, User
from bot.services import Services
from tests.support.asking import free_port
from tests.support.clock import FakeClock
from tests.support.discord_window import ACTIVITY as FRAME
from tests.support.discord_window import listening
from tests.support.table import SECRET as SECRET_OF_TODAY
from tests.support.unhurried import AMPLE_SECONDS
from web import activity, app, live
from web.activity import Activity
from web.app import opened

# The first duel of a process takes seconds to import what counts for it, and more beside others.
for module, limits in (
    (app, ("_BODY_SECONDS", "_REQUEST_SECONDS")),
    (live, ("_SILENT_SECONDS",)),
    (activity, ("_ANSWER_SECONDS", "_DISCORD_SECONDS")),
):
    module.__dict__.update(dict.fromkeys(limits, AMPLE_SECONDS))
Posting.patience = AMPLE_SECONDS

ANN, BEN, GUILD, CHANNEL = 11, 22, 33, 3
HERE = Channel(GUILD, CHANNEL)
SECRET = "a-client-secret"


@dataclass
class Answer:
    status: int
    headers: CIMultiDict[str]
    text: str

    @property
    def data(self) -> Any:
        return json.loads(self.text)


class Browser:
    """A browser with the page open: its cookies, and whom it shows."""

    def __init__(self, url: str, session: ClientSession) -> None:
        self.url = url
        self.session = session
        self.player = ""

    async def ask(self, method: str, path: str, given: object = None, **headers: str) -> Answer:
        """Ask as the page does; headers may be another's, and an empty one is left out."""
        sent = {"X-Player": self.player}
        body = None
        if method == "POST":
            sent |= {"Origin": self.url, "Content-Type": "application/json"}
            body = given if isinstance(given, bytes) else json.dumps(given or {}).encode()
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        skip = [name for name, value in sent.items() if not value]
        async with self.session.request(
            method,
            self.url + path,
            data=body,
            headers={name: value for name, value in sent.items() if value},
            skip_auto_headers=skip,
        ) as answer:
            return Answer(answer.status, CIMultiDict(answer.headers), await answer.text())

    async def get(self, path: str, **headers: str) -> Answer:
        return await self.ask("GET", f"/api/{path}", **headers)

    async def post(self, path: str, given: object = None, **headers: str) -> Answer:
        return await self.ask("POST", f"/api/{path}", given, **headers)

    async def enter(self, ticket: str) -> None:
        """Look at a ticket, spend it, and show its owner."""
        await self.post("enter/look", {"ticket": ticket})
        assert (await self.post("enter", {"ticket": ticket})).status == 204
        self.player = (await self.get("me")).data["player"]


class Bot:
    """The bot's process, as far as the page asks it who may write in a channel: all, unless told.

    Attributes:
        says: what it says of players; None for no answer.
        asked: of which players and channels it was asked.
    """

    def __init__(self, services: Services) -> None:
        self.says: dict[int, Came | None] = {}
        self.asked: list[tuple[int, int]] = []
        self._services = services
        self._rounds = set[asyncio.Task[None]]()

    def heard(self, name: str | None) -> None:
        if name == NEWS:
            self._rounds.add(asyncio.create_task(self.round()))

    async def round(self) -> None:
        posting = self._services.posting
        for due in await posting.due():
            said = self.says.get(due[0], Came.SENT)
            if due[1] == WRITING and said and (post := await posting.claim(due)):
                self.asked.append((due[0], due[2]))
                await posting.came(post, said)

    async def end(self) -> None:
        await asyncio.gather(*self._rounds)


@pytest.fixture
async def bot(services: Services) -> AsyncGenerator[Bot]:
    bot = Bot(services)
    await services.watch(bot.heard)
    yield bot
    await bot.end()


class Host:
    """The page's server, the services that it stands on, and the bot."""

    def __init__(self, url: str, services: Services, bot: Bot) -> None:
        self.url = url
        self.services = services
        self.bot = bot

    @asynccontextmanager
    async def browser(self) -> AsyncGenerator[Browser]:
        async with ClientSession(cookie_jar=CookieJar(unsafe=True)) as session:
            yield Browser(self.url, session)

    @asynccontextmanager
    async def stranger(self) -> AsyncGenerator[Browser]:
        """A program that keeps no cookies."""
        async with ClientSession(cookie_jar=DummyCookieJar()) as session:
            yield Browser(self.url, session)

    @asynccontextmanager
    async def player(
        self, player_id: int = ANN, guild: int | None = GUILD
    ) -> AsyncGenerator[Browser]:
        """A browser in which a player has entered, by the link to today's board."""
        members = self.services.standings.members
        await members.seen(player_id, f"P{player_id}", guild_id=guild, guild_name="p")
        play = await self.services.daily.open(player_id, guild)
        async with self.browser() as found:
            await found.enter(
                await self.services.sessions.earn(
                    player_id, Channel.of(guild, CHANNEL), place_of(play.id)
                )
            )
            yield found


def place_of(play_id: int) -> GameName:
    return GameName(Source.PLAY, play_id)


def id_of(place: str) -> int:
    return GameName.read(place).id


_VALUES: list[object] = [
    *(None, True, -1, 0, 2**70, 1.5, "", "x" * 900, "\ud800", "\0", [], {}, [[]], "41-3+27=65")
]
_NAMES = ("text", "at", "sure", "on", "turn", "length", "level", "puzzle", "ticket", "player", "x")
_RAW = (b"", b"{", b"[" * 2000, b"null", b"\xff\xfe", b'{"at":NaN}', b"1" * 2000, b"x" * 3000)


async def ask_anything(browser: Browser, clock: FakeClock, times: int, seed: int = 7) -> None:
    """Ask with bodies of any kind: nothing breaks, and no answer has the secret of today's."""
    rng = random.Random(seed)
    play = (await browser.post("today")).data["place"]
    paths = ["today", "practice", "open", "enter", "enter/look"]
    paths += [f"{play}/{act}" for act in ("guess", "hint", "give_up", "hard", "better")]
    for _ in range(times):
        clock.advance(seconds=1)
        body = {name: rng.choice(_VALUES) for name in rng.sample(_NAMES, rng.randint(0, 4))}
        given = json.dumps(body).encode() if rng.random() < 0.9 else rng.choice(_RAW)
        answer = await browser.post(rng.choice(paths), given)
        assert answer.status < 500, (given, answer.text)
        assert SECRET_OF_TODAY not in answer.text


@pytest.fixture
async def host(services: Services, clock: FakeClock, bot: Bot) -> AsyncGenerator[Host]:
    address = Address("127.0.0.1", free_port())
    async with opened(address, f"http://{address}", services, clock):
        yield Host(f"http://{address}", services, bot)


@dataclass
class Framed(Host):
    """The page's server with an Activity, and Discord beside it."""

    stub: DiscordStub
    activity: Activity

    def __init__(
        self, url: str, services: Services, bot: Bot, stub: DiscordStub, activity: Activity
    ) -> None:
        super().__init__(url, services, bot)
        self.stub, self.activity = stub, activity
        self._codes = 0

    def code(self, name: str = "ann") -> str:
        """A new code, as Discord gives it to the frame."""
        self._codes += 1
        return f"{name}.{self._codes}"

    def launch(self, *players: int, guild: int | None = GUILD) -> str:
        users = [user for user in self.stub.codes.values() if user.id in players]
        return self.stub.runs(users, CHANNEL, guild)

    @asynccontextmanager
    async def frame(self, name: str = "ann", **given: object) -> AsyncGenerator[Browser]:
        """A frame that Discord has let in; without an instance, at the player's own place."""
        async with self.stranger() as browser:
            answer = await post(browser, {"code": self.code(name), **given})
            assert answer.status == 200, answer.text
            yield let_in(browser, answer)


def let_in(browser: Browser, answer: Answer) -> Browser:
    browser.session.headers["Authorization"] = f"Bearer {answer.data['session']}"
    browser.player = answer.data["me"]["player"]
    return browser


async def post(browser: Browser, given: object, **headers: str) -> Answer:
    return await browser.post("discord", given, **{"Origin": FRAME, **headers})


@pytest.fixture
async def stub() -> DiscordStub:
    stub = DiscordStub(42, SECRET, "a-bot-token")
    stub.codes = {"ann": User(ANN, "ann", "Ann"), "ben": User(BEN, "ben", "Ben")}
    return stub


@pytest.fixture
async def framed(
    services: Services, clock: FakeClock, bot: Bot, stub: DiscordStub
) -> AsyncGenerator[Framed]:
    await services.standings.members.seen(99, "Zoe", guild_id=GUILD, guild_name="Zoe")
    address = Address("127.0.0.1", free_port())
    async with listening(stub.app()) as api:
        activity = Activity(42, SECRET, "a-bot-token", f"{api}/api/v10", pause_seconds=0)
        url = f"http://{address}"
        async with opened(address, url, services, clock, activity=activity):
            yield Framed(url, services, bot, stub, activity)

"""What goes by the clock where processes share a database: once, and no click waits for it."""

import asyncio
import threading
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime

import pytest
from sqlalchemy import delete

from bot.clock import PuzzleName
from bot.db import keys
from bot.db import tables as schema
from bot.db.database import Database, Transaction
from bot.duels.challenges import Challenge
from bot.mastermind.game import Setting
from bot.outages import ALL, ShardRange
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.duels import EQUAL
from tests.support.table import KEY, SECRET
from tests.support.waiting import until

ANN, BEN, CAT = 11, 22, 33
HERE, CHANNEL = 55, 66
TODAY = PuzzleName(324, 10)


class Bot:
    """Processes of a bot, and what they find to be due."""

    def __init__(self, url: str, clock: FakeClock, stack: AsyncExitStack, base: Database) -> None:
        self.base = base
        self._url = url
        self._clock = clock
        self._stack = stack

    async def process(self, shards: ShardRange = ALL) -> Services:
        opened = open_services(self._url, self._clock, puzzle_key=KEY, shards=shards)
        return await self._stack.enter_async_context(opened)

    async def at(self, moment: str) -> None:
        """Let it be so late, without the bot having been down."""
        self._clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))
        await self.base.write(lambda tx: tx.execute(delete(schema.bookkeeping.pulses)))


@pytest.fixture
async def bot(postgres_url: str, clock: FakeClock) -> AsyncGenerator[Bot]:
    async with AsyncExitStack() as stack:
        base = await Database.open(postgres_url)
        stack.push_async_callback(base.close)
        yield Bot(postgres_url, clock, stack, base)


async def fill(services: Services) -> None:
    """A server with something of all that comes by itself."""
    await services.settings.change(HERE, channel_id=CHANNEL, zone="UTC")
    await services.posts.choices.set_finishers_threads(HERE, on=True)
    await services.posts.choices.set_todays_card(HERE, on=True)
    await services.standings.members.seen(ANN, "Ann", guild_id=HERE, guild_name="Ann")
    await services.daily.open(ANN, HERE, guess=SECRET)
    await services.entries.enter(ANN, TODAY, HERE, CHANNEL)
    await services.reminders.ask(ANN)
    await services.mastermind.solo.open(BEN, Setting())
    inviting = services.duels.inviting
    await inviting.challenge(Challenge(ANN, BEN, HERE, CHANNEL), EQUAL, "0123")


async def a_round(services: Services) -> Counter[str]:
    """Do what loops do; how often something was to be done, by what."""
    posts, cards, boards = services.posts, services.cards, services.duels.boards
    done = [
        *[("post", await posts.book.claim(guild)) for guild in await posts.book.due()],
        *[("thread", await posts.threads.claim(*which)) for which in await posts.threads.waiting()],
        *[
            ("closing", await posts.threads.claim_closing(due))
            for due in await posts.threads.to_close()
        ],
        *[("cards", await cards.claim(number)) for number in await cards.due()],
        *[("nudge", await boards.claim_nudge(number)) async for number in boards.to_nudge()],
        *[("duel", game) for game in await services.duels.games.sweep()],
        *[("mastermind", game) for game in await services.mastermind.games.sweep()],
        *[
            ("reminder", await services.reminders.claim(player))
            for player in await services.reminders.due()
        ],
        ("upkeep", await services.upkeep.settle()),
        ("games of nobody", await services.privacy.cleaning.expire()),
    ]
    return Counter(name for name, found in done if found)


EVENING = {"post": 1, "thread": 1, "cards": 1, "duel": 1, "reminder": 1}
A_WEEK_LATER = {"post": 1, "thread": 1, "closing": 1, "mastermind": 1, "upkeep": 1}


async def test_one_of_two_processes_does_each_piece_of_timed_work(bot: Bot) -> None:
    here, there = await bot.process(), await bot.process()
    await fill(here)
    await bot.at("2026-11-21T22:30")
    found = sum(await asyncio.gather(a_round(here), a_round(there)), Counter[str]())
    assert found == EVENING
    await bot.at("2026-11-28T12:30")
    found = sum(await asyncio.gather(a_round(here), a_round(there)), Counter[str]())
    assert found == A_WEEK_LATER | {"cards": 1}


@asynccontextmanager
async def a_click_of(player: int, base: Database) -> AsyncGenerator[None]:
    """Let it go on until the end of the block."""
    has_begun, may_end = threading.Event(), threading.Event()

    def click(_: Transaction) -> None:
        has_begun.set()
        may_end.wait()

    going_on = asyncio.create_task(base.write(click, keys.player(player)))
    try:
        await until(has_begun.is_set)
        yield
    finally:
        may_end.set()
        await going_on


async def test_timed_work_does_not_wait_for_a_click_that_is_being_handled(bot: Bot) -> None:
    services = await bot.process()
    await fill(services)
    for moment, due in (("2026-11-21T22:30", EVENING), ("2026-11-28T12:30", A_WEEK_LATER)):
        await bot.at(moment)
        async with a_click_of(CAT, bot.base):
            found = await a_round(services)
        assert due.keys() <= found.keys()


async def test_each_process_does_timed_work_for_the_servers_of_its_shards(bot: Bot) -> None:
    first, second = [await bot.process(ShardRange(n, n, 2)) for n in range(2)]
    await fill(first)
    await bot.at("2026-11-21T22:30")
    (card_id,) = await first.cards.due()
    assert await second.cards.claim(card_id) is None  # though asked, in a direct message say
    assert (await a_round(second)).keys() <= {"reminder"}
    assert (await a_round(first)).keys() >= EVENING.keys() - {"reminder"}
    await bot.at("2026-11-28T12:30")
    assert (await a_round(second)).keys() == {"upkeep"}
    assert (await a_round(first)).keys() >= A_WEEK_LATER.keys() - {"upkeep"}

"""Two processes share a database: what comes to both at once happens once, and nothing breaks."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, suppress
from typing import TypeVar

import pytest
from sqlalchemy import func, select, text

from bot.db import tables as schema
from bot.db.database import Database, Transaction
from bot.duels.challenges import Challenge
from bot.errors import StorageBusyError
from bot.privacy.game import open_privacy
from bot.refused import Refused
from bot.services import Services, open_services
from tests.support.clock import FakeClock
from tests.support.duels import CHANNEL, EQUAL
from tests.support.table import KEY, SECRET

T = TypeVar("T")

HERE = 900
PLAYERS = range(1001, 1011)
Use = Callable[[Services], Awaitable[T]]


@pytest.fixture
async def processes(postgres_url: str, clock: FakeClock) -> AsyncGenerator[list[Services]]:
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(open_services(postgres_url, clock, puzzle_key=KEY))
            for _ in range(2)
        ]


async def at_last(use: Use[T], services: Services) -> T:
    """What a use case gives, after as many busy moments as it takes."""
    while True:
        with suppress(StorageBusyError):
            return await use(services)


async def both(processes: Sequence[Services], use: Use[T]) -> list[T | Refused]:
    """What a use case gives in two processes at once, or why it is refused."""
    found = await asyncio.gather(
        *(at_last(use, services) for services in processes), return_exceptions=True
    )
    others = [e for e in found if isinstance(e, BaseException) and not isinstance(e, Refused)]
    assert not others
    return [e for e in found if isinstance(e, Refused) or not isinstance(e, BaseException)]


async def solve(processes: Sequence[Services], player: int) -> None:
    """A player's daily, each click of it twice at once."""
    name = f"P{player}"
    await both(
        processes, lambda s: s.standings.members.seen(player, name, guild_id=HERE, guild_name=name)
    )
    opened = await both(processes, lambda s: s.daily.open(player, HERE))
    (play_id,) = {play.id for play in opened if not isinstance(play, Refused)}
    for code in ("12+34-40=6", SECRET):
        played = await both(processes, lambda s, code=code: s.daily.guess(player, play_id, code))
        assert sum(isinstance(play, Refused) for play in played) == 1


async def fight(processes: Sequence[Services], player: int, other: int) -> None:
    """A rated duel in which both give up at once, and both want revenge."""
    challenge = Challenge(player, other, HERE, CHANNEL)
    game = await at_last(
        lambda s: s.duels.inviting.challenge(challenge, EQUAL, "0123"), processes[0]
    )
    await both(processes, lambda s: s.duels.inviting.accept(other, game.duel.id, 0, "4567"))
    who = {id(processes[0]): player, id(processes[1]): other}
    ended = await both(processes, lambda s: s.duels.playing.resign(who[id(s)], game.duel.id))
    assert sum(isinstance(end, Refused) for end in ended) == 1
    again = await both(
        processes, lambda s: s.duels.inviting.rematch(who[id(s)], game.duel.id, "0123")
    )
    assert len({duel.duel.id for duel in again if not isinstance(duel, Refused)}) == 1


async def count(url: str, *tables: str) -> list[int]:
    """How many rows tables have."""
    database = await Database.open(url)

    def body(tx: Transaction) -> list[int]:
        return [
            tx.execute(select(func.count()).select_from(schema.metadata.tables[table])).scalar_one()
            for table in tables
        ]

    found = await database.read(body)
    await database.close()
    return found


async def test_the_same_request_to_two_processes_takes_effect_once(
    processes: list[Services], postgres_url: str
) -> None:
    await asyncio.gather(*(solve(processes, player) for player in PLAYERS))
    await asyncio.gather(
        *(fight(processes, player, player + 1) for player in PLAYERS if player % 2)
    )
    half = len(PLAYERS) // 2
    assert await count(
        postgres_url, "puzzles", "plays", "guesses", "duels", "rating_changes", "ratings"
    ) == [1, 2 * half, 4 * half, 2 * half, 2 * half, 2 * half]


async def test_a_player_deleted_by_one_process_is_forgotten_by_the_others(
    processes: list[Services], postgres_url: str, clock: FakeClock
) -> None:
    heard = [asyncio.Queue[int | None]() for _ in processes]
    for services, forgotten in zip(processes, heard, strict=True):
        services.standings.members.when_forgotten(forgotten.put_nowait)
    here, there = heard

    async def are_told(player: int) -> bool:
        told = [await here.get(), await there.get()]
        return told == [player, player] and here.empty() and there.empty()

    first, second, third = PLAYERS[:3]
    for player in (first, second, third):
        await processes[0].standings.members.seen(player, "A", guild_id=HERE, guild_name="A")
    await processes[0].preferences.set_hidden(first, on=True)
    assert await are_told(first)
    await processes[1].privacy.players.delete(second, "delete")
    assert await are_told(second)
    async with open_privacy(postgres_url, clock) as hosts:  # as a host does at a terminal
        await hosts.players.delete(third, "delete")
    assert await are_told(third)


async def test_a_language_that_is_chosen_in_one_process_is_spoken_by_the_others(
    processes: list[Services],
) -> None:
    one, other = processes
    player, another = PLAYERS[:2]
    heard, languages = asyncio.Queue[int | None](), other.languages
    other.standings.members.when_forgotten(heard.put_nowait)

    async def spoken() -> tuple[str | None, ...]:
        return *await languages.of_player(player), await languages.of_server(HERE)

    await one.standings.members.seen(player, "A")
    assert await spoken() == (None, None, None)
    await one.settings.set_language(HERE, "pt-BR")
    assert await one.languages.answered(player, "pt-BR")
    assert not await one.languages.answered(player, "pt-BR")
    await one.preferences.set_language(player, "en-US")
    await one.preferences.set_hidden(another, on=True)
    assert await heard.get() == another  # what was told before it is heard, too
    assert await spoken() == ("en-US", "pt-BR", "pt-BR")


async def test_a_member_is_stored_again_after_another_process_deleted_their_server(
    processes: list[Services], postgres_url: str, clock: FakeClock
) -> None:
    heard, members = asyncio.Queue[int | None](), processes[0].standings.members
    members.when_forgotten(heard.put_nowait)
    player, another = PLAYERS[:2]
    await members.seen(player, "A", guild_id=HERE, guild_name="A")
    await processes[1].privacy.servers.delete(HERE, "Here", "here")
    await processes[1].privacy.players.delete(another, "delete")
    assert await heard.get() == another  # what was told before it is heard, too
    assert await count(postgres_url, "members") == [0]
    clock.advance(seconds=1)
    await members.seen(player, "A", guild_id=HERE, guild_name="A")
    assert await count(postgres_url, "members") == [1]


async def test_a_process_that_may_have_missed_a_deletion_forgets_everybody(
    processes: list[Services], postgres_url: str
) -> None:
    heard, members = asyncio.Queue[int | None](), processes[0].standings.members
    members.when_forgotten(heard.put_nowait)
    database = await Database.open(postgres_url)
    listening = "FROM pg_stat_activity WHERE query ILIKE 'listen%'"
    end = text(f"SELECT pg_terminate_backend(pid) {listening}")
    ended = await database.write(lambda tx: tx.execute(end).all())
    assert len(ended) == len(processes)
    assert await heard.get() is None
    await processes[1].privacy.players.delete(PLAYERS[0], "delete")
    assert await heard.get() == PLAYERS[0]
    await database.close()

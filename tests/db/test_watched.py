"""Who watches a database hears what each commit is about."""

import asyncio
import threading
from collections.abc import Callable

import pytest

from bot.db import keys
from bot.db.database import Database, Transaction
from bot.page import store
from bot.page.model import Ticket
from tests.support.clock import NOON
from tests.support.waiting import until

ANN, BEN = 11, 22


def adding(digest: str) -> Callable[[Transaction], None]:
    return lambda tx: store.tickets.add(tx, Ticket(ANN, None, None, None, NOON), digest)


async def test_a_watcher_of_the_database_hears_of_commits_but_not_of_reads_or_failed_writes(
    database_url: str,
) -> None:
    heard: list[str | None] = []
    database = await Database.open(database_url)
    await database.watch(heard.append)

    def fail(tx: Transaction) -> None:
        adding("b")(tx)
        raise ValueError

    await database.read(lambda tx: store.tickets.get(tx, "a"), keys.player(ANN))
    await database.write(lambda tx: store.tickets.get(tx, "a"), keys.player(ANN))
    with pytest.raises(ValueError):  # noqa: PT011 - it is the body's own
        await database.write(fail, keys.player(ANN))
    await database.write(adding("a"), keys.player(ANN), keys.player(BEN), keys.message(5))
    assert [each for each in heard if each is not None] == ["player:11", "player:22"]
    await database.close()


async def test_a_commit_is_told_once_and_with_all_that_it_is_about(database_url: str) -> None:
    heard: list[str | None] = []
    database = await Database.open(database_url)
    await database.watch(heard.append)

    def body(tx: Transaction) -> None:
        adding("a")(tx)
        for number in range(250):
            tx.changed(f"race-{number}")

    heard.clear()
    await database.write(body, keys.player(ANN))
    await database.write(adding("b"))  # about everything, and no name
    assert sorted(map(str, heard)) == sorted(["player:11", *(f"race-{n}" for n in range(250))])
    await database.close()


async def test_a_commit_whose_caller_has_gone_is_told_all_the_same(database_url: str) -> None:
    heard: list[str | None] = []
    database = await Database.open(database_url)
    await database.watch(heard.append)
    begun, goes_on = threading.Event(), threading.Event()

    def body(tx: Transaction) -> None:
        begun.set()
        goes_on.wait()
        adding("a")(tx)

    writing = asyncio.create_task(database.write(body, keys.player(ANN)))
    await asyncio.to_thread(begun.wait)
    writing.cancel()
    goes_on.set()
    await until(lambda: "player:11" in heard)
    await database.close()


async def test_a_watcher_of_the_database_is_told_of_commits_by_a_process_that_watches_nothing(
    postgres_url: str,
) -> None:
    heard: list[str | None] = []
    one, other = [await Database.open(postgres_url) for _ in range(2)]
    await other.watch(heard.append)

    def body(tx: Transaction) -> None:
        adding("a")(tx)
        tx.changed(*names)

    names = [f"race-{number}" for number in range(250)]
    await one.write(body, keys.player(ANN))
    await one.write(adding("b"), keys.player(BEN))
    await until(lambda: "player:22" in heard)
    assert sorted(filter(None, heard)) == sorted(["player:11", *names, "player:22"])
    for database in (one, other):
        await database.close()

"""What a transaction writes without being about it does not escape those who watch."""

import pytest

from bot.db import keys
from bot.db.database import Database, Transaction
from bot.people import store as people_store
from tests.support.clock import NOON
from tests.support.key_watch import watched

pytestmark = pytest.mark.sqlite  # which watches with its triggers


async def test_a_write_to_a_row_whose_key_was_not_taken_is_noticed(
    monkeypatch: pytest.MonkeyPatch, database_url: str
) -> None:
    with watched(monkeypatch) as watch:
        database = await Database.open(database_url)
        await database.write(
            lambda tx: people_store.see_player(tx, 1, "Ann", None, NOON), keys.player(1)
        )
        await database.write(lambda tx: people_store.see_player(tx, 2, "Ben", None, NOON))
        assert watch.wrong == []
        await database.write(
            lambda tx: people_store.see_player(tx, 2, "Bob", None, NOON), keys.player(1)
        )
        await database.close()
    assert watch.wrong
    assert {line.split(" is not among ")[0] for line in watch.wrong} == {"UPDATE players: player:2"}


async def test_keys_taken_out_of_order_are_noticed(
    monkeypatch: pytest.MonkeyPatch, database_url: str
) -> None:
    with watched(monkeypatch) as watch:
        database = await Database.open(database_url)

        def body(tx: Transaction) -> None:
            tx.about(keys.player(1), keys.player(2))
            tx.about(keys.server(1))
            tx.about(keys.player(1))  # it is among them already
            assert watch.wrong == []
            tx.about(keys.player(3))

        await database.write(body, keys.game("duel", 1))
        await database.close()
    assert watch.wrong

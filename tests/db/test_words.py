"""Columns that hold an enum's words."""

from datetime import date
from enum import Enum
from typing import cast

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import StatementError

from bot.db.database import Database, Transaction
from bot.db.tables import metadata
from bot.db.tables.games import streak_changes
from bot.db.tables.kinds import Word
from bot.effects import DateEffect

WORDS = [
    (str(column), cast("Word[Enum]", column.type))
    for table in metadata.sorted_tables
    for column in table.c
    if isinstance(column.type, Word)
]
ROW = {"player_id": 11, "day": date(2026, 11, 20), "before": 1, "after": 2, "freezes": 0}


def test_every_stored_word_fits_its_column() -> None:
    assert "streak_changes.reason" in dict(WORDS)
    for name, kind in WORDS:
        assert max(len(word.value) for word in kind.kind) <= kind.length, name


async def test_a_stored_word_is_read_back_as_its_enum_member(database_url: str) -> None:
    database = await Database.open(database_url)
    reason = streak_changes.c.reason

    def body(tx: Transaction) -> None:
        row = ROW | {"reason": DateEffect.FROZEN_LOST}
        tx.execute(insert(streak_changes).values(row))
        assert tx.scalar(text("SELECT reason FROM streak_changes")) == "frozen_lost"
        found = tx.scalar(select(reason).where(reason == DateEffect.FROZEN_LOST))
        assert found is DateEffect.FROZEN_LOST

    await database.write(body)
    await database.close()


async def test_a_word_outside_its_enum_is_not_stored(database_url: str) -> None:
    database = await Database.open(database_url)
    with pytest.raises(StatementError):
        await database.write(
            lambda tx: tx.execute(insert(streak_changes).values(ROW | {"reason": "bored"}))
        )
    await database.close()

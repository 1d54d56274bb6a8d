"""A deletion of much is one transaction; an export of much is many."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.db.tables.kinds import Fate, IdOf, naming
from bot.duels.model import NoSuchDuelError
from bot.focdle.model import NoSuchPlayError
from bot.games.model import GameName, Source
from bot.mastermind.game import Setting
from bot.mastermind.model import NoSuchGameError
from bot.privacy import players
from bot.privacy.model import DeletedMeanwhileError, ExportTooSoonError, ExportUnderWayError
from bot.privacy.players import BATCH
from bot.services import Services
from tests.support import duels, masterminds
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN
from tests.support.practices import EQUATION, add_practices, first_id
from tests.support.sql import overheard, sql

MANY = 3 * BATCH + 1


async def delete(services: Services, player: int = ANN) -> None:
    await services.privacy.players.delete(player, "DELETE")


def rows(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables in which games are."""
    tables = ("puzzles", "plays", "guesses", "analyses", "masterminds", "mastermind_turns")
    tables += ("duels", "duel_seats", "duel_moves")
    return {name: sql(folder, f"SELECT * FROM {name} ORDER BY 1, 2") for name in tables}


def named(folder: Path, player: int = ANN) -> list[str]:
    """The columns in which a player's id is."""
    return [
        str(column)
        for column in naming(IdOf.PLAYER, Fate.GOES, Fate.LOSES_ID)
        if sql(folder, f"SELECT 1 FROM {column.table} WHERE {column.name} = {player}")
    ]


@asynccontextmanager
async def statements() -> AsyncGenerator[list[str]]:
    """The statements that are executed meanwhile."""
    found: list[str] = []

    with overheard(lambda statement, _values: found.append(statement)):
        yield found


@pytest.mark.parametrize("many", [1, 3 * BATCH])
async def test_a_player_is_deleted_in_one_transaction(
    services: Services, tmp_path: Path, many: int
) -> None:
    practice = await services.practice.open(ANN, None)
    code = await services.mastermind.solo.open(ANN, Setting())
    sealed = await services.mastermind.defence.open_sealed(ANN, Setting(), "RGBY")
    against_bot = await duels.against_bot(services)
    add_practices(tmp_path, many, ANN)
    await services.daily.open(BEN, None, guess=EQUATION)
    await services.daily.open(ANN, None, guess=EQUATION)
    async with statements() as executed:
        await delete(services)
    assert executed.count("BEGIN IMMEDIATE") == 1
    assert len(executed) < 120  # however many games there are
    found = {name: len(found) for name, found in rows(tmp_path).items() if found}
    assert found == {"puzzles": 1, "plays": 1, "guesses": 1}  # Ben's
    assert (await services.privacy.players.summary(ANN)).is_empty
    assert named(tmp_path) == []
    for asked, gone in (
        (services.daily.view(ANN, practice.id), NoSuchPlayError),
        (services.daily.guess(ANN, practice.id, EQUATION), NoSuchPlayError),
        (services.daily.view(ANN, first_id(ANN)), NoSuchPlayError),
        (services.verifying.play(ANN, practice.id), NoSuchPlayError),
        (services.mastermind.solo.view(ANN, code.id), NoSuchGameError),
        (services.mastermind.defence.view(ANN, sealed.game.id), NoSuchGameError),
        (services.verifying.mastermind(ANN, code.id), NoSuchGameError),
        (services.duels.playing.view(ANN, against_bot.duel.id), NoSuchDuelError),
        (services.verifying.duel(ANN, against_bot.duel.id), NoSuchDuelError),
        (services.coach.reviews.ask(ANN, GameName(Source.PLAY, practice.id)), NoSuchPlayError),
    ):
        with pytest.raises(gone):
            await asked
    assert (await services.finished.page(ANN)).games == ()


async def test_a_large_export_reads_a_few_games_at_a_time(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_practices(tmp_path, MANY, ANN)
    await services.daily.open(ANN, None, guess=EQUATION)
    await masterminds.challenge(services)
    await duels.playing(services)
    async with statements() as executed:
        paged = await services.privacy.players.export(ANN)
    assert executed.count("BEGIN") > MANY / players.PAGE
    data = json.loads(paged.content)
    assert [len(data[name]) for name in ("focdle", "mastermind", "duels")] == [MANY + 1, 1, 1]
    assert json.dumps(data, indent=1, ensure_ascii=False).encode() == paged.content
    monkeypatch.setattr(players, "PAGE", 2 * MANY)
    assert (await services.privacy.players.export(ANN)).content == paged.content


async def test_a_deletion_during_an_export_leaves_no_partial_file(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "PAGE", 1)  # so that the deletion comes in between
    add_practices(tmp_path, MANY, ANN)
    exported, _ = await asyncio.gather(
        services.privacy.players.export(ANN), delete(services), return_exceptions=True
    )
    assert isinstance(exported, DeletedMeanwhileError)


async def test_an_export_is_sent_once_in_ten_minutes(services: Services, clock: FakeClock) -> None:
    delivery = services.privacy.players.delivery
    async with delivery(ANN), delivery(BEN):
        with pytest.raises(ExportUnderWayError):
            async with delivery(ANN):
                pass
    again_at = clock.now() + timedelta(minutes=10)
    with pytest.raises(ExportTooSoonError) as refused:
        async with delivery(ANN):
            pass
    assert refused.value.again_at == again_at
    clock.set(again_at)
    with pytest.raises(OSError, match="lost"):
        async with delivery(ANN):
            raise OSError("lost")  # what never arrived does not count
    async with delivery(ANN):
        pass

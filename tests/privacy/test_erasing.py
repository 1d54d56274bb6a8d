"""A deletion of much: gone at once, and bit by bit from the database, whatever comes between."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bot.db.tables.kinds import Fate, Who, naming
from bot.duels.model import NoSuchDuelError
from bot.focdle.model import NoSuchPlayError
from bot.games.model import GameName, Source
from bot.mastermind.game import Setting
from bot.mastermind.model import NoSuchGameError
from bot.privacy import players
from bot.privacy.model import DeletedMeanwhileError, ExportTooSoonError, ExportUnderWayError
from bot.privacy.players import BATCH
from bot.services import Services, open_services
from tests.support import duels, masterminds
from tests.support.clock import FakeClock
from tests.support.databases import used
from tests.support.duels import ANN, BEN, GUILD
from tests.support.practices import EQUATION, add_practices, first_id
from tests.support.sql import overheard, sql
from tests.support.table import KEY, SECRET

MANY = 3 * BATCH + 1


async def delete(services: Services, player: int = ANN) -> None:
    await services.privacy.players.delete(player, "DELETE")


async def clean(services: Services) -> None:
    """What the clock does until nothing is left to do."""
    while await services.privacy.cleaning.step():
        pass


def left(folder: Path) -> int:
    """How many plays nobody has."""
    ((count,),) = sql(folder, "SELECT count(*) FROM plays WHERE player_id < 0")
    return int(count)


def rows(folder: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables in which games are."""
    tables = ("puzzles", "plays", "guesses", "analyses", "masterminds", "mastermind_turns")
    tables += ("duels", "duel_seats", "duel_moves", "erasures")
    return {name: sql(folder, f"SELECT * FROM {name} ORDER BY 1, 2") for name in tables}


def named(folder: Path, player: int = ANN) -> list[str]:
    """The columns in which a player's id is."""
    return [
        str(column)
        for column in naming(Who.PLAYER, Fate.GOES, Fate.LOSES_ID)
        if sql(folder, f"SELECT 1 FROM {column.table} WHERE {column.name} = {player}")
    ]


@asynccontextmanager
async def statements() -> AsyncGenerator[list[str]]:
    """The statements that are executed meanwhile."""
    found: list[str] = []

    with overheard(lambda statement, _values: found.append(statement)):
        yield found


async def test_a_player_is_deleted_in_one_transaction(services: Services, tmp_path: Path) -> None:
    practice = await services.practice.open(ANN, None)
    code = await services.mastermind.solo.open(ANN, Setting())
    sealed = await services.mastermind.defence.open_sealed(ANN, Setting(), "RGBY")
    against_bot = await duels.against_bot(services)
    add_practices(tmp_path, MANY, ANN)
    async with statements() as executed:
        await delete(services)
    first = executed[: executed.index("BEGIN IMMEDIATE", 1)]
    # Of rows that are one player's own, no statement is needed for each.
    assert len(first) < 110
    assert not any(s.startswith(("DELETE FROM plays", "DELETE FROM puzzles")) for s in first)
    assert left(tmp_path) > 0
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


async def test_games_of_a_deleted_player_are_removed_a_few_at_a_time(
    services: Services, tmp_path: Path
) -> None:
    add_practices(tmp_path, MANY, ANN)
    await services.daily.open(BEN, None, guess=EQUATION)
    await services.daily.open(ANN, None, guess=EQUATION)
    await delete(services)
    counts = [left(tmp_path)]
    while await services.privacy.cleaning.step():
        counts.append(left(tmp_path))
    assert counts[0] == MANY + 1 - BATCH
    assert all(0 <= before - after <= BATCH for before, after in pairwise(counts))
    assert sql(tmp_path, "SELECT number FROM puzzles") == [(324,)]
    assert sql(tmp_path, "SELECT player_id FROM plays") == [(BEN,)]
    assert len(sql(tmp_path, "SELECT * FROM guesses")) == 1
    assert sql(tmp_path, "SELECT * FROM erasures") == []


async def test_games_begun_during_a_deletion_are_left_alone(
    services: Services, tmp_path: Path
) -> None:
    add_practices(tmp_path, MANY, ANN)
    await delete(services)
    practice = await services.practice.open(ANN, None)
    await services.daily.guess(ANN, practice.id, EQUATION)
    game = await services.mastermind.solo.open(ANN, Setting())
    duel = await duels.against_bot(services)
    kept = await services.privacy.players.export(ANN)
    assert await services.privacy.cleaning.step()
    assert left(tmp_path) > 0
    await clean(services)
    assert (await services.privacy.players.export(ANN)).content == kept.content
    assert sql(tmp_path, "SELECT id, player_id FROM plays") == [(practice.id, ANN)]
    assert (await services.mastermind.solo.view(ANN, game.id)).owner_id == ANN
    assert (await services.duels.playing.view(ANN, duel.duel.id)).duel.ending is None


async def test_a_player_who_returns_during_a_deletion_can_delete_again(
    services: Services, tmp_path: Path
) -> None:
    add_practices(tmp_path, MANY, ANN)
    await asyncio.gather(delete(services), delete(services))
    await services.practice.open(ANN, None)
    await delete(services)
    assert (await services.privacy.players.summary(ANN)).is_empty
    await clean(services)
    assert {name: found for name, found in rows(tmp_path).items() if found} == {}


async def test_a_deletion_continues_after_the_bot_was_killed(
    services: Services, database_url: str, clock: FakeClock, tmp_path: Path
) -> None:
    add_practices(tmp_path, MANY, ANN)
    await delete(services)
    await services.close()
    assert left(tmp_path) > 0
    async with open_services(database_url, clock, puzzle_key=KEY) as other:
        await clean(other)
    assert {name: found for name, found in rows(tmp_path).items() if found} == {}


async def test_nobody_is_compared_with_a_deleted_player(services: Services, tmp_path: Path) -> None:
    add_practices(tmp_path, MANY, ANN)
    for player in (ANN, BEN):
        play = await services.daily.open(player, GUILD, guess=SECRET)
    await delete(services)
    assert left(tmp_path) > 0
    consultation = await services.coach.reviews.ask(BEN, GameName(Source.PLAY, play.id))
    review = await consultation.within(30)
    assert review is not None
    assert review.field is None  # nobody else has played it here


async def test_a_deletion_takes_the_player_off_all_games_at_once_and_removes_the_games_later(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "MOST_DELETED_AT_ONCE", BATCH)
    add_practices(tmp_path, MANY, ANN)
    practice = await services.practice.open(ANN, None)
    for _ in range(3):
        view = await services.mastermind.defence.open_sealed(ANN, masterminds.SMALL, "RGY")
        await services.mastermind.defence.finish(ANN, view.game.id)
    await delete(services)
    assert (await services.privacy.players.summary(ANN)).is_empty
    assert named(tmp_path) == []
    with pytest.raises(NoSuchPlayError):
        await services.daily.view(ANN, practice.id)
    assert len(sql(tmp_path, "SELECT stand_in FROM erasures")) == 1
    await clean(services)
    assert {name: found for name, found in rows(tmp_path).items() if found} == {}


async def test_a_failing_deletion_delays_no_other(
    services: Services, clock: FakeClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    add_practices(tmp_path, BATCH + 1, ANN)
    add_practices(tmp_path, BATCH + 1, BEN)
    await delete(services)
    ((first,),) = sql(tmp_path, "SELECT stand_in FROM erasures")
    await delete(services, BEN)
    used().refuse(tmp_path, "DELETE", "plays", f"old.player_id = {first}")
    with caplog.at_level(logging.ERROR):
        await clean(services)
    assert sql(tmp_path, "SELECT DISTINCT player_id FROM plays") == [(first,)]
    assert len([record for record in caplog.records if record.exc_info]) == 1
    assert str(first) not in caplog.messages[0]
    used().allow(tmp_path, "plays")
    clock.advance(hours=1)
    await clean(services)
    assert left(tmp_path) == 0


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

"""Games in which nobody has played go after thirty days; all others stay."""

from datetime import timedelta
from pathlib import Path

import pytest

from bot.db.tables.games import UNPLAYED
from bot.duels.model import PLAYED, Ending
from bot.mastermind.model import NoSuchGameError
from bot.privacy.players import BATCH
from bot.services import Services
from tests.support import duels
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN
from tests.support.masterminds import SMALL, asked, challenge, invite
from tests.support.sql import overheard, sql

NEARLY = timedelta(days=30) - timedelta(hours=1)


def stored(folder: Path, table: str) -> set[int]:
    return {row[0] for row in sql(folder, f"SELECT id FROM {table}")}


async def expire(services: Services) -> None:
    while await services.privacy.cleaning.expire():
        pass


async def test_challenges_that_never_began_are_deleted(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    mastermind = services.mastermind
    played = await challenge(services)
    await mastermind.challenges.resign(BEN, played.id)
    withdrawn = await invite(services)
    await mastermind.challenges.withdraw(ANN, withdrawn.id)
    declined = await invite(services)
    await mastermind.challenges.decline(BEN, declined.id)
    fleeting = {declined.id, withdrawn.id}
    solo = await mastermind.solo.open(ANN, SMALL)
    await mastermind.solo.surrender(ANN, solo.id)
    defended = await mastermind.defence.open(ANN, SMALL)
    await mastermind.defence.answer(ANN, defended.game.id, asked(defended), 0)
    await mastermind.defence.give_up(ANN, defended.game.id)
    kept = {solo.id, defended.game.id, played.id}
    clock.advance(seconds=NEARLY.total_seconds())
    going_on = await invite(services)
    await expire(services)
    assert stored(tmp_path, "masterminds") == fleeting | kept | {going_on.id}
    clock.advance(hours=1)
    await expire(services)
    assert stored(tmp_path, "masterminds") == kept | {going_on.id}
    assert {row[0] for row in sql(tmp_path, "SELECT game_id FROM mastermind_turns")} <= kept
    with pytest.raises(NoSuchGameError):
        await mastermind.challenges.look(ANN, declined.id)


async def test_duels_that_were_called_off_are_deleted(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    fleeting: set[int] = set()
    for leaver in (ANN, BEN):
        fleeting.add((await duels.invited(services)).duel.id)
        game = await duels.playing(services)
        await services.duels.playing.call_off(leaver, game.duel.id)
        fleeting.add(game.duel.id)
    played = await duels.playing(services)
    for duel_id in sorted(fleeting)[:3:2]:
        await services.duels.inviting.decline(BEN, duel_id)
    await services.duels.playing.resign(ANN, played.duel.id)
    rematch = await services.duels.inviting.rematch(BEN, played.duel.id, "0123")
    await services.duels.inviting.withdraw(BEN, rematch.duel.id)
    fleeting.add(rematch.duel.id)
    clock.advance(seconds=NEARLY.total_seconds())
    lapsing = await duels.invited(services)
    await expire(services)
    assert stored(tmp_path, "duels") == {*fleeting, played.duel.id, lapsing.duel.id}
    clock.advance(hours=1)
    await expire(services)
    assert stored(tmp_path, "duels") == {played.duel.id, lapsing.duel.id}
    clock.advance(days=1)
    await services.duels.playing.view(ANN, lapsing.duel.id)
    clock.advance(days=30)
    await expire(services)
    assert stored(tmp_path, "duels") == {played.duel.id}
    assert (await services.duels.games.rating(BEN)).games == 1


def test_the_sql_for_called_off_duels_lists_every_unplayed_ending() -> None:
    named = {ending for ending in Ending if f"'{ending}'" in UNPLAYED.text}
    assert named == set(Ending).difference(PLAYED)
    assert UNPLAYED.text.count("'") == 2 * len(named)


@pytest.mark.sqlite  # its plans
async def test_unplayed_games_are_deleted_a_few_at_a_time_by_an_index(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    game = await invite(services)
    await services.mastermind.challenges.withdraw(ANN, game.id)
    columns = (
        "kind, rules, owner_id, codebreaker_id, pending, opened_at, moved_at, "
        "deadline_at, finished_at, ending"
    )
    sql(
        tmp_path,
        f"INSERT INTO masterminds ({columns}) WITH RECURSIVE n (i) AS "
        f"(SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {2 * BATCH}) "
        f"SELECT {columns} FROM masterminds, n",
    )
    clock.advance(days=30)
    counts = [len(stored(tmp_path, "masterminds"))]
    searched: list[str] = []

    def note(statement: str, _values: object) -> None:
        if statement.startswith("SELECT") and "finished_at <= " in statement:
            searched.append(statement)

    with overheard(note):
        while await services.privacy.cleaning.expire():
            counts.append(len(stored(tmp_path, "masterminds")))
    assert counts == [2 * BATCH + 1, BATCH + 1, 1, 0]
    assert len({*searched}) == 3  # of Mastermind, of duels, of races
    for statement in {*searched}:
        plan = str(sql(tmp_path, f"EXPLAIN QUERY PLAN {statement.replace('?', '0')}"))
        assert "USING INDEX ix_" in plan
        assert "SCAN" not in plan

"""Ratings are worked out anew once, whatever stops it; till then all is as it was."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest

from bot.model.ratings import Rating
from bot.services.duels.rerating import go_on
from bot.services.services import Services, open_services
from bot.services.standings.keys import Board, BoardGame
from bot.services.standings.rebuild import rebuild_some
from bot.services.standings.scales import FORMER, PRESENT, START, converted
from bot.services.standings.scores import DuelFigures
from bot.storage.database import Database
from bot.storage.duels import reratings
from bot.storage.duels.reratings import Phase
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CAT, DAN, ids
from tests.support.sql import named, sql
from tests.support.table import KEY
from tests.support.town import Town, open_town

HERE = 100
BOARD = Board(BoardGame.DUELS, guild_id=HERE)
WAITING = "SELECT count(*) FROM rating_changes WHERE mean_after IS NULL"
TOLD = (
    "SELECT duel_id, player_id, mu_before, mu_after, sigma_after FROM rating_changes ORDER BY 1, 2"
)


class KilledError(Exception):
    """The process is killed before a transaction has committed."""


@pytest.fixture
async def town(tmp_path: Path, database_url: str, clock: FakeClock) -> AsyncGenerator[Town]:
    """A town in which ratings are still the former ones."""
    async with open_town(tmp_path, database_url, clock) as opened:
        async with opened.database.transaction() as tx:
            await reratings.enter(tx, Phase.FOLDING)
        for player in (ANN, BEN, CAT, DAN):
            await opened.join(player, HERE)
        yield opened


async def draw(town: Town, one: int, two: int) -> None:
    duel_id = await town.begin_duel(one, two)
    await town.services.duels.playing.offer_draw(one, duel_id)
    await town.services.duels.playing.accept_draw(two, duel_id)


async def forget(town: Town, player: int) -> None:
    await town.services.privacy.players.delete(player, "DELETE")


async def some_duels(town: Town) -> None:
    """Duels with shares, a draw, somebody who is forgotten, and somebody who has come back."""
    for winner, loser in ((ANN, BEN), (BEN, CAT), (ANN, BEN), (CAT, DAN), (DAN, ANN)):
        await town.duel(winner, loser)
        town.clock.advance(hours=5)
    await draw(town, ANN, CAT)
    await forget(town, CAT)
    town.clock.advance(days=1)
    await town.duel(CAT, ANN)  # with the rating that was kept
    await town.duel(BEN, ANN)
    await forget(town, DAN)


def in_one_fold(folder: Path) -> tuple[dict[tuple[int, int], Rating], dict[int, Rating]]:
    """What duels come to, all at once: after each of them, and in the end."""
    rows = named(
        folder,
        "SELECT c.*, winner, seat FROM rating_changes AS c JOIN duels ON duels.id = c.duel_id"
        " JOIN duel_seats AS s ON s.duel_id = c.duel_id AND s.player_id = c.player_id"
        " ORDER BY changed_at, c.duel_id, seat",
    )
    known: dict[int, Rating] = {}
    after: dict[tuple[int, int], Rating] = {}

    def before(row: dict[str, Any]) -> Rating:
        former = Rating(row["mu_before"], row["sigma_before"], row["games"] - 1)
        return START if row["games"] == 1 else converted(former)

    for duel_id in dict.fromkeys(row["duel_id"] for row in rows):
        changed = [row for row in rows if row["duel_id"] == duel_id]
        for row in changed:
            known.setdefault(row["player_id"], before(row))
        one, two = changed[0]["player_id"], changed[0]["opponent_id"]
        winner = changed[0]["winner"]
        if winner is not None:
            winner = 0 if winner == changed[0]["seat"] else 1
        both = known[one], known.get(two, START)
        known[one], known[two] = PRESENT.rated(
            both, winner, (changed[0]["share"], changed[-1]["share"])
        )
        after |= {(duel_id, row["player_id"]): known[row["player_id"]] for row in changed}
    return after, known


def folded(folder: Path) -> dict[tuple[int, int], Rating]:
    """What is stored of it, by duel and player."""
    rows = named(folder, "SELECT * FROM rating_changes")
    return {
        (row["duel_id"], row["player_id"]): Rating(
            row["mean_after"], row["deviation_after"], row["games"]
        )
        for row in rows
    }


def ratings(folder: Path) -> dict[int, Rating]:
    rows = sql(folder, "SELECT player_id, mu, sigma, games FROM ratings")
    return {row[0]: Rating(*row[1:]) for row in rows}


async def killed(database: Database, most: int) -> None:
    with pytest.raises(KilledError):
        async with database.transaction() as tx:
            await go_on(tx, most)
            raise KilledError


@pytest.mark.parametrize("most", [1, 100])
async def test_killed_anywhere_it_goes_on_and_comes_to_what_one_fold_does(
    town: Town, most: int
) -> None:
    await some_duels(town)
    expected, last = in_one_fold(town.folder)
    former, told = ratings(town.folder), sql(town.folder, TOLD)
    assert len(expected) > 8
    steps = 0
    while sql(town.folder, "SELECT * FROM facts WHERE value = 'folding'"):
        assert ratings(town.folder) == former  # to the end, all is as it was
        await killed(town.database, most)
        async with town.database.transaction() as tx:
            await go_on(tx, most)
        steps += 1
    assert steps == 1 + -(-len({duel for duel, _player in expected}) // most)
    assert folded(town.folder) == expected
    assert sql(town.folder, TOLD) == told
    present = ratings(town.folder)
    assert present == {player: last[player] for player in former}
    assert sql(town.folder, "SELECT * FROM reratings") == []
    async with town.database.transaction() as tx:
        await go_on(tx)
    assert ratings(town.folder) == present


async def test_of_who_was_kept_for_days_the_rating_is_converted(town: Town) -> None:
    for _ in range(3):
        await town.duel(ANN, BEN)
    left = (await town.services.duels.games.outlook(ANN)).rating
    await forget(town, ANN)
    await town.settle()
    await town.duel(ANN, CAT)
    (change,) = await town.services.duels.games.rating_history(ANN)
    assert change.before == converted(left)
    assert 1500 < change.before.mu < 1600


async def test_a_duel_that_ends_meanwhile_is_told_as_before_and_not_lost(town: Town) -> None:
    await town.duel(ANN, BEN)
    await town.duel(CAT, DAN)
    async with town.database.transaction() as tx:
        await go_on(tx, most=1)
    before = (await town.services.duels.games.outlook(ANN)).rating, FORMER.start
    await town.duel(CAT, ANN)
    change = (await town.services.duels.games.rating_history(ANN))[-1]
    assert change.after.mu < before[0].mu - 50
    assert sql(town.folder, WAITING) == [(4,)]
    async with town.database.transaction() as tx:
        await go_on(tx, most=1)
    await forget(town, DAN)
    await town.duel(BEN, CAT)
    await town.settle()
    assert sql(town.folder, WAITING) == [(0,)]
    history = await town.services.duels.games.rating_history(ANN)
    assert [change.after.games for change in history] == [1, 2]
    first = PRESENT.rated((START, START), 0)
    assert history[0].after == first[0]
    second = PRESENT.rated((START, START), 0)[0]  # of Cat, who has beaten Dan
    assert history[1].after == PRESENT.rated((second, first[0]), 0)[1]
    assert history[1].after == (await town.services.duels.games.outlook(ANN)).rating


async def test_boards_say_so_until_they_show_the_new_order(town: Town) -> None:
    await town.circle(BEN, CAT, DAN)
    await town.weeks_of_duels(ANN, BEN, CAT, DAN)
    async with town.database.transaction() as tx:  # what waits for other reasons
        await rebuild_some(tx, town.clock.now())
    before = await town.page(BOARD, ANN)
    assert before.is_worked_out_anew
    assert before.own is not None
    assert isinstance(before.own.figures, DuelFigures)
    assert before.own.figures.rating < 1400  # three deviations less
    assert not (await town.page(Board(BoardGame.STREAK, guild_id=HERE))).is_worked_out_anew
    assert (await town.services.statistics.of(ANN, viewer_id=ANN)).is_rated_anew
    async with town.database.transaction() as tx:
        await go_on(tx)
        await go_on(tx)
    still = await town.page(BOARD, ANN)
    assert still.rows == before.rows
    assert still.is_worked_out_anew
    await town.settle()
    after = await town.page(BOARD, ANN)
    rating = (await town.services.duels.games.outlook(ANN)).rating
    assert not after.is_worked_out_anew
    assert not rating.is_new
    assert after.own is not None
    assert after.own.figures == DuelFigures(rating.points, 12, 3, dates=12)
    assert not (await town.services.statistics.of(ANN, viewer_id=ANN)).is_rated_anew


async def test_what_a_message_has_told_stays(town: Town) -> None:
    duel_id = await town.begin_duel(ANN, BEN)
    game = await town.services.duels.playing.resign(BEN, duel_id)
    seat = game.seat_of(ANN) or 0
    change = game.seats[seat].change
    assert change is not None
    assert change.after == FORMER.rated((FORMER.start, FORMER.start), 0, (3, 1))[0]
    await town.settle()
    later = await town.services.duels.playing.view(ANN, duel_id)
    assert later.seats[seat].change == change
    assert ids(later) == ids(game)
    assert (later.seats[seat].rating or START).mu < change.after.mu
    await town.duel(ANN, CAT)
    history = await town.services.duels.games.rating_history(ANN)
    assert history[1].before == history[0].after


async def test_one_process_at_a_time_does_it_and_another_goes_on(
    town: Town, database_url: str
) -> None:
    await some_duels(town)
    expected, last = in_one_fold(town.folder)
    there = town.services.upkeep

    async def settle(services: Services) -> None:
        while await services.upkeep.settle():
            pass

    async with open_services(database_url, town.clock, puzzle_key=KEY, par_runs=0) as other:
        assert await there.settle()
        assert not await other.upkeep.settle()  # the first is at it
        town.clock.advance(minutes=2)  # the first was killed, say
        assert await other.upkeep.settle()
        await asyncio.gather(settle(town.services), settle(other))
        await settle(other)
    assert folded(town.folder) == expected
    assert ratings(town.folder) == {player: last[player] for player in ratings(town.folder)}
    assert sql(town.folder, "SELECT * FROM facts WHERE value IN ('folding', 'showing')") == []

"""Everywhere, a date counts by the play in which its player guessed first, finished or not."""

import asyncio

import pytest

from bot.focdle.model import Play, SpentDailyError
from bot.leaderboards.scores import Board, BoardGame, FocdleFigures
from bot.services import open_services
from engine import Code, Focdle
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN
from tests.support.sql import sql
from tests.support.table import KEY
from tests.support.town import Town, wrong_guesses

pytestmark = pytest.mark.usefixtures("keys_watched")

LENGTHS = {101: 9, 102: 10, 103: 11, 104: 12, 105: 13}
TODAY = 324


@pytest.fixture
async def town(town: Town) -> Town:
    for guild, length in LENGTHS.items():
        await town.services.settings.change(guild, length=length)
        await town.join(ANN, guild)
    await town.services.preferences.set_on_global_boards(ANN, on=True)
    return town


async def points(town: Town, guild: int | None = None, player: int = ANN) -> int | None:
    """What a player has on a board of all time; None without a row."""
    page = await town.page(Board(BoardGame.FOCDLE, guild_id=guild), player)
    if page.own is None:
        return None
    assert isinstance(page.own.figures, FocdleFigures)
    return page.own.figures.points


def wrong(play: Play) -> Code:
    """A guess that is not the secret."""
    return wrong_guesses(Focdle(play.rules.length), play.game.secret, 0, 1)[0]


async def rebuilt(town: Town) -> None:
    for on in (True, False):
        await town.services.preferences.set_hidden(ANN, on=on)


async def test_a_member_of_five_servers_has_one_global_try_a_date_and_one_in_each_server(
    town: Town,
) -> None:
    taken = dict(zip(LENGTHS, (4, 1, 2, 3, 1), strict=True))
    for guild, guesses in taken.items():
        await town.play(ANN, guild, guesses)
    for _ in range(2):
        assert await points(town) == 7 - 4
        assert {guild: await points(town, guild) for guild in LENGTHS} == {
            guild: 7 - guesses for guild, guesses in taken.items()
        }
        await rebuilt(town)
    assert (await town.services.statistics.of(ANN, viewer_id=ANN)).streak.length == 1


async def test_the_puzzle_guessed_at_first_on_a_date_counts_even_if_it_was_opened_last(
    town: Town,
) -> None:
    first, second = [await town.open(ANN, guild) for guild in (101, 102)]
    await town.finish(second, 3)
    await town.finish(first, 1)
    assert await points(town) == 7 - 3


async def test_an_abandoned_first_try_is_the_only_one_of_its_date(town: Town) -> None:
    left = await town.open(ANN, 101)
    await town.services.daily.guess(ANN, left.id, wrong(left), as_probe=True)
    await town.play(ANN, 102, 1)
    assert (await points(town), await points(town, 102)) == (None, 6)
    await rebuilt(town)
    assert await points(town) is None
    await town.services.daily.guess(ANN, left.id, left.game.secret)
    assert await points(town) == 7 - 2


async def test_a_first_try_finished_too_late_scores_nothing_and_cannot_be_replaced(
    town: Town,
) -> None:
    left = await town.open(ANN, 101)
    await town.services.daily.guess(ANN, left.id, wrong(left), as_probe=True)
    await town.play(ANN, 102, 1)
    town.clock.advance(days=1)
    await town.services.daily.guess(ANN, left.id, left.game.secret)
    assert await points(town) is None
    await town.play(ANN, 103, 2)
    assert await points(town) == 7 - 2


async def test_a_try_counts_for_its_date_until_the_half_hour_of_grace_is_over(
    town: Town,
) -> None:
    town.at("2026-11-20T23:50")
    opened = [await town.open(ANN, guild) for guild in (101, 102, 103)]
    town.clock.advance(minutes=39)
    await town.finish(opened[0], 4)
    await town.finish(opened[1], 1)
    assert await points(town) == 7 - 4
    town.clock.advance(minutes=1)
    assert not (await town.finish(opened[2], 1)).on_date
    await town.play(ANN, 103, 2)
    assert await points(town) == 7 - 4 + 7 - 2


async def test_a_guess_at_an_archived_puzzle_does_not_decide_which_play_counts_for_its_date(
    town: Town,
) -> None:
    await town.services.preferences.set_zone(ANN, "Pacific/Kiritimati")
    assert not (await town.play(ANN, None, 6, puzzle=f"{TODAY}/9")).on_date  # tomorrow there
    await town.play(ANN, 102, 2)
    assert await points(town) == 7 - 2


async def test_games_from_before_the_rule_of_first_tries_count_as_before(town: Town) -> None:
    await town.play(ANN, 101, 4)
    await town.play(ANN, 102, 2)
    begun = await town.open(ANN, 103)
    await town.services.daily.guess(ANN, begun.id, wrong(begun), as_probe=True)
    sql(town.folder, "UPDATE plays SET first_of_date = NULL")
    await rebuilt(town)
    assert await points(town) == 7 - 2
    await town.play(ANN, 104, 1)  # is not the first any more
    assert await points(town) == 7 - 2
    await town.services.daily.guess(ANN, begun.id, begun.game.secret)
    assert await points(town) == 7 - 2
    town.clock.advance(days=1)
    await town.play(ANN, 104, 3)
    await town.play(ANN, 101, 1)
    assert await points(town) == 7 - 2 + 7 - 3
    await rebuilt(town)
    assert await points(town) == 7 - 2 + 7 - 3


async def test_a_player_who_deletes_a_bad_first_try_gets_no_other(town: Town) -> None:
    await town.play(ANN, 101, 6)
    await town.play(BEN, 101, 6)
    await town.services.privacy.players.delete(ANN, "DELETE")
    await town.services.preferences.set_on_global_boards(ANN, on=True)
    await town.join(ANN, *LENGTHS)
    with pytest.raises(SpentDailyError):
        await town.open(ANN, 101)
    await town.play(ANN, 102, 1)
    assert (await points(town), await points(town, 102)) == (None, 6)
    town.clock.advance(days=3)
    await town.services.privacy.servers.sweep([])  # and what was kept is gone
    await rebuilt(town)
    assert await points(town) is None
    await town.play(ANN, 102, 2)
    assert await points(town) == 7 - 2


async def test_of_simultaneous_first_guesses_exactly_one_counts_globally(
    town: Town, database_url: str, clock: FakeClock
) -> None:
    async with open_services(database_url, clock, puzzle_key=KEY) as other:
        for _ in range(3):
            plays = [await town.open(ANN, guild) for guild in LENGTHS]
            await asyncio.gather(
                *(
                    (town.services, other)[n % 2].daily.guess(ANN, play.id, play.game.secret)
                    for n, play in enumerate(plays)
                )
            )
            clock.advance(days=1)
    noted = sql(town.folder, "SELECT count(*), first_of_date FROM plays GROUP BY 2 ORDER BY 2")
    assert noted == [(12, 0), (3, 1)]
    assert await points(town) == 18

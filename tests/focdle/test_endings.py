"""What there is to tell about a play that is over: feats, the streak, what to try next."""

from datetime import date

import pytest

from bot.focdle.model import Feat, News, Play, PlayEnding, StreakFate
from bot.streaks.model import Streak
from tests.support.duels import ANN, BEN
from tests.support.sql import sql
from tests.support.town import Town, wrong_guesses

HERE = 100


@pytest.fixture
async def town(town: Town) -> Town:
    for player in (ANN, BEN):
        await town.join(player, HERE)
    return town


async def again(town: Town, play: Play) -> PlayEnding:
    """What its page tells when it is opened again."""
    return (await town.services.daily.view(play.player_id, play.id)).ending


def at(town: Town, day: int) -> None:
    """Let it be noon of a day of November, the bot never down."""
    town.at(f"2026-11-{day:02}T12:00")
    sql(town.folder, "DELETE FROM pulses")


async def test_the_first_solved_daily_is_a_first_win_despite_earlier_practice(town: Town) -> None:
    practice = await town.services.practice.open(ANN, HERE)
    practice = await town.finish(practice, 3)
    assert practice.ending == PlayEnding((Feat.FIRST,), is_today_left=True)
    second = await town.finish(await town.services.practice.open(ANN, HERE), 3)
    assert second.ending == PlayEnding(is_today_left=True)
    lost = await town.play(ANN, None, solved=False, puzzle="300")
    assert Feat.FIRST not in lost.ending.feats
    first = await town.play(ANN, None, 3)
    assert Feat.FIRST in first.ending.feats
    assert Feat.FIRST not in (await town.play(ANN, None, 3, puzzle="301")).ending.feats
    assert Feat.FIRST in (await again(town, first)).feats
    assert (await again(town, practice)).feats == (Feat.FIRST,)


async def test_the_first_win_in_hard_mode_is_a_feat(town: Town) -> None:
    await town.play(ANN, None, 3, puzzle="300")
    await town.services.preferences.set_hard_mode(ANN, on=True)
    first = await town.play(ANN, None, 1, puzzle="301")
    assert Feat.FIRST_HARD in first.ending.feats
    assert Feat.FIRST_HARD not in (await town.play(ANN, None, 1, puzzle="302")).ending.feats
    assert Feat.FIRST_HARD in (await again(town, first)).feats


async def test_a_streak_is_celebrated_on_the_date_that_brings_it_to_seven(town: Town) -> None:
    plays: list[Play] = []
    for day in range(1, 9):
        at(town, day)
        plays.append(await town.play(ANN, HERE, 3))
    told = [play.ending.feats for play in plays]
    assert told == [(Feat.FIRST,), *[()] * 5, (Feat.MILESTONE,), ()]
    assert [(await again(town, play)).feats for play in plays] == told


async def test_a_loss_suggests_the_length_at_which_the_player_won_most_often(town: Town) -> None:
    lost = await town.play(ANN, None, solved=False)
    assert lost.ending.try_length == 8
    practice = town.services.practice
    for length in (9, 9, 7, 7):
        await town.finish(await practice.open(ANN, None, length), 2)
    assert (await again(town, lost)).try_length == 7
    won = await town.finish(await practice.open(ANN, None, 9), 2)
    assert won.ending.try_length is None
    assert (await again(town, lost)).try_length == 9


async def test_an_ending_tells_that_a_streak_ended(town: Town) -> None:
    for day in (1, 2, 3):
        at(town, day)
        await town.play(ANN, HERE, 3)
    at(town, 5)
    play = await town.play(ANN, HERE, 3)
    assert play.ending.news == News(StreakFate.ENDED, 3, date(2026, 11, 4))


async def test_neither_a_loss_nor_an_archived_daily_is_praised_for_feats_of_its_date(
    town: Town,
) -> None:
    at(town, 19)
    await town.play(BEN, HERE, 3)
    at(town, 20)
    lost = await town.open(ANN, HERE)
    for guess in wrong_guesses(lost.rules, lost.game.secret, 0, 6):
        lost = await town.services.daily.guess(ANN, lost.id, guess, as_probe=True)
    assert lost.ending == PlayEnding(try_length=8, streak=Streak())
    late = await town.play(ANN, HERE, 3, puzzle="323")
    assert late.ending == PlayEnding((Feat.FIRST,), streak=Streak())

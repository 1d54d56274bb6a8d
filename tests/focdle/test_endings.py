"""What there is to tell about a play that is over: feats, who was beaten, the streak, tomorrow."""

from datetime import date

import pytest

from bot.focdle.model import Beaten, Ending, Fate, Feat, News, Play
from bot.leaderboards.scores import Board, BoardGame, Period
from bot.streaks.model import Streak
from tests.support.duels import ANN, BEN, CAT
from tests.support.sql import sql
from tests.support.town import Town, wrong_guesses

HERE = 100
DAN, EVE = 14, 15
TODAY = Board(BoardGame.FOCDLE, Period.DAY, guild_id=HERE)


@pytest.fixture
async def town(town: Town) -> Town:
    for player in (ANN, BEN, CAT, DAN, EVE):
        await town.join(player, HERE)
    return town


async def again(town: Town, play: Play) -> Ending:
    """What its page tells when it is opened again."""
    return (await town.services.daily.view(play.player_id, play.id)).ending


def at(town: Town, day: int) -> None:
    """Let it be noon of a day of November, the bot never down."""
    town.at(f"2026-11-{day:02}T12:00")
    sql(town.folder, "DELETE FROM pulses")


async def test_the_first_solved_daily_is_a_first_win_despite_earlier_practice(town: Town) -> None:
    practice = await town.services.practice.open(ANN, HERE)
    practice = await town.finish(practice, 3)
    assert practice.ending == Ending((Feat.FIRST,), is_today_left=True)
    second = await town.finish(await town.services.practice.open(ANN, HERE), 3)
    assert second.ending == Ending(is_today_left=True)
    lost = await town.play(ANN, None, solved=False, puzzle="300")
    assert Feat.FIRST not in lost.ending.feats
    first = await town.play(ANN, None, 3)
    assert Feat.FIRST in first.ending.feats
    assert Feat.FIRST not in (await town.play(ANN, None, 3, puzzle="301")).ending.feats
    assert Feat.FIRST in (await again(town, first)).feats
    assert (await again(town, practice)).feats == (Feat.FIRST,)


async def test_a_personal_best_is_the_fewest_guesses_at_that_length_on_date_without_help(
    town: Town,
) -> None:
    at(town, 10)
    await town.play(ANN, None, 5)
    await town.play(ANN, None, 2, puzzle="/9")
    await town.play(ANN, None, 1, puzzle="300")
    found = list[bool]()
    plays = list[Play]()
    for day, guesses, hints in ((11, 4, 1), (12, 4, 0), (13, 4, 0), (14, 2, 1), (15, 3, 0)):
        at(town, day)
        play = await town.play(ANN, None, guesses, shown=hints)
        found.append(Feat.BEST in play.ending.feats)
        plays.append(play)
    assert found == [False, True, False, False, True]
    for play, was_best in zip(plays, found, strict=True):
        assert (Feat.BEST in (await again(town, play)).feats) is was_best


async def test_the_first_win_in_hard_mode_is_a_feat(town: Town) -> None:
    await town.play(ANN, None, 3, puzzle="300")
    await town.services.preferences.set_hard_mode(ANN, on=True)
    first = await town.play(ANN, None, 1, puzzle="301")
    assert Feat.FIRST_HARD in first.ending.feats
    assert Feat.FIRST_HARD not in (await town.play(ANN, None, 1, puzzle="302")).ending.feats
    assert Feat.FIRST_HARD in (await again(town, first)).feats


async def test_who_solved_a_servers_daily_first_is_told_so_only_once_others_have_played_it(
    town: Town,
) -> None:
    lonely = await town.play(ANN, HERE, 3)
    assert Feat.FIRST_HERE not in lonely.ending.feats
    second = await town.play(BEN, HERE, 2)
    assert Feat.FIRST_HERE not in second.ending.feats
    assert Feat.FIRST_HERE in (await again(town, lonely)).feats
    at(town, 21)
    lost = await town.play(CAT, HERE, solved=False)
    first = await town.play(BEN, HERE, 6)
    assert Feat.FIRST_HERE in first.ending.feats
    assert Feat.FIRST_HERE not in lost.ending.feats
    assert Feat.FIRST_HERE not in (await town.play(ANN, None, 3)).ending.feats
    assert Feat.FIRST_HERE not in (await town.play(DAN, HERE, 3)).ending.feats


async def test_hidden_players_are_neither_first_nor_beaten(town: Town) -> None:
    await town.services.preferences.set_hidden(BEN, on=True)
    await town.play(BEN, HERE, 4)
    alone = await town.play(ANN, HERE, 3)
    assert (Feat.FIRST_HERE in alone.ending.feats, alone.ending.beaten) == (False, None)
    await town.play(CAT, HERE, 4)
    told = await again(town, alone)
    assert Feat.FIRST_HERE in told.feats
    assert told.beaten == Beaten({CAT: f"P{CAT} of {HERE}"}, 1)


async def test_beaten_players_are_those_who_rank_below_on_the_leaderboard_of_the_date(
    town: Town,
) -> None:
    results = {ANN: 3, BEN: 2, CAT: 3, DAN: 5}
    plays = [await town.play(player, HERE, guesses) for player, guesses in results.items()]
    await town.play(EVE, HERE, solved=False)
    stranger = await town.play(16, HERE, 1)  # of whom no board knows
    board = await town.rows(TODAY)
    assert [row.player_id for row in board] == [BEN, ANN, CAT, DAN, EVE]
    ranks = {row.player_id: row.rank for row in board}
    for play in plays:
        behind = [row for row in board if row.rank > ranks[play.player_id]]
        named = {row.player_id: row.name for row in behind[:2]}
        assert (await again(town, play)).beaten == Beaten(named, len(behind))
    assert (await again(town, stranger)).beaten is None


async def test_a_loser_a_hidden_player_and_a_late_player_beat_nobody(town: Town) -> None:
    await town.play(BEN, HERE, 6)
    first = await town.play(ANN, HERE, 4)
    assert first.ending.beaten is not None
    await town.services.preferences.set_hidden(ANN, on=True)
    assert (await again(town, first)).beaten is None
    assert (await town.play(CAT, None, 3)).ending.beaten is None
    assert (await town.play(DAN, HERE, 3, puzzle="/9")).ending.beaten is None  # another length
    assert (await town.play(DAN, HERE, 3, puzzle="323")).ending.beaten is None
    lost = await town.play(EVE, HERE, solved=False)
    assert lost.ending.beaten is None
    at(town, 21)
    await town.services.preferences.set_hidden(ANN, on=False)
    assert (await again(town, first)).beaten is None


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
    assert play.ending.news == News(Fate.ENDED, 3, date(2026, 11, 4))


async def test_neither_a_loss_nor_an_archived_daily_is_praised_for_feats_of_its_date(
    town: Town,
) -> None:
    at(town, 19)
    await town.play(BEN, HERE, 3)
    at(town, 20)
    lost = await town.open(ANN, HERE)
    for guess in wrong_guesses(lost.rules, lost.game.secret, 0, 6):
        lost = await town.services.daily.guess(ANN, lost.id, guess, as_probe=True)
    news = News(Fate.NONE, 0, date(2026, 11, 20))
    assert lost.ending == Ending(news=news, try_length=8, streak=Streak())
    late = await town.play(ANN, HERE, 3, puzzle="323")
    assert late.ending == Ending((Feat.FIRST,), streak=Streak())

"""What came of one player's games, and who may see it."""

from datetime import date

import pytest

from bot.effects import DateEffect
from bot.ratings.model import HeadToHead
from bot.refused import StatsHiddenError, StatsOfStrangerError
from bot.statistics.model import CalendarDay, FocdleRecord
from engine import Mastermind
from tests.support.duels import ANN, BEN, CAT
from tests.support.town import Town

HERE = 100


async def test_a_player_without_games_has_empty_statistics(town: Town) -> None:
    stats = await town.services.statistics.of(ANN, viewer_id=BEN, are_together=True)
    nothing = FocdleRecord(0, dict.fromkeys(range(1, 7), 0))
    assert stats.focdle == stats.hard == stats.assisted == stats.archive == nothing
    assert stats.focdle.mean is None
    assert (stats.points, stats.name, stats.is_hidden) == (0, "", False)
    assert (stats.streak.length, stats.streak.log) == (0, ())
    assert (stats.rating.games, stats.rating_history, stats.mastermind) == (0, (), ())
    assert stats.duels == HeadToHead(0, 0, 0)
    assert stats.calendar == {}
    assert stats.calendar_days == (date(2026, 5, 25), date(2026, 11, 20))


async def test_dailies_with_hints_those_in_hard_mode_and_archived_ones_are_counted_separately(
    town: Town,
) -> None:
    prefer = town.services.preferences
    for day, (guesses, hints) in enumerate([(3, 0), (3, 0), (5, 0), (7, 0), (2, 1), (7, 2)], 1):
        town.at(f"2026-11-{day:02}T12:00")
        await town.play(ANN, HERE, guesses, solved=guesses < 7, shown=hints)
    town.at("2026-11-07T12:00")
    await prefer.set_hard_mode(ANN, on=True)
    play = await town.open(ANN, HERE)
    await town.services.daily.guess(ANN, play.id, play.game.secret)
    await prefer.set_hard_mode(ANN, on=False)
    await town.play(ANN, HERE, 4, puzzle="2026-10-01")
    await town.play(ANN, None, 1, puzzle="/9")
    await town.services.practice.open(ANN, None)
    stats = await town.services.statistics.of(ANN, viewer_id=ANN)
    assert stats.focdle == FocdleRecord(5, {1: 1, 2: 0, 3: 2, 4: 0, 5: 1, 6: 0})
    assert (stats.focdle.solved, stats.focdle.lost, stats.focdle.mean) == (4, 1, 3.0)
    assert stats.assisted == FocdleRecord(2, {1: 0, 2: 1, 3: 0, 4: 0, 5: 0, 6: 0})
    assert stats.hard == FocdleRecord(1, {1: 1, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0})
    assert stats.archive == FocdleRecord(1, {1: 0, 2: 0, 3: 0, 4: 1, 5: 0, 6: 0})
    assert stats.points == 4 + 4 + 2 + 4 + 6 + 6


async def test_the_calendar_shows_the_best_on_date_play_of_each_date(town: Town) -> None:
    town.at("2026-05-24T12:00")  # a Sunday, just too long ago
    await town.play(ANN, HERE)
    town.at("2026-05-25T12:00")
    await town.play(ANN, HERE, solved=False)
    town.at("2026-11-20T12:00")
    await town.play(ANN, HERE, 2)
    await town.play(ANN, None, 5, puzzle="/9")
    await town.play(ANN, None, 1, puzzle="2026-11-19")
    town.at("2026-11-21T12:00")
    await town.play(ANN, HERE, 6, shown=1)
    await town.play(ANN, None, puzzle="/11", solved=False)  # no points either
    stats = await town.services.statistics.of(ANN, viewer_id=ANN)
    assert stats.calendar == {
        date(2026, 5, 25): CalendarDay(0, solved=False),
        date(2026, 11, 20): CalendarDay(5, solved=True),
        date(2026, 11, 21): CalendarDay(0, solved=True),
    }


async def test_statistics_show_the_current_streak_and_the_reason_of_its_last_change(
    town: Town,
) -> None:
    for day in (18, 19):
        town.at(f"2026-11-{day}T12:00")
        await town.play(ANN, HERE)
    town.at("2026-11-21T00:31")
    streak = (await town.services.statistics.of(ANN, viewer_id=ANN)).streak
    assert (streak.length, streak.best, streak.freezes) == (0, 2, 0)
    assert streak.log[0].reason is DateEffect.ENDED_UNPLAYED


async def test_a_hidden_player_sees_their_own_statistics_and_nobody_else_does(town: Town) -> None:
    for player in (ANN, BEN):
        await town.join(player, HERE)
    await town.play(ANN, HERE)
    await town.services.preferences.set_hidden(ANN, on=True)
    stats = await town.services.statistics.of(ANN, viewer_id=ANN)
    assert (stats.is_hidden, stats.focdle.played) == (True, 1)
    with pytest.raises(StatsHiddenError) as refused:
        await town.services.statistics.of(ANN, viewer_id=BEN)
    assert refused.value.player_id == ANN
    with pytest.raises(StatsHiddenError):
        await town.services.statistics.of(ANN, viewer_id=BEN, are_together=True)
    assert (await town.services.statistics.of(BEN, viewer_id=ANN)).player_id == BEN


async def test_statistics_are_visible_to_members_of_a_shared_server(town: Town) -> None:
    look, elsewhere = town.services.statistics.of, 200
    await town.join(ANN, HERE, 300)
    await town.join(BEN, elsewhere)
    await town.play(ANN, HERE)
    for place in (None, HERE, elsewhere):  # what a stranger says of where they are is not enough
        with pytest.raises(StatsOfStrangerError) as refused:
            await look(ANN, viewer_id=BEN, guild_id=place)
        assert refused.value.player_id == ANN
    assert (await look(ANN, viewer_id=BEN, are_together=True)).focdle.played == 1
    assert (await look(ANN, viewer_id=ANN)).focdle.played == 1
    await town.join(BEN, HERE)
    assert (await look(ANN, viewer_id=BEN)).focdle.played == 1
    assert (await look(BEN, viewer_id=ANN)).focdle.played == 0
    await town.services.standings.members.gone(HERE, ANN)
    with pytest.raises(StatsOfStrangerError):
        await look(ANN, viewer_id=BEN)


async def test_a_refused_stranger_does_not_learn_that_the_player_is_hidden(
    town: Town,
) -> None:
    await town.services.preferences.set_hidden(ANN, on=True)
    with pytest.raises(StatsOfStrangerError):
        await town.services.statistics.of(ANN, viewer_id=BEN)


async def test_statistics_count_duels_and_masterminds(town: Town) -> None:
    await town.duel(ANN, BEN)
    await town.duel(BEN, ANN)
    await town.duel(ANN, CAT)
    for guesses in (3, 5):
        await town.mastermind(ANN, guesses)
    await town.mastermind(ANN, 2, solved=False)
    stats = await town.services.statistics.of(ANN, viewer_id=BEN, are_together=True)
    assert stats.duels == HeadToHead(won=2, drawn=0, lost=1)
    assert [change.opponent_id for change in stats.rating_history] == [BEN, BEN, CAT]
    assert stats.rating == stats.rating_history[-1].after
    (record,) = stats.mastermind
    assert record.rules == Mastermind()
    assert (record.games, record.solved, record.mean, record.best) == (3, 2, 4.0, 3)

"""Hints during a game: how many, what they cost, and where there are none."""

import asyncio
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.model.dailies import points_for
from bot.model.hints import Hint, HintKind
from bot.model.streaks import Reason
from bot.presentation.base.hints import play_hints
from bot.services.coach import hints
from bot.services.coach.errors import (
    CoachBusyError,
    HintOverError,
    HintsUsedUpError,
    NothingToCountError,
)
from bot.services.focdle.errors import NotYourPlayError
from bot.services.focdle.model import Play
from bot.services.mastermind.errors import NoSuchGameError, NotYourGameError
from bot.services.services import Services
from engine import is_consistent
from tests.engine.test_draw import shortest
from tests.support.clock import FakeClock
from tests.support.coach import busy
from tests.support.masterminds import ANN, BEN, GUILD, SMALL, challenge, secret_of, wrong_codes
from tests.support.sql import sql
from tests.support.table import SECRET

pytestmark = pytest.mark.usefixtures("keys_watched")

OTHER = "65%43-21=1"
COUNT, SUGGESTION = HintKind.COUNT, HintKind.SUGGESTION


async def begun(services: Services, length: int = 7) -> Play:
    play = await services.practice.open(ANN, None, length)
    wrong = next(code for code in shortest() if code != play.game.secret)
    return await services.daily.guess(ANN, play.id, wrong)


async def hint(services: Services, play: Play, kind: HintKind) -> Play:
    return await services.coach.hints.of_play(ANN, play.id, kind, len(play.game.turns))


async def test_a_count_is_exact_and_stays_on_the_board(services: Services) -> None:
    play = await hint(services, await begun(services), COUNT)
    left = sum(is_consistent(play.rules, code, play.game.turns) for code in shortest())
    assert play.hints == (Hint(1, COUNT, str(left)),)
    assert (await services.daily.view(ANN, play.id)).hints == play.hints


async def test_a_hint_that_would_come_too_late_is_not_charged(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = await begun(services)
    monkeypatch.setattr(hints, "PATIENCE_SECONDS", 0.01)
    async with busy(services):
        with pytest.raises(CoachBusyError):
            await hint(services, play, COUNT)
    assert (await services.daily.view(ANN, play.id)).hints == ()
    monkeypatch.undo()
    assert len((await hint(services, play, COUNT)).hints) == 1


async def test_a_suggestion_may_be_played(services: Services) -> None:
    play = await hint(services, await begun(services), SUGGESTION)
    (told,) = play.hints
    play.game.guess(play.rules.parse(told.answer))


async def test_a_suggestion_that_is_false_is_said_to_be_a_probe(services: Services) -> None:
    play = await begun(services)
    told = {
        answer: play_hints(replace(play, hints=(Hint(1, SUGGESTION, answer),)))
        for answer in ("2+3+4=9", "2+3+4=8")
    }
    assert told["2+3+4=9"] == "💡 One of the best guesses: `2+3+4=9`"
    assert told["2+3+4=8"].endswith(
        "\n-# It is false on purpose: it is not the answer, but tells you most."
    )


async def test_in_hard_mode_a_suggestion_keeps_to_it(services: Services) -> None:
    await services.preferences.set_hard_mode(ANN, on=True)
    play = await begun(services)
    assert play.rules.hard
    play = await hint(services, play, SUGGESTION)
    assert is_consistent(play.rules, play.hints[0].answer, play.game.turns)
    play.game.guess(play.rules.parse(play.hints[0].answer))


async def test_a_suggestion_may_come_first_but_no_count(services: Services) -> None:
    play = await services.practice.open(ANN, None, 7)
    with pytest.raises(NothingToCountError):
        await hint(services, play, COUNT)
    assert (await hint(services, play, SUGGESTION)).hints[0].turn == 0


async def test_asked_twice_at_once_it_is_charged_once(services: Services, tmp_path: Path) -> None:
    play = await begun(services)
    found = await asyncio.gather(*(hint(services, play, COUNT) for _ in range(5)))
    assert {len(each.hints) for each in found} == {1}
    assert len(sql(tmp_path, "select id from hints")) == 1
    again = await hint(services, play, COUNT)
    assert again.hints == found[0].hints


async def test_a_hint_of_a_turn_that_is_over_is_not_given(services: Services) -> None:
    play = await begun(services)
    turn = len(play.game.turns)
    wrong = [code for code in shortest() if code != play.game.secret][1]
    await services.daily.guess(ANN, play.id, wrong)
    play = await services.coach.hints.of_play(ANN, play.id, COUNT, turn)
    assert (play.hints, len(play.game.turns)) == ((), 2)


async def test_there_are_three_counts_and_one_suggestion(services: Services) -> None:
    play = await begun(services)
    play = await hint(services, play, SUGGESTION)
    wrong = [code for code in shortest() if code != play.game.secret][1:]
    for number in range(3):
        play = await hint(services, play, COUNT)
        play = await services.daily.guess(ANN, play.id, wrong[number])
    assert len(play.hints) == 4
    for kind, most in ((COUNT, 3), (SUGGESTION, 1)):
        with pytest.raises(HintsUsedUpError) as caught:
            await hint(services, play, kind)
        assert (caught.value.kind, caught.value.most) == (kind, most)


async def test_a_finished_game_has_no_hints_and_nobody_elses_has(services: Services) -> None:
    play = await begun(services)
    with pytest.raises(NotYourPlayError):
        await services.coach.hints.of_play(BEN, play.id, COUNT, 1)
    play = await services.daily.guess(ANN, play.id, play.game.secret)
    with pytest.raises(HintOverError):
        await hint(services, play, COUNT)


@pytest.mark.parametrize(
    ("guesses", "hints", "points"),
    [(1, 0, 6), (1, 1, 5), (3, 2, 2), (4, 4, 1), (6, 0, 1), (6, 4, 1), (5, 1, 1)],
)
def test_a_hint_costs_a_point_but_the_last(guesses: int, hints: int, points: int) -> None:
    assert points_for(solved=True, guesses=guesses, hints=hints) == points
    assert points_for(solved=False, guesses=guesses, hints=hints) == 0


async def test_a_daily_with_hints_is_worth_less(services: Services) -> None:
    play = await services.daily.open(ANN, GUILD, guess=OTHER)
    await hint(services, play, COUNT)
    play = await services.daily.open(ANN, GUILD, guess=SECRET)
    assert (play.on_date, play.points) == (True, 4)


async def test_an_assisted_solve_keeps_a_streak_without_lengthening_it(
    services: Services, clock: FakeClock
) -> None:
    play = await services.daily.open(ANN, GUILD)
    for day in range(4):
        play = await services.daily.open(ANN, GUILD)
        if day == 2:
            play = await hint(services, play, SUGGESTION)
        play = await services.daily.open(ANN, GUILD, guess=play.game.secret)
        clock.advance(days=1)
    assert play.streak is not None
    assert [change.reason for change in play.streak.changes] == [
        Reason.SOLVED,
        Reason.SOLVED,
        Reason.KEPT_ASSISTED,
        Reason.SOLVED,
    ]
    assert [change.after for change in play.streak.changes] == [1, 2, 2, 3]


async def test_an_assisted_solve_is_told_of_at_once_and_begins_no_streak(
    services: Services, clock: FakeClock
) -> None:
    play = await hint(services, await services.daily.open(ANN, GUILD), SUGGESTION)
    play = await services.daily.open(ANN, GUILD, guess=SECRET)
    assert play.streak is not None
    assert (play.streak.length, play.streak.changes) == (0, ())
    clock.advance(days=1)
    play = await services.daily.open(ANN, GUILD)
    await services.daily.open(ANN, GUILD, guess=play.game.secret)
    clock.advance(days=1)
    play = await hint(services, await services.daily.open(ANN, GUILD), SUGGESTION)
    play = await services.daily.open(ANN, GUILD, guess=play.game.secret)
    assert play.streak is not None
    assert (play.streak.length, play.streak.changes[-1].reason) == (1, Reason.KEPT_ASSISTED)


async def test_another_length_solved_without_hints_lengthens_it_after_all(
    services: Services,
) -> None:
    play = await hint(services, await services.daily.open(ANN, GUILD), SUGGESTION)
    await services.daily.open(ANN, GUILD, guess=SECRET)
    play = await services.daily.open(ANN, GUILD, puzzle="324/9")
    play = await services.daily.guess(ANN, play.id, play.game.secret)
    assert play.streak is not None
    assert [change.reason for change in play.streak.changes] == [Reason.SOLVED]


class TestMastermind:
    async def test_a_game_against_the_bot_has_hints(
        self, services: Services, clock: FakeClock, tmp_path: Path
    ) -> None:
        game = await services.mastermind.solo.open(ANN, SMALL)
        wrong = wrong_codes(game.rules, secret_of(tmp_path, game.id))
        await services.mastermind.solo.guess(ANN, game.id, wrong[0])
        game = await services.mastermind.solo.put(ANN, game.id, "R")
        clock.advance(hours=1)
        take = services.coach.hints.of_mastermind
        game, _ = await asyncio.gather(*(take(ANN, game.id, COUNT, 1) for _ in range(2)))
        left = sum(is_consistent(game.rules, code, game.turns) for code in game.rules.codes())
        assert game.hints == (Hint(1, COUNT, str(left)),)
        assert game.pending == "R"
        assert game.deadline_at == clock.now() + timedelta(days=7, hours=-1)  # as of the guess
        game = await take(ANN, game.id, SUGGESTION, 1)
        assert game.rules.is_code(game.hints[1].answer)
        assert (await services.mastermind.solo.view(ANN, game.id)).hints == game.hints
        with pytest.raises(NotYourGameError):
            await take(BEN, game.id, COUNT, 1)
        game = await services.mastermind.solo.surrender(ANN, game.id)
        with pytest.raises(HintOverError):
            await take(ANN, game.id, COUNT, 1)

    async def test_a_challenge_has_none(self, services: Services) -> None:
        game = await challenge(services)
        for player in (ANN, BEN):
            with pytest.raises(NoSuchGameError):
                await services.coach.hints.of_mastermind(player, game.id, SUGGESTION, 0)

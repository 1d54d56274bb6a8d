"""Open games of every kind, deadlines, and what came of them."""

import asyncio
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Final

import pytest

import bot
from bot.db.database import Transaction
from bot.mastermind import store
from bot.mastermind.game import Setting
from bot.mastermind.model import (
    Ending,
    GameFinishedError,
    Kind,
    MastermindGame,
    MastermindRefusedError,
    NotInvitedError,
    NotYourGameError,
    SettingRecord,
    Stage,
    TooManyGamesError,
)
from bot.outages import ShardRange
from bot.services import Services, open_services
from engine import Mastermind, Score
from tests.support.clock import NOON, FakeClock
from tests.support.masterminds import (
    ANN,
    BEN,
    CAT,
    SMALL,
    STANDARD,
    challenge,
    game_of,
    invite,
    secret_of,
    wrong_codes,
)
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")

STRANGERS: Final = count(1000)
DAY, WEEK = timedelta(days=1), timedelta(days=7)


UNRANKED: Final = Setting(guesses=11)
"""Beside a ranked game the bot does not guess."""
NO_FIRST_GUESS: Final = "UPDATE masterminds SET secret = 'PPPY' WHERE secret IS NOT NULL"
"""A drawn code would once in 1,296 times be found at once."""


async def open_each_kind(services: Services) -> list[MastermindGame]:
    """One game of each kind, all Ann's; the last is a challenge that waits for Ben."""
    mastermind = services.mastermind
    opened = [
        await mastermind.solo.open(ANN, UNRANKED),
        await mastermind.defence.open(ANN, STANDARD),
        await mastermind.defence.open_sealed(ANN, STANDARD, "RGBY"),
        await invite(services),
    ]
    return [game_of(each) for each in opened]


async def test_open_games_of_all_kinds_are_listed_for_their_players(
    services: Services, clock: FakeClock
) -> None:
    games = services.mastermind.games
    opened = await open_each_kind(services)
    found = await games.open_of(ANN)
    assert [game.id for game in found] == [game.id for game in reversed(opened)]
    assert [game.kind for game in found] == ["challenge", "defend", "defend", "play"]
    assert [game.sealed for game in found] == [False, True, False, False]
    assert all(game.secret is None for game in found)
    assert [game.id for game in await games.open_of(BEN)] == [opened[-1].id]
    assert await games.open_of(CAT) == []
    clock.advance(hours=1)
    await services.mastermind.solo.put(ANN, opened[0].id, "R")
    assert (await games.open_of(ANN))[0].id == opened[0].id
    await services.mastermind.solo.surrender(ANN, opened[0].id)
    await services.mastermind.challenges.decline(BEN, opened[-1].id)
    assert [game.id for game in await games.open_of(ANN)] == [opened[n].id for n in (2, 1)]
    assert await games.open_of(BEN) == []


async def test_games_read_together_keep_their_own_turns(services: Services) -> None:
    first = await challenge(services)
    second = await challenge(services)
    await services.mastermind.challenges.guess(BEN, first.id, "PPPP")
    await services.mastermind.challenges.guess(BEN, second.id, "RGYB")
    await services.mastermind.challenges.guess(BEN, second.id, "RGBP")
    turns = {game.id: game.turns for game in await services.mastermind.games.open_of(ANN)}
    assert [turn.guess for turn in turns[first.id]] == ["PPPP"]
    assert [turn.feedback for turn in turns[second.id]] == [Score(2, 2), Score(3, 0)]


async def test_a_player_has_at_most_ten_open_games(services: Services, clock: FakeClock) -> None:
    mastermind = services.mastermind
    await open_each_kind(services)
    accepted = await challenge(services, by=BEN, to=ANN)
    for _ in range(3):
        await invite(services, by=next(STRANGERS), to=ANN)  # which are no games of hers yet
    for guesses in (6, 7, 8, 9, 10):
        last = await mastermind.solo.open(ANN, Setting(guesses=guesses))
    for attempt in (
        mastermind.solo.open(ANN, SMALL),
        mastermind.defence.open(ANN, SMALL),
        mastermind.defence.open_sealed(ANN, SMALL, "RGY"),
        invite(services, to=CAT),
    ):
        with pytest.raises(TooManyGamesError) as refused:
            await attempt
        assert refused.value.games == 10
    # What was opened already opens again.
    assert (await mastermind.solo.open(ANN, Setting(guesses=10))).id == last.id
    await mastermind.challenges.guess(ANN, accepted.id, "RGBY")
    await mastermind.solo.open(ANN, SMALL)
    with pytest.raises(TooManyGamesError):
        await mastermind.defence.open(ANN, SMALL)
    clock.advance(days=7)  # nothing was swept, and yet there is room
    await mastermind.defence.open(ANN, SMALL)


async def test_an_overdue_untouched_game_ends_when_it_is_read(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    solo, defence, sealed, invited = await open_each_kind(services)
    mastermind = services.mastermind
    assert [game.deadline_at - NOON for game in (solo, defence, sealed)] == [WEEK] * 3
    assert invited.deadline_at - NOON == DAY
    clock.set(NOON + DAY - timedelta(microseconds=1))
    assert (await mastermind.challenges.view(BEN, invited.id)).stage is Stage.INVITED
    clock.set(NOON + DAY)
    lapsed = await mastermind.challenges.view(BEN, invited.id)
    assert (lapsed.stage, lapsed.ending, lapsed.secret) == (Stage.OVER, Ending.LAPSED, None)
    clock.set(NOON + WEEK - timedelta(microseconds=1))
    assert len(await mastermind.games.open_of(ANN)) == 3
    clock.set(NOON + WEEK)
    assert await mastermind.games.open_of(ANN) == []
    clock.advance(hours=1)
    closed = [
        await mastermind.solo.view(ANN, solo.id),
        await mastermind.defence.view(ANN, defence.id),
        await mastermind.defence.step(ANN, sealed.id, 0),
    ]
    assert [game_of(game).ending for game in closed] == [Ending.CLOSED] * 3
    assert [game_of(game).turns for game in closed] == [()] * 3
    assert [game_of(game).secret is None for game in closed] == [False, True, False]
    ends = sql(tmp_path, "SELECT count(*) FROM masterminds WHERE finished_at = deadline_at")
    assert ends == [(4,)]


async def test_a_strangers_click_leaves_an_overdue_game_to_the_sweep(
    services: Services, clock: FakeClock
) -> None:
    challenges = services.mastermind.challenges
    accepted, invited = await challenge(services), await invite(services)
    clock.set(NOON + DAY)
    # Ended by this, the public boards would stay as they were.
    for attempt, error in (
        (challenges.accept(CAT, invited.id, STANDARD), NotInvitedError),
        (challenges.put(CAT, accepted.id, "R"), NotYourGameError),
        (challenges.withdraw(CAT, invited.id), NotYourGameError),
        (challenges.withdraw(CAT, accepted.id), NotYourGameError),
    ):
        with pytest.raises(error):
            await attempt
    swept = await services.mastermind.games.sweep()
    assert [game.id for game in swept] == [accepted.id, invited.id]


async def test_a_click_after_the_deadline_ends_the_game_and_says_so(
    services: Services, clock: FakeClock
) -> None:
    solo, challenges = services.mastermind.solo, services.mastermind.challenges
    invited, withdrawn, accepted = [
        await invite(services),
        await invite(services, to=CAT),
        await challenge(services, by=CAT),
    ]
    clock.set(NOON + DAY)
    for attempt in (
        challenges.accept(BEN, invited.id, STANDARD),
        challenges.withdraw(ANN, withdrawn.id),
    ):
        with pytest.raises(GameFinishedError) as finished:
            await attempt
        assert finished.value.game.ending is Ending.LAPSED
    with pytest.raises(MastermindRefusedError) as refused:
        await challenges.guess(BEN, accepted.id, "PPPP")
    assert (refused.value.game.ending, refused.value.game.secret) == (Ending.LAPSED, "RGBY")
    game = await solo.open(ANN, STANDARD)
    clock.set(NOON + DAY + WEEK)
    with pytest.raises(GameFinishedError) as finished:
        await solo.put(ANN, game.id, "R")
    assert (finished.value.game.ending, finished.value.game.pending) == (Ending.CLOSED, "")
    assert await services.mastermind.games.sweep() == []


async def test_every_move_renews_the_deadline_of_a_game(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    mastermind = services.mastermind
    solo, defence, sealed, invited = await open_each_kind(services)
    sql(tmp_path, NO_FIRST_GUESS)

    async def check(game: MastermindGame) -> None:
        patience = DAY if game.kind is Kind.CHALLENGE else WEEK
        assert game.deadline_at == clock.now() + patience
        clock.advance(minutes=1)

    clock.advance(minutes=1)
    assert (await mastermind.solo.view(ANN, solo.id)).deadline_at == NOON + WEEK
    seen = defence.question
    assert seen is not None
    for number, move in enumerate(
        (
            mastermind.solo.open(ANN, UNRANKED),
            mastermind.solo.guess(ANN, solo.id, "RGBY"),
            mastermind.defence.open(ANN, STANDARD),
            mastermind.defence.answer(ANN, defence.id, seen, 1),
            mastermind.defence.take_back(ANN, defence.id, replace(seen, blacks=1)),
            mastermind.defence.answer(ANN, defence.id, seen, 0),
            mastermind.defence.answer(ANN, defence.id, replace(seen, blacks=0), 1),
            mastermind.defence.correct(ANN, defence.id, 1, seen, Score(0, 2)),
            mastermind.defence.step(ANN, sealed.id, 0),
            mastermind.challenges.accept(BEN, invited.id, STANDARD),
            mastermind.challenges.guess(BEN, invited.id, "RGBY"),
        )
    ):
        game = game_of(await move)
        assert game.stage is Stage.PLAYING, number
        await check(game)
    assert (await mastermind.defence.view(ANN, defence.id)).game.deadline_at < clock.now() + WEEK


async def test_an_unreadable_game_delays_no_other(
    services: Services, clock: FakeClock, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = await challenge(services), await challenge(services, by=BEN, to=ANN)
    sql(tmp_path, f"UPDATE masterminds SET rules = 'of tomorrow' WHERE id = {broken.id}")
    clock.advance(days=1)
    assert [game.id for game in await services.mastermind.games.sweep()] == [sound.id]
    assert f"deadline of mastermind {broken.id}: failed this time" in caplog.messages
    assert await services.mastermind.games.sweep() == []


async def test_a_game_with_a_move_since_the_sweep_began_goes_on(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await challenge(services)

    def passed(tx: Transaction, now: datetime, _after: int, _shards: ShardRange) -> list[int]:
        return [row.id for row in store.open_of(tx, ANN, now)]

    monkeypatch.setattr(store, "passed", passed)
    assert await services.mastermind.games.sweep() == []
    assert [found.id for found in await services.mastermind.games.open_of(ANN)] == [game.id]


async def test_a_sweep_ends_each_overdue_mastermind_once(
    services: Services, clock: FakeClock, database_url: str, tmp_path: Path
) -> None:
    games = services.mastermind.games
    opened = await open_each_kind(services)
    sql(tmp_path, NO_FIRST_GUESS)
    accepted = await challenge(services, by=CAT)
    await services.mastermind.challenges.published(accepted, 66)
    await services.mastermind.challenges.guess(BEN, accepted.id, "PPPP")
    clock.set(NOON + DAY)
    await services.mastermind.defence.step(ANN, opened[2].id, 0)
    both = await asyncio.gather(games.sweep(), games.sweep())
    swept = sorted((game for found in both for game in found), key=lambda game: game.id)
    assert [game.id for game in swept] == [opened[-1].id, accepted.id]
    assert [game.ending for game in swept] == [Ending.LAPSED] * 2
    assert [game.secret for game in swept] == [None, "RGBY"]
    assert swept[1].message_id == 66
    assert [turn.guess for turn in swept[1].turns] == ["PPPP"]
    await services.close()
    clock.set(NOON + WEEK)
    async with open_services(database_url, clock) as reopened:
        games = reopened.mastermind.games
        closed = await games.sweep()
        assert [game.id for game in closed] == [game.id for game in opened[:2]]
        assert [game.ending for game in closed] == [Ending.CLOSED] * 2
        assert [game.id for game in await games.open_of(ANN)] == [opened[2].id]
        assert await games.sweep() == []


async def test_results_by_setting_count_a_players_finished_games_with_a_guess(
    services: Services, tmp_path: Path
) -> None:
    mastermind = services.mastermind
    assert await mastermind.games.record(ANN) == []

    async def play(setting: Setting, wrong: int, *, solve: bool) -> None:
        game = await mastermind.solo.open(ANN, setting)
        secret = secret_of(tmp_path, game.id)
        for code in wrong_codes(game.rules, secret)[:wrong]:
            game = await mastermind.solo.guess(ANN, game.id, code)
        if solve:
            await mastermind.solo.guess(ANN, game.id, secret)
        elif game.stage is Stage.PLAYING:
            await mastermind.solo.surrender(ANN, game.id)

    await play(STANDARD, 2, solve=True)
    await play(STANDARD, 2, solve=True)
    await play(STANDARD, 0, solve=True)
    await play(STANDARD, 12, solve=False)
    await play(STANDARD, 1, solve=False)
    await play(STANDARD, 0, solve=False)  # which was only looked at
    await play(SMALL, 1, solve=False)
    set_by_ben = await challenge(services, by=BEN, to=ANN)
    await mastermind.challenges.guess(ANN, set_by_ben.id, "RGBY")
    # None of hers: a code of her own, games in which the bot guesses, and one that goes on.
    of_ben = await challenge(services, by=ANN, to=BEN)
    await mastermind.challenges.guess(BEN, of_ben.id, "PPPP")
    await mastermind.challenges.resign(BEN, of_ben.id)
    await mastermind.challenges.decline(BEN, (await invite(services)).id)
    sealed = await mastermind.defence.open_sealed(ANN, STANDARD, "RGBY")
    await mastermind.defence.finish(ANN, sealed.game.id)
    goes_on = await mastermind.solo.open(ANN, STANDARD)
    sql(tmp_path, NO_FIRST_GUESS)
    await mastermind.solo.guess(ANN, goes_on.id, "RGBY")

    small = SettingRecord(SMALL.rules(), games=1, solved=0, mean=None, best=None)
    standard = SettingRecord(Mastermind(), games=6, solved=4, mean=2.0, best=1)
    assert await mastermind.games.record(ANN) == [small, standard]
    assert await mastermind.games.record(BEN) == [
        SettingRecord(Mastermind(), games=1, solved=0, mean=None, best=None)
    ]


async def test_use_cases_return_no_secret_of_a_running_game(
    services: Services, tmp_path: Path
) -> None:
    mastermind = services.mastermind
    solo, _, sealed, invited = await open_each_kind(services)
    # A code that no guess of these is.
    sql(tmp_path, NO_FIRST_GUESS)
    results = [
        await mastermind.challenges.accept(BEN, invited.id, STANDARD),
        await mastermind.challenges.put(BEN, invited.id, "R"),
        await mastermind.challenges.guess(BEN, invited.id, "RGBO"),
        await mastermind.challenges.shown(invited, 66),
        await mastermind.challenges.look(ANN, invited.id),
        await mastermind.challenges.lost(invited, 66),
        await mastermind.challenges.view(BEN, invited.id),
        await mastermind.solo.view(ANN, solo.id),
        await mastermind.solo.put(ANN, solo.id, "R"),
        await mastermind.solo.guess(ANN, solo.id, "RGBO"),
        await mastermind.defence.step(ANN, sealed.id, 0),
        await mastermind.defence.view(ANN, sealed.id),
        *await mastermind.games.open_of(ANN),
        *await mastermind.games.open_of(BEN),
    ]
    with pytest.raises(MastermindRefusedError) as refused:
        await mastermind.challenges.guess(BEN, invited.id, "RGBO")
    for found in (*results, refused.value.game):
        assert game_of(found).secret is None
        assert "PPPY" not in repr(found)


def test_no_page_and_no_command_reads_a_code_that_may_still_be_secret() -> None:
    root = Path(bot.__file__).parent.parent
    shown = [*(root / "cogs").rglob("*.py"), *(root / "bot").rglob("*words.py")]
    assert len(shown) > 40
    assert [path.name for path in shown if "hidden_code" in path.read_text("utf-8")] == []

"""The daily without Discord, on a real database."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.clock import PuzzleName
from bot.focdle.model import (
    GuessRefusedError,
    UnreadablePuzzleError,
)
from bot.services import Services
from bot.text.language import speak
from engine import GameOverError, Outcome
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.support.table import SECRET

pytestmark = pytest.mark.usefixtures("keys_watched")

ANN, BEN, GUILD = 11, 22, 33


async def test_a_play_is_stored_with_server_and_zone_and_its_beginning_and_end(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    await services.daily.open(ANN, GUILD)
    clock.advance(minutes=5)
    await services.daily.open(ANN, None, guess=SECRET)
    ((player, guild, zone, opened, finished, outcome),) = sql(
        tmp_path,
        "SELECT player_id, guild_id, zone, opened_at, finished_at, outcome FROM plays",
    )
    assert (player, guild, zone, outcome) == (ANN, GUILD, "UTC", "solved")
    assert opened.startswith("2026-11-20 12:00")
    assert finished.startswith("2026-11-20 12:05")


async def test_simultaneous_guesses_are_played_in_turn_until_the_game_is_over(
    services: Services,
) -> None:
    play = await services.daily.open(ANN, GUILD)
    guesses = [f"{n}+34-5={n + 29}" for n in range(10, 30)]
    results = await asyncio.gather(
        *(services.daily.guess(ANN, play.id, guess) for guess in guesses), return_exceptions=True
    )
    played = [result for result in results if not isinstance(result, BaseException)]
    refused = [result for result in results if isinstance(result, GuessRefusedError)]
    assert [len(result.game.turns) for result in played] == [1, 2, 3, 4, 5, 6]
    assert len(refused) == 14
    assert all(isinstance(error.cause, GameOverError) for error in refused)
    assert (await services.daily.view(ANN, play.id)).game.outcome is Outcome.LOST


async def test_the_next_daily_comes_at_midnight(services: Services, clock: FakeClock) -> None:
    clock.set(datetime(2026, 12, 31, 23, 59, 59, 999999, tzinfo=UTC))
    play = await services.daily.open(ANN, GUILD)
    assert play.puzzle == PuzzleName(365, 10)
    assert play.next_puzzle_at == datetime(2027, 1, 1, tzinfo=UTC)
    clock.set(play.next_puzzle_at)
    assert (await services.daily.open(ANN, GUILD)).puzzle == PuzzleName(366, 10)
    assert not (await services.daily.view(ANN, play.id)).is_today


@pytest.mark.parametrize("text", ["9" * 9, "9999-12-31x", "²", "1/²", "/", "1/", "- 1", "1,5"])
async def test_an_unreadable_name_of_a_puzzle_is_refused(services: Services, text: str) -> None:
    with pytest.raises(UnreadablePuzzleError):
        await services.daily.open(ANN, GUILD, puzzle=text)


@pytest.mark.parametrize(("tag", "number"), [("en-US", 93), ("en-GB", 63)])
async def test_a_typed_date_is_read_as_the_players_language_writes_it(
    services: Services, tag: str, number: int
) -> None:
    speak(tag)
    play = await services.daily.open(ANN, GUILD, puzzle="4/3/2026")
    assert play.puzzle == PuzzleName(number, 10)

"""Results are shared once a channel."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.duels.model import NotYourDuelError
from bot.focdle.model import NotYourPlayError
from bot.games.model import GameName, Source
from bot.mastermind.model import NotYourGameError
from bot.refused import (
    AlreadySharedError,
    BeingSharedError,
    NotFinishedError,
    Refused,
)
from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.duels import against_bot, invited
from tests.support.masterminds import SMALL, secret_of
from tests.support.sql import sql
from tests.support.table import SECRET

ANN, BEN, GUILD = 11, 22, 33


async def solved_daily(services: Services) -> GameName:
    play = await services.daily.open(ANN, GUILD, guess=SECRET)
    return GameName(Source.PLAY, play.id)


async def solved_mastermind(services: Services, folder: Path) -> GameName:
    game = await services.mastermind.solo.open(ANN, SMALL)
    await services.mastermind.solo.guess(ANN, game.id, secret_of(folder, game.id))
    return GameName(Source.MASTERMIND, game.id)


async def ended_duel(services: Services) -> GameName:
    game = await against_bot(services)
    await services.duels.playing.guess(ANN, game.duel.id, "0123")
    await services.duels.playing.resign(ANN, game.duel.id)
    return GameName(Source.DUEL, game.duel.id)


async def test_a_result_is_shared_once_in_a_channel(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    name = await solved_daily(services)
    await services.sharing.claim(ANN, name, 1, GUILD)
    await services.sharing.done(name, 1)
    clock.advance(days=1)
    with pytest.raises(AlreadySharedError):
        await services.sharing.claim(ANN, name, 1, GUILD)
    await services.sharing.claim(ANN, name, 2, GUILD)
    assert sql(tmp_path, "select player_id, channel_id from shares") == [(ANN, 1), (ANN, 2)]


async def test_a_claimed_share_that_was_never_posted_lapses(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    name = await solved_daily(services)
    await services.sharing.claim(ANN, name, 1, GUILD)  # and the process is killed
    until = clock.now() + timedelta(minutes=15)
    clock.advance(minutes=14, seconds=59)
    with pytest.raises(BeingSharedError) as refused:
        await services.sharing.claim(ANN, name, 1, GUILD)
    assert refused.value.again_at == until
    clock.advance(seconds=1)
    await services.sharing.claim(ANN, name, 1, GUILD)
    with pytest.raises(BeingSharedError):
        await services.sharing.claim(ANN, name, 1, GUILD)
    assert len(sql(tmp_path, "select * from shares")) == 1


async def test_one_of_two_simultaneous_clicks_claims_a_share(services: Services) -> None:
    name = await solved_daily(services)
    results = await asyncio.gather(
        *(services.sharing.claim(ANN, name, 1, GUILD) for _ in range(5)), return_exceptions=True
    )
    assert [type(result) for result in results if result is not None] == [BeingSharedError] * 4


async def test_games_of_different_kinds_with_the_same_id_are_shared_independently(
    services: Services, tmp_path: Path
) -> None:
    names = [
        await solved_daily(services),
        await solved_mastermind(services, tmp_path),
        await ended_duel(services),
    ]
    assert len({name.id for name in names}) == 1  # what tells them apart is their kind
    for name in names:
        await services.sharing.claim(ANN, name, 1, GUILD)
        await services.sharing.done(name, 1)
        with pytest.raises(AlreadySharedError):
            await services.sharing.claim(ANN, name, 1, GUILD)


async def test_running_games_and_strangers_games_cannot_be_shared(
    services: Services, tmp_path: Path
) -> None:
    play = await services.daily.open(ANN, GUILD)
    solo = await services.mastermind.solo.open(ANN, SMALL)
    duel = await against_bot(services)
    refusals: dict[GameName, type[Refused]] = {
        GameName(Source.PLAY, play.id): NotYourPlayError,
        GameName(Source.MASTERMIND, solo.id): NotYourGameError,
        GameName(Source.DUEL, duel.duel.id): NotYourDuelError,
    }
    for name, reason in refusals.items():
        with pytest.raises(NotFinishedError):
            await services.sharing.claim(ANN, name, 1, GUILD)
        with pytest.raises(reason):
            await services.sharing.claim(BEN, name, 1, GUILD)
    for reading in (
        services.mastermind.solo.result(ANN, solo.id),
        services.duels.games.result(ANN, duel.duel.id),
    ):
        with pytest.raises(NotFinishedError):
            await reading
    assert sql(tmp_path, "select * from shares") == []


async def test_a_duel_between_members_cannot_be_shared_as_one_players_result(
    services: Services,
) -> None:
    game = await invited(services)
    with pytest.raises(NotYourDuelError):
        await services.duels.games.result(ANN, game.duel.id)

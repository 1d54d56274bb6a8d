"""Free games, just for fun: so many a day, whatever they are, and none is cut."""

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.games.game import MOST_A_DAY
from bot.games.model import Channel
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.refused import EnoughGamesError
from bot.services import Services
from engine import BullsAndCows
from tests.support.clock import NOON, FakeClock
from tests.support.duels import ANN, BEN, CHANNEL, GUILD, against_bot, invited, playing
from tests.support.masterminds import SMALL, STANDARD, invite
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")

MIDNIGHT = datetime(2026, 11, 21, tzinfo=UTC)
NUMBERS = BullsAndCows()
PLACE = Channel(GUILD, CHANNEL)
TO_BEN = Invitation(ANN, BEN, GUILD, CHANNEL)

Way = Callable[[Services], Coroutine[Any, Any, object]]


async def play_an_equation(services: Services) -> object:
    there = await services.equations.open_in(PLACE)
    if not there:
        there = [(await services.equations.set(BEN, PLACE, "12+34-5=41")).equation]
    return await services.equations.play(ANN, there[0].puzzle_id, PLACE)


WAYS: dict[str, Way] = {
    "practice": lambda s: s.practice.open(ANN, GUILD, 7),
    "archive": lambda s: s.daily.open(ANN, GUILD, puzzle="12"),
    "archive by a guess": lambda s: s.daily.open(ANN, GUILD, puzzle="13", guess="12+34-5=41"),
    "casual mastermind": lambda s: s.mastermind.solo.open(ANN, SMALL),
    "defend": lambda s: s.mastermind.defence.open(ANN, SMALL),
    "seal": lambda s: s.mastermind.defence.open_sealed(ANN, SMALL, "RRR"),
    "challenge": invite,
    "duel with the bot": against_bot,
    "casual duel": lambda s: invited(s, DuelOptions(friendly=True)),
    "number": lambda s: s.duels.defending.open(ANN, DuelOptions()),
    "sealed number": lambda s: s.duels.defending.open_sealed(ANN, NUMBERS, "4325"),
    "equation": play_an_equation,
    "race": lambda s: s.races.open(ANN, PLACE, NUMBERS),
    "drawn number": lambda s: s.duels.defending.open_drawn(ANN, NUMBERS),
}
ASKED_FIRST: dict[str, Way] = {
    "challenge": lambda s: s.mastermind.challenges.prepare(TO_BEN),
    "seal": lambda s: s.mastermind.defence.prepare(ANN, SMALL),
    "duel with the bot": lambda s: s.duels.inviting.prepare(Challenge(ANN, None)),
}


def begun(folder: Path, games: int = MOST_A_DAY, player: int = ANN) -> None:
    """Let a player have begun so many today."""
    sql(folder, f"DELETE FROM free_games WHERE player_id = {player}")
    sql(folder, f"INSERT INTO free_games VALUES ({player}, '2026-11-20', {games})")


def counted(folder: Path) -> list[Any]:
    return sql(folder, f"SELECT games FROM free_games WHERE player_id = {ANN}")


async def refused(way: Way, services: Services) -> None:
    with pytest.raises(EnoughGamesError) as error:
        await way(services)
    assert (error.value.games, error.value.again_at) == (MOST_A_DAY, MIDNIGHT)


@pytest.mark.parametrize("name", WAYS)
async def test_every_kind_of_uncounted_game_is_limited_per_date(
    services: Services, clock: FakeClock, tmp_path: Path, name: str
) -> None:
    begun(tmp_path)
    await refused(WAYS[name], services)
    if name in ASKED_FIRST:
        await refused(ASKED_FIRST[name], services)
    begun(tmp_path, MOST_A_DAY, BEN)  # others' are others'
    begun(tmp_path, MOST_A_DAY - 1)
    await WAYS[name](services)
    assert counted(tmp_path) == [(MOST_A_DAY,)]
    clock.set(MIDNIGHT)
    await services.duels.defending.open_drawn(ANN, NUMBERS)
    assert counted(tmp_path) == [(1,)]


async def test_a_friendly_rematch_beyond_the_limit_is_refused_before_the_form_for_its_number(
    services: Services, tmp_path: Path
) -> None:
    for is_rated in (True, False):
        game = await playing(services, DuelOptions(friendly=not is_rated))
        await services.duels.playing.resign(BEN, game.duel.id)
        begun(tmp_path)
        if is_rated:
            assert await services.duels.inviting.prepare_rematch(ANN, game.duel.id) is None
            begun(tmp_path, 0)
        else:
            await refused(lambda s: s.duels.inviting.prepare_rematch(ANN, 2), services)


async def test_at_the_limit_running_uncounted_games_go_on_and_counted_games_begin(
    services: Services, tmp_path: Path
) -> None:
    practice = await services.practice.open(ANN, GUILD, 7)
    archived = await services.daily.open(ANN, GUILD, puzzle="12")
    hunted = await services.duels.defending.open(ANN, DuelOptions())
    casual = await services.mastermind.solo.open(ANN, SMALL)
    theirs = await invite(services, by=BEN, to=ANN)
    bots = await against_bot(services)
    begun(tmp_path)
    assert (await services.practice.open(ANN, GUILD, 7)).id == practice.id
    assert (await services.daily.open(ANN, GUILD, puzzle="12")).id == archived.id
    assert (await services.mastermind.solo.open(ANN, SMALL)).id == casual.id
    await services.duels.defending.view(ANN, NUMBERS, hunted.seed, [], 0)
    await services.mastermind.challenges.accept(ANN, theirs.id, STANDARD)
    assert (await services.duels.playing.guess(ANN, bots.duel.id, "9876")).duel.ending is None
    await services.daily.open(ANN, GUILD)
    await services.daily.open(ANN, GUILD, puzzle="324/9")
    assert (await services.mastermind.solo.open(ANN, STANDARD)).is_ranked
    await playing(services)
    with pytest.raises(EnoughGamesError):
        await services.mastermind.solo.change(ANN, casual.id, Setting(pegs=5))
    assert (await services.mastermind.solo.view(ANN, casual.id)).ending is None
    assert counted(tmp_path) == [(MOST_A_DAY,)]


async def test_a_third_game_during_two_ranked_ones_counts_toward_the_limit_of_uncounted_games(
    services: Services, tmp_path: Path
) -> None:
    begun(tmp_path)
    for _game in range(2):
        game = await services.mastermind.solo.open(ANN, STANDARD)
        assert game.is_ranked
        await services.mastermind.solo.guess(ANN, game.id, "RRGG")
    with pytest.raises(EnoughGamesError):
        await services.mastermind.solo.open(ANN, STANDARD)


async def test_the_count_of_yesterdays_games_is_forgotten(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    assert clock.now() == NOON
    begun(tmp_path)
    await services.privacy.servers.sweep(None)
    assert counted(tmp_path) == [(MOST_A_DAY,)]
    clock.set(MIDNIGHT)
    await services.privacy.servers.sweep(None)
    assert counted(tmp_path) == []

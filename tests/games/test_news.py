"""Whoever watches the database hears which games have changed, and where some have opened."""

from collections.abc import Callable

import pytest

from bot.clock import PuzzleName
from bot.games.model import Channel
from bot.mastermind.game import Setting
from bot.races.model import Race
from bot.services import Services
from engine import Focdle, Mastermind
from tests.support.clock import FakeClock
from tests.support.duels import (
    ANN,
    BEN,
    CHANNEL,
    EQUAL,
    GUILD,
    accept,
    against_bot,
    ids,
    invited,
    wrong,
)
from tests.support.masterminds import challenge
from tests.support.town import Town

HERE = Channel(GUILD, CHANNEL)
NOT_OF_GAMES = ("player:", "forget-player-")
News = Callable[[], set[str]]


@pytest.fixture
async def news(services: Services) -> News:
    return await news_of(services)


async def news_of(services: Services) -> News:
    """What is heard from one look to the next, besides of players."""
    heard: list[str | None] = []
    await services.watch(heard.append)

    def look() -> set[str]:
        found = {name for name in heard if name and not name.startswith(NOT_OF_GAMES)}
        heard.clear()
        return found

    return look


async def test_each_change_of_a_duel_is_told_also_by_whoever_finds_it_late(
    services: Services, clock: FakeClock, news: News
) -> None:
    duels = services.duels
    game = await accept(services, await invited(services))
    duel_id, (first, second) = game.duel.id, ids(game)
    name = {f"duel-{duel_id}"}
    assert news() == name
    await duels.playing.guess(first, duel_id, wrong(0))
    assert news() == name
    await duels.playing.offer_draw(second, duel_id)
    assert news() == name
    await duels.games.notebook(first, duel_id)
    await duels.playing.published(duel_id, 99, CHANNEL, version=game.duel.version)
    assert news() == set()
    clock.advance(days=9)
    await duels.games.notebook(first, duel_id)
    assert news() == name


async def test_each_change_of_a_duel_with_the_bot_has_a_version_of_its_own(
    services: Services, news: News
) -> None:
    game = await against_bot(services)
    news()
    after = await services.duels.playing.guess(ANN, game.duel.id, wrong(0))
    assert news() == {f"duel-{game.duel.id}"}
    assert after.duel.version > game.duel.version


async def test_each_change_of_a_mastermind_is_told_also_by_whoever_finds_it_late(
    services: Services, clock: FakeClock, news: News
) -> None:
    solo = services.mastermind.solo
    game = await solo.open(ANN, Setting())
    name = {f"mastermind-{game.id}"}
    news()
    for change in (
        solo.put(ANN, game.id, "R"),
        solo.guess(ANN, game.id, "PPPP"),
        services.coach.hints.of_mastermind(ANN, game.id, 1, 0),
        solo.surrender(ANN, game.id),
    ):
        await change
        assert news() == name
    late = await challenge(services)
    await services.mastermind.challenges.published(late, 99)
    news()
    clock.advance(days=2)
    assert (await services.mastermind.challenges.view(BEN, late.id)).ending
    assert news() == {f"mastermind-{late.id}"}


async def test_each_change_of_a_race_is_told_and_in_its_channel_what_its_post_lists(
    services: Services, clock: FakeClock, news: News
) -> None:
    races = services.races
    view = await races.open(ANN, HERE, Focdle())
    name = {f"race-{view.race.id}"}
    assert news() == name | {str(HERE)}
    await races.posted(view, 99)
    assert news() == {str(HERE)}
    await races.join(BEN, view.race.id, HERE)
    assert news() == name | {str(HERE)}
    await races.join(BEN, view.race.id, HERE)
    assert news() == set()
    clock.advance(seconds=60)
    started: Race = await races.look(view.race.id, HERE)
    assert (started.started_at is not None, news()) == (True, name | {str(HERE)})
    await races.look(view.race.id, HERE)
    assert news() == set()
    await races.guess(ANN, view.race.id, HERE, "41-3+27=65")
    assert news() == name
    clock.advance(minutes=10)
    assert (await races.board(ANN, view.race.id, None)).race.ending
    assert news() == name | {str(HERE)}


async def test_a_card_is_told_in_its_channel_as_it_opens_and_goes(
    services: Services, news: News
) -> None:
    seeking, place = services.duels.seeking, {str(HERE)}
    view = await seeking.seek(ANN, HERE, EQUAL, "0123")
    assert news() == place
    await seeking.shown(view, 99)
    assert news() == place
    await seeking.withdraw(ANN, view.seek.id)
    assert news() == place
    view = await seeking.seek(ANN, HERE, EQUAL, "0123")
    news()
    game = await seeking.take(BEN, view.seek.id, HERE, "4567")
    assert news() == place | {f"duel-{game.duel.id}"}
    view = await seeking.seek(ANN, HERE, EQUAL, "0123")
    news()
    await seeking.drop(view.seek)
    assert news() == place


async def test_todays_card_is_told_in_its_channel_once_it_opens(town: Town) -> None:
    news = await news_of(town.services)
    for player in (ANN, BEN):
        await town.join(player, GUILD)
        await town.play(player, GUILD)
    news()
    enter = town.services.entries.enter
    assert await enter(ANN, PuzzleName(324, 10), GUILD, CHANNEL)
    assert news() == {str(HERE)}
    assert await enter(BEN, PuzzleName(324, 10), GUILD, CHANNEL)
    assert news() == set()


async def test_a_deletion_is_told_to_those_whose_games_it_ends_or_leaves(
    services: Services, news: News
) -> None:
    duel = (await accept(services, await invited(services))).duel.id
    race = (await services.races.open(BEN, HERE, Mastermind())).race.id
    await services.races.join(ANN, race, HERE)
    news()
    await services.privacy.players.delete(ANN, "DELETE")
    assert news() == {f"duel-{duel}", f"race-{race}", str(HERE)}

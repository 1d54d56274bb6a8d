"""Set equations: who may set them, when they close, what outlives whom."""

import asyncio
import random
from datetime import timedelta
from pathlib import Path

import pytest

from bot.equations.game import EquationPost, read_equation
from bot.equations.model import (
    ChannelFullError,
    EquationClosedError,
    NoSuchEquationError,
    OneEquationError,
)
from bot.focdle.model import GuessRefusedError
from bot.games.model import Channel
from bot.services import Services, open_services
from engine import Focdle
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.support.table import KEY

ANN, BEN, CAT = 1001, 1002, 1003
HERE = Channel(900, 901)
EQUATION = "12+34-5=41"


async def posted(
    services: Services, setter: int = ANN, place: Channel = HERE, text: str = EQUATION
) -> EquationPost:
    post = await services.equations.set(setter, place, text)
    await services.equations.posted(post, 10_000 + post.equation.puzzle_id)
    return post


@pytest.mark.parametrize("length", range(7, 16))
def test_equations_of_every_length_are_read_as_they_are_typed(length: int) -> None:
    for seed in range(20):
        code = Focdle(length).draw(random.Random(seed))
        for text in (code, f" {' '.join(code)} ", code.partition("=")[0], code.replace("*", "×")):
            assert read_equation(text) == (Focdle(length), code)


async def test_a_board_takes_no_guess_after_its_equation_closed(
    services: Services, clock: FakeClock
) -> None:
    post = await posted(services)
    play = await services.equations.play(BEN, post.equation.puzzle_id, HERE)
    clock.advance(hours=24)
    with pytest.raises(GuessRefusedError):
        await services.daily.guess(BEN, play.id, EQUATION)
    with pytest.raises(EquationClosedError):
        await services.equations.play(CAT, post.equation.puzzle_id, HERE)
    found = await services.equations.play(BEN, post.equation.puzzle_id, HERE)
    assert found.game.is_given_up


async def test_a_set_equation_gives_no_points_and_counts_for_no_streak_or_leaderboard(
    services: Services, tmp_path: Path
) -> None:
    post = await posted(services)
    play = await services.equations.play(BEN, post.equation.puzzle_id, HERE)
    await services.daily.guess(BEN, play.id, EQUATION)
    for table in ("streaks", "streak_changes", "standings", "card_rows", "finishers"):
        assert sql(tmp_path, f"SELECT * FROM {table}") == []
    stats = await services.statistics.of(BEN, viewer_id=BEN)
    assert (stats.points, stats.focdle.played, stats.archive.played) == (0, 0, 0)


async def test_two_forms_sent_at_once_set_one_equation(services: Services) -> None:
    found = await asyncio.gather(
        *(services.equations.set(ANN, HERE, EQUATION) for _ in range(2)), return_exceptions=True
    )
    assert [type(each) for each in found if isinstance(each, Exception)] == [OneEquationError]


async def test_of_twenty_equations_set_at_once_a_channel_takes_three(services: Services) -> None:
    found = await asyncio.gather(
        *(services.equations.set(member, HERE, EQUATION) for member in range(2001, 2021)),
        return_exceptions=True,
    )
    refused = [each for each in found if isinstance(each, Exception)]
    assert [type(each) for each in refused] == [ChannelFullError] * 17


async def test_a_new_equation_in_a_full_channel_replaces_the_one_played_least_recently(
    services: Services, clock: FakeClock
) -> None:
    first, second, third = [await posted(services, setter) for setter in (ANN, BEN, CAT)]
    clock.advance(hours=3)
    await services.equations.play(1009, first.equation.puzzle_id, HERE)
    await posted(services, 1004)
    open_now = {each.puzzle_id for each in await services.equations.open_in(HERE)}
    assert first.equation.puzzle_id in open_now
    assert second.equation.puzzle_id not in open_now
    assert third.equation.puzzle_id in open_now


async def test_an_equation_that_could_not_be_posted_is_deleted(
    services: Services, tmp_path: Path
) -> None:
    post = await services.equations.set(ANN, HERE, EQUATION)
    await services.equations.take_back(post)
    assert sql(tmp_path, "SELECT * FROM equations") == []
    assert sql(tmp_path, "SELECT * FROM puzzles") == []


async def test_one_process_at_a_time_edits_an_equations_post(
    services: Services, clock: FakeClock, database_url: str
) -> None:
    post = await posted(services)
    number = post.equation.puzzle_id
    play = await services.equations.play(BEN, number, HERE)
    await services.daily.guess(BEN, play.id, EQUATION)
    async with open_services(database_url, clock, puzzle_key=KEY) as other:
        assert await services.equations.outdated() == [number]
        claims = [await each.equations.claim(number) for each in (services, other)]
        assert [claim is None for claim in claims] == [False, True]
        # A process that claimed it and was killed is followed a minute later.
        clock.advance(minutes=1)
        assert await other.equations.outdated() == [number]
        claimed = await other.equations.claim(number)
        assert claimed is not None
        await other.equations.shown(claimed, 7)
        clock.advance(minutes=1)
        assert await services.equations.outdated() == []


async def test_a_guess_that_ends_no_board_does_not_change_the_post(
    services: Services, clock: FakeClock
) -> None:
    post = await posted(services)
    play = await services.equations.play(BEN, post.equation.puzzle_id, HERE)
    await services.daily.guess(BEN, play.id, "12+34-6=40")
    clock.advance(minutes=1)
    assert await services.equations.outdated() == []


async def test_the_equation_of_a_deleted_setter_is_closed_and_names_nobody(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    post = await posted(services)
    number = post.equation.puzzle_id
    play = await services.equations.play(BEN, number, HERE)
    await services.daily.guess(BEN, play.id, EQUATION)
    await services.privacy.players.delete(ANN, "delete")
    with pytest.raises(EquationClosedError):
        await services.equations.play(CAT, number, HERE)
    claimed = await services.equations.claim(number)
    assert claimed is not None
    assert (claimed.is_open, claimed.setter, claimed.total) == (False, "", 1)
    assert sql(tmp_path, f"SELECT * FROM equations WHERE setter_id = {ANN}") == []
    clock.advance(days=2)
    await services.equations.shown(claimed, 7)
    await services.privacy.players.delete(BEN, "delete")
    (_, look_at) = sql(tmp_path, "SELECT puzzle_id, look_at FROM equations")[0]
    assert look_at is not None  # its post is to name nobody


async def test_the_post_of_an_equation_has_no_id_of_a_hidden_player(
    services: Services, clock: FakeClock
) -> None:
    post = await posted(services)
    for player in (BEN, CAT):
        play = await services.equations.play(player, post.equation.puzzle_id, HERE)
        await services.daily.guess(player, play.id, EQUATION)
    await services.preferences.set_hidden(BEN, on=True)
    clock.advance(minutes=1)
    found = await services.equations.claim(post.equation.puzzle_id)
    assert found is not None
    assert {row.player_id for row in found.rows} == {0, CAT}


async def test_an_equation_of_a_deleted_server_is_not_found(services: Services) -> None:
    post = await posted(services)
    await services.privacy.servers.delete_unasked(HERE.guild_id)
    with pytest.raises(NoSuchEquationError):
        await services.equations.look(post.equation.puzzle_id, HERE)
    assert await services.equations.outdated() == []


async def test_an_export_shows_the_players_equations_and_hides_those_of_others(
    services: Services,
) -> None:
    post = await services.equations.set(ANN, HERE, EQUATION, BEN)
    await services.equations.posted(post, 1)
    mine = (await services.privacy.players.export(ANN)).content.decode()
    assert EQUATION in mine
    theirs = (await services.privacy.players.export(BEN)).content.decode()
    assert '"equations"' in theirs
    assert EQUATION not in theirs


async def test_an_equation_stays_open_for_a_day(services: Services, clock: FakeClock) -> None:
    post = await posted(services)
    clock.advance(seconds=timedelta(hours=24).total_seconds() - 1)
    assert await services.equations.play(BEN, post.equation.puzzle_id, HERE)


async def test_a_post_edited_while_its_setters_data_are_deleted_is_edited_again(
    services: Services,
) -> None:
    post = await posted(services)
    number = post.equation.puzzle_id
    await services.equations.close(ANN, number, HERE, is_manager=False)
    old = await services.equations.claim(number)
    assert old is not None
    await services.privacy.players.delete(ANN, "delete")
    await services.equations.shown(old, 7)
    assert await services.equations.outdated() == [number]
    new = await services.equations.claim(number)
    assert new is not None
    assert new.equation.setter_id < 0


async def edit_for(services: Services, clock: FakeClock, hours: int) -> int:
    """Let the clock do its rounds, with Discord in reach; how many edits there were."""
    edits = 0
    for _ in range(hours * 6):
        clock.advance(minutes=10)
        for number in await services.equations.outdated():
            claimed = await services.equations.claim(number)
            assert claimed is not None
            await services.equations.shown(claimed, 7)
            edits += 1
    return edits


async def test_a_post_is_edited_a_last_time_a_day_after_its_equation_closed(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    await posted(services)
    assert await edit_for(services, clock, 23) == 0
    assert await edit_for(services, clock, 2) == 1
    assert await edit_for(services, clock, 24) == 1
    assert sql(tmp_path, "SELECT look_at FROM equations") == [(None,)]


async def test_the_equation_of_a_deleted_setter_is_deleted_when_its_post_is_final(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    await posted(services)
    await services.privacy.players.delete(ANN, "delete")
    await edit_for(services, clock, 25)
    while await services.privacy.cleaning.expire():
        pass
    assert sql(tmp_path, "SELECT * FROM equations") == []


async def test_an_unreachable_post_is_given_up_a_day_after_its_equation_closed(
    services: Services, clock: FakeClock
) -> None:
    post = await posted(services)
    number = post.equation.puzzle_id
    await services.equations.close(ANN, number, HERE, is_manager=False)
    for hours, tries in ((0, [number]), (2, [number]), (25, [number]), (2, [])):
        clock.advance(hours=hours)
        assert await services.equations.outdated() == tries
        claimed = await services.equations.claim(number)
        if claimed is not None:
            await services.equations.unreachable(claimed)

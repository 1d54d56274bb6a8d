"""More than a page of what waits at once: others wait for one of them, never for all."""

from pathlib import Path

import pytest

from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.duels import ANN, BEN, CHANNEL, EQUAL, GUILD, invited
from tests.support.flow import all_of
from tests.support.sql import multiply, sql, statements

MANY = 51
# What is done for one duel or game; those that end move no rating here.
MOST_FOR_ONE = 20


@pytest.fixture
async def many_duels(services: Services, clock: FakeClock, tmp_path: Path) -> None:
    """Challenges with boards, which are to be shown anew, and about which somebody is called."""
    game = await invited(services, EQUAL)
    await services.duels.playing.published(game.duel.id, 77, CHANNEL, version=game.duel.version)
    sql(tmp_path, "UPDATE duels SET stale_at = opened_at, nudge_at = opened_at")
    multiply(tmp_path, "duels", "id", MANY)
    multiply(tmp_path, "duel_seats", "duel_id", MANY)
    clock.advance(minutes=1)


@pytest.mark.usefixtures("many_duels")
async def test_each_duel_with_an_old_board_or_a_passed_deadline_is_read_in_its_own_transaction(
    services: Services, clock: FakeClock
) -> None:
    with statements() as made:
        stale = await all_of(services.duels.boards.outdated())
    assert [game.duel.id for game in stale] == list(range(1, MANY + 1))
    assert len(made) == MANY + 2
    assert max(map(len, made)) <= MOST_FOR_ONE
    with statements() as made:
        assert await all_of(services.duels.boards.to_nudge()) == list(range(1, MANY + 1))
    assert [len(transaction) for transaction in made] == [1, 1]
    clock.advance(days=1)
    with statements() as made:
        assert len(await services.duels.games.sweep()) == MANY
    assert len(made) == MANY + 2
    assert max(map(len, made)) <= MOST_FOR_ONE


@pytest.mark.usefixtures("many_duels")
async def test_a_board_shown_by_another_process_is_not_shown_again(services: Services) -> None:
    boards = services.duels.boards
    stale = boards.outdated()
    assert (await anext(stale)).duel.id == 1
    await boards.note_shown((await services.duels.playing.view(0, 2)).duel)
    assert (await anext(stale)).duel.id == 3


async def test_each_challenge_with_an_old_board_or_a_passed_deadline_is_read_in_its_own_transaction(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    challenges, games = services.mastermind.challenges, services.mastermind.games
    view = await challenges.invite(Invitation(ANN, BEN, GUILD, CHANNEL), Setting(), "RGBY")
    await challenges.published(view.game, 77)
    await challenges.accept(BEN, view.game.id, Setting())
    multiply(tmp_path, "masterminds", "id", MANY)
    clock.advance(minutes=1)
    with statements() as made:
        assert len(await all_of(games.unshown())) == MANY
    assert len(made) == MANY + 2
    clock.advance(days=1)
    with statements() as made:
        assert len(await games.sweep()) == MANY
    assert len(made) == MANY + 2
    assert max(map(len, made)) <= MOST_FOR_ONE

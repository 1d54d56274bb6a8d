"""What is left of series: the duel on the board ends its own, and says so."""

from pathlib import Path

import pytest

from bot.duels.model import DuelView, Ending
from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.duels import ANN, accepted
from tests.support.sql import sql

pytestmark = pytest.mark.usefixtures("keys_watched")


def in_series(folder: Path, game: DuelView) -> None:
    """Let a duel be one of several, as the migration has found it."""
    sql(folder, f"UPDATE duels SET of_series = true WHERE id = {game.duel.id}")


async def test_a_duel_of_a_retired_series_lapses_when_a_player_sets_no_number(
    services: Services, clock: FakeClock, tmp_path: Path
) -> None:
    game = await accepted(services)
    in_series(tmp_path, game)
    await services.duels.playing.set_secret(ANN, game.duel.id, "0123")
    clock.advance(minutes=11)
    (over,) = await services.duels.games.sweep()
    assert (over.duel.ending, over.duel.winner) == (Ending.LAPSED, None)


async def test_a_duel_that_was_forfeited_in_a_retired_series_can_be_read(
    services: Services, tmp_path: Path
) -> None:
    game = await accepted(services)
    over = "state = 'over', ending = 'forfeited', winner = 1, finished_at = moved_at"
    sql(tmp_path, f"UPDATE duels SET {over} WHERE id = {game.duel.id}")
    found = await services.duels.playing.view(ANN, game.duel.id)
    assert (found.duel.ending, found.duel.winner) == (Ending.FORFEITED, 1)

"""With what the bot begins while somebody watches it break an equation."""

import pytest

from bot.focdle.game import DRAWS
from bot.services import Services
from engine import Focdle
from engine.solvers import Allowed, openings
from tests.support.duels import ANN, BEN

SEEDS = [f"{seed:016x}" for seed in range(40)]


async def began(services: Services, length: int, seed: str) -> str:
    return (await services.watching.step(ANN, length, seed, 1)).steps[0].turn.guess


async def test_games_of_the_bot_begin_with_different_equally_good_openings(
    services: Services,
) -> None:
    equal = openings(Focdle(7), Allowed.FORM)
    assert {await began(services, 7, seed) for seed in SEEDS} == set(equal)


async def test_a_game_of_the_bot_continues_the_same_for_every_viewer(services: Services) -> None:
    for seed in SEEDS[:5]:
        whole = await services.watching.step(ANN, 7, seed, 6)
        assert whole.is_found
        for guesses in range(1, 6):
            part = await services.watching.step(BEN, 7, seed, guesses)
            assert part.steps == whole.steps[:guesses]


@pytest.mark.parametrize("length", range(7, 16))
def test_the_number_of_draws_is_a_multiple_of_the_number_of_openings(
    length: int,
) -> None:
    assert DRAWS % len(openings(Focdle(length), Allowed.FORM)) == 0

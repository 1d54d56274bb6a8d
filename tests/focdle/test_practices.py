"""Practices: dealt from a table that ships, each unlike a player's last ones."""

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from bot.focdle.game import LAST_PRACTICES, practices
from bot.services import Services
from engine import Focdle
from engine.focdle import LONGEST, SHORTEST
from engine.levels import Level
from engine.solvers.focdle.difficulty import difficulty
from tests.support.effort import either
from tests.support.masterminds import ANN, BEN
from tests.support.sql import sql
from tools.practices import EACH
from tools.practices import practices as drawn

LENGTHS = range(SHORTEST, LONGEST + 1)


@pytest.mark.parametrize("length", LENGTHS)
def test_the_table_has_as_many_equations_of_each_level_and_their_difficulties(length: int) -> None:
    table = practices(length)
    assert Counter(hard.level for hard in table.values()) == dict.fromkeys(Level, EACH)
    rules = Focdle(length)
    for secret in Random(length).sample(list(table), either(length % 3 == 1, 20)):
        assert difficulty(rules, secret) == table[secret]


def test_the_table_is_what_the_tool_draws_easiest_first() -> None:
    assert {secret: hard for hard, secret in drawn(SHORTEST, 5)}.items() <= practices(7).items()
    for length in LENGTHS:
        rows = [(hard, secret) for secret, hard in practices(length).items()]
        assert rows == sorted(rows)


async def test_a_practice_has_the_level_that_was_asked_for_and_goes_on(services: Services) -> None:
    first = await services.practice.open(ANN, None, 9, Level.HARD)
    assert (first.rules.length, first.level) == (9, Level.HARD)
    assert practices(9)[first.game.secret].level is Level.HARD
    assert await services.practice.open(ANN, None, 9, Level.HARD) == first
    assert await services.practice.open(ANN, None) == first
    assert (await services.practice.open(ANN, None, level=Level.EASY)).rules.length == 10
    any_level = await services.practice.open(BEN, None, 9)
    assert any_level.level is None
    assert any_level.game.secret in practices(9)


async def test_a_practice_is_none_of_the_players_last_ones(
    services: Services, tmp_path: Path
) -> None:
    practice = services.practice
    for _ in range(LAST_PRACTICES + 10):
        play = await practice.open(ANN, None, 7, Level.VERY_HARD)
        await practice.give_up(ANN, play.id)
    dealt = [secret for (secret,) in sql(tmp_path, "select secret from puzzles order by id")]
    for last in range(10):
        assert len({*dealt[last : last + LAST_PRACTICES + 1]}) == LAST_PRACTICES + 1

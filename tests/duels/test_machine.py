"""Whatever two players, a bot and strangers do, over restarts and days: duels stay whole."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import cast

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from engine import Mode
from tests.support.databases import NewDatabase
from tests.support.duel_machine import DuelMachine
from tests.support.effort import either

pytestmark = pytest.mark.usefixtures("keys_watched")


@pytest.fixture
def machine(new_database: NewDatabase, tmp_path: Path) -> Callable[[], DuelMachine]:
    numbers = count()

    def make() -> DuelMachine:
        folder = tmp_path / str(next(numbers))
        folder.mkdir()
        return DuelMachine(folder, new_database(folder))

    return make


@pytest.mark.long
def test_duels_stay_consistent_whatever_their_players_do(
    machine: Callable[[], DuelMachine],
) -> None:
    machines: list[DuelMachine] = []

    def remembered() -> DuelMachine:
        machines.append(machine())
        return machines[-1]

    run_state_machine_as_test(
        cast("type[DuelMachine]", remembered),
        settings=settings(
            max_examples=either(7, 100),
            stateful_step_count=either(10, 15),
            deadline=None,
            derandomize=True,
            report_multiple_bugs=False,
            phases=(Phase.generate, Phase.shrink),
        ),
    )
    reached = {end for machine in machines for end in machine.judge.ends}
    assert {mode for mode, _, _ in reached} == {mode.value for mode in Mode}
    assert len({ending for _, ending, _ in reached}) >= 6, reached
    assert sum(machine.judge.refused for machine in machines) > 20

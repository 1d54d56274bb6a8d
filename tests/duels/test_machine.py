"""Whatever two players, a bot and strangers do, over restarts and days: duels stay whole."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Final, cast

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from bot.duels.position import Options
from engine import Mode
from tests.support.databases import NewDatabase
from tests.support.duel_machine import ACTS, CODES, RIGHT, DuelMachine
from tests.support.duels import ANN, BEN, CAT
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


WRONG: Final = [code for code in CODES if code[0] == "9"]
EQUAL, CLASSIC = Mode.EQUAL_TURNS, Mode.CLASSIC

HALF = timedelta(hours=12)

Step = timedelta | tuple[int, str, str]
"""Time that passes before a sweep, more than a day without the bot, or what a seat does."""


@pytest.mark.parametrize(
    ("mode", "steps", "end"),
    [
        (EQUAL, [(0, "guess", RIGHT), (1, "guess", RIGHT)], ("both_solved", None)),
        (EQUAL, [(0, "guess", RIGHT), (1, "guess", WRONG[0])], ("solved", 0)),
        (EQUAL, [(0, "guess", WRONG[0]), (1, "guess", RIGHT)], ("solved", 1)),
        (EQUAL, [(1, "offer_draw", ""), (0, "accept_draw", "")], ("draw_agreed", None)),
        (
            EQUAL,
            [
                *((1, "offer_draw", ""), (0, "guess", WRONG[0])),
                *((0, "accept_draw", ""), (1, "resign", "")),
            ],
            ("resigned", 0),
        ),
        (EQUAL, [HALF, (1, "offer_draw", ""), HALF], ("timed_out", 1)),
        (EQUAL, [HALF, (0, "guess", WRONG[0]), HALF, HALF], ("timed_out", 0)),
        (CLASSIC, [(0, "guess", RIGHT)], ("solved", 0)),
        (CLASSIC, [(0, "offer_draw", ""), (1, "offer_draw", "")], ("draw_agreed", None)),
    ],
)
def test_the_bot_and_the_judge_of_simulated_duels_reach_each_listed_ending(
    machine: Callable[[], DuelMachine],
    mode: Mode,
    steps: list[Step],
    end: tuple[str, int | None],
) -> None:
    whole = machine()
    try:
        whole.begin(1, Options(mode=mode))
        for step in steps:
            if isinstance(step, timedelta):
                whole.wait(step, away=step > timedelta(days=1))
                whole.sweep()
            else:
                ((duel, stored),) = whole.judge.duels.items()
                seat, act, text = step
                whole.act(stored.players[seat] or 0, duel, act, text)
        assert whole.judge.ends == [(mode.value, *end)]
    finally:
        whole.teardown()


def test_a_forbidden_action_changes_nothing_in_a_duel(machine: Callable[[], DuelMachine]) -> None:
    whole = machine()
    try:
        begun = whole.begin(1, Options(mode=CLASSIC))
        asked = whole.challenge(ANN, BEN, 0, Options())
        assert isinstance(begun, int)
        assert isinstance(asked, int)
        whole.challenge(ANN, "again", begun, Options())
        whole.act(ANN, asked, "accept", CODES[0])
        whole.act(BEN, asked, "withdraw")
        whole.act(BEN, asked, "accept", "1123")
        whole.act(BEN, asked, "guess", CODES[0])
        for act in ACTS:
            whole.act(CAT, asked, act, CODES[0])
            whole.act(CAT, begun, act, CODES[0])
        whole.act(BEN, asked, "view")
        assert whole.judge.ends == []
        assert {duel.state for duel in whole.judge.duels.values()} == {"invited", "playing"}
    finally:
        whole.teardown()

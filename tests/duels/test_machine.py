"""Whatever two players, a bot and strangers do, over restarts and days: duels stay whole."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Final, cast

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from bot.duels.model import Pace
from engine import Mode
from tests.support.databases import NewDatabase
from tests.support.duel_machine import ACTS, CODES, RIGHT, DuelMachine
from tests.support.duels import ANN, BEN, CAT, Chosen
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
            max_examples=either(10, 100),
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
EQUAL_TURNS, CLASSIC, RACE = Mode.EQUAL_TURNS, Mode.CLASSIC, Mode.RACE
LIVE, RELAXED = Pace.LIVE, Pace.RELAXED
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)

Step = timedelta | tuple[int, str, str]
"""Time that passes before a sweep, more than a day without the bot, or what a seat does."""
ABSENCE: Final = timedelta(days=2)


@pytest.mark.parametrize(
    ("mode", "pace", "steps", "end"),
    [
        (EQUAL_TURNS, LIVE, [(0, "guess", RIGHT), (1, "guess", RIGHT)], ("both_solved", None)),
        (EQUAL_TURNS, LIVE, [(0, "guess", RIGHT), (1, "guess", WRONG[0])], ("solved", 0)),
        (EQUAL_TURNS, LIVE, [(0, "guess", WRONG[0]), (1, "guess", RIGHT)], ("solved", 1)),
        (EQUAL_TURNS, LIVE, [(1, "offer_draw", ""), (0, "accept_draw", "")], ("draw_agreed", None)),
        (
            *(EQUAL_TURNS, LIVE),
            [
                *((1, "offer_draw", ""), (0, "guess", WRONG[0])),
                *((0, "accept_draw", ""), (1, "resign", "")),
            ],
            ("resigned", 0),
        ),
        (EQUAL_TURNS, RELAXED, [timedelta(hours=24)], ("timed_out", 1)),
        (EQUAL_TURNS, LIVE, [MINUTE, (1, "offer_draw", ""), MINUTE], ("timed_out", 1)),
        (CLASSIC, LIVE, [(0, "guess", RIGHT)], ("solved", 0)),
        (CLASSIC, LIVE, [(0, "offer_draw", ""), (1, "offer_draw", "")], ("draw_agreed", None)),
        (CLASSIC, LIVE, [timedelta(minutes=2)], ("timed_out", 1)),
        (RACE, LIVE, [(1, "resign", "")], ("resigned", 0)),
        (RACE, LIVE, [(1, "guess", RIGHT), (0, "guess", RIGHT)], ("both_solved", None)),
        (RACE, LIVE, [(1, "guess", RIGHT), SECOND, (0, "guess", RIGHT)], ("solved", 1)),
        (RACE, LIVE, [(1, "guess", RIGHT), ABSENCE, (0, "guess", RIGHT)], ("both_solved", None)),
        (RACE, RELAXED, [(1, "guess", RIGHT), SECOND, (0, "guess", RIGHT)], ("both_solved", None)),
        (RACE, LIVE, [(1, "guess", RIGHT), (0, "guess", WRONG[0])], ("solved", 1)),
        (RACE, LIVE, [timedelta(minutes=2)], ("timed_out", None)),
    ],
)
def test_the_bot_and_the_judge_of_simulated_duels_reach_each_listed_ending(
    machine: Callable[[], DuelMachine],
    mode: Mode,
    pace: Pace,
    steps: list[Step],
    end: tuple[str, int | None],
) -> None:
    whole = machine()
    try:
        whole.begin(1, Chosen(mode=mode, pace=pace))
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
        begun = whole.begin(1, Chosen(mode=CLASSIC, pace=RELAXED))
        race = whole.challenge(ANN, BEN, 0, Chosen(mode=RACE))
        assert isinstance(begun, int)
        assert isinstance(race, int)
        whole.challenge(ANN, "again", begun, Chosen())
        whole.act(ANN, race, "accept")
        whole.act(BEN, race, "withdraw")
        whole.act(BEN, race, "accept")
        whole.act(ANN, race, "guess", CODES[0])
        whole.act(ANN, race, "start")
        whole.wait(timedelta(minutes=2), away=False)
        for act in ACTS:
            whole.act(CAT, race, act, CODES[0])
            whole.act(CAT, begun, act, CODES[0])
        whole.act(BEN, race, "view")
        assert whole.judge.ends == [("race", "timed_out", whole.judge.duels[race].winner)]
    finally:
        whole.teardown()

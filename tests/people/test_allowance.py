"""How much one player may ask for at once."""

import asyncio

import pytest

from bot.people.game import Admission, Allowances, Cost
from bot.pool.pool import in_thread
from tests.support.clock import FakeClock

ANN, BEN = 11, 22
GRANTED, REFUSED, AGAIN = Admission.GRANTED, Admission.REFUSED, Admission.REFUSED_AGAIN


@pytest.fixture
def allowances(clock: FakeClock) -> Allowances:
    return Allowances(clock)


def granted(allowances: Allowances, cost: Cost, times: int = 200, player: int = ANN) -> int:
    return [allowances.take(player, cost) for _ in range(times)].count(GRANTED)


@pytest.mark.parametrize(
    ("cost", "at_once", "a_second"),
    [(Cost.HEAVY, 10, 2), (Cost.COACH, 10, 2), (Cost.LIGHT, 40, 8), (Cost.TYPING, 40, 8)],
)
def test_clicks_are_limited_both_at_once_and_per_second(
    allowances: Allowances, clock: FakeClock, cost: Cost, at_once: int, a_second: int
) -> None:
    assert granted(allowances, cost) == at_once
    for _ in range(3):
        clock.advance(seconds=1)
        assert granted(allowances, cost) == a_second
    clock.advance(seconds=0.5 / a_second)
    assert granted(allowances, cost) == 0
    clock.advance(seconds=0.5 / a_second)
    assert granted(allowances, cost) == 1
    clock.advance(hours=1)
    assert granted(allowances, cost) == at_once


def test_heavy_requests_have_an_allowance_of_their_own_and_moves_have_no_limit(
    allowances: Allowances,
) -> None:
    assert granted(allowances, Cost.HEAVY) == 10
    assert granted(allowances, Cost.COACH) == 0
    assert granted(allowances, Cost.LIGHT) == 40
    assert granted(allowances, Cost.TYPING) == 40
    assert granted(allowances, Cost.FREE) == 200
    assert granted(allowances, Cost.HEAVY, player=BEN) == 10


def test_a_player_over_the_limit_is_told_to_wait_once_in_ten_seconds(
    allowances: Allowances, clock: FakeClock
) -> None:
    granted(allowances, Cost.HEAVY, 10)
    found: list[Admission] = []
    for _ in range(24):
        found += [allowances.take(ANN, Cost.HEAVY) for _ in range(3)]
        clock.advance(seconds=0.5)
    assert [verdict for verdict in found if verdict is not GRANTED].count(REFUSED) == 2
    assert found[:3] == [REFUSED, AGAIN, AGAIN]
    assert found[60] is GRANTED
    assert found[61] is REFUSED


def test_a_player_with_full_allowances_is_forgotten(
    allowances: Allowances, clock: FakeClock
) -> None:
    for player in range(1_000):
        allowances.take(player, Cost.LIGHT)
    clock.advance(seconds=9)
    allowances.take(5, Cost.LIGHT)
    assert len(allowances) == 1_000
    clock.advance(seconds=1)
    allowances.take(ANN, Cost.LIGHT)
    assert len(allowances) == 2


def test_a_clock_set_back_takes_no_allowance_away(allowances: Allowances, clock: FakeClock) -> None:
    granted(allowances, Cost.LIGHT, 30)
    clock.advance(hours=-1)
    assert granted(allowances, Cost.LIGHT) == 10


async def test_a_players_heavy_requests_run_one_after_the_other(
    allowances: Allowances,
) -> None:
    done: list[str] = []
    gates = {name: asyncio.Event() for name in ("first", "second", "third", "other")}

    async def ask(player: int, name: str) -> None:
        task = asyncio.current_task()
        assert task is not None
        await allowances.turn(player, task)
        await gates[name].wait()
        done.append(name)

    names = {"first": ANN, "second": ANN, "third": ANN, "other": BEN}
    tasks = [asyncio.create_task(ask(player, name)) for name, player in names.items()]
    for name in ("third", "second", "other"):
        gates[name].set()
    await asyncio.wait({tasks[3]})
    assert done == ["other"]
    tasks[1].cancel()
    gates["first"].set()
    await asyncio.wait(tasks)
    assert done == ["other", "first", "third"]


async def test_only_two_heavy_requests_run_at_once() -> None:
    started = asyncio.Semaphore(0)
    loop, end = asyncio.get_running_loop(), asyncio.Event()

    def slow() -> None:
        loop.call_soon_threadsafe(started.release)
        asyncio.run_coroutine_threadsafe(end.wait(), loop).result()

    work = [asyncio.create_task(in_thread(slow)) for _ in range(5)]
    for _ in range(2):
        await started.acquire()
    assert await asyncio.to_thread(lambda: 1) == 1  # others have not to wait
    assert started.locked()
    end.set()
    await asyncio.gather(*work)

"""A simulated Discord that soon finds that the bot has come to rest.

SimCord looks at every task, and if some callback is still due, looks again after a twentieth of a
second, though the callback takes its turn at once. Each time it looks for the timer of each loop
among all timers. The former was a fifth of the time of all stories, the latter a tenth; looking so
soon again while a thread still asks the database was another fifth.
"""

import asyncio
from asyncio import Future, Task
from functools import partialmethod
from typing import Any, Final
from weakref import WeakKeyDictionary

import simcord
from simcord import _dpy_internals, _settlement

from tests.support.breakdowns import check_unbroken

_BETWEEN_LOOKS_SECONDS: Final = 0.001
_ROUNDS: Final = 8
# Who sleeps for longer is let sleep, as those are who look every minute.
_LOOKED_SECONDS: Final = 30.0


def settle_promptly() -> None:
    """Let every simulated Discord that is opened from now on look again soon, and for long."""
    # SimCord lets this pause be chosen only where a test waits by itself.
    env: Any = simcord.Env
    settle = env._settle_internal  # noqa: SLF001 - for want of a public way

    async def settle_soon(self: simcord.Env, **options: Any) -> None:
        given = options.get("timeout")  # a start is given five seconds, which a busy machine is not
        patience = self.settle_timeout if given is None else max(given, _LOOKED_SECONDS)
        # Set before the wait for threads: who begins to sleep meanwhile would seem to wake in time.
        deadline = options.get("_deadline") or asyncio.get_running_loop().time() + patience
        await _join_threads(self, deadline)
        at_once = {"timeout": patience, "_deadline": deadline, "idle": _BETWEEN_LOOKS_SECONDS}
        await settle(self, **options | at_once)
        check_unbroken()

    env._settle_internal = settle_soon  # noqa: SLF001
    env.__init__ = partialmethod(env.__init__, settle_timeout=_LOOKED_SECONDS)
    _remember_timers(_settlement, _dpy_internals)


async def _join_threads(env: Any, deadline: float) -> None:
    """Wait until no thread works for the bot for some rounds of its loop, or one takes long."""
    loop, rounds = asyncio.get_running_loop(), 0
    while rounds < _ROUNDS and loop.time() < deadline:
        running = tuple(env._work.executors)  # noqa: SLF001
        if not running:
            await asyncio.sleep(0)
            rounds += 1
            continue
        done, _ = await asyncio.wait(running, timeout=0.05, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            return
        rounds = 0


def _remember_timers(settlement: Any, internals: Any) -> None:
    """Look for the timer that wakes a loop (of `discord.ext.tasks`) once each time it sleeps."""
    timers: WeakKeyDictionary[Future[Any], Any] = WeakKeyDictionary()
    waking, recognized, reason = (
        settlement._timer_records_waking,  # noqa: SLF001
        settlement._recognized_wait,  # noqa: SLF001
        settlement._park_reason,  # noqa: SLF001
    )

    def known(state: Any, waiter: Any) -> list[Any]:
        if waiter is None or waiter.done():
            return []
        timer = timers.get(waiter)
        if timer is None or timer.handle is None or timer.handle.cancelled():
            return []
        return [timer] if timer.when > state.virtual_time else []

    def wakes(state: Any, task: Task[Any], waiter: Any) -> list[Any]:
        if found := known(state, waiter):
            return found
        found = waking(state, task, waiter)
        if len(found) == 1 and internals.tasks_loop_sleep(task, waiter):
            timers[waiter] = found[0]
        return found

    def is_recognized(state: Any, task: Task[Any], waiter: Any) -> bool:
        return bool(known(state, waiter)) or recognized(state, task, waiter)

    def why_parked(state: Any, task: Any, *more: Any) -> str | None:
        if not task.done() and known(state, task._fut_waiter):  # noqa: SLF001
            return "discord.ext.tasks loop interval"
        return reason(state, task, *more)

    settlement._timer_records_waking = wakes  # noqa: SLF001
    settlement._recognized_wait = is_recognized  # noqa: SLF001
    settlement._park_reason = why_parked  # noqa: SLF001

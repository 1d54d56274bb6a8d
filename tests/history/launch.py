"""What a process of a history runs: the bot, one shard of it, with a clock that is not quite right.

    python -m tests.history.launch ADDRESS SHARD/SHARDS CLOCK SKEW [WITHOUT_LOCKS]

CLOCK is a file: how many seconds everybody's clock has been set forward. SKEW is how many more this
one is ahead.
"""

import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from bot.__main__ import main
from bot.clock import SystemClock
from bot.db import postgres
from cogs.duels.messages import DuelClockCog
from tests.support.redirect import redirect


def set_clock(path: Path, skew: float) -> Callable[[], None]:
    """Let this process's clock be the machine's, and so much ahead as a file says, and a skew.

    Returns:
        What sets it back.
    """
    clock: Any = SystemClock
    machine = clock.now

    def now(self: SystemClock) -> datetime:
        told: datetime = machine(self)
        return told + timedelta(seconds=skew + float(path.read_text()))

    clock.now = now
    return lambda: setattr(clock, "now", machine)


def _lock_no_keys() -> None:
    """Be a build in which two processes may be about the same thing at once."""
    module: Any = postgres
    locks = module._locks  # noqa: SLF001 - what is broken is what nobody may reach

    def none_of_keys(_: object, until: float, *before: str) -> Any:
        return locks([], until, *before)

    module._locks = none_of_keys  # noqa: SLF001 - likewise


def _launch(address: str, shard: str, clock: str, skew: str, *broken: str) -> None:
    redirect(address)
    set_clock(Path(clock), float(skew))
    if broken:
        _lock_no_keys()
    for loop in (DuelClockCog.beat, DuelClockCog.nudge):
        loop.change_interval(seconds=1)
    sys.exit(main(["--shards", shard]))


if __name__ == "__main__":
    _launch(*sys.argv[1:])

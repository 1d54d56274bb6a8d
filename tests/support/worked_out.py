"""What the coach works out is worked out once a test run for the same game.

Stories have the same few secrets. Difficulties and analyses that were known took a thirtieth of the
time of all of them.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from bot.pool.worker import Named


def work_out_once() -> None:
    """Let all workers in this process remember what the coach has found; tests' own are run."""
    named: Any = Named
    found = named.found

    def remembering(self: Named[..., Any]) -> Callable[..., Any]:
        work: Callable[..., Any] = found(self)
        return _remembering(work) if work.__module__ == "bot.coach.analysis" else work

    named.found = remembering


@cache
def _remembering(work: Callable[..., Any]) -> Callable[..., Any]:
    return cache(work)

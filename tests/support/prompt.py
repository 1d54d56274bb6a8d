"""A simulated Discord that soon looks again whether the bot has come to rest.

SimCord looks, and if some callback is still due, looks again after a twentieth of a second, though
the callback takes its turn at once. That was a fifth of the time of all stories.
"""

from functools import partialmethod
from typing import Any, Final

import simcord

_BETWEEN_LOOKS_SECONDS: Final = 0.001
# Who sleeps for longer is let sleep, as those are who look every minute.
_LOOKED_SECONDS: Final = 30.0


def settle_promptly() -> None:
    """Let every simulated Discord that is opened from now on look again soon, and for long."""
    # SimCord lets this pause be chosen only where a test waits by itself.
    env: Any = simcord.Env
    settle = env._settle_internal  # noqa: SLF001 - for want of a public way

    async def settle_soon(self: simcord.Env, **options: Any) -> None:
        given = options.get("timeout")  # a start is given five seconds, which a busy machine is not
        patience = {} if given is None else {"timeout": max(given, _LOOKED_SECONDS)}
        await settle(self, **options | patience | {"idle": _BETWEEN_LOOKS_SECONDS})

    env._settle_internal = settle_soon  # noqa: SLF001
    env.__init__ = partialmethod(env.__init__, settle_timeout=_LOOKED_SECONDS)

"""Cyclic garbage: what stays as long as the program is not looked through again and again.

A full collection looks at every object there is, with the event loop waiting: 200 ms when the bot
has just started, and longer the more servers it is in. What was there at the start stays, so it is
set aside (`gc.freeze`), and collections look only at what came since. While the program is loaded
there are none at all: they would take a fourteenth of the start, and find next to nothing.
"""

import gc
from typing import Final

# A collection of the youngest is due after so many new objects more than old ones gone; ten of
# them make one of the middle, twenty of these a full one. What that gave is in `docs/BENCH.md`.
_THRESHOLDS: Final = 2_000, 10, 20


def set_aside() -> None:
    """Set aside all that is there, without looking through it; from now on, garbage is looked for.

    What is garbage by then stays, too. After a start that is about a thousand objects of 180,000,
    and to find them would take longer than all else between imports and the login.
    """
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    gc.enable()

"""Cyclic garbage: what stays as long as the program is not looked through again and again.

A full collection looks at every object there is, with the event loop waiting: 200 ms when the bot
has just started, and longer the more servers it is in. What was there at the start stays, so it is
set aside (`gc.freeze`), and collections look only at what came since.
"""

import gc
from typing import Final

# A collection of the youngest is due after so many new objects more than old ones gone; ten of
# them make one of the middle, twenty of these a full one. `docs/BENCH.md` has what that was
# measured by: the library's 700, 10, 10 collect more often, and never saved memory here.
_THRESHOLDS: Final = 2_000, 10, 20


def set_aside_program() -> None:
    """Clear up after the start, and set aside what is left; it takes about a fifth of a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)


def set_aside_servers() -> None:
    """Set aside what Discord told when it connected, without looking through it: that is quick."""
    gc.freeze()

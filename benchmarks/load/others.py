"""What other programs take of the machine meanwhile, for whoever reads the figures to know."""

import os
from pathlib import Path
from time import perf_counter
from typing import Final

_MACHINE: Final = Path("/proc/stat")
_IDLE: Final = slice(3, 5)  # of what is counted: with nothing to do, and with nothing but waiting
_COUNTED: Final = 8


class Others:
    """Counts from now on what is neither this process's nor that of children that have ended."""

    def __init__(self) -> None:
        self._began = perf_counter()
        self._elsewhere = _elsewhere()

    def cores(self) -> float | None:
        """How many cores they took, on average; None where nobody can tell."""
        now = _elsewhere()
        if now is None or self._elsewhere is None:
            return None
        return max(0.0, now - self._elsewhere) / (perf_counter() - self._began)


def _elsewhere() -> float | None:
    """Seconds of processor time of all others since the machine has started."""
    if not _MACHINE.exists():
        return None
    line = _MACHINE.read_text(encoding="ascii").partition("\n")[0]
    ticks = [int(word) for word in line.split()[1 : _COUNTED + 1]]
    busy = sum(ticks) - sum(ticks[_IDLE])
    return busy / os.sysconf("SC_CLK_TCK") - sum(os.times()[:4])

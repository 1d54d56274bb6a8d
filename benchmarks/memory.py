"""How much memory this process has."""

from pathlib import Path
from typing import Final

_KIB: Final = 1024
_STATUS: Final = Path("/proc/self/status")
_RESIDENT: Final = "VmRSS:"


def resident() -> float:
    """How many megabytes this process has in memory; 0 where nobody can tell."""
    if not _STATUS.exists():
        return 0
    lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(_RESIDENT)) / _KIB

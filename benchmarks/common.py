"""Tables, lines, and memory of this process."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

_STATUS: Final = Path("/proc/self/status")


def resident() -> float:
    """Return the resident memory in megabytes; 0 on systems without /proc."""
    if not _STATUS.exists():
        return 0
    lines = _STATUS.read_text(encoding="ascii", errors="replace").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


def write_lines(lines: Iterable[str]) -> None:
    """Write each line to the standard output as soon as it is known."""
    for line in lines:
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Format cells as a table that is Markdown, too; the first line is the head."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    head, *rows = lines
    padded = (
        " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in (head, ["-" * width for width in widths], *rows)
    )
    return "".join(f"| {line} |\n" for line in padded)

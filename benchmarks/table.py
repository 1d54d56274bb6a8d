"""The measurements as a table: aligned for a terminal, and Markdown at the same time."""

from collections.abc import Sequence
from typing import Final

from benchmarks.measures import Measured

MOST_GROWTH: Final = 1.5
"""How much slower anything bounded may be in the largest world than in the one before it."""


def table(sizes: Sequence[int], results: Sequence[Sequence[Measured]]) -> tuple[str, bool]:
    """Every measurement in every world; and whether all bounds are kept.

    Args:
        sizes: how many plays each world has, ascending.
        results: for each task, what was measured in each world; and perhaps what was measured
            in the largest on PostgreSQL, which nothing is promised of.
    """
    head = ["milliseconds: median (quartiles) 99 %", *(f"{size:,} plays" for size in sizes)]
    head += ["on PostgreSQL"] * any(len(row) > len(sizes) for row in results)
    lines = [[*head, "growth", "bound", "verdict"]]
    is_kept = True
    for row in results:
        last, before = row[len(sizes) - 1], row[max(0, len(sizes) - 2)]
        growth = last.median / before.median
        kept = last.bound is None or (last.median < last.bound and growth <= MOST_GROWTH)
        is_kept = is_kept and kept
        verdict = "-" if last.bound is None else "pass" if kept else "MISS"
        bound = "" if last.bound is None else f"{last.bound:.0f}"
        cells = [f"{m.median:.2f} ({m.low:.2f}-{m.high:.2f}) {m.late:.1f}" for m in row]
        lines.append([last.name, *cells, f"{growth:.2f}", bound, verdict])
    return aligned(lines), is_kept


def aligned(lines: Sequence[Sequence[str]]) -> str:
    """Lines of as many cells each, the first of which is the head, as a table."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    head, *rows = lines
    padded = (
        " | ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        for line in (head, ["-" * width for width in widths], *rows)
    )
    return "".join(f"| {line} |\n" for line in padded)

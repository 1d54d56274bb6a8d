"""The results as a table: aligned for a terminal, and Markdown at the same time."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from benchmarks.solvers.findings import Bound, Figure, Findings, Rule


class Verdict(Enum):
    """What became of the bounds of a row."""

    PASSED = "pass"
    MISSED = "MISS"
    UNBOUND = "-"
    """Nothing was promised."""
    FAILED = "error"
    """It could not be measured."""


@dataclass(frozen=True, slots=True)
class Result:
    """A row that has been measured.

    Attributes:
        name: game and setting.
        method: what played, or what was timed.
        bounds: what was promised.
        findings: what was found; None if measuring failed.
    """

    name: str
    method: str
    bounds: tuple[Bound, ...]
    findings: Findings | None

    @property
    def verdict(self) -> Verdict:
        """Whether all bounds are kept."""
        if self.findings is None:
            return Verdict.FAILED
        if not self.bounds:
            return Verdict.UNBOUND
        kept = all(bound.is_kept(self.findings.figures) for bound in self.bounds)
        return Verdict.PASSED if kept else Verdict.MISSED


_TEXTS: Final = ("row", "method", "mean", "max", "distribution", "n", "bound", "verdict")
_COSTS: Final = (
    Figure.MEDIAN,
    Figure.P99,
    Figure.WORST,
    Figure.MEMORY,
    Figure.FIRST,
    Figure.SECOND,
)
_LEFT: Final = {"row", "method", "distribution", "bound", "verdict"}
_SHOWN_WITH_BOUND: Final = {Figure.TOTAL, Figure.LOST, Figure.SECONDS, Figure.NUMPY}
_SECONDS: Final = {Figure.FIRST, Figure.SECOND, Figure.SECONDS}
_WHOLE: Final = {Figure.TOTAL, Figure.MOST, Figure.COUNT, Figure.MEMORY, Figure.NUMPY}
_SMALL: Final = 10
_NARROWEST: Final = 3
"""A rule under a header needs three signs."""


def table(results: Sequence[Result]) -> str:
    """The table of these results."""
    headers = [*_TEXTS, *_COSTS]
    lines = [_cells(result) for result in results]
    widths = [max(_NARROWEST, *map(len, column)) for column in zip(headers, *lines, strict=True)]
    rules = [
        "-" * width if header in _LEFT else "-" * (width - 1) + ":"
        for header, width in zip(headers, widths, strict=True)
    ]
    return "".join(_line(cells, headers, widths) for cells in (headers, rules, *lines))


def _line(cells: Sequence[str], headers: Sequence[str], widths: Sequence[int]) -> str:
    aligned = [
        cell.ljust(width) if header in _LEFT else cell.rjust(width)
        for cell, header, width in zip(cells, headers, widths, strict=True)
    ]
    return f"| {' | '.join(aligned)} |\n"


def _cells(result: Result) -> list[str]:
    findings = result.findings or Findings({})
    figures = findings.figures
    return [
        result.name,
        result.method,
        _mean(findings),
        _shown(findings, Figure.MOST),
        " ".join(f"{guesses}:{n}" for guesses, n in sorted(findings.distribution.items())),
        _shown(findings, Figure.COUNT),
        ", ".join(_promise(bound, findings) for bound in result.bounds),
        result.verdict.value,
        *(_number(cost, figures[cost]) if cost in figures else "" for cost in _COSTS),
    ]


def _mean(findings: Findings) -> str:
    figures = findings.figures
    if Figure.MEAN not in figures:
        return ""
    if Figure.TOTAL in figures:
        return f"{figures[Figure.MEAN]:.4f} exhaustive"
    error = f" ± {figures[Figure.ERROR]:.3f}" if Figure.ERROR in figures else ""
    return f"{figures[Figure.MEAN]:.3f}{error}"


def _shown(findings: Findings, figure: Figure) -> str:
    return _number(figure, findings.figures[figure]) if figure in findings.figures else ""


def _promise(bound: Bound, findings: Findings) -> str:
    """What was promised; before it what was found, where no column has that."""
    error = f" ± {bound.error:g}" if bound.rule is Rule.ABOUT else ""
    found = ""
    if bound.figure in _SHOWN_WITH_BOUND and bound.figure in findings.figures:
        found = f"{_shown(findings, bound.figure)} "
    return f"{bound.figure} {found}{bound.rule.value} {bound.limit:,g}{error}"


def _number(figure: Figure, value: float) -> str:
    if figure in _WHOLE:
        return f"{value:,.0f}"
    if figure in _SECONDS:
        return f"{value:.2f}"
    return f"{value:.2f}" if value < _SMALL else f"{value:.0f}"

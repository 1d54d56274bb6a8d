"""Measuring rows, each in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from benchmarks.solvers.findings import Findings, ratio
from benchmarks.solvers.rows import RATIOS, Row
from benchmarks.solvers.table import Result
from benchmarks.solvers.watch import Watch, now, say

_INDENT: Final = 1


def measure(row: Row, started: float, *, quick: bool) -> str:
    """Measure a row here, and tell the findings as JSON.

    Args:
        row: what to measure.
        started: when this process was started, by the clock of `watch.now`.
        quick: whether time is short.
    """
    count = (row.quick or 0) if quick else row.full
    return json.dumps(row.measure(count, Watch(row.name, started)).to_document())


@dataclass(frozen=True, slots=True)
class Runner:
    """Starts a process for each row.

    Attributes:
        quick: whether time is short.
        jobs: how many processes there may be at a time.
    """

    quick: bool
    jobs: int

    def results(self, rows: Sequence[Row]) -> list[Result]:
        """What the rows have measured, in their order, and the ratios that follow."""
        with ThreadPoolExecutor(self.jobs) as threads:
            results = list(threads.map(self._result, rows))
        return results + _ratios(results)

    def _result(self, row: Row) -> Result:
        begin = now()
        options = ["--quick"] if self.quick else []
        program = [sys.executable, "-m", __package__ or "", "--row", row.name, *options]
        done = subprocess.run(  # noqa: S603 - our own program
            [*program, "--started", repr(now())], stdout=subprocess.PIPE, text=True, check=False
        )
        findings = None if done.returncode else Findings.from_document(json.loads(done.stdout))
        result = Result(row.name, row.method, row.bounds, findings)
        say(f"{row.name}: {result.verdict.value}, {now() - begin:.1f} s")
        return result


def _ratios(results: Sequence[Result]) -> list[Result]:
    """How many of our guesses go into those of others, where both were measured."""
    found: Mapping[str, Findings] = {
        result.name: result.findings for result in results if result.findings is not None
    }
    return [
        Result(f"ratio {mine}", f"to {theirs}", (), ratio(found[mine], found[theirs]))
        for mine, theirs in RATIOS
        if mine in found and theirs in found
    ]


def write_json(path: Path, results: Sequence[Result]) -> None:
    """Write down all results."""
    documents = [
        {
            "row": result.name,
            "method": result.method,
            "verdict": result.verdict.value,
            "bounds": [
                {
                    "figure": bound.figure,
                    "rule": bound.rule.value,
                    "limit": bound.limit,
                    "error": bound.error,
                }
                for bound in result.bounds
            ],
            "findings": result.findings and result.findings.to_document(),
        }
        for result in results
    ]
    path.write_text(json.dumps(documents, indent=_INDENT) + "\n", encoding="utf-8")

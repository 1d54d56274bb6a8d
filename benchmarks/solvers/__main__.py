"""Strength and speed of the solvers: `python -m benchmarks.solvers`, one table.

Every row has a process of its own, so that memory and first answers are those of a fresh start.
"""

import argparse
import subprocess
import sys
from collections.abc import Sequence

from benchmarks.solvers.report import Findings, Result, Verdict, Watch, now, say, table
from benchmarks.solvers.rows import MAIN_LENGTH, Row, exhaustive, row_named, rows
from engine.focdle import LONGEST, SHORTEST


class _Options(argparse.Namespace):
    quick: bool
    only: str
    exhaustive: list[int] | None
    row: str | None
    started: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the requested rows; return 0 if all bounds are kept."""
    options = _parser().parse_args(arguments, _Options())
    if options.row is not None:
        row = row_named(options.row)
        count = (row.quick or 0) if options.quick else row.full
        found = row.measure(count, Watch(row.name, options.started))
        sys.stdout.write(f"{found.to_json()}\n")
        return 0
    lengths = [MAIN_LENGTH] if options.exhaustive == [] else options.exhaustive or []
    results = [
        _measured(row, quick=options.quick)
        for row in (*rows(), *(exhaustive(length) for length in lengths))
        if options.only in row.name and not (options.quick and row.quick is None)
    ]
    sys.stdout.write(table(results))
    verdicts = {result.verdict for result in results}
    return int(not verdicts <= {Verdict.PASSED, Verdict.UNBOUND})


def _measured(row: Row, *, quick: bool) -> Result:
    begin = now()
    options = ["--row", row.name, "--started", repr(begin), *(["--quick"] if quick else [])]
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "benchmarks.solvers", *options],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    findings = None if done.returncode else Findings.from_json(done.stdout)
    result = Result(row.name, row.method, row.bounds, findings)
    say(f"{row.name}: {result.verdict.value}, {now() - begin:.1f} s")
    return result


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solvers")
    add = parser.add_argument
    add("--quick", action="store_true", help="fewer games")
    add("--only", default="", metavar="SUBSTRING", help="of rows' names")
    all_lengths = range(SHORTEST, LONGEST + 1)
    about = "all FoCdle secrets"
    add("--exhaustive", type=int, nargs="*", choices=all_lengths, metavar="LENGTH", help=about)
    add("--row", help=argparse.SUPPRESS)
    add("--started", type=float, default=now(), help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())

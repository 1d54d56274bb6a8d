"""`python -m benchmarks.solvers`: measures, and prints one table."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.solvers.rows import MAIN_LENGTH, exhaustive, row_named, rows
from benchmarks.solvers.run import Runner, measure, write_json
from benchmarks.solvers.table import Verdict, table
from benchmarks.solvers.watch import now
from engine.focdle import LONGEST, SHORTEST


class _Options(argparse.Namespace):
    """What can be asked for."""

    quick: bool
    jobs: int
    only: str
    json: Path | None
    exhaustive: list[int] | None
    row: str | None
    started: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what is asked for.

    Returns:
        0 if all bounds are kept.
    """
    options = _parser().parse_args(arguments, _Options())
    if options.row is not None:
        found = measure(row_named(options.row), options.started, quick=options.quick)
        sys.stdout.write(f"{found}\n")
        return 0
    lengths = [MAIN_LENGTH] if options.exhaustive == [] else options.exhaustive or []
    chosen = [
        row
        for row in (*rows(), *(exhaustive(length) for length in lengths))
        if options.only in row.name and not (options.quick and row.quick is None)
    ]
    results = Runner(options.quick, options.jobs).results(chosen)
    sys.stdout.write(table(results))
    if options.json is not None:
        write_json(options.json, results)
    verdicts = {result.verdict for result in results}
    return int(not verdicts <= {Verdict.PASSED, Verdict.UNBOUND})


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}")
    parser.add_argument("--quick", action="store_true", help="fewer games")
    parser.add_argument("--jobs", type=int, default=1, help="rows at once")
    parser.add_argument("--only", default="", metavar="SUBSTRING", help="of rows' names")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write results there")
    parser.add_argument(
        "--exhaustive",
        type=int,
        nargs="*",
        choices=range(SHORTEST, LONGEST + 1),
        metavar="LENGTH",
        help="all FoCdle secrets",
    )
    parser.add_argument("--row", metavar="NAME", help="one, as JSON")
    parser.add_argument("--started", type=float, default=now(), help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())

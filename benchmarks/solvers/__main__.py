"""Strength and speed of the solvers, or of a guesser of yours: `python -m benchmarks.solvers`.

Every row has a process of its own, so that memory and first answers are those of a fresh start.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.solvers.report import Findings, Result, Verdict, Watch, now, say, table
from benchmarks.solvers.rows import MAIN_LENGTH, Row, exhaustive, rows, rows_of, shipped
from engine.focdle import LONGEST, SHORTEST


class _Options(argparse.Namespace):
    quick: bool
    games: int | None
    only: str
    guesser: str
    shipped: bool
    exhaustive: list[int] | None
    trees: Path | None
    row: str | None
    started: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the requested rows; return 0 if all bounds are kept."""
    given = sys.argv[1:] if arguments is None else arguments
    options = _parser().parse_args(given, _Options())
    chosen = [
        row
        for row in _rows(options)
        if options.only in row.name and not (options.quick and row.quick is None)
    ]
    if options.row is not None:
        found = _measure(next(row for row in chosen if row.name == options.row), options)
        sys.stdout.write(f"{found.to_json()}\n")
        return 0
    results = [_measured(row, given) for row in chosen]
    sys.stdout.write(table(results))
    verdicts = {result.verdict for result in results}
    return int(not verdicts <= {Verdict.PASSED, Verdict.UNBOUND})


def _rows(options: _Options) -> Iterator[Row]:
    if options.guesser:
        module, _, function = options.guesser.partition(":")
        yield from rows_of(getattr(import_module(module), function), options.guesser)
    elif options.shipped:
        yield from shipped()
    else:
        yield from rows()
    lengths = [MAIN_LENGTH] if options.exhaustive == [] else options.exhaustive or []
    yield from map(exhaustive, lengths)


def _measure(row: Row, options: _Options) -> Findings:
    count = (row.quick or 0) if options.quick else row.full
    if options.games is not None:
        count = options.games
    found = row.measure(count, Watch(row.name, options.started))
    if options.trees is not None and found.tree is not None:
        file = options.trees / f"{row.name.replace(' ', '-')}.json"
        file.write_text(json.dumps(found.tree, separators=(",", ":")), encoding="utf-8")
    return found


def _measured(row: Row, given: Sequence[str]) -> Result:
    begin = now()
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", __spec__.name, *given, "--row", row.name, "--started", repr(begin)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    findings = None if done.returncode else Findings.from_json(done.stdout)
    result = Result(row.name, row.method, row.published, row.bounds, findings)
    say(f"{row.name}: {result.verdict.value}, {now() - begin:.1f} s")
    return result


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.solvers", description=__doc__)
    add = parser.add_argument
    add("--quick", action="store_true", help="fewer games")
    add("--games", type=int, metavar="N", help="so many of each game; 0: every secret")
    add("--only", default="", metavar="SUBSTRING", help="of rows' names")
    guesser = "a function of yours instead: it makes a guesser from rules, and that has next_guess"
    add("--with", dest="guesser", default="", metavar="MODULE:FUNCTION", help=guesser)
    add("--shipped", action="store_true", help="all trees that are shipped instead")
    lengths = range(SHORTEST, LONGEST + 1)
    about = "all FoCdle secrets"
    add("--exhaustive", type=int, nargs="*", choices=lengths, metavar="LENGTH", help=about)
    trees = "writes whole strategies there, as docs/tree.schema.json describes them"
    add("--trees", type=Path, metavar="FOLDER", help=trees)
    add("--row", help=argparse.SUPPRESS)
    add("--started", type=float, default=now(), help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())

"""`python -m tests.history`: many processes on one database, and what is wrong afterwards."""

import argparse
import asyncio
import random
import sys
import tempfile
from pathlib import Path

from tests.history.program import Plan, Told, live, look_at
from tests.support.postgres import PostgresServer


def main() -> int:
    """Live a history, or look at one again; returns the exit status."""
    parser = argparse.ArgumentParser(prog=f"python -m {__package__}")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--players", type=int, default=40)
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--folder", type=Path, help="where it is told; a new one by default")
    parser.add_argument("--without-locks", action="store_true", help="let processes not wait")
    parser.add_argument("--look", type=Path, help="only look at what is in this folder")
    options = parser.parse_args()
    if options.look:
        return _tell(look_at(options.look))
    folder = options.folder or Path(tempfile.mkdtemp(prefix="history-"))
    folder.mkdir(exist_ok=True)
    plan = Plan(
        60 * options.minutes,
        processes=options.processes,
        players=options.players,
        seed=options.seed,
        broken=options.without_locks,
    )
    sys.stdout.write(f"{plan}\nin {folder}\n")
    server = PostgresServer(keeps=True)
    try:
        return _tell(asyncio.run(live(plan, folder, server)))
    finally:
        server.stop()


def _tell(told: Told) -> int:
    for what, found in (("acts", told.acts), ("harms", told.harms)):
        counted = ", ".join(f"{kind}: {times}" for kind, times in sorted(found.items()))
        sys.stdout.write(f"{what}: {counted}\n")
    sys.stdout.write("\n".join([f"wrong: {len(told.faults)}", *told.faults]) + "\n")
    return bool(told.faults)


if __name__ == "__main__":
    sys.exit(main())

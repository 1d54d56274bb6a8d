"""`python -m tests.mutants`: changes a little of what must hold, and tells what no test noticed.

Cosmic Ray makes the changes, in a copy of the project, and runs the tests of what is changed. Each
run tries others. A change that nobody noticed may be one that changes nothing: whoever reads the
list decides, so the exit status says only whether the program worked.
"""

import argparse
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
COPIED: Final = ("engine", "bot", "cogs", "tests", "docs", "pyproject.toml", "README.md")
SECONDS: Final = 300
"""After which a change counts as noticed, since it makes the tests run for ever."""
# There is no such operator but in types: `int | None`.
USELESS: Final = "core/ReplaceBinaryOperator_BitOr_%"


@dataclass(frozen=True, slots=True)
class Subject:
    """What is changed, and the tests that must notice, the fastest first."""

    name: str
    modules: tuple[str, ...]
    tests: tuple[str, ...]


SUBJECTS: Final = (
    Subject(
        "rules of games",
        tuple(
            f"engine/{name}.py"
            for name in (
                "code_games",
                "codes",
                "equations",
                "feedback",
                "focdle",
                "game",
                "notation",
                "skill",
            )
        ),
        ("tests/engine", "tests/solvers/test_scale.py"),
    ),
    Subject(
        "streaks",
        ("bot/streaks/model.py",),
        (
            "tests/focdle/test_streaks.py",
            "tests/focdle/test_assisted_streaks.py",
            "tests/focdle/test_outages.py",
            "tests/shards/test_shards.py",
            "tests/settings/test_zone_rules.py",
            "tests/focdle/test_streak_sums.py",
        ),
    ),
    Subject(
        "states of duels",
        ("bot/duels/model.py", "bot/duels/position.py"),
        (
            "tests/duels/test_moves.py",
            "tests/duels/test_messages.py",
            "tests/duels/test_time.py",
            "tests/duels/test_machine.py",
        ),
    ),
    Subject(
        "standings",
        ("bot/leaderboards/scores.py", "bot/leaderboards/rebuild.py"),
        ("tests/leaderboards",),
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants")
    parser.add_argument("--each", type=int, default=8, help="how many changes to each subject")
    each: int = parser.parse_args(arguments).each
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _copy(folder)
        return max(_report(subject, folder, each) for subject in SUBJECTS)


def _copy(folder: Path) -> None:
    for name in COPIED:
        path = ROOT / name
        if path.is_dir():
            shutil.copytree(path, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(path, folder / name)


def _report(subject: Subject, folder: Path, each: int) -> int:
    command = [sys.executable, "-m", "pytest", "-n0", "-x", "-q", *subject.tests]
    # Unchanged, they pass; and what has not been changed is compiled from now on.
    unchanged = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if unchanged.returncode:
        sys.stderr.write(f"{unchanged.stdout}\nThe tests of {subject.name} fail as they are.\n")
        return 1
    session = folder / f"{subject.name.replace(' ', '-')}.sqlite"
    config = session.with_suffix(".toml")
    config.write_text(_config(subject, command), encoding="utf-8")
    _cosmic_ray(folder, "init", config, session)
    with closing(sqlite3.connect(session)) as database, database:
        possible = _choose(database, each)
    _cosmic_ray(folder, "exec", config, session)
    with closing(sqlite3.connect(session)) as database:
        sys.stdout.write(_said(subject, possible, database))
        sys.stdout.flush()
    return 0


def _config(subject: Subject, command: Sequence[str]) -> str:
    return "\n".join(
        (
            "[cosmic-ray]",
            f"module-path = {list(subject.modules)}",
            f"timeout = {SECONDS}.0",
            "excluded-modules = []",
            f'test-command = "{" ".join(command)}"',
            "[cosmic-ray.distributor]",
            'name = "local"',
        )
    )


def _cosmic_ray(folder: Path, command: str, config: Path, session: Path) -> None:
    program = Path(sys.executable).with_name("cosmic-ray")
    subprocess.run([program, command, config, session], cwd=folder, check=True)


def _choose(database: sqlite3.Connection, each: int) -> int:
    """Leave so many changes in a session, drawn from all that may show something.

    Returns:
        How many those are.
    """
    query = "SELECT job_id, module_path, start_pos_row FROM mutation_specs"
    query += " WHERE operator_name NOT LIKE ? ORDER BY job_id"
    found = database.execute(query, [USELESS]).fetchall()
    possible = [job for job, module, row in found if not _line(module, row).startswith("@")]
    chosen = random.sample(possible, min(each, len(possible)))
    marks = ", ".join("?" for _ in chosen)
    for table in ("mutation_specs", "work_items"):
        database.execute(f"DELETE FROM {table} WHERE job_id NOT IN ({marks})", chosen)
    return len(possible)


def _line(module: str, row: int) -> str:
    return (ROOT / module).read_text(encoding="utf-8").splitlines()[row - 1].lstrip()


def _said(subject: Subject, possible: int, database: sqlite3.Connection) -> str:
    found = database.execute("SELECT test_outcome, diff FROM work_results").fetchall()
    unnoticed = [diff for outcome, diff in found if outcome == "SURVIVED"]
    head = (
        f"{subject.name}: of {len(found)} changes, drawn from {possible},"
        f" {len(found) - len(unnoticed)} were noticed.\n"
    )
    return "\n".join((head, *unnoticed, ""))


if __name__ == "__main__":
    sys.exit(main())

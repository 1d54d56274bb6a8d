"""Writes the lock files: `python3 tasks.py lock`.

All sets are first resolved together, so that shared libraries have one version. Then each set is
resolved by itself among those versions, and its file lists what the earlier sets lack.
"""

import argparse
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from deploy.commands import VENV, program
from deploy.installing import PROJECT, SETS, and_before, lock_of

_HEAD: Final = "# Made by: python3 tasks.py lock\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the lock files; return the exit status.

    It is the resolver's if that fails; then nothing is written.
    """
    parser = argparse.ArgumentParser(
        prog="python3 tasks.py lock",
        description="Write the newest versions that pyproject.toml allows, with their hashes, "
        "into locks.",
    )
    parser.add_argument(
        "--keep", action="store_true", help="leave what is locked, and add what is new"
    )
    try:
        listed = _listed(keeps=parser.parse_args(arguments).keep)
    except subprocess.CalledProcessError as error:
        return error.returncode
    for name, entries in listed.items():
        before = {entry for each in and_before(*SETS[name]) for entry in listed[each]}
        own = "\n".join(entry for entry in entries if entry not in before)
        lock_of(name).write_text(f"{_HEAD}{own}\n", encoding="utf-8", newline="\n")
    return 0


def _listed(*, keeps: bool) -> dict[str, list[str]]:
    """Resolve each set with those before it; an entry is a version with its hashes."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.txt"
        if keeps:  # present versions are kept
            there = [lock_of(name) for name in SETS if lock_of(name).exists()]
            whole.write_text("".join(path.read_text(encoding="utf-8") for path in there))
        _resolve("--all-extras", str(PROJECT), "-", f"--output-file={whole}", upgrades=not keeps)
        return {name: _resolve(*_inputs(name), f"--constraints={whole}") for name in SETS}


def _inputs(name: str) -> Sequence[str]:
    """Choose a set's requirements; `-` reads those of the package's build."""
    if name == "backend":
        return ["-"]
    return [str(PROJECT)] if name == "run" else ["--extra", name, str(PROJECT)]


def _resolve(*inputs: str, upgrades: bool = False) -> list[str]:
    """Resolve requirements to entries; a failure was printed already."""
    project: dict[str, Any] = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    done = subprocess.run(
        [
            *(str(program(VENV, "uv")), "pip", "compile", "--quiet", "--universal"),
            *("--generate-hashes", "--no-header", "--no-annotate"),
            *("--no-emit-index-url", "--no-emit-find-links"),
            *("--no-emit-package", project["project"]["name"]),
            *("--python-version", project["project"]["requires-python"].removeprefix(">=")),
            *(["--upgrade"] if upgrades else []),
            *inputs,
        ],
        input="\n".join(project["build-system"]["requires"]),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return re.split(r"\n(?=\S)", done.stdout.strip())


if __name__ == "__main__":
    sys.exit(main())

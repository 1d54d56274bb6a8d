"""Installs locked libraries with checked hashes, and the bot's own package."""

import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final

from deploy.commands import ROOT, VENV, call, in_venv, module, program, say

PROJECT: Final = ROOT / "pyproject.toml"
# Sets of libraries, each with the sets it builds on. Each set has a lock file, which lists what the
# earlier ones lack, and an extra in `pyproject.toml`; but `run` are the bot's own requirements, and
# `backend` those for building its package.
SETS: Final[dict[str, tuple[str, ...]]] = {
    "backend": (),
    "run": ("backend",),
    "postgres": ("run",),
    "playground": ("run",),
    "dev": ("run", "postgres", "playground"),
    "supply": (),
}
_PIP: Final = module("pip", "install", "--quiet", "--disable-pip-version-check")
_WHEELS_ALONE: Final = ("--only-binary", ":all:")


def and_before(*names: str) -> list[str]:
    """List sets with all those they build on, in order."""
    found: dict[str, None] = {}
    for name in names:
        found |= dict.fromkeys([*and_before(*SETS[name]), name])
    return [*found]


def lock_of(name: str) -> Path:
    return ROOT / "locks" / f"{name}.txt"


def requirements(names: Iterable[str]) -> list[str]:
    """List pip's arguments for the lock files of sets."""
    return [part for name in names for part in ("--requirement", str(lock_of(name)))]


def provide(name: str) -> int:
    """Install a set into `.venv`, unless it is up to date; installed sets are updated with it.

    Returns:
        The exit status: 0 for success; else the problem was printed.
    """
    stamps = {each: VENV / f".{each}" for each in SETS}
    there = [each for each, stamp in stamps.items() if stamp.exists()]
    names = and_before("backend", name, *there)
    changed = max(path.stat().st_mtime for path in (PROJECT, *map(lock_of, names)))
    is_usable = _has_its_libraries(program(VENV, "python"))
    is_new = all(stamps[each].stat().st_mtime >= changed for each in there)
    if name in there and is_new and is_usable:
        return 0
    status = 0 if is_usable else make_venv(VENV)
    if status:
        return status
    say("Installing...")
    status = _install(VENV, names) or _install_own(VENV, ("--editable",))
    for each in names if not status else ():
        stamps[each].touch()
    return status


def _has_its_libraries(python: Path) -> bool:
    """Return false for a Python that is gone, was replaced, or is of another version than this.

    The system replaces its own by a newer one; and another may run a task than before.
    """
    is_of_this = f"sys.exit(sys.version_info[:2] != {sys.version_info[:2]})"
    look = [str(python), "-c", f"import pip, sys; {is_of_this}"]
    return python.exists() and not subprocess.call(look, stderr=subprocess.DEVNULL)


def build(folder: Path) -> int:
    """Make a folder that runs the bot without this one: no tests, no compiler, no installer."""
    return build_libraries(folder) or build_bot(folder)


def build_libraries(folder: Path) -> int:
    """Make the folder with all libraries, for `build_bot`."""
    if folder.exists() and any(folder.iterdir()) and not (folder / "pyvenv.cfg").exists():
        say(f"{folder} has something else in it. Name an empty folder, or a new one.")
        return 2
    names = and_before("run", "postgres")
    return make_venv(folder) or _install(folder, names, only=_WHEELS_ALONE)


def build_bot(folder: Path) -> int:
    """Install the bot into a folder with its libraries, and remove the installers."""
    # Files of an earlier build would be packed, too.
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    remove = module("pip", "uninstall", "--quiet", "--yes", "setuptools", "pip")
    # Where there is no `.git`, the log names this one.
    commit: str = import_module("bot.version").commit_of(ROOT)
    (folder / "commit").write_text(commit)
    return _install_own(folder) or call(in_venv(folder, remove))


def make_venv(folder: Path) -> int:
    """Make an empty virtual environment; nothing is left after a failure."""
    status = call([sys.executable, "-m", "venv", "--clear", str(folder)])
    if status:
        shutil.rmtree(folder, ignore_errors=True)
        say("Python's venv module is missing; on Debian and Ubuntu: sudo apt install python3-venv")
    return status


def _install(venv: Path, names: Iterable[str], only: Sequence[str] = ()) -> int:
    return call(in_venv(venv, (*_PIP, *only, "--require-hashes", *requirements(names))))


def _install_own(venv: Path, how: Sequence[str] = ()) -> int:
    alone = ("--no-index", "--no-deps", "--no-build-isolation")
    return call(in_venv(venv, (*_PIP, *alone, *how, str(ROOT))))

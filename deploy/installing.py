"""Installs what the lock files name, each file held to its hash, and then the bot's own package."""

import shutil
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from deploy.commands import ROOT, VENV, call, in_venv, module, program, say

PROJECT: Final = ROOT / "pyproject.toml"
# What is installed together, and what before it. Each has a lock file, which lists what those
# before it lack, and an extra in `pyproject.toml`; but `run` is what the bot itself needs, and
# `backend` what makes its package.
SETS: Final[dict[str, tuple[str, ...]]] = {
    "backend": (),
    "run": (),
    "postgres": ("run",),
    "sentry": ("run",),
    "playground": ("run",),
    "dev": ("backend", "run", "postgres", "sentry", "playground"),
    "supply": (),
}
_PIP: Final = module("pip", "install", "--quiet", "--disable-pip-version-check")
_WHEELS_ALONE: Final = ("--only-binary", ":all:")


def and_before(*names: str) -> list[str]:
    """Sets with all that has to be there before them, which stands first."""
    found: dict[str, None] = {}
    for name in names:
        found |= dict.fromkeys([*and_before(*SETS[name]), name])
    return [*found]


def lock_of(name: str) -> Path:
    """The file in which a set's versions and hashes are."""
    return ROOT / "locks" / f"{name}.txt"


def provide(name: str) -> int:
    """Install a set into `.venv`, unless it is there as it is locked now.

    What is there already is brought up to date with it.

    Returns:
        The exit status: 0 if it is there; else somebody was told what is wrong.
    """
    stamps = {each: VENV / f".{each}" for each in SETS}
    there = [each for each, stamp in stamps.items() if stamp.exists()]
    names = and_before("backend", name, *there)
    changed = max(path.stat().st_mtime for path in (PROJECT, *map(lock_of, names)))
    if name in there and all(stamps[each].stat().st_mtime >= changed for each in there):
        return 0
    status = 0 if program(VENV, "python").exists() else make_venv(VENV)
    if status:
        return status
    say("Installing...")
    status = _install(VENV, names) or _install_own(VENV, ("--editable",))
    for each in names if not status else ():
        stamps[each].touch()
    return status


def build(folder: Path) -> int:
    """Make a folder that runs the bot without this one: no tests, no compiler, no installer.

    Returns:
        The exit status, as that of `provide`.
    """
    return build_libraries(folder) or build_bot(folder)


def build_libraries(folder: Path) -> int:
    """Make the folder, with all but the bot; `build_bot` is to follow.

    Returns:
        The exit status, as that of `provide`.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / "pyvenv.cfg").exists():
        say(f"{folder} has something else in it. Name an empty folder, or a new one.")
        return 2
    names = and_before("backend", "run", "postgres", "sentry")
    return make_venv(folder) or _install(folder, names, only=_WHEELS_ALONE)


def build_bot(folder: Path) -> int:
    """Put the bot into a folder with its libraries, and take out what installs.

    Returns:
        The exit status, as that of `provide`.
    """
    # What an earlier package was made of would be put into this one.
    shutil.rmtree(ROOT / "build", ignore_errors=True)
    remove = module("pip", "uninstall", "--quiet", "--yes", "setuptools", "pip")
    return _install_own(folder) or call(in_venv(folder, remove))


def make_venv(folder: Path) -> int:
    """Make an empty virtual environment, or leave nothing there.

    Returns:
        The exit status, as that of `provide`.
    """
    status = call([sys.executable, "-m", "venv", "--clear", str(folder)])
    if status:
        shutil.rmtree(folder, ignore_errors=True)
        say("Python's venv module is missing; on Debian and Ubuntu: sudo apt install python3-venv")
    return status


def _install(venv: Path, names: Iterable[str], only: Sequence[str] = ()) -> int:
    locked = [part for name in names for part in ("--requirement", str(lock_of(name)))]
    return call(in_venv(venv, (*_PIP, *only, "--require-hashes", *locked)))


def _install_own(venv: Path, how: Sequence[str] = ()) -> int:
    alone = ("--no-index", "--no-deps", "--no-build-isolation")
    return call(in_venv(venv, (*_PIP, *alone, *how, str(ROOT))))

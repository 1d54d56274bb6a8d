"""Both wheels, built as anybody would, hold what they should and run where little else is."""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from engine import __version__

pytestmark = pytest.mark.long(only=True)

ROOT = Path(__file__).parents[1]
EXAMPLES = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
IGNORED = shutil.ignore_patterns("__pycache__", "build", "*.egg-info", ".*", "tests", "docs")


def built(source: str, folder: Path) -> Path:
    """A wheel, made of a copy: making one leaves things behind."""
    copy = folder / "copy"
    shutil.copytree(ROOT, copy, ignore=IGNORED)
    options = ["--no-build-isolation", "--no-deps", "--no-index", "--quiet", "--wheel-dir"]
    command = [sys.executable, "-m", "pip", "wheel", *options, folder, copy / source]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("*.whl")
    return wheel


def unpacked(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def numpy_alone(folder: Path) -> Path:
    """A folder in which Python finds numpy and nothing else."""
    folder.mkdir()
    for found in Path(np.__file__).parents[1].glob("numpy*"):
        (folder / found.name).symlink_to(found)
    return folder


def run(*arguments: str, paths: list[Path], cwd: Path) -> subprocess.CompletedProcess[str]:
    """Python with these paths, and without what is installed."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "COV"))}
    environment["PYTHONPATH"] = os.pathsep.join(map(str, paths))
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["PYTHONUTF8"] = "1"
    command = [sys.executable, "-S", *arguments]
    return subprocess.run(
        command,
        capture_output=True,
        check=False,
        cwd=cwd,
        encoding="utf-8",
        env=environment,
    )


def tour(paper: str) -> list[str]:
    """The blocks of a paper's tour."""
    blocks = EXAMPLES.findall((ROOT / paper).read_text(encoding="utf-8"))
    assert any("engine.solvers" in block for block in blocks)
    return blocks


def rules_only(blocks: list[str]) -> list[str]:
    """Those that name nothing of the solvers'."""
    imported = re.findall(r"from engine\.solvers import (.*)", "\n".join(blocks))
    names = re.compile(rf"\b({'|'.join(', '.join(imported).split(', '))})\b")
    found = [block for block in blocks if not names.search(block)]
    assert found
    return found


def sources(*folders: str) -> set[str]:
    """What a wheel of these folders is to hold: programs, trees, catalogues, marks of types.

    The engine's paper is among the wheel's metadata.
    """
    kept = {".py", ".txt", ".typed", ".html", ".js", ".css", ".md", ".png", ".po"}
    of_people = {"README.md", "GLOSSARY.md"}
    return {
        path.relative_to(ROOT).as_posix().replace(".po", ".mo")
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in kept and path.name not in of_people and "build/lib" not in path.as_posix()
    }


def looked_into(wheel: Path, *folders: str) -> list[str]:
    """What a wheel says it needs, once it is sure that it holds these folders and nothing else."""
    with zipfile.ZipFile(wheel) as archive:
        names = {entry for entry in archive.namelist() if ".dist-info/" not in entry}
        (about,) = {entry.partition("/")[0] for entry in archive.namelist()} - {*folders}
        assert archive.read(f"{about}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
        metadata = archive.read(f"{about}/METADATA").decode().splitlines()
    assert names == sources(*folders)
    assert "engine/solvers/data/openings.txt" in names
    return [line.partition(":")[2] for line in metadata if line.startswith("Requires-Dist:")]


def assert_it_solves(paths: list[Path], cwd: Path) -> None:
    done = run("-m", "engine", "solve", "25+4*12=73", paths=paths, cwd=cwd)
    assert (done.stderr, "3" in done.stdout) == ("", True)
    where = run("-c", "import engine; print(engine.__file__)", paths=paths, cwd=cwd)
    assert where.stdout.strip() == str(paths[0] / "engine" / "__init__.py")


def test_the_wheel_of_the_bot_contains_the_engine(tmp_path: Path):
    wheel = built(".", tmp_path)
    assert wheel.name.startswith(f"focdle_bot-{__version__}-")
    assert len(looked_into(wheel, "bot", "cogs", "engine", "web")) > 1
    paths = [unpacked(wheel, tmp_path / "wheel"), numpy_alone(tmp_path / "libraries")]
    assert_it_solves(paths, tmp_path)


def test_the_engine_runs_without_the_bot_and_its_rules_run_without_numpy(tmp_path: Path):
    wheel = built("engine", tmp_path)
    bots = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (asked,) = looked_into(wheel, "engine")
    (wanted,) = re.findall(r'"numpy([^"]+)"', bots)
    assert {*asked.strip().removeprefix("numpy").split(",")} == {*wanted.split(",")}
    engine = unpacked(wheel, tmp_path / "wheel")
    (about,) = engine.glob("*.dist-info")
    metadata = (about / "METADATA").read_text(encoding="utf-8")
    assert metadata.endswith((ROOT / "engine/README.md").read_text(encoding="utf-8"))
    assert f"\nVersion: {__version__}\n" in metadata
    assert "focdle = engine.__main__:main" in (about / "entry_points.txt").read_text()
    libraries = numpy_alone(tmp_path / "libraries")
    everything, rules = tmp_path / "tour.txt", tmp_path / "rules.txt"
    for paper in ("README.md", "engine/README.md"):
        blocks = tour(paper)
        everything.write_text("\n".join(blocks), encoding="utf-8")
        rules.write_text("\n".join(rules_only(blocks)), encoding="utf-8")
        for text, paths in ((rules, [engine]), (everything, [engine, libraries])):
            done = run("-m", "doctest", str(text), paths=paths, cwd=tmp_path)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    without = run("-c", "import engine.solvers", paths=[engine], cwd=tmp_path)
    assert "No module named 'numpy'" in without.stderr
    assert_it_solves([engine, libraries], tmp_path)

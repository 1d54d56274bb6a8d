"""Continuous integration tests on the newest and the oldest Python of the machine."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tasks import TASKS
from tests.deploy.checkout import ROOT
from tests.support.needed import needed

MISSING = "#!/bin/sh\necho 'it is not installed' >&2; exit 127\n"
SAYS_SO = "#!/bin/sh\n[ $1 != --version ] || echo Python {version}\n"
TELLS = '#!/bin/sh\necho "${0##*/} $*"\n'
PRESENT = "#!/bin/sh\n"


def lay(program: Path, text: str) -> None:
    program.parent.mkdir(parents=True, exist_ok=True)
    program.write_text(text)
    program.chmod(0o755)


@pytest.mark.parametrize(
    ("installed", "newest", "oldest"),
    [
        (["3.11.2", "pyenv 3.13.0", "pyenv 3.12.1"], "3.13.0", "3.11.2"),
        (["3.14.1", "pyenv 3.12.1"], "3.14.1", "3.12.1"),
        (["3.12.1"], "3.12.1", "3.12.1"),
        (["3.11.2", "pyenv 3.11.7"], "3.11.2", "3.11.2"),
        (["3.11.2", "pyenv 3.10.13"], "3.11.2", "3.11.2"),
    ],
)
def test_all_is_tested_on_the_newest_python_and_postgresql_on_the_oldest(
    installed: list[str], newest: str, oldest: str, tmp_path: Path
) -> None:
    bash, programs, home = needed("bash"), tmp_path / "bin", tmp_path / "home"
    lay(programs / "make", TELLS)
    lay(programs / "ls", PRESENT)  # as if PostgreSQL were installed
    (programs / "dirname").symlink_to(needed("dirname"))
    for minor in range(11, 15):
        lay(programs / f"python3.{minor}", MISSING)
    named: dict[str, str] = {}
    for each in installed:
        version = each.split()[-1]
        path = programs / f"python{version.rpartition('.')[0]}"
        named[version] = path.name
        if each.startswith("pyenv"):
            path = home / ".pyenv" / "versions" / version / "bin" / "python3"
            named[version] = str(path)
        lay(path, SAYS_SO.format(version=version))
    (tmp_path / ".ci").mkdir()
    script = shutil.copy(ROOT / ".ci" / "run", tmp_path / ".ci")
    environment = {"PATH": str(programs), "HOME": str(home)}
    done = subprocess.run(
        [bash, script], env=environment, capture_output=True, text=True, check=True
    )
    first, install, *beside, last = done.stdout.splitlines()
    assert first == f"All tests on Python {newest}, PostgreSQL's on Python {oldest}"
    assert install == f"make install ARGS=dev PYTHON={named[newest]}"
    assert sorted(beside) == [f"make {task} PYTHON={named[newest]}" for task in ("check", "test")]
    assert last == f"make check-postgres PYTHON={named[oldest]}"


def test_nothing_is_published_before_the_tests_have_passed_and_the_tag_agrees() -> None:
    text = (ROOT / ".github" / "workflows" / "release.yml").read_text()
    jobs: dict[str, Any] = yaml.safe_load(text)["jobs"]

    def before(name: str) -> set[str]:
        needs = jobs[name].get("needs", [])
        named = {needs} if isinstance(needs, str) else {*needs}
        return named.union(*map(before, named))

    published = [name for name, job in jobs.items() if "write" in job["permissions"].values()]
    assert len(published) == 2
    assert all({"agrees", "tests"} <= before(name) for name in published)
    assert jobs["tests"]["uses"] == "./.github/workflows/tests.yml"
    assert any("tasks.py release" in step.get("run", "") for step in jobs["agrees"]["steps"])


def test_all_tests_that_tasks_name_are_there() -> None:
    """Of a missing one pytest's processes say only that no tests ran."""
    commands = [command for task in TASKS.values() for command in task.commands]
    named = {part.removeprefix("--ignore=") for command in commands for part in command}
    named = {name for name in named if name.startswith("tests/")}
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []

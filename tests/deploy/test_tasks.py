"""One way for everybody: what `tasks.py` does, in which order, and what it says where it cannot."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest

from deploy.installing import SETS
from tasks import TASKS
from tests.deploy.checkout import ROOT, Checkout

pytestmark = pytest.mark.long(only=True)

# Where an older Python would run it: that says which one it is, and has no other to hand on to.
OLD = "import sys, runpy; sys.version_info = (3, 10, 9); runpy.run_path('tasks.py')"


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    made = Checkout(tmp_path)
    made.install()
    return made


@pytest.mark.parametrize("by", ["tasks.py", "make"])
def test_some_of_the_tests_are_chosen_as_for_pytest(checkout: Checkout, by: str):
    typed = ["test", "ARGS=tests/x -k 'a or b'"] if by == "make" else ["test", "tests/x", "-k", "a"]
    done = checkout.do(*typed, by=by)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert checkout.calls == [f"python -m pytest tests/x -k {'a or b' if by == 'make' else 'a'}"]


def test_the_checks_for_every_change_run_in_a_fixed_order(checkout: Checkout):
    done = checkout.do("check")
    assert (done.returncode, done.stderr) == (0, "")
    checks = ["ruff format --check .", "ruff check .", "lint-imports", "basedpyright --level error"]
    assert [call.strip() for call in checkout.calls] == checks
    assert done.stdout.splitlines() == [f".venv/bin/{each}" for each in checks]


def test_the_first_failing_check_ends_the_run(checkout: Checkout):
    checkout.environment["FAILS"] = "ruff check"
    assert checkout.do("check").returncode == 3
    assert checkout.calls == ["ruff format --check .", "ruff check ."]


def test_the_long_checks_start_nothing_after_a_failure(checkout: Checkout):
    # The tasks learn a little later than the file that it has failed.
    over = "test -s failed && ! kill -0 $(cat failed) 2>/dev/null && sleep 1"
    checkout.environment |= {"FAILS": "--long", "WAITS": "tests/process", "UNTIL": over}
    done = checkout.do("test-long", "-k", "x")
    assert done.returncode == 3
    failed = "python -m pytest --long --timeout=900 -k x"
    assert failed in checkout.calls
    # What is beside it may have begun before it failed.
    assert all(call == failed or "tests/process" in call for call in checkout.calls)


def test_a_signal_to_the_task_reaches_the_bot(checkout: Checkout):
    checkout.environment["TELLS"] = "its number"
    command = [sys.executable, "tasks.py", "run", "--shards", "0-1/2"]
    with subprocess.Popen(command, cwd=checkout.folder, env=checkout.environment) as process:
        assert process.wait() == 0
    assert checkout.calls == ["python -m bot --shards 0-1/2", str(process.pid)]


def test_a_task_exits_with_the_status_of_the_bot(checkout: Checkout):
    checkout.environment["FAILS"] = "-m bot"
    assert checkout.do("run").returncode == 3


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (["dance"], "There is no task dance. This lists them: python3 tasks.py help\n"),
        (["format", "all"], "format takes nothing more. Leave out: all\n"),
        (["build"], "Name one folder, which is made: python3 tasks.py build /opt/focdle-bot\n"),
        (
            ["build", "--bot"],
            "Name one folder, which is made: python3 tasks.py build /opt/focdle-bot\n",
        ),
        (["install", "cake"], f"cake is nothing to install. These are: {', '.join(SETS)}\n"),
    ],
)
def test_a_mistyped_task_is_refused_with_what_to_type(
    checkout: Checkout, typed: list[str], said: str
):
    done = checkout.do(*typed)
    assert (done.returncode, done.stderr) == (2, said)
    assert checkout.calls == []


def test_a_build_does_not_overwrite_a_folder_that_has_other_files(checkout: Checkout):
    (checkout.folder / "mine").mkdir()
    (checkout.folder / "mine" / "letter.txt").touch()
    done = checkout.do("build", "mine")
    assert done.returncode == 2
    assert "has something else in it" in done.stdout
    assert (checkout.folder / "mine" / "letter.txt").exists()


def test_a_task_reinstalls_libraries_only_after_a_change(checkout: Checkout):
    (checkout.folder / ".venv" / ".supply").unlink()
    assert checkout.do("run").stdout == ""
    (checkout.folder / "locks" / "supply.txt").touch()
    assert checkout.do("run").stdout == ""
    (checkout.folder / "locks" / "postgres.txt").touch()  # which is there, too
    assert checkout.do("run").stdout == "Installing...\n"
    *_, libraries, own, run = checkout.calls
    assert libraries.startswith("python -m pip install ")
    assert "--require-hashes --requirement " in libraries
    assert "locks/postgres.txt" in libraries
    assert "locks/supply.txt" not in libraries
    assert own.startswith("python -m pip install ")
    assert "--no-index --no-deps --no-build-isolation --editable " in own
    assert run == "python -m bot"
    assert checkout.do("run").stdout == ""


def test_a_failed_installation_is_repeated_the_next_time(checkout: Checkout):
    (checkout.folder / ".venv" / ".run").unlink()
    checkout.environment["FAILS"] = "--require-hashes"
    assert checkout.do("run").returncode == 3
    assert len(checkout.calls) == 1
    checkout.environment["FAILS"] = "nothing fails"
    assert checkout.do("run").stdout == "Installing...\n"


OF_3_10 = f"""#!/bin/sh
exec {sys.executable} -c "import sys; sys.version_info = (3, 10, 1); $2"
"""


@pytest.mark.parametrize("python", ["gone", "replaced", "another"])
def test_a_task_installs_all_anew_for_another_python_than_that_of_the_libraries(
    checkout: Checkout, python: str
):
    venv = checkout.folder / ".venv"
    shutil.copytree(venv / "bin", checkout.folder / "new" / "bin")
    (venv / "bin" / "python").unlink()
    if python == "replaced":
        (venv / "bin" / "python").symlink_to(shutil.which("false") or "")
    elif python == "another":
        (venv / "bin" / "python").write_text(OF_3_10)
        (venv / "bin" / "python").chmod(0o755)
    (checkout.folder / "venv.py").write_text(
        "import os, shutil; shutil.rmtree('.venv'); os.rename('new', '.venv')"
    )
    checkout.environment["PYTHONPATH"] = str(checkout.folder)
    assert checkout.do("run").stdout == "Installing...\n"
    assert checkout.calls[-1] == "python -m bot"
    assert checkout.do("run").stdout == ""


def test_a_task_without_venv_says_where_to_get_it(tmp_path: Path):
    checkout = Checkout(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    # As where Debian has left it out: it writes what it lacks, and fails.
    (tmp_path / "elsewhere" / "venv.py").write_text(
        "import pathlib; pathlib.Path('.venv').mkdir(); raise SystemExit(1)"
    )
    checkout.environment["PYTHONPATH"] = str(tmp_path / "elsewhere")
    done = checkout.do("run")
    assert done.returncode == 1
    assert done.stdout == (
        "Python's venv module is missing; on Debian and Ubuntu: sudo apt install python3-venv\n"
    )
    assert not (tmp_path / ".venv").exists()


def test_an_older_python_says_which_version_is_needed(checkout: Checkout):
    checkout.environment["PATH"] = str(checkout.folder)
    done = checkout.do("-c", OLD, by="-B")
    assert done.returncode == 1
    assert done.stderr == "Python 3.11 or newer is needed: https://www.python.org/downloads/\n"


def test_an_older_python_hands_over_to_a_newer_one_that_works(checkout: Checkout):
    for name, text in (("python3.14", "exit 127"), ("python3.12", 'echo "$0 $@"')):
        (checkout.folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (checkout.folder / name).chmod(0o755)
    checkout.environment["PATH"] = str(checkout.folder)
    done = checkout.do("-c", OLD, "test", "-x", by="-B")
    assert done.stdout.splitlines()[-1].startswith(str(checkout.folder / "python3.12"))
    assert done.stdout.endswith("test -x\n")


def test_an_older_python_can_parse_the_check_of_its_version():
    ast.parse((ROOT / "tasks.py").read_text(), feature_version=(3, 6))


def test_every_program_that_a_task_starts_is_installed_for_it():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    with_programs = {"import-linter": "lint-imports", "cyclonedx-bom": "cyclonedx-py"}
    for name, task in TASKS.items():
        assert all(part in TASKS for part in task.beside), name
        for program, *arguments in task.commands:
            if program == "python":
                assert arguments[0] == "-m"
                assert find_spec(arguments[1]) is not None, name
            else:
                named = {re.split(r"[\[<>=;]", each)[0] for each in extras[task.needs]}
                assert program.removesuffix("-bin") in {
                    with_programs.get(each, each.removesuffix("-bin")) for each in named
                }, name

"""What the papers show of the engine is what it does."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.effort import either

ROOT = Path(__file__).parents[2]
PAPER = (ROOT / "engine/README.md").read_text(encoding="utf-8")
EXAMPLES = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAMS = re.findall(
    r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAPER, re.MULTILINE | re.DOTALL
)


@pytest.mark.parametrize("paper", ["README.md", "engine/README.md"])
def test_the_examples_in_both_readmes_give_the_results_that_they_show(paper: str):
    text = (ROOT / paper).read_text(encoding="utf-8")
    blocks = "\n".join(EXAMPLES.findall(text))
    tour = doctest.DocTestParser().get_doctest(blocks, {}, paper, paper, 0)
    assert tour.examples
    reported: list[str] = []
    doctest.DocTestRunner(verbose=False).run(tour, out=reported.append)
    assert "".join(reported) == ""


def run(folder: Path, *arguments: str) -> str:
    """Run Python in a folder that has only one's own program."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("number", range(3))
def test_the_example_programs_of_the_documents_are_short_and_print_what_is_shown(
    tmp_path: Path, number: int
):
    program, printed = PROGRAMS[number]
    assert len(program.splitlines()) < 25
    assert len(PROGRAMS) == 3
    shorter = program.replace("1000", either("100", "1000"))
    (tmp_path / "mine.py").write_text(shorter, encoding="utf-8")
    said = run(tmp_path, "mine.py")
    if shorter != program:
        said, printed = (re.sub(r"[\d.]+", "n", text) for text in (said, printed))
    assert said == printed


def test_importing_the_engine_loads_nothing_that_takes_long(tmp_path: Path):
    said = run(tmp_path, "-c", "import engine, sys; print(*sys.modules)")
    heavy = {"numpy", "multiprocessing", "concurrent", "logging", "asyncio", "difflib", "argparse"}
    assert not heavy & set(said.split())
    assert "engine.guessers" in said

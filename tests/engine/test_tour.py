"""What the papers show of the engine is what it does, and what checkers of types accept."""

import ast
import doctest
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.effort import either
from tests.support.needed import needed

ROOT = Path(__file__).parents[2]
PAPERS = ["README.md", "engine/README.md", "docs/ENGINE.md"]
EXAMPLES = re.compile(r"^```pycon\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(
    r'^```python\n("""(\w+\.py): .*?)^```\n\n```text\n(.*?)^```$', re.MULTILINE | re.DOTALL
)


def read(paper: str) -> str:
    return (ROOT / paper).read_text(encoding="utf-8")


PROGRAMS = {
    name: (program, printed)
    for paper in PAPERS
    for program, name, printed in PROGRAM.findall(read(paper))
}


def examples(paper: str) -> doctest.DocTest:
    """The examples of one paper, as they follow one another."""
    blocks = "\n".join(EXAMPLES.findall(read(paper)))
    return doctest.DocTestParser().get_doctest(blocks, {}, paper, paper, 0)


@pytest.mark.parametrize("paper", PAPERS)
def test_the_examples_in_the_papers_give_the_results_that_they_show(paper: str):
    tour = examples(paper)
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


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_example_programs_of_the_papers_are_short_and_print_what_is_shown(
    tmp_path: Path, name: str
):
    program, printed = PROGRAMS[name]
    assert len(program.splitlines()) <= 25
    shorter = program.replace("range(1000)", either("range(100)", "range(1000)"))
    (tmp_path / name).write_text(shorter, encoding="utf-8")
    said = run(tmp_path, name)
    if shorter != program:
        said, printed = (re.sub(r"[\d.]+", "n", text) for text in (said, printed))
    assert said == printed


def typed_in(paper: str) -> str:
    """The examples of one paper as a program, in which each value that is shown is printed."""
    lines: list[str] = []
    for example in examples(paper).examples:
        (statement,) = ast.parse(example.source).body
        shown = isinstance(statement, ast.Expr) and "print(" not in example.source
        lines.append(f"print({ast.unparse(statement)})" if shown else example.source)
    return "\n".join(lines)


@pytest.mark.parametrize("checker", ["mypy", "basedpyright"])
def test_checkers_of_types_accept_in_their_strict_mode_all_that_the_papers_show(
    tmp_path: Path, checker: str
):
    settings = {"typeCheckingMode": "strict", "pythonVersion": "3.11", "extraPaths": [str(ROOT)]}
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    programs = {name: program for name, (program, _) in PROGRAMS.items()}
    programs |= {f"paper_{number}.py": typed_in(paper) for number, paper in enumerate(PAPERS)}
    for name, program in programs.items():
        (tmp_path / name).write_text(program, encoding="utf-8")
    options = ["--strict", "--follow-imports=silent"] if checker == "mypy" else []
    done = subprocess.run(
        [needed(str(Path(sys.executable).with_name(checker))), *options, "."],
        cwd=tmp_path,
        env={"MYPYPATH": str(ROOT)},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_the_figures_of_the_engines_paper_are_those_of_the_table_they_come_from():
    shown = re.findall(r"\d\.\d{4}|\d+,\d{3}", read("engine/README.md").partition("| in all")[2])
    assert len(shown) > 10
    assert [figure for figure in shown if figure not in read("docs/ENGINE.md")] == []


def test_importing_the_engine_loads_nothing_that_takes_long(tmp_path: Path):
    said = run(tmp_path, "-c", "import engine, sys; print(*sys.modules)")
    heavy = {"numpy", "multiprocessing", "concurrent", "logging", "asyncio", "difflib", "argparse"}
    assert not heavy & set(said.split())
    assert "engine.guessers" in said

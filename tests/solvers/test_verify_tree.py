"""Every tree that ships is replayed by a program that shares no code with what made it."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.solvers.report import Watch, now
from benchmarks.solvers.rows import Row, shipped
from engine import Focdle, Mastermind, mark, score, write_counts, write_marks
from engine.solvers.focdle.arrays import every_secret
from tools import verify_tree
from tools.verify_tree import WrongTreeError, verify

ROOT = Path(__file__).parents[2]
SMALL = {"bulls-3-worst", "mastermind-4x6r-mean", "mastermind-4x7-both", "mastermind-5x4r-both"}
TREES = list(shipped())


def tree(row: Row) -> dict[str, Any]:
    findings = row.measure(0, Watch(row.name, now()))
    assert all(bound.is_kept(findings.figures) for bound in row.bounds)
    assert findings.tree
    return {**findings.tree}


def refused(tree: dict[str, Any], reason: str) -> None:
    with pytest.raises(WrongTreeError, match=reason):
        verify(tree)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, marks=[] if row.name in SMALL else [pytest.mark.long(only=True)])
        for row in TREES
    ],
    ids=lambda row: row.name,
)
def test_the_verifier_confirms_the_total_of_every_shipped_tree(row: Row):
    said = verify(tree(row))
    total = next(bound.limit for bound in row.bounds if bound.figure == "total")
    assert f"take {total:,} guesses" in said


def test_every_shipped_tree_has_a_row_in_the_table_of_trees():
    data = ROOT / "engine" / "solvers" / "data"
    assert {row.name for row in TREES} == {file.stem for file in data.iterdir()} - {"openings"}


def tiny() -> dict[str, Any]:
    """The strategy for two pegs of three colours that docs/ENGINE.md shows."""
    text = (ROOT / "docs" / "ENGINE.md").read_text(encoding="utf-8")
    return json.loads(text.partition("```json\n")[2].partition("```")[0])


Change = Callable[[dict[str, Any]], object]
WRONG: dict[str, tuple[Change, str]] = {
    "a total": (lambda tree: tree.update(total=20), "total: 21, not 20"),
    "a maximum": (lambda tree: tree.update(most=4), "most: 3, not 4"),
    "a number of secrets": (lambda tree: tree.update(secrets=8), "secrets: 9, not 8"),
    "no repeats": (lambda tree: tree.update(repeats=False), "cannot be"),
    "a symbol twice": (lambda tree: tree.update(symbols="ROYR"), "twice"),
    "a game": (lambda tree: tree.update(game="chess"), "chess is no game"),
    "a guess": (lambda tree: tree["root"].update(guess="RB"), "RB is no guess"),
    "a length": (lambda tree: tree["root"].update(guess="ROY"), "ROY is no guess"),
    "a lost secret": (lambda tree: tree["root"]["after"].pop("0B0C"), "0B0C to guess 1, RO: no"),
    "what cannot be": (
        lambda tree: tree["root"]["after"].update({"1B1C": {"guess": "RR"}}),
        "1B1C to guess 1, RO: cannot be",
    ),
    "a leaf": (lambda tree: tree["root"]["after"]["0B0C"].update(guess="RR"), "to guess 2, RR"),
}


def test_the_verifier_accepts_the_documented_example_tree():
    assert verify(tiny()) == "9 secrets take 21 guesses, none more than 3"


@pytest.mark.parametrize("change", [change for change, _ in WRONG.values()], ids=list(WRONG))
def test_the_verifier_refuses_each_faulty_tree_with_its_reason(change: Change):
    changed = tiny()
    change(changed)
    refused(changed, next(reason for each, reason in WRONG.values() if each is change))


def places(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for following in node.get("after", {}).values():
        yield from places(following)


def test_the_verifier_notices_every_changed_guess_of_a_tree():
    codes = [str(code) for code in Mastermind(pegs=2, colours=3).codes()]
    for place in range(len(list(places(tiny()["root"])))):
        for code in codes:
            changed = tiny()
            node = list(places(changed["root"]))[place]
            if node["guess"] != code:
                node["guess"] = code
                with pytest.raises(WrongTreeError):
                    verify(changed)


@given(st.tuples(*[st.text("0123", min_size=4, max_size=4)] * 2))
def test_the_feedback_of_the_verifier_equals_the_feedback_of_the_games(pair: tuple[str, str]):
    guess, secret = pair[0], pair[1]
    assert verify_tree.counts(guess, secret) == write_counts(score(guess, secret))
    assert verify_tree.marks(guess, secret) == write_marks(mark(guess, secret))


@pytest.mark.parametrize("length", [7, pytest.param(8, marks=pytest.mark.long(only=True))])
def test_the_equations_of_the_verifier_are_exactly_the_secrets_of_focdle(length: int):
    rules, found = Focdle(length), list(verify_tree.equations(length))
    assert len(set(found)) == len(found) == every_secret(length).shape[1]
    for equation in found:
        rules.check_secret(equation)


def test_the_verifier_runs_without_the_project_and_reports_on_each_file(tmp_path: Path):
    program = shutil.copy(ROOT / "tools" / "verify_tree.py", tmp_path)
    right, wrong, none = (tmp_path / name for name in ("right.json", "wrong.json", "none.json"))
    right.write_text(json.dumps(tiny()), encoding="utf-8")
    wrong.write_text(json.dumps({**deepcopy(tiny()), "total": 20}), encoding="utf-8")
    none.write_text("[]", encoding="utf-8")

    def run(*files: Path) -> tuple[int, list[str]]:
        command = [sys.executable, "-I", "-S", program, *files]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert not done.stderr
        return done.returncode, [line.rpartition("json: ")[2] for line in done.stdout.splitlines()]

    said = "9 secrets take 21 guesses, none more than 3"
    assert run(right) == (0, [said])
    status, lines = run(right, wrong, none)
    assert status == 1
    assert lines[0] == said
    assert "total: 21, not 20" in lines[1]
    assert lines[2].startswith("wrong: TypeError")

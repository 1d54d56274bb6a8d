"""Workflows for a forge: what they start is there, what they use is pinned, and they may do little.

They have never run. `python3 tasks.py audit` looks at them with zizmor.
"""

import re
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
import yaml

import engine
from tasks import TASKS
from tests.deploy.checkout import ROOT
from tests.support.needed import needed

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PINNED = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
GOES_BACK = re.compile(r"git checkout v([\d.]+)")
# What a workflow's permissions may be for who looks, and what else for which job.
WRITES = {
    ("release.yml", "packages"): {"contents", "id-token", "attestations"},
    ("release.yml", "image"): {"packages"},
    ("release.yml", "both"): {"packages", "id-token", "attestations"},
}


def read(path: Path) -> dict[Any, Any]:
    return yaml.safe_load(path.read_text())


def jobs() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path in WORKFLOWS:
        for name, job in read(path)["jobs"].items():
            yield path.name, name, job


def steps() -> Iterator[dict[str, Any]]:
    for _, _, job in jobs():
        yield from cast("list[dict[str, Any]]", job["steps"])


def test_the_workflows_test_pull_requests_and_audit_weekly_and_release_on_tags():
    assert [path.stem for path in WORKFLOWS] == ["audit", "release", "tests"]
    # YAML takes the word for a truth.
    on = {path.stem: read(path)[True] for path in WORKFLOWS}
    assert re.fullmatch(r"\d+ \d+ \* \* \d", on["audit"]["schedule"][0]["cron"])
    assert on["release"] == {"push": {"tags": ["v*"]}}
    assert "pull_request" in on["tests"]


def test_the_tests_run_on_each_python_and_each_system():
    found = read(ROOT / ".github" / "workflows" / "tests.yml")["jobs"]
    assert found["everything"]["strategy"]["matrix"]["python"] == ["3.11", "3.12", "3.13", "3.14"]
    systems = found["elsewhere"]["strategy"]["matrix"]["system"]
    assert {system.partition("-")[0] for system in systems} == {"macos", "windows"}


def test_a_release_builds_one_image_for_amd64_and_arm64():
    image, both = (
        read(ROOT / ".github" / "workflows" / "release.yml")["jobs"][job]
        for job in ("image", "both")
    )
    processors = [each["processor"] for each in image["strategy"]["matrix"]["include"]]
    assert processors == ["amd64", "arm64"]
    assert both["needs"] == "image"
    (joined,) = (step["run"] for step in both["steps"] if "run" in step)
    assert all(f'"$tag-{processor}"' in joined for processor in processors)


def test_project_engine_and_changelog_have_the_same_version():
    own = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    versions = {own, engine.__version__}
    changes = (ROOT / "CHANGELOG.md").read_text()
    assert versions == {*re.findall(r"(?m)^## (\d[\d.]+)", changes)[:1]}


def test_the_documents_for_hosts_go_back_to_the_version_before():
    changes = re.findall(r"(?m)^## (\S+)", (ROOT / "CHANGELOG.md").read_text())
    papers = [ROOT / "docs" / "HOSTING.md", *(ROOT / "docs" / "hosting").glob("*.md")]
    named = [version for path in papers for version in GOES_BACK.findall(path.read_text())]
    assert named == [changes[1]] * 3


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_every_foreign_action_is_pinned_by_its_hash_beside_its_version(path: Path):
    used = [line.strip().removeprefix("- ") for line in path.read_text().splitlines()]
    used = [line for line in used if line.startswith("uses:")]
    assert used
    assert [line for line in used if not PINNED.fullmatch(line)] == []


def test_every_action_is_pinned_at_one_version():
    used = {step["uses"] for step in steps() if "uses" in step}
    assert len(used) == len({each.partition("@")[0] for each in used})


def test_every_file_that_a_workflow_starts_exists():
    started = "\n".join(step["run"] for step in steps() if "run" in step)
    tasks = re.findall(r"\b(?:tasks\.py|make) ([\w-]+)", started)
    assert len(tasks) > 5
    assert set(tasks) <= set(TASKS)
    paths = re.findall(r"\btests/[\w./-]*", started)
    assert paths
    assert all((ROOT / path).exists() for path in paths)


def test_the_shell_parses_every_script_of_a_workflow_and_none_contains_an_expression():
    bash = needed("bash")
    for step in steps():
        if "run" in step:
            assert "${{" not in step["run"]
            done = subprocess.run([bash, "-n"], input=step["run"], text=True, check=False)
            assert done.returncode == 0, step["run"]


def test_each_job_has_its_permissions_and_a_time_limit():
    for path in WORKFLOWS:
        assert read(path)["permissions"] == {}
    for workflow, name, job in jobs():
        writes = {what for what, how in job["permissions"].items() if how == "write"}
        assert writes == WRITES.get((workflow, name), set()), name
        assert job["timeout-minutes"] <= 90


def test_no_checkout_in_a_workflow_keeps_its_token():
    for step in steps():
        if step.get("uses", "").startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False

"""What is installed is locked: each version with its hashes, the same for everybody."""

import re
import tomllib
from hashlib import sha256
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import engine
from deploy.installing import SETS, and_before, lock_of
from deploy.make_sbom import complete
from tests.deploy.checkout import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
ENTRY = re.compile(
    r"([\w.-]+)==(\S+)(?: ; (.+?))? \\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n?)+)"
)


def locked(name: str) -> dict[str, set[str]]:
    """The versions that a set may have of each library, with all that is before it."""
    found: dict[str, set[str]] = {}
    for each in and_before(name):
        for library, version, _, _ in ENTRY.findall(lock_of(each).read_text()):
            found.setdefault(library, set()).add(version)
    return found


def wanted(name: str) -> list[Requirement]:
    """What `pyproject.toml` asks for by a set."""
    extras = PROJECT["project"]["optional-dependencies"]
    asked = {"run": PROJECT["project"]["dependencies"], **extras}
    asked["backend"] = PROJECT["build-system"]["requires"]
    found = [Requirement(each) for each in asked[name]]
    nested = [each for each in found if each.name == PROJECT["project"]["name"]]
    more = [each for outer in nested for extra in outer.extras for each in wanted(extra)]
    return [each for each in found if each not in nested] + more


def test_each_lock_holds_only_versions_with_their_hashes():
    for name in SETS:
        head, _, rest = lock_of(name).read_text().partition("\n")
        assert head == "# Made by: python3 tasks.py lock"
        assert rest
        assert ENTRY.sub("", rest) == "", name


def test_every_requirement_of_the_project_is_locked_as_declared():
    for name in SETS:
        versions = locked(name)
        for requirement in wanted(name):
            found = versions.get(canonicalize_name(requirement.name))
            assert found, f"{requirement} is not locked: python3 tasks.py lock --keep"
            assert all(requirement.specifier.contains(version) for version in found), requirement


def test_a_library_is_locked_at_two_versions_only_for_different_versions_of_python():
    several = {
        library for name in SETS for library, found in locked(name).items() if len(found) > 1
    }
    entries = [entry for name in SETS for entry in ENTRY.findall(lock_of(name).read_text())]
    for library in several:
        marks = {(version, mark) for found, version, mark, _ in entries if found == library}
        assert all("python_full_version" in mark for _, mark in marks), library
    everything: dict[tuple[str, str], set[str]] = {}
    for library, version, mark, _ in entries:
        everything.setdefault((library, mark), set()).add(version)
    assert {key: found for key, found in everything.items() if len(found) > 1} == {}


def test_locks_that_are_installed_together_list_nothing_twice():
    for name in SETS:
        entries = [
            entry for each in and_before(name) for entry in ENTRY.findall(lock_of(each).read_text())
        ]
        assert len(entries) == len(set(entries)), name


def test_both_packages_have_the_same_build_backend():
    engine = tomllib.loads((ROOT / "engine" / "pyproject.toml").read_text())
    (backend,) = engine["build-system"]["requires"]
    assert engine["build-system"]["build-backend"] == PROJECT["build-system"]["build-backend"]
    assert backend in PROJECT["build-system"]["requires"]
    assert f"{backend} \\" in lock_of("backend").read_text().splitlines()


def test_the_bill_of_materials_has_the_bots_version_and_the_pages_libraries():
    bill = complete({"metadata": {"component": {}}, "components": []})
    assert bill["metadata"]["component"] == {"version": engine.__version__}
    told = (ROOT / "web" / "NOTICE.txt").read_text()
    digest = sha256((ROOT / "web" / "static" / "preact.js").read_bytes()).hexdigest()
    assert [found["name"] for found in bill["components"]] == ["htm", "preact"]
    for found in bill["components"]:
        assert f"{found['name']} {found.get('version', '')}".strip() in told.lower()
        assert found["licenses"][0]["license"]["id"] in told
        assert found["hashes"] == [{"alg": "SHA-256", "content": digest}]


def test_each_extra_of_the_project_has_a_lock():
    """What is for the one folder that builds solvers' data is locked with `dev`."""
    assert {"run", "backend", *PROJECT["project"]["optional-dependencies"]} - {"build"} == set(SETS)
    assert {path.stem for path in (ROOT / "locks").glob("*.txt")} == set(SETS)

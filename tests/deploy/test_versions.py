"""One version wherever a version stands, and what hosts go back to is the one before."""

import re
import tomllib

import engine
from tests.deploy.checkout import ROOT

GOES_BACK = re.compile(r"git checkout v([\d.]+)")


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

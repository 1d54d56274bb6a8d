"""The version stands in one place; with it the program names the commit that hosts go back to."""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

import engine
from bot import version
from deploy.releasing import release
from tests.deploy.checkout import ROOT
from tests.support.needed import needed


def test_both_packages_take_their_version_from_the_engine():
    for folder in (ROOT, ROOT / "engine"):
        project = tomllib.loads((folder / "pyproject.toml").read_text())
        assert project["project"]["dynamic"] == ["version"]
        assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "engine.__version__"}


def test_what_is_released_is_told_in_the_changelog():
    told = re.findall(r"(?m)^## (\S+)", (ROOT / "CHANGELOG.md").read_text())
    number = engine.__version__.partition(".dev")[0]
    # What comes after a release may have nothing to tell yet.
    assert told[0] == number or engine.__version__ != number
    assert re.fullmatch(r"\d+\.\d+\.\d+(\.dev0)?", engine.__version__)


def git(folder: Path, *arguments: str) -> str:
    command = [needed("git"), "-c", "user.name=a", "-c", "user.email=a@b", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_checkout_knows_its_commit_without_git(tmp_path: Path):
    folder, beside = tmp_path / "one", tmp_path / "two"
    folder.mkdir()
    assert version.commit_of(folder) == ""
    git(folder, "init", "--quiet")
    assert version.commit_of(folder) == ""
    git(folder, "commit", "--quiet", "--allow-empty", "--message=a")
    commits = [git(folder, "rev-parse", "--short=12", "HEAD")]
    assert version.commit_of(folder) == commits[0]
    git(folder, "pack-refs", "--all")
    assert version.commit_of(folder) == commits[0]
    git(folder, "worktree", "add", "--quiet", "-b", "other", str(beside))
    git(beside, "commit", "--quiet", "--allow-empty", "--message=b")
    commits.append(git(beside, "rev-parse", "--short=12", "HEAD"))
    git(folder, "checkout", "--quiet", "--detach", commits[0])
    assert [version.commit_of(each) for each in (folder, beside)] == commits
    git(folder, "pack-refs", "--all")
    assert version.commit_of(beside) == commits[1]
    (folder / ".git" / "HEAD").write_text("nothing that git writes")
    assert version.commit_of(folder) == ""


def test_what_was_built_of_a_checkout_names_its_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(version, "ROOT", tmp_path)
    monkeypatch.setattr("sys.prefix", str(tmp_path))
    assert version.version.__wrapped__() == engine.__version__
    (tmp_path / "commit").write_text("1a2b3c4d5e6f")
    assert version.version.__wrapped__() == f"{engine.__version__} (1a2b3c4d5e6f)"


def test_the_papers_for_hosts_go_back_to_what_the_log_named_and_to_no_tag():
    papers = [ROOT / "docs" / "HOSTING.md", *(ROOT / "docs" / "hosting").glob("*.md")]
    lines = [line for path in papers for line in path.read_text().splitlines()]
    back = [line for line in lines if line.startswith("| go back |")]
    assert len(back) == 3
    assert all("the log named" in line for line in back)
    assert not re.search(r"git checkout v\d", "\n".join(lines))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project that is to be released as 1.2.0."""
    (tmp_path / "engine").mkdir()
    shutil.copy(ROOT / "engine" / "__init__.py", tmp_path / "engine")
    change(tmp_path / "engine" / "__init__.py", engine.__version__, "1.2.0")
    (tmp_path / "CHANGELOG.md").write_text("# Changes\n\n## 1.2.0\n\nNew.\n\n## 1.1.0\n\nOld.\n")
    return tmp_path


def change(file: Path, text: str, other: str) -> None:
    before = file.read_text()
    assert text in before
    file.write_text(before.replace(text, other))


def test_a_tag_is_released_with_what_changelog_says_of_its_version(
    project: Path, capsys: pytest.CaptureFixture[str]
):
    assert release(["v1.2.0"], project) == 0
    assert capsys.readouterr().out == "New.\n"


@pytest.mark.parametrize(
    ("file", "text", "other", "said"),
    [
        ("engine/__init__.py", '"1.2.0"', '"1.2.0.dev0"', "The tag is v1.2.0, the version 1.2.0."),
        ("engine/__init__.py", '"1.2.0"', '"1.3.0"', "The tag is v1.2.0, the version 1.3.0."),
        ("CHANGELOG.md", "## 1.2.0", "## 1.2.1", "CHANGELOG begins with 1.2.1, not with 1.2.0."),
        ("CHANGELOG.md", "New.", "", "CHANGELOG says nothing of 1.2.0."),
    ],
)
def test_a_tag_is_not_released_where_version_or_changelog_differ(
    project: Path, capsys: pytest.CaptureFixture[str], file: str, text: str, other: str, said: str
):
    change(project / file, text, other)
    assert release(["v1.2.0"], project) == 2
    assert capsys.readouterr().err.startswith(said)


def test_each_promise_has_a_test_that_is_there():
    text = (ROOT / "docs" / "PROMISES.md").read_text()
    assert len(text.split()) <= 250
    rows = re.findall(r"(?m)^\| (?!hosts|players|programs).*", text)
    assert len(rows) > 10
    for row in rows:
        ((file, name),) = re.findall(r"\| `(tests/[\w/]+\.py)::(test_\w+)` \|$", row)
        assert re.search(rf"(?m)^(async )?def {name}\(", (ROOT / file).read_text()), row


def test_what_is_here_could_be_released():
    number = engine.__version__.partition(".dev")[0]
    if engine.__version__ == number:
        assert release([f"v{number}"], ROOT) == 0

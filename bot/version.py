"""The program's version, and the commit that it is of."""

import re
import sys
from contextlib import suppress
from functools import cache
from pathlib import Path

from engine import __version__

ROOT = Path(__file__).parents[1]


@cache  # what runs stays of its commit, whatever is pulled meanwhile
def version() -> str:
    """Name the version, and in a checkout or what was built of one the commit."""
    commit = commit_of(ROOT)
    with suppress(OSError):
        commit = commit or Path(sys.prefix, "commit").read_text()
    return f"{__version__} ({commit})" if commit else __version__


def commit_of(root: Path) -> str:
    """Read a checkout's commit from git's own files, as git need not be there; empty without."""
    with suppress(OSError, ValueError):
        git = root / ".git"
        if git.is_file():  # a work tree beside another
            git = root / git.read_text().partition(":")[2].strip()
        is_beside = (git / "commondir").is_file()
        shared = git / (git / "commondir").read_text().strip() if is_beside else git
        commit = (git / "HEAD").read_text().strip()
        if commit.startswith("ref: "):
            name = commit.removeprefix("ref: ")
            packed = shared / "packed-refs"
            if (shared / name).is_file():
                commit = (shared / name).read_text()
            elif found := re.search(rf"(?m)^(\w+) {re.escape(name)}$", packed.read_text()):
                commit = found[1]
        return commit[:12] if re.match("[0-9a-f]{40}", commit) else ""
    return ""

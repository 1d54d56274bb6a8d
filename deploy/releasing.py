"""Looks whether a tag may be released, and what its release says."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path

from deploy.commands import ROOT, say


def release(typed: Sequence[str], project: Path = ROOT) -> int:
    """Print what CHANGELOG says of a tag's version; return 2 if tag, version or it differ."""
    tag = " ".join(typed)
    engine = (project / "engine" / "__init__.py").read_text(encoding="utf-8")
    (version,) = re.findall(r'(?m)^__version__ = "(.+)"$', engine)
    changes = (project / "CHANGELOG.md").read_text(encoding="utf-8")
    _, begins_with, told = re.split(r"(?m)^## (\S+).*\n", changes, maxsplit=2)[:3]
    if tag != f"v{version}":
        wrong = f"The tag is {tag}, the version {version}."
    elif begins_with != version:
        wrong = f"CHANGELOG begins with {begins_with}, not with {version}."
    elif not told.strip():
        wrong = f"CHANGELOG says nothing of {version}."
    else:
        say(told.strip())
        return 0
    sys.stderr.write(f"{wrong} Nothing is to be released.\n")
    return 2

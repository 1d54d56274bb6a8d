"""Golden files: what must not change unnoticed, as text beside the tests."""

from collections.abc import Callable
from difflib import unified_diff
from itertools import islice
from pathlib import Path
from typing import Final

import pytest

Hold = Callable[[str, str], None]
"""Compares a text with the golden file of that name, or writes the file anew."""

_FOLDER: Final = Path(__file__).parent
_LONGEST_DIFF: Final = 60


@pytest.fixture
def hold(request: pytest.FixtureRequest) -> Hold:
    is_to_write = bool(request.config.getoption("golden_write"))

    def compare(name: str, text: str) -> None:
        file, found = _FOLDER / name, text.rstrip("\n") + "\n"
        kept = file.read_text(encoding="utf-8") if file.exists() else ""
        if found == kept:
            return
        if is_to_write:
            file.parent.mkdir(exist_ok=True)
            file.write_text(found, encoding="utf-8")
            return
        changes = unified_diff(kept.split("\n"), found.split("\n"), name, "now", lineterm="", n=1)
        shown = "\n".join(islice(changes, _LONGEST_DIFF))
        pytest.fail(f"{shown}\nIf this is meant: python3 tasks.py golden", pytrace=False)

    return compare

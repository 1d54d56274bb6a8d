"""The doctor's report: every finding has words, and colours are for who sees them."""

from collections import Counter
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from bot.errors import StorageBusyError, StorageError
from bot.presentation.base.permissions import permission_names
from bot.presentation.doctor import report
from bot.services.doctor.findings import DiskFull, Finding, NoZones, PythonFound, Weight
from cogs.base.installing import NEEDED

PAPER = Path(__file__).parents[2] / "docs" / "HOSTING.md"
A_FACT: dict[object, Any] = {
    int: 7,
    str: "x",
    bool: True,
    tuple[str, ...]: (),
    StorageError: StorageBusyError(),
}
BY_NAME = {("BadSetting", "name"): "AVATARS"}


def kinds(of: type[Finding] = Finding) -> set[type[Finding]]:
    """All kinds of findings there are."""
    return {found for kind in of.__subclasses__() for found in (kind, *kinds(kind))}


def made(kind: type[Finding]) -> Finding:
    """A finding of a kind, with any facts."""
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name != "weight"}
    facts = {name: BY_NAME.get((kind.__name__, name), A_FACT[hint]) for name, hint in hints.items()}
    return kind(**facts)


def test_every_finding_has_a_line_of_its_own() -> None:
    assert kinds() == report.SENTENCES.keys()
    # Of the kind that says so little or so much of the same, only the weight differs.
    same = {"ClockOff", "ClockWrong"}
    lines = [report.line(made(kind)) for kind in kinds() if kind.__name__ not in same]
    assert len({line[12:] for line in lines}) == len(lines)
    assert not any("{" in line or "\n" in line for line in lines)


@pytest.mark.parametrize(
    ("finding", "begins"),
    [
        (
            PythonFound(bot="0.2.0", version="3.11"),
            "  \x1b[32mfine    \x1b[0m  focdle-bot 0.2.0 on Python 3",
        ),
        (NoZones(), "  \x1b[31merror   \x1b[0m  No time zones"),
    ],
)
def test_colours_are_for_who_sees_them(finding: Finding, begins: str) -> None:
    assert report.line(finding, is_coloured=True).startswith(begins)
    assert "\x1b" not in report.line(finding)
    assert report.heading(report.FILES, is_coloured=True) == "\n\x1b[1mFiles\x1b[0m"


def test_what_all_comes_to() -> None:
    assert report.summary(Counter({Weight.FINE: 9, Weight.LEFT_OUT: 1})) == "All is well."
    assert report.summary(Counter({Weight.WARNING: 1})) == "1 warning. The bot runs."
    mixed = Counter({Weight.WARNING: 2, Weight.ERROR: 1})
    assert report.summary(mixed) == (
        "1 error, 2 warnings. Mend the errors first, from top to bottom."
    )


@pytest.mark.parametrize(
    ("free", "said"), [(999, "1 kB"), (19_900_000, "19.9 MB"), (1_540_000_000_000, "1,540.0 GB")]
)
def test_sizes_are_short(free: int, said: str) -> None:
    assert f"Only {said} are free" in report.line(DiskFull(free=free, path="/"))


def test_hosts_read_of_the_permissions_of_the_link() -> None:
    names = permission_names(NEEDED).split(", ")
    listed = PAPER.read_text().partition("and the permissions")[2].partition(". Save")[0]
    told = " ".join(listed.split()).replace(" and ", ", ").replace("View Channels", "View Channel")
    assert sorted(told.split(", ")) == sorted(names)

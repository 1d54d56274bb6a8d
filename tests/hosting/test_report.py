"""The doctor's report: a line for each finding, and colours for those who see them."""

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.config import read_settings
from bot.hosting.doctor import line, summary
from bot.hosting.findings import Finding, Weight, error, fine, size, warning, what_is_wrong
from bot.text.labels import permission_names
from cogs.ui.help import NEEDED

PAPER = Path(__file__).parents[2] / "docs" / "HOSTING.md"


@pytest.mark.parametrize(
    ("finding", "begins"),
    [
        (fine("It is there."), "  \x1b[32mfine    \x1b[0m  It is there."),
        (error("It is\nnot.", "Make it."), "  \x1b[31merror   \x1b[0m  It is not. Make it."),
        (warning("It is old."), "  \x1b[33mwarning \x1b[0m  It is old."),
    ],
)
def test_the_report_uses_colours_only_on_a_terminal(finding: Finding, begins: str) -> None:
    assert line(finding, is_coloured=True) == begins
    assert "\x1b" not in line(finding)


def test_the_report_ends_with_a_summary_of_errors_and_warnings() -> None:
    assert summary(Counter({Weight.FINE: 9, Weight.LEFT_OUT: 1})) == "All is well."
    assert summary(Counter({Weight.WARNING: 1})) == "1 warning. The bot runs."
    mixed = Counter({Weight.WARNING: 2, Weight.ERROR: 1})
    assert summary(mixed) == "1 error, 2 warnings. Mend the errors first, from top to bottom."


@pytest.mark.parametrize(
    ("count", "said"), [(999, "1 kB"), (19_900_000, "19.9 MB"), (1_540_000_000_000, "1,540.0 GB")]
)
def test_the_report_writes_sizes_in_short_form(count: int, said: str) -> None:
    assert size(count) == said


def test_what_is_wrong_is_told_in_sentences_and_without_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    url = f"sqlite:///{tmp_path / 'a-token' / 'x.db'}"
    settings = read_settings({"DISCORD_TOKEN": "a-token", "DATABASE_URL": url, "BACKUPS": "off"})
    *_, backups, folder = what_is_wrong(settings, datetime(2026, 11, 20, tzinfo=UTC))
    assert backups == "BACKUPS is off: nothing is copied. Leave it out, or make copies yourself."
    assert folder.startswith(f"The folder {tmp_path}/[hidden] for the database is not there. Make")


def test_the_documents_for_hosts_list_the_permissions_of_the_invitation_link() -> None:
    names = permission_names(NEEDED).replace(", and ", ", ").split(", ")
    listed = PAPER.read_text().partition("and the permissions")[2].partition(". Save")[0]
    told = " ".join(listed.split()).replace(" and ", ", ").replace("View Channels", "View Channel")
    assert sorted(told.split(", ")) == sorted(names)

"""SQLite on a disk of a network's, where files cannot be locked: told as what it is."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.databases import Databases
from tests.support.needed import needed

# It is about a file, and starts programs.
pytestmark = [pytest.mark.sqlite, pytest.mark.long(only=True)]

SOURCE = Path(__file__).parents[1] / "support" / "network_disk.c"
REFUSALS = [
    ("-DLOCKS=ENOLCK", "No locks available"),  # to SQLite, somebody has locked it
    ("-DLOCKS=EOPNOTSUPP", "Operation not supported"),  # to SQLite, the disk fails
    ("-DMEMORY=ENODEV", "No such device"),
]


class Disk:
    """A folder whose files cannot be locked, for programs that are started here."""

    def __init__(self, folder: Path, refused: str) -> None:
        self.folder = folder / "network"
        self.folder.mkdir()
        self._library = folder / "library.so"
        build = (needed("cc"), "-shared", "-fPIC", refused, "-o", self._library, SOURCE)
        subprocess.run(build, check=True)

    def typed(self, folder: Path, *arguments: str) -> tuple[int, str]:
        """Type a command of the bot's in a folder; return its status, and what it says."""
        environment = {
            "LD_PRELOAD": str(self._library),
            "PYTHONPATH": ":".join(sys.path),
            "DISCORD_TOKEN": "nobodys",
            "BACKUPS": str(self.folder),
        }
        command = [sys.executable, "-m", "bot", *arguments]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(("refused", "reason"), REFUSALS)
def test_a_database_on_a_disk_without_locks_is_refused_and_says_so(
    refused: str, reason: str, tmp_path: Path, databases: Databases
) -> None:
    disk = Disk(tmp_path, refused)
    databases.leave_to_the_bot(disk.folder)
    databases.new(disk.folder)
    says = f"Files in {disk.folder} cannot be locked ({reason}), as on many network disks. Put the"
    status, said = disk.typed(disk.folder)
    assert (status, says in said) == (2, True), said
    status, said = disk.typed(disk.folder, "doctor", "--offline")
    assert (status, says in said, said.count("  error  ")) == (2, True, 1), said
    kept = tmp_path / "kept.db"
    (disk.folder / "focdle.db").rename(kept)
    status, said = disk.typed(disk.folder, "restore", str(kept))
    assert (status, says in said) == (2, True), said


def test_backups_need_no_locks(tmp_path: Path, databases: Databases) -> None:
    disk = Disk(tmp_path, "-DLOCKS=ENOLCK")
    databases.leave_to_the_bot(tmp_path)
    databases.new(tmp_path)
    status, said = disk.typed(tmp_path, "backup")
    assert status == 0, said
    assert [*disk.folder.glob("focdle-kept-*.db")]

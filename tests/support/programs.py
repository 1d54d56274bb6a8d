"""The programs as hosts start them, and cases in which they end by themselves."""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
_SECONDS: Final = 100
_FILE: Final = "focdle.db"
_TOKEN: Final = {"DISCORD_TOKEN": "a-token-of-nobody"}
_KEY: Final = {"PUZZLE_KEY": "0123456789abcdef"}
_WEB: Final = {"WEB_URL": "https://focdle.example.org"}
_PLAYER: Final = "1456074443980800006"
_HERE: Final = f"sqlite:///{_FILE}"
_SERVER: Final = "postgresql://nobody@127.0.0.1:9/focdle"
# As they are typed behind `python -m`, by what they are for.
_PROGRAMS: Final = {
    "run": ("bot",),
    "web": ("bot", "web"),
    "doctor": ("bot", "doctor"),
    "backup": ("bot", "backup"),
    "restore": ("bot", "restore"),
    "move": ("bot", "move"),
    "forget": ("bot", "forget"),
    "keep-out": ("bot", "keep-out"),
    "health": ("bot", "health"),
    "launch": ("bot", "launch"),
    "playground": ("bot.playground",),
    "engine": ("engine",),
}


@dataclass(frozen=True)
class Case:
    """A program that is started, and ends.

    Attributes:
        program: its name.
        what: what is special, for those who read the golden file.
        arguments: behind its name.
        settings: its environment.
        database: what the database is beforehand: empty but for a player, none, damaged, a trial
            version's, newer.
        written: what `.env` says, which everybody can read.
    """

    program: str
    what: str
    arguments: tuple[str, ...] = ()
    settings: Mapping[str, str] = field(default_factory=lambda: _TOKEN)
    database: str = "empty"
    written: str = ""


CASES: Final = (
    Case("run", "no token", settings={}),
    Case("run", "a setting that cannot be used", settings=_TOKEN | {"AVATARS": "perhaps"}),
    Case("run", "no database that is one", database="damaged"),
    Case("run", "a trial version's database", database="trial"),
    Case("run", "a newer database", database="newer"),
    Case("run", "a server that does not answer", settings=_TOKEN | {"DATABASE_URL": _SERVER}),
    Case("run", "no option of its own", ("--odd",)),
    Case("web", "a file of SQLite's", settings=_TOKEN | {"WEB_ADDRESS": "8070"} | _WEB),
    Case("web", "no page", settings=_TOKEN | {"DATABASE_URL": _SERVER}),
    Case("doctor", "all is well", ("--offline",), _TOKEN | _KEY),
    Case("doctor", "others can read .env", ("--offline",), _TOKEN, written="AVATARS=on\n"),
    Case("doctor", "no token", ("--offline",), {}),
    Case("backup", "made", (_HERE, "backups")),
    Case("backup", "no database", (_HERE, "backups"), database="none"),
    Case("restore", "no such file", ("backup.db",)),
    Case("restore", "done", (f"{_FILE}.copy",)),
    Case("move", "no server", (_HERE, _SERVER)),
    Case("move", "one database", (_HERE, _HERE)),
    Case("forget", "not confirmed", (_PLAYER,)),
    Case("forget", "done", ("--yes", _PLAYER)),
    Case("forget", "exported", ("--export", "data.json", _PLAYER)),
    Case("forget", "no id", ("--yes", "ann")),
    Case("forget", "no database", ("--yes", _PLAYER), database="none"),
    Case("keep-out", "done", ("user", _PLAYER)),
    Case("keep-out", "listed", ("list",)),
    Case("keep-out", "no id", ("user",)),
    Case("keep-out", "no database", ("list",), database="none"),
    Case("health", "no address"),
    Case("health", "nobody answers", settings={"HEALTH_ADDRESS": "9"}),
    Case("health", "no option of its own", ("--odd",)),
    Case("launch", "no command"),
    Case("playground", "a damaged database", database="damaged"),
    Case("engine", "a game whose input ends", ("play", "focdle")),
    Case("engine", "nothing to do"),
)


def status_of(case: Case, folder: Path, empty: Path) -> int:
    """Start a program in a folder and wait for its end; its exit status.

    Args:
        case: which one.
        folder: an empty one.
        empty: a migrated database without rows.
    """
    _lay(case.database, folder / _FILE, empty)
    if case.written:
        (folder / ".env").write_text(case.written)
        (folder / ".env").chmod(0o644)
    shutil.copy(folder / _FILE if case.program == "restore" else empty, folder / f"{_FILE}.copy")
    done = subprocess.run(
        [sys.executable, "-m", *_PROGRAMS[case.program], *case.arguments],
        cwd=folder,
        env={"PYTHONPATH": str(_ROOT), "HOME": str(folder), **case.settings},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
    )
    return done.returncode


def _lay(database: str, file: Path, empty: Path) -> None:
    if database == "damaged":
        file.write_text("No database, but a letter.\n" * 100)
        shutil.copy(file, file.with_name("playground.db"))
    elif database != "none":
        shutil.copy(empty, file)
        with closing(sqlite3.connect(file)) as connection, connection:
            row = (int(_PLAYER), "Ann", "2026-11-20 12:00:00.000000")
            connection.execute(
                "INSERT INTO players (player_id, name, seen_at) VALUES (?, ?, ?)", row
            )
    if database in {"trial", "newer"}:
        version = "0065" if database == "trial" else "9999"
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", [version])

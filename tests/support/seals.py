"""Seals as a player reads them off messages, and a check that knows nothing but what is shown."""

import hashlib
import re
from pathlib import Path

import pytest
from simcord import MemberActor, ResponseMessage

from tests.support.screen import buttons, seen, text
from tests.support.sql import sql
from tests.support.table import Table

_SEALED = re.compile(r"^-# 🔏 Seal (?:of .+ )?`([0-9a-f]{40})`$", re.MULTILINE)
_OPENED = re.compile(r"^-# 🔓 `([^`]+)` has the seal `([0-9a-f]{8})…`$", re.MULTILINE)
_ON_PAGE = re.compile(r"^-# The seal, its first 40 digits: `([0-9a-f]{40})`$", re.MULTILINE)


def sealed(shown: str) -> list[str]:
    """The seals on a board that are not opened."""
    return _SEALED.findall(shown)


def opened(shown: str, *before: str) -> list[str]:
    """The lines that a board shows for its seals, without their salts, once they are checked.

    Args:
        shown: the board's text.
        before: the seals that were shown before, which are all it takes.
    """
    found = _OPENED.findall(shown)
    assert [start for _line, start in found] == [seal[:8] for seal in before]
    for seal, (line, _start) in zip(before, found, strict=True):
        assert hashlib.sha256(line.encode()).hexdigest()[:40] == seal
    assert not sealed(shown)
    return [without_salt(line) for line, _start in found]


def without_salt(line: str) -> str:
    """What was hashed, apart from the salt at its end."""
    words, _space, salt = line.rpartition(" ")
    assert re.fullmatch("[0-9a-f]{32}", salt)
    return words


async def verify(who: MemberActor, board: ResponseMessage) -> list[tuple[str, str]]:
    """Press *Verify*; what was hashed and its digest, for each secret, once they are checked."""
    page = seen(await who.click(board, label="Verify"))
    assert page.ephemeral
    assert buttons(page) == ["Fairness"]
    blocks = re.findall(r"```\n(.*?)\n```", text(page), re.DOTALL)
    found = list(zip(blocks[::3], blocks[1::3], strict=True))
    assert _ON_PAGE.findall(text(page)) == [digest[:40] for _line, digest in found]
    for (line, digest), command in zip(found, blocks[2::3], strict=True):
        assert hashlib.sha256(line.encode()).hexdigest() == digest
        assert command == f"printf '%s' '{line}' | sha256sum"
    return found


class Eavesdropper:
    """Reads everything the bot sends, and its log, in search of salts."""

    def __init__(self, table: Table, folder: Path, log: pytest.LogCaptureFixture) -> None:
        self._table = table
        self._folder = folder
        self._log = log
        # As where the bot runs: below that, these libraries write payloads and parameters.
        log.set_level("DEBUG")
        for quiet in ("aiosqlite", "discord"):
            log.set_level("INFO", quiet)

    def salts(self) -> set[str]:
        """The salts of all games, which only the database has."""
        tables = ("puzzles", "masterminds", "duel_seats")
        found = [sql(self._folder, f"SELECT salt FROM {table}") for table in tables]  # noqa: S608
        return {salt for rows in found for (salt,) in rows if salt is not None}

    def heard(self) -> set[str]:
        """The salts that were sent to anybody, or written to the log."""
        return {salt for salt in self.salts() if salt in self._sent() or salt in self._log.text}

    def logged(self) -> set[str]:
        """The salts that were written to the log."""
        return {salt for salt in self.salts() if salt in self._log.text}

    def _sent(self) -> str:
        return "\n".join(f"{r.path} {r.json}" for r in self._table.env.http_requests)

"""Seals as a player reads them off messages, and a check that knows nothing but what is shown."""

import hashlib
import re
from pathlib import Path

import pytest
from simcord import MemberActor, ResponseMessage

from tests.support.screen import buttons, reach, text
from tests.support.sql import sql
from tests.support.table import Table

_DIGITS = re.compile("🔏|`[0-9a-f]{8}")
_LINE = re.compile(r"^`([^`]*)`$", re.MULTILINE)


def carries_digits(shown: str) -> bool:
    """Whether a board has a seal on it, or part of one: only *Is it fair?* shows it."""
    return _DIGITS.search(shown) is not None


def without_salt(line: str) -> str:
    """What was hashed, apart from the salt at its end."""
    words, _space, salt = line.rpartition(" ")
    assert re.fullmatch("[0-9a-f]{32}", salt)
    return words


async def noted(who: MemberActor, board: ResponseMessage) -> list[str]:
    """The whole seals, which *Is it fair?* of a board shows while the game goes on."""
    assert not carries_digits(text(board))
    page = await _pressed(who, board)
    seals = _LINE.findall(text(page))
    assert all(re.fullmatch("[0-9a-f]{40}", seal) for seal in seals)
    assert "compare it at the end." in text(page)
    return seals


async def checked(who: MemberActor, board: ResponseMessage, *before: str) -> list[str]:
    """Press *Is it fair?* on a board that is over; the lines that were hashed, without their salts.

    Args:
        who: a player, or somebody who sees the board.
        board: the board, whose seals are open.
        before: the whole seals that were noted before, which are all it takes.
    """
    assert not carries_digits(text(board))
    page = await _pressed(who, board)
    assert "It was fixed before your first guess." in text(page)
    blocks = _LINE.findall(text(page))
    seals, lines = blocks[::2], blocks[1::2]
    assert seals == list(before)
    for seal, line in zip(seals, lines, strict=True):
        assert hashlib.sha256(line.encode()).hexdigest().startswith(seal)
    return [without_salt(line) for line in lines]


async def _pressed(who: MemberActor, board: ResponseMessage) -> ResponseMessage:
    page = await reach(who, board, "Is it fair?")
    assert page.ephemeral
    assert buttons(page) == ["Fairness"]
    return page


class Eavesdropper:
    """Reads everything the bot sends, and its log, in search of salts."""

    def __init__(self, table: Table, folder: Path, log: pytest.LogCaptureFixture) -> None:
        self._table = table
        self._folder = folder
        self._log = log
        # As where the bot runs: below that, it writes payloads.
        log.set_level("DEBUG")
        log.set_level("INFO", "discord")

    def salts(self) -> set[str]:
        """The salts of all games, which only the database has."""
        tables = ("puzzles", "masterminds", "duel_seats")
        found = [sql(self._folder, f"SELECT salt FROM {table}") for table in tables]
        return {salt for rows in found for (salt,) in rows if salt is not None}

    def heard(self) -> set[str]:
        """The salts that were sent to anybody, or written to the log."""
        return {salt for salt in self.salts() if salt in self._sent() or salt in self._log.text}

    def logged(self) -> set[str]:
        """The salts that were written to the log."""
        return {salt for salt in self.salts() if salt in self._log.text}

    def _sent(self) -> str:
        return "\n".join(f"{r.path} {r.json}" for r in self._table.env.http_requests)

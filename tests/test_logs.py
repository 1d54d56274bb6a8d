"""Log lines are readable and hold no secret."""

import json
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import aiohttp
import discord
import pytest
from sqlalchemy import text

from bot.config import LogSettings
from bot.db.copies import opened
from bot.db.database import Database
from bot.db.sqlite import address_of
from bot.errors import ClosingError, UnusableDatabaseError
from bot.logs import configure_logs
from cogs.ui.deliveries import is_nobodys_fault

OF_DATABASES = ("aiosqlite", "psycopg", "sqlalchemy")


@pytest.fixture(autouse=True)
def _restore_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers = root.handlers[:]
    parts = [root, *map(logging.getLogger, ("discord", "alembic", *OF_DATABASES))]
    levels = [part.level for part in parts]
    yield
    root.handlers[:] = handlers
    for part, level in zip(parts, levels, strict=True):
        part.setLevel(level)


def test_secrets_are_masked_in_logs_including_tracebacks(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs(LogSettings(), secrets=("tok-123", "", "key-456"))
    try:
        raise ValueError("key-456")
    except ValueError:
        logging.getLogger("x").exception("with %s", "tok-123")
    line = capsys.readouterr().err
    assert "tok-123" not in line
    assert "key-456" not in line
    assert "ERROR   x: with [hidden]" in line
    assert "ValueError: [hidden]" in line


def test_a_short_password_is_masked_only_in_urls(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(LogSettings(), secrets=("a",))
    logging.getLogger("x").warning("a database: postgresql://bot:a@localhost/a")
    line = capsys.readouterr().err
    assert line.endswith("x: a database: postgresql://bot:[hidden]@localhost/a\n")


def test_a_log_event_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(LogSettings())
    logging.getLogger("bot.app").info("ready as %s in %d servers", "FoCdle", 3)
    logging.getLogger("bot.app").debug("unseen")
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(" INFO    bot.app: ready as FoCdle in 3 servers")


API = "https://discord.com/api/v10"


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("guilds/55/members/77", "guilds/55/members/[hidden]"),
        ("channels/66/thread-members/77", "channels/66/thread-members/[hidden]"),
        ("users/77", "users/[hidden]"),
        ("avatars/77/00ff.png?size=64", "avatars/[hidden]?size=64"),
        ("users/@me/channels", "users/@me/channels"),
        ("webhooks/88/aW50-_.x/messages/@original", "webhooks/[hidden]/messages/@original"),
        ("webhooks/88/aW50-_.x?wait=True", "webhooks/[hidden]?wait=True"),
        ("interactions/99/aW50-_.x/callback", "interactions/[hidden]/callback"),
        ("channels/66/messages/44", "channels/66/messages/44"),
    ],
)
def test_a_log_line_about_a_request_to_discord_names_nobody(
    capsys: pytest.CaptureFixture[str], path: str, shown: str
) -> None:
    configure_logs(LogSettings())
    words = "We are being rate limited. %s %s responded with 429. Retrying in %.2f seconds."
    logging.getLogger("discord.http").warning(words, "PUT", f"{API}/{path}", 1.5)
    (line,) = capsys.readouterr().err.splitlines()
    assert f" PUT {API}/{shown} responded with 429." in line


def test_a_log_line_about_a_failed_autocomplete_names_no_user(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logs(LogSettings())
    words = "Ignoring exception in autocomplete for %r (Guild: %s, User: %s)"
    logging.getLogger("discord.app_commands.tree").error(words, "focdle", 55, 77)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("for 'focdle' (Guild: 55, User: [hidden])")


@pytest.mark.parametrize(
    "error",
    [
        aiohttp.ServerDisconnectedError(),
        ConnectionResetError(54, "reset"),
        discord.GatewayNotFound(),
        ClosingError(),
        UnusableDatabaseError("database or disk is full"),
    ],
)
def test_an_expected_failure_that_a_library_logs_is_one_line(
    capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    configure_logs(LogSettings(), is_nobodys_fault=is_nobodys_fault)
    log = logging.getLogger("discord.shard")
    for what in (error, RuntimeError("of ours")):
        try:
            raise what
        except Exception:
            log.exception("Attempting a reconnect in %.2fs", 1.5)
    first, *rest = capsys.readouterr().err.splitlines()
    assert first.endswith(f"discord.shard: Attempting a reconnect in 1.50s: {error!r}")
    assert rest[1] == "Traceback (most recent call last):"
    assert rest[-1] == "RuntimeError: of ours"


@pytest.mark.parametrize("end", ["already exists.", 'is not present in table "duels".'])
def test_a_log_line_about_a_row_that_the_database_refused_names_no_player(
    capsys: pytest.CaptureFixture[str], end: str
) -> None:
    configure_logs(LogSettings())
    logging.getLogger("x").error("DETAIL:  Key (play_id, player_id)=(5, 77) %s", end)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"DETAIL:  Key (play_id, player_id)=([hidden]) {end}")


def test_a_log_event_in_json_is_an_object_without_secrets(
    capsys: pytest.CaptureFixture[str],
) -> None:
    secret = 'a "quoted"\nkey'
    configure_logs(LogSettings(is_json=True), secrets=(secret,), name="0-3")
    log = logging.getLogger("bot.app")
    log.info("PUT %s/users/77 · grün, %s", API, secret)
    try:
        raise ValueError(secret)
    except ValueError:
        log.exception("failed")
    first, second = map(json.loads, capsys.readouterr().err.splitlines())
    assert datetime.fromisoformat(first.pop("time")).utcoffset() == timedelta()
    assert first == {
        "level": "INFO",
        "logger": "bot.app",
        "process": "0-3",
        "message": f"PUT {API}/users/[hidden] · grün, [hidden]",
    }
    assert second["error"].startswith("Traceback (most recent call last):\n")
    assert second["error"].endswith("\nValueError: [hidden]")


def test_no_log_shows_payloads_of_discords_library(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs(LogSettings("DEBUG"))
    for name in ("cogs.x", "discord.http"):
        for level in (logging.DEBUG, logging.INFO):
            logging.getLogger(name).log(level, "said")
    shown = [line.split()[2:4] for line in capsys.readouterr().err.splitlines()]
    assert shown == [["DEBUG", "cogs.x:"], ["INFO", "cogs.x:"], ["INFO", "discord.http:"]]


async def test_no_log_shows_values_written_to_a_database(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name in OF_DATABASES:
        logging.getLogger(name).setLevel(logging.NOTSET)
    configure_logs(LogSettings("DEBUG"))
    database = await Database.open(f"sqlite:///{tmp_path}/test.db")
    await database.write(
        lambda tx: tx.execute(text("INSERT INTO facts VALUES ('x', :code)"), {"code": "1+2=3"})
    )
    await database.close()
    async with opened(address_of(tmp_path / "test.db")) as connection:
        await connection.execute("UPDATE facts SET value = ?", ["4-3=1"])
    for name in OF_DATABASES:
        for part in (name, f"{name}.x"):
            logging.getLogger(part).info("said")
    said = capsys.readouterr().err
    assert "sqlite" not in said
    assert not any(code in said for code in ("1+2=3", "4-3=1", "said"))

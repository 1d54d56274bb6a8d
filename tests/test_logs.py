"""Log lines are readable and hold no secret."""

import logging
from collections.abc import Iterator

import aiohttp
import discord
import pytest

from bot.errors import ClosingError, UnusableDatabaseError
from bot.logs import configure_logs
from cogs.base.faults import is_nobodys_fault


@pytest.fixture(autouse=True)
def _restore_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def test_secrets_are_blotted_out_tracebacks_included(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("INFO", secrets=("tok-123", "", "key-456"))
    try:
        raise ValueError("key-456")
    except ValueError:
        logging.getLogger("x").exception("with %s", "tok-123")
    line = capsys.readouterr().err
    assert "tok-123" not in line
    assert "key-456" not in line
    assert "ERROR   x: with [hidden]" in line
    assert "ValueError: [hidden]" in line


def test_an_event_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("INFO")
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
def test_what_discord_was_asked_for_names_nobody(
    capsys: pytest.CaptureFixture[str], path: str, shown: str
) -> None:
    configure_logs("INFO")
    words = "We are being rate limited. %s %s responded with 429. Retrying in %.2f seconds."
    logging.getLogger("discord.http").warning(words, "PUT", f"{API}/{path}", 1.5)
    (line,) = capsys.readouterr().err.splitlines()
    assert f" PUT {API}/{shown} responded with 429." in line


def test_a_failed_completion_names_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logs("INFO")
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
def test_what_is_nobodys_fault_is_a_line_whoever_logs_it(
    capsys: pytest.CaptureFixture[str], error: Exception
) -> None:
    configure_logs("INFO", is_nobodys_fault=is_nobodys_fault)
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
def test_a_refused_row_names_nobody(capsys: pytest.CaptureFixture[str], end: str) -> None:
    configure_logs("INFO")
    logging.getLogger("x").error("DETAIL:  Key (play_id, player_id)=(5, 77) %s", end)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f"DETAIL:  Key (play_id, player_id)=([hidden]) {end}")

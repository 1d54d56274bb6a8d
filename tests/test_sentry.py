"""What Sentry is told of errors, by the real library, and what it is never told."""

import json
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
import sentry_sdk
from sentry_sdk.envelope import Envelope
from sentry_sdk.transport import Transport

from bot.config import SettingsError
from bot.errors import ClosingError
from bot.hosting.run import run
from bot.sentry import report_errors
from cogs.ui.replies import is_nobodys_fault
from tests.support.screen import text
from tests.support.table import Table

DSN = "https://public-key@sentry.example.org/7"
TOKEN = "tok-3n-of-the-bot"
GUESS = "12+34-5=41"
PLAYER = 770_000_000_000_000_001
SERVER = "Dice & Friends"
HIDDEN = (DSN, TOKEN, GUESS, str(PLAYER), SERVER)


class Collected(Transport):
    """Keeps what would be sent."""

    envelopes: ClassVar[list[Envelope]] = []
    """Of all of them: the library makes the one that there is."""

    def capture_envelope(self, envelope: Envelope) -> None:
        self.envelopes.append(envelope)


@pytest.fixture(autouse=True)
def sent() -> Iterator[list[Envelope]]:
    Collected.envelopes = []
    report_errors(
        DSN,
        secrets=("", TOKEN, DSN),
        is_nobodys_fault=is_nobodys_fault,
        release="0.2.0",
        transport=Collected,
    )
    yield Collected.envelopes
    sentry_sdk.init("", default_integrations=False, auto_enabling_integrations=False)


def events(sent: list[Envelope]) -> list[dict[str, Any]]:
    return [json.loads(item.get_bytes()) for envelope in sent for item in envelope.items]


def whole(sent: list[Envelope]) -> str:
    """Everything that would go over the line."""
    return "".join(envelope.serialize().decode() for envelope in sent)


def fail(guess: str, *, player: int) -> None:
    server = SERVER
    request = {"token": TOKEN, "typed": guess, "server": server}
    try:
        raise KeyError(guess)
    except KeyError as error:
        error.add_note(f"asked by {player}")
        raise RuntimeError(f"{guess} of {player} in {server}, {request}") from error


def test_an_error_report_contains_only_the_place_of_the_error(sent: list[Envelope]) -> None:
    try:
        fail(GUESS, player=PLAYER)
    except RuntimeError:
        extra = {"reference": "0123abcd"}
        logging.getLogger("cogs.x").exception("a guess %s failed", GUESS, extra=extra)
    (event,) = events(sent)
    assert event["message"] == "a guess %s failed"
    assert event["logger"] == "cogs.x"
    assert event["tags"] == {"reference": "0123abcd"}
    assert event["release"] == "0.2.0"
    values = event["exception"]["values"]
    assert [value["type"] for value in values] == ["KeyError", "RuntimeError"]
    assert {name for value in values for name in value} == {"type", "module", "stacktrace"}
    frames = [frame for value in values for frame in value["stacktrace"]["frames"]]
    assert "fail" in {frame["function"] for frame in frames}
    assert {name for frame in frames for name in frame} <= {
        *("filename", "function", "module", "lineno", "in_app")
    }
    told = whole(sent)
    assert [each for each in HIDDEN if each in told] == []
    assert set(event) <= {
        *("event_id", "timestamp", "level", "platform", "logger", "release", "message"),
        *("exception", "tags"),
    }


def test_log_messages_of_a_library_are_not_sent_to_sentry(sent: list[Envelope]) -> None:
    """What a library logs may have its facts in its words already."""
    try:
        fail(GUESS, player=PLAYER)
    except RuntimeError as error:
        words = f"Task exception was never retrieved: {error!r}"
        logging.getLogger("asyncio").exception(words)
    (event,) = events(sent)
    assert "message" not in event
    assert [each for each in HIDDEN if each in whole(sent)] == []


def test_secrets_are_masked_everywhere_in_an_error_report(sent: list[Envelope]) -> None:
    def run() -> None:
        raise ValueError

    run.__code__ = run.__code__.replace(co_name=TOKEN)
    try:
        run()
    except ValueError:
        logging.getLogger("bot.x").exception("/users/770000000000000001")
    told = whole(sent)
    assert TOKEN not in told
    assert str(PLAYER) not in told
    assert "[hidden]" in told


def test_the_error_library_sends_only_logged_errors_and_nothing_attached_to_them(
    sent: list[Envelope],
) -> None:
    sentry_sdk.set_user({"id": str(PLAYER)})
    sentry_sdk.set_context("game", {"guess": GUESS})
    sentry_sdk.add_breadcrumb(message=GUESS)
    sentry_sdk.set_tag("server", SERVER)
    sentry_sdk.set_extra("guess", GUESS)
    with sentry_sdk.start_transaction(name=SERVER):
        sentry_sdk.capture_message(GUESS)
    try:
        fail(GUESS, player=PLAYER)
    except RuntimeError as error:
        sentry_sdk.capture_exception(error)
        assert sent == []
        logging.getLogger("bot.x").exception("failed")
    assert len(events(sent)) == 1
    told = whole(sent)
    assert [
        each for each in (*HIDDEN, "breadcrumbs", "server_name", "contexts") if each in told
    ] == []


def test_an_expected_failure_and_a_log_line_without_an_error_are_not_reported(
    sent: list[Envelope],
) -> None:
    log = logging.getLogger("bot.x")
    log.error("only words, %s", GUESS)
    log.warning("a warning", exc_info=ValueError("x"))
    log.error("it is stopping", exc_info=ClosingError())
    assert sent == []


async def test_an_error_report_has_the_reference_that_the_player_reads(
    table: Table, sent: list[Envelope], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise LookupError(GUESS)

    monkeypatch.setattr(type(table.services.daily), "open", broken)
    shown = text(await table.focdle(table.ann))
    (event,) = events(sent)
    reference = event["tags"]["reference"]
    assert len(reference) == 8
    assert reference in shown
    told = whole(sent)
    assert str(table.ann.id) not in told
    assert str(table.ann.guild.id) not in told
    assert GUESS not in told


def test_an_invalid_address_for_sentry_is_refused() -> None:
    with pytest.raises(SettingsError) as refused:
        report_errors(
            "sentry.example.org", secrets=(), is_nobodys_fault=is_nobodys_fault, release=""
        )
    assert refused.value.name == "SENTRY_DSN"


def test_a_host_without_the_error_library_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DISCORD_TOKEN", "t")
    monkeypatch.setenv("SENTRY_DSN", DSN)
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    monkeypatch.delitem(sys.modules, "bot.sentry")
    assert run() == 2
    assert "SENTRY_DSN is set, but what talks to Sentry is not installed." in (
        capsys.readouterr().err
    )
    assert list(tmp_path.iterdir()) == []
